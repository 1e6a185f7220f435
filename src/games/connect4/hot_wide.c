/* SPDX-License-Identifier: MIT */

/* The search on boards of 65 to 128 bits. */

#include "core/wide.h"

#define C4_WORD         u128
#define SEARCH(name)    c4_##name##_wide
#define SEARCH_SHAPE(s) (&(s)->shape)
#define SEARCH_WIDTH    C4_MAX_SIDE
#define SEARCH_ORDER    NULL
#include "games/connect4/hot.tpl.h"
