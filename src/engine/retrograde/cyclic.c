/* SPDX-License-Identifier: MIT */

/* One part of a game that can repeat a position: by counting successors.
 *
 * A game that never ends is a draw, worth 0. So the greatest scores are settled first: at level m a
 * position is worth m if some move leads to m, and -m if every move is settled and none is better. What
 * is settled at a level is passed on to its predecessors at once. What no level settles is a draw.
 *
 * A pair (position, successor) is counted once, by their places: an index that folds symmetric positions
 * makes several edges one, in either direction. */

#include "core/assert.h"
#include "engine/retrograde/retrograde.h"

#include <stdlib.h>
#include <string.h>

typedef struct region {
    retro_worker *w;
    uint32_t tier, part;
    uint64_t size;
    uint8_t *bytes;
    uint16_t *open; /* moves of a position that are not settled yet */
    size_t depth;   /* of the worker's stack: settled, and predecessors not told yet */
    int32_t level;
    bool full; /* there was no memory for the stack */
} region;

typedef struct neighbour {
    holos_place place;
    uint8_t flags; /* of the edge */
} neighbour;

static int neighbour_compare(const void *a, const void *b)
{
    const neighbour *x = a, *y = b;
    if (x->place.tier != y->place.tier)
        return x->place.tier < y->place.tier ? -1 : 1;
    if (x->place.part != y->place.part)
        return x->place.part < y->place.part ? -1 : 1;
    if (x->place.index != y->place.index)
        return x->place.index < y->place.index ? -1 : 1;
    return (int)(x->flags & HOLOS_EDGE_SAME_SIDE) - (int)(y->flags & HOLOS_EDGE_SAME_SIDE);
}

/* The places of a list of positions, each once. Returns their number; `out` has room for all. */
static uint32_t neighbours_collect(const holos_variant *v, holos_edges edges, uint32_t count, neighbour *out)
{
    uint32_t kept = 0, unique = 0;
    for (uint32_t i = 0; i < count; i++) {
        neighbour *n = &out[kept];
        n->flags = edges.edges[i].flags;
        /* A predecessor may lie beyond what is indexed; a successor never does. */
        if (v->game->index->rank(v, position_at(v, edges.positions, i), &n->place))
            kept++;
    }
    qsort(out, kept, sizeof *out, neighbour_compare);
    for (uint32_t i = 0; i < kept; i++)
        if (i == 0 || neighbour_compare(&out[i], &out[unique - 1]) != 0)
            out[unique++] = out[i];
    return unique;
}

static bool region_owns(const region *r, holos_place place)
{
    return place.tier == r->tier && place.part == r->part;
}

static void region_settle(region *r, uint64_t index, int32_t value)
{
    r->bytes[index] = (uint8_t)(HOLOS_BYTE_ZERO + value);
    if (!retro_push(r->w, &r->depth, index))
        r->full = true;
}

/* A move of the position at `index` turns out to be worth `score` to its mover; |score| is the level. */
static void region_tell(region *r, uint64_t index, int32_t score)
{
    if (r->bytes[index] != HOLOS_BYTE_UNKNOWN)
        return;
    if (score > 0) {
        region_settle(r, index, score);
    } else {
        assert(r->open[index] > 0);
        if (--r->open[index] == 0)
            region_settle(r, index, score);
    }
}

/* Tells the predecessors of what was settled. */
static void region_flood(region *r, neighbour *list)
{
    const holos_variant *v = r->w->v;
    while (r->depth > 0 && !r->full && limits_count(&r->w->limits)) {
        holos_place place = {.tier = r->tier, .part = r->part, .index = r->w->stack[--r->depth]};
        int32_t value = r->bytes[place.index] - HOLOS_BYTE_ZERO;
        v->game->index->unrank(v, place, r->w->here);
        uint32_t count = v->game->back->predecessors(v, r->w->here, r->w->predecessors);
        count = neighbours_collect(v, r->w->predecessors, count, list);
        for (uint32_t i = 0; i < count; i++)
            if (region_owns(r, list[i].place))
                region_tell(r, list[i].place.index,
                            (list[i].flags & HOLOS_EDGE_SAME_SIDE) != 0 ? value : -value);
    }
}

/* Looks at what a position has outside of the region: the end of the game, and moves to lower tiers.
 * With `count`, counts its moves and notes in `levels` which scores occur; without, tells what is of
 * this level. */
static void region_visit(region *r, uint64_t index, bool count, bool *levels, neighbour *list)
{
    const holos_variant *v = r->w->v;
    holos_place place = {.tier = r->tier, .part = r->part, .index = index};
    int32_t score;
    v->game->index->unrank(v, place, r->w->here);
    if (v->game->terminal(v, r->w->here, &score)) {
        if (count)
            levels[abs(score)] = true;
        else if (abs(score) == r->level)
            region_settle(r, index, score);
        return;
    }
    uint32_t moves = v->game->expand(v, r->w->here, r->w->successors);
    moves = neighbours_collect(v, r->w->successors, moves, list);
    if (count)
        r->open[index] = (uint16_t)moves;
    for (uint32_t i = 0; i < moves; i++) {
        if (region_owns(r, list[i].place))
            continue;
        int32_t value = *tables_at(r->w->tables, list[i].place) - HOLOS_BYTE_ZERO;
        score = (list[i].flags & HOLOS_EDGE_SAME_SIDE) != 0 ? value : -value;
        if (count)
            levels[abs(score)] = true;
        else if (abs(score) == r->level)
            region_tell(r, index, score);
    }
}

static void region_solve(region *r, neighbour *list)
{
    bool levels[HOLOS_BYTE_ZERO + 1] = {false};
    const struct limits *limits = &r->w->limits;
    for (uint64_t index = 0; index < r->size && limits_count(&r->w->limits); index++)
        region_visit(r, index, true, levels, list);
    for (r->level = HOLOS_BYTE_ZERO; r->level > 0; r->level--) {
        if (!levels[r->level])
            continue;
        for (uint64_t index = 0; index < r->size && limits_go_on(limits); index++) {
            if (r->bytes[index] == HOLOS_BYTE_UNKNOWN)
                region_visit(r, index, false, levels, list);
            region_flood(r, list);
        }
    }
    for (uint64_t index = 0; index < r->size; index++)
        if (r->bytes[index] == HOLOS_BYTE_UNKNOWN)
            r->bytes[index] = HOLOS_BYTE_ZERO;
}

holos_status retro_solve_cyclic(retro_worker *w, uint32_t tier, uint32_t part, holos_error *err)
{
    const holos_variant *v = w->v;
    region r = {.w = w, .tier = tier, .part = part, .bytes = w->tables->parts[tier][part]};
    r.size = v->game->index->size(v, tier, part);
    size_t most = v->max_successors > v->max_predecessors ? v->max_successors : v->max_predecessors;
    neighbour *list = malloc(most * sizeof *list);
    r.open = calloc(r.size, sizeof *r.open);
    if (list != NULL && r.open != NULL)
        region_solve(&r, list);
    bool failed = list == NULL || r.open == NULL || r.full;
    free(list);
    free(r.open);
    return failed ? error_system(err, "the counts of the retrograde engine") : w->limits.status;
}
