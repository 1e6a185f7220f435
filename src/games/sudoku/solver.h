/* SPDX-License-Identifier: MIT */

/* Inside sudoku: counting solutions. */

#ifndef HOLOS_SUDOKU_SOLVER_H
#define HOLOS_SUDOKU_SOLVER_H

#include "games/sudoku/rules.h"

/* When to stop looking. */
typedef struct sudoku_limits {
    uint64_t solutions; /* at least 1 */
    uint64_t guesses;   /* 0: no limit */
    double deadline;    /* of core/clock.h */
    const bool *stop;   /* NULL, or a flag that somebody else may set */
} sudoku_limits;

/* Counts the solutions of a grid without conflicts, and writes the first one found to `first` (which
 * may be `cells`). *guesses is how many were made, *complete whether all solutions have been counted. */
uint64_t sudoku_solve(const uint8_t cells[SUDOKU_CELLS], const sudoku_limits *limits,
                      uint8_t first[SUDOKU_CELLS], uint64_t *guesses, bool *complete);

#endif
