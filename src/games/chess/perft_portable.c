/* SPDX-License-Identifier: MIT */

#include "games/chess/perft.h"

#define PERFT chess_perft_portable
#include "games/chess/perft.tpl.h"
