/* SPDX-License-Identifier: MIT */

/* Making puzzles with one solution: minimal ones, with several solutions as soon as any given is taken away, or with a
 * few givens more; as chance has it, or symmetric. */

#ifndef HOLOS_SUDOKU_GENERATE_H
#define HOLOS_SUDOKU_GENERATE_H

#include "core/error.h"
#include "games/sudoku/solver.h"

typedef struct sudoku_puzzle {
    uint8_t givens[SUDOKU_CELLS];
    uint8_t solution[SUDOKU_CELLS];
} sudoku_puzzle;

/* What kind of puzzle. */
typedef struct sudoku_recipe {
    uint64_t seed;
    unsigned symmetry; /* the index of a word of the option */
    bool minimal;
} sudoku_recipe;

/* The cell that a symmetry carries a cell to, on a grid of size x size. */
unsigned sudoku_carry(unsigned symmetry, unsigned size, unsigned cell);

/* Makes puzzles number `first`, first + 1, … of a recipe. A puzzle depends on the recipe and its number alone,
 * so that threads can divide the numbers as they like; a few hundred in one call are made several times
 * faster than one at a time. The first *made are there: all of them, unless a limit or want of memory ended it. */
holos_status sudoku_generate(const sudoku_solver *solver, const sudoku_recipe *recipe, uint64_t first,
                             size_t count, struct limits *work, sudoku_puzzle *out, size_t *made,
                             holos_error *err);

#endif
