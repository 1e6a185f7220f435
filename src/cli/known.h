/* SPDX-License-Identifier: MIT */

/* What is known beforehand: a store that a verb was given with --store, as the boundary of its solvers. */

#ifndef HOLOS_CLI_KNOWN_H
#define HOLOS_CLI_KNOWN_H

#include "store/store.h"

typedef struct known {
    store *s;
    holos_boundary boundary;
} known;

/* Opens the store at `url` for positions of v; with NULL there is none, and known_boundary is NULL. `cache`
 * is how much of it may be kept in memory; 0: what the system can spare. */
holos_status known_open(known *k, const char *url, const holos_variant *v, size_t cache, holos_error *err);
void known_close(known *k);
const holos_boundary *known_boundary(const known *k);

#endif
