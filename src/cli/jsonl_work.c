/* SPDX-License-Identifier: MIT */

#include "cli/jsonl.h"

#include "cli/known.h"
#include "core/clock.h"
#include "wire/answer.h"
#include "wire/narrow.h"

#include <stdlib.h>
#include <string.h>

#define SLICE_MOST                                                                                           \
    8.0 /* seconds: how long one slice of a solver's work lasts at most where reports are wanted */

/* A question that is being answered. */
typedef struct work {
    worker_desk *desk;
    query *q;
    holos_position *p;
    double begun;
    double slice;   /* seconds; 0: no slices */
    uint64_t nodes; /* of all slices so far */
    wire_narrowing known;
} work;

/* ---- What is needed ---------------------------------------------------------------------------- */

void desk_clear(worker_desk *d)
{
    holos_knowledge_close(d->known);
    holos_close(d->v);
    d->known = NULL;
    d->v = NULL;
}

/* The game with what is known of it; the last one is kept. */
static holos_status desk_open(worker_desk *d, const char *game, holos_error *err)
{
    const engine_settings *settings = d->s->c->settings;
    holos_variant *v;
    holos_status status = holos_open(game, &v, err);
    if (status != HOLOS_OK)
        return status;
    if (d->v != NULL && strcmp(holos_variant_name(d->v), holos_variant_name(v)) == 0) {
        holos_close(v);
        return HOLOS_OK;
    }
    desk_clear(d);
    d->v = v;
    status = known_open(settings->store, !settings->no_book, v, 0, &d->known, err);
    if (status != HOLOS_OK)
        desk_clear(d);
    return status;
}

static holos_limits limits_of(const work *w)
{
    const query *q = w->q;
    const shared_settings *shared = &w->desk->s->c->shared;
    return (holos_limits){.seconds = q->time > 0 ? q->time : shared->time,
                          .nodes = q->nodes > 0 ? q->nodes : shared->nodes,
                          .memory = q->memory > 0 ? q->memory : shared->mem,
                          .stop = &q->stop};
}

static const char *engine_of(const work *w)
{
    return w->q->engine != NULL ? w->q->engine : w->desk->s->c->shared.engine;
}

static const holos_boundary *boundary_of(const work *w)
{
    return engine_of(w) == NULL ? holos_knowledge_boundary(w->desk->known) : NULL;
}

static void say(const work *w, text *t)
{
    session_say(w->desk->s, t);
    text_free(t);
}

static void stopped_put(json *j, const query *q)
{
    if (q->terminated)
        json_put_bool(j, "terminated", true);
}

/* ---- Solving ----------------------------------------------------------------------------------- */

static void solve_write(const work *w, bool partial, bool solved, const holos_result *r)
{
    const query *q = w->q;
    text t;
    text_init(&t);
    json j = answer_begin(&t, q, partial);
    const wire_answer a = {.v = w->desk->v,
                           .question = q->position != NULL ? q->position : "start",
                           .position = w->p,
                           .r = r,
                           .solved = solved,
                           .weak = q->weak,
                           .moves = q->moves,
                           .line = q->line,
                           .distances = wire_distances_of(w->desk->known)};
    wire_answer_put(&j, &a);
    stopped_put(&j, q);
    wire_answer_put_work(&j, r);
    answer_end(&j);
    say(w, &t);
}

/* Whether the limits of the question are reached, all slices together. */
static bool is_spent(const work *w, uint64_t nodes)
{
    holos_limits limits = limits_of(w);
    return holos_stop_asked(&w->q->stop) ||
           (limits.seconds > 0 && clock_wall() - w->begun >= limits.seconds) ||
           (limits.nodes > 0 && nodes >= limits.nodes);
}

void query_watch(query *q, double now, text *out)
{
    if (q->slice_end == 0)
        return;
    if (now >= q->slice_end)
        holos_stop_set(&q->slice_stop);
    if (now < q->next_report || holos_stop_asked(&q->slice_stop))
        return;
    q->next_report += q->report;
    json j = answer_begin(out, q, true);
    json_put_string(&j, "status", "running");
    if (q->v != NULL)
        wire_value(&j, q->v, q->bounds);
    json_put_double(&j, "seconds", now - q->begun);
    answer_end(&j);
}

