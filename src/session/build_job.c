/* SPDX-License-Identifier: MIT */

/* Databases, graphs and books as kinds of jobs. */

#include "cluster/model.h"
#include "cluster/spread.h"
#include "core/text.h"
#include "engine/wave/graph.h"
#include "session/build.h"
#include "session/job.h"
#include "session/plan.h"
#include "session/plies.h"

#include <stdlib.h>

/* ---- Options ----------------------------------------------------------------------------------- */

typedef struct build_settings {
    const char *scratch, *spill;
    double checkpoint;
    bool no_hot, spread;
    int64_t depth;
} build_settings;

static const holos_option database_options[] = {
    {OPTION(FILE, build_settings, scratch), .name = "scratch", .value = "DIR",
     .help = "keep tables that do not fit in memory in this folder"},
    {OPTION(FLAG, build_settings, no_hot), .name = "no-hot",
     .help = "go position by position, even if the game has a faster way"},
    {OPTION(FLAG, build_settings, spread), .name = "spread",
     .help =
         "in a cluster: keep each part in the memory of one rank only, as if there were no room for more"},
    {0},
};

static const holos_option graph_options[] = {
    {OPTION(FILE, build_settings, spill), .name = "spill", .value = "DIR",
     .help = "keep positions that do not fit in memory in this folder"},
    {OPTION(DURATION, build_settings, checkpoint), .name = "checkpoint-every", .value = "TIME",
     .fallback = "1m",
     .help = "save what has been reached this often; saving takes at most a tenth of the time"},
    {0},
};

static const holos_option book_options[] = {
    {OPTION(INT, build_settings, depth), .name = "book-depth", .letter = 'b', .min = 0, .max = 1000,
     .value = "D", .fallback = "0",
     .help = "build a book: the positions of the first D plies, each searched or derived"},
    {OPTION(FLAG, build_settings, no_hot), .name = "no-hot",
     .help = "use the generic search, even if the game has a faster one"},
    {0},
};

typedef struct build_state {
    build_request b;
    build_report r;
} build_state;

static const build_request *request_of(const job *j)
{
    return &((const build_state *)j->state)->b;
}

/* ---- Beginning --------------------------------------------------------------------------------- */

static holos_status build_open(job *j, holos_error *err)
{
    static const store_mode modes[] = {[HOLOS_JOB_NEW] = STORE_CREATE,
                                       [HOLOS_JOB_RESUME] = STORE_RESUME,
                                       [HOLOS_JOB_RESTART] = STORE_RESTART};
    const build_settings *asked = j->settings;
    build_state *s = j->state = calloc(1, sizeof *s);
    if (s == NULL)
        return error_system(err, "a build");
    s->b = (build_request){.v = j->v,
                           .url = j->o->store,
                           .mode = modes[j->o->start],
                           .scratch = asked->scratch,
                           .checkpoint =
                               j->o->checkpoint_seconds > 0 ? j->o->checkpoint_seconds : asked->checkpoint,
                           .spill = asked->spill,
                           .boundary = j->o->boundary,
                           .no_hot = asked->no_hot,
                           .spread = asked->spread,
                           .together = j->o->machines > 0 ? j->o->ranks / j->o->machines : 1,
                           .histogram = j->o->histogram,
                           .threads = j->o->threads,
                           .memory = j->o->limits.memory,
                           .progress = j->progress,
                           .log = j->log,
                           .stop = j->o->limits.stop,
                           .cluster = j->o->cluster};
    return HOLOS_OK;
}

static void build_close(job *j)
{
    build_state *s = j->state;
    if (s != NULL)
        build_report_free(&s->r);
    free(s);
}

/* The ranks of a cluster, or those that the plan is asked for; 0: there is none. */
static unsigned plan_ranks(const job *j)
{
    return j->o->cluster != NULL ? holos_cluster_ranks(j->o->cluster) : j->o->ranks;
}

/* The machines that they are on. */
static unsigned plan_machines(const job *j)
{
    if (j->o->cluster != NULL)
        return j->o->cluster->machines;
    return j->o->machines > 0 ? j->o->machines : j->o->ranks;
}

static holos_status boundary_refuse(const job *j, holos_error *err)
{
    if (j->o->boundary == NULL)
        return HOLOS_OK;
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--known is for books");
}

