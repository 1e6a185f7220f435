/* SPDX-License-Identifier: MIT */

/* Inside graph.c, graph_edges.c and rows.c: what a node of a graph says once it has a value. */

#ifndef HOLOS_WAVE_GRAPH_NODE_H
#define HOLOS_WAVE_GRAPH_NODE_H

#include "core/progress.h"
#include "engine/wave/wave.h"

/* What `known` may be: no source of a wave_node. */
enum {
    GRAPH_CLAIMED = UINT8_MAX - 1, /* somebody is working at the value */
    GRAPH_KNOWN = UINT8_MAX        /* the node has its value */
};

/* A node of a graph with values, in place of a wave_node. */
typedef struct graph_node {
    int16_t value;  /* the score, with what is banked; once it is known */
    uint16_t best;  /* the first of the best moves + 1; 0: the game is over */
    uint16_t depth; /* as in a wave_node */
    uint8_t known;  /* GRAPH_… */
    uint8_t flags;
} graph_node;

_Static_assert(sizeof(graph_node) == sizeof(wave_node), "they take each other's place");

static inline graph_node graph_load(const uint64_t *at)
{
    wave_node from = node_load(at);
    graph_node n;
    memcpy(&n, &from, sizeof n);
    return n;
}

static inline void graph_store(node_at at, graph_node n)
{
    wave_node to;
    memcpy(&to, &n, sizeof to);
    node_store(at, to);
}

static inline holos_row graph_row(holos_key identity, graph_node n)
{
    bool known = n.known == GRAPH_KNOWN, best = known && n.best > 0;
    return (holos_row){.identity = identity,
                       .depth = n.depth,
                       .value = known ? n.value : 0,
                       .best = best ? n.best - 1u : 0,
                       .has_value = known,
                       .has_best = best};
}

#define GRAPH_NO_MEMORY "out of memory for the values of the graph"

/* From here on no node is made: all of them lie where they are found fast. */
holos_status graph_settle_down(holos_wave *w, holos_error *err);

/* graph_solve by the recorded edges, which are gone after it. */
holos_status graph_solve_edges(holos_wave *w, progress *shown, holos_error *err);

#endif
