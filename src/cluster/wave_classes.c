/* SPDX-License-Identifier: MIT */

/* Equivalence classes over the ranks of a cluster. A class belongs to the rank that a hash of its features names: proofs travel
 * there, and open positions ask it what their class says. The value of a class is that of its first proof in the order of hashes,
 * whichever comes first here. */

#include "cluster/wave_inside.h"
#include "engine/wave/classes.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS 32768 /* positions that are looked at together */

typedef struct proof {
    uint64_t features, order;
    int16_t value;
    uint8_t flags, none;
    uint32_t unused;
} proof;

typedef struct ask {
    uint32_t features[2];
    uint32_t slot;
} ask;

typedef struct opinion {
    uint32_t slot;
    int16_t value;
    uint16_t given;
} opinion;

typedef struct survey {
    cluster_wave *g;
    exchange proofs, asks, opinions;
    table orders; /* of classes that this survey has found: the order of the first proof */
    node_at *at;  /* of each slot */
    uint32_t used;
    /* Where the nodes of this rank have been looked at. */
    unsigned shard;
    size_t index;
} survey;

static unsigned class_owner(const survey *s, uint64_t features)
{
    return classes_part_of(features, s->g->c->ranks);
}

/* The next node of this rank; NULL: there is none. */
static node_at node_next(survey *s)
{
    const nodes *n = &s->g->w->nodes;
    for (; s->shard < NODES_SHARDS; s->shard++, s->index = 0) {
        node_at at = nodes_next(n, s->shard, &s->index);
        if (at != NULL)
            return at;
    }
    return NULL;
}

static uint64_t node_features(survey *s, node_at at)
{
    holos_wave *w = s->g->w;
    holos_position *p = w->scratch[0].position;
    wave_position(w, slot_key(&w->nodes, at), p);
    return w->v->game->hints->features(w->v, p);
}

/* ---- Proofs ------------------------------------------------------------------------------------ */

static void proofs_put(survey *s)
{
    const holos_wave *w = s->g->w;
    node_at at = NULL;
    for (unsigned looked = 0; looked < SLOTS && (at = node_next(s)) != NULL; looked++) {
        wave_node n = node_load(at);
        if (!node_is_solved(n) || (n.flags & (NODE_IN_CLASS | NODE_CONJECTURE)) == NODE_IN_CLASS)
            continue;
        proof p = {.features = node_features(s, at),
                   .order = layer_order_of(slot_key(&w->nodes, at)),
                   .value = n.lo,
                   .flags = n.flags};
        uint32_t record[sizeof p / sizeof(uint32_t)];
        memcpy(record, &p, sizeof p);
        exchange_put(&s->proofs, class_owner(s, p.features), record);
        n.flags = (uint8_t)((n.flags | NODE_IN_CLASS) & ~NODE_CONJECTURE);
        node_store(at, n);
    }
}

static void proof_take(survey *s, const proof *p)
{
    holos_key features = {.lo = p->features};
    wave_node n = {.lo = p->value, .hi = p->value, .flags = p->flags};
    bool fresh, noted;
    class_record *r = classes_count(s->g->w, features, &n, &fresh);
    if (r == NULL)
        return; /* no memory: the class does not hear of it */
    uint64_t *order = fresh ? table_insert(&s->orders, features, &noted) : table_find(&s->orders, features);
    if (order != NULL && !fresh && p->order < *order)
        r->value = p->value;
    if (order != NULL && (fresh || p->order < *order))
        *order = p->order;
}

static void proofs_take(survey *s, record_box *box)
{
    for (size_t at = 0; at < box->size; at += sizeof(proof)) {
        proof p;
        memcpy(&p, box->bytes + at, sizeof p);
        proof_take(s, &p);
    }
    box->size = 0;
}

/* One batch to all and from all. False: it was the last one. */
static bool batch_share(survey *s, exchange *x, uint64_t unfinished, void (*take)(survey *s, record_box *box))
{
    exchange_begin(x, unfinished, s->g->status != HOLOS_OK);
    take(s, &x->own);
    exchange_end(x);
    take(s, &x->in);
    s->g->failed |= x->failed;
    return x->unfinished > 0 && !x->failed;
}

static void proofs_share(survey *s)
{
    s->shard = 0;
    s->index = 0;
    do
        proofs_put(s);
    while (batch_share(s, &s->proofs, s->shard < NODES_SHARDS, proofs_take));
}

/* ---- Conjectures ------------------------------------------------------------------------------- */

static void opinions_ask(survey *s)
{
    node_at at = NULL;
    s->used = 0;
    for (unsigned looked = 0; looked < SLOTS && (at = node_next(s)) != NULL; looked++) {
        wave_node n = node_load(at);
        if (node_is_solved(n) || (n.flags & NODE_CONJECTURE) != 0)
            continue;
        uint64_t features = node_features(s, at);
        ask a = {.slot = s->used};
        uint32_t record[sizeof a / sizeof(uint32_t)];
        memcpy(a.features, &features, sizeof features);
        memcpy(record, &a, sizeof a);
        s->at[s->used++] = at;
        exchange_put(&s->asks, class_owner(s, features), record);
    }
}

