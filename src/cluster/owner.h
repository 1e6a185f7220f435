/* SPDX-License-Identifier: MIT */

/* Inside graph.c, heights.c and values*.c. */

#ifndef HOLOS_CLUSTER_OWNER_H
#define HOLOS_CLUSTER_OWNER_H

#include "cluster/exchange.h"
#include "cluster/graph.h"
#include "cluster/keys.h"
#include "cluster/reached.h"
#include "core/clock.h"
#include "engine/wave/graph_node.h"

/* Positions that are expanded between two exchanges. One rank and two reach kalah:3,8 and kalah:3,9 in 0.9 times the time of 8,192. */
#define SLICE            16384
#define GRAPH_RANKS_MOST 0x8000 /* a rank is 15 bits of what a position keeps of its questions */
/* Keys that a rank remembers to have sent or got; a power of two. On connect4:5x4 a quarter of what would travel need not. */
#define SENT 32768

struct cluster_graph {
    cluster_graph_request q;
    holos_wave *w; /* whose nodes are this rank's positions */
    unsigned words;
    reached reached;
    uint64_t *slice; /* keys that are being expanded */
    uint64_t *sent;  /* keys, of late, by hash: their owners have them, or soon will */
    record_box held; /* of the batch under way: the keys that this rank has found for itself */
    uint64_t *taken; /* keys of a batch, as they go into the table */
    size_t taken_room;
    holos_position *here, *start;
    holos_edges out;
    holos_status status; /* of this rank: what all will be told of */
    holos_error error;
    holos_error problem; /* what a call for a key says: millions of them, so none on the stack is cleared */
    bool grow;           /* the table of some rank will soon have to: all do it at the same time */
    bool skip;           /* some rank has failed: the rest of the layer is of no use */
    uint64_t before;     /* positions of all ranks in the layers that are counted */
    uint64_t told;       /* and of how many positions somebody has been told */
    /* Of each layer: */
    cluster_layer *layers;
    uint64_t *longest; /* positions of the rank that has the most: so many slices all of them exchange */
    size_t layer_count, layer_room, longest_room;
};

/* The rank that a position belongs to. */
static inline unsigned owner_of(const holos_cluster *c, uint64_t hash)
{
    return nodes_part_of(hash, c->ranks);
}

/* Notes the first failure of this rank. */
void graph_fail(cluster_graph *g, holos_status status, const holos_error *err);
/* Whether somebody has asked to stop: then this rank has failed. */
bool graph_stopped(cluster_graph *g);
/* The keys of a layer from one on, up to so many of them (no more than SLICE), into g->slice; how many. */
size_t slice_read(cluster_graph *g, size_t depth, uint64_t first, size_t most);

#endif
