/* SPDX-License-Identifier: MIT */

/* What is known of a grid while it is solved by deductions: the pencil marks. */

#ifndef HOLOS_SUDOKU_MARKS_H
#define HOLOS_SUDOKU_MARKS_H

#include "games/sudoku/shape.h"

typedef struct sudoku_marks {
    cellset places[SHAPE_DIGITS];     /* of each digit (from 0): the empty cells that may hold it */
    uint16_t candidates[SHAPE_CELLS]; /* of each empty cell; 0 for the others */
    uint8_t values[SHAPE_CELLS];      /* what a cell holds, from 1; 0 for an empty one */
    cellset empty;
    uint16_t placed[SHAPE_HOUSES]; /* the digits that each house holds */
} sudoku_marks;

/* All candidates that the filled cells leave, without those that are erased. */
void marks_begin(const sudoku_shape *shape, const uint8_t *cells, const uint16_t *erased, sudoku_marks *out);

/* Digits count from 0 here. Dropping what is not there does nothing. */
static inline void marks_drop(sudoku_marks *m, unsigned cell, unsigned digit)
{
    m->candidates[cell] = (uint16_t)(m->candidates[cell] & ~(1u << digit));
    cellset_remove(&m->places[digit], cell);
}

/* Writes a digit into an empty cell. */
void marks_place(const sudoku_shape *shape, sudoku_marks *m, unsigned cell, unsigned digit);

static inline bool marks_may(const sudoku_marks *m, unsigned cell, unsigned digit)
{
    return (m->candidates[cell] >> digit & 1) != 0;
}

#endif
