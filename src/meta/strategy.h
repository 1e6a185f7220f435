/* SPDX-License-Identifier: MIT */

/* Layer 2: sets of seeds. What seeds cover is counted over the positions that all of them cover together, so that sets are unions of
 * bits. A greedy choice takes the seed that adds most for what it costs; the game of sets lets a wave find the best set, where there
 * are few enough of them. */

#ifndef HOLOS_META_STRATEGY_H
#define HOLOS_META_STRATEGY_H

#include "meta/cover.h"

#define STRATEGY_POOL 64 /* seeds to choose from, at most */

typedef struct strategy_pool {
    size_t count;
    cover covers[STRATEGY_POOL];
    uint64_t *bits[STRATEGY_POOL]; /* of what is counted: `words` each */
    size_t words;
    uint64_t universe; /* how many bits count */
} strategy_pool;

void strategy_pool_init(strategy_pool *p);
void strategy_pool_free(strategy_pool *p);
/* Turns covers into bits: of all that they cover together, or only of these keys (sorted, each once). */
holos_status strategy_pool_count(strategy_pool *p, const holos_key *keys, size_t key_count, holos_error *err);
uint64_t strategy_covered(const strategy_pool *p, uint64_t set);
uint64_t strategy_cost(const strategy_pool *p, uint64_t set);

/* Takes at most `most` seeds, the one that adds most first (by cost: that adds most for each position expanded); writes the
 * steps, and returns their number. */
size_t strategy_greedy(const strategy_pool *p, size_t most, uint64_t budget, bool by_cost,
                       holos_strategy_step *out);
/* What the best set of at most `most` seeds covers: *least and *most_out are equal if a wave has found it. */
holos_status strategy_optimum(const strategy_pool *p, size_t most, uint64_t budget, uint64_t sets,
                              uint64_t bound, const holos_stop *stop, uint64_t *least, uint64_t *most_out,
                              holos_error *err);

#endif
