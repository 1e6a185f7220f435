/* SPDX-License-Identifier: MIT */

/* The search on boards of up to 64 bits. */

#define SEARCH(name)    c4_##name##_narrow
#define SEARCH_SHAPE(s) (&(s)->shape)
#define SEARCH_WIDTH    C4_MAX_SIDE
#define SEARCH_ORDER    NULL
#include "games/connect4/hot.tpl.h"
