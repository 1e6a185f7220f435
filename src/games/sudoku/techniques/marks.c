/* SPDX-License-Identifier: MIT */

#include "games/sudoku/techniques/marks.h"

#include <string.h>

static void note_placed(const sudoku_shape *shape, sudoku_marks *m, unsigned cell, unsigned digit)
{
    for (uint64_t houses = shape->houses_of[cell]; houses != 0; houses &= houses - 1)
        m->placed[__builtin_ctzll(houses)] |= (uint16_t)(1u << digit);
}

void marks_begin(const sudoku_shape *shape, const uint8_t *cells, const uint16_t *erased, sudoku_marks *out)
{
    memset(out, 0, sizeof *out);
    for (unsigned cell = 0; cell < shape->cells; cell++) {
        out->values[cell] = cells[cell];
        if (cells[cell] != 0)
            continue;
        cellset_add(&out->empty, cell);
        out->candidates[cell] = (uint16_t)(shape->all & ~erased[cell]);
        for (unsigned candidates = out->candidates[cell]; candidates != 0; candidates &= candidates - 1)
            cellset_add(&out->places[__builtin_ctz(candidates)], cell);
    }
    for (unsigned cell = 0; cell < shape->cells; cell++)
        if (cells[cell] != 0) {
            note_placed(shape, out, cell, cells[cell] - 1u);
            CELLSET_EACH(peer, cellset_and(shape->peers[cell], out->places[cells[cell] - 1]))
            marks_drop(out, peer, cells[cell] - 1u);
        }
}

void marks_place(const sudoku_shape *shape, sudoku_marks *m, unsigned cell, unsigned digit)
{
    for (unsigned candidates = m->candidates[cell]; candidates != 0; candidates &= candidates - 1)
        cellset_remove(&m->places[__builtin_ctz(candidates)], cell);
    m->candidates[cell] = 0;
    m->values[cell] = (uint8_t)(digit + 1);
    cellset_remove(&m->empty, cell);
    note_placed(shape, m, cell, digit);
    CELLSET_EACH(peer, cellset_and(shape->peers[cell], m->places[digit]))
    marks_drop(m, peer, digit);
}
