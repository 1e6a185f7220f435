/* SPDX-License-Identifier: MIT */

/* Values of a whole graph, by its recorded edges (graph_edges.c) or, where there are none, by looking successors up.
 *
 * Threads that look them up take the nodes as they lie there: of a graph whose edges lead to any layer (kalah), layers are
 * no better an order. A position needs the values of its successors; one that has none is claimed and valued first, and
 * what that needs, on a stack. Each thread works at a number of stacks (lanes) in turn, so that while one waits for memory
 * the others go on. A position is claimed by one lane only, so each is expanded once; who needs what somebody else has
 * claimed comes back later. In a graph without cycles nobody waits for ever. */

#include "engine/wave/graph.h"

#include "core/list.h"
#include "engine/wave/edges.h"
#include "engine/wave/graph_node.h"
#include "engine/wave/runs.h"

#include <stdlib.h>

#define LANES     16
#define STOP_EACH 4096 /* positions between two looks at the stop flag */

/* A position that is being valued, and its successors. */
typedef struct solve_frame {
    node_at at;
    uint32_t first, count; /* of its successors, in the lane's lists */
    uint32_t next;         /* those before it are known */
    int32_t best_score;
    holos_move best;
} solve_frame;

typedef struct successor {
    holos_key key;
    node_at at; /* NULL: not looked up yet */
    holos_move move;
    bool same_side;
} successor;

/* A stack: each position on it is a successor of the one below. */
typedef struct lane {
    solve_frame *frames;
    size_t frame_count, frame_room;
    successor *successors;
    size_t used, room;
} lane;

typedef struct solving {
    holos_wave *w;
    struct solver *solvers;
    progress *progress;
    size_t depths;                             /* whose successors are counted; 0: nobody asks */
    _Atomic bool no_memory, too_wide, stopped; /* what ends it early */
} solving;

/* What a thread works with. */
typedef struct solver {
    solving *all;
    holos_position *here;
    holos_edges out;     /* of one position */
    uint64_t *generated; /* NULL, or successors by depth */
    lane lanes[LANES];
} solver;

holos_status graph_supports(const holos_variant *v, holos_error *err)
{
    const holos_game *game = v->game;
    if (game->start == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "%s has no start position, so it has no graph", v->name);
    if (game->from_identity == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "the graph of %s cannot be kept: its positions do not fit into a key", v->name);
    if ((game->traits & HOLOS_TRAIT_CYCLIC) != 0)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "%s can repeat positions: its graph has no values", v->name);
    return HOLOS_OK;
}

/* From the start, or from where an earlier run paused. */
static holos_status reach_begin(holos_wave *w, const holos_position *start, const char *from,
                                holos_error *err)
{
    holos_status status = from != NULL ? holos_wave_load(w, from, err) : HOLOS_USAGE;
    if (status == HOLOS_INTERRUPTED || (status == HOLOS_OK && w->seed_count == 1))
        return status;
    holos_wave_seed seed = {.position = start, .direction = HOLOS_WAVE_FORWARD};
    holos_wave_reset(w);
    return holos_wave_add(w, &seed, err);
}

static holos_status reach_run(holos_wave *w, const graph_pauses *pauses, const holos_stop *stop,
                              holos_error *err)
{
    for (;;) {
        holos_limits limits = {.seconds = pauses != NULL ? pauses->seconds : 0, .stop = stop};
        holos_wave_limit(w, &limits);
        holos_status status = holos_wave_run(w, HOLOS_WAVE_WAVE, err);
        bool paused = status == HOLOS_LIMIT && strcmp(w->limits.reached, LIMITS_TIME) == 0;
        if (pauses != NULL && (paused || status == HOLOS_INTERRUPTED)) {
            holos_error failure;
            holos_status kept = pauses->pause(pauses->context, w, &failure);
            if (kept != HOLOS_OK && kept != HOLOS_INTERRUPTED) {
                *err = failure;
                return kept;
            }
        }
        if (!paused)
            return status;
    }
}

holos_status graph_reach(const holos_variant *v, const holos_wave_options *options, mem_budget *budget,
                         uint64_t expected, const graph_pauses *pauses, holos_wave **out, holos_error *err)
{
    holos_wave_options o = *options;
    o.graph = o.unfolded = o.all_moves = true;
    o.limits.memory = budget->limit;
    *out = NULL;
    holos_position *start = holos_position_new(v);
    holos_status status = start == NULL ? error_system(err, "the graph") : holos_start(v, start, err);
    if (status == HOLOS_OK)
        status = wave_open_within(v, &o, budget, NULL, out, err);
    if (status == HOLOS_OK) {
        (*out)->once = true; /* one seed, no limit of depth */
        (*out)->nodes.expected = expected;
        status = reach_begin(*out, start, pauses != NULL ? pauses->from : NULL, err);
    }
    if (status == HOLOS_OK && !(*out)->loaded)
        edges_open(*out);
    if (status == HOLOS_OK)
        status = reach_run(*out, pauses, options->limits.stop, err);
    holos_position_free(start);
    return status;
}

