/* SPDX-License-Identifier: MIT */

/* What a position looks worth where nothing is proved: a capability, for those who look ahead and have to stop somewhere
 * (engine/thinker). NULL: all that is not over looks equal, but for what is banked. */

#ifndef HOLOS_GAME_EVALUATION_H
#define HOLOS_GAME_EVALUATION_H

#include "game/types.h"

typedef struct holos_evaluation {
    /* What p looks worth to the side to move, in hundredths of what players count in (in chess, a pawn); between -10,000 and
     * 10,000. The game is not over. Required. */
    int32_t (*looks)(const holos_variant *v, const holos_position *p);
    /* Whether a legal move changes so much at once that p is better judged after it: a capture. NULL: none does. */
    bool (*is_loud)(const holos_variant *v, const holos_position *p, holos_move move);
    /* Whether p cannot be judged before it is answered: a king in check. NULL: no position is. */
    bool (*is_tense)(const holos_variant *v, const holos_position *p);
} holos_evaluation;

#endif
