/* SPDX-License-Identifier: MIT */

/* holos: long work. Building a database, a graph, a book or endgame tables, or exploring: each is a job.
 *
 *     holos_job_options o = {.kind = "database", .store = "file:kalah43"};
 *     holos_job *job;  holos_plan plan;
 *     if (holos_job_open(v, &o, &job, &err) != HOLOS_OK) ...err.message...
 *     holos_job_plan(job, &plan, &err);            plan.memory, plan.disk, plan.seconds
 *     holos_job_run(job, &err);                    HOLOS_LIMIT, HOLOS_INTERRUPTED: you can resume it
 *     holos_job_report(job);                       what was found
 *     holos_job_close(job);
 *
 * A job locks its store while it runs; a second job is told who holds the lock (HOLOS_IO). It saves a
 * checkpoint at least once a minute, or less often if saving takes long, so a killed job loses only the work
 * since then, and HOLOS_JOB_RESUME continues. A record of the run is kept beside the result, as JSON
 * (build.json, explore.json). */

#ifndef HOLOS_JOB_H
#define HOLOS_JOB_H

#include <holos/cluster.h>
#include <holos/option.h>
#include <holos/progress.h>
#include <holos/report.h>
#include <holos/wave.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Jobs ----------------------------------------------------------------------------------- */

typedef struct holos_job holos_job;

typedef enum holos_job_start {
    HOLOS_JOB_NEW = 0, /* fail if there is something already */
    HOLOS_JOB_RESUME,  /* continue with what is there */
    HOLOS_JOB_RESTART, /* start over and replace what is there */
} holos_job_start;

typedef struct holos_job_options {
    const char *kind;      /* see holos_job_kind_at; NULL: the game's first, or "database" */
    const char *store;     /* where to keep the result: a URL as in holos/store.h; NULL: nowhere */
    holos_job_start start; /* what to do with what is there */
    const char *const *
        operands; /* what this kind of job takes: positions or seeds, or a kind of positions such as "KRvKN" */
    size_t operand_count;
    const holos_boundary *boundary; /* NULL, or known values; must outlive the job */
    holos_limits limits;            /* for the whole job; memory 0: what the system can spare */
    unsigned threads;               /* 0: one per processor */
    uint64_t seed;                  /* for random choices */
    double checkpoint_seconds;      /* how often; 0: every minute */
    const char *command;            /* shown to others that want the lock: "holos build …"; may be NULL */
    /* NULL, or options of this kind of job and of the game (HOLOS_USE_JOB); must outlive the job. */
    const holos_settings *settings;
    /* NULL, or the words of a command that calls holos_job_batch for this very job, with "{}" where the path of the request
     * goes, ended by NULL. Kinds that can isolate their batches run them so, in processes of their own. Must outlive the
     * job. */
    const char *const *child;
    holos_cluster *cluster; /* NULL, or what shares the work: every rank runs the same job; must outlive it */
    unsigned ranks;         /* for a plan without a cluster: so many; 0: one */
    unsigned machines;      /* and on so many machines; 0: as many as ranks */
    bool histogram;         /* count how often each value occurs, if this kind of job can; for a plot */

    /* Called from time to time by a working thread, never by two at once; may be NULL. */
    void (*progress)(void *context, const holos_progress *progress);
    void *progress_context;
    double progress_seconds; /* how often; 0: twice a second */
    /* Called with one line, by any thread, possibly by several at once; may be NULL. */
    void (*log)(void *context, holos_log_level level, const char *message);
    void *log_context;
} holos_job_options;

/* Describes a kind of job. */
typedef struct holos_job_kind {
    const char *name;     /* "database" */
    const char *summary;  /* a few words */
    const char *operands; /* what it takes: "SEED…" (holos_seed_parse), "KIND", or "" for nothing */
    bool keeps;           /* it can have a store */
} holos_job_kind;

/* The kinds of jobs for a game, its own first; NULL past the end. */
HOLOS_API const holos_job_kind *holos_job_kind_at(const holos_variant *v, size_t index);
/* Whether a kind of job takes this word as an operand: "region" takes KRvKN for chess, "wave" takes positions. */
HOLOS_API bool holos_job_takes(const holos_variant *v, const char *kind, const char *word);

