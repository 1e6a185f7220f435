/* SPDX-License-Identifier: MIT */

/* Chess pieces as shifts in a ring of integers. A square (r, c) has the phase row * r + column * c modulo m, with
 * the generators 67 and 7 modulo 640 unless said otherwise; a piece adds multiples of a few shifts to its phase; and
 * an inversion table tells which phases are squares. Phases that are none lie off the board: that is all the boundary
 * handling there is. docs/phase-operators.md has the theory. */

#ifndef HOLOS_CHESS_PHASE_OPERATORS_H
#define HOLOS_CHESS_PHASE_OPERATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PHASE_MODULUS      640u
#define PHASE_ROW          67u
#define PHASE_COLUMN       7u
#define PHASE_MODULUS_MOST 4096u
#define PHASE_OFF_BOARD    64 /* what the inversion says of a phase that is no square */

typedef struct phase_ring {
    unsigned modulus, row, column;
    uint8_t squares[PHASE_MODULUS_MOST]; /* by phase: 8 * r + c, or PHASE_OFF_BOARD */
} phase_ring;

/* The generators are below the modulus, which is 1 to PHASE_MODULUS_MOST. Of several squares with one phase the table
 * keeps the last. */
void phase_ring_init(phase_ring *ring, unsigned modulus, unsigned row, unsigned column);
unsigned phase_of(const phase_ring *ring, unsigned r, unsigned c);
/* Whether all squares have phases of their own. */
bool phase_ring_is_injective(const phase_ring *ring);

/* A phase with `steps` times (rows, columns) added. */
unsigned phase_shift(const phase_ring *ring, unsigned phase, int rows, int columns, int steps);

/* The pieces in the order of the experiment. */
typedef enum phase_piece {
    PHASE_KNIGHT,
    PHASE_BISHOP,
    PHASE_ROOK,
    PHASE_QUEEN,
    PHASE_KING,
    PHASE_PAWN_WHITE,
    PHASE_PAWN_BLACK,
    PHASE_PIECES
} phase_piece;

/* How a piece moves: its shifts as (rows, columns), each up to `reach` times. */
typedef struct phase_operator {
    const char *name; /* "N", …, "P_black" */
    int8_t shifts[8][2];
    unsigned count, reach;
} phase_operator;

extern const phase_operator phase_operators[PHASE_PIECES];

#define PHASE_TARGETS_MOST 56

/* The phases that a piece reaches on an empty board, on the board or not; a pawn advances two steps with `first`, and
 * takes only with `captures`. Returns how many; none is the origin. */
unsigned phase_apply(const phase_ring *ring, phase_piece piece, unsigned phase, bool first, bool captures,
                     uint16_t out[PHASE_TARGETS_MOST]);
/* The squares among phases, as a set of bits 8 * r + c. */
uint64_t phase_clip(const phase_ring *ring, const uint16_t *phases, unsigned count);

#endif
