/* SPDX-License-Identifier: MIT */

/* Waves from positions and from the boundary, into a hologram that later runs go on from. */

#include "cli/batch.h"
#include "cli/interrupt.h"
#include "cli/kinds.h"
#include "cli/known.h"
#include "cli/words.h"
#include "core/clock.h"
#include "core/file.h"
#include "core/json.h"
#include "core/pool.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GOALS_MOST 64

typedef struct explore_settings {
    const char *store, *goal, *known, *spill;
    unsigned mode;
    uint64_t frontier, class_size, boundary;
    int64_t depth, back_depth, probe_depth, crystal_points, crystal_layers;
    bool resume, restart, goal_stops, spine_boundary, no_back, no_classes, graph, unfolded, all_moves, kinds;
} explore_settings;

static const cli_option options[] = {
    {OPTION(STRING, explore_settings, store), .name = "store", .letter = 's', .value = "file:DIR",
     .help = "where to keep the hologram; without one the result is only shown"},
    {OPTION(CHOICE, explore_settings, mode), .name = "mode", .letter = 'm',
     .value = "auto|lightning|wave|crystal|osmosis", .fallback = "auto",
     .help =
         "how to go on: what pays best, deep along forcing moves, layer by layer, around meeting points, or "
         "one position at a time"},
    {OPTION(FLAG, explore_settings, resume), .name = "resume", .letter = 'r',
     .help = "go on with the hologram that is there"},
    {OPTION(FLAG, explore_settings, restart), .name = "restart",
     .help = "begin anew, in place of what is there"},
    {OPTION(STRING, explore_settings, goal), .name = "goal", .letter = 'g', .value = "WORD,…",
     .help = "only boundary positions with one of these signatures count as reached"},
    {OPTION(FLAG, explore_settings, goal_stops), .name = "goal-stops",
     .help = "the values of other boundary positions are not used"},
    {OPTION(STRING, explore_settings, known), .name = "known", .value = "URL",
     .help = "a store or hologram whose values are part of the boundary"},
    {OPTION(FILE, explore_settings, known), .name = "tables", .value = "DIR",
     .help = "the same, as a folder; of chess also one with Syzygy tables"},
    {OPTION(INT, explore_settings, depth), .name = "depth", .value = "N", .max = 65000,
     .help = "steps forward from a position; 0 means no limit"},
    {OPTION(INT, explore_settings, back_depth), .name = "back-depth", .value = "N", .max = 65000,
     .help = "steps back from the boundary; 0 means no limit"},
    {OPTION(COUNT, explore_settings, frontier), .name = "frontier", .value = "N",
     .help = "positions of a layer; what is more waits; 0 means no limit"},
    {OPTION(COUNT, explore_settings, class_size), .name = "class-size", .value = "N", .fallback = "10k",
     .help = "positions that an equivalence class counts"},
    {OPTION(COUNT, explore_settings, boundary), .name = "boundary-seeds", .value = "N", .fallback = "64",
     .help = "boundary positions that waves run back from"},
    {OPTION(INT, explore_settings, probe_depth), .name = "probe-depth", .value = "N", .fallback = "64",
     .min = 1, .max = 500, .help = "steps of a lightning probe"},
    {OPTION(INT, explore_settings, crystal_points), .name = "crystal-points", .value = "N", .fallback = "10",
     .min = 1, .max = 1000000, .help = "crystal: the last so many meeting points"},
    {OPTION(INT, explore_settings, crystal_layers), .name = "crystal-layers", .value = "N", .fallback = "3",
     .min = 1, .max = 100, .help = "crystal: layers around each"},
    {OPTION(FLAG, explore_settings, spine_boundary), .name = "spine-boundary",
     .help = "solved positions on spines are places to run back from"},
    {OPTION(FLAG, explore_settings, no_back), .name = "no-back", .help = "forward only"},
    {OPTION(FLAG, explore_settings, no_classes), .name = "no-classes",
     .help = "no equivalence classes, no conjectures"},
    {OPTION(FLAG, explore_settings, graph), .name = "graph",
     .help = "reach and count everything, value nothing"},
    {OPTION(FLAG, explore_settings, unfolded), .name = "unfolded", .help = "tell symmetric positions apart"},
    {OPTION(FLAG, explore_settings, all_moves), .name = "all-moves",
     .help = "every move, even where the game knows which ones are enough"},
    {OPTION(FLAG, explore_settings, kinds), .name = "kinds",
     .help = "only list what a kind of positions comes to and from, and what of that is known"},
    {OPTION(FILE, explore_settings, spill), .name = "spill", .value = "DIR",
     .help = "keep what does not fit into memory in files in this folder"},
    {0},
};

