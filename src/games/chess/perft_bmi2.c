/* SPDX-License-Identifier: MIT */

/* Compiled for processors with popcnt and bit manipulation: see meson.build. */

#include "games/chess/perft.h"

#define PERFT chess_perft_bmi2
#include "games/chess/perft.tpl.h"
