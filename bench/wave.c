/* SPDX-License-Identifier: MIT */

/* The speed of waves.
 *
 * Layers: Connect Four, breadth first from the empty board, all positions and mirror pairs; the rate counts new
 * positions, per second of CPU time (one core) and of wall time (all threads). A count that differs from the
 * published one is an error.
 *
 * Flow: three ways to bring values from the last layer back to the first, over the same positions: expanding each
 * position again and looking its successors up, which is what the engine does; pushing along predecessors, with a
 * count of open successors in each position; and following edges kept in memory.
 *
 * Sudoku: how many expansions the modes need for the same puzzles. */

#include "bench.h"

#include "core/assert.h"
#include "core/clock.h"
#include "core/table.h"
#include "engine/wave/wave.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Layers ------------------------------------------------------------------------------------ */

static const uint64_t plies[] = {1,     7,      49,     238,     1120,    4263,    16422,
                                 54859, 184275, 558186, 1662623, 4568683, 12236101};
/* One of each pair of mirror images. */
static const uint64_t folded_plies[] = {1,     4,     25,     121,    568,     2144,   8231,
                                        27473, 92244, 279241, 831581, 2284733, 6118941};

static holos_status wave_start(bench_context *c, const char *game, const holos_wave_options *o,
                               holos_variant **v, holos_wave **w, const char *position)
{
    holos_status status = holos_open(game, v, &c->error);
    if (status != HOLOS_OK)
        return status;
    holos_position *p = holos_position_new(*v);
    if (p == NULL)
        return error_system(&c->error, "a position");
    holos_wave_options stoppable = *o;
    stoppable.limits.stop = c->stop;
    status = holos_parse(*v, position, p, &c->error);
    if (status == HOLOS_OK)
        status = holos_wave_open(*v, &stoppable, w, &c->error);
    if (status == HOLOS_OK)
        status = holos_wave_add(*w, &(holos_wave_seed){.position = p}, &c->error);
    holos_position_free(p);
    return status;
}

/* Runs the wave one ply further. */
static holos_status ply_measure(bench_context *c, holos_wave *w, unsigned ply, bool folded)
{
    char name[64];
    assert(w != NULL);
    double begin = clock_cpu();
    w->layer_cap = ply; /* options hold for the life of a wave; the cap may grow between runs */
    holos_status status = holos_wave_run(w, HOLOS_WAVE_WAVE, &c->error);
    if (status != HOLOS_OK)
        return status;
    double seconds = clock_cpu() - begin;
    uint64_t count = holos_wave_layer_at(w, ply).positions;
    uint64_t expected = folded ? folded_plies[ply] : plies[ply];
    if (count != expected)
        return error_set(&c->error, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                         "ply %u has %llu positions instead of %llu", ply, (unsigned long long)count,
                         (unsigned long long)expected);
    snprintf(name, sizeof name, "%s, ply %u", folded ? "mirror pairs" : "all positions", ply);
    return ply < 7 ? HOLOS_OK : bench_report(c, name, count, seconds, "positions/s per core", 0);
}

static holos_status layers_measure(bench_context *c, bool folded)
{
    unsigned last = c->quick ? 8 : 12;
    holos_wave_options o = {.graph = true,
                            .unfolded = !folded,
                            .threads = c->threads > 0 ? c->threads : pool_processors(),
                            .limits = {.memory = (size_t)4 << 30}};
    holos_variant *v = NULL;
    holos_wave *w = NULL;
    holos_status status = wave_start(c, "connect4", &o, &v, &w, "start");
    double cpu = clock_cpu(), wall = clock_wall();
    for (unsigned ply = 1; status == HOLOS_OK && ply <= last; ply++)
        status = ply_measure(c, w, ply, folded);
    if (status == HOLOS_OK) {
        char name[64];
        holos_wave_statistics s;
        holos_wave_statistics_get(w, &s);
        const char *what = folded ? "mirror pairs" : "all positions";
        cpu = clock_cpu() - cpu;
        wall = clock_wall() - wall;
        snprintf(name, sizeof name, "%s, plies 0 to %u", what, last);
        status = bench_report(c, name, s.positions, cpu, "positions/s per core", s.forward_expanded);
        snprintf(name, sizeof name, "%s, on %u thread%s", what, o.threads, o.threads == 1 ? "" : "s");
        if (status == HOLOS_OK)
            status =
                bench_figure(c, name, s.positions, (double)s.positions / wall, "positions/s of wall time");
        snprintf(name, sizeof name, "%s, memory", what);
        if (status == HOLOS_OK)
            status = bench_figure(c, name, s.positions, (double)s.bytes / (double)s.positions,
                                  "bytes/position at peak");
    }
    holos_wave_close(w);
    holos_close(v);
    return status;
}

/* ---- Flow -------------------------------------------------------------------------------------- */

typedef struct flow {
    holos_wave *w;
    wave_scratch *s;
    uint64_t edges;
} flow;

