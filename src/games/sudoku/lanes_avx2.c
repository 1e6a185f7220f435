/* SPDX-License-Identifier: MIT */

/* The search with AVX2; compiled with the options for it, and called only where the processor has it. */

#define LANES_SOLVER sudoku_solver_avx2
#define LANES_NAME   "avx2"
#include "games/sudoku/lanes.tpl.h"
