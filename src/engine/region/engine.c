/* SPDX-License-Identifier: MIT */

/* Regions as an engine of the solver: solves all positions of the kind that is asked about, and of what lies between it and the
 * boundary, when it is first asked for one; then it only looks up. */

#include "engine/engine.h"
#include "engine/region/region.h"

#include <stdlib.h>

#define LINE_MOST 1000

typedef struct region_engine_state {
    const holos_variant *v;
    holos_solver_options options;
    pool *threads;
    regions *regions;
    arena memory;
    holos_edges successors;
    holos_position *here;
    holos_move_value *moves;
    unsigned *plies;
    holos_move *best, *line;
} region_engine_state;

static holos_status engine_supports(const holos_variant *v, const holos_solver_options *options,
                                    holos_error *err)
{
    (void)options;
    if (v->game->kinds == NULL || v->max_predecessors == 0)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "the region engine is for games whose positions fall into kinds; those of %s do not",
                         v->name);
    return HOLOS_OK;
}

static void engine_close(void *state)
{
    region_engine_state *s = state;
    if (s == NULL)
        return;
    regions_close(s->regions);
    pool_close(s->threads);
    arena_free(&s->memory);
    free(s);
}

static bool buffers_make(region_engine_state *s)
{
    size_t most = s->v->max_successors;
    s->here = arena_alloc(&s->memory, s->v->position_size);
    s->moves = arena_alloc(&s->memory, most * sizeof *s->moves);
    s->plies = arena_alloc(&s->memory, most * sizeof *s->plies);
    s->best = arena_alloc(&s->memory, most * sizeof *s->best);
    s->line = arena_alloc(&s->memory, LINE_MOST * sizeof *s->line);
    return edges_make(&s->successors, &s->memory, s->v, most) && s->here != NULL && s->moves != NULL &&
           s->plies != NULL && s->best != NULL && s->line != NULL;
}

static holos_status engine_open(const engine_task *task, void **state, holos_error *err)
{
    region_engine_state *s = calloc(1, sizeof *s);
    if (s == NULL)
        return error_system(err, "the region engine");
    s->v = task->v;
    s->options = task->options;
    arena_init(&s->memory, task->budget, 1 << 16);
    holos_status status = pool_open(task->options.threads > 0 ? task->options.threads : 1, &s->threads, err);
    if (status == HOLOS_OK) {
        regions_setup setup = {
            .v = s->v, .known = task->known, .budget = task->budget, .threads = s->threads};
        status = regions_open(&setup, &s->regions, err);
    }
    if (status == HOLOS_OK && !buffers_make(s))
        status = mem_error(err, task->budget, (size_t)1 << 16, "the region engine");
    if (status != HOLOS_OK) {
        engine_close(s);
        return status;
    }
    *state = s;
    return HOLOS_OK;
}

/* ---- Answers ----------------------------------------------------------------------------------- */

static holos_value value_turn(holos_value value)
{
    int32_t lo = value.lo;
    value.lo = -value.hi;
    value.hi = -lo;
    if (value.source == HOLOS_SOURCE_RULES)
        value.source = HOLOS_SOURCE_RETROGRADE;
    value.distance = HOLOS_NO_DISTANCE;
    return value;
}

/* The values of all moves, for the mover. */
static uint32_t moves_find(region_engine_state *s, const holos_position *p)
{
    const holos_kinds *kinds = s->v->game->kinds;
    uint32_t count = s->v->game->expand(s->v, p, s->successors);
    for (uint32_t i = 0; i < count; i++) {
        const holos_position *next = position_at(s->v, s->successors.positions, i);
        holos_value value;
        regions_find(s->regions, next, &value, &s->plies[i]);
        if (kinds->of(s->v, next) != kinds->of(s->v, p))
            s->plies[i] = 0; /* this is the way out */
        s->moves[i] = (holos_move_value){.move = s->successors.edges[i].move, .value = value_turn(value)};
    }
    return count;
}

/* The winner takes the shortest way out of the kind, the loser the longest. */
static uint32_t move_choose(const region_engine_state *s, uint32_t count, int32_t score)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        const holos_value *value = &s->moves[i].value;
        if (value->lo != score || value->hi != score)
            continue;
        if (best == UINT32_MAX ||
            (score > 0 ? s->plies[i] < s->plies[best] : score < 0 && s->plies[i] > s->plies[best]))
            best = i;
    }
    return best;
}

/* As far as the kind goes: then tables know more. A draw has one move only, since it can go on for ever. */
static size_t line_find(region_engine_state *s, const holos_position *p)
{
    size_t length = 0;
    holos_value value;
    unsigned plies;
    memcpy(s->here, p, s->v->position_size);
    while (length < LINE_MOST && regions_find(s->regions, s->here, &value, &plies)) {
        if (value.lo != value.hi || (value.source == HOLOS_SOURCE_TABLE && length > 0))
            break;
        uint32_t choice = move_choose(s, moves_find(s, s->here), value.lo);
        if (choice == UINT32_MAX)
            break;
        s->line[length++] = s->moves[choice].move;
        if (value.lo == 0)
            break;
        memcpy(s->here, position_at(s->v, s->successors.positions, choice), s->v->position_size);
    }
    return length;
}

static holos_status engine_solve(void *state, const holos_position *p, holos_result *result, holos_error *err)
{
    region_engine_state *s = state;
    holos_status status = HOLOS_OK;
    struct limits limits;
    limits_begin(&limits, &s->options.limits, s->memory.budget);
    if (!regions_find(s->regions, p, &result->value, NULL)) {
        status = regions_solve(s->regions, s->v->game->kinds->of(s->v, p), &limits, err);
        regions_find(s->regions, p, &result->value, NULL);
    }
    if (status != HOLOS_OK && status != HOLOS_LIMIT && status != HOLOS_INTERRUPTED)
        return status;
    for (size_t i = 0; regions_report(s->regions, i) != NULL; i++)
        result->nodes += regions_report(s->regions, i)->positions;
    bool known = holos_value_is_solved(result->value);
    size_t length = known ? line_find(s, p) : 0;
    uint32_t count = moves_find(s, p);
    if (known)
        result_take_best(result, s->moves, count, s->best);
    if (s->options.line) {
        result->line = s->line;
        result->line_length = length;
    }
    if (s->options.moves) {
        result->moves = s->moves;
        result->move_count = count;
    }
    if (known || status != HOLOS_OK)
        return known ? HOLOS_OK : status;
    return error_set(err, HOLOS_LIMIT, HOLOS_NOWHERE,
                     "the position can lead to something unknown; a region needs everything below it");
}

extern const holos_engine region_engine;
const holos_engine region_engine = {
    .name = "region",
    .summary = "all positions between the one asked about and the boundary, by the attractor rule",
    .supports = engine_supports,
    .open = engine_open,
    .close = engine_close,
    .solve = engine_solve,
};
