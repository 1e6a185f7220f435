/* SPDX-License-Identifier: MIT */

/* Exploring together: layers, limits, the order of a run. What is done when is what modes.c does in one process. */

#include "cluster/wave.h"

#include "cluster/wave_inside.h"
#include "core/hash.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH_MOST   ((size_t)UINT16_MAX + 2) /* layers */
#define SAVE_SECONDS 5e-7                     /* what writing a position takes, about */

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
static void counts_collect(cluster_wave *g)
{
    holos_wave *w = g->w;
    wave_scratch *s = &w->scratch[0];
    *(way_is_back(g) ? &w->statistics.backward_expanded : &w->statistics.forward_expanded) += s->expanded;
    w->statistics.generated += s->generated;
    w->statistics.solved += s->solved;
    w->statistics.boundary += s->boundary;
    w->statistics.goal_filtered += s->filtered;
    w->statistics.recomputed += s->recomputed;
    s->expanded = s->generated = s->solved = s->boundary = s->filtered = s->recomputed = 0;
}

/* Whether the time is over for new positions: values have to flow once more, and all is to be written. */
static bool is_late(const cluster_wave *g)
{
    double positions = (double)g->facts[FACT_POSITIONS];
    return g->q.deadline < CLOCK_NEVER &&
           clock_wall() + (g->w->sweep_seconds + SAVE_SECONDS) * positions >= g->q.deadline;
}

