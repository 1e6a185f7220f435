/* SPDX-License-Identifier: MIT */

/* What a position looks worth, by rules of thumb: material, where pieces stand, pawns that have got through, how safe the kings are. */

#ifndef HOLOS_CHESS_EVALUATION_H
#define HOLOS_CHESS_EVALUATION_H

#include "games/chess/chess.h"

extern const holos_evaluation chess_evaluation;

#endif
