/* SPDX-License-Identifier: MIT */

/* A move for a game without an evaluation: so many plies ahead, games that end count for what they are worth, all others for nothing.
 * Equal moves are chosen at random. */

#ifndef HOLOS_PLAYER_AHEAD_H
#define HOLOS_PLAYER_AHEAD_H

#include "core/rng.h"

#include <holos/game.h>

/* The game is not over; depth at least 1. False: no memory. */
bool ahead_move(const holos_variant *v, const holos_position *p, unsigned depth, rng *r, holos_move *out);

#endif
