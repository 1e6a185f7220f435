/* SPDX-License-Identifier: MIT */

/* Compiled for processors whose pext is fast: see meson.build. */

#define CHESS_PEXT
#include "games/chess/perft.h"

#define PERFT chess_perft_pext
#include "games/chess/perft.tpl.h"
