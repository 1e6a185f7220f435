/* SPDX-License-Identifier: MIT */

/* A move for a position that is too hard to solve in time: random games decide (a bandit over the
 * moves), and moves that lose at once are left out. A guess, and to be called one. */

#ifndef HOLOS_PLAYER_GUESS_H
#define HOLOS_PLAYER_GUESS_H

#include "core/rng.h"

#include <holos/holos.h>

/* For a game of two players that is not over. Positions of random games are the nodes that limits count; when one is reached, the
 * move that looks best so far is the guess. False: no memory. */
bool guess_move(const holos_variant *v, const holos_position *position, const holos_limits *limits, rng *r,
                holos_move *out);

#endif