static holos_status database_open(job *j, holos_error *err)
{
    holos_status status = retro_supports(j->v, err);
    if (status == HOLOS_OK)
        status = boundary_refuse(j, err);
    if (status == HOLOS_OK)
        status = build_open(j, err);
    if (status != HOLOS_OK)
        return status;
    build_state *s = j->state;
    if (s->b.spread && plan_ranks(j) == 0)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "--spread is for --cluster, or for --estimate with --ranks");
    if (j->o->machines > j->o->ranks)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%u ranks cannot be on %u machines", j->o->ranks,
                         j->o->machines);
    if (s->b.spread && s->b.scratch != NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--spread and --scratch contradict each other");
    retro_plan plan;
    const holos_tier_settings *tiers = j->game_settings;
    s->b.top = tiers != NULL && tiers->top >= 0 ? (uint32_t)tiers->top : j->v->game->index->tiers(j->v) - 1;
    return build_plan(&s->b, &plan, err); /* whether there is such a tier */
}

static holos_status graph_open(job *j, holos_error *err)
{
    holos_status status = graph_supports(j->v, err);
    if (status == HOLOS_OK)
        status = boundary_refuse(j, err);
    if (status == HOLOS_OK && j->o->cluster != NULL &&
        holos_settings_get(j->o->settings, "checkpoint-every") != NULL)
        status = error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                           "--checkpoint-every: with --cluster every layer is saved when it is finished");
    return status == HOLOS_OK ? build_open(j, err) : status;
}

static holos_status book_open(job *j, holos_error *err)
{
    holos_status status = plies_supports(j->v, err);
    if (status == HOLOS_OK)
        status = build_open(j, err);
    if (status == HOLOS_OK)
        ((build_state *)j->state)->b.top = (uint32_t)((const build_settings *)j->settings)->depth;
    return status;
}

/* What a model says of so many ranks. */
static void plan_share(const job *j, const model_plan *model, holos_plan *out)
{
    out->ranks = plan_ranks(j);
    out->memory = model->memory;
    out->memory_least = out->memory_least < model->memory ? out->memory_least : model->memory;
    out->traffic = model->traffic;
    out->seconds = model->seconds * j->o->threads; /* the runner divides by them */
}

/* A rank that has no room for all of a database gets some parts of it. Returns which of the two it will be, in words. */
static const char *database_plan_share(const job *j, const retro_plan *plan, holos_plan *out, holos_report *r)
{
    const build_request *b = request_of(j);
    unsigned ranks = plan_ranks(j);
    bool spread = b->scratch == NULL && (b->spread || plan->memory > j->o->limits.memory) &&
                  spread_supports(b->v, NULL) == HOLOS_OK;
    model_plan model = spread ? model_spread(b->v, b->top, model_spread_seconds(b->v, b->top),
                                             spread_memory(b->v, b->top, ranks), ranks, MODEL_MACHINE)
                              : model_database(b->v, b->top, ranks, plan_machines(j), j->o->threads,
                                               plan->seconds, plan->memory, MODEL_MACHINE);
    report_truth(r, "spread", NULL, spread);
    plan_share(j, &model, out);
    if (ranks == 1)
        return "";
    return spread                     ? ", each kept by one rank"
           : plan_machines(j) < ranks ? ", all of them on every machine"
                                      : ", all of them in every rank";
}

static holos_status database_plan(job *j, holos_plan *out, holos_report *r, holos_error *err)
{
    const build_request *b = request_of(j);
    retro_plan plan;
    text t;
    const char *shared = "";
    holos_status status = build_plan(b, &plan, err);
    if (status != HOLOS_OK)
        return status;
    report_count(r, "top", NULL, b->top);
    out->positions = plan.positions;
    out->parts = plan.parts;
    out->memory = out->memory_least = plan.memory;
    out->disk = plan.disk;
    out->seconds = plan.seconds;
    if (plan_ranks(j) > 0)
        shared = database_plan_share(j, &plan, out, r);
    text_init_fixed(&t, out->what, sizeof out->what);
    text_printf(&t, "%s up to %u %s: ", b->v->name, b->top, b->v->game->index->tier_unit);
    text_count(&t, plan.positions);
    text_printf(&t, " positions in %llu parts%s", (unsigned long long)plan.parts, shared);
    return HOLOS_OK;
}

/* Bytes of memory for a position of a graph, as a multiple of its node: connect4:4x4, kalah:4,3, kalah:5,2 (`holos build …
 * --graph --json`). */
