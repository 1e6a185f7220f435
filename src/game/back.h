/* SPDX-License-Identifier: MIT */

/* The way back: a capability. NULL: no waves run back, and no game that can repeat positions is solved by retrograde
 * analysis. */

#ifndef HOLOS_GAME_BACK_H
#define HOLOS_GAME_BACK_H

#include "game/types.h"

typedef struct holos_back {
    /* All positions with an edge to this one, each with that edge (as seen from the predecessor).
     * A predecessor is legal but need not be reachable from the start. Returns their number.
     * Required. */
    uint32_t (*predecessors)(const holos_variant *v, const holos_position *p, holos_edges out);
    /* Boundary positions from which a wave back may reach `p`: writes at most `most` positions whose value
     * `terminal` gives, and returns how many. NULL: waves look for some by playing at random. */
    uint32_t (*seeds)(const holos_variant *v, const holos_position *p, uint64_t seed, uint32_t most,
                      holos_position *out);
} holos_back;

#endif
