/* SPDX-License-Identifier: MIT */

/* Checks that a move can have given. */

#ifndef HOLOS_CHESS_CHECKS_H
#define HOLOS_CHESS_CHECKS_H

#include "games/chess/rules.h"

/* Why no move can have led to the checks that the side to move is in; NULL if one can. Only two checks at once are looked at
 * closely: one piece moved and uncovered the other, or a capture in passing uncovered one or both. */
const char *checks_fault(const chess_position *p);

#endif
