/* SPDX-License-Identifier: MIT */

/* The public solver: picks an engine, keeps its memory within the budget, takes the time. */

#include "core/assert.h"
#include "core/clock.h"
#include "engine/lookup/lookup.h"

#include <stdlib.h>
#include <string.h>

#define TELL_SECONDS 0.5

#define ENGINE(name) extern const holos_engine name;
#include "engine/engines.def"
#undef ENGINE

static const holos_engine *const engines[] = {
#define ENGINE(name) &name,
#include "engine/engines.def"
#undef ENGINE
};

struct holos_solver {
    const holos_engine *engine;
    const holos_variant *v;
    mem_budget budget;
    progress progress;
    void *state;
    boundary_guard guard, *known; /* NULL: nothing is known beforehand */
    holos_stop stop;              /* of an error of the boundary's, and the caller's */
    void *lookup;                 /* NULL, or what answers where the boundary knows all that was asked for */
};

const holos_engine *holos_engine_at(size_t index)
{
    return index < sizeof engines / sizeof *engines ? engines[index] : NULL;
}

const holos_engine *holos_engine_find(const char *name)
{
    for (size_t i = 0; name != NULL && i < sizeof engines / sizeof *engines; i++)
        if (strcmp(engines[i]->name, name) == 0)
            return engines[i];
    return NULL;
}

const char *holos_engine_name(const holos_engine *engine)
{
    return engine != NULL ? engine->name : NULL;
}

const char *holos_engine_summary(const holos_engine *engine)
{
    return engine != NULL ? engine->summary : NULL;
}

holos_status holos_engine_supports(const holos_engine *engine, const holos_variant *v, holos_error *err)
{
    if (engine == NULL || v == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "an engine and a variant are needed");
    const holos_solver_options options = {.engine = engine->name};
    return engine->supports(v, &options, err);
}

/* The engine that the caller names, or the first that can take the game. NULL: *status and *err say why. */
static const holos_engine *engine_pick(const holos_variant *v, const holos_solver_options *options,
                                       holos_status *status, holos_error *err)
{
    char names[128];
    text list;
    text_init_fixed(&list, names, sizeof names);
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        bool named = options->engine != NULL && strcmp(options->engine, engines[i]->name) == 0;
        if (named || options->engine == NULL) {
            *status = engines[i]->supports(v, options, err);
            if (*status == HOLOS_OK)
                return engines[i];
            if (named)
                return NULL;
        }
        text_printf(&list, "%s%s", i > 0 ? ", " : "", engines[i]->name);
    }
    if (options->engine != NULL)
        *status = error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "unknown engine \"%s\"; the engines are %s",
                            options->engine, names);
    else
        *status = error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "no engine can solve %s", v->name);
    return NULL;
}

/* ---- Options ----------------------------------------------------------------------------------- */

bool generate_option_group_at(size_t index, holos_option_group *out)
{
    return game_option_group_at(HOLOS_USE_GENERATE, index, out);
}

static holos_option_group group_of(const holos_engine *e)
{
    return (holos_option_group){
        .owner = e->name, .kind = HOLOS_OWNER_ENGINE, .use = HOLOS_USE_SOLVE, .options = e->options};
}

bool solve_option_group_at(size_t index, holos_option_group *out)
{
    size_t games = 0;
    while (game_option_group_at(HOLOS_USE_SOLVE, games, out))
        if (games++ == index)
            return true;
    index -= games;
    for (size_t i = 0; holos_engine_at(i) != NULL; i++) {
        if (engines[i]->options == NULL || index-- > 0)
            continue;
        *out = group_of(engines[i]);
        return true;
    }
    return false;
}

bool play_option_group_at(size_t index, holos_option_group *out)
{
    for (size_t i = 0; holos_engine_at(i) != NULL; i++) {
        if (engines[i]->choose == NULL || engines[i]->options == NULL || index-- > 0)
            continue;
        *out = group_of(engines[i]);
        out->use = HOLOS_USE_PLAY;
        return true;
    }
    return false;
}

static bool tells_distance(const holos_engine *e, const holos_game *game)
{
    bool by_score = game->search != NULL && game->search->distance != NULL;
    return ((e->distances & ENGINE_DISTANCE_BY_SCORE) != 0 && by_score) ||
           ((e->distances & ENGINE_DISTANCE_SEARCHED) != 0 && (game->traits & HOLOS_TRAIT_GAINS) == 0);
}

