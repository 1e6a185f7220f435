/* SPDX-License-Identifier: MIT */

/* Records from every rank to every other, in batches, while the next batch is made:
 *
 *     exchange_put(x, rank, record)    as often as you like; what is for this rank itself waits in x->own
 *     exchange_begin(x, …)             what was put is on its way; the others' is coming
 *     exchange_put(x, rank, record)    the next batch, with exchange_poke now and then
 *     exchange_end(x)                  x->in: what has come
 *
 * All ranks begin and end together. Each says with a batch how much it still has to do, records that did not fit into this batch
 * among it, and whether it has failed. */

#ifndef HOLOS_CLUSTER_EXCHANGE_H
#define HOLOS_CLUSTER_EXCHANGE_H

#include "cluster/cluster.h"
#include "core/list.h"

/* Records of one size, one after the other. */
typedef struct record_box {
    unsigned char *bytes;
    size_t size, room;
} record_box;

typedef struct exchange {
    holos_cluster *c;
    size_t record;    /* bytes: a multiple of four */
    record_box *out;  /* for each rank */
    record_box own;   /* for this one */
    record_box in;    /* what has come with the last batch */
    record_box block; /* what is on its way */
    cluster_move move;
    uint64_t *said, *heard; /* a few words a rank */
    uint64_t unfinished;    /* of all ranks, with the last batch */
    uint64_t most;          /* bytes that one rank had for this one then */
    bool failed;            /* some rank had, with the last batch */
    bool moving, no_memory;
} exchange;

holos_status exchange_init(exchange *x, holos_cluster *c, size_t record, holos_error *err);
void exchange_free(exchange *x);

/* For a rank; without memory x->no_memory. Millions a second: the few words are copied here. */
static inline void exchange_put(exchange *x, unsigned rank, const uint32_t *record)
{
    record_box *b = rank == x->c->rank ? &x->own : &x->out[rank];
    if (b->size + x->record > b->room && !list_grow(&b->bytes, &b->room, b->size + x->record, 1)) {
        x->no_memory = true;
        return;
    }
    uint32_t *to = (uint32_t *)(void *)(b->bytes + b->size);
    for (size_t i = 0; i < x->record / sizeof *to; i++)
        to[i] = record[i];
    b->size += x->record;
}

void exchange_begin(exchange *x, uint64_t unfinished, bool failed);
void exchange_poke(exchange *x);
/* Does nothing if none has begun. */
void exchange_end(exchange *x);

#endif
