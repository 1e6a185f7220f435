/* SPDX-License-Identifier: MIT */

/* Whole databases and graphs. */

#include "session/build.h"
#include "cli/cli.h"
#include "cli/endings.h"
#include "cli/interrupt.h"
#include "cli/known.h"
#include "cli/plot.h"
#include "cli/words.h"
#include "core/json.h"
#include "core/pool.h"
#include "session/plies.h"

#include <stdio.h>
#include <string.h>

#define LONG_WORK 2.0 /* seconds */

typedef struct build_settings {
    const char *game, *store, *known, *plot, *scratch;
    int64_t seeds, book_depth, pieces;
    bool graph, resume, restart, no_hot, estimate, dtm;
} build_settings;

static const cli_option options[] = {
    {OPTION(STRING, build_settings, game), .name = "game", .value = "GAME",
     .help = "the game, where it is not the first argument: for configuration files"},
    {OPTION(STRING, build_settings, store), .name = "store", .letter = 's', .value = "URL",
     .help = "where to keep it: file:DIR, sqlite:FILE; without one it is only counted"},
    {OPTION(INT, build_settings, seeds), .name = "seeds", .min = -1, .max = 127, .value = "N",
     .fallback = "-1", .help = "up to this many seeds in play; -1 means the whole game"},
    {OPTION(INT, build_settings, pieces), .name = "pieces", .min = 0, .max = 7, .value = "N", .fallback = "0",
     .help = "chess: all tables of endings with up to this many pieces, kings among them"},
    {OPTION(FLAG, build_settings, dtm), .name = "dtm",
     .help = "chess: keep distances to mate of five pieces, too; tables of fewer have them anyway"},
    {OPTION(FLAG, build_settings, graph), .name = "graph", .letter = 'g',
     .help = "the positions that can be reached from the start, depth by depth"},
    {OPTION(INT, build_settings, book_depth), .name = "book-depth", .letter = 'b', .min = -1, .max = 1000,
     .value = "D", .fallback = "-1",
     .help = "a book: the positions of the first D moves, each searched or derived; -1 means none"},
    {OPTION(STRING, build_settings, known), .name = "known", .value = "URL",
     .help = "a shorter book of the game: with its values the search of a longer one is quicker"},
    {OPTION(FLAG, build_settings, resume), .name = "resume", .letter = 'r',
     .help = "go on with unfinished work, or extend finished work"},
    {OPTION(FLAG, build_settings, restart), .name = "restart", .help = "remove what is there and begin anew"},
    {OPTION(FLAG, build_settings, estimate), .name = "estimate",
     .help = "only say what it would need: memory, disk, time"},
    {OPTION(FILE, build_settings, plot), .name = "plot", .value = "FILE",
     .help = "draw positions by tier and the distribution of values as SVG"},
    {OPTION(FILE, build_settings, scratch), .name = "scratch", .value = "DIR",
     .help = "keep tables that do not fit into memory in files in this folder"},
    {OPTION(FLAG, build_settings, no_hot), .name = "no-hot",
     .help = "position by position even where the game has a faster way of its own"},
    {0},
};

/* ---- Words ------------------------------------------------------------------------------------- */

static void plan_words(text *t, const build_request *b, const retro_plan *plan)
{
    text_printf(t, "%s up to %u %s: ", b->v->name, b->top, b->v->game->index->tier_unit);
    text_count(t, plan->positions);
    text_printf(t, " positions in %llu parts; needs ", (unsigned long long)plan->parts);
    text_size(t, plan->memory);
    text_string(t, " of memory, ");
    if (b->url != NULL) {
        text_string(t, "about ");
        text_size(t, plan->disk);
        text_string(t, " of disk, ");
    }
    text_string(t, "about ");
    text_duration(t, plan->seconds / b->threads);
}

