/* SPDX-License-Identifier: MIT */

#include "engine/graph/graph.h"

#include "core/clock.h"

#include <stdlib.h>
#include <string.h>

/* Positions between two looks at the stop flag and the progress line. */
#define STRIDE 4096

typedef struct key_list {
    holos_key *keys;
    size_t count, capacity;
} key_list;

static bool key_list_push(key_list *l, holos_key key)
{
    if (l->count == l->capacity) {
        size_t capacity = l->capacity != 0 ? 2 * l->capacity : 4096;
        holos_key *keys = realloc(l->keys, capacity * sizeof *keys);
        if (keys == NULL)
            return false;
        l->keys = keys;
        l->capacity = capacity;
    }
    l->keys[l->count++] = key;
    return true;
}

static holos_status no_memory(const graph *g, holos_error *err)
{
    return mem_error(err, g->o.budget, g->positions * 48, "the graph");
}

static bool stopped(const graph *g)
{
    return g->o.stop != NULL && __atomic_load_n(g->o.stop, __ATOMIC_RELAXED);
}

/* ---- Breadth first ----------------------------------------------------------------------------- */

/* Adds a position if it is new. False: no memory. */
static bool node_add(graph *g, holos_key identity, uint32_t depth, key_list *frontier, bool *fresh)
{
    graph_node *node = table_insert(&g->nodes, identity, fresh);
    if (node == NULL)
        return false;
    if (!*fresh)
        return true;
    *node = (graph_node){.depth = depth, .value = GRAPH_NO_VALUE};
    g->positions++;
    return key_list_push(frontier, identity);
}

static bool node_expand(graph *g, holos_key identity, uint32_t depth, key_list *next, graph_level *level)
{
    const holos_game *game = g->v->game;
    int32_t over;
    game->from_identity(g->v, identity, g->here);
    if (game->terminal(g->v, g->here, &over)) {
        level->finished++;
        return true;
    }
    uint32_t count = game->expand(g->v, g->here, g->successors);
    level->generated += count;
    for (uint32_t i = 0; i < count; i++) {
        bool fresh = false;
        holos_key child = game->identity(g->v, position_at(g->v, g->successors.positions, i));
        if (!node_add(g, child, depth + 1, next, &fresh))
            return false;
        level->fresh += fresh;
    }
    return true;
}

static holos_status level_expand(graph *g, uint32_t depth, const key_list *frontier, key_list *next,
                                 graph_level *level, holos_error *err)
{
    double begun = clock_wall();
    level->positions = frontier->count;
    for (size_t i = 0; i < frontier->count; i++) {
        if (!node_expand(g, frontier->keys[i], depth, next, level))
            return no_memory(g, err);
        if (i % STRIDE == STRIDE - 1) {
            progress_add(g->o.progress, STRIDE);
            if (stopped(g))
                return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted at depth %u", depth);
        }
    }
    progress_add(g->o.progress, frontier->count % STRIDE);
    level->seconds = clock_wall() - begun;
    g->finished += level->finished;
    g->edges += level->generated;
    return HOLOS_OK;
}

static holos_status levels_expand(graph *g, key_list *frontier, key_list *next, holos_error *err)
{
    for (uint32_t depth = 0; frontier->count > 0; depth++) {
        graph_level *levels = realloc(g->levels, (depth + 1) * sizeof *levels);
        if (levels == NULL)
            return no_memory(g, err);
        g->levels = levels;
        g->levels[depth] = (graph_level){0};
        g->level_count = depth + 1;
        next->count = 0;
        holos_status status = level_expand(g, depth, frontier, next, &g->levels[depth], err);
        if (status != HOLOS_OK)
            return status;
        key_list swap = *frontier;
        *frontier = *next;
        *next = swap;
    }
    return HOLOS_OK;
}

holos_status graph_build(graph *g, const holos_variant *v, const holos_position *from, const graph_options *o,
                         holos_error *err)
{
    key_list frontier = {0}, next = {0};
    bool fresh;
    *g = (graph){.v = v, .o = *o};
    if (v->game->from_identity == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "the graph of %s cannot be made: its positions do not fit into a key", v->name);
    g->here = holos_position_new(v);
    g->successors.edges = calloc(v->max_successors, sizeof *g->successors.edges);
    g->successors.positions = aligned_alloc(16, v->max_successors * v->position_size);
    if (g->here == NULL || g->successors.edges == NULL || g->successors.positions == NULL)
        return error_system(err, "the graph");
    holos_status status = table_init(&g->nodes, o->budget, sizeof(graph_node), 1 << 16, err);
    if (status != HOLOS_OK)
        return status;
    progress_begin(o->progress, "graph", "positions", 0);
    if (node_add(g, v->game->identity(v, from), 0, &frontier, &fresh))
        status = levels_expand(g, &frontier, &next, err);
    else
        status = no_memory(g, err);
    progress_end(o->progress);
    free(frontier.keys);
    free(next.keys);
    return status;
}

