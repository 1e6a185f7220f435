/* SPDX-License-Identifier: MIT */

/* Sweeps over the ranks of a cluster. From the deepest layer to the first, open positions are expanded again, some at a time, and
 * ask the owners of their successors what these are worth. Intervals only narrow, and a sweep goes on until nothing changes where
 * edges cross layers: so it ends with the same intervals in whatever order positions are valued. */

#include "cluster/wave_inside.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS                                                                                                \
    65536        /* successors that are asked for together, at most; more only if a few positions have them */
#define AHEAD 16 /* slots are fetched this many questions ahead */

typedef struct interval {
    int16_t lo, hi;
} interval;

typedef struct answer {
    uint32_t slot;
    interval value;
} answer;

typedef struct asker {
    node_at at;
    uint32_t first, count; /* slots */
} asker;

typedef struct sweeping {
    cluster_wave *g;
    exchange asks, answers;
    holos_edge *edges;   /* of each slot */
    interval *intervals; /* likewise: what the successor is worth */
    holos_key *keys;     /* of each slot whose successor is this rank's own */
    uint32_t *own;       /* these slots */
    uint32_t slots, used, own_count;
    asker *askers; /* at most one a slot */
    uint32_t asker_count;
    uint64_t changed, solved, recomputed;
    layer_chunk rest; /* of the layer: what has not been looked at */
    uint64_t left;    /* of it */
} sweeping;

/* ---- Asking ------------------------------------------------------------------------------------ */

static interval interval_of(const holos_wave *w, holos_key key)
{
    node_at at = nodes_find(&w->nodes, key);
    wave_node n = at != NULL ? node_load(at) : wave_unknown(w, NODE_FORWARD, 0);
    return (interval){n.lo, n.hi};
}

static void successor_ask(sweeping *s, holos_key key, uint32_t slot)
{
    const holos_wave *w = s->g->w;
    unsigned owner = nodes_part_of(nodes_hash(key), s->g->c->ranks);
    if (owner == s->g->c->rank) {
        s->keys[slot] = key;
        s->own[s->own_count++] = slot;
        return;
    }
    uint32_t record[5];
    memcpy(record, &key.lo, sizeof key.lo);
    if (w->nodes.key_words == 2)
        memcpy(record + 2, &key.hi, sizeof key.hi);
    record[2 * w->nodes.key_words] = slot;
    exchange_put(&s->asks, owner, record);
}

static void position_ask(sweeping *s, holos_key key, node_at at)
{
    holos_wave *w = s->g->w;
    wave_scratch *scratch = &w->scratch[0];
    holos_edges out = {.edges = scratch->successors.edges, .keys = scratch->successors.keys};
    if (w->key != w->v->game->key)
        out.positions = scratch->successors.positions;
    wave_position(w, key, scratch->position);
    uint32_t count = w->expand(w->v, scratch->position, out);
    s->recomputed++;
    s->askers[s->asker_count++] = (asker){.at = at, .first = s->used, .count = count};
    for (uint32_t i = 0; i < count; i++, s->used++) {
        if (out.positions != NULL)
            out.keys[i] = w->key(w->v, position_at(w->v, out.positions, i));
        s->edges[s->used] = out.edges[i];
        successor_ask(s, out.keys[i], s->used);
    }
}

/* The next keys of the layer; how many. */
static unsigned keys_read(sweeping *s, const layer *at, holos_key keys[WAVE_BATCH])
{
    const holos_wave *w = s->g->w;
    unsigned count = 0;
    for (; count < WAVE_BATCH && s->left > 0; count++, s->left--) {
        if (s->rest.count == 0)
            s->rest.count = s->left < UINT32_MAX ? (uint32_t)s->left : UINT32_MAX;
        if (!chunk_next(&w->forward, at, &s->rest, &keys[count]))
            break;
        nodes_prefetch(&w->nodes, keys[count]);
    }
    return count;
}

/* As many open positions of the layer as there are slots for. */
static void slice_ask(sweeping *s, const layer *at)
{
    const holos_wave *w = s->g->w;
    s->used = s->asker_count = s->own_count = 0;
    while (s->left > 0 && s->used + WAVE_BATCH * w->v->max_successors <= s->slots &&
           s->asker_count + WAVE_BATCH <= s->slots) {
        holos_key keys[WAVE_BATCH];
        unsigned count = keys_read(s, at, keys);
        for (unsigned i = 0; i < count; i++) {
            node_at place = nodes_find(&w->nodes, keys[i]);
            wave_node n = node_load(place);
            if (!node_is_solved(n) && (n.flags & NODE_EXPANDED) != 0)
                position_ask(s, keys[i], place);
        }
    }
}

