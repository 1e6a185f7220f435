/* SPDX-License-Identifier: MIT */

/* Answers that solvers give to a batch of questions: what `solve` and `query` share. */

#ifndef HOLOS_CLI_SOLVING_H
#define HOLOS_CLI_SOLVING_H

#include "cli/answer.h"
#include "cli/batch.h"

#include <stdatomic.h>
#include <string.h>

typedef struct solving {
    answer_format format;
    holos_solver_options options; /* of each thread's solver; they share the memory */
    const logger *log;            /* where to say, once, what solvers have to do without */
    atomic_bool *told;            /* whether that was said; NULL: it is not */
} solving;

/* A stream is shared out over threads; a single position is given to a solver with all of them. */
static inline bool solving_is_single(const batch_source *source)
{
    return source->count == 1 && strcmp(source->words[0], "-") != 0;
}

/* Answers everything `source` gives, on `threads` solvers. */
cli_status solving_run(cli *c, const solving *s, batch_source source, unsigned threads, batch_totals *totals);

#endif
