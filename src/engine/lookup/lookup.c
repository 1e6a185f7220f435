/* SPDX-License-Identifier: MIT */

/* The lookup engine: values from what is known beforehand (holos_boundary), and nothing else. It never
 * searches, so a position that is not there is a limit, not a long wait; and what cannot be read is an error. */

#include "engine/lookup/lookup.h"

#include "engine/line.h"

#include <stdlib.h>
#include <string.h>

#define SEARCH_NODES  100000 /* for a best move that does not follow from what is known */
#define SEARCH_MEMORY ((size_t)16 << 20)

typedef struct lookup {
    const holos_variant *v;
    holos_solver_options options;
    const holos_boundary *boundary;
    holos_edges successors;
    holos_position *here;
    holos_move_value *moves;
    holos_move *best, *line;
    uint32_t *order;      /* of the best moves */
    holos_key *seen;      /* the positions of a line */
    holos_solver *search; /* NULL until it is needed */
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
    holos_solver_close(l->search);
    holos_position_free(l->here);
    free(l->moves);
    free(l->best);
    free(l->line);
    free(l->order);
    free(l->seen);
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
    l->boundary = task->options.boundary;
    l->successors.edges = calloc(count, sizeof *l->successors.edges);
    l->successors.positions = aligned_alloc(16, count * v->position_size);
    l->here = holos_position_new(v);
    l->moves = calloc(count, sizeof *l->moves);
    l->best = calloc(count, sizeof *l->best);
    l->line = calloc(LINE_MOST, sizeof *l->line);
    l->order = calloc(count, sizeof *l->order);
    l->seen = calloc(LINE_MOST + 1, sizeof *l->seen);
    if (l->successors.edges == NULL || l->successors.positions == NULL || l->here == NULL ||
        l->moves == NULL || l->best == NULL || l->line == NULL || l->order == NULL || l->seen == NULL) {
        lookup_close(l);
        return error_system(err, "the lookup engine");
    }
    *state = l;
    return HOLOS_OK;
}

/* ---- Values ------------------------------------------------------------------------------------ */

/* What is known of a position; at least the range of scores. */
static holos_status value_find(const lookup *l, const holos_position *p, holos_value *out, holos_error *err)
{
    if (holos_terminal(l->v, p, out))
        return HOLOS_OK;
    *out = game_value_unknown(l->v);
    return l->boundary->find(l->boundary->context, p, out, err);
}

static bool value_is_certain(holos_value value)
{
    return holos_value_is_solved(value) && holos_source_is_proof(value.source);
}

/* The value of a move from that of the position behind it, for the mover. */
static holos_value value_of_move(const lookup *l, holos_value behind, holos_edge edge)
{
    holos_value value = behind;
    if (behind.source == HOLOS_SOURCE_NONE)
        return game_value_unknown(l->v);
    if ((edge.flags & HOLOS_EDGE_SAME_SIDE) == 0) {
        value.lo = -behind.hi;
        value.hi = -behind.lo;
    }
    if (behind.source == HOLOS_SOURCE_RULES)
        value.source = HOLOS_SOURCE_TABLE;
    if (behind.distance != HOLOS_NO_DISTANCE)
        value.distance++;
    value.conversion = HOLOS_NO_DISTANCE; /* whether the move can be taken back is not known here */
    return value;
}

/* The values of all moves, to l->moves. */
static holos_status moves_find(lookup *l, const holos_position *p, size_t *count, holos_error *err)
{
    if (l->boundary->moves != NULL)
        return l->boundary->moves(l->boundary->context, p, l->moves, count, err);
    *count = l->v->game->expand(l->v, p, l->successors);
    for (size_t i = 0; i < *count; i++) {
        holos_value behind;
        holos_status status = value_find(l, position_at(l->v, l->successors.positions, i), &behind, err);
        if (status != HOLOS_OK)
            return status;
        l->moves[i] = (holos_move_value){.move = l->successors.edges[i].move,
                                         .value = value_of_move(l, behind, l->successors.edges[i])};
    }
    return HOLOS_OK;
}

/* ---- Best moves -------------------------------------------------------------------------------- */

typedef uint16_t distance_of(const holos_value *value);

static uint16_t end_of(const holos_value *value)
{
    return value->distance;
}

static uint16_t conversion_of(const holos_value *value)
{
    return value->conversion;
}

static bool keeps(const holos_move_value *m, int32_t score)
{
    return value_is_certain(m->value) && m->value.lo == score;
}

/* Whether all moves that keep the score have a distance; *best is the winner's shortest or the loser's longest. */
static bool distances_compare(const lookup *l, size_t count, int32_t score, distance_of *of, uint16_t *best)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        uint16_t distance = of(&l->moves[i].value);
        if (!keeps(&l->moves[i], score))
            continue;
        if (distance == HOLOS_NO_DISTANCE)
            return false;
        if (!any || (score > 0 ? distance < *best : distance > *best))
            *best = distance;
        any = true;
    }
    return any;
}

