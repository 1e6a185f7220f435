/* SPDX-License-Identifier: MIT */

/* Boards of 65 to 128 bits, such as 8x8 and 9x7. */

#define C4_WORD     u128
#define BOARD(name) c4_wide_##name
#include "games/connect4/board.tpl.h"