void wave_facts(cluster_wave *g, const layer *from, const layer *to)
{
    holos_wave *w = g->w;
    const holos_wave_statistics *s = &w->statistics;
    bool first = g->c->rank == 0, late = first && is_late(g);
    counts_collect(g);
    uint64_t facts[FACTS] = {
        [FACT_WAITING] = from != NULL ? from->count - from->done : 0,
        [FACT_NEXT] = to != NULL ? to->count - to->done : 0,
        [FACT_EXPANDED] = wave_expanded(w),
        [FACT_POSITIONS] = s->positions,
        [FACT_SOLVED] = s->solved,
        [FACT_STOP] = wave_stop_asked(g),
        [FACT_TIME] = late,
        [FACT_FULL] = from != NULL && !wave_room_make(g, (uint64_t)WAVE_SLICE_LEAST * g->way->most, to),
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

bool wave_may_go_on(cluster_wave *g)
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

/* How many positions each layer of a wave has over all ranks, and how many of them are not done. */
static void way_gather(cluster_wave *g, wave_way *way)
{
    layers *l = way->layers;
    holos_error err;
    uint64_t mine = l->depth;
    cluster_gather(g->c, &mine, sizeof mine, g->each);
    way->depth = l->depth;
    for (unsigned i = 0; i < g->c->ranks; i++)
        way->depth = g->each[i] > way->depth ? (unsigned)g->each[i] : way->depth;
    if (way->depth > l->depth)
        wave_fail(g, layers_reach(l, way->depth - 1, &err), &err);
    for (unsigned d = 0; d < way->depth; d++) {
        if (d < l->depth)
            layers_recount(l->at[d]);
        way->counts[d] = d < l->depth ? l->at[d]->count : 0;
        way->waiting[d] = d < l->depth ? l->at[d]->count - l->at[d]->done : 0;
    }
    cluster_sum(g->c, way->counts, way->depth);
    cluster_sum(g->c, way->waiting, way->depth);
    way->done = 0;
    for (unsigned d = 0; d < way->depth; d++)
        way->done += way->counts[d] - way->waiting[d];
}

static void layers_gather(cluster_wave *g)
{
    way_gather(g, &g->forward);
    way_gather(g, &g->backward);
}

/* ---- A run ------------------------------------------------------------------------------------- */

/* The first layer from the next one on with positions that are not done; false if there is none before `limit`. */
static bool layer_next(const wave_way *way, unsigned limit)
{
    for (unsigned d = *way->next; d < way->depth && d < limit; d++)
        if (way->waiting[d] > 0) {
            *way->next = d;
            return true;
        }
    return false;
}

static bool layer_choose(const wave_way *way, unsigned limit)
{
    if (layer_next(way, limit))
        return true;
    *way->next = 0;
    return layer_next(way, limit);
}

static void depth_limited_count(cluster_wave *g, const wave_way *way, unsigned limit)
{
    uint64_t waiting = 0;
    for (unsigned d = limit; d < way->depth; d++)
        waiting += way->waiting[d];
    if (waiting > *way->limited) {
        g->w->statistics.depth_limited += g->c->rank == 0 ? waiting - *way->limited : 0;
        *way->limited = waiting;
    }
}

/* Which wave has the smaller frontier; NULL: neither has any. */
static wave_way *way_choose(cluster_wave *g, bool ahead, bool back)
{
    wave_way *f = &g->forward, *b = &g->backward;
    if (ahead && back)
        return b->waiting[*b->next] < f->waiting[*f->next] ? b : f;
    return ahead ? f : back ? b : NULL;
}

/* One layer. False: there is none left, or all that are left wait for full layers that lie beyond the limit of depth. `resumed`: the
 * one that a checkpoint was made in the middle of. */
static bool layer_step(cluster_wave *g, bool resumed)
{
    holos_wave *w = g->w;
    double began = clock_wall();
    layers_gather(g);
    unsigned limit = wave_forward_limit(w), back_limit = wave_backward_limit(w);
    uint64_t done = g->forward.done + g->backward.done;
    bool ahead = layer_choose(&g->forward, limit), back = layer_choose(&g->backward, back_limit);
    wave_way *way = resumed ? g->way : way_choose(g, ahead, back);
    if (way != NULL) {
        g->way = way;
        *way->next += wave_layer_run(g, *way->next);
    }
    if (g->interrupted || g->failed)
        return false;
    layers_gather(g);
    depth_limited_count(g, &g->forward, limit);
    if (w->has_back)
        depth_limited_count(g, &g->backward, back_limit);
    w->statistics.wave_seconds += clock_wall() - began;
    w->idle_steps = g->forward.done + g->backward.done > done ? 0 : w->idle_steps + 1;
    return way != NULL && w->idle_steps <= g->forward.depth + g->backward.depth;
}

/* Like wave_is_done, wherever the seeds are. */
static bool seeds_are_solved(cluster_wave *g)
{
    const holos_wave *w = g->w;
    if (w->options.graph)
        return false;
    uint64_t open = 0;
    bool asked = false;
    for (size_t i = 0; i < w->seed_count; i++) {
        bool forward = w->seeds[i].direction == HOLOS_WAVE_FORWARD;
        asked |= forward;
        open += forward && wave_owns(w, w->seeds[i].key) &&
                !node_is_solved(node_load(nodes_find(&w->nodes, w->seeds[i].key)));
    }
    cluster_sum(g->c, &open, 1);
    return open == 0 && (asked || w->seed_count == 0);
}

static void sweep_if_grown(cluster_wave *g)
{
    holos_error err;
    g->phase = PHASE_SWEEP;
    wave_facts(g, NULL, NULL);
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
    wave_facts(g, NULL, NULL);
    if (begins == PHASE_SETTLE) {
        wave_may_go_on(g);
        return;
    }
    for (bool first = true; !g->failed && !g->interrupted; first = false) {
        wave_phase phase = first ? begins : PHASE_LAYERS;
        g->phase = phase;
        if (phase == PHASE_LAYERS && (!wave_may_go_on(g) || seeds_are_solved(g)))
            break;
        if (phase != PHASE_SWEEP && !layer_step(g, phase == PHASE_LAYER))
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
    wave_facts(g, NULL, NULL);
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

holos_status cluster_wave_seeds(cluster_wave *g, holos_error *err)
{
    holos_wave *w = g->w;
    size_t size = w->v->position_size;
    free(w->seed_positions);
    w->seed_positions = aligned_alloc(16, (w->seed_count + 1) * size);
    holos_status status = holos_cluster_agree(
        g->c, w->seed_positions != NULL ? HOLOS_OK : error_system(err, "the seeds of a wave"), err);
    for (size_t i = 0; status == HOLOS_OK && i < w->seed_count; i++) {
        holos_position *p = position_at(w->v, w->seed_positions, i);
        if (wave_owns(w, w->seeds[i].key))
            wave_position(w, w->seeds[i].key, p);
        cluster_share(g->c, p, size, nodes_part_of(nodes_hash(w->seeds[i].key), g->c->ranks));
    }
    return status;
}

holos_status cluster_wave_run(cluster_wave *g, holos_error *err)
{
    holos_error own;
    holos_status status = holos_cluster_agree(g->c, wave_seeds_place(g->w, err), err);
    if (status != HOLOS_OK)
        return status;
    run_begin(g);
    wave_scope_make(g->w);
    wave_seed_boundary(g->w, &own); /* without memory, there are fewer */
    run_layers(g);
    if (!g->failed && !g->interrupted)
        run_settle(g);
    /* A limit that ended the run is not one of the next: then the checkpoint before it is kept. */
    bool resumable = g->phase != PHASE_SETTLE || limits_go_on(&g->w->limits);
    if (g->interrupted && !g->failed && g->q.path != NULL && resumable)
        wave_fail(g, wave_checkpoint(g, &own), &own);
    layers_gather(g);
    wave_facts(g, NULL, NULL);
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
    uint64_t numbers[] = {o->graph,         o->unfolded,        o->all_moves, o->forward_depth, o->goal_stops,
                          w->known != NULL, w->classes != NULL, w->has_back,  o->backward_depth};
    label = hash_add(label, hash_bytes(numbers, sizeof numbers).lo);
    for (size_t i = 0; i < o->goal_count; i++)
        label = hash_add(label, hash_bytes(o->goals[i], strlen(o->goals[i])).lo);
    return label;
}

static holos_status way_open(const cluster_wave *g, wave_way *way, size_t said, holos_error *err)
{
    const nodes *n = &g->w->nodes;
    way->record_words = n->key_words + said + n->position_size / sizeof(uint64_t);
    way->record = calloc(way->record_words, sizeof *way->record);
    way->counts = calloc(DEPTH_MOST, sizeof *way->counts);
    way->waiting = calloc(DEPTH_MOST, sizeof *way->waiting);
    if (way->record == NULL || way->counts == NULL || way->waiting == NULL)
        return error_system(err, "an exploration");
    return exchange_init(&way->x, g->c, g->w->budget, way->record_words * sizeof *way->record, err);
}

static holos_status ways_open(cluster_wave *g, holos_error *err)
{
    holos_wave *w = g->w;
    g->forward = (wave_way){.layers = &w->forward,
                            .next = &w->next_forward,
                            .limited = &w->forward_limited,
                            .most = w->v->max_successors};
    g->backward = (wave_way){.layers = &w->backward,
                             .next = &w->next_backward,
                             .limited = &w->backward_limited,
                             .most = w->v->max_predecessors};
    g->way = &g->forward;
    holos_status status = way_open(g, &g->forward, 0, err);
    return status == HOLOS_OK ? way_open(g, &g->backward, 1, err) : status;
}

static void way_close(wave_way *way)
{
    exchange_free(&way->x);
    free(way->record);
    free(way->counts);
    free(way->waiting);
}

/* Bytes that a wave needs at the most for what goes to other ranks: 4.0 MB for two ranks of connect4:5x4, 5.5 MB for each of four. The room that an
 * exchange has from the start grows with the ranks. */
static size_t travel_memory(const holos_cluster *c)
{
    size_t away = ((size_t)8 << 20) / c->ranks * (c->ranks - 1), own = (size_t)2 << 20;
    return (away > own ? away : own) + ((size_t)32 << 10) * c->ranks;
}

holos_status cluster_wave_open(const cluster_wave_request *q, cluster_wave **out, holos_error *err)
{
    cluster_wave *g = *out = calloc(1, sizeof *g);
    holos_status status = g != NULL ? HOLOS_OK : error_system(err, "an exploration");
    if (g != NULL) {
        g->q = *q;
        g->w = q->w;
        g->c = q->cluster;
        g->w->travel = travel_memory(g->c);
        g->label = label_of(q->w);
        g->sent = calloc(WAVE_SENT, sizeof *g->sent);
        g->whole = calloc(1, sizeof *g->whole);
        g->each = calloc(g->c->ranks, sizeof *g->each);
        if (g->sent == NULL || g->whole == NULL || g->each == NULL)
            status = error_system(err, "an exploration");
        if (status == HOLOS_OK)
            status = ways_open(g, err);
        if (status == HOLOS_OK && g->w->has_back)
            status = retracing_open(g, err);
    }
    return holos_cluster_agree(q->cluster, status, err);
}

void cluster_wave_close(cluster_wave *g)
{
    if (g == NULL)
        return;
    way_close(&g->forward);
    way_close(&g->backward);
    retracing_close(g);
    mem_free(g->w->budget, g->taken.meetings.words,
             g->taken.meetings.room * g->w->nodes.key_words * sizeof(uint64_t));
    free(g->sent);
    free(g->whole);
    free(g->each);
    free(g);
}

const char *cluster_wave_limit(const cluster_wave *g)
{
    return g->w->limits.status == HOLOS_LIMIT ? g->w->limits.reached : NULL;
}
