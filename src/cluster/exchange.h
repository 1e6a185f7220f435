/* SPDX-License-Identifier: MIT */

/* Records from every rank to every other, in batches, while the next batch is made:
 *
 *     exchange_put(x, rank, record)    as often as you like; what is for this rank itself waits in x->own
 *     exchange_begin(x, …)             what was put is on its way, as soon as all ranks have said how much that is
 *     exchange_put(x, rank, record)    the next batch, with exchange_poke now and then
 *     exchange_end(x)                  x->in: what has come
 *
 * All ranks begin and end the same batches; nobody waits for the others before the end. Each says with a batch how much it still has to
 * do, records that did not fit into this batch among it, and whether it has failed: what all have said is known after the
 * end, or after exchange_hear. */

#ifndef HOLOS_CLUSTER_EXCHANGE_H
#define HOLOS_CLUSTER_EXCHANGE_H

#include "cluster/cluster.h"
#include "cluster/counted.h"

/* Records of one size, one after the other. */
typedef struct record_box {
    unsigned char *bytes;
    size_t size, room;
} record_box;

static inline bool box_reserve(mem_budget *budget, record_box *b, size_t size)
{
    return COUNTED_RESERVE(budget, b->bytes, b->room, size);
}

static inline void box_free(mem_budget *budget, record_box *b)
{
    COUNTED_FREE(budget, b->bytes, b->room);
    *b = (record_box){0};
}

typedef struct exchange {
    holos_cluster *c;
    mem_budget *budget;
    size_t record;    /* bytes: a multiple of four */
    record_box *out;  /* for each rank */
    record_box own;   /* for this one */
    record_box in;    /* what has come with the last batch */
    record_box block; /* what is on its way */
    cluster_move move;
    uint64_t *said, *heard; /* a few words a rank */
    uint64_t unfinished;    /* of all ranks, with the last batch that was heard of */
    uint64_t most;          /* bytes that one rank had for this one then */
    bool failed;            /* some rank had, with that batch */
    bool note;              /* what this rank says to all with the next batch */
    bool noted;             /* some rank did, with the last one */
    enum { EXCHANGE_IDLE, EXCHANGE_SAYING, EXCHANGE_MOVING } state;
    bool no_memory;
} exchange;

/* x->move.lane is 0: another lane is for an exchange that is on its way at the same time. What it needs counts against the budget; NULL:
 * none. */
holos_status exchange_init(exchange *x, holos_cluster *c, mem_budget *budget, size_t record,
                           holos_error *err);
void exchange_free(exchange *x);

/* The place of the next record for a rank, to be written at once; NULL: without memory, and x->no_memory. If it is not `wanted`, the next one
 * overwrites it. Millions a second: a call that copies the few words would take as long as finding them, and so would a branch on whose record it is
 * or whether it is wanted, which nobody can foresee. */
static inline uint32_t *exchange_offer(exchange *x, unsigned rank, bool wanted)
{
    record_box *boxes[] = {&x->out[rank], &x->own}, *b = boxes[rank == x->c->rank];
    if (b->size + x->record > b->room && !box_reserve(x->budget, b, b->size + x->record)) {
        x->no_memory = true;
        return NULL;
    }
    uint32_t *place = (uint32_t *)(void *)(b->bytes + b->size);
    b->size += wanted ? x->record : 0;
    return place;
}

static inline uint32_t *exchange_place(exchange *x, unsigned rank)
{
    return exchange_offer(x, rank, true);
}

static inline void exchange_put(exchange *x, unsigned rank, const uint32_t *record)
{
    uint32_t *to = exchange_place(x, rank);
    for (size_t i = 0; to != NULL && i < x->record / sizeof *to; i++)
        to[i] = record[i];
}

void exchange_begin(exchange *x, uint64_t unfinished, bool failed);
void exchange_poke(exchange *x);
/* Waits for what all ranks say with the batch that has begun. */
void exchange_hear(exchange *x);
/* Does nothing if none has begun. */
void exchange_end(exchange *x);

#endif
