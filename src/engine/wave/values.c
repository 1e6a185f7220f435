/* SPDX-License-Identifier: MIT */

/* Values: where intervals come from, and how they flow from successors to predecessors.
 *
 * A sweep expands every open position again and looks its successors up, from the last layer to the first; no edges
 * are kept. On connect4:5x4 (holos bench wave) that values 2.1 M positions/s a core; pushing values along
 * predecessors with a count of open successors 1.3 M; edges kept in memory 1.8 M, for 26 bytes a position more. */

#include "core/assert.h"
#include "engine/wave/wave.h"

#define SWEEP_CHUNK 1024

void wave_position(const holos_wave *w, holos_key key, holos_position *out)
{
    if (w->from_key != NULL)
        w->from_key(w->v, key, out);
    else
        memcpy(out, nodes_position(&w->nodes, key), w->v->position_size);
}

wave_node wave_unknown(const holos_wave *w, unsigned flags, unsigned depth)
{
    return (wave_node){.lo = (int16_t)w->v->score_min,
                       .hi = (int16_t)w->v->score_max,
                       .depth = (uint16_t)depth,
                       .source = HOLOS_SOURCE_NONE,
                       .flags = (uint8_t)flags};
}

/* ---- The boundary ------------------------------------------------------------------------------ */

static bool goal_matches(const holos_wave *w, const holos_position *p)
{
    if (w->options.goal_count == 0)
        return true;
    char buffer[128];
    text signature;
    text_init_fixed(&signature, buffer, sizeof buffer);
    w->v->game->hints->signature(w->v, p, &signature);
    for (size_t i = 0; i < w->options.goal_count; i++)
        if (strcmp(buffer, w->options.goals[i]) == 0)
            return true;
    return false;
}

/* The value of what is still to come. */
static uint8_t boundary_probe(const holos_wave *w, const holos_position *p, int32_t *score)
{
    if (w->v->game->terminal(w->v, p, score))
        return HOLOS_SOURCE_RULES;
    if (w->known == NULL || !boundary_score(w->known, p, score))
        return HOLOS_SOURCE_NONE;
    *score -= game_banked(w->v, p);
    return HOLOS_SOURCE_TABLE;
}

bool wave_known(const holos_wave *w, const holos_position *p, wave_node *n, wave_scratch *s)
{
    int32_t score;
    uint8_t source = boundary_probe(w, p, &score);
    if (source == HOLOS_SOURCE_NONE)
        return false;
    if (!goal_matches(w, p)) {
        s->filtered++;
        n->flags |= NODE_MISSED;
        if (w->options.goal_stops)
            return false;
    }
    s->boundary++;
    n->lo = n->hi = (int16_t)score;
    n->source = source;
    n->flags |= NODE_BOUNDARY;
    return true;
}

void wave_bound(const holos_wave *w, const holos_position *p, wave_node *n)
{
    const holos_search *search = w->v->game->search;
    if (search == NULL || search->bounds == NULL || (n->flags & NODE_MISSED) != 0)
        return;
    if (w->options.goal_count > 0) /* they would tell of boundary positions before these can be matched */
        return;
    int32_t lo = n->lo, hi = n->hi;
    search->bounds(w->v, p, &lo, &hi);
    if (lo == n->lo && hi == n->hi)
        return;
    n->lo = (int16_t)lo;
    n->hi = (int16_t)hi;
    n->source = HOLOS_SOURCE_WAVE;
}

/* ---- From successors --------------------------------------------------------------------------- */

bool node_narrow(const holos_wave *w, wave_node *n, int32_t lo, int32_t hi)
{
    if (lo > n->hi || hi < n->lo) { /* only a file that lies can bring this about */
        assert(w->loaded);
        __atomic_store_n(w->contradicted, true, __ATOMIC_RELAXED);
        return false;
    }
    bool changed = false;
    if (lo > n->lo) {
        n->lo = (int16_t)lo;
        changed = true;
    }
    if (hi < n->hi) {
        n->hi = (int16_t)hi;
        changed = true;
    }
    if (changed)
        n->source = HOLOS_SOURCE_WAVE;
    return changed;
}

bool wave_value_by(const holos_wave *w, holos_edge edge, wave_node child, wave_node *n)
{
    int32_t a = edge_score(edge, child.lo), b = edge_score(edge, child.hi);
    return node_narrow(w, n, a < b ? a : b, w->v->score_max);
}

wave_told wave_tell(const holos_wave *w, holos_key key)
{
    node_at at = nodes_find(&w->nodes, key);
    if (at == NULL)
        return TOLD_NO_NODE;
    wave_node n = node_load(at);
    return (wave_told){n.lo, n.hi};
}

/* The best that moves lead to, so far. */
typedef struct best {
    int32_t lo, hi;
} best;

static const best best_none = {INT32_MIN, INT32_MIN};

static best best_of(holos_edge edge, wave_told child)
{
    int32_t x = edge_score(edge, child.lo), y = edge_score(edge, child.hi);
    return x < y ? (best){x, y} : (best){y, x};
}

