/* SPDX-License-Identifier: MIT */

/* The lookup engine: values from what is known beforehand (holos_boundary), and nothing else. It never
 * searches, so a position that is not there is a limit, not a long wait. */

#include "engine/engine.h"

#include <stdlib.h>
#include <string.h>

#define LINE_MOST 1024

typedef struct lookup {
    const holos_variant *v;
    holos_solver_options options;
    holos_edges successors;
    holos_position *here;
    holos_move_value *moves;
    holos_move *best, *line;
} lookup;

static holos_status lookup_supports(const holos_variant *v, const holos_solver_options *options,
                                    holos_error *err)
{
    if (options->boundary == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "the lookup engine needs a store with values of %s", v->name);
    return HOLOS_OK;
}

static void lookup_close(void *state)
{
    lookup *l = state;
    free(l->successors.edges);
    free(l->successors.positions);
    holos_position_free(l->here);
    free(l->moves);
    free(l->best);
    free(l->line);
    free(l);
}

static holos_status lookup_open(const engine_task *task, void **state, holos_error *err)
{
    const holos_variant *v = task->v;
    size_t count = v->max_successors;
    lookup *l = calloc(1, sizeof *l);
    if (l == NULL)
        return error_system(err, "the lookup engine");
    l->v = v;
    l->options = task->options;
    l->successors.edges = calloc(count, sizeof *l->successors.edges);
    l->successors.positions = aligned_alloc(16, count * v->position_size);
    l->here = holos_position_new(v);
    l->moves = calloc(count, sizeof *l->moves);
    l->best = calloc(count, sizeof *l->best);
    l->line = calloc(LINE_MOST, sizeof *l->line);
    if (l->successors.edges == NULL || l->successors.positions == NULL || l->here == NULL ||
        l->moves == NULL || l->best == NULL || l->line == NULL) {
        lookup_close(l);
        return error_system(err, "the lookup engine");
    }
    *state = l;
    return HOLOS_OK;
}

/* What is known of a position; at least the range of scores. */
static holos_value value_find(const lookup *l, const holos_position *p)
{
    const holos_boundary *boundary = l->options.boundary;
    holos_value value = {.lo = l->v->score_min, .hi = l->v->score_max, .distance = HOLOS_NO_DISTANCE};
    int32_t score;
    if (l->v->game->terminal(l->v, p, &score)) {
        value.lo = value.hi = score + game_banked(l->v, p);
        value.source = HOLOS_SOURCE_RULES;
    } else if (boundary->bounds != NULL) {
        boundary->bounds(boundary->context, p, &value);
    } else if (boundary->probe(boundary->context, p, &score)) {
        value.lo = value.hi = score;
        value.source = HOLOS_SOURCE_TABLE;
    }
    return value;
}

/* The values of all moves, for the mover; returns their number. */
static uint32_t moves_find(lookup *l, const holos_position *p)
{
    uint32_t count = l->v->game->expand(l->v, p, l->successors);
    for (uint32_t i = 0; i < count; i++) {
        holos_value value = value_find(l, position_at(l->v, l->successors.positions, i));
        holos_value turned = value;
        if (value.source == HOLOS_SOURCE_NONE)
            turned = (holos_value){.lo = l->v->score_min, .hi = l->v->score_max};
        else if ((l->successors.edges[i].flags & HOLOS_EDGE_SAME_SIDE) == 0)
            turned = (holos_value){.lo = -value.hi, .hi = -value.lo, .source = value.source};
        if (value.source == HOLOS_SOURCE_RULES)
            turned.source = HOLOS_SOURCE_TABLE;
        turned.distance = HOLOS_NO_DISTANCE;
        l->moves[i] = (holos_move_value){.move = l->successors.edges[i].move, .value = turned};
    }
    return count;
}

/* Best play as long as the store knows it. */
static size_t line_find(lookup *l, const holos_position *p)
{
    size_t length = 0;
    memcpy(l->here, p, l->v->position_size);
    while (length < LINE_MOST) {
        holos_value value = value_find(l, l->here);
        uint32_t count = holos_value_is_solved(value) ? moves_find(l, l->here) : 0, i = 0;
        while (i < count && (l->moves[i].value.lo != value.lo || l->moves[i].value.hi != value.lo))
            i++;
        if (i == count)
            break;
        l->line[length++] = l->moves[i].move;
        memcpy(l->here, position_at(l->v, l->successors.positions, i), l->v->position_size);
    }
    return length;
}

static holos_status lookup_solve(void *state, const holos_position *p, holos_result *result, holos_error *err)
{
    lookup *l = state;
    result->value = value_find(l, p);
    bool known = holos_value_is_solved(result->value) && holos_source_is_proof(result->value.source);
    if (l->options.line) {
        result->line_length = line_find(l, p);
        result->line = l->line;
    }
    uint32_t count = moves_find(l, p);
    if (known)
        result_take_best(result, l->moves, count, l->best);
    if (l->options.moves) {
        result->moves = l->moves;
        result->move_count = count;
    }
    return known ? HOLOS_OK
                 : error_set(err, HOLOS_LIMIT, HOLOS_NOWHERE, "the store does not know this position");
}

extern const holos_engine lookup_engine;
const holos_engine lookup_engine = {
    .name = "lookup",
    .summary = "values from a store, without any search",
    .supports = lookup_supports,
    .open = lookup_open,
    .close = lookup_close,
    .solve = lookup_solve,
};
