/* SPDX-License-Identifier: MIT */

#ifndef HOLOS_CHESS_SEEDS_H
#define HOLOS_CHESS_SEEDS_H

#include "games/chess/material.h"

/* Mates with this material, of either side: writes at most `most`, returns how many were found, none if it is too hard
 * to find any. The same seed finds the same. */
unsigned chess_find_mates(const chess_material *m, uint64_t seed, unsigned most, chess_position *out);

#endif
