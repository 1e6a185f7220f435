/* SPDX-License-Identifier: MIT */

/* What the files of the game share: how it looks. */

#ifndef HOLOS_CHESS_CHESS_H
#define HOLOS_CHESS_CHESS_H

#include "game/game.h"
#include "games/chess/rules.h"

static inline const chess_position *chess_of(const holos_position *p)
{
    return (const chess_position *)p;
}

/* A board of text, and a whole SVG document. */
void chess_draw(const holos_variant *v, const holos_position *p, text *out);
void chess_picture(const holos_variant *v, const holos_position *p, const holos_step *step, text *out);
/* view.c */
extern const holos_view chess_view;

#endif
