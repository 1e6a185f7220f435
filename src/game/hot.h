/* SPDX-License-Identifier: MIT */

/* A search of the game's own, which takes the place of the alphabeta engine's search over the contract unless the user says
 * --no-hot: a capability. It gives the same values, faster; the rest of the engine is the same for both. The game must have
 * search->distance. NULL: the search over the contract. */

#ifndef HOLOS_GAME_HOT_H
#define HOLOS_GAME_HOT_H

#include "game/types.h"

typedef struct holos_hot_setup {
    mem_budget *budget;
    size_t memory; /* bytes for its table, at most */
    unsigned threads;
} holos_hot_setup;

typedef struct holos_hot {
    /* Required. */
    holos_status (*open)(const holos_variant *v, const holos_hot_setup *setup, void **state,
                         holos_error *err);
    /* Required. */
    void (*close)(void *state);
    /* Narrows [*lo, *hi] to what is known of p without a search. Required. */
    void (*known)(void *state, const holos_position *p, int32_t *lo, int32_t *hi);
    /* Whether the value of p is at least beta: a result r >= beta means value >= r, a result r < beta means value <= r.
     * Counts nodes and keeps to the limits; once limits->status is not HOLOS_OK the result means nothing. Required. */
    int32_t (*search)(void *state, struct limits *limits, const holos_position *p, int32_t beta);
} holos_hot;

#endif
