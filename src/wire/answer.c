/* SPDX-License-Identifier: MIT */

#include "wire/answer.h"

#include <string.h>

/* ---- Words ------------------------------------------------------------------------------------- */

bool wire_is_puzzle(const holos_variant *v)
{
    return (holos_game_traits(holos_variant_game(v)) & HOLOS_TRAIT_PUZZLE) != 0;
}

const char *wire_outcome(const holos_variant *v, holos_value value)
{
    const char *lo = holos_outcome(v, value.lo), *hi = holos_outcome(v, value.hi);
    return strcmp(lo, hi) == 0 ? lo : NULL;
}

void wire_error(json *j, const holos_error *err)
{
    json_open(j, "error", '{');
    json_put_string(j, "code", holos_status_name(err->code));
    json_put_string(j, "message", err->message);
    if (err->at != HOLOS_NOWHERE)
        json_put_int(j, "at", err->at);
    else
        json_put_null(j, "at");
    json_close(j);
}

/* ---- Distances --------------------------------------------------------------------------------- */

const holos_distance_words *wire_distances_of(const holos_knowledge *k)
{
    const holos_boundary *boundary = holos_knowledge_boundary(k);
    return boundary != NULL && boundary->moves != NULL
               ? holos_game_distance_words(holos_variant_game(holos_knowledge_variant(k)))
               : NULL;
}

bool wire_distances_are_known(const holos_distance_words *words, holos_value value)
{
    return words != NULL && holos_value_is_solved(value) &&
           (value.source == HOLOS_SOURCE_TABLE || value.source == HOLOS_SOURCE_RULES);
}

static void put_distance(json *j, const char *name, int32_t score, uint16_t distance)
{
    if (score != 0 && distance == HOLOS_NO_DISTANCE)
        json_put_null(j, name);
    else
        json_put_int(j, name, score > 0 ? distance : score < 0 ? -(int)distance : 0);
}

void wire_distances(json *j, const holos_distance_words *words, holos_value value)
{
    put_distance(j, words->conversion, value.lo, value.conversion);
    put_distance(j, words->end, value.lo, value.distance);
}

/* ---- Answers ----------------------------------------------------------------------------------- */

void wire_value(json *j, const holos_variant *v, holos_value value)
{
    const char *outcome = wire_outcome(v, value);
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

void wire_move(json *j, const char *name, const holos_variant *v, const holos_position *p, holos_move move)
{
    char s[64]; /* holos_format_move would take longer than to solve a small puzzle */
    holos_format_legal(v, p, move, s, sizeof s);
    json_put_string(j, name, s);
}

static void json_line(json *j, const wire_answer *a)
{
    const holos_variant *v = a->v;
    holos_position *p = holos_position_new(v);
    if (p == NULL) {
        j->out->failed = true;
        return;
    }
    memcpy(p, a->position, holos_position_size(v));
    for (size_t i = 0; i < a->r->line_length; i++) {
        wire_move(j, NULL, v, p, a->r->line[i]);
        if (holos_play(v, p, a->r->line[i], p, NULL) != HOLOS_OK)
            break;
    }
    holos_position_free(p);
}

static void json_moves(json *j, const wire_answer *a)
{
    for (size_t i = 0; i < a->r->move_count; i++) {
        json_open(j, NULL, '{');
        wire_move(j, "move", a->v, a->position, a->r->moves[i].move);
        wire_value(j, a->v, a->r->moves[i].value);
        if (wire_distances_are_known(a->distances, a->r->moves[i].value))
            wire_distances(j, a->distances, a->r->moves[i].value);
        json_close(j);
    }
}

void wire_position(json *j, const char *name, const holos_variant *v, const holos_position *p)
{
    text s;
    text_init(&s);
    text_take(&s, holos_format, v, p);
    json_put_string(j, name, s.data);
    text_free(&s);
}

static void json_solutions(json *j, const wire_answer *a)
{
    const holos_result *r = a->r;
    json_put_uint(j, "solutions", r->solutions);
    json_put_bool(j, "solutions_complete", r->solutions_complete);
    if (r->solution != NULL)
        wire_position(j, "solution", a->v, r->solution);
    else
        json_put_null(j, "solution");
    if (r->known != NULL)
        wire_position(j, "known", a->v, r->known);
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

void wire_answer_put(json *j, const wire_answer *a)
{
    const holos_result *r = a->r;
    json_put_string(j, "game", holos_variant_name(a->v));
    json_put_string(j, "position", a->question);
    json_put_string(j, "status", a->solved ? "solved" : "bounded");
    if (a->weak)
        json_put_bool(j, "weak", true);
    wire_value(j, a->v, r->value);
    if (wire_distances_are_known(a->distances, r->value))
        wire_distances(j, a->distances, r->value);
    if (r->guess.source != HOLOS_SOURCE_NONE)
        json_guess(j, &r->guess);
    json_open(j, "best", '[');
    for (size_t i = 0; i < r->best_count; i++)
        wire_move(j, NULL, a->v, a->position, r->best[i]);
    json_close(j);
    if (a->line) {
        json_open(j, "pv", '[');
        json_line(j, a);
        json_close(j);
        if (r->line_end != NULL)
            json_put_string(j, "pv_end", r->line_end);
    }
    if (a->moves) {
        json_open(j, "moves", '[');
        json_moves(j, a);
        json_close(j);
    }
    if (wire_is_puzzle(a->v))
        json_solutions(j, a);
    if (r->work_count > 0)
        json_work(j, r);
}

void wire_answer_put_work(json *j, const holos_result *r)
{
    json_put_string(j, "engine", r->engine);
    json_put_string(j, "source", holos_source_name(r->value.source));
    json_put_uint(j, "nodes", r->nodes);
    json_put_double(j, "seconds", r->seconds);
}
