/* SPDX-License-Identifier: MIT */

#include "core/clock.h"
#include "core/error.h"
#include "engine/engine.h"
#include "engine/player/guess.h"

#include <stdlib.h>

struct holos_player {
    const holos_variant *v;
    holos_player_options options;
    rng random; /* chooses among equals */
    holos_solver *best;
    holos_solver *outcome, *judge; /* opened when they are first needed */
    holos_thinker *thinker;        /* likewise, where the game has an evaluation */
};

/* Shares of the time for a move of a game: each of the attempts to prove one, and a guess. A puzzle needs only the first. */
#define ATTEMPT_SHARE 0.4
#define GUESS_SHARE   0.2
/* Plies of search behind a guess by an evaluation, at least and at most; and how much longer a ply more takes, about. */
#define GUESS_DEPTH   5
#define GUESS_DEEPEST 12
#define GUESS_GROWTH  6
/* What a guess by looking ahead remembers positions in, at most: it has a fifth of the time. */
#define GUESS_MEMORY ((size_t)64 << 20)

static holos_solver_options move_options(const holos_player *player, bool weak)
{
    const holos_player_options *own = &player->options;
    bool puzzle = (holos_game_traits(holos_variant_game(player->v)) & HOLOS_TRAIT_PUZZLE) != 0;
    holos_solver_options options = {.engine = own->engine,
                                    .limits = own->limits,
                                    .weak = weak,
                                    .boundary = own->boundary,
                                    .settings = own->settings,
                                    .gauges = own->gauges,
                                    .gauges_context = own->gauges_context};
    options.limits.seconds *= puzzle ? 1 : ATTEMPT_SHARE;
    return options;
}

holos_status holos_player_open(const holos_variant *v, const holos_player_options *options,
                               holos_player **out, holos_error *err)
{
    if (v == NULL || out == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "holos_player_open: a variant and a place for the player are needed");
    holos_player *player = *out = calloc(1, sizeof *player);
    if (player == NULL)
        return error_system(err, "the player");
    player->v = v;
    if (options != NULL)
        player->options = *options;
    rng_init(&player->random, player->options.seed, 0);
    holos_solver_options first = move_options(player, false);
    holos_status status = holos_solver_open(v, &first, &player->best, err);
    if (status != HOLOS_OK) {
        holos_player_close(player);
        *out = NULL;
    }
    return status;
}

void holos_player_close(holos_player *player)
{
    if (player == NULL)
        return;
    holos_solver_close(player->best);
    holos_solver_close(player->outcome);
    holos_solver_close(player->judge);
    holos_thinker_close(player->thinker);
    free(player);
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

static holos_status arguments_check(const holos_player *player, const holos_position *position,
                                    const void *out, holos_error *err)
{
    if (player != NULL && position != NULL && out != NULL)
        return HOLOS_OK;
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                     "a player, a position and a place for the answer are needed");
}

holos_status holos_player_judge(holos_player *player, const holos_position *position, holos_result *out,
                                holos_error *err)
{
    holos_status status = arguments_check(player, position, out, err);
    if (status != HOLOS_OK)
        return status;
    const holos_player_options *own = &player->options;
    holos_solver_options options = {.engine = own->engine,
                                    .limits = own->limits,
                                    .moves = true,
                                    .boundary = own->boundary,
                                    .settings = own->settings,
                                    .gauges = own->gauges,
                                    .gauges_context = own->gauges_context};
    return solve(&player->judge, player->v, options, position, out, err);
}

holos_status holos_player_solve(holos_player *player, const holos_position *position, holos_result *out,
                                holos_error *err)
{
    holos_status status = arguments_check(player, position, out, err);
    if (status != HOLOS_OK)
        return status;
    return solve(&player->best, player->v, move_options(player, false), position, out, err);
}

