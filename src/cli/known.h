/* SPDX-License-Identifier: MIT */

/* What a verb knows beforehand: what it was given with --store or --tables, or else what comes with the program. */

#ifndef HOLOS_CLI_KNOWN_H
#define HOLOS_CLI_KNOWN_H

#include "cli/cli.h"

/* Opens what is at `url` for positions of v; with NULL, if `shipped`, what comes with the program. *out is NULL if there is
 * nothing. `memory` is how much of it may be kept; 0: what the system can spare. */
holos_status known_open(const char *url, bool shipped, const holos_variant *v, size_t memory,
                        holos_knowledge **out, holos_error *err);

/* The options of a verb that has them, as members of its settings. */
#define KNOWN_OPTIONS(type)                                                                                  \
    {OPTION(STRING, type, store), .name = "store", .value = "URL",                                           \
     .help = "known values: a store that 'holos build' or 'holos explore' made, such as "                    \
             "file:DIR"},                                                                                    \
        {OPTION(FILE, type, store), .name = "tables", .value = "DIR",                                        \
         .help = "the same, as a folder; it may hold tables made by other programs"},                        \
    {                                                                                                        \
        OPTION(FLAG, type, no_book), .name = "no-book",                                                      \
                                     .help = "do not use the book or tables that come with the program"      \
    }

#endif
