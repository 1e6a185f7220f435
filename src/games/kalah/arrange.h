/* SPDX-License-Identifier: MIT */

/* How n seeds may lie in the pits of one side: the arrangements of n, numbered from 0 in lexicographic
 * order, pit 0 (the farthest from the store) first. A database of kalah is indexed by such numbers, one
 * for each side.
 *
 * Two properties carry everything that is built on them. A move that puts nothing into the store only
 * shifts seeds towards it, so the number of the mover's arrangement falls. And adding the same seeds to
 * two arrangements keeps their order, so whoever walks through arrangements in order also walks through
 * the memory of their successors in order. */

#ifndef HOLOS_KALAH_ARRANGE_H
#define HOLOS_KALAH_ARRANGE_H

#include <stdbool.h>
#include <stdint.h>

#define ARRANGE_PITS  8
#define ARRANGE_SEEDS 127                 /* a value of what is in play fits a signed byte */
#define ARRANGE_MOST  ((uint64_t)1 << 24) /* arrangements of one side: more are not indexed */

typedef struct arrange {
    unsigned pits;
    unsigned seeds; /* numbers are exact up to this many */
    /* ways[q][n]: arrangements of n seeds in q + 1 pits */
    uint32_t ways[ARRANGE_PITS][ARRANGE_SEEDS + 1];
} arrange;

/* Up to `seeds` seeds, or as many as keep the numbers below ARRANGE_MOST: see ->seeds. */
void arrange_init(arrange *a, unsigned pits, unsigned seeds);

static inline uint32_t arrange_count(const arrange *a, unsigned seeds)
{
    return a->ways[a->pits - 1][seeds];
}

/* The number of an arrangement of `seeds` seeds. */
static inline uint32_t arrange_rank(const arrange *a, const uint8_t *pits, unsigned seeds)
{
    uint32_t rank = 0;
    for (unsigned p = 0; p + 1 < a->pits; p++) {
        const uint32_t *ways = a->ways[a->pits - 1 - p];
        rank += ways[seeds] - ways[seeds - pits[p]];
        seeds -= pits[p];
    }
    return rank;
}

void arrange_unrank(const arrange *a, uint32_t rank, unsigned seeds, uint8_t *pits);

/* The arrangement after this one; false, and the first one again, after the last. */
bool arrange_next(const arrange *a, uint8_t *pits);
/* The first arrangement: all seeds in the pit next to the store. */
void arrange_first(const arrange *a, unsigned seeds, uint8_t *pits);

#endif
