/* SPDX-License-Identifier: MIT */

#include "games/sudoku/sudoku.h"

void sudoku_candidates_of(const sudoku_shape *shape, const holos_position *p, uint16_t out[SHAPE_CELLS])
{
    uint16_t held[SHAPE_HOUSES] = {0};
    const uint8_t *cells = sudoku_cells(p);
    for (unsigned cell = 0; cell < shape->cells; cell++)
        for (uint64_t houses = cells[cell] != 0 ? shape->houses_of[cell] : 0; houses != 0;
             houses &= houses - 1)
            held[__builtin_ctzll(houses)] |= (uint16_t)(1u << (cells[cell] - 1));
    for (unsigned cell = 0; cell < shape->cells; cell++) {
        unsigned gone = sudoku_erased(shape, p)[cell];
        for (uint64_t houses = shape->houses_of[cell]; houses != 0; houses &= houses - 1)
            gone |= held[__builtin_ctzll(houses)];
        out[cell] = (uint16_t)(cells[cell] != 0 ? 0 : shape->all & ~gone);
    }
}

bool sudoku_has_erased(const sudoku_shape *shape, const holos_position *p)
{
    for (unsigned cell = 0; cell < shape->cells; cell++)
        if (sudoku_erased(shape, p)[cell] != 0)
            return true;
    return false;
}

void sudoku_write(const sudoku_shape *shape, holos_position *p, unsigned cell, unsigned digit)
{
    uint16_t *erased = sudoku_erased_mutable(shape, p);
    sudoku_cells_mutable(p)[cell] = (uint8_t)digit;
    erased[cell] = 0;
    CELLSET_EACH(peer, shape->peers[cell])
    erased[peer] = (uint16_t)(erased[peer] & ~(1u << (digit - 1)));
}

void sudoku_grid_from_position(const sudoku_shape *shape, const holos_position *p, sudoku_grid *out)
{
    const uint8_t *cells = sudoku_cells(p);
    const uint16_t *erased = sudoku_erased(shape, p);
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
        out->candidates[cell] =
            (uint16_t)(cells[cell] != 0 ? 1u << (cells[cell] - 1) : SUDOKU_ALL & ~(unsigned)erased[cell]);
}

void sudoku_fill(const sudoku_shape *shape, const holos_position *p, const uint8_t *solution,
                 holos_position *out)
{
    memmove(out, p, shape->position_size);
    memcpy(sudoku_cells_mutable(out), solution, shape->cells);
    memset(sudoku_erased_mutable(shape, out), 0, 2 * shape->cells);
}
