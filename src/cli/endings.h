/* SPDX-License-Identifier: MIT */

/* Tables of endings on the command line: making them, and what they say of every move. */

#ifndef HOLOS_CLI_ENDINGS_H
#define HOLOS_CLI_ENDINGS_H

#include "cli/cli.h"
#include "core/json.h"
#include "game/endings.h"

/* What `holos build` was asked for. */
typedef struct making_endings {
    const char *name; /* "KQvKR"; NULL: all of up to `pieces` */
    unsigned pieces;
    const char *url; /* "file:DIR" or NULL */
    bool resume, restart, estimate, mates;
} making_endings;

cli_status making_endings_run(cli *c, const holos_variant *v, const making_endings *m);

/* Tables that are open, of a game. */
typedef struct open_endings {
    const holos_endings *game;
    void *state;
} open_endings;

/* The moves of a position by what they come to: wins, draws and losses with their distances. */
void endings_say_moves(text *t, const holos_variant *v, const open_endings *e, const holos_position *p,
                       bool color);
/* A line with the distances of a position. */
void endings_say_value(text *t, const ending_value *value);
/* "dtz": …, "dtm": … */
void endings_put_value(json *j, const ending_value *value);

/* Answers from tables alone: what they know needs no search. */
typedef struct endings_answers endings_answers;

holos_status endings_answers_open(const holos_variant *v, const open_endings *e, endings_answers **out,
                                  holos_error *err);
void endings_answers_close(endings_answers *a); /* may be NULL */
/* False if they do not know the position, or the game is over. The arrays of the result are the answers' until the next
 * call. */
bool endings_answer(endings_answers *a, const holos_position *p, bool moves, bool line, holos_result *r);

#endif