/* Whether a goes before b though both end equally soon: by the next move that cannot be taken back. */
static bool converts_first(const holos_value *a, const holos_value *b, int32_t score)
{
    if (a->conversion == HOLOS_NO_DISTANCE || b->conversion == HOLOS_NO_DISTANCE)
        return false;
    return score > 0 ? a->conversion < b->conversion : a->conversion > b->conversion;
}

/* Writes the best of l->moves to l->best, and returns how many: those that keep the score, and where distances are known,
 * that win soonest or lose latest. */
static size_t best_find(lookup *l, size_t count, int32_t score)
{
    uint16_t distance;
    distance_of *of = NULL;
    if (score != 0 && distances_compare(l, count, score, end_of, &distance))
        of = end_of;
    else if (score != 0 && distances_compare(l, count, score, conversion_of, &distance))
        of = conversion_of;
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const holos_value *value = &l->moves[i].value;
        if (!keeps(&l->moves[i], score) || (of != NULL && of(value) != distance))
            continue;
        size_t at = found++;
        for (; score != 0 && at > 0 && converts_first(value, &l->moves[l->order[at - 1]].value, score); at--)
            l->order[at] = l->order[at - 1];
        l->order[at] = (uint32_t)i;
    }
    for (size_t i = 0; i < found; i++)
        l->best[i] = l->moves[l->order[i]].move;
    return found;
}

/* A value that was proved without the values behind the moves: by a bound of the game's, or in a table that is not here. Then
 * moves that are sure to keep it are found by what is certain of the positions behind them, and if that is not enough by a
 * short search. */
static void moves_bound(lookup *l, size_t count)
{
    const holos_search *search = l->v->game->search;
    for (size_t i = 0; i < count && search != NULL && search->bounds != NULL; i++) {
        const holos_position *child = position_at(l->v, l->successors.positions, i);
        holos_value *value = &l->moves[i].value;
        bool same = (l->successors.edges[i].flags & HOLOS_EDGE_SAME_SIDE) != 0;
        int32_t banked = game_banked(l->v, child);
        int32_t lo = (same ? value->lo : -value->hi) - banked, hi = (same ? value->hi : -value->lo) - banked;
        if (value_is_certain(*value))
            continue;
        int32_t before_lo = lo, before_hi = hi;
        search->bounds(l->v, child, &lo, &hi);
        if (lo == before_lo && hi == before_hi)
            continue;
        value->lo = same ? lo + banked : -(hi + banked);
        value->hi = same ? hi + banked : -(lo + banked);
        value->source = HOLOS_SOURCE_SEARCH;
    }
}

static size_t best_by_bounds(lookup *l, size_t count, int32_t score)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if (holos_source_is_proof(l->moves[i].value.source) && l->moves[i].value.lo >= score)
            l->best[found++] = l->moves[i].move;
    return found;
}

static holos_status search_open(lookup *l, holos_error *err)
{
    holos_solver_options o = {
        .limits = {.nodes = SEARCH_NODES, .memory = SEARCH_MEMORY, .stop = l->options.limits.stop},
        .value_only = true,
        .boundary = l->boundary};
    return l->search != NULL ? HOLOS_OK : holos_solver_open(l->v, &o, &l->search, err);
}

/* Solves the positions behind moves that may keep the score, until one does. */
static holos_status best_by_search(lookup *l, size_t count, holos_result *result, holos_error *err)
{
    holos_status status = search_open(l, err);
    for (size_t i = 0; status == HOLOS_OK && i < count && result->best_count == 0; i++) {
        holos_move_value *move = &l->moves[i];
        holos_result behind;
        if (move->value.hi < result->value.lo)
            continue;
        const holos_position *child = position_at(l->v, l->successors.positions, i);
        status = holos_solver_solve(l->search, child, &behind, err);
        result->nodes += behind.nodes;
        if (status == HOLOS_OK)
            move->value = value_of_move(l, behind.value, l->successors.edges[i]);
        if (status == HOLOS_LIMIT)
            status = HOLOS_OK; /* perhaps another one is easier */
        else if (status == HOLOS_OK)
            result->best_count = best_by_bounds(l, count, result->value.lo);
    }
    return status == HOLOS_UNSUPPORTED ? HOLOS_OK : status;
}

static holos_status best_derive(lookup *l, size_t count, holos_result *result, holos_error *err)
{
    if (l->boundary->moves != NULL)
        return HOLOS_OK; /* it has said what it knows of the moves */
    moves_bound(l, count);
    result->best_count = best_by_bounds(l, count, result->value.lo);
    bool alone = l->options.engine != NULL; /* otherwise another engine follows */
    return result->best_count == 0 && alone ? best_by_search(l, count, result, err) : HOLOS_OK;
}

