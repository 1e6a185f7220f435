/* SPDX-License-Identifier: MIT */

/* Hints, ratings, checks and new puzzles. */

#include "core/clock.h"
#include "core/error.h"
#include "serve/state.h"
#include "wire/answer.h"
#include "wire/step.h"

#include <stdlib.h>
#include <string.h>

static const double seconds_most = 30; /* for one request */

/* ---- Hints ------------------------------------------------------------------------------------------ */

/* Whether a candidate is in a list with commas between: what its owner has struck out already. */
static bool is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)) != NULL; at += length)
        if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == 0))
            return true;
    return false;
}

/* Whether a step says nothing that is not known: it places nothing, and all that it strikes is struck. */
static bool is_done(const holos_variant *v, const holos_step *step, const char *struck)
{
    char name[64];
    for (unsigned i = 0; i < step->elimination_count; i++) {
        holos_format_candidate(v, step->eliminations[i], false, name, sizeof name);
        if (!is_listed(struck, name))
            return false;
    }
    return step->placement_count == 0;
}

static holos_status stage_find(const request *r, step_stage *out, holos_error *err)
{
    static const char *const names[] = {
        [STAGE_VAGUE] = "vague", [STAGE_TECHNIQUE] = "technique", [STAGE_STEP] = "step"};
    const char *name = request_get(r, "stage", "step");
    for (unsigned i = 0; i < 3; i++)
        if (strcmp(names[i], name) == 0) {
            *out = (step_stage)i;
            return HOLOS_OK;
        }
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                     "unknown stage \"%.40s\"; choose from vague, technique, step", name);
}

static void put_hint(json *j, const question *q, holos_logic *logic, const char *struck, step_stage stage)
{
    holos_step *step = malloc(sizeof *step); /* it is large */
    if (step == NULL) {
        j->out->failed = true;
        return;
    }
    hint_outcome outcome;
    while ((outcome = wire_hint(logic, step)) == HINT_STEP && is_done(q->v, step, struck))
        holos_logic_apply(logic, step);
    json_open(j, NULL, '{');
    json_put_string(j, "game", holos_variant_name(q->v));
    json_put_string(j, "position", q->text);
    json_put_string(j, "status", wire_hint_name(outcome));
    json_put_uint(j, "solutions", holos_logic_solutions(logic));
    if (outcome == HINT_STEP) {
        json_put_bool(j, "fills", step->placement_count > 0);
        wire_step(j, q->v, step, stage);
        if (stage >= STAGE_TECHNIQUE)
            json_put_string(j, "summary", step->technique->summary);
    }
    json_close(j);
    free(step);
}

/* Begins to deduce within the limits of a request. */
static holos_status logic_open(const request *r, const question *q, holos_logic **out, holos_error *err)
{
    holos_limits limits = {.seconds = seconds_most, .stop = r->stop};
    return holos_logic_open(q->v, q->p, &limits, out, err);
}

void route_hint(serve_state *s, const request *r, reply *out)
{
    (void)s;
    question q;
    holos_error err;
    holos_logic *logic = NULL;
    step_stage stage = STAGE_STEP;
    holos_status status = question_open(&q, r, &err);
    if (status == HOLOS_OK)
        status = stage_find(r, &stage, &err);
    if (status == HOLOS_OK)
        status = logic_open(r, &q, &logic, &err);
    if (status == HOLOS_OK) {
        json j = json_begin(&out->body);
        put_hint(&j, &q, logic, request_get(r, "struck", ""), stage);
        status = holos_logic_status(logic, &err);
    }
    if (status != HOLOS_OK)
        reply_error(out, &err);
    holos_logic_close(logic);
    question_close(&q);
}

void route_rate(serve_state *s, const request *r, reply *out)
{
    (void)s;
    question q;
    holos_error err;
    holos_logic *logic = NULL;
    holos_rating rating;
    holos_status status = question_open(&q, r, &err);
    if (status == HOLOS_OK)
        status = logic_open(r, &q, &logic, &err);
    if (status == HOLOS_OK && holos_logic_rate(logic, &rating) != HOLOS_OK)
        status = holos_logic_status(logic, &err);
    if (status != HOLOS_OK) {
        reply_error(out, &err);
    } else {
        json j = json_begin(&out->body);
        json_open(&j, NULL, '{');
        json_put_string(&j, "game", holos_variant_name(q.v));
        json_put_string(&j, "position", q.text);
        json_put_string(&j, "status", wire_rating_status(logic, &rating));
        json_put_uint(&j, "solutions", holos_logic_solutions(logic));
        if (rating.solved)
            wire_rating(&j, q.v, &rating);
        json_close(&j);
    }
    holos_logic_close(logic);
    question_close(&q);
}