/* What this rank knows itself, while questions travel. */
static void own_answer(sweeping *s)
{
    const holos_wave *w = s->g->w;
    for (uint32_t i = 0; i < s->own_count && i < AHEAD; i++)
        nodes_prefetch(&w->nodes, s->keys[s->own[i]]);
    for (uint32_t i = 0; i < s->own_count; i++) {
        if (i + AHEAD < s->own_count)
            nodes_prefetch(&w->nodes, s->keys[s->own[i + AHEAD]]);
        s->intervals[s->own[i]] = interval_of(w, s->keys[s->own[i]]);
    }
    s->own_count = 0;
}

/* ---- Answering --------------------------------------------------------------------------------- */

/* Everything that was put is there: a batch may not hold all of it. */
static void exchange_all(sweeping *s, exchange *x, void (*take)(sweeping *s, const record_box *in))
{
    do {
        exchange_begin(x, 0, s->g->status != HOLOS_OK);
        own_answer(s);
        exchange_end(x);
        take(s, &x->in);
    } while (x->unfinished > 0 && !x->failed);
    s->g->failed |= x->failed;
}

static holos_key ask_key(const unsigned char *ask, unsigned words)
{
    holos_key key = {0};
    memcpy(&key.lo, ask, sizeof key.lo);
    if (words == 2)
        memcpy(&key.hi, ask + sizeof key.lo, sizeof key.hi);
    return key;
}

/* The asks of a rank stand together, so their place among all tells where they came from. */
static void asks_take(sweeping *s, const record_box *in)
{
    const holos_wave *w = s->g->w;
    const exchange *x = &s->asks;
    unsigned words = w->nodes.key_words;
    for (unsigned rank = 0; rank < s->g->c->ranks; rank++) {
        const unsigned char *asks = in->bytes + x->move.in_at[rank];
        size_t count = (size_t)x->move.in_sizes[rank] / x->record;
        for (size_t i = 0; i < count; i++) {
            const unsigned char *ask = asks + i * x->record;
            if (i + AHEAD < count)
                nodes_prefetch(&w->nodes, ask_key(ask + AHEAD * x->record, words));
            answer found = {.value = interval_of(w, ask_key(ask, words))};
            memcpy(&found.slot, ask + words * sizeof(uint64_t), sizeof found.slot);
            uint32_t record[2];
            memcpy(record, &found, sizeof found);
            exchange_put(&s->answers, rank, record);
        }
    }
}

static void answers_take(sweeping *s, const record_box *in)
{
    for (size_t at = 0; at < in->size; at += sizeof(answer)) {
        answer found;
        memcpy(&found, in->bytes + at, sizeof found);
        s->intervals[found.slot] = found.value;
    }
}

/* Narrows by the best of the successors. */
static void askers_value(sweeping *s)
{
    const holos_wave *w = s->g->w;
    for (uint32_t k = 0; k < s->asker_count; k++) {
        const asker *a = &s->askers[k];
        if (k + AHEAD < s->asker_count)
            __builtin_prefetch(s->askers[k + AHEAD].at);
        int32_t best_lo = INT32_MIN, best_hi = INT32_MIN;
        for (uint32_t i = a->first; i < a->first + a->count; i++) {
            int32_t x = edge_score(s->edges[i], s->intervals[i].lo),
                    y = edge_score(s->edges[i], s->intervals[i].hi);
            int32_t lo = x < y ? x : y, hi = x < y ? y : x;
            best_lo = lo > best_lo ? lo : best_lo;
            best_hi = hi > best_hi ? hi : best_hi;
        }
        wave_node n = node_load(a->at);
        if (a->count == 0 || !node_narrow(w, &n, best_lo, best_hi))
            continue;
        s->changed++;
        s->solved += node_is_solved(n);
        node_store(a->at, n);
    }
}

/* ---- A sweep ----------------------------------------------------------------------------------- */

