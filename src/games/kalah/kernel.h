/* SPDX-License-Identifier: MIT */

/* The kernel of kalah's databases: all positions with the same split of the seeds in play, at once.
 *
 * A part holds both ways to move on a split of i and j seeds, i <= j. The side with fewer seeds is the
 * outer one: its arrangement x chooses a row, the arrangement y of the other a place in the row. Each x
 * has two rows, one after the other: in the first the outer side is to move, in the second the inner one.
 * On an even split there is one row for each x, since the second ones are the same positions again.
 *
 * Within a part a move that stays in it leads from a first row to a second row of a smaller x, or from a
 * second row to the first row of the same x at a smaller y. So one pass over x is enough, and every step
 * of it is an operation on whole rows: out[y] = max(out[y], gain - row[y']). */

#ifndef HOLOS_KALAH_KERNEL_H
#define HOLOS_KALAH_KERNEL_H

#include "core/limits.h"
#include "games/kalah/passes.h"
#include "games/kalah/rules.h"

typedef struct kalah_kernel kalah_kernel;

/* Not for majority_stop: there the value of what is in play depends on the stores, too. */
holos_status kalah_kernel_open(const kalah_rules *rules, unsigned top, mem_budget *budget, kalah_kernel **out,
                               holos_error *err);
void kalah_kernel_close(kalah_kernel *k);
size_t kalah_kernel_memory(const kalah_rules *rules, unsigned top);
size_t kalah_kernel_scratch(unsigned pits, unsigned top);

/* Fills the part in which the outer side has `outer` of `seeds` seeds, and which is all
 * HOLOS_BYTE_UNKNOWN before, from complete lower tiers: parts[seeds][outer] for every number of seeds and every outer <= seeds / 2.
 * Looks at the limits after each row. */
void kalah_kernel_solve(const kalah_kernel *k, uint8_t *const *const *parts, unsigned seeds, unsigned outer,
                        struct limits *limits, uint8_t *scratch);

/* The same with several threads in one part: in steps, whose pieces do not depend on each other. A piece is an arrangement x of
 * the outer side. A move that stays in the part brings seeds nearer to the store, so a step has the arrangements whose
 * seeds are together equally far from it. An even split is computed twice over so, since each position belongs to two arrangements.
 * 0 steps: the part is not worth it. */
uint32_t kalah_kernel_steps(const kalah_kernel *k, unsigned seeds, unsigned outer);
uint32_t kalah_kernel_pieces(const kalah_kernel *k, unsigned outer, uint32_t step);
void kalah_kernel_solve_pieces(const kalah_kernel *k, uint8_t *const *const *parts, unsigned seeds,
                               unsigned outer, uint32_t step, uint32_t first, uint32_t count,
                               struct limits *limits, uint8_t *scratch);

/* ---- Where a position is ----------------------------------------------------------------------- */

static inline uint64_t kalah_part_size(const arrange *a, unsigned seeds, unsigned outer)
{
    uint64_t product = (uint64_t)arrange_count(a, outer) * arrange_count(a, seeds - outer);
    return 2 * outer == seeds ? product : 2 * product;
}

/* The index in its part, by the arrangements and the seeds of the side to move and of the other. */
static inline uint64_t kalah_part_index(const arrange *a, uint32_t mover, unsigned mover_seeds,
                                        uint32_t other, unsigned other_seeds)
{
    uint64_t row = arrange_count(a, mover_seeds > other_seeds ? mover_seeds : other_seeds);
    if (mover_seeds == other_seeds)
        return mover * row + other;
    return mover_seeds < other_seeds ? mover * 2 * row + other : other * 2 * row + row + mover;
}

#endif
