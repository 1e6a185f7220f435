/* SPDX-License-Identifier: MIT */

#include "cluster/wave_asks.h"

#include "cluster/keys.h"
#include "core/assert.h"

#include <stdlib.h>

#define SLOTS                                                                                                \
    65536        /* successors that are asked for together, at most; more only if a few positions have them */
#define AHEAD 16 /* slots are fetched this many questions ahead */

_Static_assert(sizeof(wave_told) == sizeof(uint32_t), "an answer is one word");

/* ---- Asking ------------------------------------------------------------------------------------ */

void asks_clear(wave_asks *a)
{
    a->used = a->own_count = 0;
    for (unsigned i = 0; i < a->g->c->ranks; i++)
        a->asked[i] = (asked_rank){NO_SLOT, NO_SLOT};
}

static void successor_ask(wave_asks *a, holos_key key, uint32_t slot)
{
    unsigned owner = nodes_part_of(nodes_hash(key), a->g->c->ranks);
    if (owner == a->g->c->rank) {
        a->keys[slot] = key;
        a->own[a->own_count++] = slot;
        return;
    }
    uint32_t *record = exchange_place(&a->asks, owner);
    if (record == NULL)
        return;
    key_record(key, a->g->w->nodes.key_words, record);
    asked_rank *asked = &a->asked[owner];
    *(asked->first == NO_SLOT ? &asked->first : &a->next[asked->last]) = slot;
    asked->last = slot;
    a->next[slot] = NO_SLOT;
}

asker asks_put(wave_asks *a, const holos_position *p)
{
    const holos_wave *w = a->g->w;
    wave_scratch *scratch = &w->scratch[0];
    holos_edges out = {.edges = scratch->successors.edges, .keys = scratch->successors.keys, .bare = true};
    if (w->key != w->v->game->key)
        out.positions = scratch->successors.positions;
    asker asks = {.first = a->used, .count = w->expand(w->v, p, out)};
    for (uint32_t i = 0; i < asks.count; i++, a->used++) {
        if (out.positions != NULL)
            out.keys[i] = w->key(w->v, position_at(w->v, out.positions, i));
        a->edges[a->used] = out.edges[i];
        successor_ask(a, out.keys[i], a->used);
    }
    return asks;
}

/* What this rank knows itself, while questions travel. */
static void own_answer(wave_asks *a)
{
    const holos_wave *w = a->g->w;
    for (uint32_t i = 0; i < a->own_count && i < AHEAD; i++)
        nodes_prefetch(&w->nodes, a->keys[a->own[i]]);
    for (uint32_t i = 0; i < a->own_count; i++) {
        if (i + AHEAD < a->own_count)
            nodes_prefetch(&w->nodes, a->keys[a->own[i + AHEAD]]);
        a->told[a->own[i]] = wave_tell(w, a->keys[a->own[i]]);
    }
    a->own_count = 0;
}

/* ---- Answering --------------------------------------------------------------------------------- */

/* The asks of a rank stand together, so their place among all tells where they came from. */
static void asks_take(wave_asks *a, const record_box *in)
{
    const holos_wave *w = a->g->w;
    const exchange *x = &a->asks;
    unsigned words = w->nodes.key_words;
    for (unsigned rank = 0; rank < a->g->c->ranks; rank++) {
        const uint32_t *asks = (const uint32_t *)(const void *)(in->bytes + x->move.in_at[rank]);
        size_t count = (size_t)x->move.in_sizes[rank] / x->record, each = x->record / sizeof *asks;
        for (size_t i = 0; i < count; i++) {
            if (i + AHEAD < count)
                nodes_prefetch(&w->nodes, record_key(asks + (i + AHEAD) * each, words));
            wave_told told = wave_tell(w, record_key(asks + i * each, words));
            uint32_t *answer = exchange_place(&a->answers, rank);
            if (answer != NULL)
                memcpy(answer, &told, sizeof told);
        }
    }
}

static void answers_take(wave_asks *a, const record_box *in)
{
    const cluster_move *m = &a->answers.move;
    for (unsigned rank = 0; rank < a->g->c->ranks; rank++) {
        asked_rank *asked = &a->asked[rank];
        const unsigned char *at = in->bytes + m->in_at[rank], *end = at + m->in_sizes[rank];
        for (; at != end; at += sizeof(wave_told), asked->first = a->next[asked->first]) {
            assert(asked->first != NO_SLOT);
            memcpy(&a->told[asked->first], at, sizeof(wave_told));
        }
    }
}

/* Everything that was put is there: a batch may not hold all of it. */
static void exchange_all(wave_asks *a, exchange *x, void (*take)(wave_asks *a, const record_box *in))
{
    do {
        exchange_begin(x, 0, a->g->status != HOLOS_OK);
        own_answer(a);
        exchange_end(x);
        if (!x->failed)
            take(a, &x->in);
    } while (x->unfinished > 0 && !x->failed);
    a->g->failed |= x->failed;
}

bool asks_share(wave_asks *a)
{
    holos_error err;
    exchange_all(a, &a->asks, asks_take);
    if (!a->g->failed)
        exchange_all(a, &a->answers, answers_take);
    if (a->asks.no_memory || a->answers.no_memory)
        wave_fail(a->g, error_set(&err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for an exchange"), &err);
    return !a->g->failed;
}

/* ---- Opening ----------------------------------------------------------------------------------- */

holos_status asks_open(wave_asks *a, cluster_wave *g, holos_error *err)
{
    const holos_wave *w = g->w;
    uint32_t batch = WAVE_BATCH * w->v->max_successors;
    *a = (wave_asks){.g = g, .slots = batch > SLOTS ? batch : SLOTS};
    a->keys = malloc(a->slots * sizeof *a->keys);
    a->own = malloc(a->slots * sizeof *a->own);
    a->edges = malloc(a->slots * sizeof *a->edges);
    a->told = malloc(a->slots * sizeof *a->told);
    a->next = malloc(a->slots * sizeof *a->next);
    a->asked = malloc(g->c->ranks * sizeof *a->asked);
    if (a->keys == NULL || a->own == NULL || a->edges == NULL || a->told == NULL || a->next == NULL ||
        a->asked == NULL)
        return error_system(err, "what ranks ask each other");
    holos_status status =
        exchange_init(&a->asks, g->c, w->budget, w->nodes.key_words * sizeof(uint64_t), err);
    return status == HOLOS_OK ? exchange_init(&a->answers, g->c, w->budget, sizeof(wave_told), err) : status;
}

void asks_close(wave_asks *a)
{
    exchange_free(&a->asks);
    exchange_free(&a->answers);
    free(a->edges);
    free(a->keys);
    free(a->own);
    free(a->told);
    free(a->next);
    free(a->asked);
}
