/* SPDX-License-Identifier: MIT */

/* How many positions can be reached: counted while that is quick, otherwise estimated, layer by layer.
 *
 * Up to a hundred thousand positions are counted. Beyond that, walkers that start at random positions of the last layer that
 * was counted take one random move after the other. At each layer all successors of all walkers are looked at: how many a
 * position has is a mean; how many predecessors it has shows in how often two walkers meet at a successor. A layer is as large
 * as the one before, times the successors, divided by the predecessors. Walkers meet too seldom in layers of more than some
 * ten million positions: there it ends, and what is known is that there are more. A quick measurement begins with a first look, at a third of the
 * positions and with a quarter of the walkers, and goes on only if that finds few positions, or many, or cannot tell. */

#ifndef HOLOS_SESSION_GROWTH_H
#define HOLOS_SESSION_GROWTH_H

#include "engine/wave/wave.h"

#include <holos/job.h>

#include <limits.h>

/* An estimate was off by 0.6 to 1.7 (kalah:5,2, kalah:3,8, kalah:4,3, connect4:4x6, connect4:5x4; `holos build … --graph` counts them). */
#define GROWTH_FACTOR 3.0

#define GROWTH_NO_DEPTH UINT_MAX

typedef struct growth_request {
    const holos_variant *v;
    wave_ways ways;
    holos_position *const *seeds;
    size_t seed_count;
    unsigned depth; /* moves from the seeds, or GROWTH_NO_DEPTH */
    uint64_t seed;  /* of the random choices */
    bool quick;     /* a first look will do, for what is of middling size */
    double seconds; /* of the job's limit of time, a part of which may be spent; 0: there is none */
    const holos_stop *stop;
} growth_request;

typedef struct growth {
    holos_plan_basis basis;
    uint64_t seen;       /* different positions, for sure */
    double positions;    /* in all */
    double last;         /* in the last layer */
    double moves;        /* of all positions but the last layer's */
    unsigned layers;     /* the seeds are the first one */
    double seconds_each; /* to look at one position, of one processor */
    void *sample;        /* positions of the last layer: all of them, or drawn at random */
    size_t sample_count;
} growth;

/* A request to stop ends it early, with what is known by then. The caller frees it in any case. */
holos_status growth_measure(const growth_request *q, growth *out, holos_error *err);
void growth_free(growth *g);

#endif
