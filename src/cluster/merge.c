/* SPDX-License-Identifier: MIT */

#include "cluster/merge.h"

#include "core/assert.h"

#include <stdlib.h>
#include <string.h>

/* Records that travel together: large enough that a sender waits until rank 0 wants them. */
#define RECORDS_EACH 2048

typedef struct record_batch {
    uint64_t count;     /* 0: there are no more */
    uint64_t records[]; /* as bytes */
} record_batch;

static record_batch *batch_make(size_t record)
{
    return calloc(1, sizeof(record_batch) + RECORDS_EACH * record);
}

static unsigned char *batch_at(record_batch *b, size_t record, uint64_t index)
{
    return (unsigned char *)b->records + index * record;
}

/* ---- A rank that sends ------------------------------------------------------------------------- */

typedef struct sender {
    holos_cluster *c;
    size_t record;
    record_batch *batch;
} sender;

static void batch_send(const sender *s)
{
    cluster_send(s->c, 0, TAG_ROWS, s->batch, sizeof *s->batch + s->batch->count * s->record);
    s->batch->count = 0;
}

static holos_status records_send(void *context, const void *records, size_t count, holos_error *err)
{
    const sender *s = context;
    (void)err;
    for (size_t i = 0; i < count; i++) {
        memcpy(batch_at(s->batch, s->record, s->batch->count++),
               (const unsigned char *)records + i * s->record, s->record);
        if (s->batch->count == RECORDS_EACH)
            batch_send(s);
    }
    return HOLOS_OK;
}

static holos_status rank_send(holos_cluster *c, size_t record, merge_give *give, void *from, holos_error *err)
{
    sender s = {.c = c, .record = record, .batch = batch_make(record)};
    record_batch none = {0};
    holos_status status =
        s.batch != NULL ? give(from, records_send, &s, err) : error_system(err, "sorted records for rank 0");
    if (s.batch != NULL && s.batch->count > 0)
        batch_send(&s);
    cluster_send(c, 0, TAG_ROWS, &none, sizeof none);
    free(s.batch);
    return status;
}

/* ---- The rank that merges ---------------------------------------------------------------------- */

/* The records of one rank that have come. */
typedef struct source {
    record_batch *batch;
    uint64_t next;
    unsigned rank;
} source;

typedef struct merger {
    holos_cluster *c;
    size_t record;
    source *sources; /* of each rank */
    source **heap;   /* those that have records; the least on top */
    size_t count;
    merge_take *take;
    void *context;
    record_batch *merged;
} merger;

static holos_key record_key(const void *record)
{
    holos_key key;
    memcpy(&key, record, sizeof key);
    return key;
}

static const void *source_record(const merger *m, const source *s)
{
    return batch_at(s->batch, m->record, s->next);
}

/* The source at a place of the heap has got a greater record, or is new there. */
static void heap_sink(merger *m, size_t at)
{
    for (;;) {
        size_t least = at, left = 2 * at + 1;
        for (size_t child = left; child < left + 2 && child < m->count; child++)
            if (holos_key_less(record_key(source_record(m, m->heap[child])),
                               record_key(source_record(m, m->heap[least]))))
                least = child;
        if (least == at)
            return;
        source *swap = m->heap[at];
        m->heap[at] = m->heap[least];
        m->heap[least] = swap;
        at = least;
    }
}

/* The next records of a rank; false: there are none. */
static bool source_fill(merger *m, source *s)
{
    s->next = 0;
    if (s->batch == NULL)
        return false;
    s->batch->count = 0;
    return cluster_receive(m->c, s->rank, TAG_ROWS, s->batch, sizeof *s->batch + RECORDS_EACH * m->record) &&
           s->batch->count > 0;
}

static void heap_top_next(merger *m)
{
    source *s = m->heap[0];
    assert(s != NULL);
    if (++s->next == s->batch->count && !source_fill(m, s))
        m->heap[0] = m->heap[--m->count];
    if (m->count > 0)
        heap_sink(m, 0);
}

