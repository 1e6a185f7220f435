/* SPDX-License-Identifier: MIT */

/* The graph of a game: every position that can be reached, as a forward wave has reached it (options.graph, unfolded); what
 * each is worth and its best move; and all that as rows in the order of identities.
 *
 * Everything stays in the wave's own nodes: values and best moves are written into them, and rows are sorted a range of
 * identities at a time, within the budget. Edges are recorded as long as there is memory for them (edges.h). What does not
 * fit into memory may be on disk (options.spill). The rows do not depend on the number of threads, on the budget, or on
 * that. */

#ifndef HOLOS_WAVE_GRAPH_H
#define HOLOS_WAVE_GRAPH_H

#include "core/progress.h"
#include "game/game.h"

/* HOLOS_UNSUPPORTED, and why, if the graph of this variant cannot be built. */
holos_status graph_supports(const holos_variant *v, holos_error *err);

/* Where a graph that is being reached is kept, so that it can go on later. */
typedef struct graph_pauses {
    double seconds; /* until the next pause; a pause may change it */
    /* Called then, and when a request to stop has come. Not HOLOS_OK: that ends it. */
    holos_status (*pause)(void *context, holos_wave *w, holos_error *err);
    void *context;
    const char *from; /* NULL, or what wave_save has written in a pause: to go on from there */
} graph_pauses;

/* Reaches everything from the start. options->graph, unfolded and all_moves are set whatever they were; limits.memory is
 * that of the budget. `expected` positions there are about (0: nobody knows). `pauses` may be NULL. The caller closes the wave in any
 * case. */
holos_status graph_reach(const holos_variant *v, const holos_wave_options *options, mem_budget *budget,
                         uint64_t expected, const graph_pauses *pauses, holos_wave **out, holos_error *err);
/* Whether it went on from an earlier pause. Then its layers do not know what had been generated before. */
bool graph_went_on(const holos_wave *w);

/* Values all nodes of a wave that has reached everything, on all of its threads. After this the wave is good for
 * graph_rows and graph_find, and for closing. `generated` (may be NULL) gets the number of successors of each of so many
 * depths. HOLOS_INTERRUPTED: some nodes have no values. */
holos_status graph_solve(holos_wave *w, progress *shown, uint64_t *generated, size_t depths,
                         holos_error *err);

/* What a graph with values has in all. */
typedef struct graph_counts {
    uint64_t finished;    /* positions where the game is over */
    uint64_t values[256]; /* positions by HOLOS_BYTE_ZERO + score, clamped */
} graph_counts;

void graph_count(const holos_wave *w, graph_counts *out);

/* What is known of a position. False: it is not in the graph. */
bool graph_find(const holos_wave *w, holos_key identity, holos_row *out);
/* The same of the start. */
void graph_start(const holos_wave *w, holos_row *out);

/* Takes some rows. Not HOLOS_OK: enough, and graph_rows returns that. */
typedef holos_status graph_take(void *context, const holos_row *rows, size_t count, holos_error *err);
/* All rows in the order of their identities, some at a time. `shown` (may be NULL) is told of sorting until the first of them come. HOLOS_INTERRUPTED:
 * `stop` (may be NULL) was set. */
holos_status graph_rows(holos_wave *w, const holos_stop *stop, progress *shown, graph_take *take,
                        void *context, holos_error *err);

#endif