/* Refuses what neither the engine nor the game would do anything about. */
static holos_status options_check(const holos_engine *e, const holos_variant *v,
                                  const holos_solver_options *options, holos_error *err)
{
    char what[128];
    text t;
    text_init_fixed(&t, what, sizeof what);
    text_printf(&t, "%s solved by %s", v->name, e->name);
    if (options->weak && (v->game->traits & HOLOS_TRAIT_PUZZLE) != 0)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "--weak: %s is a puzzle, whose score is its outcome", v->name);
    if (options->distance && !tells_distance(e, v->game))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--distance: %s has no distances", what);
    if (game_may_fail(v) && holos_settings_get(options->settings, "checkpoint") != NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "--checkpoint: %s is not a built-in game, and keeps nothing", v->name);
    const char *no_hot = holos_settings_get(options->settings, "no-hot");
    bool hot = e->asks_hot && v->game->hot != NULL && (no_hot == NULL || strcmp(no_hot, "no") == 0);
    const holos_game_options *game =
        e->asks_game || hot ? game_options(v->game, HOLOS_USE_SOLVE, NULL) : NULL;
    holos_option_group parties[2] = {group_of(e)};
    if (game != NULL)
        parties[1] = (holos_option_group){.owner = v->game->name, .options = game->options};
    return settings_check(options->settings, parties, game != NULL ? 2 : 1, solve_option_group_at, what, err);
}

/* ---- Solvers ----------------------------------------------------------------------------------- */

/* The engine, and unless the caller named it, lookup before it. */
static holos_status engines_open(holos_solver *solver, const holos_solver_options *options, holos_error *err)
{
    engine_task task = {.v = solver->v,
                        .options = *options,
                        .known = solver->known,
                        .budget = &solver->budget,
                        .progress = &solver->progress};
    task.options.limits.stop = &solver->stop;
    holos_status status = solver->engine->open(&task, &solver->state, err);
    if (status == HOLOS_OK && options->engine == NULL && solver->known != NULL &&
        holos_settings_get(options->settings, "checkpoint") == NULL && solver->engine != &lookup_engine)
        status = lookup_engine.open(&task, &solver->lookup, err);
    return status;
}