static holos_status merger_flush(merger *m, holos_error *err)
{
    holos_status status =
        m->merged->count > 0 ? m->take(m->context, m->merged->records, m->merged->count, err) : HOLOS_OK;
    m->merged->count = 0;
    return status;
}

static holos_status record_merge(merger *m, const void *record, holos_error *err)
{
    memcpy(batch_at(m->merged, m->record, m->merged->count++), record, m->record);
    return m->merged->count == RECORDS_EACH ? merger_flush(m, err) : HOLOS_OK;
}

/* All records of others that come before `until`; NULL: all. */
static holos_status others_merge(merger *m, const void *until, holos_error *err)
{
    holos_status status = HOLOS_OK;
    while (status == HOLOS_OK && m->count > 0 &&
           (until == NULL || holos_key_less(record_key(source_record(m, m->heap[0])), record_key(until)))) {
        status = record_merge(m, source_record(m, m->heap[0]), err);
        heap_top_next(m);
    }
    return status;
}

static holos_status records_merge(void *context, const void *records, size_t count, holos_error *err)
{
    merger *m = context;
    const unsigned char *record = records;
    holos_status status = HOLOS_OK;
    for (size_t i = 0; status == HOLOS_OK && i < count; i++, record += m->record) {
        status = others_merge(m, record, err);
        if (status == HOLOS_OK)
            status = record_merge(m, record, err);
    }
    return status;
}

static void sources_begin(merger *m)
{
    assert(m->sources != NULL && m->heap != NULL); /* rank 0 has them */
    for (unsigned i = 1; i < m->c->ranks; i++)
        if (source_fill(m, &m->sources[i]))
            m->heap[m->count++] = &m->sources[i];
    for (size_t at = m->count; at-- > 0;)
        heap_sink(m, at);
}

/* After a failure: the others wait until their records have been taken. */
static void sources_drain(merger *m)
{
    while (m->count > 0)
        if (!source_fill(m, m->heap[m->count - 1]))
            m->count--;
}

static holos_status merger_open(merger *m)
{
    unsigned ranks = m->c->ranks;
    m->sources = calloc(ranks, sizeof *m->sources);
    m->heap = calloc(ranks, sizeof *m->heap);
    m->merged = batch_make(m->record);
    bool ready = m->sources != NULL && m->heap != NULL && m->merged != NULL;
    for (unsigned i = 1; ready && i < ranks; i++) {
        m->sources[i] = (source){.batch = batch_make(m->record), .rank = i};
        ready = m->sources[i].batch != NULL;
    }
    return ready ? HOLOS_OK : HOLOS_NO_MEMORY;
}

static void merger_close(merger *m)
{
    for (unsigned i = 1; m->sources != NULL && i < m->c->ranks; i++)
        free(m->sources[i].batch);
    free(m->sources);
    free(m->heap);
    free(m->merged);
}

static holos_status rank_merge(merger *m, merge_give *give, void *from, holos_error *err)
{
    sources_begin(m);
    holos_status status = give(from, records_merge, m, err);
    if (status == HOLOS_OK)
        status = others_merge(m, NULL, err);
    if (status == HOLOS_OK)
        status = merger_flush(m, err);
    sources_drain(m);
    return status;
}

holos_status cluster_merge(holos_cluster *c, size_t record, merge_give *give, void *from, merge_take *take,
                           void *context, holos_error *err)
{
    merger m = {.c = c, .record = record, .take = take, .context = context};
    holos_status status = HOLOS_OK;
    if (c->rank == 0 && merger_open(&m) != HOLOS_OK)
        status = error_system(err, "the records of all ranks");
    status = holos_cluster_agree(c, status, err);
    if (status == HOLOS_OK && c->rank == 0)
        status = rank_merge(&m, give, from, err);
    else if (status == HOLOS_OK)
        status = rank_send(c, record, give, from, err);
    merger_close(&m);
    return holos_cluster_agree(c, status, err);
}
