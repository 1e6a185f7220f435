/* SPDX-License-Identifier: MIT */

/* A database that no rank has room for: every part is in the memory of one rank. The parts of a tier are given to the ranks
 * beforehand, the largest first, each to the rank that has the least so far. A position's successors in other parts are asked for,
 * gathered and sent in batches; those in its own part are solved here. So memory is 1/N in every rank, and positions go one by
 * one: a game's kernel needs all lower tiers at hand. */

#ifndef HOLOS_CLUSTER_SPREAD_H
#define HOLOS_CLUSTER_SPREAD_H

#include "cluster/cluster.h"
#include "engine/retrograde/retrograde.h"

typedef struct cluster_spread cluster_spread;

typedef struct spread_request {
    const holos_variant *v;
    holos_cluster *cluster;
    uint32_t top;
    mem_budget *budget;
    const retro_keeper *keeper; /* NULL, or one that every rank can use */
    progress *progress;         /* may be NULL */
    const holos_stop *stop;     /* may be NULL */
} spread_request;

/* HOLOS_UNSUPPORTED, and why, if a game's databases cannot be spread. */
holos_status spread_supports(const holos_variant *v, holos_error *err);
/* Bytes that the fullest of so many ranks needs. */
uint64_t spread_memory(const holos_variant *v, uint32_t top, unsigned ranks);

/* Solves everything; all ranks together. The caller closes it in any case. */
holos_status spread_build(const spread_request *q, cluster_spread **out, holos_error *err);
void spread_close(cluster_spread *s);

/* What this rank has computed: positions, and processor seconds. */
void spread_work(const cluster_spread *s, uint64_t *positions, double *seconds);
/* The value of p; false if it lies beyond the tables or in another rank. */
bool spread_probe(const cluster_spread *s, const holos_position *p, int32_t *value);
/* Adds up how often each byte occurs in this rank. */
void spread_count(const cluster_spread *s, uint64_t values[256]);

#endif
