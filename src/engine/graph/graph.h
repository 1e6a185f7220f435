/* SPDX-License-Identifier: MIT */

/* The graph of a game as a table: every position that can be reached, reached breadth first by the wave
 * engine; then what each is worth and its best move. Positions are told apart by their identity, nothing is
 * folded: the counts are those of the positions themselves. */

#ifndef HOLOS_GRAPH_H
#define HOLOS_GRAPH_H

#include "core/mem.h"
#include "core/pool.h"
#include "core/progress.h"
#include "game/game.h"

typedef struct graph {
    const holos_variant *v;
    mem_budget *budget;
    holos_row *rows; /* in the order of their identities */
    uint64_t count;
    size_t room; /* bytes of rows */
} graph;

/* What knows values beforehand: the score, with what is banked. */
typedef bool graph_probe(const void *context, const holos_position *p, int32_t *score);

/* Takes all positions that a forward wave has reached. HOLOS_UNSUPPORTED if the game cannot make positions
 * from identities. The caller frees the graph in any case. */
holos_status graph_collect(graph *g, const holos_variant *v, const holos_wave *w, mem_budget *budget,
                           holos_error *err);
void graph_free(graph *g);

/* The row of a position, or NULL. */
holos_row *graph_find(const graph *g, holos_key identity);

/* Values and best moves for all rows. `probe` NULL: from the ends backwards, for games that cannot repeat a
 * position. */
holos_status graph_solve(graph *g, graph_probe *probe, const void *context, pool *threads, progress *shown,
                         const bool *stop, holos_error *err);

#endif