/* One exploration. */
typedef struct exploration {
    cli *c;
    const explore_settings *s;
    holos_variant *v;
    holos_wave *w;
    known values;
    char path[PATH_MAX]; /* of the hologram, or empty */
    char *goal_words;
    const char *goals[GOALS_MOST];
    size_t goal_count;
    holos_position **positions;
    size_t position_count;
    holos_status status;
    double seconds;
} exploration;

/* ---- Beginning --------------------------------------------------------------------------------- */

static holos_status goals_read(exploration *x, holos_error *err)
{
    if (x->s->goal == NULL)
        return HOLOS_OK;
    x->goal_words = strdup(x->s->goal);
    if (x->goal_words == NULL)
        return error_system(err, "the goals");
    char *rest = x->goal_words, *word;
    while ((word = strsep(&rest, ",")) != NULL) {
        if (word[0] == 0 || x->goal_count == GOALS_MOST)
            return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                             "--goal: signatures with commas between them, at most %d", GOALS_MOST);
        x->goals[x->goal_count++] = word;
    }
    return HOLOS_OK;
}

static holos_status store_check(exploration *x, holos_error *err)
{
    if (x->s->store == NULL)
        return x->s->resume ? error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--resume needs --store") : HOLOS_OK;
    if (!known_hologram_path(x->s->store, x->path))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "a hologram is kept in a folder: write --store file:DIR, not \"%s\"", x->s->store);
    bool there = access(x->path, F_OK) == 0;
    if (there && !x->s->resume && !x->s->restart)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "%s holds a hologram already: --resume goes on with it, --restart begins anew",
                         x->s->store);
    if (!there && x->s->resume)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s holds no hologram to go on with", x->s->store);
    return file_make_folder(x->s->store + 5, err);
}

static holos_status wave_begin(exploration *x, holos_error *err)
{
    const explore_settings *s = x->s;
    const shared_settings *shared = &x->c->shared;
    holos_wave_options o = {
        .limits = {.seconds = shared->time,
                   .nodes = shared->nodes,
                   .memory = shared->mem,
                   .stop = interrupt_flag()},
        .threads = shared->threads > 0 ? (unsigned)shared->threads : pool_processors(),
        .seed = shared->seed,
        .frontier = s->frontier,
        .forward_depth = (unsigned)s->depth,
        .backward_depth = (unsigned)s->back_depth,
        .class_size = s->class_size,
        .boundary_seeds = s->boundary,
        .lightning_depth = (unsigned)s->probe_depth,
        .crystal_points = (unsigned)s->crystal_points,
        .crystal_layers = (unsigned)s->crystal_layers,
        .goals = x->goals,
        .goal_count = x->goal_count,
        .goal_stops = s->goal_stops,
        .spine_boundary = s->spine_boundary,
        .no_backward = s->no_back,
        .no_classes = s->no_classes,
        .graph = s->graph,
        .unfolded = s->unfolded,
        .all_moves = s->all_moves,
        .spill = s->spill,
        .boundary = known_boundary(&x->values),
    };
    holos_status status = holos_wave_open(x->v, &o, &x->w, err);
    if (status == HOLOS_OK && s->resume)
        status = holos_wave_load(x->w, x->path, err);
    return status;
}

/* The positions of the command line, or the start if there are none and none were loaded. */
static holos_status seeds_add(exploration *x, holos_error *err)
{
    size_t count = x->c->operand_count - 1;
    x->positions = calloc(count + 1, sizeof(holos_position *));
    if (x->positions == NULL)
        return error_system(err, "the positions");
    for (size_t i = 0; i < count || (i == 0 && !x->s->resume); i++) {
        const char *word = count > 0 ? x->c->operands[i + 1] : "start";
        holos_position *p = holos_position_new(x->v);
        if (p == NULL)
            return error_system(err, "a position");
        x->positions[x->position_count++] = p;
        holos_status status = holos_parse(x->v, word, p, err);
        if (status != HOLOS_OK)
            return error_prefix(err, "%s: ", word);
        holos_wave_seed seed = {.position = p, .mode = x->s->mode};
        status = holos_wave_add(x->w, &seed, err);
        if (status != HOLOS_OK)
            return status;
    }
    return HOLOS_OK;
}

/* ---- Ending ------------------------------------------------------------------------------------ */

