/* SPDX-License-Identifier: MIT */

#include "serve/state.h"

#include "core/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOVES_MOST = 2000 }; /* of a game in a request */

size_t serve_default_folder(char *out, size_t size)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data != NULL && data[0] == '/')
        return (size_t)snprintf(out, size, "%s/holos", data);
    return (size_t)snprintf(out, size, "%s/.local/share/holos", home != NULL ? home : "/tmp");
}

/* A store that cannot be opened at all should be known before the first question. */
static holos_status store_check(const char *store, holos_error *err)
{
    holos_knowledge *known;
    if (store == NULL)
        return HOLOS_OK;
    holos_status status = holos_knowledge_open(store, NULL, NULL, &known, err);
    if (status == HOLOS_OK)
        holos_knowledge_close(known);
    return status;
}

/* A job has made something to know. */
static void refresh(void *context)
{
    solvers_refresh(context);
}

holos_status serve_state_open(serve_state *s, const serve_options *options, holos_error *err)
{
    char folder[4096];
    *s = (serve_state){.options = *options};
    holos_status status = store_check(options->store, err);
    if (status != HOLOS_OK)
        return status;
    serve_default_folder(folder, sizeof folder);
    s->folder = strdup(options->folder != NULL ? options->folder : folder);
    if (s->folder == NULL)
        return error_system(err, "the server");
    status = sentry_open(&s->sentry, err);
    if (status == HOLOS_OK)
        status = solvers_open(&s->solvers, &s->sentry, options->threads, options->memory, options->store,
                              s->folder, options->no_book, err);
    if (status != HOLOS_OK) {
        serve_state_close(s);
        return status;
    }
    jobs_open(&s->jobs, s->folder);
    s->jobs.finished = refresh;
    s->jobs.context = &s->solvers;
    return HOLOS_OK;
}

void serve_state_close(serve_state *s)
{
    jobs_close(&s->jobs);
    solvers_close(&s->solvers);
    sentry_close(&s->sentry);
    free(s->folder);
    s->folder = NULL;
}

/* ---- Questions ----------------------------------------------------------------------------------- */

static holos_status play(question *q, const char *name, holos_error *err)
{
    holos_move move;
    holos_status status = holos_parse_move(q->v, q->p, name, &move, err);
    if (status == HOLOS_OK)
        status = holos_play(q->v, q->p, move, q->p, err);
    if (status != HOLOS_OK)
        return error_prefix(err, "move %zu, %.40s: ", q->move_count + 1, name);
    q->moves[q->move_count++] = move;
    return HOLOS_OK;
}

static holos_status play_all(question *q, const char *names, holos_error *err)
{
    char *copy = strdup(names), *rest = copy, *name;
    holos_status status = copy != NULL ? HOLOS_OK : error_system(err, "a request");
    while (status == HOLOS_OK && (name = strsep(&rest, ",")) != NULL) {
        if (*name == 0)
            continue;
        status = q->move_count < MOVES_MOST ? play(q, name, err)
                                            : error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                                                        "a game has at most %d moves here", MOVES_MOST);
    }
    free(copy);
    return status;
}

holos_status question_open(question *q, const request *r, holos_error *err)
{
    const char *game = request_get(r, "game", NULL), *moves = request_get(r, "moves", "");
    *q = (question){.text = request_get(r, "position", "start")};
    if (game == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "a request about a position needs game=GAME[:VARIANT]");
    holos_status status = holos_open(game, &q->v, err);
    if (status != HOLOS_OK) {
        q->v = NULL;
        return status;
    }
    q->start = holos_position_new(q->v);
    q->p = holos_position_new(q->v);
    q->moves = malloc(MOVES_MOST * sizeof *q->moves);
    if (q->start == NULL || q->p == NULL || q->moves == NULL)
        return error_system(err, "a position");
    status = holos_parse(q->v, q->text, q->start, err);
    if (status != HOLOS_OK)
        return status;
    memcpy(q->p, q->start, holos_position_size(q->v));
    return play_all(q, moves, err);
}

