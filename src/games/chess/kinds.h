/* SPDX-License-Identifier: MIT */

/* Materials as kinds of positions: for what searches above the tables. */

#ifndef HOLOS_CHESS_KINDS_H
#define HOLOS_CHESS_KINDS_H

#include "game/kinds.h"

extern const holos_kinds chess_kinds;

/* In game.c, with the other ways back. */
uint32_t chess_predecessors_among(const holos_variant *v, const holos_position *p, const holos_kind *kinds,
                                  size_t count, holos_edges out);

#endif
