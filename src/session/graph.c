/* SPDX-License-Identifier: MIT */

/* The reachable graph of a game: reached by a forward wave, valued by a database of the same game where it
 * has one, and kept as rows. */

#include "engine/graph/graph.h"

#include "core/clock.h"
#include "session/build.h"

#include <stdlib.h>

/* Rows of one transaction. */
#define BATCH 100000

static holos_status levels_take(build_report *r, const holos_wave *w, holos_error *err)
{
    r->level_count = holos_wave_depth(w);
    r->levels = calloc(r->level_count + 1, sizeof *r->levels);
    if (r->levels == NULL)
        return error_system(err, "the report");
    for (size_t depth = 0; depth < r->level_count; depth++) {
        holos_wave_layer layer = holos_wave_layer_at(w, depth);
        r->levels[depth] = (build_level){
            .positions = layer.positions, .generated = layer.generated, .duplicates = layer.duplicates};
        r->positions += layer.positions;
        r->edges += layer.generated;
        r->duplicates += layer.duplicates;
    }
    while (r->level_count > 0 && r->levels[r->level_count - 1].positions == 0)
        r->level_count--;
    return HOLOS_OK;
}

/* Reaches everything from the start. */
static holos_status reach(const build_request *b, uint64_t memory, holos_wave **out, holos_error *err)
{
    holos_wave_options o = {.limits = {.memory = memory, .stop = b->stop},
                            .threads = b->threads,
                            .graph = true,
                            .unfolded = true,
                            .all_moves = true};
    holos_position *start = holos_position_new(b->v);
    holos_status status = start == NULL ? error_system(err, "the graph") : holos_start(b->v, start, err);
    if (status == HOLOS_OK)
        status = holos_wave_open(b->v, &o, out, err);
    if (status == HOLOS_OK) {
        holos_wave_seed seed = {.position = start, .direction = HOLOS_WAVE_FORWARD};
        status = holos_wave_add(*out, &seed, err);
    }
    progress_begin(b->progress, "graph", "positions", 0);
    if (status == HOLOS_OK)
        status = holos_wave_run(*out, HOLOS_WAVE_WAVE, err);
    progress_end(b->progress);
    holos_position_free(start);
    return status;
}

/* ---- Values ------------------------------------------------------------------------------------ */

typedef struct known_values {
    retro *tables;
    const holos_variant *v;
} known_values;

static bool tables_score(const void *context, const holos_position *p, int32_t *score)
{
    const known_values *known = context;
    if (!retro_probe(known->tables, p, score))
        return false;
    *score += game_banked(known->v, p);
    return true;
}

/* A database of the whole game, if it is small against its graph; else NULL. */
static retro *tables_try(const build_request *b, const graph *g, mem_budget *budget)
{
    const holos_index *index = b->v->game->index;
    retro *tables = NULL;
    retro_plan plan;
    if (index == NULL || retro_supports(b->v, NULL) != HOLOS_OK)
        return NULL;
    retro_options o = {.top = index->tiers(b->v) - 1,
                       .threads = b->threads,
                       .no_hot = b->no_hot,
                       .budget = budget,
                       .progress = b->progress,
                       .stop = b->stop};
    if (retro_make_plan(b->v, &o, &plan, NULL) != HOLOS_OK || plan.positions > 64 * g->count)
        return NULL;
    retro_build(b->v, &o, &tables, NULL);
    return tables;
}

static holos_status solve(const build_request *b, graph *g, mem_budget *budget, holos_error *err)
{
    pool *threads;
    holos_status status = pool_open(b->threads, &threads, err);
    if (status != HOLOS_OK)
        return status;
    known_values known = {.tables = tables_try(b, g, budget), .v = b->v};
    status = graph_solve(g, known.tables != NULL ? tables_score : NULL, &known, threads, b->progress, b->stop,
                         err);
    retro_close(known.tables);
    pool_close(threads);
    return status;
}

/* ---- Rows -------------------------------------------------------------------------------------- */

static void report_rows(const graph *g, build_report *r)
{
    const holos_variant *v = g->v;
    for (uint64_t i = 0; i < g->count; i++) {
        const holos_row *row = &g->rows[i];
        int32_t byte = HOLOS_BYTE_ZERO + row->value;
        r->finished += row->has_value && !row->has_best;
        if (row->has_value)
            r->values[byte < 0 ? 0 : byte > 255 ? 255 : byte]++;
    }
    holos_position *start = holos_position_new(v);
    if (start != NULL && v->game->start != NULL) {
        v->game->start(v, start);
        const holos_row *row = graph_find(g, v->game->identity(v, start));
        r->has_start = row != NULL && row->has_value;
        r->start_score = r->has_start ? row->value : 0;
        if (r->has_start && row->has_best)
            r->start_best[r->start_best_count++] = row->best;
    }
    holos_position_free(start);
}

static holos_status rows_keep(const build_request *b, const graph *g, build_report *r, holos_error *err)
{
    store *s;
    store_options o = {.mode = b->mode, .kind = STORE_GRAPH, .v = b->v};
    holos_status status = store_open(b->url, &o, &s, err);
    if (status != HOLOS_OK)
        return status;
    if (s->backend->put == NULL) {
        error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "a %s store does not hold graphs",
                  s->backend->scheme);
        store_close(s);
        return HOLOS_UNSUPPORTED;
    }
    progress_begin(b->progress, "store", "rows", g->count);
    for (uint64_t i = 0; status == HOLOS_OK && i < g->count; i += BATCH) {
        uint64_t count = g->count - i < BATCH ? g->count - i : BATCH;
        status = s->backend->put(s, g->rows + i, count, err);
        progress_add(b->progress, count);
        if (status == HOLOS_OK && stop_asked(b->stop))
            status = error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted; --restart begins anew");
    }
    progress_end(b->progress);
    if (status == HOLOS_OK)
        status = s->backend->finish(s, err);
    s->backend->facts(s, &r->facts);
    store_close(s);
    return status;
}

holos_status build_graph(const build_request *b, build_report *out, holos_error *err)
{
    double begun = clock_wall();
    uint64_t memory = b->memory != 0 ? b->memory : build_memory_available();
    mem_budget budget;
    holos_wave *w = NULL;
    graph g = {0};
    *out = (build_report){.kind = STORE_GRAPH};
    mem_budget_init(&budget, memory);
    holos_status status = reach(b, memory / 2, &w, err);
    if (status == HOLOS_OK)
        status = levels_take(out, w, err);
    out->reach_seconds = clock_wall() - begun;
    if (status == HOLOS_OK)
        status = graph_collect(&g, b->v, w, &budget, err);
    if (w != NULL) {
        holos_wave_statistics statistics;
        holos_wave_statistics_get(w, &statistics);
        out->memory = statistics.bytes;
    }
    holos_wave_close(w);
    if (status == HOLOS_OK)
        status = solve(b, &g, &budget, err);
    out->solve_seconds = clock_wall() - begun - out->reach_seconds;
    if (status == HOLOS_OK)
        report_rows(&g, out);
    if (status == HOLOS_OK && b->url != NULL)
        status = rows_keep(b, &g, out, err);
    uint64_t peak = atomic_load(&budget.peak);
    out->memory = peak > out->memory ? peak : out->memory;
    out->computed = out->positions;
    out->seconds = clock_wall() - begun;
    graph_free(&g);
    return status;
}