/* Looked at before each list: what is left out then is not measured either. */
static bool flow_stops(const flow *f)
{
    return holos_stop_asked(f->w->options.limits.stop);
}

/* Calls `visit` for every position, from the last layer to the first. */
static void flow_each(flow *f, void (*visit)(flow *f, holos_key key, node_at at))
{
    assert(f->w != NULL);
    const layers *l = &f->w->forward;
    for (unsigned depth = l->depth; depth-- > 0;)
        for (unsigned shard = 0; shard < NODES_SHARDS && !flow_stops(f); shard++) {
            const key_list *list = &l->at[depth]->lists[shard];
            for (size_t i = 0; i < list->count; i++) {
                holos_key key = list_key(l, list, i);
                visit(f, key, nodes_find(&f->w->nodes, key));
            }
        }
}

static void visit_reset(flow *f, holos_key key, node_at at)
{
    (void)key;
    wave_node n = node_load(at), fresh = wave_unknown(f->w, n.flags, n.depth);
    node_store(at, fresh);
}

/* The engine's way. */
static void visit_expand(flow *f, holos_key key, node_at at)
{
    wave_node n = node_load(at);
    wave_position(f->w, key, f->s->position);
    if (!wave_known(f->w, f->s->position, &n, f->s))
        wave_value(f->w, f->s->position, &n, f->s);
    node_store(at, n);
}

/* Along predecessors: `lo` is the best value so far, `depth` counts the successors that are open. */
static void visit_count(flow *f, holos_key key, node_at at)
{
    wave_node n = node_load(at);
    wave_position(f->w, key, f->s->position);
    n.depth = (uint16_t)f->w->expand(f->w->v, f->s->position, (holos_edges){0});
    node_store(at, n);
}

static void visit_push(flow *f, holos_key key, node_at at)
{
    wave_node n = node_load(at);
    const holos_variant *v = f->w->v;
    wave_position(f->w, key, f->s->position);
    wave_known(f->w, f->s->position, &n, f->s);
    n.hi = n.lo;
    node_store(at, n);
    uint32_t count = v->game->back->predecessors(v, f->s->position, f->s->predecessors);
    for (uint32_t i = 0; i < count; i++) {
        holos_position *p = position_at(v, f->s->predecessors.positions, i);
        node_at above = nodes_find(&f->w->nodes, f->w->key(v, p));
        if (above == NULL)
            continue; /* it cannot be reached */
        wave_node parent = node_load(above);
        int32_t score = edge_score(f->s->predecessors.edges[i], n.lo);
        parent.lo = (int16_t)(score > parent.lo ? score : parent.lo);
        parent.depth--;
        node_store(above, parent);
    }
}

/* Edges in memory: the successors of each position, one after the other. */
typedef struct edge_list {
    node_at *to;
    uint64_t *begin;
    uint64_t count, positions;
} edge_list;

static bool edges_collect(flow *f, edge_list *e)
{
    holos_wave *w = f->w;
    uint64_t room = w->statistics.generated + 1;
    e->to = malloc(room * sizeof *e->to);
    e->begin = malloc((w->statistics.positions + 1) * sizeof *e->begin);
    if (e->to == NULL || e->begin == NULL)
        return false;
    const layers *l = &w->forward;
    for (unsigned depth = l->depth; depth-- > 0;)
        for (unsigned shard = 0; shard < NODES_SHARDS && !flow_stops(f); shard++) {
            const key_list *list = &l->at[depth]->lists[shard];
            for (size_t i = 0; i < list->count; i++) {
                holos_edges out = {.positions = f->s->successors.positions};
                wave_position(w, list_key(l, list, i), f->s->position);
                uint32_t count = w->expand(w->v, f->s->position, out);
                e->begin[e->positions++] = e->count;
                for (uint32_t k = 0; k < count; k++)
                    e->to[e->count++] =
                        nodes_find(&w->nodes, w->key(w->v, position_at(w->v, out.positions, k)));
            }
        }
    e->begin[e->positions] = e->count;
    return true;
}

/* In Connect Four every move passes the turn and gains nothing, so an edge only changes the sign. */
static void edges_flow(flow *f, const edge_list *e)
{
    const layers *l = &f->w->forward;
    uint64_t index = 0;
    for (unsigned depth = l->depth; depth-- > 0;)
        for (unsigned shard = 0; shard < NODES_SHARDS && !flow_stops(f); shard++) {
            const key_list *list = &l->at[depth]->lists[shard];
            for (size_t i = 0; i < list->count; i++, index++) {
                holos_key key = list_key(l, list, i);
                node_at at = nodes_find(&f->w->nodes, key);
                wave_node n = node_load(at);
                if (e->begin[index] == e->begin[index + 1]) {
                    wave_position(f->w, key, f->s->position);
                    wave_known(f->w, f->s->position, &n, f->s);
                }
                for (uint64_t k = e->begin[index]; k < e->begin[index + 1]; k++) {
                    int16_t score = (int16_t)-node_load(e->to[k]).lo;
                    n.lo = score > n.lo ? score : n.lo;
                }
                n.hi = n.lo;
                node_store(at, n);
            }
        }
}

