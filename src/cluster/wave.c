/* SPDX-License-Identifier: MIT */

/* Exploring together: layers, limits, the order of a run. What is done when is what modes.c does in one process. */

#include "cluster/wave.h"

#include "cluster/wave_inside.h"
#include "core/hash.h"

#include <stdlib.h>
#include <string.h>

#define SLICE_ENTRIES 65536 /* successors that positions between two exchanges may have, at most */
#define SLICE_MOST    8192  /* positions between two exchanges */
#define SLICE_LEAST   16
#define STEP_SLICES   8     /* slices between two looks at the limits */
#define SENT          32768 /* keys that a rank remembers to have sent; a power of two */
#define AHEAD         16    /* slots are fetched this many insertions ahead; a power of two */
#define POKE_EACH     1024
#define DEPTH_MOST    ((size_t)UINT16_MAX + 2) /* layers */
#define SAVE_SECONDS  5e-7                     /* what writing a position takes, about */

void wave_fail(cluster_wave *g, holos_status status, const holos_error *err)
{
    if (g->status != HOLOS_OK || status == HOLOS_OK)
        return;
    g->status = status;
    g->error = *err;
}

bool wave_room_make(cluster_wave *g, uint64_t insertions, const layer *keep)
{
    holos_wave *w = g->w;
    holos_error err;
    if (nodes_growth(&w->nodes, insertions) <= wave_room(w))
        return true;
    return wave_spill(w, keep, &err) && nodes_growth(&w->nodes, insertions) <= wave_room(w);
}

bool wave_stop_asked(const cluster_wave *g)
{
    return holos_stop_asked(g->q.stop) && !deadline_passed(g->q.deadline);
}

/* ---- What all ranks know ----------------------------------------------------------------------- */

/* Adds what was counted while positions were looked at. */
static void counts_collect(holos_wave *w)
{
    wave_scratch *s = &w->scratch[0];
    w->statistics.forward_expanded += s->expanded;
    w->statistics.generated += s->generated;
    w->statistics.solved += s->solved;
    w->statistics.boundary += s->boundary;
    w->statistics.goal_filtered += s->filtered;
    s->expanded = s->generated = s->solved = s->boundary = s->filtered = 0;
}

/* Whether the time is over for new positions: values have to flow once more, and all is to be written. */
static bool is_late(const cluster_wave *g)
{
    double positions = (double)g->facts[FACT_POSITIONS];
    return g->q.deadline < CLOCK_NEVER &&
           clock_wall() + (g->w->sweep_seconds + SAVE_SECONDS) * positions >= g->q.deadline;
}

static void facts_sum(cluster_wave *g, const layer *from, const layer *to)
{
    holos_wave *w = g->w;
    const holos_wave_statistics *s = &w->statistics;
    bool first = g->c->rank == 0, late = first && is_late(g);
    counts_collect(w);
    uint64_t facts[FACTS] = {
        [FACT_WAITING] = from != NULL ? from->count - from->done : 0,
        [FACT_NEXT] = to != NULL ? to->count - to->done : 0,
        [FACT_EXPANDED] = wave_expanded(w),
        [FACT_POSITIONS] = s->positions,
        [FACT_SOLVED] = s->solved,
        [FACT_STOP] = wave_stop_asked(g),
        [FACT_TIME] = late,
        [FACT_FULL] = from != NULL && !wave_room_make(g, (uint64_t)SLICE_LEAST * w->v->max_successors, to),
        [FACT_CROSSING] = !w->layered,
        [FACT_SAVE] = first && g->q.path != NULL && clock_wall() - g->saved >= g->q.every,
        [FACT_FAILED] = g->status != HOLOS_OK,
    };
    cluster_sum(g->c, facts, FACTS);
    memcpy(g->facts, facts, sizeof facts);
    w->layered = facts[FACT_CROSSING] == 0;
    g->failed |= facts[FACT_FAILED] > 0;
    if (w->options.tick != NULL)
        w->options.tick(w->options.tick_context);
}

static uint64_t nodes_left(const cluster_wave *g)
{
    return g->w->limits.node_limit - g->facts[FACT_EXPANDED];
}

