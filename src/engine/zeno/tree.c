/* SPDX-License-Identifier: MIT */

#include "engine/zeno/tree.h"

#include "core/list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memory ------------------------------------------------------------------------------------ */

bool zeno_tree_init(zeno_tree *t, const holos_variant *v)
{
    *t = (zeno_tree){.v = v};
    return true;
}

void zeno_tree_free(zeno_tree *t)
{
    free(t->nodes);
    free(t->positions);
    free(t->visits);
    free(t->sums);
    free(t->priors);
    free(t->glances);
    free(t->lo);
    free(t->hi);
    free(t->children);
    free(t->edges);
    *t = (zeno_tree){0};
}

static bool nodes_reserve(zeno_tree *t, size_t count)
{
    return LIST_RESERVE(t->nodes, t->node_room, count) &&
           LIST_RESERVE(t->positions, t->position_room, count * t->v->position_size);
}

/* All arrays of edges grow together. */
static bool edges_reserve(zeno_tree *t, size_t count)
{
    size_t size = 2 * count + 256;
    if (count <= t->edge_room)
        return true;
#define GROW(array)                                                                                          \
    do {                                                                                                     \
        void *grown = realloc(t->array, size * sizeof *t->array);                                            \
        if (grown == NULL)                                                                                   \
            return false;                                                                                    \
        t->array = grown;                                                                                    \
    } while (0)
    GROW(visits);
    GROW(sums);
    GROW(priors);
    GROW(glances);
    GROW(lo);
    GROW(hi);
    GROW(children);
    GROW(edges);
#undef GROW
    t->edge_room = size;
    return true;
}

/* ---- Growing ----------------------------------------------------------------------------------- */

static zeno_node node_fresh(const holos_variant *v, uint32_t parent, uint32_t above)
{
    return (zeno_node){.parent = parent, .above = above, .lo = v->score_min, .hi = v->score_max};
}

bool zeno_tree_root(zeno_tree *t, const holos_position *p)
{
    t->node_count = t->edge_count = 0;
    if (!nodes_reserve(t, 1))
        return false;
    t->nodes[0] = node_fresh(t->v, ZENO_NONE, ZENO_NONE);
    memcpy(zeno_position(t, 0), p, t->v->position_size);
    t->node_count = 1;
    return true;
}

uint32_t zeno_tree_add(zeno_tree *t, uint32_t node, uint32_t edge)
{
    if (!nodes_reserve(t, t->node_count + 1))
        return ZENO_NONE;
    uint32_t fresh = (uint32_t)t->node_count++;
    t->nodes[fresh] = node_fresh(t->v, node, edge);
    t->v->game->play(t->v, zeno_position(t, node), t->edges[edge].move, zeno_position(t, fresh));
    t->children[edge] = fresh;
    return fresh;
}

bool zeno_tree_open(zeno_tree *t, uint32_t node, const holos_edge *edges, uint32_t count)
{
    if (!edges_reserve(t, t->edge_count + count))
        return false;
    size_t first = t->edge_count;
    for (size_t i = first; i < first + count; i++) {
        t->visits[i] = t->sums[i] = t->glances[i] = t->priors[i] = 0;
        t->lo[i] = t->v->score_min;
        t->hi[i] = t->v->score_max;
        t->children[i] = ZENO_NONE;
        t->edges[i] = edges[i - first];
    }
    t->edge_count += count;
    t->nodes[node].first = (uint32_t)first;
    t->nodes[node].count = count;
    t->nodes[node].state = ZENO_OPEN;
    return true;
}