static int16_t root_value(const holos_wave *w)
{
    return node_load(nodes_find(&w->nodes, w->seeds[0].key)).lo;
}

static holos_status flow_report(bench_context *c, flow *f, const char *name, double seconds, double bytes)
{
    uint64_t n = f->w->statistics.positions;
    if (!flow_stops(f) && root_value(f->w) != 0)
        return error_set(&c->error, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s: the board should be worth 0, not %d",
                         name, root_value(f->w));
    holos_status status = bench_report(c, name, n, seconds, "positions/s per core", 0);
    char memory[96];
    snprintf(memory, sizeof memory, "%s, memory", name);
    return status == HOLOS_OK ? bench_figure(c, memory, n, bytes, "bytes/position beside the table") : status;
}

static holos_status flow_measure(bench_context *c)
{
    holos_wave_options o = {.unfolded = true, .limits = {.memory = (size_t)4 << 30}};
    holos_variant *v = NULL;
    holos_wave *w = NULL;
    holos_status status = wave_start(c, c->quick ? "connect4:4x4" : "connect4:5x4", &o, &v, &w, "start");
    if (status == HOLOS_OK && w != NULL) {
        w->options.graph = true; /* reach everything first; the wave was opened with room for predecessors */
        status = holos_wave_run(w, HOLOS_WAVE_WAVE, &c->error);
    }
    flow f = {.w = w, .s = w != NULL ? &w->scratch[0] : NULL};
    double begin;
    if (status == HOLOS_OK) {
        begin = clock_cpu();
        flow_each(&f, visit_expand);
        status = flow_report(c, &f, "flow by expanding again", clock_cpu() - begin, 0);
    }
    if (status == HOLOS_OK) {
        flow_each(&f, visit_reset);
        begin = clock_cpu();
        flow_each(&f, visit_count);
        flow_each(&f, visit_push);
        status = flow_report(c, &f, "flow along predecessors", clock_cpu() - begin, 0);
    }
    edge_list e = {0};
    if (status == HOLOS_OK) {
        flow_each(&f, visit_reset);
        begin = clock_cpu();
        if (!edges_collect(&f, &e)) {
            status = error_system(&c->error, "the edges of a graph");
        } else {
            edges_flow(&f, &e);
            double bytes = (double)(e.count * sizeof *e.to) / (double)e.positions + sizeof *e.begin;
            status = flow_report(c, &f, "flow along stored edges", clock_cpu() - begin, bytes);
        }
    }
    free(e.to);
    free(e.begin);
    holos_wave_close(w);
    holos_close(v);
    return status;
}

/* ---- Sudoku ------------------------------------------------------------------------------------ */

static const struct {
    const char *name, *puzzle;
} sudokus[] = {
    {"8 empty cells", "534.78912672.95348198342.6785976142342685.791713924856.6153728428741963.34.286.79"},
    {"easy", "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"},
    {"medium", "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."},
    {"hard", "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."},
};

static holos_status sudoku_measure(bench_context *c, size_t index, holos_wave_mode mode, bool all_moves)
{
    char name[64];
    holos_wave_options o = {.all_moves = all_moves, .no_backward = all_moves};
    holos_variant *v = NULL;
    holos_wave *w = NULL;
    holos_status status = wave_start(c, "sudoku", &o, &v, &w, sudokus[index].puzzle);
    double begin = clock_cpu();
    if (status == HOLOS_OK)
        status = holos_wave_run(w, mode, &c->error);
    double seconds = clock_cpu() - begin;
    if (status == HOLOS_OK) {
        holos_wave_statistics s;
        holos_wave_statistics_get(w, &s);
        snprintf(name, sizeof name, "sudoku %s, %s%s", sudokus[index].name, holos_wave_mode_name(mode),
                 all_moves ? ", all moves" : "");
        status = bench_report(c, name, wave_expanded(w), seconds, "expansions/s", wave_expanded(w));
    }
    holos_wave_close(w);
    holos_close(v);
    return status;
}

holos_status bench_wave(bench_context *c)
{
    holos_status status = layers_measure(c, false);
    if (status == HOLOS_OK)
        status = layers_measure(c, true);
    if (status == HOLOS_OK)
        status = flow_measure(c);
    if (status == HOLOS_OK)
        status = sudoku_measure(c, 0, HOLOS_WAVE_WAVE, true);
    for (size_t i = 0; status == HOLOS_OK && i < sizeof sudokus / sizeof *sudokus; i++)
        status = sudoku_measure(c, i, HOLOS_WAVE_OSMOSIS, false);
    return status;
}
