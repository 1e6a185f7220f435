/* SPDX-License-Identifier: MIT */

/* Sweeps over the ranks of a cluster. From the deepest layer to the first, open positions are expanded again, some at a time, and
 * ask the owners of their successors what these are worth. Intervals only narrow, and a sweep goes on until nothing changes where
 * edges cross layers: so it ends with the same intervals in whatever order positions are valued. */

#include "cluster/wave_asks.h"

#include <stdlib.h>

#define AHEAD 16 /* nodes are fetched this many positions ahead */

typedef struct open_position {
    node_at at;
    asker asks;
} open_position;

typedef struct sweeping {
    cluster_wave *g;
    wave_asks asks;
    open_position *open; /* at most one a slot */
    uint32_t open_count;
    uint64_t changed, solved, recomputed;
    layer_chunk rest; /* of the layer: what has not been looked at */
    uint64_t left;    /* of it */
} sweeping;

/* ---- Positions --------------------------------------------------------------------------------- */

static void position_ask(sweeping *s, holos_key key, node_at at)
{
    const holos_wave *w = s->g->w;
    wave_position(w, key, w->scratch[0].position);
    s->recomputed++;
    s->open[s->open_count++] = (open_position){.at = at, .asks = asks_put(&s->asks, w->scratch[0].position)};
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
    asks_clear(&s->asks);
    s->open_count = 0;
    while (s->left > 0 && asks_have_room(&s->asks, WAVE_BATCH) &&
           s->open_count + WAVE_BATCH <= s->asks.slots) {
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

/* Narrows by the best of the successors. */
static void positions_value(sweeping *s)
{
    const holos_wave *w = s->g->w;
    for (uint32_t k = 0; k < s->open_count; k++) {
        const open_position *p = &s->open[k];
        if (k + AHEAD < s->open_count)
            __builtin_prefetch(s->open[k + AHEAD].at);
        wave_node n = node_load(p->at);
        if (!wave_value_among(w, s->asks.edges + p->asks.first, s->asks.told + p->asks.first, p->asks.count,
                              &n))
            continue;
        s->changed++;
        s->solved += node_is_solved(n);
        node_store(p->at, n);
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
    bool cut = false;
    if (at != NULL)
        layers_recount(at);
    s->left = at != NULL ? at->count : 0;
    s->rest = (layer_chunk){0};
    while (slice_goes_on(s, &cut)) {
        slice_ask(s, at);
        if (asks_share(&s->asks))
            positions_value(s);
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
    for (unsigned depth = g->forward.depth; *whole && depth-- > 0;)
        *whole = g->forward.counts[depth] == 0 || layer_sweep(s, depth);
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
    holos_status status = asks_open(&s->asks, s->g, err);
    if (status != HOLOS_OK)
        return status;
    s->open = malloc(s->asks.slots * sizeof *s->open);
    return s->open != NULL ? HOLOS_OK : error_system(err, "a sweep");
}

static void sweeping_close(sweeping *s)
{
    asks_close(&s->asks);
    free(s->open);
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