static void plan_json(text *t, const build_request *b, const retro_plan *plan)
{
    json j = json_begin(t);
    json_open(&j, NULL, '{');
    json_put_string(&j, "game", b->v->name);
    json_put_uint(&j, "top", b->top);
    json_put_uint(&j, "positions", plan->positions);
    json_put_uint(&j, "parts", plan->parts);
    json_put_uint(&j, "memory", plan->memory);
    json_put_uint(&j, "disk", plan->disk);
    json_put_double(&j, "seconds", plan->seconds / b->threads);
    json_close(&j);
    text_char(t, '\n');
}

static void start_words(text *t, const build_request *b, const build_report *r)
{
    holos_position *p = holos_position_new(b->v);
    if (!r->has_start || p == NULL || holos_start(b->v, p, NULL) != HOLOS_OK) {
        holos_position_free(p);
        return;
    }
    text_printf(t, "  start        %+d", r->start_score);
    if (r->start_best_count > 0) {
        text_string(t, r->kind == STORE_GRAPH ? "; best move " : "; best ");
        words_moves(t, b->v, p, r->start_best, r->start_best_count);
    }
    text_char(t, '\n');
    holos_position_free(p);
}

static void count_line(text *t, const char *name, uint64_t count, const char *after)
{
    text_printf(t, "  %-12s ", name);
    text_count(t, count);
    text_printf(t, "%s\n", after);
}

/* On the wall; with processor_seconds above 0 also for the work of one processor. */
static void rate_words(text *t, uint64_t positions, double seconds, double processor_seconds)
{
    text_string(t, "  rate         ");
    text_count(t, seconds > 0 ? (uint64_t)((double)positions / seconds) : 0);
    text_string(t, " positions/s");
    if (processor_seconds > 0) {
        text_string(t, "; computing alone, ");
        text_count(t, (uint64_t)((double)positions / processor_seconds));
        text_string(t, " in a second of one processor");
    }
    text_char(t, '\n');
}

static void store_words(text *t, const build_request *b, const build_report *r)
{
    if (b->url == NULL)
        return;
    text_printf(t, "  store        %s, ", b->url);
    text_size(t, r->facts.bytes);
    text_char(t, '\n');
}

/* A line for each ply, and one for all. */
static void ply_line(text *t, const char *name, const build_ply *ply)
{
    const uint64_t counts[] = {ply->positions, ply->won, ply->drawn, ply->lost, ply->finished};
    text_printf(t, "  %-5s", name);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        text number;
        char digits[32];
        text_init_fixed(&number, digits, sizeof digits);
        text_count(&number, counts[i]);
        text_printf(t, " %14s", digits);
    }
    text_char(t, '\n');
}

static void book_words(text *t, const build_report *r)
{
    build_ply all = {0};
    char name[24];
    text_printf(t, "  %-5s %14s %14s %14s %14s %14s\n", "ply", "positions", "won", "drawn", "lost", "over");
    for (size_t i = 0; i < r->ply_count; i++) {
        const build_ply *ply = &r->plies[i];
        snprintf(name, sizeof name, "%zu", i);
        ply_line(t, name, ply);
        all.positions += ply->positions;
        all.won += ply->won;
        all.drawn += ply->drawn;
        all.lost += ply->lost;
        all.finished += ply->finished;
        all.folded += ply->folded;
    }
    ply_line(t, "all", &all);
    count_line(t, "folded", all.folded, " (symmetric positions once)");
    count_line(t, "searched", r->computed, "; the others follow from them");
}

static void report_words(text *t, const build_request *b, const build_report *r)
{
    static const char *const titles[] = {
        [STORE_DATABASE] = "the database", [STORE_GRAPH] = "the reachable graph", [STORE_BOOK] = "the book"};
    text_printf(t, "%s: %s\n", b->v->name, titles[r->kind]);
    count_line(t, "positions", r->positions, "");
    if (r->kind == STORE_GRAPH) {
        count_line(t, "finished", r->finished, " (the game is over)");
        count_line(t, "generated", r->edges, " successors");
        text_string(t, "  duplicates   ");
        text_count(t, r->duplicates);
        text_printf(t, " (%.1f %%)\n", r->edges > 0 ? 100.0 * (double)r->duplicates / (double)r->edges : 0);
        count_line(t, "depths", r->level_count, "");
    } else if (r->kind == STORE_BOOK) {
        book_words(t, r);
    } else {
        if (r->computed < r->positions)
            count_line(t, "computed", r->computed, "; the others were there already");
    }
    start_words(t, b, r);
    text_string(t, "  time         ");
    text_duration(t, r->seconds);
    text_char(t, '\n');
    if (r->kind == STORE_GRAPH)
        rate_words(t, r->positions, r->reach_seconds, 0);
    else if (r->kind == STORE_DATABASE)
        rate_words(t, r->computed, r->seconds, r->solve_seconds);
    store_words(t, b, r);
}

