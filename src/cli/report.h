/* SPDX-License-Identifier: MIT */

/* Reports (holos/report.h) on stdout: one renderer for words, one for JSON. */

#ifndef HOLOS_CLI_REPORT_H
#define HOLOS_CLI_REPORT_H

#include "cli/cli.h"

#include <holos/report.h>

/* As --json says. */
void report_print(cli *c, const holos_report *report);

/* Indented lines with labels, and lines and tables of their own. */
void report_print_words(text *t, const holos_report *report);

#endif