/* False: a limit has been reached, by what all ranks know. */
static bool may_go_on(cluster_wave *g)
{
    struct limits *l = &g->w->limits;
    const uint64_t *facts = g->facts;
    if (facts[FACT_STOP] > 0) {
        limits_stop(l, HOLOS_INTERRUPTED, "the request to stop");
        g->interrupted = true;
    } else if (facts[FACT_TIME] > 0) {
        limits_stop(l, HOLOS_LIMIT, LIMITS_TIME);
    } else if (facts[FACT_EXPANDED] >= l->node_limit) {
        limits_stop(l, HOLOS_LIMIT, "the node limit");
    } else if (facts[FACT_FULL] > 0) {
        g->w->statistics.memory_limited += g->c->rank == 0;
        limits_stop_memory(l);
    }
    return limits_go_on(l) && !g->failed;
}

/* How many positions each layer has over all ranks, and how many of them are not done. */
static void layers_gather(cluster_wave *g)
{
    layers *l = &g->w->forward;
    holos_error err;
    uint64_t mine = l->depth;
    cluster_gather(g->c, &mine, sizeof mine, g->each);
    g->depth = l->depth;
    for (unsigned i = 0; i < g->c->ranks; i++)
        g->depth = g->each[i] > g->depth ? (unsigned)g->each[i] : g->depth;
    if (g->depth > l->depth)
        wave_fail(g, layers_reach(l, g->depth - 1, &err), &err);
    for (unsigned d = 0; d < g->depth; d++) {
        if (d < l->depth)
            layers_recount(l->at[d]);
        g->counts[d] = d < l->depth ? l->at[d]->count : 0;
        g->waiting[d] = d < l->depth ? l->at[d]->count - l->at[d]->done : 0;
    }
    cluster_sum(g->c, g->counts, g->depth);
    cluster_sum(g->c, g->waiting, g->depth);
    g->done = 0;
    for (unsigned d = 0; d < g->depth; d++)
        g->done += g->counts[d] - g->waiting[d];
}

/* ---- Positions --------------------------------------------------------------------------------- */

/* Takes what has been reached of the layer that is being made. */
static void box_take(cluster_wave *g, record_box *box, layer *to, unsigned depth)
{
    holos_wave *w = g->w;
    const uint64_t *words = (const uint64_t *)(const void *)box->bytes;
    size_t count = box->size / (g->record_words * sizeof *words);
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
        const uint64_t *record = words + i * g->record_words;
        *entry = (round_entry){.key = {.hi = w->nodes.key_words == 2 ? record[1] : 0, .lo = record[0]},
                               .value = wave_unknown(w, NODE_FORWARD, depth),
                               .position = record + w->nodes.key_words};
        entry->hash = nodes_hash(entry->key);
        nodes_prefetch_hash(&w->nodes, entry->hash);
    }
    for (size_t i = 0; i < out->meetings.count; i++)
        wave_meet(w, list_key(&w->forward, &out->meetings, i));
    w->statistics.positions += out->fresh;
    w->layered &= out->crossing == 0;
    out->fresh = out->crossing = out->duplicates = out->meetings.count = 0;
    box->size = 0;
}

static void successor_put(cluster_wave *g, holos_key key, const holos_position *position)
{
    holos_wave *w = g->w;
    uint64_t hash = nodes_hash(key);
    holos_key *before = &g->sent[hash % SENT];
    if (holos_key_equal(*before, key))
        return;
    *before = key;
    g->record[0] = key.lo;
    if (w->nodes.key_words == 2)
        g->record[1] = key.hi;
    if (w->nodes.position_size > 0)
        memcpy(g->record + w->nodes.key_words, position, w->nodes.position_size);
    exchange_put(&g->x, nodes_part_of(hash, g->c->ranks), (const uint32_t *)(const void *)g->record);
}

static void sent_clear(cluster_wave *g)
{
    memset(g->sent, 0, SENT * sizeof *g->sent);
    g->sent[0].lo = 1; /* the hash of the key 0 is 0, and that of 1 is not: nothing has been sent */
}

/* As many positions as there is room for what they give. */
static uint64_t slice_size(const cluster_wave *g)
{
    const holos_wave *w = g->w;
    uint64_t size = SLICE_ENTRIES / w->v->max_successors;
    size = size > SLICE_MOST ? SLICE_MOST : size < SLICE_LEAST ? SLICE_LEAST : size;
    while (size > SLICE_LEAST && nodes_growth(&w->nodes, size * w->v->max_successors) > wave_room(w))
        size /= 2;
    return size;
}

