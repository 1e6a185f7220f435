/* SPDX-License-Identifier: MIT */

#include "cluster/exchange.h"

#include <stdlib.h>
#include <string.h>

/* Bytes from one rank to another in a batch, and from all to one: lengths are of type int there. The rest waits for the next. A rank
 * takes no more than it has room for, and says with each batch how much that will be with the next: so what comes always
 * has a place. */
#define BATCH_MOST  ((size_t)16 << 20)
#define BATCH_ALL   ((size_t)1 << 30)
#define BATCH_FIRST ((size_t)128 << 10) /* room to begin with, for all ranks together */
#define BATCH_LEAST ((size_t)4096)      /* and for each */
/* What a rank says to another: bytes in this batch, bytes that wait for the next, room for those, unfinished, failed, a note. */
enum { SAY_BYTES, SAY_WAIT, SAY_ROOM, SAY_UNFINISHED, SAY_FAILED, SAY_NOTE, WORDS };

/* The room for each rank, from that for all. */
static size_t room_each(const exchange *x, size_t room)
{
    return room / x->c->ranks / x->record * x->record;
}

holos_status exchange_init(exchange *x, holos_cluster *c, mem_budget *budget, size_t record, holos_error *err)
{
    unsigned n = c->ranks;
    *x = (exchange){.c = c,
                    .budget = budget,
                    .record = record,
                    .out = calloc(n, sizeof *x->out),
                    .said = calloc(2 * WORDS * n, sizeof *x->said),
                    .move = {.out_sizes = calloc(4 * n, sizeof *x->move.out_sizes)}};
    size_t first = BATCH_FIRST / n > BATCH_LEAST ? BATCH_FIRST / n : BATCH_LEAST;
    if (x->out == NULL || x->said == NULL || x->move.out_sizes == NULL ||
        !box_reserve(budget, &x->in, first * n))
        return error_system(err, "an exchange");
    x->heard = x->said + WORDS * n;
    x->move.out_at = x->move.out_sizes + n;
    x->move.in_sizes = x->move.out_sizes + 2 * n;
    x->move.in_at = x->move.out_sizes + 3 * n;
    for (unsigned i = 0; i < n; i++)
        x->heard[WORDS * i + SAY_ROOM] = first / record * record;
    return HOLOS_OK;
}

void exchange_free(exchange *x)
{
    if (x->c == NULL)
        return;
    for (unsigned i = 0; x->out != NULL && i < x->c->ranks; i++)
        box_free(x->budget, &x->out[i]);
    free(x->out);
    box_free(x->budget, &x->own);
    box_free(x->budget, &x->in);
    box_free(x->budget, &x->block);
    free(x->said);
    free(x->move.out_sizes);
    *x = (exchange){0};
}

/* If one rank alone gets something, and all of it, as it is with two ranks, then its box is the block, and nothing is copied. */
static bool box_is_block(exchange *x, size_t total)
{
    for (unsigned i = 0; i < x->c->ranks; i++) {
        record_box *b = &x->out[i], swap = x->block;
        if (b->size != total || (size_t)x->move.out_sizes[i] != total)
            continue;
        x->block = *b;
        *b = swap;
        b->size = 0;
        return true;
    }
    return false;
}

/* Moves what goes with this batch into one block. */
static bool batch_pack(exchange *x)
{
    size_t total = 0;
    for (unsigned i = 0; i < x->c->ranks; i++) {
        size_t most = x->heard[WORDS * i + SAY_ROOM], size = x->out[i].size < most ? x->out[i].size : most;
        x->move.out_sizes[i] = (int)size;
        x->move.out_at[i] = (int)total;
        total += size;
    }
    if (total > 0 && box_is_block(x, total))
        return true;
    if (!box_reserve(x->budget, &x->block, total + 1))
        return false;
    for (unsigned i = 0; i < x->c->ranks; i++) {
        record_box *b = &x->out[i];
        size_t size = (size_t)x->move.out_sizes[i];
        if (size == 0)
            continue;
        memcpy(x->block.bytes + x->move.out_at[i], b->bytes, size);
        b->size -= size;
        memmove(b->bytes, b->bytes + size, b->size);
    }
    return true;
}

