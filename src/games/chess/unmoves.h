/* SPDX-License-Identifier: MIT */

/* The way back: all positions from which a legal move leads to this one, with that move. They are complete for positions
 * as FEN tells them apart (castling rights and en passant among them), and each is one that fen_parse accepts: Q is a
 * successor of P exactly if P is among the predecessors of Q. Clocks are not traced back: they are 0, and the number 1.
 *
 * Unmoves change the material: a piece comes back, a piece is a pawn again. A filter by the predecessor's material
 * leaves out those that are not wanted before they are made. */

#ifndef HOLOS_CHESS_UNMOVES_H
#define HOLOS_CHESS_UNMOVES_H

#include "games/chess/material.h"
#include "games/chess/rules.h"
#include "games/chess/tables/material.h"

/* No position has more. A side has at most 218 moves, so not many more ways back to an empty square; each with nothing
 * or one of five kinds brought back, and before each at most five pawns might have been taken in passing; kings and rooks
 * that come home may have had rights. */
#define CHESS_UNMOVES_MOST 16384

/* Who hears of each predecessor. */
typedef void unmove_listener(void *context, const chess_position *before, chess_move move);

/* Calls `listener` for each. `wanted`: only predecessors with this material; NULL: all. Returns their number. */
unsigned position_unmoves(const chess_position *p, const chess_material *wanted, unmove_listener *listener,
                          void *context);
/* The same with several materials, canonical and in ascending order; the predecessor may have either colour's pieces. */
unsigned position_unmoves_among(const chess_position *p, const tb_key *wanted, size_t count,
                                unmove_listener *listener, void *context);

#endif