/* ---- Running ----------------------------------------------------------------------------------- */

static holos_status request_make(const cli *c, build_request *b, holos_error *err)
{
    const build_settings *s = c->settings;
    const holos_index *index = b->v->game->index;
    b->url = s->store;
    b->mode = s->resume ? STORE_RESUME : s->restart ? STORE_RESTART : STORE_CREATE;
    b->scratch = s->scratch;
    b->no_hot = s->no_hot;
    b->histogram = s->plot != NULL;
    b->threads = c->shared.threads > 0 ? (unsigned)c->shared.threads : pool_processors();
    b->memory = c->shared.mem;
    b->stop = interrupt_flag();
    if (s->resume && s->restart)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--resume and --restart contradict each other");
    if (s->graph && s->book_depth >= 0)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--graph and --book-depth contradict each other");
    if (s->graph)
        return HOLOS_OK;
    if (s->book_depth >= 0) {
        b->top = (uint32_t)s->book_depth;
        return plies_supports(b->v, err);
    }
    holos_status status = retro_supports(b->v, err);
    if (status == HOLOS_OK)
        b->top = s->seeds >= 0 ? (uint32_t)s->seeds : index->tiers(b->v) - 1;
    return status;
}

/* What it will take, before it begins. */
static cli_status plan_say(cli *c, const build_request *b, bool only)
{
    retro_plan plan;
    holos_error err;
    if (build_plan(b, &plan, &err) != HOLOS_OK)
        return cli_fail(&err);
    text t;
    text_init(&t);
    plan_words(&t, b, &plan);
    logger log = c->log;
    if (plan.seconds / b->threads > LONG_WORK && !c->shared.quiet)
        log.level = LOG_LEVEL_INFO; /* whoever has to wait should know for what */
    if (!only)
        log_write(&log, LOG_LEVEL_INFO, "%s", t.data);
    else if (c->shared.json)
        plan_json(&c->out->text, b, &plan);
    else
        text_printf(&c->out->text, "%s\n", t.data);
    text_free(&t);
    return CLI_DONE;
}

static cli_status finish(cli *c, const build_request *b, const build_report *r)
{
    const build_settings *s = c->settings;
    holos_error err;
    if (build_record(b, r, &err) != HOLOS_OK)
        return cli_fail(&err);
    if (s->plot != NULL && plot_write(s->plot, b, r, &err) != HOLOS_OK)
        return cli_fail(&err);
    if (c->shared.json)
        build_report_json(b, r, &c->out->text);
    else
        report_words(&c->out->text, b, r);
    return CLI_DONE;
}

static cli_status build(cli *c, build_request *b)
{
    const build_settings *s = c->settings;
    holos_error err;
    if (request_make(c, b, &err) != HOLOS_OK)
        return cli_fail(&err);
    b->progress = &c->progress;
    b->log = &c->log;
    bool is_book = s->book_depth >= 0;
    if (s->estimate && (s->graph || is_book)) {
        cli_error("--estimate is for databases; what a graph or a book takes is not known beforehand");
        return CLI_USAGE;
    }
    if (!s->graph && !is_book) {
        cli_status status = plan_say(c, b, s->estimate);
        if (status != CLI_DONE || s->estimate)
            return status;
    }
    if (s->known != NULL && !is_book) {
        cli_error("--known is for books");
        return CLI_USAGE;
    }
    known values;
    if (known_open(&values, s->known, b->v, 0, &err) != HOLOS_OK)
        return cli_fail(&err);
    b->boundary = known_boundary(&values);
    build_report report;
    holos_status status = s->graph  ? build_graph(b, &report, &err)
                          : is_book ? build_book(b, &report, &err)
                                    : build_database(b, &report, &err);
    cli_status exit = status == HOLOS_OK ? finish(c, b, &report) : cli_fail(&err);
    build_report_free(&report);
    known_close(&values);
    return exit;
}

