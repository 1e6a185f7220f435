/* SPDX-License-Identifier: MIT */

/* All legal moves by phase arithmetic alone: a board that is indexed by phases, on which pieces walk by adding their
 * shifts modulo 640 until they meet something or leave the image of the board. There are no ranks and files: a pawn
 * is on its first square if two steps back lead off the board, and becomes a piece if one more step would.
 *
 * It is there to be compared with the bitboards, with which it shares no line. */

#ifndef HOLOS_CHESS_PHASE_GENERATOR_H
#define HOLOS_CHESS_PHASE_GENERATOR_H

#include "games/chess/rules.h"

typedef struct phase_board {
    uint8_t at[640];   /* by phase: a piece code, 0 for an empty square, PHASE_WALL off the board */
    uint16_t kings[2]; /* their phases */
    uint16_t passed;   /* where a pawn can be taken in passing, or 640 */
    uint8_t side, castling;
} phase_board;

#define PHASE_WALL 15

void phase_board_load(phase_board *b, const chess_position *p);
/* Writes all legal moves as those of rules.h, in an order of its own; `out` has room for CHESS_MOVES_MOST. */
unsigned phase_moves(phase_board *b, chess_move *out);
uint64_t phase_perft(phase_board *b, unsigned depth);

#endif
