/* SPDX-License-Identifier: MIT */

/* Backward layers over the ranks of a cluster. A position tells the owners of its predecessors what it is worth to them; each
 * owner asks for all successors of a predecessor, and decides whether it joins, as backward.c does. Nobody joins before all
 * ranks have decided: so all see what was known when the round began. */

#include "cluster/wave_asks.h"

#include <stdlib.h>
#include <string.h>

/* A predecessor of which some records speak. */
typedef struct candidate {
    size_t record;        /* the first of them */
    uint32_t said, tells; /* how many there are, and how many of them tell something new */
    int32_t least;        /* what it is worth at least, by all of them */
    wave_node known;      /* before; and what is known now, once it is decided */
    bool waits;           /* for answers; otherwise it is decided */
    bool all;             /* whatever is said of it makes it join; otherwise what tells something new */
    asker asks;
} candidate;

struct wave_retracing {
    wave_asks asks;
    uint64_t *
        words; /* records: the key, what the position is worth at least, the position where positions are kept */
    size_t size, room; /* words */
    size_t decided;    /* records before this one have been looked at */
    size_t joined;     /* records of those that join, at the beginning; the word after the key is the node */
    candidate *candidates; /* of which some wait for answers; at most one a slot */
    uint32_t candidate_count;
};

holos_status retracing_open(cluster_wave *g, holos_error *err)
{
    wave_retracing *r = g->retracing = calloc(1, sizeof *r);
    if (r == NULL)
        return error_system(err, "an exploration");
    holos_status status = asks_open(&r->asks, g, err);
    r->candidates = calloc(r->asks.slots, sizeof *r->candidates);
    return status == HOLOS_OK && r->candidates == NULL ? error_system(err, "an exploration") : status;
}

void retracing_close(cluster_wave *g)
{
    wave_retracing *r = g->retracing;
    if (r == NULL)
        return;
    asks_close(&r->asks);
    free(r->words);
    free(r->candidates);
    free(r);
    g->retracing = NULL;
}

/* ---- Telling ----------------------------------------------------------------------------------- */

void retrace_look(cluster_wave *g, holos_key key)
{
    holos_wave *w = g->w;
    wave_way *way = g->way;
    wave_scratch *s = &w->scratch[0];
    node_at at = nodes_find(&w->nodes, key);
    wave_node n = node_load(at);
    uint32_t count = wave_look_back(w, key, at, s);
    for (uint32_t i = 0; i < count; i++) {
        holos_position *p = position_at(w->v, s->predecessors.positions, i);
        holos_key before = w->key(w->v, p);
        int32_t a = edge_score(s->predecessors.edges[i], n.lo),
                b = edge_score(s->predecessors.edges[i], n.hi);
        uint64_t *record = way->record;
        *record++ = before.lo;
        if (w->nodes.key_words == 2)
            *record++ = before.hi;
        *record++ = (uint64_t)(int64_t)(a < b ? a : b);
        if (w->nodes.position_size > 0)
            memcpy(record, p, w->nodes.position_size);
        exchange_put(&way->x, nodes_part_of(nodes_hash(before), g->c->ranks),
                     (const uint32_t *)(const void *)way->record);
    }
}

void retrace_collect(cluster_wave *g, record_box *box)
{
    wave_retracing *r = g->retracing;
    size_t words = box->size / sizeof *r->words;
    holos_error err;
    if (words > 0 && !LIST_RESERVE(r->words, r->room, r->size + words)) {
        wave_fail(g, error_system(&err, "a backward wave"), &err);
    } else if (words > 0) {
        memcpy(r->words + r->size, box->bytes, box->size);
        r->size += words;
    }
    box->size = 0;
}

/* ---- Deciding ---------------------------------------------------------------------------------- */

static uint64_t *record_at(const cluster_wave *g, size_t index)
{
    return g->retracing->words + index * g->backward.record_words;
}

static holos_key record_key(const cluster_wave *g, const uint64_t *record)
{
    return (holos_key){.hi = g->w->nodes.key_words == 2 ? record[1] : 0, .lo = record[0]};
}

static int one_compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static int two_compare(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    int order = one_compare(x, y);
    return order != 0 ? order : one_compare(x + 1, y + 1);
}

/* The position of a record, in the scratch. */
static holos_position *record_position(const cluster_wave *g, const uint64_t *record)
{
    const holos_wave *w = g->w;
    holos_position *p = w->scratch[0].position;
    if (w->nodes.position_size > 0)
        memcpy(p, record + w->nodes.key_words + 1, w->nodes.position_size);
    else
        w->from_key(w->v, record_key(g, record), p);
    return p;
}

