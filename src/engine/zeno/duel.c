/* SPDX-License-Identifier: MIT */

/* A game between two thinkers. */

#include "core/clock.h"
#include "engine/zeno/selfplay.h"

#include <stdlib.h>

/* The opening of a pair of games; false if the game is over on the way. */
static bool opening(const holos_variant *v, uint32_t plies, uint64_t seed, uint64_t number, holos_edge *edges,
                    holos_position *p)
{
    rng random;
    rng_init(&random, seed, number);
    v->game->start(v, p);
    for (uint32_t i = 0; i < plies; i++) {
        uint32_t count = game_edges(v, p, edges);
        if (count == 0)
            return false;
        v->game->play(v, p, edges[rng_below(&random, count)].move, p);
    }
    return game_edges(v, p, edges) > 0;
}

static void side_count(duel_side *side, const zeno_result *r)
{
    side->moves++;
    side->tactical += r->tactical;
    if (r->tactical || r->simulations == 0)
        return;
    side->searched++;
    side->early += r->early;
    side->simulations += r->simulations;
    side->lambda += (double)r->lambda;
    side->entropy += (double)r->shape.entropy;
}

/* A line of the log, without its outcome, which is not known yet. */
static void move_log(text *log, const holos_variant *v, const holos_position *p, uint32_t ply,
                     const zeno_result *r)
{
    static const char *const phases[] = {"opening", "middle", "ending"};
    const holos_net *view = v->game->net;
    text_printf(log, "%u,%u,%.5f,%.5f,%.6f,%.5f,%.5f,%u,%d,%.4f,%s\n", ply, v->game->side(v, p),
                (double)r->shape.entropy, (double)r->shape.gap, (double)r->shape.variance, (double)r->lambda,
                (double)r->c, r->simulations, r->tactical, view->density(v, p),
                phases[view->phase != NULL ? view->phase(v, p) : HOLOS_STAGE_MIDDLE]);
}

holos_status duel_play(const holos_variant *v, zeno_thinker *players[2], uint32_t plies, uint64_t seed,
                       uint64_t number, bool swapped, zeno_until until, duel_side sides[2], text *log,
                       int *score, holos_error *err)
{
    holos_position *p = holos_position_new(v);
    holos_edge *edges = calloc(v->max_successors, sizeof *edges);
    holos_status status = p != NULL && edges != NULL ? HOLOS_OK : error_system(err, "a game");
    if (status == HOLOS_OK)
        opening(v, plies, seed, number, edges, p);
    int32_t final = 0;
    for (uint32_t ply = plies; status == HOLOS_OK && !v->game->terminal(v, p, &final); ply++) {
        unsigned who = v->game->side(v, p) ^ (unsigned)swapped;
        zeno_request r = {.stop = until.stop, .deadline = until.deadline};
        zeno_result found;
        status = zeno_think(players[who], p, &r, &found, NULL, err);
        if (status == HOLOS_OK && zeno_is_over(until))
            status = error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
        if (status != HOLOS_OK)
            break;
        side_count(&sides[who], &found);
        if (log != NULL && who == 0)
            move_log(log, v, p, ply, &found);
        v->game->play(v, p, found.move, p);
    }
    if (status == HOLOS_OK) {
        final += game_banked(v, p);
        *score = ((final > 0) - (final < 0)) * ((v->game->side(v, p) ^ (unsigned)swapped) == 0 ? 1 : -1);
    }
    holos_position_free(p);
    free(edges);
    return status;
}
