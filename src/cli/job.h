/* SPDX-License-Identifier: MIT */

/* The one way in which verbs do long work: the plan is said, the job runs, its report is printed. */

#ifndef HOLOS_CLI_JOB_H
#define HOLOS_CLI_JOB_H

#include "cli/cli.h"

#include <holos/job.h>

typedef struct job_wishes {
    bool resume, restart;
    bool estimate;     /* only say what it would need */
    const char *plot;  /* a picture of the report, or NULL */
    unsigned ranks;    /* with `estimate`: of a cluster; 0: none */
    unsigned machines; /* of that; 0: as many as ranks */
} job_wishes;

/* Does what `o` asks for; what all verbs share (limits, threads, progress, how to begin) is filled in. */
cli_status job_do(cli *c, const holos_variant *v, holos_job_options *o, const job_wishes *wishes);

/* The first kind of job of a game that has one of these names (ended by NULL); NULL: it has none of them. */
const char *job_kind_of(const holos_variant *v, const char *const *names);

/* The command as it was given: what others are told who meet a lock, and what a record says. */
void command_words(const cli *c, text *out);

#endif
