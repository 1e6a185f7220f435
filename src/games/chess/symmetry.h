/* SPDX-License-Identifier: MIT */

/* Positions that are alike. White and black can always change places, the board upside down. The board can be mirrored
 * where nobody may castle, and turned in all eight ways where there are no pawns either. */

#ifndef HOLOS_CHESS_SYMMETRY_H
#define HOLOS_CHESS_SYMMETRY_H

#include "games/chess/rules.h"

#define CHESS_IMAGES_MOST 16

/* Writes all images, the position itself first; returns their number. */
unsigned position_images(const chess_position *p, chess_position *out);
/* The one of them that stands for all: white is to move. Clocks stay as they are. */
chess_position position_canonical(const chess_position *p);
/* White for black and upside down. */
chess_position position_swap(const chess_position *p);

#endif
