/* SPDX-License-Identifier: MIT */

/* A training: everything that it needs to go on, and one iteration of it.
 *
 *     training.c         iterations: games, then steps, now and then a rating
 *     training_ranks.c   what the ranks of a cluster say to each other
 *     training_file.c    the checkpoint that holds all of it, and the plot
 *     train_job.c        the job around it
 *
 * An iteration depends on nothing but the state before it and the seed: whoever resumes from a checkpoint ends with the same weights,
 * bit for bit, as one who was never stopped, with any number of threads.
 *
 * In a cluster every rank plays its share of the games and of the ratings. Rank 0 has the buffer, makes the steps, and sends the
 * weights to the others: so the number of ranks changes nothing. */

#ifndef HOLOS_SESSION_TRAINING_H
#define HOLOS_SESSION_TRAINING_H

#include "cluster/cluster.h"
#include "core/option.h"
#include "core/pool.h"
#include "core/progress.h"
#include "engine/zeno/calibrate.h"
#include "session/replay.h"

#define TRAINING_CHECKPOINT "checkpoint"
#define TRAINING_NETWORK    "network.net"
#define TRAINING_PLOT       "training.svg"

typedef struct train_settings {
    int64_t iterations, games, simulations, quick, channels, blocks, batch, reuse, rate_half, warm, opening;
    int64_t exact_tree, exact_root, rating_every, rating_pairs, considered, calibrate_every;
    uint64_t buffer, buffer_least;
    unsigned root, kind, method;
    const char *rate, *decay, *alpha, *epsilon, *drift;
} train_settings;

extern const holos_option train_options[];

/* The numbers among the settings that are not whole. */
typedef struct train_reals {
    double rate, decay, alpha, epsilon, drift;
} train_reals;

/* One iteration, for the record. */
typedef struct training_row {
    uint64_t iteration, games, positions, steps; /* in all, up to its end */
    double policy, value, decay, rate; /* losses: means over its steps; 0 before the buffer is filled */
    double rating;                     /* Elo over the first network; only where `rated` */
    bool rated;
    double plies;   /* of a game */
    double seconds; /* of processor time */
} training_row;

typedef struct training {
    const holos_variant *v;
    holos_cluster *cluster; /* NULL: this process alone */
    train_settings settings;
    train_reals reals;
    uint64_t seed;
    uint64_t iteration; /* finished ones */
    uint64_t games, positions;
    double rating;
    net net, rated; /* the one that learns; and the one that was rated last */
    net_trainer trainer;
    replay buffer;
    training_row *rows;
    size_t row_count, row_room;
    /* What iterations work in. */
    zeno_calibration calibration; /* positions 0: none yet */
    bool calibrated;              /* in the last iteration */
    net_model model, other;
    pool *threads;
    double elsewhere; /* seconds of processor time that other ranks have spent on this iteration */
    float *planes, *policy, *values;
} training;

/* A fresh one. training_free in any case. */
holos_status training_init(training *t, const holos_variant *v, const train_settings *settings, uint64_t seed,
                           holos_error *err);
void training_free(training *t);
/* HOLOS_INTERRUPTED: `stop` was set, and the training is as it was before, or is to be thrown away and read again. */
holos_status training_iterate(training *t, const holos_stop *stop, progress *p, holos_error *err);
/* Bytes that it will take. */
uint64_t training_memory(const holos_variant *v, const train_settings *settings, unsigned threads);

/* "0.001", or a usage error that names the option. */
holos_status training_reals(const train_settings *settings, train_reals *out, holos_error *err);
/* The shape of the network that the settings ask for. */
holos_status training_shape(const holos_variant *v, const train_settings *settings, net_shape *out,
                            holos_error *err);

/* ---- training_ranks.c ---- */

/* The weights of rank 0, to all; and at the beginning how far it is, and the network that was rated last. */
void training_share_weights(training *t);
void training_share_all(training *t);
/* A count and seconds of all ranks, summed. */
void training_sum(training *t, uint64_t *count, double seconds);
/* What a rank has found in a group of games, to rank 0. The same call of both. */
holos_status training_group_pass(training *t, uint64_t group, replay *found, selfplay_result *result,
                                 double *seconds, holos_error *err);

/* The rank that plays the i-th of something. */
static inline unsigned training_rank_of(const training *t, uint64_t i)
{
    return (unsigned)(i % holos_cluster_ranks(t->cluster));
}

/* How many of so many this rank plays. */
static inline uint64_t training_share_of(const training *t, uint64_t count)
{
    unsigned rank = holos_cluster_rank(t->cluster), ranks = holos_cluster_ranks(t->cluster);
    return count > rank ? (count - rank + ranks - 1) / ranks : 0;
}

/* Which is the i-th of them. */
static inline uint64_t training_mine(const training *t, uint64_t i)
{
    return i * holos_cluster_ranks(t->cluster) + holos_cluster_rank(t->cluster);
}

/* ---- training_file.c ---- */

/* Writes checkpoint, network and plot to a folder. `words` are the settings as text. */
holos_status training_save(const training *t, const holos_settings *words, const char *folder,
                           holos_error *err);
/* The settings of a checkpoint, into empty `words`, and its seed; for training_init. */
holos_status training_load_settings(const char *folder, const holos_variant *v, holos_settings *words,
                                    uint64_t *seed, holos_error *err);
/* The rest, into a training with these settings. */
holos_status training_load(training *t, const char *folder, holos_error *err);

#endif
