/* SPDX-License-Identifier: MIT */

/* Layer 1: the game of tactics over any other game. A position is a place to set out from, a depth, a mode and a direction; moves
 * raise them, the way back lowers them, and the last move takes the tactic as it is. That ends the game with its efficiency, measured
 * once and kept. A wave finds the best; so the engine that searches positions of games searches its own settings, too. */

#ifndef HOLOS_META_TACTICS_H
#define HOLOS_META_TACTICS_H

#include "meta/cover.h"

#define TACTICS_SCALE 100 /* a score is an efficiency in hundredths */

typedef struct tactics {
    holos_variant game; /* what waves search */
    cover_task task;    /* the place, the limits */
    struct {
        holos_measure measure;
        bool done;
    } cache[HOLOS_TACTIC_DEPTH][4][3];
    unsigned measured;
    holos_status status; /* of measurements: the first failure */
    holos_error error;
} tactics;

void tactics_init(tactics *t, const cover_task *place);
/* The measure of a tactic, from the cache if it is there. */
holos_status tactics_measure(tactics *t, holos_tactic *tactic, holos_error *err);
/* The best tactic, by a wave. */
holos_status tactics_best(tactics *t, holos_tactic *out, holos_error *err);

#endif
