/* SPDX-License-Identifier: MIT */

/* An ablation: what each layer of the zeno engine is worth. Every configuration plays against the plain search with a fixed budget and the
 * same network, from the same openings, with both colours.
 *
 *     ablation.c       configurations, games, tables          ablate_job.c   the job around it */

#ifndef HOLOS_SESSION_ABLATION_H
#define HOLOS_SESSION_ABLATION_H

#include "core/pool.h"
#include "core/progress.h"
#include "core/report.h"
#include "engine/zeno/selfplay.h"

#define ABLATION_MOST  8
#define ABLATION_CACHE ((size_t)64 << 20) /* of what the network said during a pair of games */

/* What a configuration has done so far. */
typedef struct ablation_count {
    uint64_t pairs, wins, draws, losses;
    duel_side own, other; /* what it did, and what the baseline did against it */
} ablation_count;

typedef struct ablation {
    const holos_variant *v;
    const net_model *model;
    uint64_t pairs; /* of each configuration */
    uint32_t opening, simulations;
    uint64_t seed;
    zeno_thresholds thresholds; /* of the early stop */
    pool *threads;
    ablation_count counts[ABLATION_MOST];
    text log; /* a line for every move of the configuration with all layers */
} ablation;

size_t ablation_size(void);
const char *ablation_name(size_t which);
/* Plays the next pairs of a configuration, a few for each thread; if it is broken off (HOLOS_INTERRUPTED), those that came to their end count. The result depends on
 * nothing but the seed and the number of the pair. */
holos_status ablation_step(ablation *a, size_t which, zeno_until until, holos_error *err);

/* What the counts say. */
typedef struct ablation_row {
    double score;       /* share of the points */
    double spread;      /* 95 % either way */
    double elo, error;  /* over the baseline, and 95 % either way */
    double probability; /* of so uneven wins and losses by chance: binomial, two-sided */
    double simulations, saved, tactical, early, lambda, entropy; /* a game; shares; means */
} ablation_row;

ablation_row ablation_row_of(const ablation_count *c);
/* "configuration,games,wins,…" and a line each; a picture of the scores. */
void ablation_csv(const ablation *a, text *out);
void ablation_svg(const ablation *a, text *out);
/* For a checkpoint. */
void ablation_write(const ablation *a, text *out);
bool ablation_read(ablation *a, const char *bytes, size_t size);

#endif