static cli_status run(cli *c)
{
    const build_settings *s = c->settings;
    const char *game = c->operand_count > 0 ? c->operands[0] : s->game;
    holos_error err;
    holos_variant *v;
    if (game == NULL) {
        cli_error("build needs a game; write holos build %s", c->verb->operands);
        return CLI_USAGE;
    }
    if (holos_open(game, &v, &err) != HOLOS_OK)
        return cli_fail(&err);
    build_request b = {.v = v};
    cli_status status;
    if (v->game->endings != NULL && !s->graph && s->book_depth < 0) {
        making_endings m = {.name = c->operand_count > 1 ? c->operands[1] : NULL,
                            .pieces = (unsigned)s->pieces,
                            .url = s->store,
                            .resume = s->resume,
                            .restart = s->restart,
                            .estimate = s->estimate,
                            .mates = s->dtm};
        status = making_endings_run(c, v, &m);
    } else if (c->operand_count > 1) {
        cli_error("%s has no tables of endings: '%s' is one word too many", v->name, c->operands[1]);
        status = CLI_USAGE;
    } else {
        status = build(c, &b);
    }
    holos_close(v);
    return status;
}

static const cli_example examples[] = {
    {"build kalah:4,3 --store file:kalah43", "every position of a small game"},
    {"build kalah:6,4 --seeds 22 --store file:kalah6 --threads 0", "all endings with up to 22 seeds"},
    {"build kalah:4,3 --graph --store sqlite:kalah43.db", "what can be reached, as a table for SQL"},
    {"build connect4:6x5 --book-depth 6 --store file:book65",
     "the first six moves, for 'holos solve --store'"},
    {"build connect4:4x4 --book-depth 16", "every position of a small board: won, drawn and lost, by ply"},
    {"build chess KQvKR --store file:syzygy",
     "tables of an ending and of all that it can come to, for chess programs"},
    {"build --config configs/kalah-4-3.yaml", "what a file says"},
    {0},
};

const cli_verb verb_build = {
    .name = "build",
    .operands = "GAME[:VARIANT] [ENDING]",
    .summary = "a whole database of a game, or its graph",
    .description = "Finds the values of all positions of a game up to a size, by retrograde analysis, and "
                   "keeps them in a "
                   "store. Values are those of what is still to come, for the side to move; 'holos query' "
                   "looks them up, and "
                   "'holos solve --store' goes on from them. With --graph, finds instead every position that "
                   "can be reached "
                   "from the start, with its depth, value and best move. With --book-depth, the positions of "
                   "the first moves, symmetric ones once: those of the last ply are searched, the others "
                   "follow from them; of a small game the whole is a book. Of chess, tables of an ending "
                   "(KQvKR) or with "
                   "--pieces of all endings, as the files that other chess programs read.\n\n"
                   "Before long work begins, it is checked that memory suffices; --estimate only says what "
                   "it would take. "
                   "Finished parts are kept at once: after Ctrl-C, a crash or a full disk --resume goes on, "
                   "and ends with the "
                   "same bytes. A record of the run is kept beside the store (build.json).",
    .operands_min = 0,
    .operands_max = 2,
    .complete = game_word,
    .shared = SHARED_MEM | SHARED_THREADS | SHARED_JSON | SHARED_PROGRESS | SHARED_CONFIG | SHARED_LOG,
    .options = options,
    .settings_size = sizeof(build_settings),
    .examples = examples,
    .run = run,
};
