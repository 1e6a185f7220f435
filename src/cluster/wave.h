/* SPDX-License-Identifier: MIT */

/* An exploration over the ranks of a cluster: owner computes, as for a graph (graph.h). Every rank has a wave with the positions
 * that are its own. A layer is expanded where its positions are, and what it gives travels to its owner, which knows whether it
 * is new. Values flow back in sweeps, as in one process: from the deepest layer on, positions ask the owners of their successors.
 * At the end rank 0 merges the sorted positions of all ranks into one hologram. It has the bytes that one process would make in
 * one go: whatever depends on an order depends on that of hashes.
 *
 * A wave that runs back is shared likewise (wave_back.c). All ranks make the same calls; a failure of one is the failure of
 * all. */

#ifndef HOLOS_CLUSTER_WAVE_H
#define HOLOS_CLUSTER_WAVE_H

#include "cluster/cluster.h"
#include "engine/wave/wave.h"

typedef struct cluster_wave cluster_wave;

typedef struct cluster_wave_request {
    holos_wave *w; /* the caller's: of one thread, with part and parts set before it got its seeds */
    holos_cluster *cluster;
    uint64_t nodes;  /* positions that may be expanded; 0: any number */
    double deadline; /* that of rank 0 counts */
    double grace;    /* seconds after the deadline for values to flow once more */
    const holos_stop *stop;
    const char *path;     /* NULL, or where checkpoints go: PATH.RANK.0 and PATH.RANK.1, in turns */
    double every;         /* seconds between two of them */
    const char *hologram; /* NULL, or the one that was continued, for a checkpoint that goes back to it */
} cluster_wave_request;

/* The caller closes it in any case. */
holos_status cluster_wave_open(const cluster_wave_request *q, cluster_wave **out, holos_error *err);
void cluster_wave_close(cluster_wave *g);

/* Takes up the last checkpoint that all ranks have, seeds included; *found: there is one. HOLOS_USAGE: it is of another
 * exploration, or of another number of ranks. */
holos_status cluster_wave_restore(cluster_wave *g, bool *found, holos_error *err);
/* Before a run, when the wave has all its seeds: every rank gets to know their positions. */
holos_status cluster_wave_seeds(cluster_wave *g, holos_error *err);
/* Like holos_wave_run in mode wave. HOLOS_INTERRUPTED: there is a checkpoint, if there is a path for it. */
holos_status cluster_wave_run(cluster_wave *g, holos_error *err);
/* After a run: the hologram, written by rank 0. */
holos_status cluster_wave_save(cluster_wave *g, const char *path, holos_error *err);

/* Over all ranks, as of late. */
void cluster_wave_totals(const cluster_wave *g, holos_wave_statistics *out);
/* What all ranks are told of a position; all of them ask. */
wave_node cluster_wave_node(cluster_wave *g, holos_key key);
/* Why a run has ended, as struct limits says it; NULL: there was no limit. */
const char *cluster_wave_limit(const cluster_wave *g);

/* Whether rank 0 has a checkpoint there, and removing those of this rank, and of ranks from `more` on (wave_keep.c). */
bool cluster_wave_kept(const char *path);
void cluster_wave_forget(const char *path, unsigned rank, unsigned more);

#endif
