/* SPDX-License-Identifier: MIT */

/* How far work may go: nodes, time, memory, and a request to stop. One struct for everything that may take long: an engine
 * begins it from the caller's holos_limits and hands it on to whatever works for it, a game's own search included.
 *
 * Whoever works counts what it does (limits_count, a few instructions) or looks in between (limits_check), and goes back as
 * soon as one of them says no. The clock and the request to stop are looked at every few milliseconds, however long a node
 * takes: how many nodes lie between two looks is measured on the way.
 *
 * A struct limits (no typedef: half of the functions that take one call it that) belongs to one thread. Threads that share work have one each (limits_share), and add them up at the end
 * (limits_join). */

#ifndef HOLOS_CORE_LIMITS_H
#define HOLOS_CORE_LIMITS_H

#include "core/error.h"
#include "core/mem.h"

#include <stdatomic.h>

#define LIMITS_TIME     "the time limit" /* what `reached` says when time is up */
#define LIMITS_NO_NODES UINT64_MAX       /* a node limit that is never reached */

/* The nodes that threads share: each takes a few at a time, so that all of them together keep to the limit. */
typedef struct limits_pot {
    _Atomic uint64_t left;
} limits_pot;

struct limits {
    holos_status status; /* HOLOS_OK while work goes on */
    const char *reached; /* otherwise what ended it: "the time limit" */

    uint64_t nodes;      /* counted so far */
    uint64_t next_check; /* when to look at the rest */
    uint64_t node_limit; /* LIMITS_NO_NODES: none */
    double deadline;     /* of core/clock.h; CLOCK_NEVER: none */
    const holos_stop *stop;
    mem_budget *memory; /* what work may allocate from; NULL: nobody counts */

    limits_pot *pot; /* NULL, or where more nodes come from when node_limit is reached */

    /* NULL, or what to do at the time next_pause (a checkpoint); it sets the next one. */
    void (*pause)(struct limits *l, void *context);
    void *pause_context;
    double next_pause;

    /* Between two looks. */
    double interval; /* seconds, at most about */
    double looked;
    uint64_t looked_nodes, stride;
};

/* Begins to count from nothing. `from` NULL: no limits. `memory` may be NULL. */
void limits_begin(struct limits *l, const holos_limits *from, mem_budget *memory);
/* No limits at all: for work that is known to be short. */
struct limits limits_none(void);

/* Looks at everything now; false if a limit has been reached. */
bool limits_check(struct limits *l);

/* Counts a node; false if a limit has been reached. */
static inline bool limits_count(struct limits *l)
{
    return ++l->nodes < l->next_check || limits_check(l);
}

/* Before the next node, which is not counted yet: false if a limit has been reached. */
static inline bool limits_may_count(struct limits *l)
{
    return l->nodes < l->next_check || limits_check(l);
}

static inline bool limits_go_on(const struct limits *l) /* without a look */
{
    return l->status == HOLOS_OK;
}

/* Whether time is up or a stop is asked for, and nothing else: for threads that share what they look at. NULL: never. */
bool limits_passed(const struct limits *l);

/* Ends the work for a reason of its own ("the memory limit"), unless it has ended already. Returns false. */
bool limits_stop(struct limits *l, holos_status status, const char *reached);
/* The same for memory that was refused. */
bool limits_stop_memory(struct limits *l);

/* Changes how many nodes may be counted altogether. */
void limits_set_nodes(struct limits *l, uint64_t node_limit);
/* Lets work go on that ended, for what is left of the answer: the limits stay what they are. */
void limits_resume(struct limits *l);

/* What another thread, or a question on the way, may do: the same limits, and at most `nodes` nodes, counted from 0. */
struct limits limits_share(const struct limits *l, uint64_t nodes);
/* The same for one of several threads, which take their nodes from a pot that was filled with what is left. */
void limits_fill(const struct limits *l, limits_pot *pot);
struct limits limits_share_pot(const struct limits *l, limits_pot *pot);
/* Adds what was done, and takes over why it ended; but not that its own share of the nodes was used up. */
void limits_join(struct limits *l, const struct limits *share);
/* Nodes that are left; LIMITS_NO_NODES: no limit. */
uint64_t limits_nodes_left(const struct limits *l);

/* The error for work that ended: "stopped at the time limit, after 1234 nodes", or "interrupted, after 1234 nodes". `what` is
 * what was counted. */
holos_status limits_error(const struct limits *l, const char *what, holos_error *err);

#endif