/* Expands the next positions of a layer, up to a place in its order; returns how many of them are left. */
static uint64_t slice_expand(cluster_wave *g, layer *from, uint64_t until)
{
    holos_wave *w = g->w;
    wave_scratch *s = &w->scratch[0];
    uint64_t size = slice_size(g), looked = 0;
    for (unsigned shard = 0; shard <= until >> 56; shard++) {
        key_list *list = &from->lists[shard];
        while (list->done < list->count && g->status == HOLOS_OK) {
            holos_key key = list_key(&w->forward, list, list->done);
            if (until < UINT64_MAX && layer_order_of(key) > until)
                break;
            if (looked++ == size)
                return from->count - from->done;
            uint32_t count = wave_look(w, key, nodes_find(&w->nodes, key), s);
            for (uint32_t i = 0; i < count; i++)
                successor_put(g, s->successors.keys[i], position_at(w->v, s->successors.positions, i));
            s->generated += count;
            from->statistics.generated += count;
            list->done++;
            from->done++;
            if (looked % POKE_EACH == 0)
                exchange_poke(&g->x);
        }
    }
    return 0;
}

/* Some slices: what one has reached travels while the next is expanded. */
static void step_run(cluster_wave *g, layer *from, layer *to, unsigned depth, uint64_t until)
{
    exchange *x = &g->x;
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
    layers_recount(from);
    layers_recount(to);
}

/* ---- A layer ----------------------------------------------------------------------------------- */

/* Positions of this rank that are not done, up to a place in the order of the layer. */
static uint64_t waiting_until(const holos_wave *w, const layer *from, uint64_t until)
{
    unsigned last = (unsigned)(until >> 56);
    uint64_t waiting = 0;
    for (unsigned shard = 0; shard < last; shard++)
        waiting += from->lists[shard].count - from->lists[shard].done;
    const key_list *list = &from->lists[last];
    size_t low = list->done, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (layer_order_of(list_key(&w->forward, list, middle)) <= until)
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
        uint64_t middle = low + (high - low) / 2, waiting = waiting_until(g->w, from, middle);
        cluster_sum(g->c, &waiting, 1);
        if (waiting >= positions)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* How many positions make the next round, where one process would look after it whether the next layer is full. */
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
    return round_positions(g->w, g->whole);
}

static uint64_t step_until(cluster_wave *g, const layer *from, bool ordered)
{
    uint64_t most = nodes_left(g);
    if (!ordered)
        return UINT64_MAX;
    if (g->w->options.frontier > 0) {
        uint64_t round = round_size(g, from);
        most = round < most ? round : most;
    }
    return order_select(g, from, most);
}

/* Expands what is not done of a layer. False: stopped by a limit. */
static bool layer_run(cluster_wave *g, unsigned depth)
{
    holos_wave *w = g->w;
    holos_error err;
    wave_fail(g, layers_reach(&w->forward, depth + 1, &err), &err);
    facts_sum(g, NULL, NULL);
    if (g->failed)
        return false;
    layer *from = w->forward.at[depth], *to = w->forward.at[depth + 1];
    layers_recount(from);
    layers_recount(to);
    sent_clear(g);
    bool ordered = false, going = true;
    for (bool first = true; going; first = false) {
        facts_sum(g, from, to);
        if (g->facts[FACT_WAITING] == 0)
            break;
        if (first && round_needs_order(w, g->facts[FACT_WAITING], nodes_left(g))) {
            layers_order(&w->forward, from);
            ordered = true;
        }
        if (w->options.frontier > 0 && g->facts[FACT_NEXT] >= w->options.frontier) {
            w->statistics.frontier_capped += g->c->rank == 0 ? g->facts[FACT_WAITING] : 0;
            break;
        }
        going = may_go_on(g);
        if (!going)
            break;
        g->phase = PHASE_LAYER;
        if (g->facts[FACT_SAVE] > 0)
            wave_fail(g, wave_checkpoint(g, &err), &err);
        step_run(g, from, to, depth, step_until(g, from, ordered));
    }
    from->statistics.expanded = from->done;
    to->statistics.positions = to->count;
    layers_trim(&w->forward, to);
    return going;
}

/* ---- A run ------------------------------------------------------------------------------------- */

/* The first layer from `depth` on with positions that are not done; false if there is none before `limit`. */
static bool layer_next(const cluster_wave *g, unsigned *depth, unsigned limit)
{
    for (unsigned d = *depth; d < g->depth && d < limit; d++)
        if (g->waiting[d] > 0) {
            *depth = d;
            return true;
        }
    return false;
}

static bool layer_choose(const cluster_wave *g, unsigned *depth, unsigned limit)
{
    if (layer_next(g, depth, limit))
        return true;
    *depth = 0;
    return layer_next(g, depth, limit);
}

