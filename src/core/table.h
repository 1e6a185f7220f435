/* SPDX-License-Identifier: MIT */

/* The hash table: 128-bit keys, a payload of a fixed size, open addressing. Everybody uses this one.
 *
 * As a map (table_init) it grows and loses nothing. As a cache (table_init_cache) it has a fixed size
 * and forgets what looks least valuable: a search's transposition table. One thread writes at a time;
 * engines that share work give each thread a shard of its own.
 *
 * Keys are mixed here, so that games may use plain packings. Every key is allowed, {0, 0} too.
 *
 * The mixing is a permutation of the 128-bit numbers, and a slot keeps the mixed key. The map is sorted
 * by it, highest first (ordered linear probing; Amble and Knuth 1974): a search ends at the first slot
 * that is not above the key, whether it hits or misses; where entries lie depends on nothing but the keys
 * and the capacity; and growing is one pass from the end to the front, in place. An empty slot has the
 * key zero, which is below every other: the key that mixes to zero has a place of its own. */

#ifndef HOLOS_CORE_TABLE_H
#define HOLOS_CORE_TABLE_H

#include "core/key.h"
#include "core/mem.h"
#include "core/wide.h"

#include <string.h>

typedef struct table {
    unsigned char *slots; /* slot: mixed key, then payload */
    mem_budget *budget;
    size_t slot_size, payload_size;
    size_t capacity;     /* map: homes of keys; cache: buckets */
    size_t count;        /* entries */
    size_t limit;        /* map: entries before it grows */
    size_t room;         /* slots; in a map more than homes, for what is pushed past the last one */
    size_t bucket_size;  /* cache: bytes of the slots that a key may be in */
    size_t bucket_slots; /* cache: how many they are */
    bool cache;
    bool has_zero; /* the key that mixes to zero is in the table */
} table;

/* A payload is `payload_size` bytes, aligned to 8. `expected` entries fit without growing. */
holos_status table_init(table *t, mem_budget *budget, size_t payload_size, size_t expected, holos_error *err);
/* As many slots as fit into `bytes`. */
holos_status table_init_cache(table *t, mem_budget *budget, size_t payload_size, size_t bytes,
                              holos_error *err);
void table_free(table *t);
void table_clear(table *t);

/* The payload, or NULL. Valid until the next insertion. */
static inline void *table_find(const table *t, holos_key key);
/* Brings the slot nearer; call it a few lookups ahead. */
static inline void table_prefetch(const table *t, holos_key key);
/* Map: the payload of the entry, made and zeroed if there was none (*fresh tells). NULL: no memory, and
 * the table is unchanged. */
void *table_insert(table *t, holos_key key, bool *fresh);
/* Cache: the payload to write to. If the key is there, its own, as it is; otherwise a zeroed one, which
 * was empty or had the least `worth` among those that the key may take the place of (the caller's worth
 * of a payload; higher is kept). */
static inline void *table_replace(table *t, holos_key key, uint32_t (*worth)(const void *payload));

/* Visits every entry; of a map in an order that depends on nothing but the keys and the capacity:
 * for (size_t i = 0; table_next(&t, &i, &key, &payload);) */
bool table_next(const table *t, size_t *index, holos_key *key, void **payload);

/* ---- What is inlined --------------------------------------------------------------------------- */

#define TABLE_KEY_SIZE 16

/* One-to-one: `lo` stays, and for each `lo` the rest permutes `hi`. Its high bits, which decide on the
 * slot, depend on all bits of the key. table.c has the way back. */
static inline u128 table_mix(holos_key key)
{
    uint64_t x = key.hi + key.lo * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 32)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 29)) * UINT64_C(0x94D049BB133111EB);
    return (u128)x << 64 | key.lo;
}

static inline u128 table_slot_key(const unsigned char *slot)
{
    const uint64_t *half = (const uint64_t *)(const void *)slot;
    return (u128)half[1] << 64 | half[0];
}

static inline uint64_t table_slot_high(const unsigned char *slot)
{
    return ((const uint64_t *)(const void *)slot)[1];
}

