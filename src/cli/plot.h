/* SPDX-License-Identifier: MIT */

/* What a report says, as a picture. */

#ifndef HOLOS_CLI_PLOT_H
#define HOLOS_CLI_PLOT_H

#include "core/error.h"

#include <holos/report.h>

/* A bar chart of each list of counts that is meant to be drawn (holos_field.chart), below each other in one SVG file. */
holos_status plot_write(const char *path, const holos_report *report, holos_error *err);

#endif