static holos_status solver_open(work *w, holos_solver **out, holos_error *err)
{
    query *q = w->q;
    holos_solver_options options = {.engine = engine_of(w),
                                    .limits = limits_of(w),
                                    .weak = q->weak,
                                    .moves = q->moves,
                                    .line = q->line,
                                    .boundary = boundary_of(w),
                                    .settings = q->options};
    w->slice = q->report;
    q->slice_stop.also = &q->stop;
    options.limits.stop = &q->slice_stop;
    return holos_solver_open(w->desk->v, &options, out, err);
}

/* A slice begins, or (with 0) ends; whoever watches is told what is known. */
static void slice_mark(work *w, double seconds)
{
    query *q = w->q;
    if (q->report <= 0)
        return;
    pthread_mutex_lock(w->desk->lock);
    double now = clock_wall();
    if (seconds > 0)
        holos_stop_clear(&q->slice_stop);
    q->begun = w->begun;
    q->slice_end = seconds > 0 ? now + seconds : 0;
    q->next_report = now + q->report;
    q->v = w->known.begun ? w->desk->v : NULL;
    q->bounds = w->known.value;
    pthread_mutex_unlock(w->desk->lock);
}

/* One slice; *last: it was the last, and its answer is no report but the answer. */
static holos_status slice_run(work *w, holos_solver *solver, bool *last, holos_error *err)
{
    holos_result r;
    *last = true;
    holos_limits limits = limits_of(w);
    double left = limits.seconds - (clock_wall() - w->begun);
    slice_mark(w, limits.seconds > 0 && left < w->slice ? left > 1e-3 ? left : 1e-3 : w->slice);
    holos_status status = holos_solver_solve(solver, w->p, &r, err);
    slice_mark(w, 0);
    if (status != HOLOS_OK && status != HOLOS_LIMIT && status != HOLOS_INTERRUPTED)
        return status;
    if (!wire_narrow(&w->known, &r))
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for the answer");
    w->nodes += r.nodes;
    r.nodes = w->nodes;
    r.seconds = clock_wall() - w->begun;
    w->slice *= 2;
    *last = status != HOLOS_INTERRUPTED || is_spent(w, w->nodes);
    solve_write(w, !*last, status == HOLOS_OK, &r);
    return HOLOS_OK;
}

static holos_status work_solve(work *w, holos_error *err)
{
    holos_solver *solver;
    bool last = false;
    holos_status status = solver_open(w, &solver, err);
    if (status != HOLOS_OK)
        return status;
    while (status == HOLOS_OK && !last)
        status = slice_run(w, solver, &last, err);
    holos_solver_close(solver);
    return status;
}

/* ---- Choosing and thinking --------------------------------------------------------------------- */

static holos_status work_choose(work *w, holos_error *err)
{
    static const char *const grounds[] = {
        [HOLOS_GROUNDS_BEST] = "best", [HOLOS_GROUNDS_OUTCOME] = "outcome", [HOLOS_GROUNDS_GUESS] = "guess"};
    const holos_variant *v = w->desk->v;
    holos_player *player;
    holos_choice choice;
    holos_player_options options = {.engine = engine_of(w),
                                    .limits = limits_of(w),
                                    .boundary = boundary_of(w),
                                    .seed = w->q->seed > 0 ? w->q->seed : w->desk->s->c->shared.seed,
                                    .settings = w->q->options};
    holos_status status = holos_player_open(v, &options, &player, err);
    if (status != HOLOS_OK)
        return status;
    status = holos_player_choose(player, w->p, &choice, err);
    holos_player_close(player);
    if (status != HOLOS_OK)
        return status;
    text t;
    text_init(&t);
    json j = answer_begin(&t, w->q, false);
    json_put_string(&j, "game", holos_variant_name(v));
    wire_move(&j, "move", v, w->p, choice.move);
    json_put_string(&j, "grounds", grounds[choice.grounds]);
    wire_value(&j, v, choice.value);
    stopped_put(&j, w->q);
    json_put_double(&j, "seconds", clock_wall() - w->begun);
    answer_end(&j);
    say(w, &t);
    return HOLOS_OK;
}

