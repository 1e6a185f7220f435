/* SPDX-License-Identifier: MIT */

/* What a solver found, written for people or as the JSON of docs/json.md. */

#ifndef HOLOS_CLI_ANSWER_H
#define HOLOS_CLI_ANSWER_H

#include "cli/cli.h"

typedef struct answer_format {
    const holos_variant *v;
    bool json, color;
    bool moves, line, weak; /* what was asked for, as in holos_solver_options */
    holos_limits limits;    /* of each answer */
    bool steps;             /* the deductions that lead to the solution, too */
    holos_knowledge *known; /* NULL, or what need not be searched: it says why it does not know a position */
    const holos_distance_words *distances; /* NULL, or how to call the distances that it tells */
} answer_format;

/* The format that a command line asks for, of answers about `v`. */
answer_format answer_format_of(const cli *c, const holos_variant *v);
/* Adds what is known beforehand; NULL: nothing. */
void answer_format_know(answer_format *f, holos_knowledge *known);

/* The answer to `question` (the text that `position` was read from): a line of JSON, or a line or a
 * small block for people. `status` is what holos_solver_solve returned: HOLOS_OK, HOLOS_LIMIT or
 * HOLOS_INTERRUPTED. Returns the exit status that belongs to it. */
cli_status answer_write(text *t, const answer_format *f, const char *question, const holos_position *position,
                        holos_status status, const holos_result *r);

/* What stands in the place of an answer that cannot be given. */
cli_status answer_error(text *t, const answer_format *f, const char *question, const holos_error *err);

/* The position as it stands before an answer for people, and what separates them: ": ". */
void answer_question(text *t, const answer_format *f, const char *question, const char *separator);

#endif
