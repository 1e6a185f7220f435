/* SPDX-License-Identifier: MIT */

/* The solvers of the server: a few, which keep what they learned, for as many requests as there are. Whoever wants to
 * solve takes one for a moment and gives it back, so that no request waits for long behind another. */

#ifndef HOLOS_SERVE_SOLVERS_H
#define HOLOS_SERVE_SOLVERS_H

#include "serve/sentry.h"

#include <holos/holos.h>

#define SOLVERS_MOST 64

/* A solver with what it stands on. */
typedef struct solver_seat {
    holos_variant *v; /* NULL: empty */
    holos_knowledge *known;
    holos_solver *solver;
    holos_stop stop; /* of the solver: set when the time for this question is up */
    uint64_t generation;
    bool busy;
    uint64_t used; /* when it was used last, as a count */
} solver_seat;

/* Somebody who waits for a seat. */
typedef struct solver_waiter {
    double seconds; /* how long it will keep the seat */
    struct solver_waiter *next;
} solver_waiter;

typedef struct solvers {
    pthread_mutex_t lock;
    pthread_cond_t freed;
    solver_waiter *waiters; /* those who want it for the shortest time first */
    sentry *sentry;
    solver_seat seats[SOLVERS_MOST];
    unsigned count; /* how many seats there are, each with an equal share of the memory */
    unsigned busy, limit;
    uint64_t used, generation;
    size_t memory; /* for one solver */
    const char *store, *folder;
    bool no_book;
} solvers;

holos_status solvers_open(solvers *s, sentry *w, unsigned threads, size_t memory, const char *store,
                          const char *folder, bool no_book, holos_error *err);
void solvers_close(solvers *s);
/* There is something new to know: seats look for it when they are taken next. */
void solvers_refresh(solvers *s);

/* Takes a seat for a variant, for about so many seconds; waits until one is free or `stop` is asked for
 * (HOLOS_INTERRUPTED). Whoever wants it for a shorter time comes first: a new question does not wait for old ones. */
holos_status solvers_take(solvers *s, const char *variant, double seconds, const holos_stop *stop,
                          solver_seat **out, holos_error *err);
void solvers_give(solvers *s, solver_seat *seat);

/* Solves for at most so many seconds, or until `stop`. The result is valid until the seat is given back. HOLOS_OK: solved;
 * HOLOS_INTERRUPTED: what is known so far. */
holos_status seat_solve(solvers *s, solver_seat *seat, const holos_position *p, double seconds,
                        const holos_stop *stop, holos_result *out, holos_error *err);

/* Knowledge for a variant: options.store, a finished store in the folder, or what ships with holos; *out is NULL if there
 * is none. */
holos_status solvers_knowledge(const solvers *s, const holos_variant *v, holos_knowledge **out,
                               holos_error *err);

#endif