static void asks_answer(survey *s, const unsigned char *asks, size_t size, unsigned rank)
{
    for (size_t at = 0; at < size; at += sizeof(ask)) {
        ask a;
        uint64_t features;
        opinion o = {0};
        uint32_t record[sizeof o / sizeof(uint32_t)];
        memcpy(&a, asks + at, sizeof a);
        memcpy(&features, a.features, sizeof features);
        o.slot = a.slot;
        o.given = classes_opinion_of(s->g->w, (holos_key){.lo = features}, &o.value);
        if (!o.given)
            continue;
        memcpy(record, &o, sizeof o);
        exchange_put(&s->opinions, rank, record);
    }
}

static void opinions_take(survey *s, record_box *box)
{
    for (size_t at = 0; at < box->size; at += sizeof(opinion)) {
        opinion o;
        memcpy(&o, box->bytes + at, sizeof o);
        wave_node n = node_load(s->at[o.slot]);
        if (o.value < n.lo || o.value > n.hi)
            continue;
        n.flags |= NODE_CONJECTURE;
        node_store(s->at[o.slot], n);
        s->g->w->statistics.equiv_propagated++;
    }
    box->size = 0;
}

/* Everything that was asked has been answered when it ends. */
static void slice_share(survey *s)
{
    exchange *x = &s->asks;
    unsigned ranks = s->g->c->ranks;
    do {
        exchange_begin(x, 0, s->g->status != HOLOS_OK);
        asks_answer(s, x->own.bytes, x->own.size, s->g->c->rank);
        x->own.size = 0;
        exchange_end(x);
        for (unsigned rank = 0; rank < ranks; rank++)
            asks_answer(s, x->in.bytes + x->move.in_at[rank], (size_t)x->move.in_sizes[rank], rank);
    } while (x->unfinished > 0 && !x->failed);
    s->g->failed |= x->failed;
    while (batch_share(s, &s->opinions, 0, opinions_take))
        ;
}

static void opinions_share(survey *s)
{
    uint64_t more;
    s->shard = 0;
    s->index = 0;
    do {
        opinions_ask(s);
        slice_share(s);
        more = s->shard < NODES_SHARDS;
        cluster_sum(s->g->c, &more, 1);
    } while (more > 0 && !s->g->failed);
}

/* ---- A survey ---------------------------------------------------------------------------------- */

static holos_status survey_open(survey *s, holos_error *err)
{
    holos_cluster *c = s->g->c;
    mem_budget *budget = s->g->w->budget;
    holos_status status = table_init(&s->orders, budget, sizeof(uint64_t), 0, err);
    s->at = malloc(SLOTS * sizeof *s->at);
    if (status == HOLOS_OK && s->at == NULL)
        status = error_system(err, "the classes of a wave");
    if (status == HOLOS_OK)
        status = exchange_init(&s->proofs, c, budget, sizeof(proof), err);
    if (status == HOLOS_OK)
        status = exchange_init(&s->asks, c, budget, sizeof(ask), err);
    return status == HOLOS_OK ? exchange_init(&s->opinions, c, budget, sizeof(opinion), err) : status;
}

static void survey_close(survey *s)
{
    exchange_free(&s->proofs);
    exchange_free(&s->asks);
    exchange_free(&s->opinions);
    table_free(&s->orders);
    free(s->at);
}

void wave_survey_shared(cluster_wave *g)
{
    holos_wave *w = g->w;
    survey s = {.g = g};
    holos_error err;
    if (w->classes == NULL)
        return;
    double began = clock_wall(), ends = began + w->survey_seconds * (double)g->facts[FACT_POSITIONS];
    wave_fail(g, survey_open(&s, &err), &err);
    uint64_t facts[2] = {g->status != HOLOS_OK, g->c->rank == 0 && ends >= g->sweep_until};
    cluster_sum(g->c, facts, 2);
    g->failed |= facts[0] > 0;
    if (!g->failed && facts[1] == 0) {
        proofs_share(&s);
        if (!g->failed)
            opinions_share(&s);
        w->classes->surveyed = g->facts[FACT_POSITIONS];
        w->survey_seconds = (clock_wall() - began) / (double)(g->facts[FACT_POSITIONS] + 1);
    }
    if (s.proofs.no_memory || s.asks.no_memory || s.opinions.no_memory)
        wave_fail(g, error_set(&err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for an exchange"), &err);
    survey_close(&s);
}

void wave_survey_if_grown(cluster_wave *g)
{
    const wave_classes *c = g->w->classes;
    if (c != NULL && g->facts[FACT_POSITIONS] / CLASSES_GROWTH >= c->surveyed)
        wave_survey_shared(g);
}
