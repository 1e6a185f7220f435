/* SPDX-License-Identifier: MIT */

/* The modes as runs: each goes on until the seeds are solved, nothing is left to do, or a limit comes. */

#include "core/assert.h"
#include "engine/wave/classes.h"
#include "engine/wave/spines.h"

#define PROBES      16  /* of a frontier, at a time */
#define SLICE_LEAST 256 /* expansions that a mode gets before the next choice */
#define FRONT_STEP  256
#define PATIENCE    0.1 /* seconds, after a request to stop */

static void sweep_if_grown(holos_wave *w)
{
    uint64_t before = w->by_question ? w->run_began : 0;
    uint64_t positions = w->statistics.positions - before, swept = w->swept_positions - before;
    if (w->options.graph || positions < SWEEP_GROWTH(swept))
        return;
    if (w->by_question)
        wave_sweep_below(w);
    else
        wave_sweep(w);
    classes_survey_if_grown(w);
}

/* ---- Wave -------------------------------------------------------------------------------------- */

/* The first layer from `depth` on with positions that are not done; false if there is none before `limit`. */
static bool layer_next(const layers *l, unsigned *depth, unsigned limit)
{
    for (unsigned d = *depth; d < l->depth && d < limit; d++) {
        layers_recount(l->at[d]);
        if (l->at[d]->done < l->at[d]->count) {
            *depth = d;
            return true;
        }
    }
    return false;
}

/* A layer that was full leaves positions waiting: when the deeper ones have ended, they go on. */
static bool layer_choose(const layers *l, unsigned *depth, unsigned limit)
{
    if (layer_next(l, depth, limit))
        return true;
    *depth = 0;
    return layer_next(l, depth, limit);
}

static void depth_limited_count(holos_wave *w, const layers *l, unsigned limit, uint64_t *counted)
{
    uint64_t waiting = 0;
    for (unsigned d = limit; d < l->depth; d++) {
        layers_recount(l->at[d]);
        waiting += l->at[d]->count - l->at[d]->done;
    }
    if (waiting > *counted) {
        w->statistics.depth_limited += waiting - *counted;
        *counted = waiting;
    }
}

/* Positions of all layers that are done. */
static uint64_t layers_done(const layers *l)
{
    uint64_t done = 0;
    for (unsigned d = 0; d < l->depth; d++)
        done += l->at[d]->done;
    return done;
}

/* One layer of the smaller frontier. False: there is none left, or all that are left wait for full layers that
 * lie beyond the limit of depth. */
static bool wave_step(holos_wave *w, holos_error *err)
{
    double began = clock_wall();
    unsigned *forward = &w->next_forward, *backward = &w->next_backward;
    unsigned forward_limit = wave_forward_limit(w);
    bool ahead = layer_choose(&w->forward, forward, forward_limit);
    bool back = layer_choose(&w->backward, backward, wave_backward_limit(w));
    if (ahead && back) {
        const layer *f = w->forward.at[*forward], *b = w->backward.at[*backward];
        back = b->count - b->done < f->count - f->done;
    }
    uint64_t done = layers_done(&w->forward) + layers_done(&w->backward);
    /* One that a limit cuts short comes first in the next run: what is left of it makes the same layer. */
    if (back)
        *backward += wave_retrace_layer(w, *backward, err);
    else if (ahead)
        *forward += wave_expand_layer(w, *forward, err);
    depth_limited_count(w, &w->forward, forward_limit, &w->forward_limited);
    if (w->has_back)
        depth_limited_count(w, &w->backward, wave_backward_limit(w), &w->backward_limited);
    w->statistics.wave_seconds += clock_wall() - began;
    bool moved = layers_done(&w->forward) + layers_done(&w->backward) > done;
    w->idle_steps = moved ? 0 : w->idle_steps + 1;
    return (ahead || back) && w->idle_steps <= w->forward.depth + w->backward.depth;
}

static void run_wave(holos_wave *w, holos_error *err)
{
    while (wave_go_on(w) && !wave_is_done(w) && wave_step(w, err))
        sweep_if_grown(w);
}

/* ---- Lightning, crystal ------------------------------------------------------------------------ */

/* Probes as long as each lot of them reaches something new; then one layer, to have new places to probe
 * from. */
static void run_lightning(holos_wave *w, holos_error *err)
{
    do {
        uint64_t before = 0;
        do {
            before = w->statistics.positions + w->statistics.solved;
            wave_lightning(w, PROBES, err);
            sweep_if_grown(w);
        } while (w->statistics.positions + w->statistics.solved > before && wave_go_on(w) &&
                 !wave_is_done(w));
        if (w->options.spine_boundary)
            wave_seed_spines(w, err);
    } while (wave_go_on(w) && !wave_is_done(w) && wave_step(w, err));
}

