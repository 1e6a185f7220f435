/* SPDX-License-Identifier: MIT */

/* The graph of a game: every position that can be reached from one, breadth first, depth by depth; then
 * what each is worth. Positions are told apart by their identity, nothing is folded: the counts are those
 * of the positions themselves. */

#ifndef HOLOS_GRAPH_H
#define HOLOS_GRAPH_H

#include "core/mem.h"
#include "core/progress.h"
#include "core/table.h"
#include "game/game.h"

typedef struct graph_options {
    mem_budget *budget; /* not NULL */
    progress *progress; /* may be NULL */
    const bool *stop;   /* may be NULL */
} graph_options;

/* What happened at one depth. */
typedef struct graph_level {
    uint64_t positions; /* new at this depth */
    uint64_t finished;  /* of them, where the game is over */
    uint64_t generated; /* successors of them */
    uint64_t fresh;     /* of those, never seen before */
    double seconds;
} graph_level;

typedef struct graph_node {
    uint32_t depth;
    int32_t value; /* the score, with what is banked; GRAPH_NO_VALUE until it is known */
} graph_node;

#define GRAPH_NO_VALUE INT32_MIN

typedef struct graph {
    const holos_variant *v;
    graph_options o;
    table nodes; /* identity -> graph_node */
    graph_level *levels;
    size_t level_count;
    uint64_t positions, finished, edges;
    holos_position *here;
    holos_edges successors;
} graph;

/* HOLOS_UNSUPPORTED if the game cannot make positions from identities. The caller frees it in any case. */
holos_status graph_build(graph *g, const holos_variant *v, const holos_position *from, const graph_options *o,
                         holos_error *err);
void graph_free(graph *g);

/* Values for all positions. `probe` may know them already (a database); NULL: from the ends backwards, for
 * games that cannot repeat a position. */
holos_status graph_solve(graph *g,
                         bool (*probe)(const void *context, const holos_position *p, int32_t *value),
                         const void *context, holos_error *err);

/* The first best move of a position, from the values of its successors; false at the end of the game. */
bool graph_best(graph *g, holos_key identity, holos_move *out);

/* All identities in ascending order; the caller frees the array. NULL: out of memory. */
holos_key *graph_sorted(const graph *g);

#endif
