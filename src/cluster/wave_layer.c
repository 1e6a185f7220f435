/* SPDX-License-Identifier: MIT */

/* A layer of an exploration: its positions are expanded where they are, some at a time, and what they give travels to its
 * owners. */

#include "cluster/wave_inside.h"

#include <string.h>

#define SLICE_ENTRIES 65536 /* neighbours that positions between two exchanges may have, at most */
#define SLICE_MOST    8192  /* positions between two exchanges */
#define STEP_SLICES   8     /* slices between two looks at the limits */
#define AHEAD         16    /* slots are fetched this many insertions ahead; a power of two */
#define POKE_EACH     1024

/* ---- Positions --------------------------------------------------------------------------------- */

void wave_taken(cluster_wave *g)
{
    holos_wave *w = g->w;
    shard_result *out = &g->taken;
    for (size_t i = 0; i < out->meetings.count; i++)
        wave_meet(w, list_key(g->way->layers, &out->meetings, i));
    w->statistics.positions += out->fresh;
    w->statistics.solved += out->solved;
    w->layered &= out->crossing == 0;
    out->fresh = out->solved = out->crossing = out->duplicates = out->meetings.count = 0;
}

/* Takes what a forward wave has reached of the layer that is being made. */
static void successors_take(cluster_wave *g, record_box *box, layer *to, unsigned depth)
{
    holos_wave *w = g->w;
    const uint64_t *words = (const uint64_t *)(const void *)box->bytes;
    size_t record_words = g->way->record_words, count = box->size / (record_words * sizeof *words);
    shard_result *out = &g->taken;
    round_entry ring[AHEAD];
    if (count > 0)
        wave_room_make(g, count, to); /* if that fails there is a reserve */
    for (size_t i = 0; i < count + AHEAD && g->status == HOLOS_OK; i++) {
        round_entry *entry = &ring[i % AHEAD];
        if (i >= AHEAD && i - AHEAD < count &&
            !wave_take(w, entry, &to->lists[nodes_shard_of(entry->hash)], out))
            wave_fail(g, mem_error(&out->error, w->budget, 0, "the positions of a wave"), &out->error);
        if (i >= count)
            continue;
        const uint64_t *record = words + i * record_words;
        *entry = (round_entry){.key = {.hi = w->nodes.key_words == 2 ? record[1] : 0, .lo = record[0]},
                               .value = wave_unknown(w, NODE_FORWARD, depth),
                               .position = record + w->nodes.key_words};
        entry->hash = nodes_hash(entry->key);
        nodes_prefetch_hash(&w->nodes, entry->hash);
    }
    wave_taken(g);
    box->size = 0;
}

static void box_take(cluster_wave *g, record_box *box, layer *to, unsigned depth)
{
    if (way_is_back(g))
        retrace_collect(g, box);
    else
        successors_take(g, box, to, depth);
}

static void successor_put(cluster_wave *g, holos_key key, const holos_position *position)
{
    const holos_wave *w = g->w;
    wave_way *way = g->way;
    uint64_t hash = nodes_hash(key), *record = way->record;
    holos_key *before = &g->sent[hash % WAVE_SENT];
    if (holos_key_equal(*before, key))
        return;
    *before = key;
    record[0] = key.lo;
    if (w->nodes.key_words == 2)
        record[1] = key.hi;
    if (w->nodes.position_size > 0)
        memcpy(record + w->nodes.key_words, position, w->nodes.position_size);
    exchange_put(&way->x, nodes_part_of(hash, g->c->ranks), (const uint32_t *)(const void *)record);
}

static void expand_look(cluster_wave *g, layer *from, holos_key key)
{
    holos_wave *w = g->w;
    wave_scratch *s = &w->scratch[0];
    uint32_t count = wave_look(w, key, nodes_find(&w->nodes, key), s);
    for (uint32_t i = 0; i < count; i++)
        successor_put(g, s->successors.keys[i], position_at(w->v, s->successors.positions, i));
    s->generated += count;
    from->statistics.generated += count;
}

static void sent_clear(cluster_wave *g)
{
    memset(g->sent, 0, WAVE_SENT * sizeof *g->sent);
    g->sent[0].lo = 1; /* the hash of the key 0 is 0, and that of 1 is not: nothing has been sent */
}

/* As many positions as there is room for what they give. */
static uint64_t slice_size(const cluster_wave *g)
{
    const holos_wave *w = g->w;
    uint64_t size = SLICE_ENTRIES / g->way->most;
    size = size > SLICE_MOST ? SLICE_MOST : size < WAVE_SLICE_LEAST ? WAVE_SLICE_LEAST : size;
    while (size > WAVE_SLICE_LEAST && nodes_growth(&w->nodes, size * g->way->most) > wave_room(w))
        size /= 2;
    return size;
}

/* Expands the next positions of a layer, up to a place in its order; returns how many of them are left. */
static uint64_t slice_expand(cluster_wave *g, layer *from, uint64_t until)
{
    wave_way *way = g->way;
    uint64_t size = slice_size(g), looked = 0;
    for (unsigned shard = 0; shard <= until >> 56; shard++) {
        key_list *list = &from->lists[shard];
        while (list->done < list->count && g->status == HOLOS_OK) {
            holos_key key = list_key(way->layers, list, list->done);
            if (until < UINT64_MAX && layer_order_of(key) > until)
                break;
            if (looked++ == size)
                return from->count - from->done;
            if (way_is_back(g))
                retrace_look(g, key);
            else
                expand_look(g, from, key);
            list->done++;
            from->done++;
            if (looked % POKE_EACH == 0)
                exchange_poke(&way->x);
        }
    }
    return 0;
}