static void depth_limited_count(cluster_wave *g, unsigned limit)
{
    holos_wave *w = g->w;
    uint64_t waiting = 0;
    for (unsigned d = limit; d < g->depth; d++)
        waiting += g->waiting[d];
    if (waiting > w->forward_limited) {
        w->statistics.depth_limited += g->c->rank == 0 ? waiting - w->forward_limited : 0;
        w->forward_limited = waiting;
    }
}

/* One layer. False: there is none left, or all that are left wait for full layers that lie beyond the limit of depth. */
static bool layer_step(cluster_wave *g)
{
    holos_wave *w = g->w;
    double began = clock_wall();
    layers_gather(g);
    unsigned limit = wave_forward_limit(w);
    uint64_t done = g->done;
    bool ahead = layer_choose(g, &w->next_forward, limit);
    if (ahead)
        w->next_forward += layer_run(g, w->next_forward);
    if (g->interrupted || g->failed)
        return false;
    layers_gather(g);
    depth_limited_count(g, limit);
    w->statistics.wave_seconds += clock_wall() - began;
    w->idle_steps = g->done > done ? 0 : w->idle_steps + 1;
    return ahead && w->idle_steps <= g->depth;
}

/* Whether all seeds are solved, wherever they are. */
static bool seeds_are_solved(cluster_wave *g)
{
    const holos_wave *w = g->w;
    if (w->options.graph)
        return false;
    uint64_t open = 0;
    for (size_t i = 0; i < w->seed_count; i++)
        open += wave_owns(w, w->seeds[i].key) &&
                !node_is_solved(node_load(nodes_find(&w->nodes, w->seeds[i].key)));
    cluster_sum(g->c, &open, 1);
    return open == 0;
}

static void sweep_if_grown(cluster_wave *g)
{
    holos_error err;
    g->phase = PHASE_SWEEP;
    facts_sum(g, NULL, NULL);
    if (g->w->options.graph || g->facts[FACT_POSITIONS] < SWEEP_GROWTH(g->w->swept_positions))
        return;
    if (g->facts[FACT_SAVE] > 0)
        wave_fail(g, wave_checkpoint(g, &err), &err);
    wave_sweep_shared(g);
    if (!g->interrupted && !g->failed)
        wave_survey_if_grown(g);
}

static void run_layers(cluster_wave *g)
{
    wave_phase begins = g->phase;
    facts_sum(g, NULL, NULL);
    if (begins == PHASE_SETTLE) {
        may_go_on(g);
        return;
    }
    for (bool first = true; !g->failed && !g->interrupted; first = false) {
        wave_phase phase = first ? begins : PHASE_LAYERS;
        g->phase = phase;
        if (phase == PHASE_LAYERS && (!may_go_on(g) || seeds_are_solved(g)))
            break;
        if (phase != PHASE_SWEEP && !layer_step(g))
            break;
        sweep_if_grown(g);
    }
}

static bool all_closed(cluster_wave *g)
{
    uint64_t open = !wave_is_closed(g->w);
    cluster_sum(g->c, &open, 1);
    return open == 0;
}

static void run_settle(cluster_wave *g)
{
    holos_wave *w = g->w;
    if (w->options.graph) {
        w->statistics.closed = all_closed(g) && limits_go_on(&w->limits);
        return;
    }
    g->phase = PHASE_SETTLE;
    g->sweep_until = g->q.deadline + g->q.grace;
    bool whole = wave_sweep_shared(g);
    if (g->interrupted || g->failed)
        return;
    w->statistics.closed = all_closed(g) && whole;
    if (w->statistics.closed && wave_may_settle(w))
        wave_settle_cycles(w);
    wave_survey_shared(g);
}

static void run_begin(cluster_wave *g)
{
    holos_wave *w = g->w;
    limits_begin(&w->limits, NULL, w->budget);
    layers_gather(g);
    facts_sum(g, NULL, NULL);
    if (g->generation == 0)
        g->nodes_base = g->facts[FACT_EXPANDED];
    if (g->q.nodes > 0)
        limits_set_nodes(&w->limits, g->nodes_base + g->q.nodes);
    g->sweep_until = g->q.deadline;
    g->saved = clock_wall();
}

