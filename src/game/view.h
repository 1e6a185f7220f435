/* SPDX-License-Identifier: MIT */

/* How positions look: notations beside the usual one. */

#ifndef HOLOS_GAME_VIEW_H
#define HOLOS_GAME_VIEW_H

#include "game/types.h"

/* Another way to write positions that people use; what `parse` reads, too. */
typedef struct holos_notation {
    const char *name; /* "sdk". Required, as are the others. */
    const char *what; /* a few words */
    void (*write)(const holos_variant *v, const holos_position *p, text *out); /* whole lines */
} holos_notation;

#endif
