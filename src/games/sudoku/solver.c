/* SPDX-License-Identifier: MIT */

#include "games/sudoku/solver.h"

#include "games/sudoku/lanes.h"

const sudoku_solver *sudoku_solver_choose(cpu_features features)
{
#ifdef __x86_64__
    if (features.avx2 && features.bmi1 && features.bmi2 && features.popcnt)
        return &sudoku_solver_avx2;
#endif
    (void)features;
    return &sudoku_solver_portable;
}
