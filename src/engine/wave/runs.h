/* SPDX-License-Identifier: MIT */

/* Runs: nodes that do not fit into memory. When the limit is near, all nodes in memory are written to a file in
 * the order of shards and hashes, which is the order they have; the file is mapped, so that what is known of a node
 * can still change, and the memory is free for new ones. When there are many runs, they are merged into one. The
 * files have no names once they are open: whatever happens, none stays behind.
 *
 * A node is in one place only. Whoever makes one looks for it in the runs first; but a forward wave, which makes
 * millions, puts that off (delayed duplicate detection): nodes_settle compares all that is in memory with all
 * runs in one pass in the order of their hashes, which reads the files from their beginning to their end. */

#ifndef HOLOS_WAVE_RUNS_H
#define HOLOS_WAVE_RUNS_H

#include "engine/wave/layers.h"

#define RUNS_MOST 8

typedef struct nodes_run {
    uint64_t *slots; /* as in memory, without gaps */
    size_t bytes;
    unsigned char *positions; /* where positions are kept: in the same order */
    size_t position_bytes;
    size_t begin[NODES_SHARDS + 1]; /* of each shard, in slots */
} nodes_run;

struct nodes_runs {
    nodes_run runs[RUNS_MOST + 1];
    unsigned count;
};

/* A node of this key was made in memory, and there is one in a run. What is known of it stays there. */
typedef void nodes_met(void *context, holos_key key, node_at in_run, wave_node in_memory);
/* Finds the nodes of a shard that are in memory and in a run, and keeps those in the runs. Returns how many there
 * were. Nobody may hold a node_at. */
size_t nodes_settle(nodes *n, unsigned shard, nodes_met *met, void *context);

/* Moves all nodes to a file in this folder. Nobody may hold a node_at. */
holos_status nodes_spill(nodes *n, const char *folder, holos_error *err);
/* Brings all that is on disk into one run, so that a look-up looks at one place. */
holos_status nodes_runs_merge(nodes *n, const char *folder, holos_error *err);
/* Moves the lists of all layers to files, but those of the layer `keep` (may be NULL). */
holos_status layers_spill(layers *l, const layer *keep, const char *folder, holos_error *err);
void nodes_runs_free(nodes *n);

#endif
