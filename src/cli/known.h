/* SPDX-License-Identifier: MIT */

/* What is known beforehand: a store that a verb was given with --store, or the book that comes with the
 * program, as the boundary of its solvers. */

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
/* The same, but with NULL the book of v that comes with the program, if there is one. It lies in
 * books/GAME-VARIANT of a data folder: of $HOLOS_DATA if that is set, otherwise of that of the source tree that
 * the program was built in, or of the one that was installed. */
holos_status known_open_or_book(known *k, const char *url, const holos_variant *v, holos_error *err);
void known_close(known *k);
const holos_boundary *known_boundary(const known *k);

#endif
