/* SPDX-License-Identifier: MIT */

#include "engine/wave/nodes.h"

#include "core/assert.h"
#include "engine/wave/runs.h"

#define CAPACITY_LEAST 16
/* How full a shard may be, and how much it grows by: 60 to 75 % of the slots are in use. */
#define LOAD_LIMIT(capacity) ((capacity) - (capacity) / 4)
#define GROW(capacity)       ((capacity) + (capacity) / 4)
#define TAIL                 64 /* slots past the last home; when they are full the shard grows early */

static size_t shard_bytes(const nodes *n, size_t capacity)
{
    return capacity == 0 ? 0 : (capacity + TAIL + 1) * n->slot_words * sizeof(uint64_t);
}

static uint64_t *slots_make(nodes *n, size_t capacity, holos_error *err)
{
    uint64_t *slots = mem_alloc(n->budget, shard_bytes(n, capacity));
    if (slots == NULL)
        mem_error(err, n->budget, shard_bytes(n, capacity), "the table of positions");
    return slots;
}

holos_status nodes_init(nodes *n, mem_budget *budget, unsigned key_words, size_t position_size,
                        holos_error *err)
{
    *n = (nodes){.budget = budget,
                 .key_words = key_words,
                 .slot_words = 1 + key_words + (position_size > 0),
                 .position_size = position_size};
    for (unsigned i = 0; i < NODES_SHARDS; i++) {
        nodes_shard *shard = &n->shards[i];
        shard->slots = slots_make(n, CAPACITY_LEAST, err);
        if (shard->slots == NULL) {
            nodes_free(n);
            return HOLOS_NO_MEMORY;
        }
        shard->capacity = CAPACITY_LEAST;
        shard->limit = LOAD_LIMIT(CAPACITY_LEAST);
    }
    return HOLOS_OK;
}

void nodes_free(nodes *n)
{
    nodes_runs_free(n);
    for (unsigned i = 0; i < NODES_SHARDS; i++) {
        nodes_shard *shard = &n->shards[i];
        mem_free(n->budget, shard->slots, shard_bytes(n, shard->capacity));
        mem_free(n->budget, shard->positions, shard->position_room * n->position_size);
        *shard = (nodes_shard){0};
    }
}

void nodes_shrink(nodes *n)
{
    for (unsigned i = 0; i < NODES_SHARDS; i++) {
        nodes_shard *shard = &n->shards[i];
        uint64_t *slots = shard->capacity > CAPACITY_LEAST ? slots_make(n, CAPACITY_LEAST, NULL) : NULL;
        shard->count = 0;
        if (slots == NULL) { /* it is small, or there is no memory even for a small one */
            memset(shard->slots, 0, shard_bytes(n, shard->capacity));
            continue;
        }
        mem_free(n->budget, shard->slots, shard_bytes(n, shard->capacity));
        shard->slots = slots;
        shard->capacity = CAPACITY_LEAST;
        shard->limit = LOAD_LIMIT(CAPACITY_LEAST);
    }
}

void nodes_clear(nodes *n)
{
    nodes_runs_free(n);
    nodes_shrink(n);
}

uint64_t nodes_count(const nodes *n)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < NODES_SHARDS; i++)
        count += n->shards[i].count;
    for (unsigned i = 0; n->runs != NULL && i < n->runs->count; i++)
        count += n->runs->runs[i].begin[NODES_SHARDS];
    return count;
}

size_t nodes_bytes(const nodes *n)
{
    size_t bytes = 0;
    for (unsigned i = 0; i < NODES_SHARDS; i++)
        bytes += shard_bytes(n, n->shards[i].capacity) + n->shards[i].position_room * n->position_size;
    return bytes;
}

size_t nodes_growth(const nodes *n, uint64_t insertions)
{
    size_t slot = n->slot_words * sizeof(uint64_t);
    /* At 60 % a slot and two thirds for each; and one shard may be there twice while it grows. */
    return (size_t)insertions * (slot + slot * 2 / 3 + n->position_size * 5 / 4) +
           nodes_bytes(n) / NODES_SHARDS * 2;
}

/* ---- Growing ----------------------------------------------------------------------------------- */

/* Copies the entries in their order: each goes home, or behind the one before it. False: they would run past
 * the tail. */
static bool shard_copy(const nodes *n, const nodes_shard *from, nodes_shard *to)
{
    uint64_t *next = to->slots, *end = to->slots + (to->capacity + TAIL) * n->slot_words;
    for (size_t i = 0; i < from->capacity + TAIL; i++) {
        const uint64_t *slot = from->slots + i * n->slot_words;
        if (*slot == 0)
            continue;
        uint64_t *home = nodes_home(n, to, slot[1]);
        uint64_t *place = home > next ? home : next;
        if (place >= end)
            return false;
        for (unsigned word = 0; word < n->slot_words; word++)
            place[word] = slot[word];
        next = place + n->slot_words;
    }
    return true;
}

