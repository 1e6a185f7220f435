/* SPDX-License-Identifier: MIT */

/* The search on the usual board, 7x6. Built twice on x86-64: see meson.build. */

#include "games/connect4/rules.h"

#ifndef C4_HOT_NAME
#define C4_HOT_NAME(name) c4_##name##_7x6
#endif

static const c4_shape shape_7x6 = {.size = {7, 6}, .bottom = 0x40810204081, .cells = 0xfdfbf7efdfbf};

/* What a cell is worth to the order of moves: found by hill climbing on the number of nodes of a mixed set
 * (weak and exact, begin and middle): 13 % fewer than with the centre alone. */
/* clang-format off */
static const int8_t order_7x6[2 * 6 * 4] = {
    /* the first player, from the lowest row; the centre column first */
    32, 16, 3, -17,
    18, 24, 8, -7,
    25, 19, 17, 3,
    18, 8, 17, 7,
    18, 11, 7, 0,
    28, 23, 20, 12,
    /* the second player, from the lowest row; the centre column first */
    30, 18, 4, -13,
    32, 19, -1, -3,
    33, 16, 8, 0,
    30, 16, 6, 0,
    30, 16, 8, 4,
    18, 15, 12, -12,
};
/* clang-format on */

#define SEARCH(name)    C4_HOT_NAME(name)
#define SEARCH_SHAPE(s) ((void)(s), &shape_7x6)
#define SEARCH_WIDTH    7
#define SEARCH_ORDER    order_7x6
#define MEMO_COMPACT
#include "games/connect4/hot.tpl.h"