/* ---- Lines ------------------------------------------------------------------------------------- */

/* The next move of a line at l->here, to l->best[0]. NULL, or why there is none. */
static holos_status line_step(lookup *l, size_t length, const char **why, holos_error *err)
{
    holos_value value;
    size_t count;
    holos_status status = value_find(l, l->here, &value, err);
    if (status != HOLOS_OK)
        return status;
    *why = line_stops(l->v, value, l->seen, length, l->here);
    if (*why == NULL && length == LINE_MOST)
        *why = "it is too long";
    if (*why != NULL)
        return HOLOS_OK;
    status = moves_find(l, l->here, &count, err);
    if (status != HOLOS_OK || best_find(l, count, value.lo) > 0)
        return status;
    holos_result found = {.value = value};
    status = best_derive(l, count, &found, err);
    if (status == HOLOS_OK && found.best_count == 0)
        *why = "no move is known to keep the value";
    return status;
}

/* Best play as long as it is known and makes progress. */
static holos_status line_find(lookup *l, const holos_position *p, holos_result *result, holos_error *err)
{
    int32_t over;
    size_t length = 0;
    memcpy(l->here, p, l->v->position_size);
    while (!l->v->game->terminal(l->v, l->here, &over)) {
        holos_status status = line_step(l, length, &result->line_end, err);
        if (status != HOLOS_OK)
            return status;
        if (result->line_end != NULL)
            break;
        l->line[length++] = l->best[0];
        l->v->game->play(l->v, l->here, l->best[0], l->here);
    }
    result->line = l->line;
    result->line_length = length;
    return HOLOS_OK;
}

/* ---- The engine -------------------------------------------------------------------------------- */

static holos_status lookup_solve(void *state, const holos_position *p, holos_result *result, holos_error *err)
{
    lookup *l = state;
    size_t count = 0;
    int32_t over;
    holos_status status = value_find(l, p, &result->value, err);
    if (status == HOLOS_OK && l->options.line)
        status = line_find(l, p, result, err);
    bool known = value_is_certain(result->value);
    if (status == HOLOS_OK && (known || l->options.moves) && !l->v->game->terminal(l->v, p, &over))
        status = moves_find(l, p, &count, err);
    if (status != HOLOS_OK)
        return status;
    result->nodes += 1 + count;
    result->best = l->best;
    result->best_count = known ? best_find(l, count, result->value.lo) : 0;
    if (known && result->best_count == 0 && count > 0)
        status = best_derive(l, count, result, err);
    if (status == HOLOS_OK && !known && l->boundary->guess != NULL)
        status = l->boundary->guess(l->boundary->context, p, &result->guess, err);
    if (status != HOLOS_OK)
        return status;
    if (l->options.moves) {
        result->moves = l->moves;
        result->move_count = count;
    }
    return known ? HOLOS_OK
                 : error_set(err, HOLOS_LIMIT, HOLOS_NOWHERE, "the store does not know this position");
}

bool lookup_is_whole(const void *state, const holos_result *result)
{
    const lookup *l = state;
    const holos_solver_options *o = &l->options;
    if (!value_is_certain(result->value) || (result->best_count == 0 && !o->value_only))
        return false;
    for (size_t i = 0; i < result->move_count; i++)
        if (!value_is_certain(result->moves[i].value))
            return false;
    if (line_may_go_round(
            l->v)) /* a search finds neither distances nor lines beyond what the boundary knows */
        return true;
    return (!o->line || result->line_end == NULL) &&
           (!o->distance || result->value.distance != HOLOS_NO_DISTANCE || result->value.lo == 0);
}

holos_status lookup_add_distances(void *state, const holos_position *p, holos_result *result,
                                  holos_error *err)
{
    lookup *l = state;
    size_t count;
    if (l->boundary->moves == NULL || l->moves == NULL || result->moves == NULL || result->move_count == 0)
        return HOLOS_OK;
    holos_status status = l->boundary->moves(l->boundary->context, p, l->moves, &count, err);
    if (status != HOLOS_OK)
        return status;
    for (size_t i = 0; i < result->move_count; i++) {
        const holos_move_value *known = i < count ? &l->moves[i] : NULL, *found = &result->moves[i];
        if (known == NULL || known->move != found->move || !keeps(known, found->value.lo))
            l->moves[i] = *found;
    }
    result->moves = l->moves;
    return HOLOS_OK;
}

const holos_engine lookup_engine = {
    .name = "lookup",
    .summary = "values from a store, without any search",
    .supports = lookup_supports,
    .open = lookup_open,
    .close = lookup_close,
    .solve = lookup_solve,
};