/* What the ranks tell each other before a slice: what is left of the layer, whether to stop, whether it is too late. */
static bool slice_goes_on(sweeping *s, bool *cut)
{
    cluster_wave *g = s->g;
    uint64_t facts[4] = {s->left, wave_stop_asked(g), g->c->rank == 0 && deadline_passed(g->sweep_until),
                         g->status != HOLOS_OK};
    cluster_sum(g->c, facts, 4);
    g->interrupted |= facts[1] > 0;
    g->failed |= facts[3] > 0;
    *cut = facts[1] + facts[2] + facts[3] > 0;
    return facts[0] > 0 && !*cut;
}

/* False: cut short. */
static bool layer_sweep(sweeping *s, unsigned depth)
{
    cluster_wave *g = s->g;
    /* One that could not be made has failed, as slice_goes_on tells. */
    layer *at = depth < g->w->forward.depth ? g->w->forward.at[depth] : NULL;
    holos_error err;
    bool cut = false;
    if (at != NULL)
        layers_recount(at);
    s->left = at != NULL ? at->count : 0;
    s->rest = (layer_chunk){0};
    while (slice_goes_on(s, &cut)) {
        slice_ask(s, at);
        exchange_all(s, &s->asks, asks_take);
        exchange_all(s, &s->answers, answers_take);
        askers_value(s);
        if (s->asks.no_memory || s->answers.no_memory)
            wave_fail(g, error_set(&err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for an exchange"), &err);
    }
    return !cut;
}

/* One pass from the deepest layer to the first; *whole: not cut short. Returns how many intervals changed over all ranks. */
static uint64_t sweep_pass(sweeping *s, bool *whole)
{
    cluster_wave *g = s->g;
    holos_wave_statistics *counted = &g->w->statistics;
    *whole = true;
    s->changed = s->solved = s->recomputed = 0;
    for (unsigned depth = g->depth; *whole && depth-- > 0;)
        *whole = g->counts[depth] == 0 || layer_sweep(s, depth);
    counted->sweeps += g->c->rank == 0;
    counted->solved += s->solved;
    counted->minimax_solved += s->solved;
    counted->recomputed += s->recomputed;
    uint64_t changed = s->changed;
    cluster_sum(g->c, &changed, 1);
    return changed;
}

static holos_status sweeping_open(sweeping *s, holos_error *err)
{
    const holos_wave *w = s->g->w;
    uint32_t batch = WAVE_BATCH * w->v->max_successors;
    s->slots = batch > SLOTS ? batch : SLOTS;
    s->keys = malloc(s->slots * sizeof *s->keys);
    s->own = malloc(s->slots * sizeof *s->own);
    s->edges = malloc(s->slots * sizeof *s->edges);
    s->intervals = malloc(s->slots * sizeof *s->intervals);
    s->askers = malloc(s->slots * sizeof *s->askers);
    if (s->keys == NULL || s->own == NULL || s->edges == NULL || s->intervals == NULL || s->askers == NULL)
        return error_system(err, "a sweep");
    holos_status status =
        exchange_init(&s->asks, s->g->c, w->nodes.key_words * sizeof(uint64_t) + sizeof(uint32_t), err);
    return status == HOLOS_OK ? exchange_init(&s->answers, s->g->c, sizeof(answer), err) : status;
}

static void sweeping_close(sweeping *s)
{
    exchange_free(&s->asks);
    exchange_free(&s->answers);
    free(s->edges);
    free(s->keys);
    free(s->own);
    free(s->intervals);
    free(s->askers);
}

bool wave_sweep_shared(cluster_wave *g)
{
    holos_wave *w = g->w;
    sweeping s = {.g = g};
    holos_error err;
    double began = clock_wall();
    uint64_t passes = 1, positions = w->statistics.positions;
    bool whole = false;
    cluster_sum(g->c, &positions, 1);
    wave_fail(g, sweeping_open(&s, &err), &err);
    uint64_t failed = g->status != HOLOS_OK;
    cluster_sum(g->c, &failed, 1);
    g->failed |= failed > 0;
    if (!g->failed) {
        while (sweep_pass(&s, &whole) > 0 && !w->layered && whole)
            passes++;
        if (!g->interrupted)
            w->swept_positions = positions;
        w->sweep_seconds = (clock_wall() - began) / (double)passes / (double)(positions + 1);
        w->statistics.propagation_seconds += clock_wall() - began;
    }
    sweeping_close(&s);
    return whole && !g->failed;
}