/* Grows as long as that solves something; then one layer, to have something to grow from. */
static void run_crystal(holos_wave *w, holos_error *err)
{
    do {
        uint64_t before;
        do { /* once through all layers, at the most */
            before = w->statistics.solved;
            wave_crystal(w, FRONT_STEP, err);
        } while (w->statistics.solved > before && w->crystal_front.depth > 0 && wave_go_on(w) &&
                 !wave_is_done(w));
        if (!wave_go_on(w) || wave_is_done(w) || !wave_step(w, err))
            break;
        sweep_if_grown(w);
    } while (true);
}

static void run_osmosis(holos_wave *w, holos_error *err)
{
    wave_osmose(w, UINT64_MAX, err);
}

/* ---- Auto -------------------------------------------------------------------------------------- */

/* What a mode has given lately for what it cost: positions solved, for each one expanded. */
typedef struct payoff {
    double rate;
    bool tried;
    bool idle; /* the last time it reached and solved nothing */
} payoff;

static void slice_run(holos_wave *w, holos_wave_mode mode, uint64_t slice, holos_error *err)
{
    switch (mode) {
    case HOLOS_WAVE_LIGHTNING:
        wave_lightning(w, PROBES, err);
        break;
    case HOLOS_WAVE_CRYSTAL:
        wave_crystal(w, FRONT_STEP, err);
        break;
    case HOLOS_WAVE_OSMOSIS:
        wave_osmose(w, slice, err);
        break;
    default:
        wave_step(w, err);
        sweep_if_grown(w);
    }
}

static void slice_measure(holos_wave *w, holos_wave_mode mode, uint64_t slice, payoff *pay, holos_error *err)
{
    uint64_t solved = w->statistics.solved, expanded = wave_expanded(w), reached = w->statistics.positions;
    slice_run(w, mode, slice, err);
    double cost = (double)(wave_expanded(w) - expanded) + 1;
    double rate = (double)(w->statistics.solved - solved) / cost;
    pay->rate = pay->tried ? (pay->rate + rate) / 2 : rate;
    pay->tried = true;
    pay->idle = w->statistics.solved == solved && w->statistics.positions == reached;
}

/* The mode that pays best among those that do anything at all; HOLOS_WAVE_WAVE: none does. */
static holos_wave_mode mode_choose(const payoff pay[])
{
    static const holos_wave_mode modes[] = {HOLOS_WAVE_LIGHTNING, HOLOS_WAVE_OSMOSIS, HOLOS_WAVE_CRYSTAL};
    holos_wave_mode best = HOLOS_WAVE_WAVE;
    for (unsigned i = 0; i < sizeof modes / sizeof *modes; i++) {
        const payoff *p = &pay[modes[i]];
        if (!p->tried)
            return modes[i];
        if (!p->idle && (best == HOLOS_WAVE_WAVE || p->rate > pay[best].rate))
            best = modes[i];
    }
    return best;
}

/* The careful modes take turns with the wave, by what they have given for what they cost. The wave, which
 * ends if anything does, gets half of all expansions: so this takes at most about twice as long as the wave
 * alone, and often far less. */
static void run_auto(holos_wave *w, holos_error *err)
{
    payoff pay[HOLOS_WAVE_OSMOSIS + 1] = {0};
    uint64_t careful = 0, broad = 0;
    bool layers_left = true;
    if (w->seed_count > 0 && w->seeds[0].mode != HOLOS_WAVE_AUTO)
        slice_measure(w, w->seeds[0].mode, SLICE_LEAST, &pay[w->seeds[0].mode], err);
    while (wave_go_on(w) && !wave_is_done(w)) {
        uint64_t before = wave_expanded(w);
        holos_wave_mode mode = mode_choose(pay);
        if (layers_left && (careful > broad || mode == HOLOS_WAVE_WAVE)) {
            layers_left = wave_step(w, err);
            sweep_if_grown(w);
            broad += wave_expanded(w) - before;
            for (unsigned i = 0; i <= HOLOS_WAVE_OSMOSIS; i++)
                pay[i].idle = false; /* there is something new to begin from */
            continue;
        }
        if (mode == HOLOS_WAVE_WAVE)
            break; /* nothing is left to do */
        slice_measure(w, mode, before / 2 > SLICE_LEAST ? before / 2 : SLICE_LEAST, &pay[mode], err);
        careful += wave_expanded(w) - before + 1;
    }
}

/* ---- Runs -------------------------------------------------------------------------------------- */

bool wave_is_closed(const holos_wave *w)
{
    for (unsigned d = 0; d < w->forward.depth; d++)
        for (unsigned i = 0; i < NODES_SHARDS; i++) {
            const key_list *list = &w->forward.at[d]->lists[i];
            for (size_t k = list->done; k < list->count; k++) {
                wave_node n = node_load(nodes_find(&w->nodes, list_key(&w->forward, list, k)));
                if ((n.flags & NODE_EXPANDED) == 0 && !node_is_solved(n))
                    return false;
            }
        }
    return true;
}

/* Whether what goes round in a closed region can become draws: if no values were left out. */
bool wave_may_settle(const holos_wave *w)
{
    bool left_out = w->options.goal_stops && w->options.goal_count > 0;
    return (w->v->game->traits & HOLOS_TRAIT_CYCLIC) != 0 && !left_out;
}

