/* SPDX-License-Identifier: MIT */

#include "cli/endings.h"

#include "cli/interrupt.h"
#include "cli/output.h"
#include "core/clock.h"
#include "core/file.h"
#include "core/pool.h"
#include "session/build.h"

#include <stdlib.h>
#include <string.h>

#define LONG_WORK 2.0 /* seconds */
#define LINE_MOST 1024

static const char *const score_names[] = {"loss", "blessed", "draw", "cursed", "win"};

/* ---- Making them ------------------------------------------------------------------------------- */

static void plan_words(text *t, const endings_plan *plan, unsigned threads)
{
    text_printf(t, "%zu tables", plan->tables);
    if (plan->made_already > 0)
        text_printf(t, ", %zu of them there already", plan->made_already);
    text_string(t, "; ");
    text_count(t, plan->positions);
    text_string(t, " positions; needs ");
    text_size(t, plan->memory);
    text_string(t, " of memory, at most ");
    text_size(t, plan->disk);
    text_string(t, " of disk, about ");
    text_duration(t, plan->seconds / threads);
}

static void plan_json(text *t, const holos_variant *v, const endings_plan *plan, unsigned threads)
{
    json j = json_begin(t);
    json_open(&j, NULL, '{');
    json_put_string(&j, "game", v->name);
    json_put_uint(&j, "tables", plan->tables);
    json_put_uint(&j, "tables_there", plan->made_already);
    json_put_uint(&j, "positions", plan->positions);
    json_put_uint(&j, "memory", plan->memory);
    json_put_uint(&j, "disk", plan->disk);
    json_put_double(&j, "seconds", plan->seconds / threads);
    json_close(&j);
    text_char(t, '\n');
}

static void counts_json(json *j, const char *side, const uint64_t counts[5])
{
    json_open(j, side, '{');
    for (unsigned i = 5; i-- > 0;)
        json_put_uint(j, score_names[i], counts[i]);
    json_close(j);
}

static void table_json(json *j, const ending_report *e)
{
    json_open(j, NULL, '{');
    json_put_string(j, "table", e->name);
    json_put_bool(j, "there", e->was_there);
    if (e->positions > 0) {
        counts_json(j, "white", e->counts[0]);
        counts_json(j, "black", e->counts[1]);
        json_put_uint(j, "dtz", e->zeroing_most);
        json_put_uint(j, "dtm", e->mate_most);
        json_put_uint(j, "positions", e->positions);
        json_put_uint(j, "bytes", e->bytes);
        json_put_double(j, "value_seconds", e->value_seconds);
        json_put_double(j, "write_seconds", e->write_seconds);
    }
    json_close(j);
}

static void report_json(text *t, const holos_variant *v, const endings_report *r, double seconds)
{
    json j = json_begin(t);
    json_open(&j, NULL, '{');
    json_put_string(&j, "game", v->name);
    json_open(&j, "tables", '[');
    for (size_t i = 0; i < r->count; i++)
        table_json(&j, &r->endings[i]);
    json_close(&j);
    json_put_uint(&j, "memory", r->memory);
    json_put_double(&j, "seconds", seconds);
    json_close(&j);
    text_char(t, '\n');
}

static void counts_words(text *t, const uint64_t counts[5])
{
    for (unsigned i = 5; i-- > 0;) {
        bool rare = i == 1 || i == 3;
        if (rare && counts[i] == 0)
            continue;
        text_printf(t, "%s%llu %s", i < 4 ? ", " : "", (unsigned long long)counts[i], score_names[i]);
    }
}

static void report_words(text *t, const endings_report *r)
{
    for (size_t i = 0; i < r->count; i++) {
        const ending_report *e = &r->endings[i];
        if (e->positions == 0) {
            text_printf(t, "%s: there already\n", e->name);
            continue;
        }
        text_printf(t, "%s: white to move ", e->name);
        counts_words(t, e->counts[0]);
        text_string(t, "; black to move ");
        counts_words(t, e->counts[1]);
        text_printf(t, "; longest DTZ %u plies, longest mate %u moves", e->zeroing_most, e->mate_most);
        if (e->bytes > 0) {
            text_string(t, "; ");
            text_size(t, e->bytes);
        }
        text_char(t, '\n');
    }
}

/* DIR/build.json: what was made, when it was asked for again the last time. */
static holos_status record_keep(const holos_variant *v, const char *folder, const endings_report *r,
                                double seconds, holos_error *err)
{
    text path, words;
    file_writer w;
    text_init(&path);
    text_init(&words);
    text_printf(&path, "%s/build.json", folder);
    report_json(&words, v, r, seconds);
    holos_status status = file_create(&w, path.data, err);
    if (status == HOLOS_OK) {
        file_write(&w, words.data, words.length);
        status = file_commit(&w, err);
    }
    text_free(&path);
    text_free(&words);
    return status;
}

