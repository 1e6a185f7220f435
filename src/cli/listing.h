/* SPDX-License-Identifier: MIT */

/* Lists of what a verb can run: benchmarks, experiments. */

#ifndef HOLOS_CLI_LISTING_H
#define HOLOS_CLI_LISTING_H

#include "cli/cli.h"

/* One entry: "name  summary", or with --json {"KIND":"name","summary":"…"}. */
void listing_entry(cli *c, const char *kind, const char *name, const char *summary);

#endif
