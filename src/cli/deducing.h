/* SPDX-License-Identifier: MIT */

/* Answers that deductions give to a batch of questions: what `hint` and `rate` share. */

#ifndef HOLOS_CLI_DEDUCING_H
#define HOLOS_CLI_DEDUCING_H

#include "cli/answer.h"
#include "cli/batch.h"

typedef struct deducing {
    const char *name;    /* of what is asked for: "hint"; also for the progress line */
    bool whole;          /* standard input is one position */
    const void *context; /* the verb's own */
    answer_format format;
    /* Writes the answer to a question whose deductions begin in `logic`, and its status. */
    void (*answer)(const struct deducing *d, holos_logic *logic, batch_item *item);
} deducing;

/* Answers the questions of a command line about positions of `d->format.v`, on all threads. */
cli_status deducing_run(cli *c, const deducing *d);

#endif
