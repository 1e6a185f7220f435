/* SPDX-License-Identifier: MIT */

/* Inside the runner of jobs: what its files share.
 *
 *     job      opening, the plan, the run          watch    requests to stop, the end of the time, how far it is
 *     record   what a run leaves beside its result  inspect  reading that again, and the lock
 *     place    where these files lie               job_ranks  the other processes of a cluster */

#ifndef HOLOS_SESSION_JOB_H
#define HOLOS_SESSION_JOB_H

#include "core/lock.h"
#include "game/jobs.h"

#include <time.h>

#define JOB_LOCK     ".holos-lock"
#define JOB_HOLOGRAM "hologram" /* the file of an exploration */

struct holos_job {
    job base; /* what the kind sees */
    const job_kind *kind;
    holos_job_options options;      /* with strings of its own */
    void *settings, *game_settings; /* what the options say; NULL: there are none */
    arena memory;
    progress progress;
    logger log;
    file_lock lock;
    bool has_run;
    holos_report *report, *plan_report;
    holos_plan plan;     /* once it is known */
    double planned;      /* seconds that the plan took: the limit of time is for both */
    double begun;        /* the run, on the clock of limits */
    time_t began;        /* the same as a date */
    holos_status status; /* what became of it */
    char problem[256];   /* and in words, if it failed */

    job_company company; /* in a cluster */

    const holos_stop *asked; /* the caller's */
    holos_stop stop;         /* what the kind looks at: set when the caller's is, and when the time is over */
    pthread_t watcher;
    pthread_mutex_t watch_lock;
    pthread_cond_t watch_end;
    bool watching;
    /* Under the watch lock. */
    bool over, out_of_time;
    char shown[1024]; /* the progress of late, as JSON; "": none yet */
};

/* ---- watch.c ----------------------------------------------------------------------------------- */

void watch_init(holos_job *j);
void watch_free(holos_job *j);
/* From here on requests to stop are passed on, and the lock says every few seconds how far the work is. */
holos_status watch_begin(holos_job *j, holos_error *err);
void watch_end(holos_job *j);
/* Whether the time was over. */
bool watch_out_of_time(holos_job *j);
/* For the job's progress. */
void watch_progress(void *context, const holos_progress *state);

/* ---- job_ranks.c ------------------------------------------------------------------------------- */

/* From here on the kind sees the other ranks, if there is a cluster. */
void ranks_meet(holos_job *j);
/* All ranks together: whether they see the same folder, if the kind needs that. */
holos_status ranks_check_folder(holos_job *j, holos_error *err);
/* Completes the plan of a kind that has tasks to share. */
void ranks_plan(const holos_job *j, holos_plan *out);

/* ---- record.c ---------------------------------------------------------------------------------- */

/* Adds to the report how the run went: its status, why it stopped, what it was asked. */
void record_run(holos_job *j, holos_report *r);
/* Writes the report beside the store, if there is one. */
holos_status record_keep(const holos_job *j, holos_error *err);
/* What the lock says: who runs this, and how far it is. */
void record_lock(const holos_job *j, const char *reached, text *out);

/* ---- place.c ----------------------------------------------------------------------------------- */

/* The folder of "file:DIR", "parquet:DIR" or of a path alone; NULL if the URL is of another kind. */
const char *place_folder(const char *url);
/* file:DIR -> DIR/NAME; scheme:FILE -> FILE.NAME (one dot, if NAME begins with one); of a store on a server a folder of the user
 * ($XDG_STATE_HOME/holos). */
void place_beside(const char *url, const char *name, text *out);
/* Locks a place, makes its folder if need be, and removes what killed runs left there. */
holos_status place_lock(file_lock *l, const char *url, holos_error *err);
/* Whether two URLs lead to the same files, by whatever names. */
bool place_same(const char *a, const char *b);
/* Whether something lies in a folder that is no place for a hologram, and what: "a database of kalah:3,2". */
bool place_other(const char *url, char *what, size_t size);
/* Removes the temporary files of runs that were killed. Whoever calls it holds the lock. */
void place_sweep(const char *url);

#endif
