/* SPDX-License-Identifier: MIT */

/* Inside the solver: its versions, one source (lanes.tpl.h) compiled for different processors. */

#ifndef HOLOS_SUDOKU_LANES_H
#define HOLOS_SUDOKU_LANES_H

#include "games/sudoku/solver.h"

extern const sudoku_solver sudoku_solver_portable;
#ifdef __x86_64__
extern const sudoku_solver sudoku_solver_avx2;
#endif

#endif
