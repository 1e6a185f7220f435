/* SPDX-License-Identifier: MIT */

/* How holos finds its moves in a game: the best one where it can be found in time, else one that keeps
 * the win or the draw, else a guess. It says which. */

#ifndef HOLOS_CLI_THINKER_H
#define HOLOS_CLI_THINKER_H

#include "core/error.h"
#include "core/rng.h"

typedef struct thinker {
    const holos_variant *v;
    const char *engine;             /* NULL: the best one for the game */
    holos_limits limits;            /* for a move */
    const holos_boundary *boundary; /* what need not be searched, or NULL */
    rng random;                     /* chooses among equals */
    holos_solver *best;
    holos_solver *outcome, *judge; /* opened when they are first needed */
} thinker;

typedef enum thinker_proof {
    THINKER_BEST,    /* no move is better */
    THINKER_OUTCOME, /* it keeps the win or the draw; another may score more */
    THINKER_GUESS,   /* nothing is proven */
} thinker_proof;

typedef struct thinker_move {
    holos_move move;
    thinker_proof proof;
    holos_value value; /* what is known of the position */
    double seconds;
} thinker_move;

/* On failure there is nothing to close, but thinker_close does no harm. */
holos_status thinker_open(thinker *t, const holos_variant *v, const char *engine, holos_limits limits,
                          const holos_boundary *boundary, uint64_t seed, holos_error *err);
void thinker_close(thinker *t);

/* A move in a game of two players that is not over. When limits.stop is set it moves at once. */
holos_status thinker_choose(thinker *t, const holos_position *position, thinker_move *out, holos_error *err);

/* What is known of a position and of every move. HOLOS_OK also if a limit was reached: then the value is
 * an interval, and no move may be known to be best. */
holos_status thinker_judge(thinker *t, const holos_position *position, holos_result *out, holos_error *err);
/* The same without the values of the moves, which is quicker: a puzzle's next move. */
holos_status thinker_solve(thinker *t, const holos_position *position, holos_result *out, holos_error *err);

#endif
