/* SPDX-License-Identifier: MIT */

#include "engine/graph/graph.h"

#include "core/clock.h"
#include "core/list.h"

#include <stdlib.h>
#include <string.h>

/* Rows that one job values. */
#define CHUNK 4096

/* ---- Collecting -------------------------------------------------------------------------------- */

typedef struct collector {
    graph *g;
    uint64_t room;
} collector;

static bool row_collect(void *context, const holos_position *p, size_t depth)
{
    collector *c = context;
    graph *g = c->g;
    if (g->count == c->room)
        return false;
    g->rows[g->count++] = (holos_row){.identity = g->v->game->identity(g->v, p), .depth = (uint32_t)depth};
    return true;
}

static unsigned key_digit(holos_key key, unsigned digit)
{
    return (unsigned)((digit < 8 ? key.lo >> 8 * digit : key.hi >> 8 * (digit - 8)) & 255);
}

/* Sorts by identity, a byte at a time from the last; bytes that are the same everywhere cost nothing. */
static holos_row *rows_sort(holos_row *rows, holos_row *spare, uint64_t count)
{
    for (unsigned digit = 0; digit < 16; digit++) {
        uint64_t start[257] = {0};
        for (uint64_t i = 0; i < count; i++)
            start[key_digit(rows[i].identity, digit) + 1]++;
        bool same = false;
        for (unsigned d = 1; d <= 256; d++)
            same = same || start[d] == count;
        if (same)
            continue;
        for (unsigned d = 1; d <= 256; d++)
            start[d] += start[d - 1];
        for (uint64_t i = 0; i < count; i++)
            spare[start[key_digit(rows[i].identity, digit)]++] = rows[i];
        holos_row *swap = rows;
        rows = spare;
        spare = swap;
    }
    return rows;
}

holos_status graph_collect(graph *g, const holos_variant *v, const holos_wave *w, mem_budget *budget,
                           holos_error *err)
{
    uint64_t positions = 0;
    *g = (graph){.v = v, .budget = budget};
    if (v->game->from_identity == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "the graph of %s cannot be kept: its positions do not fit into a key", v->name);
    for (size_t depth = 0; depth < holos_wave_depth(w); depth++)
        positions += holos_wave_layer_at(w, depth).positions;
    g->room = (positions + 1) * sizeof *g->rows;
    g->rows = mem_alloc(budget, g->room);
    holos_row *spare = mem_alloc(budget, g->room);
    if (g->rows == NULL || spare == NULL) {
        mem_free(budget, spare, spare != NULL ? g->room : 0);
        return mem_error(err, budget, 2 * g->room, "the table of the graph");
    }
    collector c = {.g = g, .room = positions};
    holos_wave_visit(w, row_collect, &c);
    holos_row *sorted = rows_sort(g->rows, spare, g->count);
    mem_free(budget, sorted == g->rows ? spare : g->rows, g->room);
    g->rows = sorted;
    return HOLOS_OK;
}

void graph_free(graph *g)
{
    if (g->rows != NULL)
        mem_free(g->budget, g->rows, g->room);
    memset(g, 0, sizeof *g);
}

holos_row *graph_find(const graph *g, holos_key identity)
{
    uint64_t low = 0, high = g->count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (holos_key_less(g->rows[middle].identity, identity))
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->count && holos_key_equal(g->rows[low].identity, identity) ? &g->rows[low] : NULL;
}

/* ---- Values ------------------------------------------------------------------------------------ */

typedef struct worker {
    holos_position *here;
    holos_edges successors;
} worker;

typedef struct solver {
    graph *g;
    graph_probe *probe;
    const void *context;
    worker *workers;
    unsigned worker_count;
    progress *progress;
    const bool *stop;
} solver;

static bool worker_init(worker *w, const holos_variant *v)
{
    w->here = holos_position_new(v);
    w->successors.edges = calloc(v->max_successors, sizeof *w->successors.edges);
    w->successors.positions = aligned_alloc(16, v->max_successors * v->position_size);
    return w->here != NULL && w->successors.edges != NULL && w->successors.positions != NULL;
}

static void worker_free(worker *w)
{
    holos_position_free(w->here);
    free(w->successors.edges);
    free(w->successors.positions);
}