/* ---- Checks ----------------------------------------------------------------------------------------- */

/* An entry is wrong if the puzzle has no solution with it. */
static holos_status put_wrong(json *j, const question *q, holos_solver *solver, holos_error *err)
{
    holos_position *p = holos_position_new(q->v);
    holos_result result;
    holos_status status = p != NULL ? HOLOS_OK : error_system(err, "a position");
    json_open(j, "wrong", '[');
    for (size_t i = 0; status == HOLOS_OK && i < q->move_count; i++) {
        status = holos_play(q->v, q->start, q->moves[i], p, err);
        if (status == HOLOS_OK)
            status = holos_solver_solve(solver, p, &result, err);
        if (status == HOLOS_OK && result.value.hi == 0)
            wire_move(j, NULL, q->v, q->start, q->moves[i]);
    }
    json_close(j);
    holos_position_free(p);
    return status;
}

static holos_status check(const request *r, const question *q, text *out, holos_error *err)
{
    holos_solver *solver;
    holos_result result;
    holos_solver_options options = {.limits = {.seconds = seconds_most, .stop = r->stop}};
    if (!wire_is_puzzle(q->v))
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "%s is not a puzzle",
                         holos_variant_name(q->v));
    holos_status status = holos_solver_open(q->v, &options, &solver, err);
    if (status != HOLOS_OK)
        return status;
    status = holos_solver_solve(solver, q->start, &result, err);
    if (status == HOLOS_OK) {
        holos_value over;
        json j = json_begin(out);
        json_open(&j, NULL, '{');
        json_put_uint(&j, "solutions", result.solutions);
        json_put_bool(&j, "solutions_complete", result.solutions_complete);
        if (result.reason != NULL)
            json_put_string(&j, "reason", result.reason);
        json_put_bool(&j, "solved", holos_terminal(q->v, q->p, &over) && over.lo > 0);
        status = put_wrong(&j, q, solver, err);
        json_close(&j);
    }
    holos_solver_close(solver);
    return status;
}

void route_check(serve_state *s, const request *r, reply *out)
{
    (void)s;
    question q;
    holos_error err;
    holos_status status = question_open(&q, r, &err);
    if (status == HOLOS_OK)
        status = check(r, &q, &out->body, &err);
    if (status != HOLOS_OK)
        reply_error(out, &err);
    question_close(&q);
}

/* ---- New puzzles ------------------------------------------------------------------------------------ */

static holos_status generate(const request *r, const holos_variant *v, json *j, holos_error *err)
{
    double seed = 1, count = 1;
    holos_generator *g = NULL;
    holos_settings *settings = NULL;
    holos_rating rating;
    holos_position *p = holos_position_new(v);
    holos_status status =
        p != NULL ? request_settings(r, HOLOS_USE_GENERATE, &settings, err) : error_system(err, "a position");
    if (status == HOLOS_OK)
        status = request_number(r, "seed", 0, 9e15, 1, &seed, err);
    if (status == HOLOS_OK)
        status = request_number(r, "count", 1, 12, 1, &count, err);
    if (status == HOLOS_OK) {
        holos_generator_options options = {.seed = (uint64_t)seed,
                                           .difficulty = request_get(r, "difficulty", NULL),
                                           .minimal = request_flag(r, "minimal"),
                                           .settings = settings,
                                           .expected = (uint64_t)count,
                                           .limits = {.seconds = seconds_most, .stop = r->stop}};
        status = holos_generator_open(v, &options, &g, err);
    }
    for (unsigned i = 0; status == HOLOS_OK && i < (unsigned)count; i++) {
        status = holos_generator_next(g, p, &rating, err);
        if (status != HOLOS_OK)
            break;
        json_open(j, NULL, '{');
        json_put_string(j, "game", holos_variant_name(v));
        json_put_uint(j, "number", i + 1);
        wire_position(j, "position", v, p);
        wire_rating(j, v, &rating);
        json_close(j);
    }
    holos_generator_close(g);
    holos_settings_free(settings);
    holos_position_free(p);
    return status;
}

void route_generate(serve_state *s, const request *r, reply *out)
{
    (void)s;
    holos_error err;
    holos_variant *v = request_variant(r, out);
    if (v == NULL)
        return;
    json j = json_begin(&out->body);
    json_open(&j, NULL, '{');
    json_open(&j, "puzzles", '[');
    holos_status status = generate(r, v, &j, &err);
    json_close(&j);
    json_close(&j);
    if (status != HOLOS_OK)
        reply_error(out, &err);
    holos_close(v);
}
