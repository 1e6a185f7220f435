/* SPDX-License-Identifier: MIT */

/* An exploration that the ranks of a cluster share: what its job does differently (wave_job.c). Rank 0 has the store; every rank
 * keeps its checkpoints beside it, or where that would be on its machine. */

#ifndef HOLOS_SESSION_CLUSTER_WAVE_H
#define HOLOS_SESSION_CLUSTER_WAVE_H

#include "cluster/wave.h"
#include "game/jobs.h"
#include "session/plan.h"

typedef struct shared_wave {
    holos_cluster *cluster;
    holos_wave *w; /* the job's: this rank's positions */
    cluster_wave *g;
    char *kept; /* where checkpoints lie; NULL: there is no store */
    bool restored;
    uint64_t memory; /* of the rank with the most */
    uint64_t traffic, messages;
    uint64_t rank_most, rank_least; /* positions */
} shared_wave;

/* Whether a wave with these options can be shared; if not, the reason. */
holos_status shared_wave_check(const job *j, const holos_wave_options *o, holos_wave_mode mode,
                               holos_error *err);
/* What each of so many ranks needs, once the plan of one process is known. */
void shared_wave_plan(const job *j, const growth *g, const plan_costs *each, const wave_ways *ways,
                      unsigned ranks, bool graph, holos_plan *out);
/* Where the checkpoints of a store lie; NULL: there is no store, or no memory. The caller frees it. */
char *shared_wave_place(const job *j);

/* Takes up a checkpoint or the hologram at this path, if the job goes on; *fresh: there is neither. */
holos_status shared_wave_begin(job *j, shared_wave *s, const char *hologram, bool *fresh, holos_error *err);
/* Runs and, unless it was interrupted, writes the hologram (NULL: it is not kept). */
holos_status shared_wave_run(job *j, shared_wave *s, const char *hologram, holos_error *err);
void shared_wave_close(shared_wave *s);

void shared_wave_report(const shared_wave *s, holos_report *r);

#endif