/* Scores include what is banked, so an edge's gain does not count. */
static int32_t edge_turn(holos_edge edge, int32_t child)
{
    return (edge.flags & HOLOS_EDGE_SAME_SIDE) != 0 ? child : -child;
}

static bool successor_score(const solver *s, const holos_position *p, int32_t *score, holos_row **missing)
{
    const holos_variant *v = s->g->v;
    if (s->probe != NULL)
        return s->probe(s->context, p, score);
    holos_row *row = graph_find(s->g, v->game->identity(v, p));
    *missing = row;
    *score = row != NULL ? row->value : 0;
    return row != NULL && row->has_value;
}

/* Values a row by its successors. False: one of them is not known: *missing, or NULL if it is nowhere. */
static bool row_solve(const solver *s, worker *w, holos_row *row, holos_row **missing)
{
    const holos_variant *v = s->g->v;
    int32_t best = INT32_MIN, over;
    v->game->from_identity(v, row->identity, w->here);
    if (v->game->terminal(v, w->here, &over)) {
        row->value = over + game_banked(v, w->here);
        row->has_value = true;
        return true;
    }
    uint32_t count = v->game->expand(v, w->here, w->successors);
    for (uint32_t i = 0; i < count; i++) {
        int32_t score;
        if (!successor_score(s, position_at(v, w->successors.positions, i), &score, missing))
            return false;
        score = edge_turn(w->successors.edges[i], score);
        if (score > best) {
            best = score;
            row->best = w->successors.edges[i].move;
        }
    }
    row->value = best;
    row->has_value = row->has_best = true;
    return true;
}

static void chunk_solve(void *context, uint64_t job, unsigned thread)
{
    const solver *s = context;
    uint64_t end = (job + 1) * CHUNK < s->g->count ? (job + 1) * CHUNK : s->g->count;
    if (stop_asked(s->stop))
        return;
    for (uint64_t i = job * CHUNK; i < end; i++) {
        holos_row *missing;
        row_solve(s, &s->workers[thread], &s->g->rows[i], &missing);
    }
    progress_add(s->progress, end - job * CHUNK);
}

/* Without a probe: what a row needs comes first. One thread. */
static bool backwards_solve(const solver *s)
{
    size_t depth = 0, room = 0;
    holos_row **stack = NULL;
    bool going = true;
    for (uint64_t i = 0; going && i < s->g->count; i++) {
        holos_row *row = &s->g->rows[i], *missing = NULL;
        while (going && !s->g->rows[i].has_value) {
            if (row_solve(s, &s->workers[0], row, &missing)) {
                row = depth > 0 ? stack[--depth] : row;
                continue;
            }
            going = missing != NULL && LIST_RESERVE(stack, room, depth + 1);
            if (going)
                stack[depth++] = row;
            row = missing;
        }
        if (i % CHUNK == CHUNK - 1)
            progress_add(s->progress, CHUNK);
        going = going && !stop_asked(s->stop);
    }
    free(stack);
    return going;
}

holos_status graph_solve(graph *g, graph_probe *probe, const void *context, pool *threads, progress *shown,
                         const bool *stop, holos_error *err)
{
    solver s = {.g = g, .probe = probe, .context = context, .progress = shown, .stop = stop};
    if (probe == NULL && (g->v->game->traits & HOLOS_TRAIT_CYCLIC) != 0)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "%s can repeat positions: its graph has no values", g->v->name);
    s.worker_count = pool_threads(threads);
    s.workers = calloc(s.worker_count, sizeof *s.workers);
    bool ready = s.workers != NULL;
    for (unsigned i = 0; ready && i < s.worker_count; i++)
        ready = worker_init(&s.workers[i], g->v);
    if (ready) {
        progress_begin(shown, "values", "positions", g->count);
        if (probe != NULL)
            pool_run(threads, (g->count + CHUNK - 1) / CHUNK, chunk_solve, &s);
        else
            ready = backwards_solve(&s);
        progress_end(shown);
    }
    for (unsigned i = 0; s.workers != NULL && i < s.worker_count; i++)
        worker_free(&s.workers[i]);
    free(s.workers);
    if (stop_asked(stop))
        return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
    return ready ? HOLOS_OK : error_system(err, "the values of the graph");
}
