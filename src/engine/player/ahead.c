/* SPDX-License-Identifier: MIT */

#include "engine/player/ahead.h"

#include "game/game.h"

#include <stdlib.h>

typedef struct ahead {
    const holos_variant *v;
    bool failed;
} ahead;

/* Fail-soft between alpha and beta. */
static int32_t look(ahead *a, const holos_position *p, int32_t alpha, int32_t beta, unsigned depth)
{
    const holos_variant *v = a->v;
    int32_t score, best = INT32_MIN;
    if (v->game->terminal(v, p, &score))
        return score;
    if (depth == 0 || a->failed)
        return 0;
    holos_edges next = {.edges = malloc(v->max_successors * sizeof *next.edges),
                        .positions = aligned_alloc(16, v->max_successors * v->position_size)};
    a->failed = next.edges == NULL || next.positions == NULL;
    uint32_t count = a->failed ? 0 : v->game->expand(v, p, next);
    for (uint32_t i = 0; i < count && best < beta; i++) {
        holos_edge e = next.edges[i];
        bool same = (e.flags & HOLOS_EDGE_SAME_SIDE) != 0;
        int32_t low = (best > alpha ? best : alpha) - e.gain, high = beta - e.gain;
        int32_t child =
            look(a, position_at(v, next.positions, i), same ? low : -high, same ? high : -low, depth - 1);
        score = edge_score(e, child);
        best = score > best ? score : best;
    }
    free(next.edges);
    free(next.positions);
    return a->failed || count == 0 ? 0 : best; /* without moves, the game has failed: see game_failed */
}

bool ahead_move(const holos_variant *v, const holos_position *p, unsigned depth, rng *r, holos_move *out)
{
    ahead a = {.v = v};
    uint32_t count, equal = 0;
    int32_t best = INT32_MIN;
    holos_edge *edges = game_edges_new(v, p, &count);
    holos_position *next = holos_position_new(v);
    for (uint32_t i = 0; edges != NULL && next != NULL && i < count; i++) {
        holos_edge e = v->game->play(v, p, edges[i].move, next);
        int32_t score = edge_score(e, look(&a, next, -INT32_MAX / 2, INT32_MAX / 2, depth - 1));
        if (score < best)
            continue;
        equal = score > best ? 1 : equal + 1;
        best = score;
        if (rng_below(r, equal) == 0)
            *out = edges[i].move;
    }
    bool found = !a.failed && equal > 0;
    free(edges);
    holos_position_free(next);
    return found;
}
