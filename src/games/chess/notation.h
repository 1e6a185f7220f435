/* SPDX-License-Identifier: MIT */

/* Moves as text. Written: SAN (Nbd7, exd6, O-O, e8=Q+), UCI (b8d7, e7e8q), lines as PGN movetext (12. Nf3 Nc6 13. d4).
 * Read: either, with or without the signs that say what follows anyway (x, -, =, +, #, !, ?). */

#ifndef HOLOS_CHESS_NOTATION_H
#define HOLOS_CHESS_NOTATION_H

#include "core/error.h"
#include "core/text.h"
#include "games/chess/rules.h"

void san_format(const chess_position *p, chess_move move, text *out);
void uci_format(chess_move move, text *out);

/* Reads the move that `length` bytes spell. HOLOS_BAD_MOVE, with the offset in them, if it is none, is not legal, or could
 * be one of several. */
holos_status move_parse(const chess_position *p, const char *string, size_t length, chess_move *out,
                        holos_error *err);

/* A line from `p` with the numbers of the moves, beginning "5. " or "5... ". */
void pgn_format(const chess_position *p, const chess_move *moves, size_t count, text *out);

/* Who hears of the moves of a line: the position before, and the move. NULL: nobody. */
typedef void pgn_listener(void *context, const chess_position *before, chess_move move);

/* Reads movetext from *s to its end or to a result, and plays it on *p. Numbers, comments ({…} and ;…), annotations
 * ($5, !?), variations in brackets and the result are passed over. Errors are HOLOS_BAD_POSITION, with the offset from
 * `string`: a line is part of a position. */
holos_status pgn_read(const char *string, const char **s, chess_position *p, pgn_listener *listener,
                      void *context, holos_error *err);

/* A position as people give it: a FEN, or nothing, for the start, or a PGN's tags (only FEN counts); then moves. */
holos_status position_read(const char *string, chess_position *out, pgn_listener *listener, void *context,
                           holos_error *err);

#endif
