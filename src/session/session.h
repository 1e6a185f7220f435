/* SPDX-License-Identifier: MIT */

/* Inside sessions: exploration in rounds. What its files share.
 *
 *     session_job      the kind of job: the loop over rounds, phases, limits, the report
 *     session_phases   the phase of the next round, and how its seeds are explored
 *     session_batches  the batches of a round: names, those that are finished, those that die
 *     session_task     what a round is made of: batches of seeds, and settling
 *     session_choose   the seeds of the next round
 *     session_child    tasks in processes of their own
 *     session_ranks    rounds that the ranks of a cluster share
 *
 * A round explores its seeds in batches. Each batch is a wave of its own, from some seeds and with some nodes, and ends as a
 * hologram: what is in it depends on its seeds and options alone. Settling merges the batches into the session's hologram, lets
 * values flow, notes the round and how its seeds did, and chooses the next ones. All that a session knows is in that file, which
 * appears whole or not at all; batches that are finished wait beside it. So a session that is killed at any moment goes on from the
 * last finished batch. */

#ifndef HOLOS_SESSION_SESSION_H
#define HOLOS_SESSION_SESSION_H

#include "core/json.h"
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

typedef struct session_task session_task;

/* A session between two rounds, and the round that is under way. */
typedef struct session_state {
    char *path; /* of the hologram */
    wave_history history;
    uint64_t session; /* its number */
    holos_phase phase;
    uint64_t rounds, used; /* finished rounds, and what they have expanded */
    uint64_t done_now;     /* rounds of this run */
    uint64_t expanded_now;
    char **seeds; /* of the next round, as lines */
    size_t seed_count, seed_room;
    holos_position *p;
    /* Of the round that is under way. */
    session_task *batches;
    size_t batch_count;
    uint32_t *finished; /* for each seed: of how many, from it on, there is a hologram */
    char **parts;
    size_t part_count, part_room;
    uint64_t lost;
    /* Of this run. */
    uint64_t lost_now, died_now;
    holos_report *deaths; /* never shown by itself: where words about them live */
    const char *death[32];
    size_t death_count;
    uint64_t traffic, messages; /* between ranks */
    double seconds;
} session_state;

/* A seed of the next round, as a line. False: no memory. */
bool session_seed_add(session_state *s, const holos_variant *v, const holos_wave_seed *seed);
void session_words_clear(char **list, size_t *count);

/* ---- Tasks (session_task.c) ---------------------------------------------------------------------- */

/* One thing that a round does, and what came of it. */
struct session_task {
    bool settles; /* the round, rather than a batch of it */
    uint64_t round;
    holos_phase phase;
    uint64_t session; /* its number */
    holos_wave_mode mode;
    uint64_t nodes;
    uint64_t memory;          /* bytes */
    uint64_t batches, lost;   /* settling: of the round */
    const char *path;         /* the session's hologram */
    const char *out;          /* a batch: its hologram */
    const char *const *seeds; /* lines: of the batch; settling: of the round, as they were explored */
    size_t first, seed_count; /* a batch: its first seed, counted in the round */
    const char *const *parts; /* settling: the holograms of the batches */
    size_t part_count;
    const holos_stop *stop; /* of the process that does it */
};

/* Does a task in this process. */
holos_status session_task_run(job *j, const session_task *task, holos_error *err);
/* The memory that a task may take. */
uint64_t session_memory(const job *j, bool settles);

/* ---- Processes of their own (session_child.c) --------------------------------------------------- */

/* Does a task in a process of its own. *died: it ended without saying why, or for want of memory, and nothing has changed. */
holos_status session_task_spawn(job *j, const session_task *task, bool *died, holos_error *err);
/* In that process: does what the request in that file says. */
holos_status session_batch(job *j, const char *path, holos_error *err);

/* A task as an object, for another process. */
void session_task_put(json *w, const session_task *task);
/* Reads it again: what it says lives as long as the document, and its lists until session_task_forget. */
holos_status session_task_get(const json_t *from, session_task *out, holos_error *err);
void session_task_forget(session_task *task);

/* ---- Batches (session_batches.c) ----------------------------------------------------------------- */

#define SESSION_DEATHS 8192

/* A hologram that a batch has left: of so many seeds of the round, from the `first` on. */
typedef struct session_part {
    uint32_t first, count;
} session_part;

/* What came of a batch, which may have been done in pieces. */
typedef struct session_outcome {
    uint64_t bytes; /* of its holograms, if a rank other than 0 has written them */
    uint32_t died;  /* pieces */
    uint32_t lost;  /* those of them that were given up */
    uint32_t words; /* bytes of `deaths`, as many as have room: lines, each ended by 0 */
    uint32_t part_count;
    char deaths[SESSION_DEATHS];
    session_part parts[]; /* room for one of each seed */
} session_outcome;

size_t session_outcome_size(size_t seeds);

/* Cuts a round, a task with all of its seeds and nodes, into batches of the same mode and way to count depth, in the order of the
 * seeds. The caller frees *out. */
holos_status session_batches(job *j, const session_task *round, session_task **out, size_t *count,
                             holos_error *err);
/* Does a batch, or takes what an earlier run has left of it; one that dies is tried again in halves. */
holos_status session_batch_do(job *j, const session_task *batch, session_outcome *out, holos_error *err);
/* Where a part of a round lies. */
bool session_part_path(const session_task *round, session_part part, text *out);

/* Does a task here or in a process of its own, as asked; *died: it can be tried again. */
holos_status session_task_do(job *j, const session_task *task, bool *died, holos_error *err);

/* ---- Ranks (session_ranks.c) --------------------------------------------------------------------- */

/* A round: its batches, and how it ends. */
typedef struct session_round {
    const char *path; /* of the session's hologram */
    session_task *batches;
    size_t count;
    /* One of them is done. One call at a time, by any thread. */
    void (*hear)(job *j, const session_outcome *said);
    /* All are done. */
    holos_status (*settle)(job *j, const holos_stop *stop, holos_error *err);
} session_round;

/* All ranks together, with how things went so far: does the batches that rank 0 names, and settles there. What they say is heard
 * in rank 0 alone. */
holos_status session_share(job *j, const session_round *round, holos_status status, holos_error *err);

/* ---- The next round (session_phases.c, session_choose.c) ------------------------------------------ */

holos_phase session_phase_next(const job *j);
/* The seeds of the round as they will be explored. */
holos_status session_seeds_suit(job *j, holos_error *err);

/* Puts the seeds of the next round into the wave's history: open positions that no wave has expanded, of features that have paid. */
holos_status session_choose(holos_wave *w, size_t most, uint64_t seed, holos_error *err);
/* What counts as the features of a position; 0 where the game names none. */
uint64_t session_features(const holos_variant *v, const holos_position *p);

#endif
