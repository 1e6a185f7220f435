/* SPDX-License-Identifier: MIT */

/* Making minimal puzzles: with one solution, and several as soon as any given is taken away. */

#ifndef HOLOS_SUDOKU_GENERATE_H
#define HOLOS_SUDOKU_GENERATE_H

#include "core/error.h"
#include "games/sudoku/solver.h"

typedef struct sudoku_puzzle {
    uint8_t givens[SUDOKU_CELLS];
    uint8_t solution[SUDOKU_CELLS];
} sudoku_puzzle;

/* Makes puzzles number `first`, first + 1, … of a seed. A puzzle depends on the seed and its number alone,
 * so that threads can divide the numbers as they like; a few hundred in one call are made several times
 * faster than one at a time. Fails only for want of memory. */
holos_status sudoku_generate(const sudoku_solver *solver, uint64_t seed, uint64_t first, size_t count,
                             sudoku_puzzle *out, holos_error *err);

#endif