static void best_take(best *b, best one)
{
    b->lo = one.lo > b->lo ? one.lo : b->lo;
    b->hi = one.hi > b->hi ? one.hi : b->hi;
}

/* One that is no node may be worth anything. */
static wave_told told_all(const holos_wave *w, wave_told told)
{
    return told_is_node(told) ? told : (wave_told){(int16_t)w->v->score_min, (int16_t)w->v->score_max};
}

bool wave_value_among(const holos_wave *w, const holos_edge *edges, const wave_told *told, uint32_t count,
                      wave_node *n)
{
    best b = best_none;
    for (uint32_t i = 0; i < count; i++)
        best_take(&b, best_of(edges[i], told_all(w, told[i])));
    return count > 0 && node_narrow(w, n, b.lo, b.hi);
}

/* The interval that successors with these keys give; those that are no nodes may be worth anything. */
static bool value_from(const holos_wave *w, const holos_edge *edges, const holos_key *keys, uint32_t count,
                       wave_node *n)
{
    best b = best_none;
    for (uint32_t i = 0; i < count; i++)
        best_take(&b, best_of(edges[i], told_all(w, wave_tell(w, keys[i]))));
    return count > 0 && node_narrow(w, n, b.lo, b.hi);
}

/* Expands into the scratch behind what is there already. */
static uint32_t value_expand(const holos_wave *w, const holos_position *p, wave_scratch *s, uint32_t used)
{
    holos_edges out = {.edges = s->successors.edges + used, .keys = s->successors.keys + used, .bare = true};
    if (w->key != w->v->game->key)
        out.positions = s->successors.positions;
    uint32_t count = w->expand(w->v, p, out);
    for (uint32_t i = 0; i < count; i++) {
        if (out.positions != NULL)
            out.keys[i] = w->key(w->v, position_at(w->v, out.positions, i));
        nodes_prefetch(&w->nodes, out.keys[i]);
    }
    return count;
}

/* Takes a move to a successor that lies beyond what is between the seeds and the boundary, as the boundary values it; false: it
 * does not. */
static bool beyond_take(const holos_wave *w, holos_edge edge, const holos_position *next, best *beyond)
{
    int32_t score;
    if (w->options.goal_count > 0 || wave_is_between(w, next) ||
        boundary_probe(w, next, &score) == HOLOS_SOURCE_NONE)
        return false;
    best_take(beyond, best_of(edge, (wave_told){(int16_t)score, (int16_t)score}));
    return true;
}

/* Whether a move may be worth everything. */
static bool best_is_open(const holos_wave *w, best one)
{
    return one.hi == w->v->score_max && one.lo < one.hi;
}

/* Above a boundary, successors that are no nodes but the boundary's count with what that says: so a position joins a wave back as
 * soon as all its moves are known, not only when a forward wave has come to them. `told`: NULL, or what is known of the
 * successors as nodes, in their order. `hasty`: if any successor may be worth everything, only the moves to the boundary count;
 * so nothing depends on the order of moves. */
static bool value_above(const holos_wave *w, const holos_position *p, const wave_told *told, bool hasty,
                        wave_node *n, wave_scratch *s)
{
    holos_edges out = {.edges = s->successors.edges, .positions = s->successors.positions, .bare = true};
    uint32_t count = w->expand(w->v, p, out);
    best b = best_none, beyond = best_none;
    bool open = false;
    for (uint32_t i = 0; i < count; i++) {
        const holos_position *next = position_at(w->v, out.positions, i);
        if (beyond_take(w, out.edges[i], next, &beyond) || open)
            continue;
        wave_told child = told != NULL ? told[i] : wave_tell(w, w->key(w->v, next));
        best one = best_of(out.edges[i], told_all(w, child));
        open = hasty && best_is_open(w, one);
        best_take(&b, one);
    }
    if (open)
        return beyond.lo > INT32_MIN && node_narrow(w, n, beyond.lo, w->v->score_max);
    best_take(&b, beyond);
    return count > 0 && node_narrow(w, n, b.lo, b.hi);
}

bool wave_value(const holos_wave *w, const holos_position *p, wave_node *n, wave_scratch *s)
{
    s->recomputed++;
    if (w->scope.limited)
        return value_above(w, p, NULL, false, n, s);
    uint32_t count = value_expand(w, p, s, 0);
    return value_from(w, s->successors.edges, s->successors.keys, count, n);
}

bool wave_value_hasty(const holos_wave *w, const holos_position *p, wave_node *n, wave_scratch *s)
{
    if (!w->scope.limited)
        return wave_value(w, p, n, s);
    s->recomputed++;
    return value_above(w, p, NULL, true, n, s);
}

bool wave_value_early(const holos_wave *w, const holos_position *p, wave_node *n, bool *changed,
                      wave_scratch *s)
{
    if (!w->scope.limited)
        return false;
    holos_edges out = {.edges = s->successors.edges, .positions = s->successors.positions, .bare = true};
    uint32_t count = w->expand(w->v, p, out);
    best beyond = best_none;
    bool open = false;
    for (uint32_t i = 0; i < count; i++) {
        const holos_position *next = position_at(w->v, out.positions, i);
        if (beyond_take(w, out.edges[i], next, &beyond) || open)
            continue;
        holos_key key = w->key(w->v, next);
        if (wave_owns(w, key))
            open = best_is_open(w, best_of(out.edges[i], told_all(w, wave_tell(w, key))));
    }
    if (open)
        *changed = beyond.lo > INT32_MIN && node_narrow(w, n, beyond.lo, w->v->score_max);
    return open;
}

