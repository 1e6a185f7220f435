/* SPDX-License-Identifier: MIT */

/* The tree of a Monte Carlo tree search, in arrays: a node is a number, its edges lie side by side, and what the selection reads of them
 * (visits, values, priors, glances) is an array each, so that one pass over a few vectors finds the best.
 *
 * Values are in [-1, 1] for whoever makes the move of an edge. What is proved stands apart, in [lo, hi]: scores with what is banked, for
 * the side to move of a node, for the mover of an edge. A node is settled when its interval says who wins; a settled edge is worth
 * exactly that, whatever a network said. */

#ifndef HOLOS_ZENO_TREE_H
#define HOLOS_ZENO_TREE_H

#include "core/limits.h"
#include "game/game.h"

#define ZENO_NONE      UINT32_MAX
#define ZENO_DEPTH     1024 /* a line longer than this is not followed further */
#define ZENO_EDGES_MAX 1024 /* of a position */

typedef enum zeno_state {
    ZENO_WAITING = 0, /* for the network */
    ZENO_OPEN,        /* has edges */
    ZENO_SETTLED,     /* the interval says who wins */
} zeno_state;

typedef struct zeno_node {
    uint32_t first, count; /* its edges */
    uint32_t parent;       /* the node above, ZENO_NONE at the root */
    uint32_t above;        /* the edge that leads here */
    float visits;          /* of all its edges */
    float value;           /* what the network said, for the side to move */
    int32_t lo, hi;
    zeno_state state;
} zeno_node;

typedef struct zeno_tree {
    const holos_variant *v;
    zeno_node *nodes;
    unsigned char *positions; /* of nodes */
    size_t node_count, node_room, position_room;
    /* Edges. */
    float *visits, *sums, *priors, *glances;
    int32_t *lo, *hi;
    uint32_t *children; /* ZENO_NONE: not visited yet */
    holos_edge *edges;
    size_t edge_count, edge_room;
} zeno_tree;

/* How edges are compared: Q + c P sqrt(N) / (1 + n) + lambda h. */
typedef struct zeno_formula {
    float c, lambda;
} zeno_formula;

/* False: no memory. zeno_tree_free in any case. */
bool zeno_tree_init(zeno_tree *t, const holos_variant *v);
void zeno_tree_free(zeno_tree *t);

/* Empties the tree; its root, which waits for the network, is node 0. False: no memory. */
bool zeno_tree_root(zeno_tree *t, const holos_position *p);
/* Makes the position after an edge of the root the root, with everything below. `spare` is another tree of the same variant, whose
 * memory is used. False: no memory, or nothing is known below the edge; then the tree is as it was. */
bool zeno_tree_descend(zeno_tree *t, zeno_tree *spare, uint32_t edge);

static inline holos_position *zeno_position(const zeno_tree *t, uint32_t node)
{
    return (holos_position *)(t->positions + node * t->v->position_size);
}

/* A node for the position below an edge. ZENO_NONE: no memory. */
uint32_t zeno_tree_add(zeno_tree *t, uint32_t node, uint32_t edge);
/* Gives a node its edges, without visits; priors and glances are the caller's to fill. False: no memory. */
bool zeno_tree_open(zeno_tree *t, uint32_t node, const holos_edge *edges, uint32_t count);

/* The edge that the formula likes best; edges that are known to lose only if there is nothing else. */
uint32_t zeno_tree_select(const zeno_tree *t, uint32_t node, zeno_formula f);

/* What is proved of a node becomes [lo, hi], and of all nodes above it what follows from that. */
void zeno_tree_prove(zeno_tree *t, uint32_t node, int32_t lo, int32_t hi);

/* Who wins according to an interval: 1, 0 or -1; false if it does not say. */
static inline bool zeno_says(int32_t lo, int32_t hi, float *value)
{
    *value = (float)((lo > 0) - (hi < 0));
    return lo > 0 || hi < 0 || (lo == 0 && hi == 0);
}

/* The value of an edge for its mover: what is proved, else the mean of what came back. */
static inline float zeno_edge_value(const zeno_tree *t, uint32_t edge)
{
    float value;
    if (zeno_says(t->lo[edge], t->hi[edge], &value))
        return value;
    return t->visits[edge] > 0 ? t->sums[edge] / t->visits[edge] : 0;
}

#endif