#define GRAPH_MEMORY 3.5
/* Bytes of a store for a row: connect4:4x4. */
#define GRAPH_DISK        1.0
#define GRAPH_DISK_SQLITE 28.0
/* How much longer a graph takes for a position, reached and valued, than counting it does: 0.9 to 1.8 for these. */
#define GRAPH_TIME 1.5

/* The start of the game, which both graphs and books begin at. */
static holos_status start_growth(const job *j, const holos_wave_options *o, unsigned depth, growth *out,
                                 holos_error *err)
{
    holos_position *start = holos_position_new(j->v);
    growth_request q = {.v = j->v,
                        .ways = wave_ways_of(j->v, o),
                        .seeds = &start,
                        .seed_count = 1,
                        .depth = depth,
                        .seed = j->o->seed,
                        .quick = depth == GROWTH_NO_DEPTH, /* books take long enough */
                        .seconds = j->o->limits.seconds,
                        .stop = j->asked};
    holos_status status = start == NULL ? error_system(err, "the plan") : holos_start(j->v, start, err);
    if (status == HOLOS_OK)
        status = growth_measure(&q, out, err);
    holos_position_free(start);
    return status;
}

/* Bytes of memory that a rank takes for a position beside its node: while values are found, its layers, which otherwise are a checkpoint or in the folder
 * of --spill, and its keys, sorted by height; or later for its rows, which are sorted. */
static double rank_lists(const build_request *b, unsigned key_words, bool heights)
{
    unsigned reached = b->url == NULL ? key_words : 0, sorted = heights ? key_words : 0;
    unsigned values = b->spill == NULL ? reached + sorted : 0, rows = b->url != NULL ? key_words + 1 : 0;
    return (double)((values > rows ? values : rows) * sizeof(uint64_t));
}

static holos_status graph_plan(job *j, holos_plan *out, holos_report *r, holos_error *err)
{
    build_request *b = &((build_state *)j->state)->b;
    holos_wave_options o = {.graph = true, .unfolded = true, .all_moves = true};
    wave_ways ways = wave_ways_of(j->v, &o);
    size_t node = wave_bytes_each(&ways);
    bool folder = b->url != NULL && j->folder != NULL;
    growth g = {0};
    holos_status status = start_growth(j, &o, GROWTH_NO_DEPTH, &g, err);
    plan_costs each = {.base = PLAN_WAVE_BASE,
                       .memory = GRAPH_MEMORY * (double)node,
                       .disk = b->url == NULL ? 0
                               : folder       ? GRAPH_DISK
                                              : GRAPH_DISK_SQLITE,
                       .seconds = GRAPH_TIME * g.seconds_each,
                       .least = b->spill == NULL ? node : 0,
                       .beyond = b->spill == NULL ? "--spill DIR" : NULL};
    b->expected = (uint64_t)g.positions; /* all of them, or as many as are certain */
    if (status == HOLOS_OK)
        plan_by_growth(&g, &each, "the reachable graph", j->v, out, r);
    if (status == HOLOS_OK && plan_ranks(j) > 0) {
        bool heights = j->v->game->height != NULL;
        unsigned key_words = (unsigned)(node / sizeof(uint64_t)) - 1;
        model_graph_costs costs = {.positions = g.positions,
                                   .moves = g.moves,
                                   .heights = heights,
                                   .layers = g.layers,
                                   .seconds = MODEL_RANK_TIME * out->seconds,
                                   .memory =
                                       MODEL_RANK_MEMORY * (double)node + rank_lists(b, key_words, heights),
                                   .base = PLAN_WAVE_BASE,
                                   .row = b->url != NULL ? sizeof(holos_row) : 0,
                                   .key_words = key_words};
        model_plan model = model_graph(&costs, plan_ranks(j), MODEL_MACHINE);
        out->memory_least /= plan_ranks(j);
        out->memory_each = costs.memory / plan_ranks(j);
        plan_share(j, &model, out);
    }
    growth_free(&g);
    return status;
}

/* Bytes for a position of a book while it is made, and in its store: connect4:5x4 to eight plies. */
#define BOOK_MEMORY 40.0
#define BOOK_DISK   1.0
/* How much longer a position takes that is reached and derived than counting it does. */
#define BOOK_TIME 2.0

