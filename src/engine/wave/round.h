/* SPDX-License-Identifier: MIT */

/* Rounds: how a layer makes positions of the next one, on all threads, with an outcome that does not depend
 * on how many there are.
 *
 * A layer is cut into chunks, and a number of chunks is a round. In the first half of a round, threads look
 * at the positions of chunks and sort what these give (entries) by shard; in the second, each shard takes
 * what the chunks have for it, in the order of the chunks. Chunks and rounds are cut by counts of positions
 * alone; and what a round puts into a shard stays in the processor's cache. */

#ifndef HOLOS_WAVE_ROUND_H
#define HOLOS_WAVE_ROUND_H

#include "engine/wave/wave.h"

#define ROUND_CHUNKS 192

/* What a shard found while it took entries. */
typedef struct shard_result {
    uint64_t fresh, duplicates, crossing, solved;
    uint64_t dropped, dropped_solved; /* of `fresh` and `solved`: those that were on disk already */
    size_t settled;                   /* keys of the shard's list that are known not to be on disk besides */
    key_list meetings;
    key_list again; /* on disk, and to be expanded once more */
    bool failed;    /* no memory; `error` says more */
    holos_error error;
} shard_result;

/* Where a position's entries go. */
typedef struct round_sink {
    wave_scratch *scratch;
    uint8_t *shards;         /* of each entry */
    struct edge_chunk *said; /* NULL, or where edges are recorded (edges.h) */
    uint32_t made;
    uint32_t totals[NODES_SHARDS];
} round_sink;

/* What a chunk says of a position. */
typedef struct round_entry {
    holos_key key;
    uint64_t hash; /* nodes_hash of the key */
    wave_node value;
    const void *position; /* where positions are kept; otherwise it means nothing */
    uint64_t *words;      /* where it lies: whoever has taken it may write to the first */
} round_entry;

/* What forward and backward waves do differently. */
typedef struct round_kind {
    unsigned flag; /* NODE_FORWARD or NODE_BACKWARD: how positions are reached */
    unsigned done; /* the flag of a node that has been looked at: NODE_EXPANDED or NODE_RETRACED */
    /* Looks at a position and emits what it gives; `at` is NULL in a wave that notes nothing (holos_wave.once). */
    void (*look)(holos_wave *w, holos_key key, node_at at, round_sink *sink);
    /* Takes an entry; `list` is the shard's in the next layer. False: no memory. */
    bool (*take)(holos_wave *w, const round_entry *entry, key_list *list, shard_result *out);
} round_kind;

/* An entry: the key, what is said of it, and the position where positions are kept (otherwise it may be
 * NULL). */
void round_emit(const holos_wave *w, round_sink *sink, holos_key key, wave_node value,
                const holos_position *position);

/* What a forward wave does with one position: looks at it (the successors that it gives are in the scratch, and how many is
 * returned), and takes what another one gives. */
uint32_t wave_look(holos_wave *w, holos_key key, node_at at, wave_scratch *s);
bool wave_take(holos_wave *w, const round_entry *entry, key_list *list, shard_result *out);

/* The same of a backward wave (the predecessors are in the scratch); the depth is that of the layer that is being made. */
uint32_t wave_look_back(holos_wave *w, holos_key key, node_at at, wave_scratch *s);
bool wave_take_back(holos_wave *w, const round_entry *entry, unsigned depth, key_list *list,
                    shard_result *out);
/* What is known of a predecessor: as a node, or from the game alone (*at is NULL). */
wave_node wave_predecessor(const holos_wave *w, const holos_position *p, holos_key key, node_at *at);
/* Whether one that is solved already joins. */
static inline bool wave_joins_solved(wave_node n, bool is_node)
{
    return (n.flags & NODE_BACKWARD) == 0 || !is_node;
}

/* How many positions of a layer, in its order, make a round that depends on nothing else: one of a backward wave, or one after
 * which the limit of the frontier is looked at. */
uint64_t round_positions(const holos_wave *w, const layer *at, bool forward);
/* Whether it matters which positions of a layer come first: then they are put in order (layers_order) before any of them is
 * looked at. `waiting`: those that are not done; `left`: how many may be expanded. */
static inline bool round_needs_order(const holos_wave *w, bool forward, uint64_t waiting, uint64_t left)
{
    return !forward || (w->edges == NULL && (w->options.frontier > 0 || waiting > left));
}

/* The depth of the layer that is being made. */
unsigned round_depth(const holos_wave *w);

/* Looks at all positions of a layer that are not done. False: stopped by a limit, or by memory. */
bool round_layer(holos_wave *w, const round_kind *kind, unsigned depth, holos_error *err);

#endif
