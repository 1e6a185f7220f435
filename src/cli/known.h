/* SPDX-License-Identifier: MIT */

/* What is known beforehand: a store or a hologram that a verb was given with --store, or the book that comes
 * with the program, as the boundary of its solvers. */

#ifndef HOLOS_CLI_KNOWN_H
#define HOLOS_CLI_KNOWN_H

#include "cli/endings.h"
#include "store/store.h"

#include <pthread.h>

/* The file that `holos explore --store file:DIR` keeps in DIR. */
#define KNOWN_HOLOGRAM "hologram"

typedef struct known {
    store *s; /* one of the three, or none */
    holos_hologram *h;
    open_endings endings;
    pthread_mutex_t lock; /* a hologram answers one question at a time */
    holos_boundary boundary;
} known;

/* Opens what is at `url` for positions of v (NULL: of the game it was made for); with `url` NULL there is none,
 * and known_boundary is NULL. `cache` is how much of it may be kept in memory; 0: what the system can spare. */
holos_status known_open(known *k, const char *url, const holos_variant *v, size_t cache, holos_error *err);
/* The same, but with NULL the book of v that comes with the program, if there is one, or for chess the tables in the folder
 * syzygy of a data folder. A book lies in
 * books/GAME-VARIANT of a data folder: of $HOLOS_DATA if that is set, otherwise of that of the source tree that
 * the program was built in, or of the one that was installed. */
holos_status known_open_or_book(known *k, const char *url, const holos_variant *v, holos_error *err);
void known_close(known *k);
const holos_boundary *known_boundary(const known *k);
/* The tables of endings that are open, or NULL. */
const open_endings *known_endings(const known *k);
const holos_variant *known_variant(const known *k); /* NULL if there is none */

/* The hologram of a store "file:DIR"; false if the URL is of another kind. `path` takes PATH_MAX bytes. */
bool known_hologram_path(const char *url, char *path);

#endif
