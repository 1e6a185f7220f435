/* SPDX-License-Identifier: MIT */

#include "cli/answer.h"

#include "cli/distances.h"
#include "cli/interrupt.h"
#include "cli/steps.h"
#include "cli/words.h"
#include "core/json.h"

#include <stdlib.h>
#include <string.h>

/* What an answer is made of. */
typedef struct answer {
    const answer_format *f;
    const char *question;
    const holos_position *position;
    const holos_result *r;
    bool solved;
    holos_status *steps; /* whether all steps were found */
} answer;

/* What is left of the limits for the steps. */
static holos_limits limits_left(const answer *a)
{
    holos_limits limits = a->f->limits;
    if (limits.seconds > 0)
        limits.seconds = limits.seconds > a->r->seconds ? limits.seconds - a->r->seconds : 1e-3;
    return limits;
}

answer_format answer_format_of(const cli *c, const holos_variant *v)
{
    return (answer_format){
        .v = v,
        .json = c->shared.json,
        .color = c->out->color && !c->shared.json,
        .limits = {.seconds = c->shared.time, .nodes = c->shared.nodes, .stop = interrupt_flag()}};
}

void answer_format_know(answer_format *f, holos_knowledge *known)
{
    f->known = known;
    f->distances = distances_of(known);
}

/* ---- JSON -------------------------------------------------------------------------------------- */

static void json_value(json *j, const holos_variant *v, holos_value value)
{
    const char *outcome = words_outcome(v, value);
    json_put_int(j, "lo", value.lo);
    json_put_int(j, "hi", value.hi);
    if (outcome != NULL)
        json_put_string(j, "outcome", outcome);
    else
        json_put_null(j, "outcome");
    if (value.distance != HOLOS_NO_DISTANCE)
        json_put_uint(j, "distance", value.distance);
    else
        json_put_null(j, "distance");
}

/* Apart from what is proved. */
static void json_guess(json *j, const holos_guess *guess)
{
    double precision = holos_guess_precision(guess);
    json_open(j, "guess", '{');
    json_put_int(j, "value", guess->value);
    json_put_string(j, "by", holos_source_name(guess->source));
    if (precision >= 0)
        json_put_double(j, "precision", precision);
    json_close(j);
}

static void json_move(json *j, const char *name, const holos_variant *v, const holos_position *p,
                      holos_move move)
{
    char s[64]; /* holos_format_move would take longer than to solve a small puzzle */
    holos_format_legal(v, p, move, s, sizeof s);
    json_put_string(j, name, s);
}

static void json_line(json *j, const answer *a)
{
    const holos_variant *v = a->f->v;
    holos_position *p = holos_position_new(v);
    if (p == NULL) {
        j->out->failed = true;
        return;
    }
    memcpy(p, a->position, holos_position_size(v));
    for (size_t i = 0; i < a->r->line_length; i++) {
        json_move(j, NULL, v, p, a->r->line[i]);
        if (holos_play(v, p, a->r->line[i], p, NULL) != HOLOS_OK)
            break;
    }
    holos_position_free(p);
}

static void json_moves(json *j, const answer *a)
{
    for (size_t i = 0; i < a->r->move_count; i++) {
        json_open(j, NULL, '{');
        json_move(j, "move", a->f->v, a->position, a->r->moves[i].move);
        json_value(j, a->f->v, a->r->moves[i].value);
        if (distances_are_known(a->f->distances, a->r->moves[i].value))
            distances_put(j, a->f->distances, a->r->moves[i].value);
        json_close(j);
    }
}

static void json_position(json *j, const char *name, const holos_variant *v, const holos_position *p)
{
    text s;
    text_init(&s);
    words_position(&s, v, p);
    json_put_string(j, name, s.data);
    text_free(&s);
}

static void json_solutions(json *j, const answer *a)
{
    const holos_result *r = a->r;
    json_put_uint(j, "solutions", r->solutions);
    json_put_bool(j, "solutions_complete", r->solutions_complete);
    if (r->solution != NULL)
        json_position(j, "solution", a->f->v, r->solution);
    else
        json_put_null(j, "solution");
    if (r->known != NULL)
        json_position(j, "known", a->f->v, r->known);
    if (r->reason != NULL)
        json_put_string(j, "reason", r->reason);
    if (r->limit != NULL)
        json_put_string(j, "limit", r->limit);
}

