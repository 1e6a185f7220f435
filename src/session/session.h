/* SPDX-License-Identifier: MIT */

/* Inside sessions: exploration in rounds. What its files share.
 *
 *     session_job     the kind of job: the loop over rounds, phases, limits, the report
 *     session_task    what a round is made of: batches of seeds, and settling
 *     session_choose  the seeds of the next round
 *     session_child   tasks in processes of their own
 *
 * A round explores its seeds in batches. Each batch is a wave of its own, from some seeds and with some nodes, and ends as a
 * hologram: what is in it depends on its seeds and options alone. Settling merges the batches into the session's hologram, lets
 * values flow, notes the round and how its seeds did, and chooses the next ones. All that a session knows is in that file, which
 * appears whole or not at all; batches that are finished wait beside it. So a session that is killed at any moment goes on from the
 * last finished batch. */

#ifndef HOLOS_SESSION_SESSION_H
#define HOLOS_SESSION_SESSION_H

#include "engine/wave/history.h"
#include "session/job.h"
#include "session/waving.h"

#define SESSION_SEEDS_MOST 4096

typedef struct session_settings {
    int64_t phase_rounds, round_seeds, batch_seeds, seed_depth;
    uint64_t round_nodes, budget;
    uint64_t keep_free, batch_memory; /* bytes */
    bool isolate;
    waving_settings common;
} session_settings;

/* One thing that a round does, and what came of it. */
typedef struct session_task {
    bool settles; /* the round, rather than a batch of it */
    uint64_t round;
    holos_phase phase;
    uint64_t session; /* its number */
    holos_wave_mode mode;
    uint64_t nodes;
    uint64_t batches, lost;   /* settling: of the round */
    const char *path;         /* the session's hologram */
    const char *out;          /* a batch: its hologram */
    const char *const *seeds; /* lines: of the batch; settling: of the round, as they were explored */
    size_t seed_count;
    const char *const *parts; /* settling: the holograms of the batches */
    size_t part_count;
} session_task;

/* Does a task in this process. */
holos_status session_task_run(job *j, const session_task *task, holos_error *err);

/* Does a task in a process of its own. *died: it ended without saying why, or for want of memory, and nothing has changed. */
holos_status session_task_spawn(job *j, const session_task *task, bool *died, holos_error *err);
/* In that process: does what the request in that file says. */
holos_status session_batch(job *j, const char *path, holos_error *err);

/* Puts the seeds of the next round into the wave's history: open positions that no wave has expanded, of features that have paid. */
holos_status session_choose(holos_wave *w, size_t most, uint64_t seed, holos_error *err);
/* What counts as the features of a position; 0 where the game names none. */
uint64_t session_features(const holos_variant *v, const holos_position *p);

#endif