holos_status holos_solver_open(const holos_variant *v, const holos_solver_options *options,
                               holos_solver **out, holos_error *err)
{
    if (v == NULL || out == NULL)
        return error_null(err, __func__);
    static const holos_solver_options none;
    holos_status status;
    if (v == NULL || out == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a variant and a place for the solver are needed");
    if (options == NULL)
        options = &none;
    *out = NULL;
    if (options->boundary != NULL && options->boundary->find == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a boundary needs a function that finds values");
    const holos_engine *engine = engine_pick(v, options, &status, err);
    if (engine == NULL)
        return status;
    status = options_check(engine, v, options, err);
    if (status != HOLOS_OK)
        return status;
    holos_solver *solver = calloc(1, sizeof *solver);
    if (solver == NULL)
        return error_system(err, "the solver");
    solver->engine = engine;
    solver->v = v;
    solver->stop.also = options->limits.stop;
    solver->known = boundary_begin(&solver->guard, options->boundary, v, &solver->stop);
    mem_budget_init(&solver->budget, options->limits.memory);
    progress_init(&solver->progress, options->progress, options->progress_context,
                  options->progress_seconds > 0 ? options->progress_seconds : TELL_SECONDS);
    status = engines_open(solver, options, err);
    if (status != HOLOS_OK) {
        holos_solver_close(solver);
        return status;
    }
    *out = solver;
    return HOLOS_OK;
}

void holos_solver_close(holos_solver *solver)
{
    if (solver == NULL)
        return;
    if (solver->state != NULL)
        solver->engine->close(solver->state);
    if (solver->lookup != NULL)
        lookup_engine.close(solver->lookup);
    progress_free(&solver->progress);
    free(solver);
}

static void result_begin(const holos_solver *solver, const holos_engine *engine, holos_result *result)
{
    *result = (holos_result){.value = game_value_unknown(solver->v), .engine = engine->name};
}

/* Whether the boundary alone answers; an error is an answer, too. */
static bool lookup_answers(holos_solver *solver, const holos_position *position, holos_result *result,
                           holos_status *status, holos_error *err)
{
    int32_t score;
    if (solver->lookup == NULL || solver->v->game->terminal(solver->v, position, &score) ||
        !boundary_score(solver->known, position, &score))
        return false;
    result_begin(solver, &lookup_engine, result);
    *status = lookup_engine.solve(solver->lookup, position, result, err);
    return *status != HOLOS_OK || lookup_is_whole(solver->lookup, result);
}

static holos_status engine_answers(holos_solver *solver, const holos_position *position, holos_result *result,
                                   holos_error *err)
{
    result_begin(solver, solver->engine, result);
    holos_status status = solver->engine->solve(solver->state, position, result, err);
    holos_status damage = boundary_end(solver->known, err);
    bool answered = status == HOLOS_OK || status == HOLOS_LIMIT || status == HOLOS_INTERRUPTED;
    if (damage == HOLOS_OK && answered && solver->lookup != NULL) {
        holos_error reason = {0};
        damage = lookup_add_distances(solver->lookup, position, result, &reason);
        if (damage != HOLOS_OK)
            *err = reason;
    }
    return damage != HOLOS_OK ? damage : status;
}

holos_status holos_solver_solve(holos_solver *solver, const holos_position *position, holos_result *result,
                                holos_error *err)
{
    if (solver == NULL || position == NULL || result == NULL)
        return error_null(err, __func__);
    double began = clock_wall();
    holos_status status;
    holos_error own = {0};
    err = err != NULL ? err : &own; /* a boundary need not look whether there is one */
    err->message[0] = 0;
    if (!lookup_answers(solver, position, result, &status, err))
        status = engine_answers(solver, position, result, err);
    if (status != HOLOS_OK && err->message[0] == 0)
        error_set(err, status, HOLOS_NOWHERE, "the known values cannot be read");
    holos_status failure = game_failed(solver->v, err);
    if (failure != HOLOS_OK) {
        result_begin(solver, solver->engine, result);
        status = failure;
    }
    result->seconds = clock_wall() - began;
    return status;
}

holos_status solver_choose(holos_solver *solver, const holos_position *p, holos_choice *out, bool *can,
                           holos_error *err)
{
    *can = solver->engine->choose != NULL;
    holos_status status = *can ? solver->engine->choose(solver->state, p, out, err) : HOLOS_OK;
    holos_status failure = game_failed(solver->v, err);
    return failure != HOLOS_OK ? failure : status;
}

const char *holos_solver_lacks(const holos_solver *solver)
{
    return solver != NULL && solver->engine->lacks != NULL ? solver->engine->lacks(solver->state) : NULL;
}

holos_status holos_solver_guess(holos_solver *solver, const holos_position *position, unsigned depth,
                                holos_move *move, int32_t *score, holos_error *err)
{
    int32_t unused;
    if (solver == NULL || position == NULL || move == NULL)
        return error_null(err, __func__);
    if (solver->v->game->terminal(solver->v, position, &unused))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "the game is over: there is no move to guess");
    if (solver->engine->guess != NULL &&
        solver->engine->guess(solver->state, position, depth, score != NULL ? score : &unused, move))
        return game_failed(solver->v, err);
    return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "the %s engine has no evaluation of %s",
                     solver->engine->name, solver->v->name);
}

bool holos_solver_takes_many(const holos_solver *solver)
{
    if (solver == NULL)
        return false;
    return solver->engine->takes_many != NULL && solver->engine->takes_many(solver->state);
}

void holos_solver_solve_many(holos_solver *solver, const holos_position *positions, size_t count,
                             holos_result *results, holos_status *statuses)
{
    if (solver == NULL || positions == NULL || results == NULL || statuses == NULL)
        return;
    double began = clock_wall();
    assert(count <= HOLOS_SOLVE_MANY && holos_solver_takes_many(solver));
    for (size_t i = 0; i < count; i++)
        result_begin(solver, solver->engine, &results[i]);
    solver->engine->solve_many(solver->state, positions, count, results, statuses);
    double seconds = (clock_wall() - began) / (double)count;
    for (size_t i = 0; i < count; i++)
        results[i].seconds = seconds;
}