static void value_json(json *j, const holos_variant *v, const holos_position *p, holos_value value)
{
    text t;
    text_init(&t);
    words_position(&t, v, p);
    json_open(j, NULL, '{');
    json_put_string(j, "position", t.data);
    json_put_string(j, "status",
                    holos_value_is_solved(value) && holos_source_is_proof(value.source) ? "solved"
                                                                                        : "bounded");
    json_put_int(j, "lo", value.lo);
    json_put_int(j, "hi", value.hi);
    json_put_string(j, "source", holos_source_name(value.source));
    json_close(j);
    text_free(&t);
}

static void report_json(exploration *x, const holos_wave_statistics *s)
{
    json j = json_begin(&x->c->out->text);
    json_open(&j, NULL, '{');
    json_put_string(&j, "game", holos_variant_name(x->v));
    json_put_string(&j, "mode", holos_wave_mode_name(x->s->mode));
    json_put_string(&j, "status", holos_status_name(x->status));
    json_put_bool(&j, "closed", s->closed);
    json_open(&j, "seeds", '[');
    for (size_t i = 0; i < x->position_count; i++)
        value_json(&j, x->v, x->positions[i], holos_wave_query(x->w, x->positions[i]));
    json_close(&j);
#define COUNTER(name) json_put_uint(&j, #name, s->name);
    HOLOS_WAVE_COUNTERS(COUNTER)
#undef COUNTER
    uint64_t scored = s->equiv_confirmed + s->equiv_refuted;
    if (scored > 0)
        json_put_double(&j, "equiv_precision", (double)s->equiv_confirmed / (double)scored);
    json_put_double(&j, "lightning_seconds", s->lightning_seconds);
    json_put_double(&j, "wave_seconds", s->wave_seconds);
    json_put_double(&j, "crystal_seconds", s->crystal_seconds);
    json_put_double(&j, "osmosis_seconds", s->osmosis_seconds);
    json_put_double(&j, "propagation_seconds", s->propagation_seconds);
    json_put_double(&j, "seconds", x->seconds);
    json_put_uint(&j, "memory", s->bytes);
    json_open(&j, "layers", '[');
    for (size_t i = 0; i < holos_wave_depth(x->w); i++)
        json_put_uint(&j, NULL, holos_wave_layer_at(x->w, i).positions);
    json_close(&j);
    json_close(&j);
    text_char(&x->c->out->text, '\n');
}

static void count_words(text *t, const char *name, uint64_t count, const char *more)
{
    if (count == 0)
        return;
    text_printf(t, "  %-14s ", name);
    text_count(t, count);
    text_printf(t, "%s\n", more);
}

static void report_words(exploration *x, const holos_wave_statistics *s)
{
    text *t = &x->c->out->text;
    for (size_t i = 0; i < x->position_count; i++) {
        size_t before = t->length;
        words_position(t, x->v, x->positions[i]);
        text_string(t, t->length == before ? "start: "
                                           : ": "); /* connect four's empty board is written as nothing */
        words_value(t, x->v, holos_wave_query(x->w, x->positions[i]));
        text_char(t, '\n');
    }
    count_words(t, "positions", s->positions, s->closed ? ", all that can be reached" : "");
    count_words(t, "solved", s->solved, "");
    count_words(t, "expanded", s->forward_expanded, " forward");
    count_words(t, "", s->backward_expanded, " back");
    count_words(t, "meetings", s->connections, "");
    count_words(t, "spines", s->spines_found, "");
    count_words(t, "crystallized", s->crystallized, "");
    count_words(t, "osmosis steps", s->osmosis_steps, "");
    count_words(t, "conjectures", s->equiv_propagated, "");
    count_words(t, "filtered", s->goal_filtered, " boundary positions that no goal asked for");
    count_words(t, "waiting", s->frontier_capped, " since a layer was full");
    count_words(t, "too far", s->depth_limited, "");
    count_words(t, "on disk", s->spilled, "");
    text_string(t, "  memory         ");
    text_size(t, s->bytes);
    text_string(t, "\n  time           ");
    text_duration(t, x->seconds);
    text_char(t, '\n');
}

static cli_status exploration_end(exploration *x)
{
    holos_wave_statistics s;
    holos_error err;
    cli_status exit = x->status == HOLOS_OK ? CLI_DONE : cli_status_of(x->status);
    if (x->path[0] != 0 && holos_wave_save(x->w, x->path, &err) != HOLOS_OK)
        exit = cli_worse(exit, cli_fail(&err));
    holos_wave_statistics_get(x->w, &s);
    if (x->c->shared.json)
        report_json(x, &s);
    else
        report_words(x, &s);
    return exit;
}

