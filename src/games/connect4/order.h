/* SPDX-License-Identifier: MIT */

/* Inside connect four: an order of play that leads to a board. A position holds stones, not moves (equal
 * positions are equal bytes), so to write it as moves one order has to be found. */

#ifndef HOLOS_CONNECT4_ORDER_H
#define HOLOS_CONNECT4_ORDER_H

#define C4_WORD u128
#include "games/connect4/rules.h"
_Static_assert(sizeof(c4_word) == sizeof(u128), "include this before a header that takes narrow words");

/* Writes the columns of one order to `columns` (room for one a stone) and returns true; false if there is
 * none, or none was found within a fixed amount of work. The same board always gets the same order. */
bool c4_find_order(const c4_shape *shape, c4_board board, unsigned char *columns);

#endif
