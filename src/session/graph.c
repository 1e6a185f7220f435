/* SPDX-License-Identifier: MIT */

/* The reachable graph of a game: reached by a forward wave, valued in the wave's own nodes, and kept as rows. The
 * store is opened first: what is wrong with it is known before the work begins. While the graph is being reached it is kept
 * beside the store from time to time, as a hologram, until the rows are there. */

#include "engine/wave/graph.h"

#include "core/clock.h"
#include "session/build.h"
#include "session/job.h"
#include "session/keeper.h"

#include <stdlib.h>
#include <unistd.h>

#define CHECKPOINT_SECONDS 60.0
#define SAVING_SHARE       9.0 /* reaching takes at least so many times as long as saving */

/* A wave that went on does not know what it had generated before: solving counts it again. */
static holos_status levels_take(build_report *r, const holos_wave *w, holos_error *err)
{
    r->level_count = holos_wave_depth(w);
    r->levels = calloc(r->level_count + 1, sizeof *r->levels);
    if (r->levels == NULL)
        return error_system(err, "the report");
    for (size_t depth = 0; depth < r->level_count; depth++) {
        holos_wave_layer at = holos_wave_layer_at(w, depth);
        r->levels[depth] = (build_level){.positions = at.positions};
        r->positions += at.positions;
        if (graph_went_on(w))
            continue;
        r->levels[depth].generated = at.generated;
        r->levels[depth].duplicates = at.duplicates;
        r->edges += at.generated;
        r->duplicates += at.duplicates;
    }
    while (r->level_count > 0 && r->levels[r->level_count - 1].positions == 0)
        r->level_count--;
    return HOLOS_OK;
}

/* ---- Reaching and solving ---------------------------------------------------------------------- */

/* Where a graph is kept that is being reached. */
typedef struct reach_keeper {
    const build_request *b;
    wave_keeper keeper;
    graph_pauses pauses;
    char *path; /* NULL: there is no store */
} reach_keeper;

static holos_status reach_pause(void *context, holos_wave *w, holos_error *err)
{
    reach_keeper *k = context;
    double begun = clock_wall();
    holos_status status = keeper_save(&k->keeper, w, k->path, k->b->stop, CLOCK_NEVER, err);
    double most = SAVING_SHARE * (clock_wall() - begun);
    k->pauses.seconds = k->pauses.seconds > most ? k->pauses.seconds : most;
    return status;
}

static holos_status keeper_open(reach_keeper *k, const build_request *b, holos_error *err)
{
    *k = (reach_keeper){.b = b};
    if (b->url == NULL)
        return HOLOS_OK;
    text path;
    text_init(&path);
    place_beside(b->url, STORE_REACHED, &path);
    k->path = path.failed ? NULL : strdup(path.data);
    text_free(&path);
    if (k->path == NULL)
        return error_system(err, "the graph");
    if (b->mode != STORE_RESUME)
        unlink(k->path);
    k->pauses = (graph_pauses){.seconds = b->checkpoint > 0 ? b->checkpoint : CHECKPOINT_SECONDS,
                               .pause = reach_pause,
                               .context = k,
                               .from = access(k->path, F_OK) == 0 ? k->path : NULL};
    return HOLOS_OK;
}

/* `finished`: the rows are in the store. */
static void keeper_close(reach_keeper *k, bool finished)
{
    if (k->path != NULL && finished)
        unlink(k->path);
    free(k->path);
}

static uint64_t reached_count(const holos_wave *w)
{
    holos_wave_statistics statistics;
    holos_wave_statistics_get(w, &statistics);
    return statistics.positions;
}

/* What is being reached. */
typedef struct reach_shown {
    progress *progress;
    holos_wave **w;
} reach_shown;

static void reach_tick(void *context)
{
    const reach_shown *shown = context;
    if (progress_is_due(shown->progress))
        progress_set(shown->progress, reached_count(*shown->w));
}

static holos_status reach(reach_keeper *k, mem_budget *budget, holos_wave **out, holos_error *err)
{
    const build_request *b = k->b;
    reach_shown shown = {.progress = b->progress, .w = out};
    holos_wave_options o = {.limits = {.stop = b->stop},
                            .threads = b->threads,
                            .spill = b->spill,
                            .tick = reach_tick,
                            .tick_context = &shown};
    progress_begin(b->progress, "graph", "positions", 0);
    holos_status status =
        graph_reach(b->v, &o, budget, b->expected, k->path != NULL ? &k->pauses : NULL, out, err);
    if (*out != NULL)
        progress_set(b->progress, reached_count(*out));
    progress_end(b->progress);
    return status;
}

static holos_status solve(const build_request *b, holos_wave *w, build_report *r, holos_error *err)
{
    if (!graph_went_on(w))
        return graph_solve(w, b->progress, NULL, 0, err);
    uint64_t *generated = calloc(r->level_count + 1, sizeof *generated);
    holos_status status = generated == NULL ? error_system(err, "the report")
                                            : graph_solve(w, b->progress, generated, r->level_count, err);
    for (size_t depth = 0; status == HOLOS_OK && depth < r->level_count; depth++) {
        build_level *level = &r->levels[depth];
        level->generated = generated[depth];
        level->duplicates =
            generated[depth] - (depth + 1 < r->level_count ? r->levels[depth + 1].positions : 0);
        r->edges += level->generated;
        r->duplicates += level->duplicates;
    }
    free(generated);
    return status;
}