/* Any legal move. */
static holos_status slip(holos_player *player, const holos_position *position, holos_choice *out,
                         holos_error *err)
{
    size_t count = holos_moves(player->v, position, NULL, 0);
    holos_move *moves = malloc(count * sizeof *moves);
    if (moves == NULL || count == 0) {
        free(moves);
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory to think of a move");
    }
    holos_moves(player->v, position, moves, count);
    out->move = moves[rng_below(&player->random, count)];
    out->grounds = HOLOS_GROUNDS_GUESS;
    out->value.distance = out->value.conversion = HOLOS_NO_DISTANCE;
    holos_score_range(player->v, &out->value.lo, &out->value.hi);
    free(moves);
    return HOLOS_OK;
}

/* A move by an evaluation, where the engine has one for the game: deeper as long as there is time. */
static bool guess_ahead(holos_player *player, const holos_position *position, const holos_limits *limits,
                        holos_move *out)
{
    double begun = clock_wall();
    unsigned depth = GUESS_DEPTH;
    if (holos_solver_guess(player->best, position, depth, out, NULL, NULL) != HOLOS_OK)
        return false;
    while (++depth <= GUESS_DEEPEST && (clock_wall() - begun) * GUESS_GROWTH < limits->seconds &&
           !holos_stop_asked(limits->stop))
        holos_solver_guess(player->best, position, depth, out, NULL, NULL);
    return true;
}

/* A move by looking ahead, where the game says what positions look worth. */
static bool guess_thinking(holos_player *player, const holos_position *position, const holos_limits *limits,
                           holos_move *out)
{
    holos_thought thought;
    size_t memory = limits->memory < GUESS_MEMORY ? limits->memory : GUESS_MEMORY;
    holos_thinker_options thinker = {.memory = memory, .boundary = player->options.boundary};
    holos_think_options think = {.limits = *limits, .enough = limits->seconds / 2};
    if (player->v->game->evaluation == NULL)
        return false;
    if (limits->seconds <= 0 && limits->nodes == 0)
        think.depth = GUESS_DEPTH;
    if (player->thinker == NULL &&
        holos_thinker_open(player->v, &thinker, &player->thinker, NULL) != HOLOS_OK)
        return false;
    if (holos_thinker_think(player->thinker, position, &think, &thought, NULL) != HOLOS_OK)
        return false;
    *out = thought.line[0];
    return true;
}

static holos_status choose(holos_player *player, const holos_position *position, holos_choice *out,
                           holos_error *err)
{
    holos_value over;
    holos_status status;
    if (holos_terminal(player->v, position, &over))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "the game is over: there is no move to choose");
    *out = (holos_choice){.grounds = HOLOS_GROUNDS_BEST};
    if (player->options.slips > 0 && rng_double(&player->random) < player->options.slips)
        return slip(player, position, out, err);
    bool plays;
    status = solver_choose(player->best, position, out, &plays, err);
    if (status != HOLOS_OK || plays)
        return status;
    for (; out->grounds <= HOLOS_GROUNDS_OUTCOME; out->grounds++) {
        holos_result r;
        bool weak = out->grounds == HOLOS_GROUNDS_OUTCOME;
        status = solve(weak ? &player->outcome : &player->best, player->v, move_options(player, weak),
                       position, &r, err);
        if (status != HOLOS_OK)
            return status;
        out->value = r.value;
        out->seconds += r.seconds;
        if (r.best_count > 0) {
            out->move = r.best[rng_below(&player->random, r.best_count)];
            return HOLOS_OK;
        }
    }
    holos_limits rest = player->options.limits;
    rest.seconds *= GUESS_SHARE;
    if (guess_ahead(player, position, &rest, &out->move) ||
        guess_thinking(player, position, &rest, &out->move))
        return HOLOS_OK;
    if (!guess_move(player->v, position, &rest, &player->random, &out->move))
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory to think of a move");
    return HOLOS_OK;
}

holos_status holos_player_choose(holos_player *player, const holos_position *position, holos_choice *out,
                                 holos_error *err)
{
    holos_status status = arguments_check(player, position, out, err);
    if (status != HOLOS_OK)
        return status;
    status = choose(player, position, out, err);
    holos_status failure = game_failed(player->v, err);
    return failure != HOLOS_OK ? failure : status;
}
