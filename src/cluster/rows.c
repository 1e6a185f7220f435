/* SPDX-License-Identifier: MIT */

/* The rows of all ranks in one order: each rank sends its own, sorted, and rank 0 merges them while it takes its own. */

#include "cluster/owner.h"

#include <stdlib.h>

#define ROWS_EACH                                                                                            \
    2048 /* rows that travel together: large enough that a sender waits until rank 0 wants them */

typedef struct row_batch {
    uint64_t count; /* 0: there are no more */
    holos_row rows[ROWS_EACH];
} row_batch;

/* ---- A rank that sends ------------------------------------------------------------------------- */

typedef struct sender {
    holos_cluster *c;
    row_batch *batch;
} sender;

static void batch_send(const sender *s)
{
    cluster_send(s->c, 0, TAG_ROWS, s->batch,
                 offsetof(row_batch, rows) + s->batch->count * sizeof(holos_row));
    s->batch->count = 0;
}

static holos_status rows_send(void *context, const holos_row *rows, size_t count, holos_error *err)
{
    const sender *s = context;
    (void)err;
    for (size_t i = 0; i < count; i++) {
        s->batch->rows[s->batch->count++] = rows[i];
        if (s->batch->count == ROWS_EACH)
            batch_send(s);
    }
    return HOLOS_OK;
}

static holos_status rank_send(cluster_graph *g, holos_error *err)
{
    sender s = {.c = g->q.cluster, .batch = calloc(1, sizeof *s.batch)};
    row_batch none = {0};
    holos_status status =
        s.batch != NULL ? graph_rows(g->w, rows_send, &s, err) : error_system(err, "the rows of the graph");
    if (s.batch != NULL && s.batch->count > 0)
        batch_send(&s);
    cluster_send(s.c, 0, TAG_ROWS, &none, offsetof(row_batch, rows));
    free(s.batch);
    return status;
}

/* ---- The rank that merges ---------------------------------------------------------------------- */

/* The rows of one rank that have come. */
typedef struct source {
    row_batch *batch;
    uint64_t next;
    unsigned rank;
} source;

typedef struct merger {
    holos_cluster *c;
    source *sources; /* of each rank */
    source **heap;   /* those that have rows; the least on top */
    size_t count;
    graph_take *take;
    void *context;
    holos_row rows[ROWS_EACH];
    size_t filled;
} merger;

static holos_key source_key(const source *s)
{
    return s->batch->rows[s->next].identity;
}

/* The source at a place of the heap has got a greater row, or is new there. */
static void heap_sink(merger *m, size_t at)
{
    for (;;) {
        size_t least = at, left = 2 * at + 1;
        for (size_t child = left; child < left + 2 && child < m->count; child++)
            if (holos_key_less(source_key(m->heap[child]), source_key(m->heap[least])))
                least = child;
        if (least == at)
            return;
        source *swap = m->heap[at];
        m->heap[at] = m->heap[least];
        m->heap[least] = swap;
        at = least;
    }
}

/* The next rows of a rank; false: there are none. */
static bool source_fill(merger *m, source *s)
{
    s->next = 0;
    if (s->batch == NULL)
        return false;
    cluster_receive(m->c, s->rank, TAG_ROWS, s->batch, sizeof *s->batch);
    return s->batch->count > 0;
}

static void heap_top_next(merger *m)
{
    source *s = m->heap[0];
    if (++s->next == s->batch->count && !source_fill(m, s))
        m->heap[0] = m->heap[--m->count];
    if (m->count > 0)
        heap_sink(m, 0);
}

static holos_status merger_flush(merger *m, holos_error *err)
{
    holos_status status = m->filled > 0 ? m->take(m->context, m->rows, m->filled, err) : HOLOS_OK;
    m->filled = 0;
    return status;
}

static holos_status row_merge(merger *m, const holos_row *row, holos_error *err)
{
    m->rows[m->filled++] = *row;
    return m->filled == ROWS_EACH ? merger_flush(m, err) : HOLOS_OK;
}

/* All rows of others that come before `until`; NULL: all. */
static holos_status others_merge(merger *m, const holos_row *until, holos_error *err)
{
    holos_status status = HOLOS_OK;
    while (status == HOLOS_OK && m->count > 0 &&
           (until == NULL || holos_key_less(source_key(m->heap[0]), until->identity))) {
        status = row_merge(m, &m->heap[0]->batch->rows[m->heap[0]->next], err);
        heap_top_next(m);
    }
    return status;
}

static holos_status rows_merge(void *context, const holos_row *rows, size_t count, holos_error *err)
{
    merger *m = context;
    holos_status status = HOLOS_OK;
    for (size_t i = 0; status == HOLOS_OK && i < count; i++) {
        status = others_merge(m, &rows[i], err);
        if (status == HOLOS_OK)
            status = row_merge(m, &rows[i], err);
    }
    return status;
}

static void sources_begin(merger *m)
{
    for (unsigned i = 1; i < m->c->ranks; i++)
        if (source_fill(m, &m->sources[i]))
            m->heap[m->count++] = &m->sources[i];
    for (size_t at = m->count; at-- > 0;)
        heap_sink(m, at);
}

/* After a failure: the others wait until their rows have been taken. */
static void sources_drain(merger *m)
{
    while (m->count > 0)
        if (!source_fill(m, m->heap[m->count - 1]))
            m->count--;
}

static holos_status merger_open(merger *m, cluster_graph *g)
{
    unsigned ranks = g->q.cluster->ranks;
    m->c = g->q.cluster;
    m->sources = calloc(ranks, sizeof *m->sources);
    m->heap = calloc(ranks, sizeof *m->heap);
    bool ready = m->sources != NULL && m->heap != NULL;
    for (unsigned i = 1; ready && i < ranks; i++) {
        m->sources[i] = (source){.batch = malloc(sizeof *m->sources[i].batch), .rank = i};
        ready = m->sources[i].batch != NULL;
    }
    return ready ? HOLOS_OK : HOLOS_NO_MEMORY;
}

static void merger_close(merger *m, unsigned ranks)
{
    for (unsigned i = 1; m->sources != NULL && i < ranks; i++)
        free(m->sources[i].batch);
    free(m->sources);
    free(m->heap);
    free(m);
}

static holos_status rank_merge(cluster_graph *g, merger *m, holos_error *err)
{
    sources_begin(m);
    holos_status status = graph_rows(g->w, rows_merge, m, err);
    if (status == HOLOS_OK)
        status = others_merge(m, NULL, err);
    if (status == HOLOS_OK)
        status = merger_flush(m, err);
    sources_drain(m);
    return status;
}

holos_status cluster_graph_rows(cluster_graph *g, graph_take *take, void *context, holos_error *err)
{
    holos_cluster *c = g->q.cluster;
    merger *m = NULL;
    holos_status status = HOLOS_OK;
    if (c->rank == 0) {
        m = calloc(1, sizeof *m);
        if (m == NULL || merger_open(m, g) != HOLOS_OK)
            status = error_system(err, "the rows of the graph");
    }
    status = holos_cluster_agree(c, status, err);
    if (status == HOLOS_OK && m != NULL) {
        m->take = take;
        m->context = context;
        status = rank_merge(g, m, err);
    } else if (status == HOLOS_OK) {
        status = rank_send(g, err);
    }
    if (m != NULL)
        merger_close(m, c->ranks);
    return holos_cluster_agree(c, status, err);
}