void graph_free(graph *g)
{
    if (g->nodes.slots != NULL)
        table_free(&g->nodes);
    holos_position_free(g->here);
    free(g->successors.edges);
    free(g->successors.positions);
    free(g->levels);
    memset(g, 0, sizeof *g);
}

/* ---- Values ------------------------------------------------------------------------------------ */

static graph_node *node_at(const graph *g, holos_key identity)
{
    return table_find(&g->nodes, identity);
}

/* What a successor's score is worth to the mover: scores include what is banked, so gains do not count. */
static int32_t score_of(holos_edge edge, int32_t child)
{
    return (edge.flags & HOLOS_EDGE_SAME_SIDE) != 0 ? child : -child;
}

/* The score from the successors'; GRAPH_NO_VALUE, and *missing, if one is not known yet. */
static int32_t node_score(graph *g, holos_key identity, holos_key *missing)
{
    const holos_game *game = g->v->game;
    int32_t over, best = GRAPH_NO_VALUE;
    game->from_identity(g->v, identity, g->here);
    if (game->terminal(g->v, g->here, &over))
        return over + game_banked(g->v, g->here);
    uint32_t count = game->expand(g->v, g->here, g->successors);
    for (uint32_t i = 0; i < count; i++) {
        holos_key child = game->identity(g->v, position_at(g->v, g->successors.positions, i));
        int32_t value = node_at(g, child)->value;
        if (value == GRAPH_NO_VALUE) {
            *missing = child;
            return GRAPH_NO_VALUE;
        }
        value = score_of(g->successors.edges[i], value);
        best = value > best ? value : best;
    }
    return best;
}

/* What `identity` needs first, then itself. */
static bool node_solve(graph *g, holos_key identity, key_list *stack)
{
    stack->count = 0;
    if (!key_list_push(stack, identity))
        return false;
    while (stack->count > 0) {
        holos_key top = stack->keys[stack->count - 1], missing = top;
        int32_t score = node_score(g, top, &missing);
        if (score == GRAPH_NO_VALUE) {
            if (!key_list_push(stack, missing))
                return false;
        } else {
            node_at(g, top)->value = score;
            stack->count--;
        }
    }
    return true;
}

holos_status graph_solve(graph *g,
                         bool (*probe)(const void *context, const holos_position *p, int32_t *value),
                         const void *context, holos_error *err)
{
    key_list stack = {0};
    holos_key identity;
    void *payload;
    uint64_t done = 0;
    holos_status status = HOLOS_OK;
    if (probe == NULL && (g->v->game->traits & HOLOS_TRAIT_CYCLIC) != 0)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "%s can repeat positions: its graph has no values", g->v->name);
    progress_begin(g->o.progress, "values", "positions", g->positions);
    for (size_t i = 0; status == HOLOS_OK && table_next(&g->nodes, &i, &identity, &payload);) {
        graph_node *node = payload;
        int32_t value;
        if (node->value == GRAPH_NO_VALUE && probe != NULL) {
            g->v->game->from_identity(g->v, identity, g->here);
            if (probe(context, g->here, &value))
                node->value = value + game_banked(g->v, g->here);
        }
        if (node->value == GRAPH_NO_VALUE && !node_solve(g, identity, &stack))
            status = no_memory(g, err);
        if (++done % STRIDE == 0) {
            progress_add(g->o.progress, STRIDE);
            if (stopped(g))
                status = error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
        }
    }
    progress_end(g->o.progress);
    free(stack.keys);
    return status;
}

bool graph_best(graph *g, holos_key identity, holos_move *out)
{
    const holos_game *game = g->v->game;
    const graph_node *node = node_at(g, identity);
    int32_t over;
    game->from_identity(g->v, identity, g->here);
    if (node->value == GRAPH_NO_VALUE || game->terminal(g->v, g->here, &over))
        return false;
    uint32_t count = game->expand(g->v, g->here, g->successors);
    for (uint32_t i = 0; i < count; i++) {
        holos_key child = game->identity(g->v, position_at(g->v, g->successors.positions, i));
        if (score_of(g->successors.edges[i], node_at(g, child)->value) == node->value) {
            *out = g->successors.edges[i].move;
            return true;
        }
    }
    return false;
}

static int key_compare(const void *a, const void *b)
{
    const holos_key *x = a, *y = b;
    return holos_key_less(*x, *y) ? -1 : holos_key_less(*y, *x);
}

holos_key *graph_sorted(const graph *g)
{
    holos_key *keys = malloc(g->positions * sizeof *keys);
    void *payload;
    size_t count = 0;
    if (keys == NULL)
        return NULL;
    for (size_t i = 0; table_next(&g->nodes, &i, &keys[count], &payload);)
        if (++count == g->positions)
            break;
    qsort(keys, g->positions, sizeof *keys, key_compare);
    return keys;
}