static cli_status plan_say(cli *c, const holos_variant *v, const endings_request *r, bool only)
{
    endings_plan plan;
    holos_error err;
    text t;
    if (v->game->endings->plan(r, &plan, &err) != HOLOS_OK)
        return cli_fail(&err);
    text_init(&t);
    plan_words(&t, &plan, r->threads);
    logger log = c->log;
    if (plan.seconds / r->threads > LONG_WORK && !c->shared.quiet)
        log.level = LOG_LEVEL_INFO; /* whoever has to wait should know for what */
    if (!only)
        log_write(&log, LOG_LEVEL_INFO, "%s", t.data);
    else if (c->shared.json)
        plan_json(&c->out->text, v, &plan, r->threads);
    else
        text_printf(&c->out->text, "%s\n", t.data);
    text_free(&t);
    return CLI_DONE;
}

cli_status making_endings_run(cli *c, const holos_variant *v, const making_endings *m)
{
    holos_error err;
    endings_report report = {0};
    if (m->resume && m->restart) {
        cli_error("--resume and --restart contradict each other");
        return CLI_USAGE;
    }
    if ((m->name == NULL) == (m->pieces < 3)) {
        cli_error("say which tables: holos build %s KQvKR, or --pieces 4 for all", v->name);
        return CLI_USAGE;
    }
    if (m->url != NULL && strncmp(m->url, "file:", 5) != 0 && strchr(m->url, ':') != NULL) {
        cli_error("tables of endings are files: --store file:DIR");
        return CLI_USAGE;
    }
    endings_request r = {.name = m->name,
                         .pieces = m->pieces,
                         .folder =
                             m->url == NULL ? NULL : m->url + (strncmp(m->url, "file:", 5) == 0 ? 5 : 0),
                         .resume = m->resume,
                         .restart = m->restart,
                         .mates = m->mates,
                         .threads = c->shared.threads > 0 ? (unsigned)c->shared.threads : pool_processors(),
                         .memory = c->shared.mem != 0 ? c->shared.mem : build_memory_available(),
                         .progress = &c->progress,
                         .log = &c->log,
                         .stop = interrupt_flag()};
    cli_status exit = plan_say(c, v, &r, m->estimate);
    if (exit != CLI_DONE || m->estimate)
        return exit;
    double begun = clock_wall();
    holos_status status = v->game->endings->build(&r, &report, &err);
    double seconds = clock_wall() - begun;
    if (status == HOLOS_OK && r.folder != NULL)
        status = record_keep(v, r.folder, &report, seconds, &err);
    if (status == HOLOS_OK && c->shared.json)
        report_json(&c->out->text, v, &report, seconds);
    else if (status == HOLOS_OK)
        report_words(&c->out->text, &report);
    free(report.endings);
    return status == HOLOS_OK ? CLI_DONE : cli_fail(&err);
}

/* ---- What they say ----------------------------------------------------------------------------- */

static void put_distance(json *j, const char *name, int32_t distance)
{
    if (distance == ENDINGS_UNKNOWN)
        json_put_null(j, name);
    else
        json_put_int(j, name, distance);
}

void endings_put_value(json *j, const ending_value *value)
{
    put_distance(j, "dtz", value->zeroing);
    put_distance(j, "dtm", value->mate);
}

static void distances_words(text *t, const ending_value *value)
{
    int32_t zeroing = abs(value->zeroing), mate = abs(value->mate);
    if (value->mate != ENDINGS_UNKNOWN)
        text_printf(t, "DTM %d %s (mate in %d %s)", mate, mate == 1 ? "ply" : "plies", (mate + 1) / 2,
                    mate > 2 ? "moves" : "move");
    if (value->mate != ENDINGS_UNKNOWN && value->zeroing != ENDINGS_UNKNOWN)
        text_string(t, ", ");
    if (value->zeroing != ENDINGS_UNKNOWN)
        text_printf(t, "DTZ %d %s", zeroing, zeroing == 1 ? "ply" : "plies");
}

void endings_say_value(text *t, const ending_value *value)
{
    if (value->score == 0 || (value->mate == ENDINGS_UNKNOWN && value->zeroing == ENDINGS_UNKNOWN))
        return;
    text_string(t, "  ");
    distances_words(t, value);
    text_char(t, '\n');
}

static int better(const void *a, const void *b)
{
    const ending_move *x = a, *y = b;
    if (x->known != y->known)
        return x->known ? -1 : 1;
    if (x->value.score != y->value.score)
        return x->value.score > y->value.score ? -1 : 1;
    if (x->value.mate != y->value.mate)
        return x->value.mate < y->value.mate ? -1 : 1;
    return (x->value.zeroing > y->value.zeroing) - (x->value.zeroing < y->value.zeroing);
}

