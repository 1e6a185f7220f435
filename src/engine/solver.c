/* SPDX-License-Identifier: MIT */

/* The public solver: picks an engine, keeps its memory within the budget, takes the time. */

#include "core/assert.h"
#include "core/clock.h"
#include "engine/engine.h"

#include <stdlib.h>
#include <string.h>

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
    mem_budget budget;
    void *state;
};

const holos_engine *engine_at(size_t index)
{
    return index < sizeof engines / sizeof *engines ? engines[index] : NULL;
}

static holos_status engine_supports(const holos_engine *e, const holos_variant *v,
                                    const holos_solver_options *options, holos_error *err)
{
    if (options->checkpoint != NULL && !e->checkpoints)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "the %s engine writes no checkpoints; the alphabeta engine does", e->name);
    return e->supports(v, options, err);
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
            *status = engine_supports(engines[i], v, options, err);
            if (*status == HOLOS_OK)
                return engines[i];
            if (named)
                return NULL;
        }
        text_printf(&list, "%s%s", i > 0 ? ", " : "", engines[i]->name);
    }
    if (options->engine != NULL)
        *status = error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "there is no engine \"%s\"; there is: %s",
                            options->engine, names);
    else
        *status = error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "no engine can solve %s", v->name);
    for (size_t i = 0; options->engine == NULL && options->checkpoint != NULL && engine_at(i) != NULL; i++)
        if (engines[i]->checkpoints) /* why that one cannot is of more interest than that the others do not */
            *status = engines[i]->supports(v, options, err);
    return NULL;
}

holos_status holos_solver_open(const holos_variant *v, const holos_solver_options *options,
                               holos_solver **out, holos_error *err)
{
    static const holos_solver_options none;
    holos_status status;
    if (options == NULL)
        options = &none;
    *out = NULL;
    const holos_engine *engine = engine_pick(v, options, &status, err);
    if (engine == NULL)
        return status;
    holos_solver *solver = calloc(1, sizeof *solver);
    if (solver == NULL)
        return error_system(err, "the solver");
    solver->engine = engine;
    mem_budget_init(&solver->budget, options->limits.memory);
    engine_task task = {.v = v, .options = *options, .budget = &solver->budget};
    status = engine->open(&task, &solver->state, err);
    if (status != HOLOS_OK) {
        free(solver);
        return status;
    }
    *out = solver;
    return HOLOS_OK;
}

void holos_solver_close(holos_solver *solver)
{
    if (solver == NULL)
        return;
    solver->engine->close(solver->state);
    free(solver);
}

holos_status holos_solver_solve(holos_solver *solver, const holos_position *position, holos_result *result,
                                holos_error *err)
{
    double began = clock_wall();
    memset(result, 0, sizeof *result);
    result->engine = solver->engine->name;
    holos_status status = solver->engine->solve(solver->state, position, result, err);
    result->seconds = clock_wall() - began;
    return status;
}

bool holos_solver_takes_many(const holos_solver *solver)
{
    return solver->engine->takes_many != NULL && solver->engine->takes_many(solver->state);
}

void holos_solver_solve_many(holos_solver *solver, const holos_position *positions, size_t count,
                             holos_result *results, holos_status *statuses)
{
    double began = clock_wall();
    assert(count <= HOLOS_SOLVE_MANY && holos_solver_takes_many(solver));
    memset(results, 0, count * sizeof *results);
    solver->engine->solve_many(solver->state, positions, count, results, statuses);
    double seconds = (clock_wall() - began) / (double)count;
    for (size_t i = 0; i < count; i++) {
        results[i].engine = solver->engine->name;
        results[i].seconds = seconds;
    }
}
