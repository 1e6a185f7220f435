/* SPDX-License-Identifier: MIT */

/* The positions that waves have reached, and what is known of each: a map from keys to eight bytes.
 *
 * The map is cut into shards by a hash of the key. Their number is fixed, so that where a position lies
 * does not depend on how many threads there are; one thread at a time inserts into a shard, any number
 * may look up, and records are read and written whole. A key takes one word where the game's keys fit into
 * 64 bits, otherwise two; where the game cannot make a position from its key, the position is kept too.
 *
 * A shard is ordered by hash like core/table.h, and not that table itself: with keys of one word a slot takes
 * 16 bytes instead of 24, and a shard grows in small steps, since a second copy of one among many costs
 * little. On connect4:7x6 that is 21 to 27 bytes a position against 32 to 48. */

#ifndef HOLOS_WAVE_NODES_H
#define HOLOS_WAVE_NODES_H

#include "core/key.h"
#include "core/mem.h"
#include "core/pool.h"
#include "core/wide.h"

#include <string.h>

#define NODES_SHARDS 256

enum {
    NODE_FORWARD = 1 << 0,    /* reached from a seed */
    NODE_BACKWARD = 1 << 1,   /* reached from a boundary */
    NODE_EXPANDED = 1 << 2,   /* its successors are nodes */
    NODE_RETRACED = 1 << 3,   /* its predecessors have been looked at */
    NODE_BOUNDARY = 1 << 4,   /* its value came from the rules or from a table */
    NODE_CONJECTURE = 1 << 5, /* its class says something of it; see classes.h */
    NODE_IN_CLASS = 1 << 6,   /* its class knows its value */
    NODE_MISSED = 1 << 7,     /* a boundary that no goal of this wave asks for; never kept */
};

/* What is known of a position. Its value lies in [lo, hi]; flags are never all zero. */
typedef struct wave_node {
    int16_t lo, hi;
    uint16_t depth; /* steps from a seed, or from the boundary if it has only been reached from there */
    uint8_t source; /* a holos_source; always a proof */
    uint8_t flags;
} wave_node;

_Static_assert(sizeof(wave_node) == sizeof(uint64_t), "a node is one word");

static inline bool node_is_solved(wave_node n)
{
    return n.lo == n.hi;
}

typedef struct nodes_shard {
    uint64_t *slots; /* slot: node, mark[, key.lo][, index of the position]; in the order of hashes */
    size_t capacity; /* homes of keys; a few slots more take what is pushed past the last one */
    size_t count, limit;
    unsigned char *positions;
    size_t position_count, position_room; /* entries; some may be nobody's any more */
} nodes_shard;

typedef struct nodes_runs nodes_runs; /* what has been moved to disk; see runs.h */

typedef struct nodes {
    mem_budget *budget;
    unsigned key_words, slot_words;
    size_t position_size; /* 0: positions are not kept */
    nodes_runs *runs;     /* NULL: everything is in memory */
    uint64_t expected;    /* nodes in all, about; 0: nobody knows */
    bool deferred;        /* insertions do not look at the runs: nodes_settle will */
    uint64_t *block;      /* where the slots of shards lie; NULL: each by itself */
    size_t block_bytes;
    nodes_shard shards[NODES_SHARDS];
} nodes;

/* Of a slot: the node, its key, and where its position is, if positions are kept. */
static inline unsigned nodes_slot_words(unsigned key_words, size_t position_size)
{
    return 1 + key_words + (position_size > 0);
}

/* `key_words` 1: every key has hi == 0. */
holos_status nodes_init(nodes *n, mem_budget *budget, unsigned key_words, size_t position_size,
                        holos_error *err);
void nodes_free(nodes *n);
void nodes_clear(nodes *n); /* forgets all nodes */
uint64_t nodes_count(const nodes *n);
/* Bytes in memory. */
size_t nodes_bytes(const nodes *n);
/* An upper bound of the bytes that this many insertions may add, anywhere. */
size_t nodes_growth(const nodes *n, uint64_t insertions);

/* One-to-one for each `lo`, and for keys of one word: a slot keeps it in place of the key. */
static inline uint64_t nodes_hash(holos_key key)
{
    uint64_t x = key.hi + key.lo * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    return x ^ x >> 32;
}

static inline unsigned nodes_shard_of(uint64_t hash)
{
    return hash % NODES_SHARDS;
}

/* Which of so many processes a position belongs to, by other bits than those that choose its place in a table. */
static inline unsigned nodes_part_of(uint64_t hash, unsigned parts)
{
    uint64_t mixed = (hash * UINT64_C(0x9FB21C651E98DF25)) >> 32;
    return (unsigned)(mixed * parts >> 32);
}

/* What a slot keeps of a hash. The marks of a shard fall, and an empty slot's is 0: so looking for a place is one
 * comparison a slot. */
static inline uint64_t hash_mark(uint64_t hash)
{
    return ~hash;
}

static inline uint64_t mark_hash(uint64_t mark)
{
    return ~mark;
}

/* A place in a shard: where the node's word is. Valid until the next insertion into the shard. */
typedef uint64_t *node_at;

static inline wave_node node_load(const uint64_t *at)
{
    uint64_t word = __atomic_load_n(at, __ATOMIC_RELAXED);
    wave_node n;
    memcpy(&n, &word, sizeof n);
    return n;
}

