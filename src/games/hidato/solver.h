/* SPDX-License-Identifier: MIT */

/* Solving: counts the solutions of a board in one of the modes.
 *
 * v1 and v2 only propagate: they find the solution if it follows, prove that there is none if that follows, and stop
 * otherwise with what is known. v3 searches on, within budgets. v4 finds every solution. */

#ifndef HOLOS_HIDATO_SOLVER_H
#define HOLOS_HIDATO_SOLVER_H

#include "core/limits.h"
#include "games/hidato/propagate.h"

typedef struct hidato_mode {
    const char *name;
    unsigned level; /* 1 … 4 */
    bool table;     /* remember dead ends (Zobrist keys) */
    uint64_t nodes; /* budgets where the caller names none; 0: none */
    unsigned depth;
    double seconds;
} hidato_mode;

/* The modes, ended by one without a name; the last one is the default. */
extern const hidato_mode hidato_modes[];
/* NULL if there is no such mode; `name` NULL: the default. */
const hidato_mode *hidato_mode_find(const char *name);

/* What an answer is made from. */
typedef struct hidato_request {
    const hidato_mode *mode;
    uint64_t solutions; /* count up to this many */
    unsigned depth;     /* guesses on top of each other; 0: the mode's budget */
    bool clock;         /* measure the time of each propagator */
} hidato_request;

typedef struct hidato_answer {
    uint64_t solutions;
    bool complete;     /* there are no more */
    bool has_known;    /* `known` is filled: no solution was found, and none was ruled out */
    const char *limit; /* what ended the work, NULL if it is complete or enough solutions were found */
    uint64_t nodes;
    unsigned depth;     /* the deepest guess */
    uint64_t conflicts; /* dead ends that taught a clause (v4) */
    hidato_work work[HIDATO_PROPAGATORS];
    hidato_board first; /* the first solution */
    hidato_board known; /* what follows for sure */
} hidato_answer;

/* Keeps to the limits, to which it adds its guesses; of nodes and of time that they do not limit, the mode has its own
 * budget. HOLOS_NO_MEMORY is the only way to fail. */
holos_status hidato_solve(const hidato_board *b, hidato_kind kind, const hidato_request *request,
                          struct limits *limits, hidato_answer *out);

/* ---- Between the files of the solver ------------------------------------------------------------- */

/* A solution or a dead end after another, with what may still be spent. */
typedef struct hidato_run {
    const hidato_request *request;
    const hidato_board *board;
    hidato_answer *answer;
    struct limits limits; /* its nodes are the guesses */
    unsigned depth_limit;
    uint64_t nodes_before; /* of the components that are done (v4) */
    bool failed;           /* out of memory */
} hidato_run;

/* Counts a solution; true if there are enough. */
bool hidato_run_found(hidato_run *run, const hidato_board *solution);

/* Depth first over a propagated state; true if all of it was seen. (v3) */
bool hidato_search(hidato_state *s, hidato_run *run);

#endif