void build_graph_values(build_report *r, const graph_counts *counts, const holos_row *start)
{
    r->finished = counts->finished;
    memcpy(r->values, counts->values, sizeof r->values);
    r->has_start = start->has_value;
    r->start_score = start->value;
    if (start->has_best)
        r->start_best[r->start_best_count++] = start->best;
}

static void values_take(build_report *r, const holos_wave *w)
{
    graph_counts counts;
    holos_row start;
    graph_count(w, &counts);
    graph_start(w, &start);
    build_graph_values(r, &counts, &start);
}

static holos_status graph_make(reach_keeper *k, mem_budget *budget, holos_wave **w, build_report *r,
                               holos_error *err)
{
    double begun = clock_wall();
    holos_status status = reach(k, budget, w, err);
    if (*w != NULL) { /* also after a limit: what is known by then is said */
        holos_status taken = levels_take(r, *w, status == HOLOS_OK ? err : NULL);
        status = status == HOLOS_OK ? taken : status;
    }
    r->reach_seconds = clock_wall() - begun;
    if (status == HOLOS_OK)
        status = solve(k->b, *w, r, err);
    if (status == HOLOS_OK)
        values_take(r, *w);
    r->solve_seconds = clock_wall() - begun - r->reach_seconds;
    r->computed = status == HOLOS_OK ? r->positions : 0;
    return status;
}

/* ---- Rows -------------------------------------------------------------------------------------- */

static holos_status store_begin(const build_request *b, store **out, holos_error *err)
{
    store_options o = {.mode = b->mode, .kind = STORE_GRAPH, .v = b->v, .stop = b->stop};
    holos_status status = store_open(b->url, &o, out, err);
    if (status != HOLOS_OK || (*out)->backend->put != NULL)
        return status;
    return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "a %s store does not hold graphs",
                     (*out)->backend->scheme);
}

void build_rows_tell(build_rows *k, uint64_t count)
{
    if (!k->begun)
        progress_begin(k->b->progress, "store", "rows", k->total);
    k->begun = true;
    progress_add(k->b->progress, count);
}

holos_status build_rows_take(void *context, const holos_row *rows, size_t count, holos_error *err)
{
    build_rows *k = context;
    holos_status status = k->s->backend->put(k->s, rows, count, err);
    build_rows_tell(k, count);
    if (status == HOLOS_OK && holos_stop_asked(k->b->stop))
        status = error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
    return status;
}

static holos_status rows_keep(const build_request *b, holos_wave *w, store *s, build_report *r,
                              holos_error *err)
{
    build_rows k = {.b = b, .s = s, .total = r->positions};
    double begun = clock_wall();
    holos_status status = graph_rows(w, b->stop, b->progress, build_rows_take, &k, err);
    progress_end(b->progress);
    if (status == HOLOS_OK)
        status = s->backend->finish(s, err);
    if (status == HOLOS_OK)
        s->backend->facts(s, &r->facts);
    r->store_seconds = clock_wall() - begun;
    return status;
}

/* The graph in this process alone. */
static holos_status graph_keep(reach_keeper *k, const build_request *b, store *s, mem_budget *budget,
                               holos_wave **w, build_report *out, holos_error *err)
{
    holos_status status = keeper_open(k, b, err);
    if (status == HOLOS_OK)
        status = graph_make(k, budget, w, out, err);
    if (status == HOLOS_OK && s != NULL)
        status = rows_keep(b, *w, s, out, err);
    return status;
}

holos_status build_graph(const build_request *b, build_report *out, holos_error *err)
{
    double begun = clock_wall();
    mem_budget budget;
    holos_wave *w = NULL;
    store *s = NULL;
    reach_keeper k = {0};
    *out = (build_report){.kind = STORE_GRAPH};
    mem_budget_init(&budget, b->memory != 0 ? b->memory : build_memory_available());
    holos_status status = graph_supports(b->v, err);
    if (status == HOLOS_OK && b->url != NULL && holos_cluster_rank(b->cluster) == 0)
        status = store_begin(b, &s, err);
    if (b->cluster != NULL) {
        status = holos_cluster_agree(b->cluster, status, err);
        if (status == HOLOS_OK)
            status = build_graph_shared(b, s, &budget, out, err);
    } else if (status == HOLOS_OK) {
        status = graph_keep(&k, b, s, &budget, &w, out, err);
    }
    if (status == HOLOS_LIMIT && w != NULL && b->spill == NULL)
        error_set(err, status, HOLOS_NOWHERE,
                  "the graph does not fit into memory (%llu positions so far); --spill DIR keeps the rest on "
                  "disk",
                  (unsigned long long)reached_count(w));
    if (status == HOLOS_INTERRUPTED && s != NULL)
        error_set(err, status, HOLOS_NOWHERE, "interrupted; --resume continues, --restart starts over");
    keeper_close(&k, status == HOLOS_OK);
    holos_wave_close(w);
    store_close(s);
    out->memory = atomic_load(&budget.peak);
    out->seconds = clock_wall() - begun;
    return status;
}