static inline void node_store(node_at at, wave_node n)
{
    uint64_t word;
    memcpy(&word, &n, sizeof word);
    __atomic_store_n(at, word, __ATOMIC_RELAXED);
}

static inline uint64_t *nodes_home(const nodes *n, const nodes_shard *shard, uint64_t hash)
{
    return shard->slots + wide_scale(hash, shard->capacity) * n->slot_words;
}

/* Always inlined: gcc 12 drops calls of a function that does nothing but prefetch. */
__attribute__((always_inline)) static inline void nodes_prefetch_hash(const nodes *n, uint64_t hash)
{
    __builtin_prefetch(nodes_home(n, &n->shards[nodes_shard_of(hash)], hash));
}

__attribute__((always_inline)) static inline void nodes_prefetch(const nodes *n, holos_key key)
{
    nodes_prefetch_hash(n, nodes_hash(key));
}

node_at nodes_find_in_runs(const nodes *n, holos_key key, uint64_t hash);
const void *nodes_position_in_runs(const nodes *n, holos_key key, uint64_t hash);

/* Values may change while others look for nodes. */
static inline bool slot_is_empty(const uint64_t *slot)
{
    return __atomic_load_n(slot, __ATOMIC_RELAXED) == 0;
}

/* The first slot of a shard that is empty or not before this key. */
static inline uint64_t *nodes_place(const nodes *n, const nodes_shard *shard, holos_key key, uint64_t hash)
{
    uint64_t *slot = nodes_home(n, shard, hash), mark = hash_mark(hash);
    if (n->slot_words == 2) {
        while (slot[1] > mark)
            slot += 2;
        return slot;
    }
    while (slot[1] > mark ||
           (slot[1] == mark && !slot_is_empty(slot) && n->key_words == 2 && slot[2] < key.lo))
        slot += n->slot_words;
    return slot;
}

static inline bool slot_holds(const nodes *n, const uint64_t *slot, holos_key key, uint64_t hash)
{
    return slot[1] == hash_mark(hash) && !slot_is_empty(slot) && (n->key_words == 1 || slot[2] == key.lo);
}

/* NULL: no such node. */
static inline node_at nodes_find(const nodes *n, holos_key key)
{
    uint64_t hash = nodes_hash(key);
    uint64_t *slot = nodes_place(n, &n->shards[nodes_shard_of(hash)], key, hash);
    if (slot_holds(n, slot, key, hash))
        return slot;
    return n->runs != NULL ? nodes_find_in_runs(n, key, hash) : NULL;
}

/* Makes a node that is not there, whose place in memory would be `slot`, unless it is on disk, as far as that is
 * looked at now. */
node_at nodes_insert_at(nodes *n, uint64_t *slot, holos_key key, uint64_t hash, const void *position,
                        wave_node fresh, bool *was_fresh, holos_error *err);

/* The node of this key, whose hash this is; if there was none, a new one, which is `fresh` (*was_fresh tells).
 * `position` is kept if positions are. NULL: no memory, and nothing has changed. Only one thread at a time may do
 * this to one shard, while nobody looks anything up in it. */
static inline node_at nodes_insert(nodes *n, holos_key key, uint64_t hash, const void *position,
                                   wave_node fresh, bool *was_fresh, holos_error *err)
{
    uint64_t *slot = nodes_place(n, &n->shards[nodes_shard_of(hash)], key, hash);
    *was_fresh = false;
    if (slot_holds(n, slot, key, hash))
        return slot;
    return nodes_insert_at(n, slot, key, hash, position, fresh, was_fresh, err);
}

/* Moves the slots of all shards into one block, for looking up at random: on huge pages, where a shard is too small for
 * one, that takes half the time. If there is no memory, nothing changes. */
void nodes_gather(nodes *n, pool *threads);
/* The same before so many nodes may come into each shard, with room for them: then none has to grow by itself, out of the
 * block. A table that is small, or short of memory, stays as it is. On connect4:5x5 a graph takes a tenth less time for
 * it. `early`: it grows though it need not yet, if it soon will (nodes_grow_soon). Nobody may be at the table meanwhile, and places
 * in it are lost. */
void nodes_reserve(nodes *n, const uint32_t *incoming, bool early, pool *threads);
/* Whether nodes_reserve will have to do something before long. Tables of several processes that know that of each other grow at the same
 * time, and do not wait for each other one after the other. */
bool nodes_grow_soon(const nodes *n);

holos_key slot_key(const nodes *n, const uint64_t *slot);

/* The position that was kept with a node; NULL where positions are not kept. */
const void *nodes_position(const nodes *n, holos_key key);
/* Another one for a node that has just come. */
void nodes_position_change(nodes *n, uint64_t hash, node_at at, const void *position);

/* Visits the nodes of a shard: for (size_t i = 0; (at = nodes_next(n, shard, &i));) */
node_at nodes_next(const nodes *n, unsigned shard, size_t *index);
/* The same without those on disk, in the order of their hashes. */
node_at nodes_next_in_memory(const nodes *n, unsigned shard, size_t *index);
/* Forgets the nodes that are in memory, and gives the memory back. */
void nodes_shrink(nodes *n);
/* Some slots of a shard have been emptied: the others move to where they are found again. */
void nodes_close_gaps(nodes *n, unsigned shard);

#endif