static void json_work(json *j, const holos_result *r)
{
    json_put_uint(j, "depth", r->depth);
    json_open(j, "techniques", '[');
    for (size_t i = 0; i < r->work_count; i++) {
        json_open(j, NULL, '{');
        json_put_string(j, "technique", r->work[i].name);
        json_put_uint(j, "calls", r->work[i].calls);
        json_put_uint(j, "removals", r->work[i].removals);
        json_put_uint(j, "conflicts", r->work[i].conflicts);
        json_put_double(j, "seconds", r->work[i].seconds);
        json_close(j);
    }
    json_close(j);
}

static void write_json(text *t, const answer *a)
{
    const holos_result *r = a->r;
    json j = json_begin(t);
    json_open(&j, NULL, '{');
    json_put_string(&j, "game", holos_variant_name(a->f->v));
    json_put_string(&j, "position", a->question);
    json_put_string(&j, "status", a->solved ? "solved" : "bounded");
    if (a->f->weak)
        json_put_bool(&j, "weak", true);
    json_value(&j, a->f->v, r->value);
    if (distances_are_known(a->f->distances, r->value))
        distances_put(&j, a->f->distances, r->value);
    if (r->guess.source != HOLOS_SOURCE_NONE)
        json_guess(&j, &r->guess);
    json_open(&j, "best", '[');
    for (size_t i = 0; i < r->best_count; i++)
        json_move(&j, NULL, a->f->v, a->position, r->best[i]);
    json_close(&j);
    if (a->f->line) {
        json_open(&j, "pv", '[');
        json_line(&j, a);
        json_close(&j);
        if (r->line_end != NULL)
            json_put_string(&j, "pv_end", r->line_end);
    }
    if (a->f->moves) {
        json_open(&j, "moves", '[');
        json_moves(&j, a);
        json_close(&j);
    }
    if (words_is_puzzle(a->f->v))
        json_solutions(&j, a);
    if (a->r->work_count > 0)
        json_work(&j, r);
    if (a->f->steps)
        *a->steps = steps_put_all(&j, "steps", a->f->v, a->position, (const holos_limits[]){limits_left(a)});
    json_put_string(&j, "engine", r->engine);
    json_put_string(&j, "source", holos_source_name(r->value.source));
    json_put_uint(&j, "nodes", r->nodes);
    json_put_double(&j, "seconds", r->seconds);
    json_close(&j);
    text_char(t, '\n');
}

/* ---- For people -------------------------------------------------------------------------------- */

/* Without letting what was read steer a terminal. */
void answer_question(text *t, const answer_format *f, const char *question, const char *separator)
{
    text_style_begin(t, f->color, STYLE_BOLD);
    if (*question == 0)
        text_string(t, "start");
    for (const char *s = question; *s != 0; s++) {
        char shown[8];
        if ((unsigned char)*s < 0x80)
            text_string(t, text_show_char((unsigned char)*s, shown));
        else
            text_char(t, *s);
    }
    text_style_end(t, f->color, STYLE_BOLD);
    text_string(t, separator);
}

static void show_solutions(text *t, const answer *a)
{
    const holos_result *r = a->r;
    if (r->solutions > 0) {
        text_string(t, r->solutions_complete ? "; " : "; at least ");
        text_count(t, r->solutions);
        text_string(t, r->solutions == 1 ? " solution" : " solutions");
    }
}

static void show_work(text *t, const holos_result *r)
{
    text_string(t, "; stopped after ");
    text_duration(t, r->seconds);
    text_string(t, ", ");
    text_count(t, r->nodes);
    text_string(t, " nodes");
    if (r->limit != NULL)
        text_printf(t, ", at %s", r->limit);
}

static void show_guess(text *t, const holos_guess *guess)
{
    double precision = holos_guess_precision(guess);
    text_printf(t, "; a guess: %s%d", guess->value > 0 ? "+" : "", guess->value);
    if (precision >= 0)
        text_printf(t, " (of such guesses, %.0f %% were right)", 100 * precision);
}

/* What each technique did, below each other. */
static void show_telemetry(text *t, const holos_result *r)
{
    text_printf(t, "  %-16s %9s %9s %9s %12s\n", "technique", "calls", "removals", "conflicts",
                "microseconds");
    for (size_t i = 0; i < r->work_count; i++)
        text_printf(t, "  %-16s %9llu %9llu %9llu %12.0f\n", r->work[i].name,
                    (unsigned long long)r->work[i].calls, (unsigned long long)r->work[i].removals,
                    (unsigned long long)r->work[i].conflicts, 1e6 * r->work[i].seconds);
}

