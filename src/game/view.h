/* SPDX-License-Identifier: MIT */

/* How positions look: notations beside the usual one, and scenes for programs that draw boards themselves. */

#ifndef HOLOS_GAME_VIEW_H
#define HOLOS_GAME_VIEW_H

#include "game/types.h"

struct json;

/* Another way to write positions that people use; what `parse` reads, too. */
typedef struct holos_notation {
    const char *name; /* "sdk". Required, as are the others. */
    const char *what; /* a few words */
    void (*write)(const holos_variant *v, const holos_position *p, text *out); /* whole lines */
} holos_notation;

#define HOLOS_VIEW_CELLS 2

/* A scene: what stands where. The cells of a board are numbered from 0, row by row, as people see them. NULL: there are
 * no scenes, and a program shows the board of text. docs/http.md describes the members. */
typedef struct holos_view {
    /* Writes members of an object: rows, columns, cells, and what is special about the game. Required. */
    void (*board)(const holos_variant *v, const holos_position *p, struct json *out);
    /* The cells that a move is about, where it ends last; returns how many, 0 if it is about none (a pass).
     * NULL: moves are not listed, as in puzzles, where `board` tells the candidates. */
    unsigned (*cells)(const holos_variant *v, const holos_position *p, holos_move move,
                      uint16_t out[HOLOS_VIEW_CELLS]);
} holos_view;

#endif