static holos_status book_plan(job *j, holos_plan *out, holos_report *r, holos_error *err)
{
    const build_request *b = request_of(j);
    growth g = {0};
    book_searches searches = {0};
    holos_status status = start_growth(j, &(holos_wave_options){0}, b->top, &g, err);
    plan_costs each = {.memory = BOOK_MEMORY,
                       .disk = b->url != NULL ? BOOK_DISK : 0,
                       .seconds = BOOK_TIME * g.seconds_each,
                       .least = sizeof(holos_key) + 1};
    if (status == HOLOS_OK)
        plan_by_growth(&g, &each, "the book", j->v, out, r);
    if (status == HOLOS_OK && g.layers > b->top && g.basis != HOLOS_PLAN_AT_LEAST)
        status = book_searches_sample(b, g.sample, g.sample_count, j->asked, &searches, err);
    if (status == HOLOS_OK && searches.tried > 0) {
        report_count(r, "searches", NULL, (uint64_t)(g.last * searches.share));
        report_count(r, "searches_tried", NULL, searches.tried);
        report_count(r, "searches_finished", NULL, searches.finished);
        out->seconds += g.last * searches.share * searches.seconds;
        out->seconds_more = searches.finished < searches.tried;
    }
    if (status == HOLOS_OK && plan_ranks(j) > 0) {
        model_book_costs costs = {.before = g.positions * each.seconds,
                                  .leaves = searches.tried > 0 ? g.last * searches.share : 0,
                                  .seconds = searches.seconds,
                                  .part = BOOK_PART,
                                  .key = sizeof(holos_key),
                                  .said = BOOK_PART_TRAFFIC,
                                  .memory = out->memory};
        model_plan model = model_book(&costs, plan_ranks(j), j->o->threads, MODEL_MACHINE);
        plan_share(j, &model, out);
    }
    growth_free(&g);
    return status;
}

static holos_status database_run(job *j, holos_error *err)
{
    build_state *s = j->state;
    return build_database(&s->b, &s->r, err);
}

static holos_status graph_run(job *j, holos_error *err)
{
    build_state *s = j->state;
    return build_graph(&s->b, &s->r, err);
}

static holos_status book_run(job *j, holos_error *err)
{
    build_state *s = j->state;
    return build_book(&s->b, &s->r, err);
}

/* ---- Reports ----------------------------------------------------------------------------------- */

static void counts_put(holos_report *r, const char *key, const char *chart, const char *axis,
                       const uint64_t *counts, size_t count)
{
    holos_field *list = report_open(r, key, NULL, HOLOS_FIELD_LIST);
    list->chart = chart;
    list->axis = axis;
    list->logarithmic = true;
    for (size_t i = 0; i < count; i++)
        report_count(r, NULL, NULL, counts[i]);
    report_close_field(r);
}

static void values_put(holos_report *out, const build_report *r)
{
    holos_field *group = report_open(out, "values", NULL, HOLOS_FIELD_GROUP);
    group->chart = "Positions by value";
    group->axis = "value, for the side to move";
    for (int byte = 0; byte < 256; byte++)
        if (r->values[byte] > 0)
            report_count(out, report_words(out, "%d", byte - HOLOS_BYTE_ZERO), NULL, r->values[byte]);
    report_close_field(out);
}

/* The start: for programs here, for people where the caller puts the words. */
static void start_put(const job *j, const build_report *r, holos_report *out, text *words)
{
    holos_position *p = holos_position_new(j->v);
    if (r->has_start && p != NULL && holos_start(j->v, p, NULL) == HOLOS_OK) {
        report_open(out, "start", NULL, HOLOS_FIELD_GROUP);
        report_integer(out, "value", NULL, r->start_score);
        report_open(out, "best", NULL, HOLOS_FIELD_LIST);
        text_printf(words, r->start_score == 0 ? "%d" : "%+d", r->start_score);
        for (uint32_t i = 0; i < r->start_best_count; i++) {
            char move[64];
            holos_format_move(j->v, p, r->start_best[i], move, sizeof move);
            report_text(out, NULL, NULL, move);
            text_printf(words, "%s%s",
                        i > 0                    ? ", "
                        : r->kind == STORE_GRAPH ? "; best move "
                                                 : "; best ",
                        move);
        }
        report_close_field(out);
        report_close_field(out);
    }
    holos_position_free(p);
}

static void rate_line(holos_report *out, uint64_t positions, double seconds, double processor_seconds)
{
    text t;
    text_init(&t);
    text_count(&t, seconds > 0 ? (uint64_t)((double)positions / seconds) : 0);
    text_string(&t, " positions/s");
    if (processor_seconds > 0) {
        text_string(&t, "; computing alone, ");
        text_count(&t, (uint64_t)((double)positions / processor_seconds));
        text_string(&t, " in a second of one processor");
    }
    report_line(out, "rate", "%s", t.data);
    text_free(&t);
}

