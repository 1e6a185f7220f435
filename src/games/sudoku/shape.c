/* SPDX-License-Identifier: MIT */

#include "games/sudoku/shape.h"

#include <string.h>

static void add_cell(sudoku_shape *shape, unsigned house, unsigned place, unsigned cell)
{
    shape->house_cells[house][place] = (uint16_t)cell;
    cellset_add(&shape->house_set[house], cell);
    shape->houses_of[cell] |= (uint64_t)1 << house;
}

static unsigned add_house(sudoku_shape *shape, house_kind kind, unsigned number)
{
    shape->kind[shape->houses] = (uint8_t)kind;
    shape->number[shape->houses] = (uint8_t)number;
    return shape->houses++;
}

static void add_lines(sudoku_shape *shape)
{
    unsigned n = shape->size;
    for (unsigned row = 0; row < n; row++)
        add_house(shape, HOUSE_ROW, row + 1);
    for (unsigned column = 0; column < n; column++)
        add_house(shape, HOUSE_COLUMN, column + 1);
    for (unsigned box = 0; box < n; box++)
        add_house(shape, HOUSE_BOX, box + 1);
    unsigned filled[SHAPE_DIGITS] = {0};
    for (unsigned cell = 0; cell < shape->cells; cell++) {
        unsigned box = shape_box(shape, cell);
        add_cell(shape, cell / n, cell % n, cell);
        add_cell(shape, n + cell % n, cell / n, cell);
        add_cell(shape, 2 * n + box, filled[box]++, cell);
    }
}

static void add_diagonals(sudoku_shape *shape)
{
    unsigned n = shape->size;
    unsigned down = add_house(shape, HOUSE_DIAGONAL, 1), up = add_house(shape, HOUSE_DIAGONAL, 2);
    for (unsigned i = 0; i < n; i++) {
        add_cell(shape, down, i, i * n + i);
        add_cell(shape, up, i, (n - 1 - i) * n + i);
    }
}

/* The four windows of windoku: boxes of 3 x 3, one cell in from the corners. */
static void add_windows(sudoku_shape *shape)
{
    for (unsigned window = 0; window < 4; window++) {
        unsigned house = add_house(shape, HOUSE_WINDOW, window + 1);
        unsigned row = 1 + window / 2 * 4, column = 1 + window % 2 * 4;
        for (unsigned i = 0; i < 9; i++)
            add_cell(shape, house, i, (row + i / 3) * shape->size + column + i % 3);
    }
}

void sudoku_shape_init(sudoku_shape *shape, unsigned box_rows, unsigned box_columns, unsigned extras)
{
    memset(shape, 0, sizeof *shape);
    shape->size = box_rows * box_columns;
    shape->cells = shape->size * shape->size;
    shape->box_rows = box_rows;
    shape->box_columns = box_columns;
    shape->all = (uint16_t)((1u << shape->size) - 1);
    add_lines(shape);
    if ((extras & SHAPE_DIAGONALS) != 0)
        add_diagonals(shape);
    if ((extras & SHAPE_WINDOWS) != 0)
        add_windows(shape);
    for (unsigned cell = 0; cell < shape->cells; cell++) {
        for (uint64_t houses = shape->houses_of[cell]; houses != 0; houses &= houses - 1)
            shape->peers[cell] = cellset_or(shape->peers[cell], shape->house_set[__builtin_ctzll(houses)]);
        cellset_remove(&shape->peers[cell], cell);
    }
    shape->erased_at = (shape->cells + 1) / 2 * 2;
    shape->given_at = shape->erased_at + 2 * shape->cells;
    shape->position_size = (shape->given_at + (shape->cells + 7) / 8 + 15) / 16 * 16;
}

void shape_write_cell(const sudoku_shape *shape, unsigned cell, text *out)
{
    text_char(out, 'r');
    text_uint(out, shape_row(shape, cell) + 1);
    text_char(out, 'c');
    text_uint(out, shape_column(shape, cell) + 1);
}

void shape_write_house(const sudoku_shape *shape, unsigned house, text *out)
{
    static const char *const names[] = {"row ", "column ", "box ", "diagonal ", "window "};
    text_string(out, names[shape->kind[house]]);
    text_uint(out, shape->number[house]);
}