static bool shard_grow(nodes *n, nodes_shard *shard, holos_error *err)
{
    nodes_shard grown = *shard;
    do {
        grown.capacity = GROW(grown.capacity);
        grown.limit = LOAD_LIMIT(grown.capacity);
        grown.slots = slots_make(n, grown.capacity, err);
        if (grown.slots == NULL)
            return false;
        if (shard_copy(n, shard, &grown))
            break;
        mem_free(n->budget, grown.slots, shard_bytes(n, grown.capacity));
    } while (true);
    mem_free(n->budget, shard->slots, shard_bytes(n, shard->capacity));
    *shard = grown;
    return true;
}

/* Moves what is at `slot` and behind it on by one. False: the tail is full. */
static bool shard_open_gap(const nodes *n, const nodes_shard *shard, uint64_t *slot)
{
    uint64_t *empty = slot, *end = shard->slots + (shard->capacity + TAIL) * n->slot_words;
    while (*empty != 0)
        empty += n->slot_words;
    if (empty == end)
        return false;
    while (empty != slot) { /* a few slots: a call would cost more */
        empty -= n->slot_words;
        for (unsigned word = 0; word < n->slot_words; word++)
            empty[n->slot_words + word] = empty[word];
    }
    return true;
}

static bool positions_reserve(nodes *n, nodes_shard *shard, holos_error *err)
{
    if (n->position_size == 0 || shard->count < shard->position_room)
        return true;
    size_t room = shard->position_room > 0 ? GROW(shard->position_room) : CAPACITY_LEAST;
    void *block = mem_alloc(n->budget, room * n->position_size);
    if (block == NULL) {
        mem_error(err, n->budget, room * n->position_size, "the positions");
        return false;
    }
    if (shard->position_room > 0)
        memcpy(block, shard->positions, shard->position_room * n->position_size);
    mem_free(n->budget, shard->positions, shard->position_room * n->position_size);
    shard->positions = block;
    shard->position_room = room;
    return true;
}

/* ---- Entries ----------------------------------------------------------------------------------- */

holos_key slot_key(const nodes *n, const uint64_t *slot)
{
    uint64_t x = slot[1];
    x ^= x >> 32;
    x *= UINT64_C(0xCFEE444D8B59A89B); /* the inverses of nodes_hash's factors modulo 2^64 */
    x ^= x >> 32;
    if (n->key_words == 1)
        return (holos_key){.lo = x * UINT64_C(0xF1DE83E19937733D)};
    return (holos_key){.hi = x - slot[2] * UINT64_C(0x9E3779B97F4A7C15), .lo = slot[2]};
}

/* Makes an entry at `slot`, where there is room for it. */
static void slot_write(nodes *n, nodes_shard *shard, uint64_t *slot, holos_key key, uint64_t hash,
                       const void *position, wave_node fresh)
{
    node_store(slot, fresh);
    slot[1] = hash;
    if (n->key_words == 2)
        slot[2] = key.lo;
    if (n->position_size > 0) {
        slot[1 + n->key_words] = shard->count;
        memcpy(shard->positions + shard->count * n->position_size, position, n->position_size);
    }
    shard->count++;
}

node_at nodes_insert_at(nodes *n, uint64_t *slot, holos_key key, uint64_t hash, const void *position,
                        wave_node fresh, bool *was_fresh, holos_error *err)
{
    HOLOS_SLOW_ASSERT(fresh.flags != 0 && (n->key_words == 2 || key.hi == 0));
    nodes_shard *shard = &n->shards[nodes_shard_of(hash)];
    if (n->runs != NULL) {
        node_at there = nodes_find_in_runs(n, key, hash);
        if (there != NULL)
            return there;
    }
    if (!positions_reserve(n, shard, err))
        return NULL;
    while (shard->count >= shard->limit || !shard_open_gap(n, shard, slot)) {
        if (!shard_grow(n, shard, err))
            return NULL;
        slot = nodes_place(n, shard, key, hash);
    }
    slot_write(n, shard, slot, key, hash, position, fresh);
    *was_fresh = true;
    return slot;
}

const void *nodes_position(const nodes *n, holos_key key)
{
    if (n->position_size == 0)
        return NULL;
    uint64_t hash = nodes_hash(key);
    const nodes_shard *shard = &n->shards[nodes_shard_of(hash)];
    const uint64_t *slot = nodes_place(n, shard, key, hash);
    if (!slot_holds(n, slot, key, hash))
        return NULL;
    return shard->positions + slot[1 + n->key_words] * n->position_size;
}

node_at nodes_next_in_memory(const nodes *n, unsigned shard, size_t *index)
{
    const nodes_shard *s = &n->shards[shard];
    while (*index < s->capacity + TAIL) {
        uint64_t *slot = s->slots + (*index)++ * n->slot_words;
        if (*slot != 0)
            return slot;
    }
    return NULL;
}

node_at nodes_next(const nodes *n, unsigned shard, size_t *index)
{
    node_at at = nodes_next_in_memory(n, shard, index);
    if (at != NULL || n->runs == NULL)
        return at;
    size_t skip = *index - (n->shards[shard].capacity + TAIL); /* the runs follow, one after the other */
    for (unsigned i = 0; i < n->runs->count; i++) {
        const nodes_run *run = &n->runs->runs[i];
        size_t count = run->begin[shard + 1] - run->begin[shard];
        if (skip < count) {
            ++*index;
            return run->slots + (run->begin[shard] + skip) * n->slot_words;
        }
        skip -= count;
    }
    return NULL;
}
