/* SPDX-License-Identifier: MIT */

/* The jobs of the server: each has a thread of its own; whoever watches sees the last report of its progress. Results lie
 * in the server's folder, under names that are checked here: no other path can be reached. */

#ifndef HOLOS_SERVE_JOBS_H
#define HOLOS_SERVE_JOBS_H

#include "core/json.h"

#include <holos/holos.h>

#include <pthread.h>

#define JOBS_MOST         32 /* kept in mind */
#define JOBS_AT_ONCE      2
#define JOBS_OPERANDS     8
#define JOBS_HISTORY_MOST 240 /* points of a plot */

typedef enum job_state { JOB_FREE, JOB_RUNNING, JOB_DONE, JOB_STOPPED, JOB_FAILED } job_state;

typedef struct job_point {
    double seconds, rate;
    uint64_t done, memory;
} job_point;

/* What a job is asked to do; the strings are copied. */
typedef struct job_wish {
    const char *game, *kind, *name; /* name: of the store in the folder */
    const char *experiment;         /* in place of a game: run this experiment */
    const char *operands[JOBS_OPERANDS];
    size_t operand_count;
    holos_job_start start;
    double seconds;
    unsigned threads;
    bool quick;
    holos_settings *settings; /* taken over */
} job_wish;

typedef struct job_entry {
    struct jobs *owner;
    unsigned id;
    job_state state;
    pthread_t thread;
    holos_stop stop;
    job_wish wish; /* with strings of its own */
    char *operands[JOBS_OPERANDS];
    char *store; /* "file:FOLDER/NAME" */
    char label[64], unit[32];
    holos_progress progress;
    job_point history[JOBS_HISTORY_MOST];
    unsigned points;
    double interval; /* seconds between two points; doubles when the history is full */
    char *report;    /* JSON, or NULL */
    holos_error err;
} job_entry;

typedef struct jobs {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const char *folder;
    job_entry entries[JOBS_MOST];
    unsigned last_id, running;
    uint64_t version;                /* grows with every change */
    void (*finished)(void *context); /* a job has made something; may be NULL */
    void *context;
    bool is_open;
} jobs;

void jobs_open(jobs *j, const char *folder);
void jobs_close(jobs *j); /* stops all of them and waits */

/* Whether a text is the name of a store in the folder: letters, digits, - _ and . inside. */
bool jobs_is_name(const char *name);
/* The path of a name in the folder; the caller frees it. */
char *jobs_path(const jobs *j, const char *name);

/* Starts a job in a thread of its own; *id is its number. Takes wish->settings in any case. */
holos_status jobs_start(jobs *j, const job_wish *wish, unsigned *id, holos_error *err);
holos_status jobs_stop(jobs *j, unsigned id, holos_error *err);
/* The members jobs and version of an object. */
void jobs_put(jobs *j, json *out);
/* Waits until the version is another one, at most so many seconds. */
void jobs_wait(jobs *j, uint64_t version, double seconds);
uint64_t jobs_version(jobs *j);
unsigned jobs_running(jobs *j);

#endif