/* One that joins: its first record moves to the others. */
static void candidate_join(cluster_wave *g, size_t record, wave_node value)
{
    wave_retracing *r = g->retracing;
    uint64_t *to = record_at(g, r->joined++);
    memmove(to, record_at(g, record), g->backward.record_words * sizeof *to);
    node_store(to + g->w->nodes.key_words, value);
}

/* Everything that the next records say of one predecessor. */
static candidate candidate_read(cluster_wave *g, size_t count)
{
    const holos_wave *w = g->w;
    wave_retracing *r = g->retracing;
    candidate c = {.record = r->decided, .least = INT32_MIN};
    const uint64_t *first = record_at(g, c.record);
    holos_key key = record_key(g, first);
    node_at at;
    c.known = wave_predecessor(w, record_position(g, first), key, &at);
    if (at == NULL)
        c.known.flags = 0; /* so that one that is solved joins */
    for (; r->decided < count && holos_key_equal(record_key(g, record_at(g, r->decided)), key);
         r->decided++) {
        int32_t least = (int32_t)(int64_t)record_at(g, r->decided)[w->nodes.key_words];
        c.least = least > c.least ? least : c.least;
        c.tells += least > c.known.lo;
        c.said++;
    }
    return c;
}

/* Asks about as many predecessors as there is room for. */
static void candidates_ask(cluster_wave *g, size_t count)
{
    const holos_wave *w = g->w;
    wave_retracing *r = g->retracing;
    asks_clear(&r->asks);
    r->candidate_count = 0;
    while (r->decided < count && asks_have_room(&r->asks, 1) && r->candidate_count < r->asks.slots) {
        candidate *c = &r->candidates[r->candidate_count++];
        *c = candidate_read(g, count);
        wave_node value = c->known;
        if (node_is_solved(value)) {
            c->all = wave_joins_solved(value, true);
            c->tells = 0;
            continue;
        }
        node_narrow(w, &value, c->least, w->v->score_max);
        if (node_is_solved(value) && c->tells == c->said)
            continue;
        const holos_position *p = record_position(g, record_at(g, c->record));
        c->waits = !wave_value_early(w, p, &c->known, &c->all, &w->scratch[0]);
        if (c->waits)
            c->asks = asks_put(&r->asks, p);
    }
}

static void candidates_value(cluster_wave *g)
{
    const holos_wave *w = g->w;
    wave_retracing *r = g->retracing;
    wave_scratch *s = &w->scratch[0];
    for (uint32_t i = 0; i < r->candidate_count; i++) {
        candidate *c = &r->candidates[i];
        if (c->waits)
            c->all =
                wave_value_told(w, record_position(g, record_at(g, c->record)), r->asks.edges + c->asks.first,
                                r->asks.told + c->asks.first, c->asks.count, &c->known, s);
        s->generated += c->all ? c->said : c->tells;
        if (!c->all && c->tells == 0)
            continue;
        if (!node_is_solved(c->known))
            node_narrow(w, &c->known, c->least, w->v->score_max);
        candidate_join(g, c->record, c->known);
    }
}

static void joined_take(cluster_wave *g, layer *to, unsigned depth)
{
    holos_wave *w = g->w;
    const wave_retracing *r = g->retracing;
    shard_result *out = &g->taken;
    if (r->joined > 0)
        wave_room_make(g, r->joined, to); /* if that fails there is a reserve */
    for (size_t i = 0; i < r->joined && g->status == HOLOS_OK; i++) {
        uint64_t *record = record_at(g, i);
        round_entry entry = {.key = record_key(g, record),
                             .value = node_load(record + w->nodes.key_words),
                             .position = record + w->nodes.key_words + 1};
        entry.hash = nodes_hash(entry.key);
        if (!wave_take_back(w, &entry, depth, &to->lists[nodes_shard_of(entry.hash)], out))
            wave_fail(g, mem_error(&out->error, w->budget, 0, "the positions of a wave"), &out->error);
    }
    wave_taken(g);
}

void retrace_decide(cluster_wave *g, layer *to, unsigned depth)
{
    wave_retracing *r = g->retracing;
    size_t each = g->backward.record_words * sizeof *r->words, count = r->size * sizeof *r->words / each;
    if (count > 0)
        qsort(r->words, count, each, g->w->nodes.key_words == 2 ? two_compare : one_compare);
    r->decided = r->joined = 0;
    for (;;) {
        uint64_t facts[2] = {count - r->decided, g->status != HOLOS_OK};
        cluster_sum(g->c, facts, 2);
        g->failed |= facts[1] > 0;
        if (facts[0] == 0 || g->failed)
            break;
        candidates_ask(g, count);
        if (asks_share(&r->asks))
            candidates_value(g);
    }
    if (!g->failed)
        joined_take(g, to, depth);
    r->size = 0;
}
