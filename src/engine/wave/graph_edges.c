/* SPDX-License-Identifier: MIT */

/* Values of a graph by its recorded edges.
 *
 * Where edges lead from a layer to the next one (connect4), one pass from the last layer to the first values everything: edges
 * are read in their order, and values are fetched well ahead. Where they lead to any layer (kalah), that order leaves 95 % of
 * the nodes without a value, so threads dive: a node needs the values of its successors; one that has none is claimed and
 * valued first, and what that needs, on a stack. Each thread works at a number of stacks (lanes) in turn, so that while one
 * waits for memory the others go on. In a graph without cycles nobody waits for ever. */

#include "core/list.h"
#include "engine/wave/edges.h"
#include "engine/wave/graph_node.h"

#include <stdlib.h>

#define LANES     16   /* 32 or 64 are no faster on kalah:4,3 */
#define STOP_EACH 4096 /* turns of a thread between two looks at the stop flag: some milliseconds */

/* A node that is being valued. */
typedef struct dive_frame {
    edge_record *node;
    uint32_t edge, end; /* edges before this one have been looked at */
    int16_t most;
    uint16_t best;    /* an edge, from the first */
    bool has_fetched; /* the records of its successors */
} dive_frame;

/* A stack: each node on it is a successor of the one below. */
typedef struct lane {
    dive_frame *frames;
    size_t count, room;
} lane;

typedef struct diver {
    lane lanes[LANES];
} diver;

typedef struct sweep {
    holos_wave *w;
    wave_edges *e;
    progress *progress;
    unsigned depth;               /* of the layer in hand */
    uint32_t begin[NODES_SHARDS]; /* its numbers */
    diver *divers;                /* one a thread */
    _Atomic bool no_memory, stopped;
} sweep;

/* Scores include what is banked, so an edge's gain does not count. */
static int16_t edge_worth(graph_edge edge, int16_t value)
{
    return (edge & EDGE_SAME_SIDE) != 0 ? value : (int16_t)-value;
}

/* Which move the edge of this place is, + 1. */
static uint16_t best_move(unsigned moves, unsigned place)
{
    while (place-- > 0)
        moves &= moves - 1;
    return (uint16_t)(__builtin_ctz(moves) + 1);
}

static size_t shard_count(const sweep *s, uint64_t shard)
{
    return s->w->nodes.shards[shard].count;
}

/* Whether somebody asks to stop. */
static void sweep_look(sweep *s)
{
    if (holos_stop_asked(s->w->options.limits.stop))
        s->stopped = true;
}

/* ---- Layer by layer ---------------------------------------------------------------------------- */

/* Values a node whose successors all have values. */
static void node_value(const wave_edges *e, edge_record *node)
{
    const graph_edge *edges = e->edges + node->first;
    unsigned best = 0, count = (unsigned)__builtin_popcount(node->moves);
    int16_t most = INT16_MIN;
    for (unsigned i = 0; i < count; i++) {
        __builtin_prefetch(edge_target(e, edges[i + EDGES_AHEAD]));
        int16_t score = edge_worth(edges[i], edge_target(e, edges[i])->value);
        best = score > most ? i : best;
        most = score > most ? score : most;
    }
    node->value = most;
    node->moves = best_move(node->moves, best);
}

static void shard_sweep(void *context, uint64_t shard, unsigned worker)
{
    (void)worker;
    sweep *s = context;
    sweep_look(s);
    if (s->stopped)
        return;
    edge_record *node = s->e->records[shard] + s->begin[shard];
    size_t count = s->w->forward.at[s->depth]->lists[shard].count;
    for (const edge_record *end = node + count; node != end; node++)
        if (node->moves != 0)
            node_value(s->e, node);
    progress_add(s->progress, count);
}

static void sweep_layers(sweep *s)
{
    const layers *l = &s->w->forward;
    for (unsigned i = 0; i < NODES_SHARDS; i++)
        s->begin[i] = (uint32_t)shard_count(s, i);
    for (s->depth = l->depth; s->depth-- > 0 && !s->stopped;) {
        for (unsigned i = 0; i < NODES_SHARDS; i++)
            s->begin[i] -= (uint32_t)l->at[s->depth]->lists[i].count;
        pool_run(s->w->threads, NODES_SHARDS, shard_sweep, s);
    }
}

/* ---- Diving ------------------------------------------------------------------------------------ */

/* Puts a node on top, unless somebody else has claimed it or its value is known. */
static void lane_push(sweep *s, lane *l, edge_record *node)
{
    int16_t unknown = EDGES_UNKNOWN;
    if (!__atomic_compare_exchange_n(&node->value, &unknown, EDGES_CLAIMED, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED))
        return;
    if (!LIST_RESERVE(l->frames, l->room, l->count + 1)) {
        s->no_memory = true;
        return;
    }
    uint32_t end = node->first + (uint32_t)__builtin_popcount(node->moves);
    __builtin_prefetch(&s->e->edges[node->first]);
    __builtin_prefetch(&s->e->edges[end - 1]);
    l->frames[l->count++] = (dive_frame){.node = node, .edge = node->first, .end = end, .most = INT16_MIN};
}