/* What every build ends with. */
static void report_tail(const job *j, const build_report *r, holos_report *out)
{
    const build_request *b = request_of(j);
    report_count(out, "threads", NULL, b->threads);
    if (b->cluster != NULL) {
        report_count(out, "ranks", "ranks", holos_cluster_ranks(b->cluster));
        if (r->kind == STORE_DATABASE)
            report_truth(out, "spread", NULL, r->spread);
        report_bytes(out, "traffic", NULL, r->traffic);
        report_count(out, "messages", NULL, r->messages);
        if (r->rank_most > 0) {
            report_count(out, "rank_most", NULL, r->rank_most);
            report_count(out, "rank_least", NULL, r->rank_least);
        }
    }
    report_bytes(out, "memory", NULL, r->memory);
    if (b->url != NULL) {
        report_text(out, "store", NULL, b->url);
        report_bytes(out, "bytes", NULL, r->facts.bytes);
        if (r->facts.digest[0] != 0)
            report_text(out, "digest", NULL, r->facts.digest);
        text t;
        text_init(&t);
        text_size(&t, r->facts.bytes);
        if (r->facts.parts < r->facts.parts_expected)
            text_printf(&t, ", %llu of %llu parts", (unsigned long long)r->facts.parts,
                        (unsigned long long)r->facts.parts_expected);
        report_line(out, "store", "%s, %s", b->url, t.data);
        text_free(&t);
    }
    if (b->histogram)
        values_put(out, r);
}

static void database_report(job *j, holos_report *out)
{
    const build_request *b = request_of(j);
    const build_report *r = &((build_state *)j->state)->r;
    text start;
    text_init(&start);
    report_text(out, "kind", NULL, store_kind_name(r->kind));
    report_line(out, "", "%s: the database", b->v->name);
    report_count(out, "positions", "positions", r->positions);
    start_put(j, r, out, &start);
    report_text(out, "tiers", NULL, b->v->game->index->tier_unit);
    report_count(out, "top", NULL, b->top);
    report_count(out, "parts", NULL, r->plan.parts);
    report_count(out, "computed", r->computed < r->positions ? "computed" : NULL, r->computed)->note =
        "; the others were there already";
    if (start.length > 0)
        report_text(out, NULL, "start", start.data);
    report_seconds(out, "cpu_seconds", NULL, r->solve_seconds);
    if (r->solve_seconds > 0)
        report_real(out, "rate", NULL, (double)r->computed / r->solve_seconds);
    counts_put(out, "positions_by_tier", "Positions by tier", b->v->game->index->tier_unit, r->tiers,
               r->tiers != NULL ? b->top + 1 : 0);
    report_seconds(out, "seconds", "time", r->seconds);
    rate_line(out, r->computed, r->seconds, r->solve_seconds);
    report_tail(j, r, out);
    text_free(&start);
}

static void depths_put(const build_report *r, holos_report *out)
{
    uint64_t *counts = calloc(r->level_count + 1, sizeof *counts);
    for (size_t i = 0; counts != NULL && i < r->level_count; i++)
        counts[i] = r->levels[i].positions;
    counts_put(out, "positions_by_depth", "Positions by depth", "moves from the start", counts,
               counts != NULL ? r->level_count : 0);
    free(counts);
}

static void graph_report(job *j, holos_report *out)
{
    const build_request *b = request_of(j);
    const build_report *r = &((build_state *)j->state)->r;
    double share = r->edges > 0 ? (double)r->duplicates / (double)r->edges : 0;
    text start;
    text_init(&start);
    report_text(out, "kind", NULL, store_kind_name(r->kind));
    report_line(out, "", "%s: the reachable graph", b->v->name);
    report_count(out, "positions", "positions", r->positions);
    start_put(j, r, out, &start);
    bool valued = r->computed > 0, generated = valued || r->edges > 0;
    if (valued)
        report_count(out, "finished", "finished", r->finished)->note = " (the game is over)";
    if (generated) {
        report_count(out, "generated", "generated", r->edges)->note = " successors";
        report_count(out, "duplicates", "duplicates", r->duplicates)->note =
            report_words(out, " (%.1f %%)", 100 * share);
    }
    report_count(out, "depths", "depths", r->level_count);
    if (generated)
        report_real(out, "duplication", NULL, share);
    if (start.length > 0)
        report_text(out, NULL, "start", start.data);
    if (r->reach_seconds + r->solve_seconds > 0)
        report_real(out, "rate", NULL, (double)r->positions / (r->reach_seconds + r->solve_seconds));
    report_seconds(out, "reach_seconds", NULL, r->reach_seconds);
    report_seconds(out, "solve_seconds", NULL, r->solve_seconds);
    if (r->store_seconds > 0)
        report_seconds(out, "store_seconds", NULL, r->store_seconds);
    depths_put(r, out);
    report_seconds(out, "seconds", "time", r->seconds);
    rate_line(out, r->positions, r->reach_seconds + r->solve_seconds, 0);
    report_tail(j, r, out);
    text_free(&start);
}