/* What has been heard: sizes, what is left to do, whether to make more room. */
static void words_take(exchange *x)
{
    cluster_move *m = &x->move;
    size_t total = 0;
    x->unfinished = x->most = 0;
    x->failed = cluster_broken(x->c);
    x->noted = false;
    for (unsigned i = 0; i < x->c->ranks; i++) {
        const uint64_t *words = x->heard + (size_t)WORDS * i;
        uint64_t all = words[SAY_BYTES] + words[SAY_WAIT];
        m->in_sizes[i] = (int)words[SAY_BYTES];
        m->in_at[i] = (int)total;
        total += words[SAY_BYTES];
        x->most = all > x->most ? all : x->most;
        x->unfinished += words[SAY_UNFINISHED];
        x->failed |= words[SAY_FAILED] != 0;
        x->noted |= words[SAY_NOTE] != 0;
    }
    x->in.size = total;
}

/* Room for as much from each rank as the one with the most had; less if there is no memory. */
static void room_make(exchange *x)
{
    size_t most = BATCH_ALL / x->c->ranks < BATCH_MOST ? BATCH_ALL / x->c->ranks : BATCH_MOST;
    size_t wish = (x->most < most ? x->most : most) / x->record * x->record;
    record_box more = {0};
    if (wish <= room_each(x, x->in.room) || !box_reserve(x->budget, &more, wish * x->c->ranks))
        return;
    box_free(x->budget, &x->in); /* what has come has been taken */
    x->in = more;
}

void exchange_begin(exchange *x, uint64_t unfinished, bool failed)
{
    holos_cluster *c = x->c;
    cluster_move *m = &x->move;
    bool packed = batch_pack(x);
    room_make(x);
    x->no_memory |= !packed;
    for (unsigned i = 0; i < c->ranks; i++)
        unfinished += x->out[i].size; /* what waits for the next batch */
    for (unsigned i = 0; i < c->ranks; i++) {
        uint64_t *words = x->said + (size_t)WORDS * i;
        m->out_sizes[i] = packed ? m->out_sizes[i] : 0;
        words[SAY_BYTES] = (uint64_t)m->out_sizes[i];
        words[SAY_WAIT] = x->out[i].size;
        words[SAY_ROOM] = room_each(x, x->in.room);
        words[SAY_UNFINISHED] = unfinished;
        words[SAY_FAILED] = failed || x->no_memory;
        words[SAY_NOTE] = x->note;
    }
    x->state = EXCHANGE_SAYING;
    if (c->ranks > 1) {
        cluster_swap_begin(c, m, x->said, x->heard, WORDS);
        return;
    }
    memcpy(x->heard, x->said, WORDS * sizeof *x->heard);
    words_take(x);
    x->state = EXCHANGE_IDLE;
}

/* All ranks have said how much comes: it can. */
static void bytes_begin(exchange *x)
{
    words_take(x);
    x->move.out = x->block.bytes;
    x->move.in = x->in.bytes;
    x->state = EXCHANGE_MOVING;
    cluster_move_begin(x->c, &x->move);
}

void exchange_poke(exchange *x)
{
    if (x->state != EXCHANGE_IDLE && cluster_move_poke(x->c, &x->move) && x->state == EXCHANGE_SAYING)
        bytes_begin(x);
}

void exchange_hear(exchange *x)
{
    if (x->state != EXCHANGE_SAYING)
        return;
    cluster_move_end(x->c, &x->move);
    bytes_begin(x);
}

void exchange_end(exchange *x)
{
    exchange_hear(x);
    if (x->state == EXCHANGE_MOVING)
        cluster_move_end(x->c, &x->move);
    x->state = EXCHANGE_IDLE;
}