/* Copies a node with all below it; nodes come out in the order of a walk. */
static bool copy_below(const zeno_tree *from, uint32_t node, zeno_tree *to, uint32_t parent, uint32_t above)
{
    if (!nodes_reserve(to, to->node_count + 1))
        return false;
    uint32_t copy = (uint32_t)to->node_count++;
    const zeno_node *n = &from->nodes[node];
    to->nodes[copy] = *n;
    to->nodes[copy].parent = parent;
    to->nodes[copy].above = above;
    memcpy(zeno_position(to, copy), zeno_position(from, node), from->v->position_size);
    if (above != ZENO_NONE)
        to->children[above] = copy;
    if (n->count == 0)
        return true;
    if (!edges_reserve(to, to->edge_count + n->count))
        return false;
    uint32_t first = (uint32_t)to->edge_count;
    to->edge_count += n->count;
    to->nodes[copy].first = first;
#define COPY(array) memcpy(to->array + first, from->array + n->first, n->count * sizeof *to->array)
    COPY(visits);
    COPY(sums);
    COPY(priors);
    COPY(glances);
    COPY(lo);
    COPY(hi);
    COPY(children);
    COPY(edges);
#undef COPY
    for (uint32_t i = 0; i < n->count; i++)
        if (from->children[n->first + i] != ZENO_NONE &&
            !copy_below(from, from->children[n->first + i], to, copy, first + i))
            return false;
    return true;
}

bool zeno_tree_descend(zeno_tree *t, zeno_tree *spare, uint32_t edge)
{
    uint32_t child = t->children[edge];
    if (child == ZENO_NONE || t->nodes[child].state != ZENO_OPEN)
        return false;
    spare->node_count = spare->edge_count = 0;
    if (!copy_below(t, child, spare, ZENO_NONE, ZENO_NONE))
        return false;
    zeno_tree old = *t;
    *t = *spare;
    *spare = old;
    return true;
}

/* ---- Selection --------------------------------------------------------------------------------- */

/* One pass over arrays side by side, which compilers turn into vectors; an edge without visits has Q = 0. */
static void score(const zeno_tree *t, const zeno_node *n, zeno_formula f, float *scores)
{
    const float *visits = t->visits + n->first, *sums = t->sums + n->first;
    const float *priors = t->priors + n->first, *glances = t->glances + n->first;
    float factor = f.c * sqrtf(n->visits > 1 ? n->visits : 1);
    for (uint32_t i = 0; i < n->count; i++) {
        float divisor = visits[i] > 0 ? visits[i] : 1;
        scores[i] = sums[i] / divisor + factor * priors[i] / (1 + visits[i]) + f.lambda * glances[i];
    }
}

uint32_t zeno_tree_select(const zeno_tree *t, uint32_t node, zeno_formula f)
{
    const zeno_node *n = &t->nodes[node];
    float scores[ZENO_EDGES_MAX], best = -INFINITY;
    uint32_t chosen = n->first;
    score(t, n, f, scores);
    for (uint32_t i = 0; i < n->count; i++) {
        bool lost = t->hi[n->first + i] < 0;
        if (!lost && scores[i] > best) {
            best = scores[i];
            chosen = n->first + i;
        }
    }
    return chosen;
}

/* ---- Proofs ------------------------------------------------------------------------------------ */

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* What a node's edges prove of it; true if that is more than before. */
static bool node_narrow(zeno_tree *t, uint32_t node)
{
    zeno_node *n = &t->nodes[node];
    int32_t lo = t->v->score_min, hi = lo;
    for (uint32_t i = n->first; i < n->first + n->count; i++) {
        lo = most(lo, t->lo[i]);
        hi = most(hi, t->hi[i]);
    }
    if (lo <= n->lo && hi >= n->hi)
        return false;
    n->lo = most(lo, n->lo);
    n->hi = hi < n->hi ? hi : n->hi;
    float value;
    if (zeno_says(n->lo, n->hi, &value))
        n->state = ZENO_SETTLED;
    return true;
}

void zeno_tree_prove(zeno_tree *t, uint32_t node, int32_t lo, int32_t hi)
{
    float value;
    zeno_node *n = &t->nodes[node];
    n->lo = lo;
    n->hi = hi;
    if (zeno_says(lo, hi, &value))
        n->state = ZENO_SETTLED;
    while (t->nodes[node].parent != ZENO_NONE) {
        n = &t->nodes[node];
        bool same = (t->edges[n->above].flags & HOLOS_EDGE_SAME_SIDE) != 0;
        t->lo[n->above] = same ? n->lo : -n->hi;
        t->hi[n->above] = same ? n->hi : -n->lo;
        node = n->parent;
        if (!node_narrow(t, node))
            return;
    }
}
