/* SPDX-License-Identifier: MIT */

/* Pieces of work that rank 0 hands out to whoever asks: a thread of it, the manager, answers while it works itself. Pieces are the
 * parts of a tier (parts.h), which are all ready and go out in their order; or tasks (tasks.h), which may wait for others.
 *
 * Tasks take long, so ranks that share them stop together: in every rank a thread looks for a request to stop there, passes it
 * on, and tells the work of this rank when another one has stopped. */

#ifndef HOLOS_CLUSTER_HANDOUT_H
#define HOLOS_CLUSTER_HANDOUT_H

#include "cluster/cluster.h"
#include "game/jobs.h"

#include <pthread.h>

#define HANDOUT_NOTHING UINT32_MAX       /* nothing is left to do */
#define HANDOUT_STOPPED (UINT32_MAX - 1) /* something is, but a rank has stopped */

typedef struct handout {
    holos_cluster *c;
    bool together;   /* ranks stop together */
    holos_stop stop; /* then this is set when one has stopped, or when this rank is asked to */
    pthread_t thread;
    bool running;
    _Atomic bool over;
    /* Of tasks; NULL: parts. */
    const job_tasks *tasks;
    const job_work *work;
    uint32_t *order;        /* in which tasks go out */
    unsigned char *letter;  /* room for what is said of one; in other ranks than 0 under the lock */
    pthread_mutex_t asking; /* in other ranks: one thread asks at a time, and hears the answer */
    /* In rank 0, under the lock. */
    pthread_mutex_t lock;
    pthread_cond_t more; /* something has changed */
    uint32_t *owners;    /* the rank of each piece */
    size_t room;
    uint32_t count, next; /* next: those before have been handed out */
    uint32_t left;        /* tasks that are not done */
    bool *done;           /* tasks */
    bool *waiting;        /* ranks that have asked while there was nothing ready for them */
    bool stopped, told;   /* told: the other ranks know */
    holos_status status;  /* of the first task whose `hear` has failed */
    holos_error error;
} handout;

/* All ranks open it. `stop` NULL: they do not stop together. handout_close follows in any case. */
holos_status handout_open(handout *h, holos_cluster *c, const holos_stop *stop, holos_error *err);
void handout_close(handout *h);

/* Work without pieces: what one rank does while the others wait, or each for itself. All ranks together, and they agree on how it went. `run` gets a stop
 * that is set when any of them is asked to stop. */
holos_status handout_together(holos_cluster *c, const holos_stop *stop,
                              holos_status (*run)(void *context, const holos_stop *stop, holos_error *err),
                              void *context, holos_error *err);

/* All ranks together, with how things went so far: so many pieces. there[i] of rank 0: this one is done already; afterwards all know.
 * With tasks (NULL: parts) there are as many of them. */
holos_status handout_begin(handout *h, bool *there, uint32_t count, const job_tasks *tasks,
                           const job_work *work, holos_status status, holos_error *err);
/* The next piece for this rank, for which it may have to wait; or HANDOUT_NOTHING, HANDOUT_STOPPED. Of tasks, any thread may ask. */
uint32_t handout_next(handout *h);
/* The same in two steps, for ranks other than 0. */
void handout_ask(handout *h);
uint32_t handout_hear(handout *h);
/* A task is done; `said` goes to rank 0. Any thread. */
void handout_done(handout *h, uint32_t piece, const void *said);
/* How it went: `status`, unless rank 0 could not take what was said of a task. */
holos_status handout_heard(handout *h, holos_status status, holos_error *err);
/* This rank has failed: nobody needs to begin another piece. */
void handout_stop(handout *h);
/* This rank does no more, and all ranks agree next: it has nothing to say to rank 0 any more. */
void handout_rest(handout *h);

#endif
