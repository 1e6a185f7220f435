/* SPDX-License-Identifier: MIT */

/* Inside the alphabeta engine: its table entries, and the arithmetic of values along an edge. */

#ifndef HOLOS_ALPHABETA_AB_H
#define HOLOS_ALPHABETA_AB_H

#include "core/limits.h"
#include "engine/engine.h"

/* Successors beyond this many are searched in the game's own order. */
#define AB_SORT_MAX 256u
/* A line deeper than this is a limit, not a crash: the search recurses. */
#define AB_DEPTH_MAX 10000u
/* In a search for the distance a score counts this much, and a ply counts one. */
#define AB_SCALE 32768

/* The table's entry of a node: its value lies in [lo, hi]. */
typedef struct ab_entry {
    int32_t lo, hi;
    holos_move move; /* what proved lo, if work is not 0 */
    uint32_t work;   /* about how many nodes it took, at least 1; 0: the entry is fresh */
} ab_entry;

typedef struct ab_search {
    int32_t range_lo, range_hi; /* no value lies outside */
    bool stepping;              /* values are score * AB_SCALE, moved towards 0 by one with every ply */
    struct limits limits;
} ab_search;

static inline int32_t ab_scale(const ab_search *s, int32_t score)
{
    return s->stepping ? score * AB_SCALE : score;
}

/* The value that a child's value gives its parent's mover. With `stepping` the end comes one ply nearer
 * to the child: a win is worth a little less at the parent, a loss hurts a little less. */
static inline int32_t ab_step(const ab_search *s, holos_edge edge, int32_t child)
{
    int32_t value = edge_score(edge, child);
    if (s->stepping)
        value -= (value > 0) - (value < 0);
    return value;
}

/* The child's window that decides whether ab_step(edge, child) >= beta. */
static inline int32_t ab_child_beta(const ab_search *s, holos_edge edge, int32_t beta)
{
    if (s->stepping)
        beta += (beta > 0) - (beta < 0);
    beta -= edge.gain;
    return (edge.flags & HOLOS_EDGE_SAME_SIDE) != 0 ? beta : 1 - beta;
}

static inline uint32_t ab_work(uint64_t nodes)
{
    return nodes < UINT32_MAX ? (uint32_t)nodes + 1 : UINT32_MAX;
}

#endif
