/* SPDX-License-Identifier: MIT */

/* Perft: how many lines of so many plies there are. The measure of a move generator, right and fast. */

#ifndef HOLOS_CHESS_PERFT_H
#define HOLOS_CHESS_PERFT_H

#include "games/chess/rules.h"

/* The version that is fastest on this processor. */
uint64_t chess_perft(const chess_position *p, unsigned depth);

/* The versions that it chooses from. */
uint64_t chess_perft_portable(const chess_position *p, unsigned depth);
#ifdef __x86_64__
uint64_t chess_perft_pext(const chess_position *p, unsigned depth);
#endif

#endif