void question_close(question *q)
{
    holos_position_free(q->start);
    holos_position_free(q->p);
    free(q->moves);
    holos_close(q->v);
    *q = (question){0};
}

/* ---- Routes -------------------------------------------------------------------------------------- */

const route routes[] = {
    {"GET", "/api", route_about, false, "this list"},
    {"GET", "/api/games", route_games, false,
     "the games, their notations, engines, techniques and kinds of jobs"},
    {"GET", "/api/position", route_position, false,
     "a position after moves: its text, its scene, the legal moves"},
    {"GET", "/api/candidates", route_candidates, false, "what a cell of a puzzle can hold"},
    {"GET", "/api/notation", route_write, false, "a position in another notation"},
    {"GET", "/api/picture", route_picture, false, "a position as SVG"},
    {"GET", "/api/solve", route_solve, false, "the value of a position and of every move"},
    {"GET", "/api/solve/events", route_solve_events, false, "the same as events, with bounds that narrow"},
    {"GET", "/api/review", route_review, false,
     "the value of every position of a game, as events, the last one first"},
    {"GET", "/api/choose", route_choose, false, "a move by an engine of a chosen strength"},
    {"GET", "/api/choose/events", route_choose_events, false,
     "the same as events, with what the engine reads of its own search"},
    {"GET", "/api/hint", route_hint, false, "the next step of a puzzle, in three stages"},
    {"GET", "/api/rate", route_rate, false, "how hard a puzzle is"},
    {"GET", "/api/check", route_check, false, "which entries of a puzzle are wrong"},
    {"POST", "/api/generate", route_generate, true, "a new puzzle"},
    {"GET", "/api/kind", route_kind, false,
     "a kind of positions: what is known of it, and a random position"},
    {"GET", "/api/options", route_options, false, "the options of games, engines, jobs and experiments"},
    {"GET", "/api/jobs", route_jobs, false, "the jobs of this server, and what lies in its folder"},
    {"GET", "/api/jobs/events", route_jobs_events, false, "the progress of the jobs, as events"},
    {"POST", "/api/jobs/plan", route_plan, true, "what a job would need"},
    {"POST", "/api/jobs/start", route_jobs_start, true, "starts a job, or resumes one"},
    {"POST", "/api/jobs/stop", route_jobs_stop, true, "stops a job; it can be resumed"},
    {"GET", "/api/record", route_record, false, "the record of a finished job"},
    {"GET", "/api/lab", route_lab, false, "the experiments, and the tables of one"},
    {"POST", "/api/lab/run", route_lab_run, true, "runs an experiment"},
    {0},
};

const route *route_find(const request *r, reply *out)
{
    const char *other = NULL;
    for (const route *at = routes; at->path != NULL; at++) {
        if (strcmp(at->path, r->path) != 0)
            continue;
        if (strcmp(at->method, r->method) == 0)
            return at;
        other = at->method;
    }
    if (other != NULL)
        reply_refuse(out, 405, "%.100s takes %s", r->path, other);
    else
        reply_refuse(out, 404, "there is no %.100s; /api lists what there is", r->path);
    return NULL;
}

void route_about(serve_state *s, const request *r, reply *out)
{
    (void)s;
    (void)r;
    json j = json_begin(&out->body);
    json_open(&j, NULL, '{');
    json_put_string(&j, "program", "holos");
    json_put_string(&j, "version", holos_version());
    json_open(&j, "routes", '[');
    for (const route *at = routes; at->path != NULL; at++) {
        json_open(&j, NULL, '{');
        json_put_string(&j, "method", at->method);
        json_put_string(&j, "path", at->path);
        json_put_bool(&j, "token", at->costs);
        json_put_string(&j, "help", at->help);
        json_close(&j);
    }
    json_close(&j);
    json_close(&j);
}