/* What became of it, as all ranks know. */
static holos_status run_end(cluster_wave *g, bool solved, holos_error *err)
{
    const struct limits *l = &g->w->limits;
    holos_error own;
    wave_fail(g, wave_damage(g->w, &own), &own);
    if (g->status == HOLOS_OK && g->w->contradiction)
        wave_fail(g,
                  error_set(&own, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                            "the hologram that the wave continued contradicts the rules of %s",
                            g->w->v->name),
                  &own);
    *err = g->error;
    holos_status status = holos_cluster_agree(g->c, g->status, err);
    if (status != HOLOS_OK || (!g->interrupted && (limits_go_on(l) || solved)))
        return status;
    return error_set(err, g->interrupted ? HOLOS_INTERRUPTED : l->status, HOLOS_NOWHERE,
                     "%s%s with %llu positions, %llu of them solved",
                     g->interrupted ? "interrupted" : "stopped at ", g->interrupted ? "" : l->reached,
                     (unsigned long long)g->facts[FACT_POSITIONS], (unsigned long long)g->facts[FACT_SOLVED]);
}

holos_status cluster_wave_run(cluster_wave *g, holos_error *err)
{
    holos_error own;
    holos_status status = holos_cluster_agree(g->c, wave_seeds_place(g->w, err), err);
    if (status != HOLOS_OK)
        return status;
    run_begin(g);
    run_layers(g);
    if (!g->failed && !g->interrupted)
        run_settle(g);
    /* A limit that ended the run is not one of the next: then the checkpoint before it is kept. */
    bool resumable = g->phase != PHASE_SETTLE || limits_go_on(&g->w->limits);
    if (g->interrupted && !g->failed && g->q.path != NULL && resumable)
        wave_fail(g, wave_checkpoint(g, &own), &own);
    layers_gather(g);
    facts_sum(g, NULL, NULL);
    bool solved = !g->failed && seeds_are_solved(g);
    if (!g->failed)
        wave_whole(g);
    return run_end(g, solved, err);
}

/* ---- Opening ----------------------------------------------------------------------------------- */

/* What must be the same for a checkpoint to go on. */
static uint64_t label_of(const holos_wave *w)
{
    const holos_wave_options *o = &w->options;
    uint64_t label = hash_bytes(w->v->name, strlen(w->v->name)).lo;
    uint64_t numbers[] = {o->graph,      o->unfolded,      o->all_moves,      o->forward_depth,
                          o->goal_stops, w->known != NULL, w->classes != NULL};
    label = hash_add(label, hash_bytes(numbers, sizeof numbers).lo);
    for (size_t i = 0; i < o->goal_count; i++)
        label = hash_add(label, hash_bytes(o->goals[i], strlen(o->goals[i])).lo);
    return label;
}

holos_status cluster_wave_open(const cluster_wave_request *q, cluster_wave **out, holos_error *err)
{
    cluster_wave *g = *out = calloc(1, sizeof *g);
    holos_status status = g != NULL ? HOLOS_OK : error_system(err, "an exploration");
    if (g != NULL) {
        g->q = *q;
        g->w = q->w;
        g->c = q->cluster;
        g->label = label_of(q->w);
        g->record_words = q->w->nodes.key_words + q->w->nodes.position_size / sizeof(uint64_t);
        g->record = calloc(g->record_words, sizeof *g->record);
        g->sent = calloc(SENT, sizeof *g->sent);
        g->whole = calloc(1, sizeof *g->whole);
        g->each = calloc(g->c->ranks, sizeof *g->each);
        g->counts = calloc(DEPTH_MOST, sizeof *g->counts);
        g->waiting = calloc(DEPTH_MOST, sizeof *g->waiting);
        if (g->record == NULL || g->sent == NULL || g->whole == NULL || g->each == NULL ||
            g->counts == NULL || g->waiting == NULL)
            status = error_system(err, "an exploration");
        else
            status = exchange_init(&g->x, g->c, g->record_words * sizeof *g->record, err);
    }
    return holos_cluster_agree(q->cluster, status, err);
}

void cluster_wave_close(cluster_wave *g)
{
    if (g == NULL)
        return;
    exchange_free(&g->x);
    mem_free(g->w->budget, g->taken.meetings.words,
             g->taken.meetings.room * g->w->nodes.key_words * sizeof(uint64_t));
    free(g->record);
    free(g->sent);
    free(g->whole);
    free(g->each);
    free(g->counts);
    free(g->waiting);
    free(g);
}

const char *cluster_wave_limit(const cluster_wave *g)
{
    return g->w->limits.status == HOLOS_LIMIT ? g->w->limits.reached : NULL;
}