static void plies_put(const build_report *r, holos_report *out)
{
    holos_field *rows = report_open(out, "plies", r->ply_count > 0 ? "" : NULL, HOLOS_FIELD_ROWS);
    rows->note = "all";
    rows->chart = "Positions by ply";
    rows->axis = "moves from the start";
    rows->logarithmic = true;
    for (size_t i = 0; i < r->ply_count; i++) {
        const build_ply *ply = &r->plies[i];
        report_open(out, NULL, NULL, HOLOS_FIELD_GROUP);
        report_line(out, "ply", "%zu", i);
        report_count(out, "positions", "positions", ply->positions);
        report_count(out, "won", "won", ply->won);
        report_count(out, "drawn", "drawn", ply->drawn);
        report_count(out, "lost", "lost", ply->lost);
        report_count(out, "finished", "over", ply->finished);
        report_close_field(out);
    }
    report_close_field(out);
}

static void book_report(job *j, holos_report *out)
{
    const build_request *b = request_of(j);
    const build_report *r = &((build_state *)j->state)->r;
    build_ply all = {0};
    text start;
    text_init(&start);
    for (size_t i = 0; i < r->ply_count; i++) {
        const build_ply *ply = &r->plies[i];
        all.won += ply->won;
        all.drawn += ply->drawn;
        all.lost += ply->lost;
        all.finished += ply->finished;
        all.folded += ply->folded;
    }
    report_text(out, "kind", NULL, store_kind_name(r->kind));
    report_line(out, "", "%s: the book", b->v->name);
    report_count(out, "positions", "positions", r->positions);
    start_put(j, r, out, &start);
    plies_put(r, out);
    report_count(out, "folded", "folded", all.folded)->note = " (symmetric positions once)";
    report_count(out, "computed", "searched", r->computed)->note = "; the others follow from them";
    report_seconds(out, "cpu_seconds", NULL, r->solve_seconds);
    report_count(out, "finished", NULL, all.finished);
    report_count(out, "won", NULL, all.won);
    report_count(out, "drawn", NULL, all.drawn);
    report_count(out, "lost", NULL, all.lost);
    if (start.length > 0)
        report_text(out, NULL, "start", start.data);
    report_seconds(out, "seconds", "time", r->seconds);
    report_tail(j, r, out);
    text_free(&start);
}

/* ---- The kinds --------------------------------------------------------------------------------- */

extern const job_kind job_database, job_graph, job_book;

const job_kind job_database = {
    .about = {.name = "database",
              .summary = "the values of all positions up to a size",
              .operands = "",
              .keeps = true},
    .record = "build.json",
    .clusters = true,
    .options = database_options,
    .settings_size = sizeof(build_settings),
    .open = database_open,
    .plan = database_plan,
    .run = database_run,
    .report = database_report,
    .close = build_close,
};

const job_kind job_graph = {
    .about = {.name = "graph",
              .summary = "the positions that can be reached from the start",
              .operands = "",
              .keeps = true},
    .record = "build.json",
    .clusters = true,
    .options = graph_options,
    .settings_size = sizeof(build_settings),
    .open = graph_open,
    .plan = graph_plan,
    .run = graph_run,
    .report = graph_report,
    .close = build_close,
};

const job_kind job_book = {
    .about = {.name = "book", .summary = "the values of the first moves", .operands = "", .keeps = true},
    .record = "build.json",
    .clusters = true,
    .options = book_options,
    .settings_size = sizeof(build_settings),
    .open = book_open,
    .plan = book_plan,
    .run = book_run,
    .report = book_report,
    .close = build_close,
};
