/* SPDX-License-Identifier: MIT */

/* Games of a network against itself, several at once by one thread, so that a batch is full; and games between two of them. */

#ifndef HOLOS_ZENO_SELFPLAY_H
#define HOLOS_ZENO_SELFPLAY_H

#include "engine/zeno/zeno.h"

#define SELFPLAY_GAMES 16                /* at once */
#define SELFPLAY_CACHE ((size_t)8 << 20) /* of what the network said during these */

/* What there is to learn from a position. */
typedef struct zeno_sample {
    float value;    /* of the game's outcome for the side to move: 1, 0 or -1 */
    uint32_t count; /* of moves with a share */
    const holos_position *position;
    const uint32_t *moves; /* their numbers */
    const float *shares;
} zeno_sample;

typedef struct selfplay {
    const holos_variant *v;
    zeno_options options; /* of the searches; leaves are 1 */
    uint64_t seed;
    uint32_t warm; /* plies with temperature 1 and noise */
    float alpha, epsilon;
    uint32_t opening; /* a game begins with up to so many random moves */
    /* Playout caps: with `quick` simulations but for one search in `full_one_in`, which has the budget, noise, and is learned from.
     * quick 0: every search is such. */
    uint32_t quick, full_one_in;
    const holos_stop *stop;
} selfplay;

/* What came of some games. */
typedef struct selfplay_result {
    uint64_t games, plies, simulations, evaluations;
    uint64_t first_wins, draws, second_wins;
    bool stopped;
} selfplay_result;

/* Plays games first … first + count - 1, at most SELFPLAY_GAMES, which depend on nothing but the seed, their number and the network. Calls
 * `take` with all samples of the games, in their order, when all are over. */
holos_status selfplay_run(const selfplay *s, const net_model *model, uint64_t first, uint32_t count,
                          void (*take)(void *context, const zeno_sample *sample), void *context,
                          selfplay_result *out, holos_error *err);

/* ---- Between two (duel.c) ---------------------------------------------------------------------- */

/* What a side of a duel did. */
typedef struct duel_side {
    uint64_t moves, tactical, early, searched, simulations;
    double lambda, entropy; /* sums over searched moves */
} duel_side;

/* One game from an opening of `plies` random moves, which depend on `seed` and `number` alone; a[0] moves first after it, and has side 0 of
 * the opening. *score: 1, 0 or -1 for players[0]. `log`: NULL, or a line for every move of players[0]. HOLOS_INTERRUPTED: it was broken off. */
holos_status duel_play(const holos_variant *v, zeno_thinker *players[2], uint32_t plies, uint64_t seed,
                       uint64_t number, bool swapped, zeno_until until, duel_side sides[2], text *log,
                       int *score, holos_error *err);

#endif
