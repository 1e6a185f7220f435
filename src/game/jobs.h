/* SPDX-License-Identifier: MIT */

/* What a kind of job fulfils (holos/job.h). Most kinds serve every game and stand in session/jobs.def; a game may add its own,
 * such as the tables of endings of chess.
 *
 * A kind says what it would take, does it, and reports. Everything else is the runner's (session/job.c): the plan against the limit of
 * memory, the lock on the store, leftovers of runs that were killed, the limit of time, signals, the record. */

#ifndef HOLOS_GAME_JOBS_H
#define HOLOS_GAME_JOBS_H

#include "core/clock.h"
#include "core/pool.h"
#include "core/progress.h"
#include "core/report.h"
#include "game/game.h"

/* ---- Work that several processes share --------------------------------------------------------- */

/* Work as tasks, for a plan and for a run: one process does each of them, as soon as those are done that it waits for. */
typedef struct job_task {
    bool done;      /* before it begins */
    bool first;     /* only the first process does it */
    double seconds; /* of one thread, about */
    /* Bytes that come from elsewhere, or go there, about: what other tasks have written; what the first process hears. */
    uint64_t reads;
} job_task;

typedef struct job_tasks {
    job_task *list;
    uint32_t count;
    /* count times count: waits[i * count + k]: task i waits for task k, an earlier one. NULL: no task waits. */
    bool *waits;
    double before; /* seconds that every process but one spends besides, of one thread */
} job_tasks;

/* What becomes of tasks. */
typedef struct job_work {
    void *context;
    pool *threads; /* each of them does a task of its own; NULL: one at a time */
    /* Does one here, and fills said_size bytes for the first process. HOLOS_INTERRUPTED once `stop` is set, which stays where it is
     * until all tasks are done. `worker`, below the number of threads, says whose scratch space to use. */
    holos_status (*make)(void *context, uint32_t task, unsigned worker, const holos_stop *stop, void *said,
                         holos_error *err);
    /* In the first process: one is done, here or elsewhere. One call at a time, by any thread. A failure ends the work of all. */
    holos_status (*hear)(void *context, uint32_t task, const void *said, holos_error *err);
    size_t said_size;
} job_work;

/* The processes of a cluster that run the same job. All of them make these calls, in the same order. */
typedef struct job_company {
    void *context;
    unsigned rank, ranks;
    /* A failure of one is that of all. */
    holos_status (*agree)(void *context, holos_status status, holos_error *err);
    /* The bytes of the first process, to all. */
    void (*share)(void *context, void *bytes, size_t size);
    /* Does all tasks. */
    holos_status (*run)(void *context, const job_tasks *tasks, const job_work *work, holos_error *err);
    /* The sums of what they have sent to each other so far. */
    void (*traffic)(void *context, uint64_t *bytes, uint64_t *messages);
} job_company;

/* ---- Jobs ---------------------------------------------------------------------------------------- */

/* One job, as its kind sees it. */
typedef struct job {
    const holos_variant *v;
    const holos_job_options
        *o;                  /* threads and limits.memory are never 0 here; limits.stop also ends the time */
    const char *folder;      /* of a store "file:DIR"; NULL: there is none, or another kind of store */
    const holos_stop *asked; /* the caller's limits.stop, for a plan: limits.stop is set only during a run */
    double
        deadline; /* when the limit of time is reached, or CLOCK_NEVER: of use to whoever needs time to end */
    progress *progress;
    const logger *log;
    const char
        *stopped; /* the kind may say why it stopped: "nothing left to do"; NULL: what the status says */
    const void *settings;       /* the values of the kind's options; NULL: it has none */
    const void *game_settings;  /* of the game's for this kind; NULL: it has none */
    const job_company *company; /* during a run in a cluster: the others; NULL: there are none */
    const job_tasks *
        tasks; /* a plan for several processes may set it: then the runner says how long they take, and what travels */
    void *state; /* the kind's own; NULL before `open` */
} job;

typedef struct job_kind {
    holos_job_kind about;
    const char *record; /* the name of the record beside the result: "build.json" */
    bool clusters;      /* several processes can share it (holos/cluster.h) */
    bool reads_others;  /* and each reads what others have written: they need a folder that all of them see */
    const holos_option *options; /* ended by {0}; NULL: it has none */
    size_t settings_size;        /* of the struct that takes their values */
    /* Whether a word is an operand for it; NULL: it takes none. */
    bool (*takes)(const holos_variant *v, const char *word);
    /* Checks what was asked for; writes nothing. `close` is called even if it fails. */
    holos_status (*open)(job *j, holos_error *err);
    /* Fills in what is known, seconds for one thread, and adds to the document what else there is to say. Called once.
     * Required. */
    holos_status (*plan)(job *j, holos_plan *out, holos_report *r, holos_error *err);
    /* Once. HOLOS_INTERRUPTED: limits.stop was set, and what is finished has been kept. */
    holos_status (*run)(job *j, holos_error *err);
    /* One batch, in a process of its own: what the request at a path says. NULL: it has none. */
    holos_status (*batch)(job *j, const char *request, holos_error *err);
    /* After a run, whatever became of it. */
    void (*report)(job *j, holos_report *r);
    void (*close)(job *j);
} job_kind;

#endif
