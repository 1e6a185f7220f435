/* SPDX-License-Identifier: MIT */

/* What makes a search fast: a capability. NULL: as if each member were. */

#ifndef HOLOS_GAME_SEARCH_H
#define HOLOS_GAME_SEARCH_H

#include "game/types.h"

typedef struct holos_search {
    /* Like holos_game.expand, but may leave out moves that cannot change the value of the position, such as all cells of a
     * puzzle but one. At least one edge remains. NULL: all moves are searched. */
    uint32_t (*expand)(const holos_variant *v, const holos_position *p, holos_edges out);
    /* Bounds of the value that need no search; *lo and *hi come in as the known bounds and may only be narrowed. NULL: the
     * range of scores. */
    void (*bounds)(const holos_variant *v, const holos_position *p, int32_t *lo, int32_t *hi);
    /* Where the score says how long the game will last: plies to the end under best play. NULL: it does not, and who wants
     * to know searches for it. */
    uint16_t (*distance)(const holos_variant *v, const holos_position *p, int32_t score);
} holos_search;

#endif
