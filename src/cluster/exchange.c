/* SPDX-License-Identifier: MIT */

#include "cluster/exchange.h"

#include <stdlib.h>
#include <string.h>

/* Bytes from one rank to another in a batch, and from all to one: lengths are of type int there. The rest waits for the next. */
#define BATCH_MOST ((size_t)16 << 20)
#define BATCH_ALL  ((size_t)1 << 30)
#define WORDS      3 /* that a rank says to another: bytes, unfinished, failed */

holos_status exchange_init(exchange *x, holos_cluster *c, size_t record, holos_error *err)
{
    unsigned n = c->ranks;
    *x = (exchange){.c = c,
                    .record = record,
                    .out = calloc(n, sizeof *x->out),
                    .said = calloc(2 * WORDS * n, sizeof *x->said),
                    .move = {.out_sizes = calloc(4 * n, sizeof *x->move.out_sizes)}};
    if (x->out == NULL || x->said == NULL || x->move.out_sizes == NULL)
        return error_system(err, "an exchange");
    x->heard = x->said + WORDS * n;
    x->move.out_at = x->move.out_sizes + n;
    x->move.in_sizes = x->move.out_sizes + 2 * n;
    x->move.in_at = x->move.out_sizes + 3 * n;
    return HOLOS_OK;
}

void exchange_free(exchange *x)
{
    if (x->c == NULL)
        return;
    for (unsigned i = 0; x->out != NULL && i < x->c->ranks; i++)
        free(x->out[i].bytes);
    free(x->out);
    free(x->own.bytes);
    free(x->in.bytes);
    free(x->block.bytes);
    free(x->said);
    free(x->move.out_sizes);
    *x = (exchange){0};
}

/* Moves what goes with this batch into one block. */
static bool batch_pack(exchange *x)
{
    size_t share = BATCH_ALL / x->c->ranks, total = 0;
    size_t most = (share < BATCH_MOST ? share : BATCH_MOST) / x->record * x->record;
    for (unsigned i = 0; i < x->c->ranks; i++) {
        size_t size = x->out[i].size < most ? x->out[i].size : most;
        x->move.out_sizes[i] = (int)size;
        x->move.out_at[i] = (int)total;
        total += size;
    }
    if (!LIST_RESERVE(x->block.bytes, x->block.room, total + 1))
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

void exchange_begin(exchange *x, uint64_t unfinished, bool failed)
{
    holos_cluster *c = x->c;
    cluster_move *m = &x->move;
    size_t total = 0;
    bool packed = batch_pack(x);
    for (unsigned i = 0; i < c->ranks; i++)
        unfinished += x->out[i].size; /* what waits for the next batch */
    x->no_memory |= !packed;
    for (unsigned i = 0; i < c->ranks; i++) {
        m->out_sizes[i] = packed ? m->out_sizes[i] : 0;
        x->said[WORDS * i] = (uint64_t)m->out_sizes[i];
        x->said[WORDS * i + 1] = unfinished;
        x->said[WORDS * i + 2] = failed || x->no_memory;
    }
    cluster_swap(c, x->said, x->heard, WORDS);
    x->unfinished = 0;
    x->failed = false;
    for (unsigned i = 0; i < c->ranks; i++) {
        m->in_sizes[i] = (int)x->heard[WORDS * i];
        m->in_at[i] = (int)total;
        total += x->heard[WORDS * i];
        x->unfinished += x->heard[WORDS * i + 1];
        x->failed |= x->heard[WORDS * i + 2] != 0;
    }
    x->in.size = 0;
    if (!LIST_RESERVE(x->in.bytes, x->in.room, total + 1))
        abort(); /* the others' bytes are on their way, and have nowhere to go */
    x->in.size = total;
    m->out = x->block.bytes;
    m->in = x->in.bytes;
    x->moving = c->ranks > 1;
    if (x->moving && cluster_move_begin(c, m, NULL) != HOLOS_OK)
        abort();
}

void exchange_poke(exchange *x)
{
    if (x->moving)
        cluster_move_poke(x->c, &x->move);
}

void exchange_end(exchange *x)
{
    if (x->moving)
        cluster_move_end(x->c, &x->move);
    x->moving = false;
}