bool graph_went_on(const holos_wave *w)
{
    return w->loaded;
}

/* ---- One position ------------------------------------------------------------------------------ */

/* Writes what a position is worth that has been looked at in full; `best` NULL: the game is over. */
static void node_settle(solving *all, node_at at, int32_t value, const holos_move *best)
{
    graph_node n = graph_load(at);
    if (best != NULL && *best >= UINT16_MAX) {
        all->too_wide = true;
        return;
    }
    n.value = (int16_t)value;
    n.best = best != NULL ? (uint16_t)(*best + 1) : 0;
    n.known = GRAPH_KNOWN;
    graph_store(at, n);
}

/* False: somebody else has, or it is known already. */
static bool node_claim(node_at at, graph_node n)
{
    if (n.known == GRAPH_KNOWN || n.known == GRAPH_CLAIMED)
        return false;
    uint64_t before, after;
    memcpy(&before, &n, sizeof before);
    n.known = GRAPH_CLAIMED;
    memcpy(&after, &n, sizeof after);
    return __atomic_compare_exchange_n(at, &before, after, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Puts a claimed position on top of the lane, and fetches its successors' nodes; or values it at once, if the game is
 * over there. */
static void lane_push(solver *s, lane *l, node_at at, holos_key key)
{
    const holos_wave *w = s->all->w;
    const holos_variant *v = w->v;
    wave_position(w, key, s->here);
    uint32_t count = v->game->expand(v, s->here, s->out);
    if (s->generated != NULL)
        s->generated[graph_load(at).depth] += count;
    if (count == 0) {
        int32_t score;
        v->game->terminal(v, s->here, &score);
        node_settle(s->all, at, score + game_banked(v, s->here), NULL);
        return;
    }
    if (!LIST_RESERVE(l->frames, l->frame_room, l->frame_count + 1) ||
        !LIST_RESERVE(l->successors, l->room, l->used + count)) {
        s->all->no_memory = true;
        return;
    }
    l->frames[l->frame_count++] =
        (solve_frame){.at = at, .first = (uint32_t)l->used, .count = count, .best_score = INT32_MIN};
    for (uint32_t i = 0; i < count; i++) {
        holos_key next = v->game->identity(v, position_at(v, s->out.positions, i));
        nodes_prefetch(&w->nodes, next);
        l->successors[l->used++] =
            (successor){.key = next,
                        .move = s->out.edges[i].move,
                        .same_side = (s->out.edges[i].flags & HOLOS_EDGE_SAME_SIDE) != 0};
    }
}

/* Values the position on top of the lane by its successors: true. False: it needs another one, which may be on top
 * now. */
static bool top_value(solver *s, lane *l)
{
    solve_frame *f = &l->frames[l->frame_count - 1];
    for (; f->next < f->count; f->next++) {
        successor *next = &l->successors[f->first + f->next];
        if (next->at == NULL)
            next->at = nodes_find(&s->all->w->nodes, next->key);
        graph_node child = graph_load(next->at);
        if (child.known != GRAPH_KNOWN) {
            if (node_claim(next->at, child))
                lane_push(s, l, next->at, next->key);
            return false;
        }
        /* Scores include what is banked, so an edge's gain does not count. */
        int32_t score = next->same_side ? child.value : -child.value;
        if (score > f->best_score) {
            f->best_score = score;
            f->best = next->move;
        }
    }
    node_settle(s->all, f->at, f->best_score, &f->best);
    l->used = f->first;
    l->frame_count--;
    return true;
}

/* ---- All positions ----------------------------------------------------------------------------- */

/* The nodes of a shard that have not been looked at. */
typedef struct root_queue {
    unsigned shard;
    size_t index;
    uint64_t taken;
} root_queue;

static bool solving_ends(const solving *all)
{
    return all->no_memory || all->too_wide || all->stopped;
}

/* An empty lane takes a position that nobody has claimed. False: there is none. */
static bool lane_begin(solver *s, lane *l, root_queue *q)
{
    const nodes *n = &s->all->w->nodes;
    node_at at = NULL;
    while (l->frame_count == 0 && (at = nodes_next(n, q->shard, &q->index)) != NULL) {
        if (++q->taken % STOP_EACH == 0) {
            progress_add(s->all->progress, STOP_EACH);
            if (holos_stop_asked(s->all->w->options.limits.stop))
                s->all->stopped = true;
        }
        if (node_claim(at, graph_load(at)))
            lane_push(s, l, at, slot_key(n, at));
    }
    return l->frame_count > 0;
}

static void shard_solve(void *context, uint64_t shard, unsigned worker)
{
    solving *all = context;
    solver *s = &all->solvers[worker];
    root_queue q = {.shard = (unsigned)shard};
    for (bool open = true; open && !solving_ends(all);) {
        open = false;
        for (unsigned i = 0; i < LANES; i++) {
            lane *l = &s->lanes[i];
            if (l->frame_count == 0 && !lane_begin(s, l, &q))
                continue;
            open = true;
            while (l->frame_count > 0 && top_value(s, l))
                ;
        }
    }
    progress_add(all->progress, q.taken % STOP_EACH);
}

static bool solver_init(solver *s, solving *all)
{
    const holos_variant *v = all->w->v;
    *s = (solver){.all = all, .here = holos_position_new(v)};
    s->out.edges = malloc(v->max_successors * sizeof *s->out.edges);
    s->out.positions = aligned_alloc(16, v->max_successors * v->position_size);
    s->out.bare = true;
    if (all->depths > 0)
        s->generated = calloc(all->depths, sizeof *s->generated);
    return s->here != NULL && s->out.edges != NULL && s->out.positions != NULL &&
           (all->depths == 0 || s->generated != NULL);
}

static void solver_free(solver *s)
{
    holos_position_free(s->here);
    free(s->generated);
    free(s->out.edges);
    free(s->out.positions);
    for (unsigned i = 0; i < LANES; i++) {
        free(s->lanes[i].frames);
        free(s->lanes[i].successors);
    }
}

static holos_status solving_status(const solving *all, holos_error *err)
{
    if (all->no_memory)
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, GRAPH_NO_MEMORY);
    if (all->too_wide)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "the graph of %s cannot be kept: its moves do not fit into 16 bits",
                         all->w->v->name);
    if (all->stopped)
        return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
    return HOLOS_OK;
}

