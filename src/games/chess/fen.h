/* SPDX-License-Identifier: MIT */

/* Positions as text: FEN, with every rule checked that can be checked of a single position. What is accepted is safe for
 * everything in rules.h, and could be reached by pieces that move as they do, as far as a look at it tells. */

#ifndef HOLOS_CHESS_FEN_H
#define HOLOS_CHESS_FEN_H

#include "core/error.h"
#include "core/text.h"
#include "games/chess/rules.h"

#define CHESS_START_FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

/* Reads a FEN at *s, and moves *s behind it. The clocks, both of them, may be left out ("… w - -"). An en passant square
 * where no pawn can legally take becomes none. Errors are HOLOS_BAD_POSITION, with the byte offset from `string`. */
holos_status fen_read(const char *string, const char **s, chess_position *out, holos_error *err);
/* The same for a whole string. */
holos_status fen_parse(const char *string, chess_position *out, holos_error *err);
void fen_format(const chess_position *p, text *out);

/* "PNBRQK" and "pnbrqk", by piece code; '.' for none. */
char fen_piece_char(unsigned piece);
unsigned fen_piece_code(char c); /* 0 if it is none */

/* Whether a position can be played from at all: one king each, no pawns on the first and last ranks, the side that
 * moved not in check, castling rights that fit, a check that a move can have given. The reason otherwise. */
const char *position_fault(const chess_position *p);

#endif
