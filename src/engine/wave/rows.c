/* SPDX-License-Identifier: MIT */

/* The nodes of a graph as rows, in the order of their identities. */

#include "engine/wave/graph.h"

#include "engine/wave/graph_node.h"
#include "engine/wave/sorted.h"

#include <stdlib.h>

typedef struct row_maker {
    const holos_stop *stop;
    holos_row *rows;
    unsigned words; /* of an entry */
    graph_take *take;
    void *context;
} row_maker;

static bool rows_are_late(void *context)
{
    const row_maker *m = context;
    return holos_stop_asked(m->stop);
}

static holos_status rows_make(void *context, const uint64_t *entries, size_t count, holos_error *err)
{
    const row_maker *m = context;
    for (size_t i = 0; i < count; i++, entries += m->words)
        m->rows[i] = graph_row(sorted_key(entries, m->words), graph_load(entries + m->words - 1));
    return m->take(m->context, m->rows, count, err);
}

holos_status graph_rows(holos_wave *w, const holos_stop *stop, progress *shown, graph_take *take,
                        void *context, holos_error *err)
{
    row_maker m = {.stop = stop,
                   .rows = malloc(SORTED_BATCH * sizeof *m.rows),
                   .words = sorted_words(&w->nodes),
                   .take = take,
                   .context = context};
    sorted_request q = {.nodes = &w->nodes,
                        .threads = w->threads,
                        .take = rows_make,
                        .late = rows_are_late,
                        .context = &m,
                        .shown = shown};
    holos_status status = m.rows != NULL ? nodes_sorted(&q, err) : error_system(err, "the rows of the graph");
    free(m.rows);
    return status;
}