/* Values the top by its successors: true. False: it needs another node, which may be on top now. */
static bool top_value(sweep *s, lane *l)
{
    dive_frame *f = &l->frames[l->count - 1];
    for (; f->edge < f->end; f->edge++) {
        graph_edge edge = s->e->edges[f->edge];
        edge_record *next = edge_target(s->e, edge);
        int16_t value = __atomic_load_n(&next->value, __ATOMIC_RELAXED);
        if (value <= EDGES_CLAIMED) {
            if (value == EDGES_UNKNOWN)
                lane_push(s, l, next);
            return false;
        }
        int16_t score = edge_worth(edge, value);
        if (score > f->most) {
            f->most = score;
            f->best = (uint16_t)(f->edge - f->node->first);
        }
    }
    f->node->moves = best_move(f->node->moves, f->best);
    __atomic_store_n(&f->node->value, f->most, __ATOMIC_RELAXED);
    l->count--;
    return true;
}

/* Goes on until the lane waits for memory, or for somebody else. */
static void lane_step(sweep *s, lane *l)
{
    while (l->count > 0) {
        dive_frame *f = &l->frames[l->count - 1];
        if (!f->has_fetched) {
            for (uint32_t edge = f->edge; edge < f->end; edge++)
                __builtin_prefetch(edge_target(s->e, s->e->edges[edge]));
            f->has_fetched = true;
            return;
        }
        if (!top_value(s, l))
            return;
    }
}

/* An empty lane takes a node of the shard; those from *left on have been taken. False: there is none. */
static bool lane_begin(sweep *s, lane *l, uint64_t shard, size_t *left)
{
    while (l->count == 0 && *left > 0 && !s->no_memory)
        lane_push(s, l, s->e->records[shard] + --*left);
    return l->count > 0;
}

static void shard_dive(void *context, uint64_t shard, unsigned worker)
{
    sweep *s = context;
    size_t left = shard_count(s, shard);
    uint64_t turns = 0;
    for (bool open = true; open && !s->no_memory && !s->stopped;) {
        open = false;
        if (turns++ % STOP_EACH == 0) /* a dive may go through the whole graph */
            sweep_look(s);
        for (unsigned i = 0; i < LANES; i++) {
            lane *l = &s->divers[worker].lanes[i];
            if (l->count == 0 && !lane_begin(s, l, shard, &left))
                continue;
            open = true;
            lane_step(s, l);
        }
    }
    progress_add(s->progress, shard_count(s, shard));
}

static void sweep_dive(sweep *s)
{
    unsigned threads = pool_threads(s->w->threads);
    s->divers = calloc(threads, sizeof *s->divers);
    s->no_memory = s->divers == NULL;
    if (!s->no_memory)
        pool_run(s->w->threads, NODES_SHARDS, shard_dive, s);
    for (unsigned i = 0; s->divers != NULL && i < threads * LANES; i++)
        free(s->divers[i / LANES].lanes[i % LANES].frames);
    free(s->divers);
}

/* ---- All of it --------------------------------------------------------------------------------- */

/* The nodes of a shard get their values in place of their numbers. */
static void shard_end(void *context, uint64_t shard, unsigned worker)
{
    (void)worker;
    const sweep *s = context;
    node_at at;
    for (size_t i = 0; (at = nodes_next_in_memory(&s->w->nodes, (unsigned)shard, &i)) != NULL;) {
        wave_node reached = node_load(at);
        const edge_record *record = &s->e->records[shard][node_number(reached)];
        graph_store(at, (graph_node){.value = record->value,
                                     .best = record->moves,
                                     .depth = reached.depth,
                                     .known = GRAPH_KNOWN,
                                     .flags = reached.flags});
    }
}

holos_status graph_solve_edges(holos_wave *w, progress *shown, holos_error *err)
{
    sweep s = {.w = w, .e = w->edges, .progress = shown};
    wave_round_close(w);
    layers_forget_keys(&w->forward);
    edges_gather(w);
    progress_begin(shown, "values", "positions", w->statistics.positions);
    if (w->layered)
        sweep_layers(&s);
    else
        sweep_dive(&s);
    if (!s.no_memory && !s.stopped)
        pool_run(w->threads, NODES_SHARDS, shard_end, &s);
    progress_end(shown);
    layers_free(&w->forward);
    edges_free(w);
    if (s.stopped)
        return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
    if (s.no_memory)
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, GRAPH_NO_MEMORY);
    return HOLOS_OK;
}
