/* SPDX-License-Identifier: MIT */

/* Several stores or holograms become one. */

#ifndef HOLOS_CLI_MERGING_H
#define HOLOS_CLI_MERGING_H

#include "core/error.h"

#include <stddef.h>

/* Writes what any of `urls` holds to `into`, which must be new unless `restart` is set. Holograms merge with
 * holograms of the same game, databases with databases of the same family, finished or not: what comes out is
 * finished if no part is missing. HOLOS_BAD_FILE, with the key or the position, if two of them contradict each
 * other. */
holos_status merge_stores(const char *const *urls, size_t count, const char *into, bool restart,
                          holos_error *err);

#endif
