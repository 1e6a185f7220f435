/* SPDX-License-Identifier: MIT */

/* Counting the solutions of sudoku grids, many at a time.
 *
 * The solver works on 16 nodes of the search at once, one in each lane of a vector: different grids of
 * the caller's list, or, when the list runs out, different branches of what is left. So a list of a few
 * hundred grids is solved several times faster than the same grids one by one; a single hard grid still
 * fills the lanes.
 *
 * Nothing is allocated and nothing can fail: a search works in 260 KB of its caller's stack. */

#ifndef HOLOS_SUDOKU_SOLVER_H
#define HOLOS_SUDOKU_SOLVER_H

#include "core/cpu.h"
#include "core/limits.h"
#include "games/sudoku/rules.h"

#include <stddef.h>

/* A grid as sets of digits that its cells may hold: SUDOKU_ALL for an empty cell, one bit for a given.
 * An empty set is allowed: then there is no solution. */
typedef struct sudoku_grid {
    uint16_t candidates[SUDOKU_CELLS];
} sudoku_grid;

/* When to stop looking. */
typedef struct sudoku_limits {
    uint64_t solutions;  /* for each grid; at least 1 */
    uint64_t guesses;    /* for each grid; UINT64_MAX: no limit */
    struct limits *work; /* NULL, or what ends the work on all of them: time, or a request to stop */
    bool alone;          /* no two lanes work on one grid: pays off where a solution is likely */
} sudoku_limits;

typedef struct sudoku_answer {
    uint64_t solutions;          /* at most the limit */
    uint64_t guesses;            /* how many were made */
    bool complete;               /* there are no more solutions */
    uint8_t first[SUDOKU_CELLS]; /* a solution, if there is one: the same whatever else is in the list */
} sudoku_answer;

/* A solver is a version for a kind of processor; any thread may use it. */
typedef struct sudoku_solver {
    const char *name; /* "avx2", "portable" */
    /* Counts the solutions of each grid up to the limit. Givens may contradict each other: then there
     * are no solutions. */
    void (*solve)(const sudoku_grid *grids, size_t count, const sudoku_limits *limits,
                  sudoku_answer *answers);
} sudoku_solver;

/* The fastest version that `features` allow. Asking the processor (cpu_detect) takes longer than solving an
 * easy grid, so ask once. */
const sudoku_solver *sudoku_solver_choose(cpu_features features);

static inline void sudoku_grid_from_cells(const uint8_t cells[SUDOKU_CELLS], sudoku_grid *out)
{
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
        out->candidates[cell] = (uint16_t)(cells[cell] != 0 ? 1u << (cells[cell] - 1) : SUDOKU_ALL);
}

#endif