void wave_settle_draw(holos_wave *w, node_at at, wave_node n)
{
    n.lo = n.hi = (int16_t)(n.lo > 0 ? n.lo : n.hi < 0 ? n.hi : 0);
    n.source = HOLOS_SOURCE_WAVE;
    node_store(at, n);
    w->statistics.solved++;
    w->statistics.minimax_solved++;
}

void wave_settle_cycles(holos_wave *w)
{
    for (unsigned shard = 0; shard < NODES_SHARDS; shard++) {
        node_at at;
        for (size_t i = 0; (at = nodes_next(&w->nodes, shard, &i)) != NULL;) {
            wave_node n = node_load(at);
            if (!node_is_solved(n) && (n.flags & NODE_FORWARD) != 0 && (n.flags & NODE_MISSED) == 0)
                wave_settle_draw(w, at, n);
        }
    }
}

static void run_settle(holos_wave *w)
{
    if (w->options.graph) {
        w->statistics.closed = limits_go_on(&w->limits) && wave_is_closed(w);
        return;
    }
    /* The last sweep gives the seeds what is known: it has what the limit of time left it, and a little more; after a
     * request to stop somebody waits. */
    bool asked = w->limits.status == HOLOS_INTERRUPTED;
    w->sweep_last = asked;
    if (asked)
        w->sweep_until = clock_wall() + PATIENCE;
    else if (w->limits.deadline < CLOCK_NEVER)
        w->sweep_until = wave_deadline(w) + w->options.limits.seconds / 20;
    if (w->by_question) {
        wave_sweep_below(w);
        classes_survey_if_grown(w);
        return;
    }
    bool whole = wave_sweep(w);
    w->statistics.closed = whole && wave_is_closed(w);
    if (w->statistics.closed && wave_may_settle(w))
        wave_settle_cycles(w);
    classes_survey(w);
}

static holos_status run_end(holos_wave *w, holos_error *err)
{
    holos_status damage = wave_damage(w, err);
    if (damage != HOLOS_OK)
        return damage;
    if (w->contradiction)
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                         "the hologram that the wave continued contradicts the rules of %s", w->v->name);
    if (limits_go_on(&w->limits) || wave_is_done(w))
        return HOLOS_OK;
    bool asked = w->limits.status == HOLOS_INTERRUPTED;
    return error_set(err, w->limits.status, HOLOS_NOWHERE, "%s%s with %llu positions, %llu of them solved",
                     asked ? "interrupted" : "stopped at ", asked ? "" : w->limits.reached,
                     (unsigned long long)w->statistics.positions, (unsigned long long)w->statistics.solved);
}

void wave_scope_make(holos_wave *w)
{
    scope_free(&w->scope);
    if (!w->has_back || w->v->game->kinds == NULL)
        return;
    scope_init(&w->scope);
    for (size_t i = 0; i < w->seed_count; i++) {
        if (w->seeds[i].direction != HOLOS_WAVE_FORWARD)
            continue;
        wave_seed_position(w, i, w->scratch[0].position);
        scope_add(&w->scope, w->v, w->known, w->v->game->kinds->of(w->v, w->scratch[0].position),
                  w->scratch[0].position);
    }
    if (w->seed_count == 0 || w->scope.between_count == 0)
        scope_free(&w->scope); /* nothing was asked: everything may be */
}

static void run_begin(holos_wave *w)
{
    w->idle_steps = 0;
    w->run_began = w->statistics.positions;
    if (w->by_question)
        w->swept_positions = w->run_began;
    limits_begin(&w->limits, &w->options.limits, w->budget);
    w->limits.nodes = wave_expanded(w);
    if (w->options.limits.nodes > 0)
        limits_set_nodes(&w->limits, wave_expanded(w) + w->options.limits.nodes);
    w->sweep_until = w->limits.deadline;
    w->sweep_last = false;
}

holos_status wave_settle(holos_wave *w, holos_error *err)
{
    run_begin(w);
    run_settle(w);
    return run_end(w, err);
}

holos_status holos_wave_run(holos_wave *w, holos_wave_mode mode, holos_error *err)
{
    if (w == NULL)
        return error_null(err, __func__);
    static void (*const runs[])(holos_wave *, holos_error *) = {
        [HOLOS_WAVE_AUTO] = run_auto,       [HOLOS_WAVE_LIGHTNING] = run_lightning,
        [HOLOS_WAVE_WAVE] = run_wave,       [HOLOS_WAVE_CRYSTAL] = run_crystal,
        [HOLOS_WAVE_OSMOSIS] = run_osmosis,
    };
    holos_error ignored;
    run_begin(w);
    if (w->options.graph)
        mode = HOLOS_WAVE_WAVE;
    holos_status placed = wave_seeds_place(w, err);
    if (placed != HOLOS_OK)
        return placed;
    wave_scope_make(w);
    wave_seed_boundary(w, &ignored);
    runs[mode](w, &ignored);
    run_settle(w);
    wave_mapping_note(w);
    return run_end(w, err);
}