bool wave_value_told(const holos_wave *w, const holos_position *p, const holos_edge *edges,
                     const wave_told *told, uint32_t count, wave_node *n, wave_scratch *s)
{
    s->recomputed++;
    if (w->scope.limited)
        return value_above(w, p, told, true, n, s);
    return wave_value_among(w, edges, told, count, n);
}

/* ---- Sweeps ------------------------------------------------------------------------------------ */

typedef struct sweep {
    holos_wave *w;
    const layer *at;
    layer_chunk *chunks;
} sweep;

/* Nodes of a batch: expanded one after the other, then valued, so that looking up the successors of the
 * first overlaps with expanding the last. */
static void batch_value(const holos_wave *w, const holos_key *keys, node_at *at, unsigned count,
                        wave_scratch *s)
{
    uint32_t begin[WAVE_BATCH + 1] = {0};
    for (unsigned i = 0; i < count; i++) {
        wave_position(w, keys[i], s->position);
        begin[i + 1] = begin[i] + value_expand(w, s->position, s, begin[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        wave_node n = node_load(at[i]);
        uint32_t first = begin[i];
        s->recomputed++;
        if (!value_from(w, s->successors.edges + first, s->successors.keys + first, begin[i + 1] - first, &n))
            continue;
        s->changed++;
        s->solved += node_is_solved(n);
        node_store(at[i], n);
    }
}

/* A sweep that is cut short loses nothing but what it would have found: intervals only narrow. */
bool wave_sweep_is_cut(const holos_wave *w)
{
    return (w->sweep_until < CLOCK_NEVER && clock_wall() >= w->sweep_until) ||
           (!w->sweep_last && holos_stop_asked(w->options.limits.stop));
}

static void sweep_chunk(void *context, uint64_t index, unsigned worker)
{
    const sweep *sw = context;
    const holos_wave *w = sw->w;
    wave_scratch *s = &w->scratch[worker];
    if (wave_sweep_is_cut(w))
        return;
    layer_chunk c = sw->chunks[index];
    holos_key ahead[WAVE_BATCH], keys[WAVE_BATCH];
    node_at at[WAVE_BATCH];
    for (unsigned batch = 1; batch > 0;) {
        for (batch = 0; batch < WAVE_BATCH && chunk_next(&w->forward, sw->at, &c, &ahead[batch]); batch++)
            nodes_prefetch(&w->nodes, ahead[batch]);
        unsigned open = 0;
        for (unsigned i = 0; i < batch; i++) {
            node_at place = nodes_find(&w->nodes, ahead[i]);
            wave_node n = node_load(place);
            /* A node that was never expanded has no successors among the nodes, or few. */
            if (node_is_solved(n) || (n.flags & NODE_EXPANDED) == 0)
                continue;
            keys[open] = ahead[i];
            at[open++] = place;
        }
        batch_value(w, keys, at, open, s);
    }
}

/* One pass from the deepest layer to the first; returns how many intervals changed. */
static uint64_t sweep_pass(holos_wave *w)
{
    uint64_t changed = 0, solved = 0, recomputed = 0;
    for (unsigned depth = w->forward.depth; depth-- > 0;) {
        layer *at = w->forward.at[depth];
        size_t count = layers_cut(at, true, SWEEP_CHUNK, NULL, 0);
        if (count == 0)
            continue;
        sweep sw = {.w = w, .at = at, .chunks = mem_alloc(NULL, count * sizeof *sw.chunks)};
        if (sw.chunks == NULL)
            break; /* nothing is lost but time: the next sweep does it */
        layers_cut(at, true, SWEEP_CHUNK, sw.chunks, count);
        pool_run(w->threads, count, sweep_chunk, &sw);
        mem_free(NULL, sw.chunks, count * sizeof *sw.chunks);
    }
    for (unsigned i = 0; i < pool_threads(w->threads); i++) {
        wave_scratch *s = &w->scratch[i];
        changed += s->changed;
        solved += s->solved;
        recomputed += s->recomputed;
        s->changed = s->solved = s->recomputed = 0;
    }
    w->statistics.sweeps++;
    w->statistics.solved += solved;
    w->statistics.minimax_solved += solved;
    w->statistics.recomputed += recomputed;
    return changed;
}

bool wave_sweep(holos_wave *w)
{
    double began = clock_wall();
    uint64_t passes = 1;
    while (sweep_pass(w) > 0 && !w->layered && !wave_sweep_is_cut(w))
        passes++;
    double took = clock_wall() - began;
    w->swept_positions = w->statistics.positions;
    w->sweep_seconds = took / (double)passes / (double)(w->statistics.positions + 1);
    w->statistics.propagation_seconds += took;
    return !wave_sweep_is_cut(w);
}
