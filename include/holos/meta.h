/* SPDX-License-Identifier: MIT */

/* holos: games whose positions are searches.
 *
 * Layer 1, tactics: how should a wave set out from one position? A tactic is a depth from 1 to 6, a mode and a direction. Its
 * value is its efficiency: positions covered for each position expanded, measured by really expanding.
 *
 *     holos_tactic best;
 *     holos_seed_optimize(v, position, NULL, &best, &err);        best.depth, best.mode, best.direction, best.measure
 *
 * Layer 2, strategy: which few of many seeds cover most?
 *
 *     holos_strategy *s;
 *     holos_strategy_choose(v, seeds, count, NULL, &s, &err);     holos_strategy_step_at(s, i, &step)
 *     holos_strategy_close(s); */

#ifndef HOLOS_META_H
#define HOLOS_META_H

#include <holos/wave.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HOLOS_TACTIC_DEPTH  6  /* steps, at most */
#define HOLOS_STRATEGY_MOST 20 /* seeds of a set, at most */

typedef enum holos_tactic_direction {
    HOLOS_TACTIC_FORWARD = 0,
    HOLOS_TACTIC_BACKWARD,
    HOLOS_TACTIC_BOTH,
} holos_tactic_direction;

HOLOS_API const char *
holos_tactic_direction_name(holos_tactic_direction direction); /* "forward", …, "both" */

/* What an expansion covered. */
typedef struct holos_measure {
    uint64_t forward;  /* positions reached from the seed */
    uint64_t backward; /* positions that reach it */
    uint64_t cost;     /* positions expanded */
    bool cut;          /* the limit of nodes ended it */
} holos_measure;

/* Positions covered for each one expanded. */
static inline double holos_measure_efficiency(const holos_measure *m)
{
    return m->cost > 0 ? (double)(m->forward + m->backward) / (double)m->cost : 0;
}

typedef struct holos_tactic {
    unsigned depth; /* 1 … HOLOS_TACTIC_DEPTH */
    holos_wave_mode mode;
    holos_tactic_direction direction;
    holos_measure measure;
} holos_tactic;

/* Zero is the default everywhere. */
typedef struct holos_meta_options {
    holos_limits limits;            /* nodes: of one expansion, 0: 20,000; memory; stop */
    const holos_boundary *boundary; /* NULL, or known values */
    unsigned seeds;                 /* strategy: how many, at most; 0: HOLOS_STRATEGY_MOST */
    uint64_t budget;                /* strategy: what all of them may cost together; 0: no limit */
} holos_meta_options;

/* Measures a tactic: reads its depth, mode and direction, writes its measure. */
HOLOS_API holos_status holos_tactic_measure(const holos_variant *v, const holos_position *position,
                                            const holos_meta_options *options, holos_tactic *tactic,
                                            holos_error *err);
/* The most efficient tactic for a position, found by a wave through the game of tactics. *measured (may be NULL) says how many were
 * measured. */
HOLOS_API holos_status holos_seed_optimize(const holos_variant *v, const holos_position *position,
                                           const holos_meta_options *options, holos_tactic *out,
                                           unsigned *measured, holos_error *err);

typedef struct holos_strategy holos_strategy;

/* One seed of a set, in the order in which a greedy choice takes them. */
typedef struct holos_strategy_step {
    size_t seed;      /* its place among those that there were */
    uint64_t covered; /* positions that the seeds so far cover together */
    uint64_t cost;    /* what they cost together */
    uint64_t bound;   /* no set of so many seeds covers more */
} holos_strategy_step;

typedef struct holos_strategy_summary {
    size_t steps;
    uint64_t universe; /* positions that all seeds together cover */
    uint64_t greedy;   /* covered by the greedy set */
    uint64_t least,
        most; /* what the best set covers lies between; equal: it was found, by a wave through the game of sets */
    double overlap;   /* of the greedy set: the share of what its seeds cover that another has covered */
    uint64_t meeting; /* cost until a forward and a backward seed first meet; 0: they do not */
} holos_strategy_summary;

/* Chooses seeds that together cover much. Each goes as far as its depth says (0: 2 steps), in its mode and direction. */
HOLOS_API holos_status holos_strategy_choose(const holos_variant *v, const holos_wave_seed *seeds,
                                             size_t count, const holos_meta_options *options,
                                             holos_strategy **out, holos_error *err);
HOLOS_API void holos_strategy_close(holos_strategy *s); /* may be NULL */
HOLOS_API void holos_strategy_summary_get(const holos_strategy *s, holos_strategy_summary *out);
HOLOS_API bool holos_strategy_step_at(const holos_strategy *s, size_t index, holos_strategy_step *out);

#ifdef __cplusplus
}
#endif

#endif
