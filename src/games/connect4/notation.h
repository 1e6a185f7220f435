/* SPDX-License-Identifier: MIT */

/* Inside connect four: how positions and moves are written.
 *
 * A position is the columns played from the start, `4453`. A position that no order of play leads to (the
 * way back from a known position may end in one) is written as its rows instead, the highest first, with
 * x for the first player and o for the second: `......./...o.../...x...`. Both are read. */

#ifndef HOLOS_CONNECT4_NOTATION_H
#define HOLOS_CONNECT4_NOTATION_H

#include "game/game.h"

holos_status c4_parse(const holos_variant *v, const char *string, holos_position *out, holos_error *err);
void c4_format(const holos_variant *v, const holos_position *p, text *out);
holos_status c4_parse_move(const holos_variant *v, const holos_position *p, const char *string,
                           holos_move *out, holos_error *err);
void c4_format_move(const holos_variant *v, const holos_position *p, holos_move move, text *out);
void c4_draw(const holos_variant *v, const holos_position *p, text *out);
void c4_picture(const holos_variant *v, const holos_position *p, const holos_step *step, text *out);
extern const holos_view c4_view;

#endif