/* Copies everything in `options` except `boundary`, `settings`, `cluster` and `limits.stop`; these and `v` must outlive the job.
 * HOLOS_UNSUPPORTED or HOLOS_USAGE, with the reason, if the job is impossible. Writes nothing. */
HOLOS_API holos_status holos_job_open(const holos_variant *v, const holos_job_options *options,
                                      holos_job **out, holos_error *err);
HOLOS_API void holos_job_close(holos_job *job);             /* may be NULL */
HOLOS_API const char *holos_job_name(const holos_job *job); /* of its kind */

/* How the positions of a plan are known. */
typedef enum holos_plan_basis {
    HOLOS_PLAN_EXACT = 0, /* computed or counted; a job may need fewer, never more */
    HOLOS_PLAN_ESTIMATE,  /* from samples; `factor` says how far off it may be */
    HOLOS_PLAN_AT_LEAST,  /* about so many or more; memory, disk and seconds are for these alone */
} holos_plan_basis;

HOLOS_API const char *holos_plan_basis_name(holos_plan_basis basis); /* "exact", "estimate", "at-least" */

/* What a job needs, as far as that is known before it starts. */
typedef struct holos_plan {
    bool known;                /* false: the other members mean nothing */
    holos_plan_basis basis;    /* of `positions`, and of what follows from them */
    double factor;             /* HOLOS_PLAN_ESTIMATE: the positions are within this factor; otherwise 1 */
    uint64_t positions, parts; /* parts 0: not in parts */
    uint64_t memory;           /* bytes */
    uint64_t memory_least; /* the job cannot do with less: above the limit, it is refused; 0: nobody knows */
    uint64_t memory_limit; /* how much it may use */
    double memory_each;    /* bytes for each position, about; 0: `memory` is not a sum of these */
    uint64_t fits;         /* how many positions the limit holds, about; 0: without memory_each */
    const char *beyond;    /* the option that goes past the memory limit: "--spill DIR"; or NULL */
    uint64_t disk;         /* roughly, in bytes; 0: none */
    double seconds;        /* roughly, with the job's threads; 0: unknown */
    bool seconds_more;     /* it takes at least so long */
    unsigned ranks;        /* of a cluster: then `memory` is what each of them needs; 0: there is none */
    uint64_t traffic;      /* bytes that will travel between them, about */
    char what[192];        /* "kalah:3,2 up to 12 seeds: 18,564 positions in 49 parts" */
    const holos_report *report; /* the same as a document; owned by the job */
} holos_plan;

/* Makes the plan, once; that may take a second, if positions have to be counted or sampled. limits.stop
 * ends that early. Writes nothing. */
HOLOS_API holos_status holos_job_plan(holos_job *job, holos_plan *out, holos_error *err);

/* Runs the job, once. HOLOS_NO_MEMORY: the plan's memory_least exceeds the memory limit, and nothing was started.
 * HOLOS_LIMIT, HOLOS_INTERRUPTED: the work so far is kept and can be resumed. HOLOS_IO: somebody else holds
 * the store; or the disk is full, and the last checkpoint is kept. */
HOLOS_API holos_status holos_job_run(holos_job *job, holos_error *err);
/* For a process that was started to do one batch of a job that another process runs (holos_job_options.child): does what the
 * request says, and nothing else. The job is opened as the other one was. Ends with its parent. HOLOS_UNSUPPORTED if this kind
 * has no batches. */
HOLOS_API holos_status holos_job_batch(holos_job *job, const char *request, holos_error *err);
/* What the run found and why it stopped; NULL before the run, and in a cluster in all ranks but the first. Owned by the job. */
HOLOS_API const holos_report *holos_job_report(const holos_job *job);

/* What the jobs at a place are doing, or where they stopped. `place` is a store, or a folder that contains
 * stores. The caller closes the report. */
HOLOS_API holos_status holos_job_inspect(const char *place, holos_report **out, holos_error *err);

#ifdef __cplusplus
}
#endif

#endif
