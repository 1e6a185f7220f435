/* SPDX-License-Identifier: MIT */

/* A game ply by ply: every position that can be reached in so many moves from the start, symmetric ones
 * once; and values that follow from those of the next ply. */

#ifndef HOLOS_SESSION_PLIES_H
#define HOLOS_SESSION_PLIES_H

#include "core/pool.h"
#include "core/progress.h"
#include "store/book.h"

typedef struct plies_task {
    const holos_variant *v;
    pool *threads;
    progress *progress;     /* may be NULL */
    const holos_stop *stop; /* may be NULL */
} plies_task;

/* HOLOS_UNSUPPORTED, and why, if a game cannot be taken ply by ply. */
holos_status plies_supports(const holos_variant *v, holos_error *err);

/* Reaches the positions of plies 0 … depth, or as far as the game goes. Values are those of the rules where
 * the game is over, and not known elsewhere. The caller frees the book in any case. */
holos_status plies_reach(const plies_task *task, uint32_t depth, book *b, holos_error *err);
/* Derives the values of all plies but the last, which is known. */
holos_status plies_derive(const plies_task *task, book *b, holos_error *err);

#endif