/* Some slices: what one has reached travels while the next is expanded. */
static void step_run(cluster_wave *g, layer *from, layer *to, unsigned depth, uint64_t until)
{
    exchange *x = &g->way->x;
    holos_error err;
    bool more = true;
    for (unsigned i = 0; more; i++) {
        uint64_t left = slice_expand(g, from, until);
        exchange_end(x);
        if (i > 0)
            box_take(g, &x->in, to, depth + 1);
        if (x->no_memory)
            wave_fail(g, error_set(&err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for an exchange"), &err);
        exchange_begin(x, left, g->status != HOLOS_OK);
        exchange_hear(x);
        box_take(g, &x->own, to, depth + 1);
        more = x->unfinished > 0 && !x->failed && (until < UINT64_MAX || i + 1 < STEP_SLICES);
    }
    do { /* what did not fit into one batch */
        exchange_end(x);
        box_take(g, &x->in, to, depth + 1);
        exchange_begin(x, 0, g->status != HOLOS_OK);
        exchange_hear(x);
        box_take(g, &x->own, to, depth + 1);
    } while (x->unfinished > 0 && !x->failed);
    exchange_end(x);
    box_take(g, &x->in, to, depth + 1);
    g->failed |= x->failed;
    if (way_is_back(g))
        retrace_decide(g, to, depth + 1);
    layers_recount(from);
    layers_recount(to);
}

/* ---- A layer ----------------------------------------------------------------------------------- */

static uint64_t nodes_left(const cluster_wave *g)
{
    return g->w->limits.node_limit - g->facts[FACT_EXPANDED];
}

/* Positions of this rank that are not done, up to a place in the order of the layer. */
static uint64_t waiting_until(const layers *l, const layer *from, uint64_t until)
{
    unsigned last = (unsigned)(until >> 56);
    uint64_t waiting = 0;
    for (unsigned shard = 0; shard < last; shard++)
        waiting += from->lists[shard].count - from->lists[shard].done;
    const key_list *list = &from->lists[last];
    size_t low = list->done, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (layer_order_of(list_key(l, list, middle)) <= until)
            low = middle + 1;
        else
            high = middle;
    }
    return waiting + low - list->done;
}

/* The place up to which so many positions of all ranks are not done. */
static uint64_t order_select(cluster_wave *g, const layer *from, uint64_t positions)
{
    uint64_t low = 0, high = UINT64_MAX;
    if (positions >= g->facts[FACT_WAITING])
        return high - 1; /* all of them, but in order */
    while (low < high) {
        uint64_t middle = low + (high - low) / 2, waiting = waiting_until(g->way->layers, from, middle);
        cluster_sum(g->c, &waiting, 1);
        if (waiting >= positions)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* How many positions make the next round, where rounds have a size of their own. */
static uint64_t round_size(cluster_wave *g, const layer *from)
{
    uint64_t counts[2 * NODES_SHARDS];
    for (unsigned i = 0; i < NODES_SHARDS; i++) {
        counts[2 * i] = from->lists[i].count;
        counts[2 * i + 1] = from->lists[i].done;
    }
    cluster_sum(g->c, counts, 2 * NODES_SHARDS);
    for (unsigned i = 0; i < NODES_SHARDS; i++) {
        g->whole->lists[i].count = counts[2 * i];
        g->whole->lists[i].done = counts[2 * i + 1];
    }
    return round_positions(g->w, g->whole, !way_is_back(g));
}

static uint64_t step_until(cluster_wave *g, const layer *from, bool ordered)
{
    uint64_t most = nodes_left(g);
    if (!ordered)
        return UINT64_MAX;
    if (g->w->options.frontier > 0 || way_is_back(g)) {
        uint64_t round = round_size(g, from);
        most = round < most ? round : most;
    }
    return order_select(g, from, most);
}

bool wave_layer_run(cluster_wave *g, unsigned depth)
{
    holos_wave *w = g->w;
    layers *l = g->way->layers;
    holos_error err;
    wave_fail(g, layers_reach(l, depth + 1, &err), &err);
    wave_facts(g, NULL, NULL);
    if (g->failed)
        return false;
    layer *from = l->at[depth], *to = l->at[depth + 1];
    layers_recount(from);
    layers_recount(to);
    sent_clear(g);
    bool ordered = false, going = true;
    for (bool first = true; going; first = false) {
        wave_facts(g, from, to);
        if (g->facts[FACT_WAITING] == 0)
            break;
        if (first && round_needs_order(w, !way_is_back(g), g->facts[FACT_WAITING], nodes_left(g))) {
            layers_order(l, from);
            ordered = true;
        }
        if (w->options.frontier > 0 && g->facts[FACT_NEXT] >= w->options.frontier) {
            w->statistics.frontier_capped += g->c->rank == 0 ? g->facts[FACT_WAITING] : 0;
            break;
        }
        going = wave_may_go_on(g);
        if (!going)
            break;
        g->phase = PHASE_LAYER;
        if (g->facts[FACT_SAVE] > 0)
            wave_fail(g, wave_checkpoint(g, &err), &err);
        step_run(g, from, to, depth, step_until(g, from, ordered));
    }
    from->statistics.expanded = from->done;
    to->statistics.positions = to->count;
    layers_trim(l, to);
    return going;
}
