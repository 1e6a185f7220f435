/* SPDX-License-Identifier: MIT */

/* Layers: the positions first reached at each depth, as lists of keys, one list for each shard of the
 * nodes. Threads append to the lists of different shards at once; in a list keys stand in the order in
 * which they came, which does not depend on the number of threads, or in that of layers_order. */

#ifndef HOLOS_WAVE_LAYERS_H
#define HOLOS_WAVE_LAYERS_H

#include "engine/wave/nodes.h"

#include <holos/wave.h>

typedef struct key_list {
    uint64_t *words; /* a key: lo, and hi where keys have two words */
    size_t count;
    size_t room; /* in memory; 0 with words that are not NULL: they lie in the layer's map */
    size_t done; /* those before this have been expanded, or need not be */
} key_list;

typedef struct layer {
    key_list lists[NODES_SHARDS];
    uint64_t count; /* as of the last layers_recount */
    uint64_t done;
    uint64_t *map; /* of a file with the lists, or NULL */
    size_t map_bytes;
    holos_wave_layer statistics;
} layer;

typedef struct layers {
    mem_budget *budget;
    unsigned key_words;
    layer **at;
    layer *nothing; /* what stands for all that have been skipped */
    unsigned depth; /* how many there are */
    size_t room;
} layers;

void layers_init(layers *l, mem_budget *budget, unsigned key_words);
void layers_free(layers *l);
size_t layers_bytes(const layers *l);

/* Makes the layer of this depth; those before it that are not there yet are empty. */
holos_status layers_reach(layers *l, unsigned depth, holos_error *err);

bool list_append(layers *l, key_list *list, holos_key key);
/* Why that has failed. */
holos_status list_error(const layers *l, const key_list *list, holos_error *err);
static inline holos_key list_key(const layers *l, const key_list *list, size_t index)
{
    const uint64_t *word = list->words + index * l->key_words;
    return (holos_key){.hi = l->key_words == 2 ? word[1] : 0, .lo = word[0]};
}

static inline void list_put(const layers *l, key_list *list, size_t index, holos_key key)
{
    uint64_t *word = list->words + index * l->key_words;
    word[0] = key.lo;
    if (l->key_words == 2)
        word[1] = key.hi;
}

/* Sums up the counts of a layer's lists. */
void layers_recount(layer *at);
/* Gives back what the lists of a finished layer have reserved and do not use. */
void layers_trim(layers *l, layer *at);

/* Keeps the counts and gives back the keys. */
void layers_forget_keys(layers *l);

/* The keys of a layer that is done make room for those of another one, which has none yet. It keeps its counts. */
void layers_hand_on(layer *done, layer *to);

/* The lists of a layer, one after the other, are now in this map, which the layer unmaps in the end. */
void layers_remap(layers *l, layer *at, uint64_t *map, size_t bytes);

/* Where a key stands in a layer that is in order: by shard, then by hash. */
static inline uint64_t layer_order_of(holos_key key)
{
    uint64_t hash = nodes_hash(key);
    return hash << 56 | hash >> 8;
}

/* Puts the keys of a layer that are not done in order: so which come first does not depend on when and from where they
 * came. */
void layers_order(layers *l, layer *at);
/* The same for some keys of a list: within a shard, that is the order of hashes. */
void list_order(const layers *l, key_list *list, size_t from, size_t to);

/* A part of a layer: some keys from a list on, and on through the lists that follow it. */
typedef struct layer_chunk {
    size_t index;
    unsigned shard;
    uint32_t count;
} layer_chunk;

/* A place in all layers: what is before it has been passed. The deepest layer comes first. */
typedef struct layer_place {
    unsigned depth; /* layers above this one have been passed; 0: begin */
    unsigned shard;
    size_t index;
} layer_place;

/* Steps to the next key, from the deepest layer to the first; false at the end, and then it begins again. */
bool layers_next(const layers *l, layer_place *at, holos_key *key);

/* Cuts a layer into chunks of `size` keys: all of them, or those not done. Calls with chunks NULL to count
 * them. The cut depends on nothing but the layer. */
size_t layers_cut(const layer *at, bool all, uint32_t size, layer_chunk *chunks, size_t most);
/* Steps to the next key of a chunk: for (layer_chunk c = chunk; chunk_next(l, at, &c, &key);) */
bool chunk_next(const layers *l, const layer *at, layer_chunk *chunk, holos_key *key);

#endif