static inline void table_slot_set_key(unsigned char *slot, u128 mixed)
{
    uint64_t *half = (uint64_t *)(void *)slot;
    half[0] = (uint64_t)mixed;
    half[1] = (uint64_t)(mixed >> 64);
}

/* The slot of the key that mixes to zero lies in front of the others. */
static inline unsigned char *table_zero_payload(const table *t)
{
    return t->slots - t->slot_size + TABLE_KEY_SIZE;
}

/* Where the search for a mixed key begins, as a number of slots or buckets: the higher the key, the nearer
 * to the front. */
static inline size_t table_home_index(const table *t, u128 mixed)
{
    return wide_scale(~(uint64_t)(mixed >> 64), t->capacity);
}

static inline unsigned char *table_home(const table *t, u128 mixed)
{
    return t->slots + table_home_index(t, mixed) * (t->cache ? t->bucket_size : t->slot_size);
}

/* Map: the first slot that is not above the key: its own, or where it would go. Whole keys are only
 * compared where the high halves are equal, which is nearly always at the end. */
static inline unsigned char *table_seek(const table *t, u128 mixed)
{
    unsigned char *slot = table_home(t, mixed);
    uint64_t high = (uint64_t)(mixed >> 64);
    while (table_slot_high(slot) > high)
        slot += t->slot_size;
    while (__builtin_expect(table_slot_high(slot) == high && table_slot_key(slot) > mixed, 0))
        slot += t->slot_size;
    return slot;
}

/* Cache: the key's own slot, or NULL. */
static inline unsigned char *table_seek_bucket(const table *t, u128 mixed)
{
    unsigned char *slot = table_home(t, mixed), *end = slot + t->bucket_slots * t->slot_size;
    for (; slot != end; slot += t->slot_size)
        if (table_slot_key(slot) == mixed)
            return slot;
    return NULL;
}

static inline void *table_find(const table *t, holos_key key)
{
    u128 mixed = table_mix(key);
    if (__builtin_expect(mixed == 0, 0))
        return t->has_zero ? table_zero_payload(t) : NULL;
    unsigned char *slot = t->cache ? table_seek_bucket(t, mixed) : table_seek(t, mixed);
    if (t->cache ? slot == NULL : table_slot_key(slot) != mixed)
        return NULL;
    return slot + TABLE_KEY_SIZE;
}

/* Always inlined: gcc 12 drops calls of a function that does nothing but prefetch. Both lines that a
 * search is likely to touch, 1.2x over one. */
__attribute__((always_inline)) static inline void table_prefetch(const table *t, holos_key key)
{
    unsigned char *home = table_home(t, table_mix(key));
    __builtin_prefetch(home);
    __builtin_prefetch(home + 64);
}

/* The slot of the bucket to put a mixed key into. */
static inline unsigned char *table_choose(const table *t, u128 mixed, uint32_t (*worth)(const void *payload))
{
    unsigned char *slot = table_home(t, mixed), *end = slot + t->bucket_slots * t->slot_size;
    unsigned char *least = NULL;
    uint32_t least_worth = 0;
    for (; slot != end; slot += t->slot_size) {
        u128 there = table_slot_key(slot);
        if (there == mixed || there == 0) /* a bucket fills up from its front */
            return slot;
        uint32_t w = worth(slot + TABLE_KEY_SIZE);
        if (least == NULL || w < least_worth) {
            least = slot;
            least_worth = w;
        }
    }
    return least;
}

static inline void *table_replace(table *t, holos_key key, uint32_t (*worth)(const void *payload))
{
    u128 mixed = table_mix(key);
    if (__builtin_expect(mixed == 0, 0)) {
        t->count += !t->has_zero;
        t->has_zero = true;
        return table_zero_payload(t);
    }
    unsigned char *slot = table_choose(t, mixed, worth);
    u128 there = table_slot_key(slot);
    if (there != mixed) {
        t->count += there == 0;
        table_slot_set_key(slot, mixed);
        memset(slot + TABLE_KEY_SIZE, 0, t->payload_size);
    }
    return slot + TABLE_KEY_SIZE;
}

#endif
