/* SPDX-License-Identifier: MIT */

/* The search with vectors that every processor has, or that its compiler makes of words. */

#define LANES_SOLVER sudoku_solver_portable
#define LANES_NAME   "portable"
#include "games/sudoku/lanes.tpl.h"