holos_status graph_settle_down(holos_wave *w, holos_error *err)
{
    layers_free(&w->forward);
    wave_round_close(w);
    if (w->nodes.runs == NULL) {
        nodes_gather(&w->nodes, w->threads);
        return HOLOS_OK;
    }
    wave_spill(w, NULL, err);
    return nodes_runs_merge(&w->nodes, w->options.spill, err);
}

/* Without recorded edges. */
static holos_status solve_by_looking(holos_wave *w, progress *shown, uint64_t *generated, size_t depths,
                                     holos_error *err)
{
    unsigned threads = pool_threads(w->threads);
    holos_status status = graph_settle_down(w, err);
    if (status != HOLOS_OK)
        return status;
    solving all = {.w = w,
                   .progress = shown,
                   .depths = generated != NULL ? depths : 0,
                   .solvers = calloc(threads, sizeof *all.solvers)};
    bool ready = all.solvers != NULL;
    for (unsigned i = 0; ready && i < threads; i++)
        ready = solver_init(&all.solvers[i], &all);
    progress_begin(shown, "values", "positions", w->statistics.positions);
    if (ready)
        pool_run(w->threads, NODES_SHARDS, shard_solve, &all);
    progress_end(shown);
    status = ready ? solving_status(&all, err) : error_system(err, "the values of the graph");
    for (unsigned i = 0; all.solvers != NULL && i < threads; i++) {
        for (size_t depth = 0; ready && generated != NULL && depth < all.depths; depth++)
            generated[depth] += all.solvers[i].generated[depth];
        solver_free(&all.solvers[i]);
    }
    free(all.solvers);
    return status;
}

holos_status graph_solve(holos_wave *w, progress *shown, uint64_t *generated, size_t depths, holos_error *err)
{
    if (w->edges != NULL && generated == NULL)
        return graph_solve_edges(w, shown, err);
    edges_drop(w);
    return solve_by_looking(w, shown, generated, depths, err);
}

/* ---- What came out ----------------------------------------------------------------------------- */

typedef struct counting {
    const holos_wave *w;
    _Atomic uint64_t finished, values[256];
} counting;

static void shard_count(void *context, uint64_t shard, unsigned worker)
{
    (void)worker;
    counting *c = context;
    graph_counts counts = {0};
    node_at at;
    for (size_t i = 0; (at = nodes_next(&c->w->nodes, (unsigned)shard, &i)) != NULL;) {
        graph_node n = graph_load(at);
        int32_t byte = HOLOS_BYTE_ZERO + n.value;
        if (n.known != GRAPH_KNOWN)
            continue;
        counts.finished += n.best == 0;
        counts.values[byte < 0 ? 0 : byte > 255 ? 255 : byte]++;
    }
    c->finished += counts.finished;
    for (unsigned i = 0; i < 256; i++)
        c->values[i] += counts.values[i];
}

void graph_count(const holos_wave *w, graph_counts *out)
{
    counting c = {.w = w};
    pool_run(w->threads, NODES_SHARDS, shard_count, &c);
    out->finished = c.finished;
    for (unsigned i = 0; i < 256; i++)
        out->values[i] = c.values[i];
}

bool graph_find(const holos_wave *w, holos_key identity, holos_row *out)
{
    node_at at = nodes_find(&w->nodes, identity);
    if (at != NULL)
        *out = graph_row(identity, graph_load(at));
    return at != NULL;
}

void graph_start(const holos_wave *w, holos_row *out)
{
    graph_find(w, w->seeds[0].key, out);
}
