/* SPDX-License-Identifier: MIT */

/* The shape of a sudoku: how many digits it has, and which houses hold each of them once. Everything but the
 * fast solver for the usual 9 x 9 goes by this, so that other sizes and constraints need no code of their own.
 * Sets of digits are masks: bit d - 1 stands for digit d. */

#ifndef HOLOS_SUDOKU_SHAPE_H
#define HOLOS_SUDOKU_SHAPE_H

#include "core/text.h"
#include "games/sudoku/cellset.h"

#include <stddef.h>

#define SHAPE_DIGITS 16
#define SHAPE_CELLS  256
#define SHAPE_HOUSES 56 /* 16 rows, columns and boxes, and room for what variants add */

typedef enum house_kind { HOUSE_ROW, HOUSE_COLUMN, HOUSE_BOX, HOUSE_DIAGONAL, HOUSE_WINDOW } house_kind;

typedef struct sudoku_shape {
    unsigned size; /* digits, rows, columns, cells of a house */
    unsigned cells;
    unsigned box_rows, box_columns; /* of cells in a box */
    unsigned houses;                /* rows, columns, boxes, then what the variant adds */
    uint16_t all;                   /* the set of all digits */
    uint8_t kind[SHAPE_HOUSES];     /* a house_kind */
    uint8_t number[SHAPE_HOUSES];   /* "row 3": from 1 */
    uint16_t house_cells[SHAPE_HOUSES][SHAPE_DIGITS];
    cellset house_set[SHAPE_HOUSES];
    uint64_t houses_of[SHAPE_CELLS]; /* a bit for each house that a cell is in */
    cellset peers[SHAPE_CELLS];      /* the other cells of those houses */
    /* Where a position keeps its parts: the cells come first. */
    size_t erased_at, given_at, position_size;
} sudoku_shape;

enum { SHAPE_DIAGONALS = 1, SHAPE_WINDOWS = 2 };

/* A board of boxes with so many rows and columns of cells; windows need boxes of 3 x 3. */
void sudoku_shape_init(sudoku_shape *shape, unsigned box_rows, unsigned box_columns, unsigned extras);

/* Whether it has rows, columns and boxes only. */
static inline bool shape_is_plain(const sudoku_shape *shape)
{
    return shape->houses == 3 * shape->size;
}

static inline unsigned shape_row(const sudoku_shape *shape, unsigned cell)
{
    return cell / shape->size;
}

static inline unsigned shape_column(const sudoku_shape *shape, unsigned cell)
{
    return cell % shape->size;
}

static inline unsigned shape_box(const sudoku_shape *shape, unsigned cell)
{
    unsigned across = shape->size / shape->box_columns;
    return cell / shape->size / shape->box_rows * across + cell % shape->size / shape->box_columns;
}

static inline bool shape_sees(const sudoku_shape *shape, unsigned a, unsigned b)
{
    return cellset_has(&shape->peers[a], b);
}

/* "r3c7", "row 3", and the digit as it is written: 1 to 9, then A to G. */
void shape_write_cell(const sudoku_shape *shape, unsigned cell, text *out);
void shape_write_house(const sudoku_shape *shape, unsigned house, text *out);

static inline char shape_digit(unsigned digit)
{
    return ".123456789ABCDEFG"[digit];
}

#endif