static void show_position(text *t, const holos_variant *v, const char *words, const holos_position *p)
{
    text_string(t, words);
    words_position(t, v, p);
    text_char(t, '\n');
}

/* Why tables do not know a position. */
static void show_missing(text *t, const answer *a)
{
    holos_error why;
    if (a->f->distances == NULL || a->r->value.source == HOLOS_SOURCE_RULES)
        return;
    holos_status status = holos_knowledge_why(a->f->known, a->position, &why);
    if (status != HOLOS_OK && status != HOLOS_LIMIT)
        text_printf(t, "  not in the tables: %s\n", why.message);
}

static void write_plain(text *t, const answer *a)
{
    const holos_result *r = a->r;
    const holos_variant *v = a->f->v;
    bool puzzle = words_is_puzzle(v);
    answer_question(t, a->f, a->question, ": ");
    if (!puzzle && r->value.source == HOLOS_SOURCE_RULES)
        text_string(t, "the game is over: ");
    words_value(t, v, r->value);
    if (puzzle)
        show_solutions(t, a);
    else if (r->best_count > 0)
        text_string(t, "; best ");
    if (!puzzle)
        words_moves(t, v, a->position, r->best, r->best_count);
    if (!a->solved)
        show_work(t, r);
    if (r->guess.source != HOLOS_SOURCE_NONE)
        show_guess(t, &r->guess);
    if (r->reason != NULL)
        text_printf(t, ": %s", r->reason);
    text_char(t, '\n');
    if (puzzle && r->solution != NULL)
        show_position(t, v, "  ", r->solution);
    if (r->known != NULL)
        show_position(t, v, "  certain: ", r->known);
    if (r->work_count > 0)
        show_telemetry(t, r);
    bool in_tables = distances_are_known(a->f->distances, r->value) && r->value.source == HOLOS_SOURCE_TABLE;
    if (in_tables)
        distances_say(t, a->f->distances, r->value);
    else
        show_missing(t, a);
    if (a->f->moves && in_tables)
        distances_say_moves(t, v, a->f->distances, a->position, r, a->f->color);
    else if (a->f->moves)
        words_move_table(t, v, a->position, r, a->f->weak, a->f->color);
    if (a->f->steps && r->solution != NULL)
        *a->steps = steps_say_all(t, v, a->position, (const holos_limits[]){limits_left(a)}, a->f->color);
    if (a->f->line && r->line_length > 0) {
        text_string(t, "  line: ");
        words_play(t, v, a->position, r->line, r->line_length);
        text_char(t, '\n');
    }
    if (a->f->line && r->line_end != NULL)
        text_printf(t, "  the line ends here: %s\n", r->line_end);
}

/* ------------------------------------------------------------------------------------------------ */

cli_status answer_write(text *t, const answer_format *f, const char *question, const holos_position *position,
                        holos_status status, const holos_result *r)
{
    holos_status steps = HOLOS_OK;
    const answer a = {f, question, position, r, status == HOLOS_OK, &steps};
    if (f->json)
        write_json(t, &a);
    else
        write_plain(t, &a);
    if (status != HOLOS_OK)
        return cli_status_of(status);
    if (steps == HOLOS_LIMIT || steps == HOLOS_INTERRUPTED)
        return cli_status_of(steps);
    return words_is_puzzle(f->v) && r->value.hi == 0 ? CLI_NO : CLI_DONE;
}

cli_status answer_error(text *t, const answer_format *f, const char *question, const holos_error *err)
{
    if (!f->json) {
        answer_question(t, f, question, ": ");
        text_style_begin(t, f->color, STYLE_BAD);
        text_string(t, "error");
        text_style_end(t, f->color, STYLE_BAD);
        text_printf(t, ": %s", err->message);
        if (err->at != HOLOS_NOWHERE)
            text_printf(t, " (at character %lld)", (long long)err->at + 1);
        text_char(t, '\n');
        return cli_status_of(err->code);
    }
    json j = json_begin(t);
    json_open(&j, NULL, '{');
    json_put_string(&j, "game", holos_variant_name(f->v));
    json_put_string(&j, "position", question);
    json_put_string(&j, "status", "error");
    words_error_json(&j, err);
    json_close(&j);
    text_char(t, '\n');
    return cli_status_of(err->code);
}
