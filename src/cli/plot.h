/* SPDX-License-Identifier: MIT */

/* What a build found, as a picture. */

#ifndef HOLOS_CLI_PLOT_H
#define HOLOS_CLI_PLOT_H

#include "session/build.h"

/* Two bar charts in one SVG file: positions by tier (of a graph: by depth), and how often each value occurs. */
holos_status plot_write(const char *path, const build_request *b, const build_report *r, holos_error *err);

#endif
