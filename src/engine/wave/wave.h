/* SPDX-License-Identifier: MIT */

/* Inside the wave engine: what its files share. The parts:
 *
 *     nodes      what has been reached and what is known of it     layers    the order in which it was
 *     forward    breadth-first layers from the seeds               backward  the same from the boundary
 *     values     intervals flow from successors to predecessors    classes   equivalence by features
 *     lightning  crystal  osmosis  auto                            the modes
 *     hologram   the result as a file                              runs      what does not fit into memory
 *
 * What holds at any time: a node's interval contains the true value of its position. It is only ever
 * narrowed, by the rules, by a table, by the game's static bounds, or by value_of, which expands the
 * position and looks up all successors; one that is not a node counts with all it may be worth. So nothing
 * depends on who was recomputed when, on predecessors being complete, or on a mode's choices. */

#ifndef HOLOS_WAVE_WAVE_H
#define HOLOS_WAVE_WAVE_H

#include "core/clock.h"
#include "core/pool.h"
#include "engine/wave/layers.h"
#include "engine/wave/nodes.h"
#include "game/game.h"

/* Positions that are expanded together, so that looking one up and fetching the next overlap. */
#define WAVE_BATCH 16

/* What one thread needs to look at positions. */
typedef struct wave_scratch {
    holos_position *position;
    holos_edges successors; /* room for WAVE_BATCH positions' successors; positions for one's */
    holos_edges predecessors;
    uint64_t *entries; /* what an expansion made, before it is sorted by shard */
    uint8_t *shards;
    uint64_t recomputed, changed, solved, boundary, filtered, generated, expanded;
} wave_scratch;

typedef struct wave_seed {
    holos_key key;
    holos_wave_direction direction;
    holos_wave_mode mode;
    int32_t priority;
    unsigned depth;
} wave_seed;

typedef struct wave_classes wave_classes;
typedef struct wave_osmosis wave_osmosis;
typedef struct wave_spines wave_spines;
typedef struct wave_round wave_round;

struct holos_wave {
    const holos_variant *v;
    holos_wave_options options;
    mem_budget own_budget, *budget;
    pool *threads;
    wave_scratch *scratch; /* one a thread */
    arena memory;

    /* How positions become keys, and back. */
    holos_key (*key)(const holos_variant *v, const holos_position *p);
    void (*from_key)(const holos_variant *v, holos_key key, holos_position *out); /* NULL: nodes keep them */
    uint32_t (*expand)(const holos_variant *v, const holos_position *p, holos_edges out);
    bool has_back;

    nodes nodes;
    layers forward, backward;
    key_list meetings; /* in the order in which they came */
    layers meeting_format;
    wave_seed *seeds;
    size_t seed_count, seed_room;
    wave_round *round;
    wave_classes *classes;
    wave_osmosis *osmosis;
    wave_spines *spines;

    holos_wave_statistics statistics;
    bool layered;             /* every edge so far leads from a layer to the next one */
    uint64_t swept_positions; /* when values flowed last */

    /* Of the run in progress. */
    double deadline;
    uint64_t node_limit; /* of statistics.forward_expanded + backward_expanded */
    holos_status status;
    const char *limit;
};

/* ---- wave.c ------------------------------------------------------------------------------------ */

/* Looks at the limits of time, nodes and the stop flag; false: one has been reached. */
bool wave_go_on(holos_wave *w);
void wave_stop(holos_wave *w, holos_status status, const char *limit);
/* True while all forward seeds are solved. */
bool wave_is_done(const holos_wave *w);
uint64_t wave_expanded(const holos_wave *w);
/* The bytes that may still be used before the 90 % stop. */
size_t wave_room(const holos_wave *w);

/* Like holos_wave_open, within somebody else's budget. */
holos_status wave_open_within(const holos_variant *v, const holos_wave_options *options, mem_budget *budget,
                              holos_wave **out, holos_error *err);
/* The node of a position, made if there was none; NODE_FORWARD or NODE_BACKWARD is how it was reached now.
 * NULL: no memory. Not for several threads at once. */
node_at wave_reach(holos_wave *w, const holos_position *p, holos_key key, unsigned flag, unsigned depth,
                   holos_error *err);

/* ---- values.c ---------------------------------------------------------------------------------- */

/* The position of a node. */
void wave_position(const holos_wave *w, holos_key key, holos_position *out);

/* A node of which nothing is known. */
wave_node wave_unknown(const holos_wave *w, unsigned flags, unsigned depth);

/* Where values come from: the rules, or a table. True: *n is solved. */
bool wave_known(const holos_wave *w, const holos_position *p, wave_node *n, wave_scratch *s);
/* Narrows by what the game knows without search. */
void wave_bound(const holos_wave *w, const holos_position *p, wave_node *n);

/* Computes the interval of a position from its successors' and narrows *n by it. True: it changed. */
bool wave_value(const holos_wave *w, const holos_position *p, wave_node *n, wave_scratch *s);

/* Lets values flow through the forward layers until nothing changes any more. */
void wave_sweep(holos_wave *w);

/* ---- forward.c --------------------------------------------------------------------------------- */

holos_status wave_round_open(holos_wave *w, holos_error *err);
void wave_round_close(holos_wave *w);
/* Positions that are expanded by one thread at a time: what a scratch must have room for. */
uint32_t wave_chunk_size(const holos_wave *w);
/* Expands the layer at this depth. False: stopped by a limit, or by memory. */
bool wave_expand_layer(holos_wave *w, unsigned depth, holos_error *err);

#endif
