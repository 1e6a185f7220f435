/* SPDX-License-Identifier: MIT */

/* What the handlers of requests share: the options, the solvers, the jobs. */

#ifndef HOLOS_SERVE_STATE_H
#define HOLOS_SERVE_STATE_H

#include "serve/jobs.h"
#include "serve/request.h"
#include "serve/serve.h"
#include "serve/solvers.h"

typedef struct serve_state {
    serve_options options;
    char *folder; /* where jobs keep what they make */
    sentry sentry;
    solvers solvers;
    jobs jobs;
} serve_state;

holos_status serve_state_open(serve_state *s, const serve_options *options, holos_error *err);
void serve_state_close(serve_state *s); /* stops all work first */

/* ---- Questions: the game and the position that a request is about --------------------------------- */

typedef struct question {
    holos_variant *v;
    holos_position *start, *p; /* before and after the moves */
    holos_move *moves;
    size_t move_count;
    const char *text; /* what the position was read from; the request's */
} question;

/* Reads the values game, position and moves (names with commas between). Close it even after an error. */
holos_status question_open(question *q, const request *r, holos_error *err);
void question_close(question *q);

/* ---- Routes -------------------------------------------------------------------------------------- */

typedef void route_handler(serve_state *s, const request *r, reply *out);

typedef struct route {
    const char *method, *path;
    route_handler *handler;
    bool costs; /* needs the token */
    const char *help;
} route;

/* The routes, ended by one without a path. */
extern const route routes[];
/* The route of a request, or NULL, and the reply says why. */
const route *route_find(const request *r, reply *out);

route_handler route_about, route_games, route_position, route_candidates, route_picture,
    route_write;                                                   /* boards.c */
route_handler route_solve, route_solve_events, route_review;       /* solving.c */
route_handler route_choose, route_choose_events;                   /* choosing.c */
route_handler route_hint, route_rate, route_check, route_generate; /* puzzles.c */
route_handler route_kind;                                          /* kinds.c */
route_handler route_options, route_jobs, route_jobs_start, route_jobs_stop, route_jobs_events, route_record,
    route_plan;                         /* work.c */
route_handler route_lab, route_lab_run; /* lab.c */

#endif
