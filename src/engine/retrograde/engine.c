/* SPDX-License-Identifier: MIT */

/* The retrograde engine as a solver: builds the tables that a position needs when it is first asked about
 * one so large, and then only looks up. Last in the list of engines: where a search can answer, it is quicker
 * for one position. */

#include "engine/lookup/lookup.h"
#include "engine/retrograde/retrograde.h"

#include <stdlib.h>

typedef struct retro_settings {
    bool no_hot;
} retro_settings;

static const holos_option solver_options[] = {
    {OPTION(FLAG, retro_settings, no_hot), .name = "no-hot",
     .help = "go position by position, even if the game has a faster way"},
    {0},
};

typedef struct retro_solver {
    retro_settings settings;
    engine_task task;
    retro *tables;
    holos_boundary boundary;
    void *lookup_state;
} retro_solver;

extern const holos_engine retrograde_engine;

static holos_status solver_supports(const holos_variant *v, const holos_solver_options *options,
                                    holos_error *err)
{
    (void)options;
    return retro_supports(v, err);
}

static holos_status solver_score(void *context, const holos_position *p, int32_t *score, bool *found,
                                 holos_error *err)
{
    const retro_solver *s = context;
    (void)err;
    *found = s->tables != NULL && retro_probe(s->tables, p, score);
    if (*found)
        *score += game_banked(s->task.v, p);
    return HOLOS_OK;
}

static holos_status solver_find(void *context, const holos_position *p, holos_value *out, holos_error *err)
{
    const retro_solver *s = context;
    const holos_search *search = s->task.v->game->search;
    int32_t score;
    bool found;
    solver_score(context, p, &score, &found, err);
    if (!found)
        return HOLOS_OK;
    out->lo = out->hi = score;
    out->source = HOLOS_SOURCE_TABLE;
    if (search != NULL && search->distance != NULL)
        out->distance = search->distance(s->task.v, p, score);
    return HOLOS_OK;
}

static void solver_close(void *state)
{
    retro_solver *s = state;
    if (s->lookup_state != NULL)
        lookup_engine.close(s->lookup_state);
    retro_close(s->tables);
    free(s);
}

static holos_status solver_open(const engine_task *task, void **state, holos_error *err)
{
    retro_solver *s = calloc(1, sizeof *s);
    if (s == NULL)
        return error_system(err, "the retrograde engine");
    s->task = *task;
    s->boundary = (holos_boundary){.context = s, .find = solver_find, .score = solver_score};
    engine_task lookup = *task;
    lookup.options.boundary = &s->boundary;
    holos_status status = option_read(solver_options, task->options.settings, &s->settings, err);
    if (status == HOLOS_OK)
        status = lookup_engine.open(&lookup, &s->lookup_state, err);
    if (status != HOLOS_OK) {
        solver_close(s);
        return status;
    }
    *state = s;
    return HOLOS_OK;
}

static holos_status solver_solve(void *state, const holos_position *p, holos_result *result, holos_error *err)
{
    retro_solver *s = state;
    const holos_solver_options *options = &s->task.options;
    holos_place place;
    if (!s->task.v->game->index->rank(s->task.v, p, &place))
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "this position is beyond the index of %s",
                         s->task.v->name);
    if (s->tables == NULL || retro_top(s->tables) < place.tier) {
        retro_options o = {.top = place.tier,
                           .threads = options->threads != 0 ? options->threads : 1,
                           .no_hot = s->settings.no_hot,
                           .budget = s->task.budget,
                           .limits = options->limits};
        retro_close(s->tables);
        s->tables = NULL;
        holos_status status = retro_build(s->task.v, &o, &s->tables, err);
        if (status != HOLOS_OK) {
            result->value = value_unknown(s->task.v);
            return status;
        }
        double seconds;
        retro_work(s->tables, &result->nodes, &seconds);
    }
    holos_status status = lookup_engine.solve(s->lookup_state, p, result, err);
    if (result->value.source == HOLOS_SOURCE_TABLE)
        result->value.source = HOLOS_SOURCE_RETROGRADE;
    return status;
}

const holos_engine retrograde_engine = {
    .name = "retrograde",
    .summary = "all positions up to the size of the given one, by retrograde analysis",
    .options = solver_options,
    .supports = solver_supports,
    .open = solver_open,
    .close = solver_close,
    .solve = solver_solve,
};
