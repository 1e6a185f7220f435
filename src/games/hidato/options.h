/* SPDX-License-Identifier: MIT */

/* The options that hidato reads itself. */

#ifndef HOLOS_HIDATO_OPTIONS_H
#define HOLOS_HIDATO_OPTIONS_H

#include "game/game.h"

typedef struct hidato_solve_settings {
    unsigned mode; /* an index into hidato_modes */
    int64_t depth; /* guesses on top of each other; 0: the mode's own limit */
    bool telemetry;
} hidato_solve_settings;

typedef struct hidato_board_settings {
    const char *size;  /* "12x8": columns and rows; NULL: the usual one */
    unsigned shape;    /* an index into hidato_shapes */
    unsigned symmetry; /* an index into hidato_symmetries */
    int64_t holes;     /* percent of the cells that are left out */
} hidato_board_settings;

extern const holos_game_options hidato_options[];

#endif