/* ---- Running ----------------------------------------------------------------------------------- */

/* A kind of positions in place of a position: all of them. */
static cli_status explore_kind(exploration *x, holos_kind kind)
{
    holos_error err;
    if (x->s->store != NULL || x->c->operand_count > 2) {
        cli_error("all positions of a kind are explored alone, and not kept: leave out --store and other "
                  "positions");
        return CLI_USAGE;
    }
    if (known_open(&x->values, x->s->known, x->v, 0, &err) != HOLOS_OK)
        return cli_fail(&err);
    const holos_boundary *boundary = known_boundary(&x->values);
    return x->s->kinds ? kinds_list(x->c, x->v, boundary, kind) : kinds_explore(x->c, x->v, boundary, kind);
}

static cli_status explore(exploration *x)
{
    holos_error err;
    holos_status status = goals_read(x, &err);
    if (status == HOLOS_OK)
        status = store_check(x, &err);
    if (status == HOLOS_OK)
        status = known_open(&x->values, x->s->known, x->v, 0, &err);
    if (status == HOLOS_OK)
        status = wave_begin(x, &err);
    if (status == HOLOS_OK)
        status = seeds_add(x, &err);
    if (status != HOLOS_OK)
        return cli_fail(&err);
    double began = clock_wall();
    x->status = holos_wave_run(x->w, x->s->mode, &err);
    x->seconds = clock_wall() - began;
    if (x->status != HOLOS_OK && x->status != HOLOS_LIMIT && x->status != HOLOS_INTERRUPTED)
        return cli_fail(&err);
    if (x->status != HOLOS_OK)
        log_write(&x->c->log, LOG_LEVEL_INFO, "%s", err.message);
    return exploration_end(x);
}

static cli_status run(cli *c)
{
    holos_error err;
    exploration x = {.c = c, .s = c->settings};
    if (x.s->resume && x.s->restart) {
        cli_error("--resume and --restart contradict each other");
        return CLI_USAGE;
    }
    if (holos_open(c->operands[0], &x.v, &err) != HOLOS_OK)
        return cli_fail(&err);
    holos_kind kind;
    bool whole = c->operand_count > 1 && kinds_find(x.v, c->operands[1], &kind);
    if (x.s->kinds && !whole) {
        cli_error("--kinds lists what is around a kind of positions: holos explore chess KQRvKQ --kinds");
        holos_close(x.v);
        return CLI_USAGE;
    }
    cli_status exit = whole ? explore_kind(&x, kind) : explore(&x);
    for (size_t i = 0; i < x.position_count; i++)
        holos_position_free(x.positions[i]);
    free(x.positions);
    free(x.goal_words);
    holos_wave_close(x.w);
    known_close(&x.values);
    holos_close(x.v);
    return exit;
}

static const cli_example examples[] = {
    {"explore connect4:5x4 --store file:waves", "prove a small board, and keep every value on the way"},
    {"explore connect4 --mode wave --depth 12 --graph --unfolded", "count the positions of every ply"},
    {"explore connect4 44444 --time 1m --store file:waves", "a minute; then --resume for another one"},
    {"explore chess KRvKN --tables syzygy", "every position with these pieces, above tables of fewer"},
    {"explore kalah:3,3 --mode osmosis", "one position at a time, the most certain first"},
    {0},
};

const cli_verb verb_explore = {
    .name = "explore",
    .operands = "GAME[:VARIANT] [POSITION…|KIND]",
    .summary = "waves from positions and from the boundary, into a hologram",
    .description =
        "Runs waves forward from the positions (or the start) and backward from positions of known value; "
        "where "
        "they meet, values flow. Everything that was reached is kept in a hologram: 'holos query' looks "
        "positions "
        "up in it, and --resume goes on. Whenever it is stopped, by a limit or by Ctrl-C, every interval "
        "that it "
        "holds contains the true value.\n\n"
        "Of a game whose positions fall into kinds (chess: by material), a kind in place of a position "
        "stands "
        "for all its positions: they are solved one ply after the other, back from the boundary.\n\n"
        "The exit status is 0 when all positions asked about are solved or nothing is left to do, and 4 at a "
        "limit.",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .complete = game_word,
    .shared = SHARED_LIMITS | SHARED_THREADS | SHARED_SEED | SHARED_JSON | SHARED_PROGRESS | SHARED_CONFIG |
              SHARED_LOG,
    .options = options,
    .settings_size = sizeof(explore_settings),
    .examples = examples,
    .run = run,
};
