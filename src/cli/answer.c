/* SPDX-License-Identifier: MIT */

#include "cli/answer.h"

#include "cli/endings.h"
#include "cli/steps.h"
#include "cli/words.h"
#include "core/json.h"
#include "game/game.h"

#include <stdlib.h>
#include <string.h>

/* What an answer is made of. */
typedef struct answer {
    const answer_format *f;
    const char *question;
    const holos_position *position;
    const holos_result *r;
    bool solved;
} answer;

answer_format answer_format_of(const cli *c, const holos_variant *v)
{
    return (answer_format){.v = v, .json = c->shared.json, .color = c->out->color && !c->shared.json};
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

static void json_move(json *j, const char *name, const holos_variant *v, const holos_position *p,
                      holos_move move)
{
    /* The solver's moves are legal: holos_format_move would look for them among all moves, which takes longer
     * than to solve a sudoku. */
    char s[64];
    text t;
    text_init_fixed(&t, s, sizeof s);
    v->game->format_move(v, p, move, &t);
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

/* What tables of endings add to the values of moves; NULL if there are none. The caller frees it. */
static ending_move *ending_moves(const answer *a)
{
    if (a->f->endings == NULL)
        return NULL;
    ending_move *moves = calloc(a->f->v->max_successors, sizeof *moves);
    if (moves != NULL &&
        a->f->endings->game->moves(a->f->endings->state, a->position, moves) == a->r->move_count)
        return moves;
    free(moves);
    return NULL;
}

static void json_moves(json *j, const answer *a)
{
    ending_move *endings = ending_moves(a);
    for (size_t i = 0; i < a->r->move_count; i++) {
        json_open(j, NULL, '{');
        json_move(j, "move", a->f->v, a->position, a->r->moves[i].move);
        json_value(j, a->f->v, a->r->moves[i].value);
        if (endings != NULL && endings[i].known)
            endings_put_value(j, &endings[i].value);
        json_close(j);
    }
    free(endings);
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
    ending_value ending;
    if (a->f->endings != NULL && a->f->endings->game->find(a->f->endings->state, a->position, &ending))
        endings_put_value(&j, &ending);
    json_open(&j, "best", '[');
    for (size_t i = 0; i < r->best_count; i++)
        json_move(&j, NULL, a->f->v, a->position, r->best[i]);
    json_close(&j);
    if (a->f->line) {
        json_open(&j, "pv", '[');
        json_line(&j, a);
        json_close(&j);
    }
    if (a->f->moves) {
        json_open(&j, "moves", '[');
        json_moves(&j, a);
        json_close(&j);
    }
    if (words_is_puzzle(a->f->v))
        json_solutions(&j, a);
    if (a->f->telemetry)
        json_work(&j, r);
    if (a->f->steps)
        steps_put_all(&j, "steps", a->f->v, a->position);
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
    if (r->reason != NULL)
        text_printf(t, ": %s", r->reason);
    text_char(t, '\n');
    if (puzzle && r->solution != NULL)
        show_position(t, v, "  ", r->solution);
    if (r->known != NULL)
        show_position(t, v, "  certain: ", r->known);
    if (a->f->telemetry)
        show_telemetry(t, r);
    ending_value ending;
    bool in_tables =
        a->f->endings != NULL && a->f->endings->game->find(a->f->endings->state, a->position, &ending);
    holos_error why;
    if (in_tables)
        endings_say_value(t, &ending);
    else if (a->f->endings != NULL && r->value.source != HOLOS_SOURCE_RULES &&
             a->f->endings->game->why(a->f->endings->state, a->position, &why) != HOLOS_LIMIT)
        text_printf(t, "  not in the tables: %s\n", why.message);
    if (a->f->moves && in_tables)
        endings_say_moves(t, v, a->f->endings, a->position, a->f->color);
    else if (a->f->moves)
        words_move_table(t, v, a->position, r, a->f->weak, a->f->color);
    if (a->f->steps && r->solution != NULL)
        steps_say_all(t, v, a->position, a->f->color);
    if (a->f->line && r->line_length > 0) {
        text_string(t, "  line: ");
        words_play(t, v, a->position, r->line, r->line_length);
        text_char(t, '\n');
    }
}

/* ------------------------------------------------------------------------------------------------ */

cli_status answer_write(text *t, const answer_format *f, const char *question, const holos_position *position,
                        holos_status status, const holos_result *r)
{
    const answer a = {f, question, position, r, status == HOLOS_OK};
    if (f->json)
        write_json(t, &a);
    else
        write_plain(t, &a);
    if (status != HOLOS_OK)
        return cli_status_of(status);
    const char *outcome = words_outcome(f->v, r->value);
    return outcome != NULL && strcmp(outcome, "unsolvable") == 0 ? CLI_NO : CLI_DONE;
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
    json_open(&j, "error", '{');
    json_put_string(&j, "code", holos_status_name(err->code));
    json_put_string(&j, "message", err->message);
    if (err->at != HOLOS_NOWHERE)
        json_put_int(&j, "at", err->at);
    else
        json_put_null(&j, "at");
    json_close(&j);
    json_close(&j);
    text_char(t, '\n');
    return cli_status_of(err->code);
}