static void thought_write(const work *w, bool partial, const holos_thought *thought)
{
    const holos_variant *v = w->desk->v;
    holos_position *p = holos_position_new(v);
    text t;
    text_init(&t);
    json j = answer_begin(&t, w->q, partial);
    json_put_string(&j, "game", holos_variant_name(v));
    json_put_uint(&j, "depth", thought->depth);
    json_put_int(&j, "looks", thought->score);
    json_open(&j, "line", '[');
    if (p != NULL)
        memcpy(p, w->p, holos_position_size(v));
    for (size_t i = 0; p != NULL && i < thought->line_length; i++) {
        wire_move(&j, NULL, v, p, thought->line[i]);
        if (holos_play(v, p, thought->line[i], p, NULL) != HOLOS_OK)
            break;
    }
    json_close(&j);
    if (!partial)
        stopped_put(&j, w->q);
    json_put_uint(&j, "nodes", thought->nodes);
    json_put_double(&j, "seconds", thought->seconds);
    answer_end(&j);
    say(w, &t);
    holos_position_free(p);
}

static void think_report(void *context, const holos_thought *thought)
{
    thought_write(context, true, thought);
}

static holos_status work_think(work *w, holos_error *err)
{
    holos_thinker *thinker;
    holos_thought thought;
    holos_limits limits = limits_of(w);
    holos_thinker_options options = {.memory = limits.memory, .boundary = boundary_of(w)};
    holos_status status = holos_thinker_open(w->desk->v, &options, &thinker, err);
    if (status != HOLOS_OK)
        return status;
    bool deep = w->q->depth > 0 && w->q->time <= 0 && w->q->nodes == 0;
    if (deep) /* a depth is limit enough */
        limits.seconds = 0, limits.nodes = 0;
    holos_think_options think = {.limits = limits,
                                 .depth = (unsigned)(w->q->depth < 1000 ? w->q->depth : 1000),
                                 .report = w->q->report > 0 ? think_report : NULL,
                                 .context = w};
    status = holos_thinker_think(thinker, w->p, &think, &thought, err);
    if (status == HOLOS_OK)
        thought_write(w, false, &thought);
    holos_thinker_close(thinker);
    return status;
}

/* ---- A question -------------------------------------------------------------------------------- */

void query_refuse(session *s, const query *q, const char *field, const holos_error *err)
{
    text t;
    text_init(&t);
    json j = answer_begin(&t, q, false);
    json_put_string(&j, "status", "error");
    if (field != NULL)
        json_put_string(&j, "field", field);
    wire_error(&j, err);
    answer_end(&j);
    session_say(s, &t);
    text_free(&t);
}

static const char *field_of(holos_status status)
{
    return status == HOLOS_BAD_VARIANT ? "game" : status == HOLOS_BAD_POSITION ? "position" : NULL;
}

void query_answer(worker_desk *d, query *q)
{
    static holos_status (*const works[])(work *, holos_error *) = {
        [QUERY_SOLVE] = work_solve, [QUERY_CHOOSE] = work_choose, [QUERY_THINK] = work_think};
    holos_error err = {0};
    work w = {.desk = d, .q = q, .begun = clock_wall()};
    holos_status status = desk_open(d, q->game, &err);
    if (status != HOLOS_OK) {
        query_refuse(d->s, q, "game", &err);
        return;
    }
    w.p = holos_position_new(d->v);
    if (w.p == NULL)
        status = error_system(&err, "a position");
    else
        status = holos_parse(d->v, q->position != NULL ? q->position : "start", w.p, &err);
    const char *field = status == HOLOS_OK ? NULL : "position";
    if (status == HOLOS_OK) {
        status = works[q->command](&w, &err);
        field = field_of(status);
    }
    if (status != HOLOS_OK)
        query_refuse(d->s, q, field, &err);
    free(w.known.moves);
    holos_position_free(w.p);
}
