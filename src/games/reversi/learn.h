/* SPDX-License-Identifier: MIT */

/* Learning an evaluation from games of our own, from the end of the game backwards. Positions of the last stage are worth what the
 * exact search says; those of an earlier one what a search of a few plies says, which ends in stages that are learned already. Nothing
 * depends on the number of threads. */

#ifndef HOLOS_REVERSI_LEARN_H
#define HOLOS_REVERSI_LEARN_H

#include "core/rng.h"
#include "games/reversi/reversi.h"
#include "games/reversi/search.h"

typedef struct learn_sample {
    reversi_board board;
    int32_t worth; /* in units of the evaluation */
    uint32_t empties;
} learn_sample;

/* What a thread needs to make samples. */
typedef struct learn_maker {
    reversi_search search;
    reversi_memo memo;
    struct limits limits;
    reversi_search_function *exact;
    reversi_guess_function *guess;
} learn_maker;

bool learn_maker_open(learn_maker *m, const reversi_rules *rules);
void learn_maker_close(learn_maker *m);

/* The empty cells of a stage, from *least to *most; false: the board is too small for it. */
bool learn_stage(unsigned size, unsigned stage, unsigned *least, unsigned *most);

/* Plays a game to somewhere in a stage, and says what the position is worth. `players` chooses the moves; NULL: the number of replies
 * does. `learned` has the stages after this one. */
learn_sample learn_make(learn_maker *m, rng *r, unsigned stage, const reversi_evaluation *players,
                        const reversi_evaluation *learned);

/* The weights of a stage that fit the samples best: least squares with a little pull to 0. *error: how far off
 * they are, in discs, as a root of the mean square. False: no memory. */
bool learn_fit(reversi_evaluation *e, unsigned stage, const learn_sample *samples, size_t count,
               double *error);

#endif