static void move_line(text *t, const holos_variant *v, const holos_position *p, const ending_move *m)
{
    char name[64];
    holos_format_move(v, p, m->move, name, sizeof name);
    if (m->known && m->value.score != 0) {
        text_printf(t, "    %-8s ", name);
        distances_words(t, &m->value);
    } else {
        text_printf(t, "    %s", name);
    }
    text_char(t, '\n');
}

void endings_say_moves(text *t, const holos_variant *v, const open_endings *e, const holos_position *p,
                       bool color)
{
    static const char *const groups[] = {"losses", "losses that the fifty-move rule saves", "draws",
                                         "wins that the fifty-move rule spoils", "wins"};
    static const output_style styles[] = {STYLE_BAD, STYLE_BAD, STYLE_PLAIN, STYLE_PLAIN, STYLE_GOOD};
    ending_move *moves = calloc(v->max_successors, sizeof *moves);
    uint32_t count = moves != NULL ? e->game->moves(e->state, p, moves) : 0;
    t->failed |= moves == NULL;
    if (count > 0)
        qsort(moves, count, sizeof *moves, better);
    int group = -1;
    bool distances = false;
    for (uint32_t i = 0; i < count; i++) {
        int of = moves[i].known ? moves[i].value.score + 2 : -2;
        if (of != group) {
            text_string(t, "  ");
            text_style_begin(t, color, of >= 0 ? styles[of] : STYLE_PLAIN);
            text_string(t, of >= 0 ? groups[of] : "not in the tables");
            text_style_end(t, color, of >= 0 ? styles[of] : STYLE_PLAIN);
            text_string(t, ":\n");
        }
        group = of;
        distances |= of >= 0 && of != 2;
        move_line(t, v, p, &moves[i]);
    }
    if (distances)
        text_string(t, "  DTM counts plies to mate, DTZ plies to the next capture or pawn's move that keeps "
                       "the result (or mate)\n");
    free(moves);
}

/* ---- Answers ----------------------------------------------------------------------------------- */

struct endings_answers {
    const holos_variant *v;
    const open_endings *e;
    ending_move *endings;
    holos_move_value *moves;
    holos_move *best, line[LINE_MOST];
};

holos_status endings_answers_open(const holos_variant *v, const open_endings *e, endings_answers **out,
                                  holos_error *err)
{
    endings_answers *a = *out = calloc(1, sizeof *a);
    if (a != NULL) {
        a->v = v;
        a->e = e;
        a->endings = calloc(v->max_successors, sizeof *a->endings);
        a->moves = calloc(v->max_successors, sizeof *a->moves);
        a->best = calloc(v->max_successors, sizeof *a->best);
    }
    if (a != NULL && a->endings != NULL && a->moves != NULL && a->best != NULL)
        return HOLOS_OK;
    endings_answers_close(a);
    *out = NULL;
    return error_system(err, "solving");
}

void endings_answers_close(endings_answers *a)
{
    if (a == NULL)
        return;
    free(a->endings);
    free(a->moves);
    free(a->best);
    free(a);
}

static holos_value value_of(const ending_value *e)
{
    bool ends = e->score != 0 && e->mate != ENDINGS_UNKNOWN;
    return (holos_value){.lo = e->score,
                         .hi = e->score,
                         .distance = ends ? (uint16_t)abs(e->mate) : HOLOS_NO_DISTANCE,
                         .source = HOLOS_SOURCE_TABLE};
}

bool endings_answer(endings_answers *a, const holos_position *p, bool moves, bool line, holos_result *r)
{
    double begun = clock_wall();
    ending_value value;
    int32_t score;
    if (a->v->game->terminal(a->v, p, &score) || !a->e->game->find(a->e->state, p, &value))
        return false;
    *r = (holos_result){.value = value_of(&value), .engine = "tables", .best = a->best, .nodes = 1};
    uint32_t count = a->e->game->moves(a->e->state, p, a->endings);
    for (uint32_t i = 0; i < count; i++) {
        const ending_move *m = &a->endings[i];
        a->moves[i] = (holos_move_value){.move = m->move, .value = value_of(&m->value)};
        if (!m->known)
            a->moves[i].value =
                (holos_value){.lo = a->v->score_min, .hi = a->v->score_max, .distance = HOLOS_NO_DISTANCE};
        else if (m->value.score == value.score)
            a->best[r->best_count++] = m->move;
    }
    r->nodes += count;
    if (moves) {
        r->moves = a->moves;
        r->move_count = count;
    }
    if (line) {
        r->line = a->line;
        r->line_length = a->e->game->line(a->e->state, p, a->line, LINE_MOST);
    }
    r->seconds = clock_wall() - begun;
    return true;
}
