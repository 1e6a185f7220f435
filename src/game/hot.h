/* SPDX-License-Identifier: MIT */

/* A search of the game's own, which takes the place of the alphabeta engine's search over the contract unless the user says
 * --no-hot: a capability. It gives the same values, faster; the rest of the engine is the same for both. The game must have
 * search->distance. NULL: the search over the contract. */

#ifndef HOLOS_GAME_HOT_H
#define HOLOS_GAME_HOT_H

#include "game/types.h"

struct progress;

typedef struct holos_hot_setup {
    mem_budget *budget;
    size_t memory; /* bytes for its table, at most */
    unsigned threads;
    struct progress *progress; /* core/progress.h: where nodes are counted as they are searched */
    const void *settings;      /* the values of the game's options for HOLOS_USE_SOLVE; NULL: it has none */
} holos_hot_setup;

/* What a search remembers of a position: its value lies in [lo, hi]. */
typedef struct holos_remembered {
    int32_t lo, hi;
    holos_move move; /* the best one so far */
    uint32_t work;   /* about how many nodes it took, at least 1 */
} holos_remembered;

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
    /* What p looks worth after so many plies of search, and the move that looks best: nothing that is proved. Depth 0: as far as pays
     * before a search for the value, which begins to ask there. False: it cannot tell, or that does not pay.
     * The game is not over. NULL: never. */
    bool (*guess)(void *state, const holos_position *p, unsigned depth, int32_t *score, holos_move *move);
    /* What is remembered, one entry after the other, from *index 0 on; false past the end. The key is whatever `put` understands, and
     * says for which board: it is written to checkpoints. NULL: it writes none. */
    bool (*next)(void *state, size_t *index, holos_key *key, holos_remembered *out);
    /* Remembers what `next` gave once. An entry that is none is left out. Required with `next`. */
    void (*put)(void *state, holos_key key, const holos_remembered *entry);
    /* What the search has to do without, in a sentence: files that are missing. NULL, or it returns NULL: nothing. */
    const char *(*lacks)(const void *state);
} holos_hot;

#endif
