/* SPDX-License-Identifier: MIT */

/* The edges of a graph, recorded while it is reached: then solving it expands nothing a second time and looks nothing up.
 *
 * A node has a number in its shard: its place in the lists of the shard, layer after layer. While edges are recorded, a
 * node in the table says its number in place of a value, and has a record by that number. A record takes eight bytes and an
 * edge four, so that a node and where it leads to are two lines of memory. The edges of a layer lie in the order of its
 * nodes.
 *
 * They are a help and no more: if memory is short, or something does not fit, they are dropped, and the graph is solved
 * without them. */

#ifndef HOLOS_WAVE_EDGES_H
#define HOLOS_WAVE_EDGES_H

#include "engine/wave/round.h"

#define EDGES_MOVES 16 /* moves are below this, and in order */
#define EDGES_AHEAD 32 /* edges past the last one that may be read */

/* What stands in place of a value that is not known; scores are above both. */
enum { EDGES_UNKNOWN = INT16_MIN, EDGES_CLAIMED = INT16_MIN + 1 };

typedef struct edge_record {
    uint32_t first; /* of its edges */
    int16_t
        value; /* of a position where the game is over, the score; else EDGES_UNKNOWN until it is solved */
    uint16_t
        moves; /* a bit for each edge; once it is solved, the first of the best moves + 1; 0: the game is over */
} edge_record;

/* An edge: a shard, a number in it, and whether the side to move stays the same. */
typedef uint32_t graph_edge;

#define EDGE_SAME_SIDE     1u
#define EDGES_NUMBERS_MOST (UINT32_C(1) << 23)

static inline graph_edge edge_to(unsigned shard, uint32_t number, unsigned same_side)
{
    return (graph_edge)shard << 24 | number << 1 | same_side;
}

static inline unsigned edge_shard(graph_edge edge)
{
    return edge >> 24;
}

static inline uint32_t edge_number(graph_edge edge)
{
    return edge >> 1 & (EDGES_NUMBERS_MOST - 1);
}

/* What a chunk of a round says of its edges. */
typedef struct edge_chunk {
    edge_record *records; /* of its positions; `first` counts from the chunk's first edge */
    uint8_t *same_side;   /* of its edges */
    uint8_t *shards;      /* likewise: where they lead to */
    size_t bytes;         /* of all three */
    uint32_t record_count, edge_count;
    size_t base; /* where its edges go */
} edge_chunk;

typedef struct wave_edges {
    graph_edge *edges;
    size_t count, bytes;
    edge_record *records[NODES_SHARDS]; /* by number */
    size_t record_bytes[NODES_SHARDS];
    edge_record *block; /* NULL, or where the records of all shards lie: edges_gather */
    size_t block_bytes;
    uint32_t begin[NODES_SHARDS]; /* the numbers of the layer that is being made */
    _Atomic bool unfit;           /* a move or a number does not fit */
    edge_chunk chunks[ROUND_CHUNKS];
} wave_edges;

static inline edge_record *edge_target(const wave_edges *e, graph_edge edge)
{
    return e->records[edge_shard(edge)] + edge_number(edge);
}

/* The number of the next node in a shard, whose list of the layer that is being made has so many. */
static inline uint32_t edges_number(wave_edges *e, unsigned shard, size_t listed)
{
    size_t number = e->begin[shard] + listed;
    if (number >= EDGES_NUMBERS_MOST)
        e->unfit = true;
    return (uint32_t)number;
}

static inline uint32_t node_number(wave_node n)
{
    return (uint16_t)n.lo | (uint32_t)(uint16_t)n.hi << 16;
}

static inline wave_node node_numbered(wave_node n, uint32_t number)
{
    n.lo = (int16_t)number;
    n.hi = (int16_t)(number >> 16);
    return n;
}

/* Begins to record, in a wave of a graph that has its seed and nothing else; unless there is no memory. */
void edges_open(holos_wave *w);
/* Ends it: nodes have no numbers any more. Does nothing if nothing is recorded. */
void edges_drop(holos_wave *w);
/* The same, but nodes keep their numbers. */
void edges_free(holos_wave *w);
/* Nothing more will be recorded: moves the records of all shards into one block, for huge pages. If there is no memory, nothing
 * changes. */
void edges_gather(holos_wave *w);

/* The layers up to this one are whole. */
void edges_layer(holos_wave *w, unsigned depth);
/* Room for what a chunk of so many positions may say. False: no memory. */
bool edges_chunk(holos_wave *w, unsigned index, uint32_t keys);
void edges_release_chunks(holos_wave *w);
/* Bytes that so many positions with so many successors may need. */
size_t edges_need(const holos_wave *w, uint64_t keys, uint64_t entries);

/* What a position that has been expanded into the scratch says. */
void edges_look(holos_wave *w, edge_chunk *chunk, const wave_scratch *s, uint32_t count);
/* Room for the edges of so many chunks. False: there is none, and all have been dropped. */
bool edges_reserve(holos_wave *w, unsigned chunks);
/* Keeps the edges of a chunk, whose entries, by shard from the offsets on, have become numbers. */
void edges_keep(holos_wave *w, unsigned index, layer_chunk keys, const uint64_t *entries, unsigned words,
                const uint32_t *offsets);

#endif
