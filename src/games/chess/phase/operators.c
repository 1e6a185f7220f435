/* SPDX-License-Identifier: MIT */

#include "games/chess/phase/operators.h"

#include <string.h>

const phase_operator phase_operators[PHASE_PIECES] = {
    [PHASE_KNIGHT] = {"N", {{2, 1}, {2, -1}, {1, 2}, {1, -2}, {-2, -1}, {-2, 1}, {-1, -2}, {-1, 2}}, 8, 1},
    [PHASE_BISHOP] = {"B", {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}, 4, 7},
    [PHASE_ROOK] = {"R", {{1, 0}, {0, 1}, {-1, 0}, {0, -1}}, 4, 7},
    [PHASE_QUEEN] = {"Q", {{1, 0}, {0, 1}, {1, 1}, {1, -1}, {-1, 0}, {0, -1}, {-1, -1}, {-1, 1}}, 8, 7},
    [PHASE_KING] = {"K", {{1, 0}, {0, 1}, {1, 1}, {1, -1}, {-1, 0}, {0, -1}, {-1, -1}, {-1, 1}}, 8, 1},
    [PHASE_PAWN_WHITE] = {"P_white", {{1, 0}, {1, 1}, {1, -1}}, 1, 1},
    [PHASE_PAWN_BLACK] = {"P_black", {{-1, 0}, {-1, -1}, {-1, 1}}, 1, 1},
};

unsigned phase_of(const phase_ring *ring, unsigned r, unsigned c)
{
    return (ring->row * r + ring->column * c) % ring->modulus;
}

void phase_ring_init(phase_ring *ring, unsigned modulus, unsigned row, unsigned column)
{
    ring->modulus = modulus;
    ring->row = row;
    ring->column = column;
    memset(ring->squares, PHASE_OFF_BOARD, sizeof ring->squares);
    for (unsigned r = 0; r < 8; r++)
        for (unsigned c = 0; c < 8; c++)
            ring->squares[phase_of(ring, r, c)] = (uint8_t)(8 * r + c);
}

bool phase_ring_is_injective(const phase_ring *ring)
{
    unsigned phases = 0;
    for (unsigned phase = 0; phase < ring->modulus; phase++)
        phases += ring->squares[phase] != PHASE_OFF_BOARD;
    return phases == 64;
}

unsigned phase_shift(const phase_ring *ring, unsigned phase, int rows, int columns, int steps)
{
    int modulus = (int)ring->modulus;
    int shift = steps * (rows * (int)ring->row + columns * (int)ring->column) % modulus;
    return (unsigned)((int)phase + shift + modulus) % ring->modulus;
}

unsigned phase_apply(const phase_ring *ring, phase_piece piece, unsigned phase, bool first, bool captures,
                     uint16_t out[PHASE_TARGETS_MOST])
{
    const phase_operator *op = &phase_operators[piece];
    bool pawn = piece == PHASE_PAWN_WHITE || piece == PHASE_PAWN_BLACK;
    unsigned count = 0;
    for (unsigned i = 0; i < op->count; i++)
        for (unsigned k = 1; k <= op->reach + (pawn && first); k++)
            out[count++] = (uint16_t)phase_shift(ring, phase, op->shifts[i][0], op->shifts[i][1], (int)k);
    for (unsigned i = 1; pawn && captures && i < 3; i++)
        out[count++] = (uint16_t)phase_shift(ring, phase, op->shifts[i][0], op->shifts[i][1], 1);
    return count;
}

uint64_t phase_clip(const phase_ring *ring, const uint16_t *phases, unsigned count)
{
    uint64_t set = 0;
    for (unsigned i = 0; i < count; i++)
        if (ring->squares[phases[i]] != PHASE_OFF_BOARD)
            set |= UINT64_C(1) << ring->squares[phases[i]];
    return set;
}
