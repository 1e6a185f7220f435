/* SPDX-License-Identifier: MIT */

/* What waves may want to know of a position: a capability. NULL: as if each member were. */

#ifndef HOLOS_GAME_HINTS_H
#define HOLOS_GAME_HINTS_H

#include "game/types.h"

typedef struct holos_hints {
    /* Positions with equal features may be expected to have equal values. NULL: no conjectures are made. */
    uint64_t (*features)(const holos_variant *v, const holos_position *p);
    /* What kind of position it is, in a word: what goals are matched with. NULL: there are no goals to match. */
    void (*signature)(const holos_variant *v, const holos_position *p, text *out);
} holos_hints;

#endif
