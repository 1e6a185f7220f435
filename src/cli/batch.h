/* SPDX-License-Identifier: MIT */

/* Answers to many questions, in order, on several threads, in constant memory.
 *
 * Questions are taken as long as they are there without waiting, up to a batch; the threads share the
 * batch, each with a solver of its own; an answer is printed as soon as all before it are. When no
 * question is waiting, what was printed is flushed first: whoever waits for an answer gets it. */

#ifndef HOLOS_CLI_BATCH_H
#define HOLOS_CLI_BATCH_H

#include "cli/answer.h"

/* Where questions come from: the words of a command line; the word "-" stands for the lines of stdin. */
typedef struct batch_source {
    const char *const *words;
    size_t count, next;
    struct lines *lines; /* not NULL while stdin is being read */
} batch_source;

typedef struct batch_totals {
    uint64_t questions, errors;
    uint64_t nodes;
} batch_totals;

/* Answers everything `source` gives. `options` are those of each solver. `totals` tells how many. */
cli_status batch_run(cli *c, const answer_format *format, const holos_solver_options *options,
                     batch_source source, unsigned threads, batch_totals *totals);

#endif
