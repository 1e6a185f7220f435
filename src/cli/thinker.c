/* SPDX-License-Identifier: MIT */

#include "cli/thinker.h"

#include "cli/guess.h"

/* In a game each of the attempts to find a move has half of the time; a puzzle needs only the first. */
static holos_solver_options move_options(const thinker *t, bool weak)
{
    bool puzzle = (holos_game_traits(holos_variant_game(t->v)) & HOLOS_TRAIT_PUZZLE) != 0;
    holos_solver_options options = {
        .engine = t->engine, .limits = t->limits, .weak = weak, .boundary = t->boundary};
    options.limits.seconds /= puzzle ? 1 : 2;
    return options;
}

holos_status thinker_open(thinker *t, const holos_variant *v, const char *engine, holos_limits limits,
                          const holos_boundary *boundary, uint64_t seed, holos_error *err)
{
    *t = (thinker){.v = v, .engine = engine, .limits = limits, .boundary = boundary};
    rng_init(&t->random, seed, 0);
    holos_solver_options options = move_options(t, false);
    return holos_solver_open(v, &options, &t->best, err);
}

void thinker_close(thinker *t)
{
    holos_solver_close(t->best);
    holos_solver_close(t->outcome);
    holos_solver_close(t->judge);
}

/* Solves with one of the solvers, which is opened first if need be. A limit is no error here. */
static holos_status solve(holos_solver **solver, const holos_variant *v, holos_solver_options options,
                          const holos_position *position, holos_result *out, holos_error *err)
{
    if (*solver == NULL) {
        holos_status status = holos_solver_open(v, &options, solver, err);
        if (status != HOLOS_OK)
            return status;
    }
    holos_status status = holos_solver_solve(*solver, position, out, err);
    return status == HOLOS_LIMIT || status == HOLOS_INTERRUPTED ? HOLOS_OK : status;
}

holos_status thinker_judge(thinker *t, const holos_position *position, holos_result *out, holos_error *err)
{
    holos_solver_options options = {
        .engine = t->engine, .limits = t->limits, .moves = true, .boundary = t->boundary};
    return solve(&t->judge, t->v, options, position, out, err);
}

holos_status thinker_solve(thinker *t, const holos_position *position, holos_result *out, holos_error *err)
{
    return solve(&t->best, t->v, move_options(t, false), position, out, err);
}

holos_status thinker_choose(thinker *t, const holos_position *position, thinker_move *out, holos_error *err)
{
    *out = (thinker_move){.proof = THINKER_BEST};
    for (; out->proof <= THINKER_OUTCOME; out->proof++) {
        holos_result r;
        bool weak = out->proof == THINKER_OUTCOME;
        holos_status status =
            solve(weak ? &t->outcome : &t->best, t->v, move_options(t, weak), position, &r, err);
        if (status != HOLOS_OK)
            return status;
        out->value = r.value;
        out->seconds += r.seconds;
        if (r.best_count > 0) {
            out->move = r.best[rng_below(&t->random, r.best_count)];
            return HOLOS_OK;
        }
    }
    if (!guess_move(t->v, position, &t->random, &out->move))
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory to think of a move");
    return HOLOS_OK;
}
