/* SPDX-License-Identifier: MIT */

/* The reachable graph of a game over the ranks of a cluster: owner computes. A position belongs to the rank that a hash of its
 * identity names. A layer is expanded where its positions are; what is reached travels to its owner, which knows whether it is
 * new. Then values flow back in the same way. Every rank keeps its positions in the nodes of a wave, so that they take as much
 * memory as in one process, can go to disk, and come out as sorted rows.
 *
 * All ranks make the same calls; a failure of one is the failure of all. */

#ifndef HOLOS_CLUSTER_GRAPH_H
#define HOLOS_CLUSTER_GRAPH_H

#include "cluster/cluster.h"
#include "engine/wave/graph.h"

typedef struct cluster_graph cluster_graph;

typedef struct cluster_graph_request {
    const holos_variant *v;
    holos_cluster *cluster;
    mem_budget *budget;
    const char *spill; /* NULL, or a folder for positions that do not fit into memory */
    const char *path;  /* NULL, or where checkpoints go: PATH.RANK */
    bool resume;
    uint64_t expected; /* positions of all ranks, about; 0: nobody knows */
    const holos_stop *stop;
    progress *progress;
} cluster_graph_request;

/* What is known of one depth, over all ranks. */
typedef struct cluster_layer {
    uint64_t positions, generated;
} cluster_layer;

/* Reaches everything from the start. The caller closes the graph in any case. */
holos_status cluster_graph_reach(const cluster_graph_request *q, cluster_graph **out, holos_error *err);
/* Values all positions. */
holos_status cluster_graph_solve(cluster_graph *g, holos_error *err);
/* All rows in the order of their identities, given to rank 0. */
holos_status cluster_graph_rows(cluster_graph *g, graph_take *take, void *context, holos_error *err);

/* How rows are packed: `block` of them together to at most `room` bytes, a multiple of four. */
typedef struct graph_packing {
    size_t block, room;
    holos_status (*pack)(void *context, const holos_row *rows, size_t count, unsigned char *out, size_t *size,
                         holos_error *err);
    holos_status (*take)(void *context, const unsigned char *bytes, size_t size,
                         holos_error *err); /* rank 0 */
    void *context;
} graph_packing;

/* The same rows, packed by all ranks (ranges.h), and given to rank 0 in their order. */
holos_status cluster_graph_pack(cluster_graph *g, const graph_packing *how, holos_error *err);
/* `finished`: the checkpoints are of no more use. */
void cluster_graph_close(cluster_graph *g, bool finished);

size_t cluster_graph_depth(const cluster_graph *g); /* layers */
cluster_layer cluster_graph_layer(const cluster_graph *g, size_t depth);
/* All ranks together. */
void cluster_graph_count(cluster_graph *g, graph_counts *out);
void cluster_graph_start(cluster_graph *g, holos_row *out);
/* The most and the least positions that a rank has. */
void cluster_graph_skew(cluster_graph *g, uint64_t *most, uint64_t *least);

#endif
