/* SPDX-License-Identifier: MIT */

/* Answers to many questions, in order, on several threads, in constant memory.
 *
 * Each thread, with a solver of its own, takes as many questions as are there without waiting, up to a
 * block, and answers them; an answer is printed as soon as all before it are. When no question is waiting,
 * what was printed is flushed: whoever waits for an answer gets it. */

#ifndef HOLOS_CLI_BATCH_H
#define HOLOS_CLI_BATCH_H

#include "cli/cli.h"

/* Where questions come from: the words of a command line; the word "-" stands for the lines of stdin. */
typedef struct batch_source {
    const char *const *words;
    size_t count, next;
    struct lines *lines; /* not NULL while stdin is being read */
    bool whole;          /* stdin is one question, over several lines */
} batch_source;

typedef struct batch_totals {
    uint64_t questions, errors;
    uint64_t lines; /* questions that were lines of stdin */
    uint64_t nodes;
} batch_totals;

/* The words after the game, or stdin without any; on a terminal `alone`, if it is not NULL. */
batch_source batch_source_choose(const cli *c, const char *const *alone);

/* A question that could be read, and where its answer goes. */
typedef struct batch_item {
    const char *question;
    const holos_position *position;
    text *answer;
    cli_status status; /* that of the answer; CLI_DONE before */
    bool failed;       /* the answer is an error */
} batch_item;

/* What is done with questions. Each thread has a worker of its own. */
typedef struct batch_kind {
    const char *name; /* for the progress line */
    const holos_variant *v;
    const void *context; /* the kind's own */
    size_t block;        /* questions that a worker answers at once, if so many are there; at least 1 */
    holos_status (*open)(const void *context, unsigned workers, void **worker, holos_error *err);
    void (*close)(void *worker);
    void (*answer)(void *worker, batch_item *items, size_t count);
    /* What stands in the place of an answer to a question that cannot be read. */
    void (*refuse)(const void *context, const char *question, const holos_error *err, text *out);
    uint64_t (*nodes)(const void *worker); /* searched so far; may be NULL */
} batch_kind;

/* Answers everything `source` gives. `totals` tells how many. */
cli_status batch_run(cli *c, const batch_kind *kind, batch_source source, unsigned threads,
                     batch_totals *totals);
/* Says on stderr how many questions could not be answered and, with --verbose, sums up. */
void batch_report(const cli *c, const batch_totals *totals, double seconds);

#endif
