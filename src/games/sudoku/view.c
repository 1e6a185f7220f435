/* SPDX-License-Identifier: MIT */

#include "core/json.h"
#include "games/sudoku/sudoku.h"

static void put_cells(const sudoku_shape *shape, const holos_position *p, json *out)
{
    json_open(out, "cells", '[');
    for (unsigned cell = 0; cell < shape->cells; cell++) {
        unsigned digit = sudoku_cells(p)[cell];
        json_put_string(out, NULL, digit != 0 ? (const char[]){shape_digit(digit), 0} : "");
    }
    json_close(out);
    json_open(out, "given", '[');
    for (unsigned cell = 0; cell < shape->cells; cell++)
        if (sudoku_is_given(shape, p, cell))
            json_put_uint(out, NULL, cell);
    json_close(out);
}

/* The digits that each cell can still hold, in one string. */
static void put_candidates(const sudoku_shape *shape, const holos_position *p, json *out)
{
    uint16_t candidates[SHAPE_CELLS];
    sudoku_candidates_of(shape, p, candidates);
    json_open(out, "candidates", '[');
    for (unsigned cell = 0; cell < shape->cells; cell++) {
        char digits[SHAPE_DIGITS + 1];
        unsigned count = 0;
        for (unsigned rest = candidates[cell]; rest != 0; rest &= rest - 1)
            digits[count++] = shape_digit((unsigned)__builtin_ctz(rest) + 1);
        digits[count] = 0;
        json_put_string(out, NULL, digits);
    }
    json_close(out);
}

/* Houses beside rows, columns and boxes: diagonals, windows. */
static void put_extras(const sudoku_shape *shape, json *out)
{
    json_open(out, "houses", '[');
    for (unsigned house = 3 * shape->size; house < shape->houses; house++) {
        json_open(out, NULL, '[');
        for (unsigned i = 0; i < shape->size; i++)
            json_put_uint(out, NULL, shape->house_cells[house][i]);
        json_close(out);
    }
    json_close(out);
}

static void scene_board(const holos_variant *v, const holos_position *p, json *out)
{
    const sudoku_shape *shape = sudoku_shape_of(v);
    json_put_uint(out, "rows", shape->size);
    json_put_uint(out, "columns", shape->size);
    json_open(out, "box", '[');
    json_put_uint(out, NULL, shape->box_rows);
    json_put_uint(out, NULL, shape->box_columns);
    json_close(out);
    put_cells(shape, p, out);
    put_candidates(shape, p, out);
    put_extras(shape, out);
}

const holos_view sudoku_scenes = {.board = scene_board};
