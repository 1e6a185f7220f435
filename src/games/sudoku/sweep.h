/* SPDX-License-Identifier: MIT */

/* Inside the solver: what follows from the candidates, in all lanes at once and without a branch.
 *
 * The grid is 81 vectors; a lane of vector `cell` is the set of digits which that cell may hold in that
 * lane's grid. A sweep looks at a band (three rows, or three columns) as nine triads: the three cells
 * that a row and a box share. For each digit the triads that hold it must form one of six patterns, one
 * triad in each row and each box; so nine triads and a handful of logical operations settle all locked
 * candidates of all digits of the band, and which digits are missing. Then:
 *
 *   a cell with one candidate takes it from the other triads of its row and box (and, by the sweep in
 *   the other direction, from the rest of its own triad);
 *   a triad with three candidates left takes them from the others; one that three digits are locked
 *   into loses the rest (5.4 guesses a grid of magictour instead of 8.3, for 8 % of the time);
 *   a digit with one place left in a triad that it is locked into is there. */

#ifndef HOLOS_SUDOKU_SWEEP_H
#define HOLOS_SUDOKU_SWEEP_H

#include "games/sudoku/rules.h"
#include "games/sudoku/vec.h"

/* gcc's analyzer does not see that loops over nine triads fill them all; zeroing them costs 7 % more
 * instructions. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wanalyzer-use-of-uninitialized-value"
#endif

#define SWEEP_SOLVED (9 * SUDOKU_ALL) /* the sum of the cells of a solved grid, and of no other live one */

/* What a pass tells of the lanes' grids. */
typedef struct sweep_result {
    vec sum;       /* of all cells: it does not change exactly if no cell does, as sets only shrink */
    vec smallest;  /* cell: 0 if one has no candidates */
    vec placeable; /* the digits that every band still has room for */
} sweep_result;

/* The triads of a band, by row and box. */
typedef vec sweep_triads[3][3];

static inline vec sweep_single(vec cell)
{
    return cell & vec_is_zero(vec_drop_lowest(cell));
}

/* Reads a band's cells: what its triads may hold, what in more than one cell, and what they hold for
 * sure. The first direction notes the cells that are settled for the second: recomputing costs more. */
static inline __attribute__((always_inline)) void sweep_read(const vec *cells, vec *settled, int row,
                                                             int column, bool first, sweep_triads any,
                                                             sweep_triads many, sweep_triads sure)
{
    for (int r = 0; r < 3; r++) {
        for (int b = 0; b < 3; b++) {
            int at = r * row + 3 * b * column;
            vec x = cells[at], y = cells[at + column], z = cells[at + 2 * column];
            any[r][b] = x | y | z;
            many[r][b] = (x & y) | ((x | y) & z);
            if (first) {
                settled[at] = sweep_single(x);
                settled[at + column] = sweep_single(y);
                settled[at + 2 * column] = sweep_single(z);
            }
            vec more_than_three = vec_drop_lowest(vec_drop_lowest(vec_drop_lowest(any[r][b])));
            sure[r][b] = settled[at] | settled[at + column] | settled[at + 2 * column] |
                         (any[r][b] & vec_is_zero(more_than_three));
        }
    }
}

/* Leaves in each triad the digits that have a pattern through it: one triad in each row and box. */
static inline __attribute__((always_inline)) void sweep_match(sweep_triads any, sweep_triads sure)
{
    sweep_triads left;
    for (int r = 0; r < 3; r++)
        for (int b = 0; b < 3; b++)
            left[r][b] = any[r][b] & ~(sure[r][(b + 1) % 3] | sure[r][(b + 2) % 3] | sure[(r + 1) % 3][b] |
                                       sure[(r + 2) % 3][b]);
    for (int r = 0; r < 3; r++) {
        for (int b = 0; b < 3; b++) {
            int r1 = (r + 1) % 3, r2 = (r + 2) % 3, b1 = (b + 1) % 3, b2 = (b + 2) % 3;
            any[r][b] = left[r][b] & ((left[r1][b1] & left[r2][b2]) | (left[r1][b2] & left[r2][b1]));
        }
    }
}

/* One band: cell (r, c) of it is cells[r * row + c * column]. */
static inline __attribute__((always_inline)) void sweep_band(vec *cells, vec *settled, int row, int column,
                                                             bool first, sweep_result *result)
{
    sweep_triads any, many, sure;
    sweep_read(cells, settled, row, column, first, any, many, sure);
    sweep_match(any, sure);
    result->placeable &= any[0][0] | any[0][1] | any[0][2]; /* a digit that one row lacks, all lack */
    for (int r = 0; r < 3; r++) {
        for (int b = 0; b < 3; b++) {
            vec locked = any[r][b] & ~(any[r][(b + 1) % 3] | any[r][(b + 2) % 3]);
            vec placed = locked & ~many[r][b];
            vec three_locked = ~vec_is_zero(vec_drop_lowest(vec_drop_lowest(locked)));
            vec allowed = any[r][b] & ~(three_locked & ~locked);
            for (int c = 0; c < 3; c++) {
                vec *cell = &cells[r * row + (3 * b + c) * column];
                *cell = vec_first_of(*cell & placed, *cell & allowed);
                if (!first) {
                    result->sum += *cell;
                    result->smallest = vec_min(result->smallest, *cell);
                }
            }
        }
    }
}

/* One pass over all six bands. `settled` is scratch. */
static inline sweep_result sweep_pass(vec cells[SUDOKU_CELLS], vec settled[SUDOKU_CELLS])
{
    sweep_result result = {vec_all(0), vec_all(SUDOKU_ALL), vec_all(SUDOKU_ALL)};
    for (int band = 0; band < 3; band++)
        sweep_band(cells + 27 * band, settled + 27 * band, 9, 1, true, &result);
    for (int stack = 0; stack < 3; stack++)
        sweep_band(cells + 3 * stack, settled + 3 * stack, 1, 9, false, &result);
    return result;
}

#endif
