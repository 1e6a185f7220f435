/* SPDX-License-Identifier: MIT */

#include "cli/answer.h"

#include "cli/distances.h"
#include "cli/interrupt.h"
#include "cli/steps.h"
#include "cli/words.h"
#include "core/json.h"
#include "wire/answer.h"

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
    f->distances = wire_distances_of(known);
}

/* ---- JSON -------------------------------------------------------------------------------------- */

static void write_json(text *t, const answer *a)
{
    const wire_answer found = {.v = a->f->v,
                               .question = a->question,
                               .position = a->position,
                               .r = a->r,
                               .solved = a->solved,
                               .weak = a->f->weak,
                               .moves = a->f->moves,
                               .line = a->f->line,
                               .distances = a->f->distances};
    json j = json_begin(t);
    json_open(&j, NULL, '{');
    wire_answer_put(&j, &found);
    if (a->f->steps)
        *a->steps = wire_steps(&j, "steps", a->f->v, a->position, (const holos_limits[]){limits_left(a)});
    wire_answer_put_work(&j, a->r);
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
    bool puzzle = wire_is_puzzle(v);
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
    bool in_tables =
        wire_distances_are_known(a->f->distances, r->value) && r->value.source == HOLOS_SOURCE_TABLE;
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
    return wire_is_puzzle(f->v) && r->value.hi == 0 ? CLI_NO : CLI_DONE;
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
    wire_error(&j, err);
    json_close(&j);
    text_char(t, '\n');
    return cli_status_of(err->code);
}
