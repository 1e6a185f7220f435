/* SPDX-License-Identifier: MIT */

/* Boards of up to 64 bits, 7x6 among them. */

#define BOARD(name) c4_narrow_##name
#include "games/connect4/board.tpl.h"
