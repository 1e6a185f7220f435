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

#define TABLE_KEY_SIZE sizeof(holos_key)

/* One-to-one: `lo` stays, and for each `lo` the rest permutes `hi`. Its high bits, which decide on the
 * slot, depend on all bits of the key. {0, 0} stays. table.c has the way back. */
static inline holos_key table_mix(holos_key key)
{
    uint64_t x = key.hi + key.lo * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 32)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 29)) * UINT64_C(0x94D049BB133111EB);
    return (holos_key){.hi = x, .lo = key.lo};
}

/* The mixed key in a slot. */
static inline holos_key *table_slot_key(const unsigned char *slot)
{
    return (holos_key *)(uintptr_t)slot;
}

static inline bool table_key_is_zero(holos_key mixed)
{
    return (mixed.hi | mixed.lo) == 0;
}

/* The slot of the key that mixes to zero lies in front of the others. */
static inline unsigned char *table_zero_payload(const table *t)
{
    return t->slots - t->slot_size + TABLE_KEY_SIZE;
}

/* Where the search for a mixed key begins, as a number of slots or buckets: the higher the key, the nearer
 * to the front. */
static inline size_t table_home(const table *t, holos_key mixed)
{
    return wide_scale(~mixed.hi, t->capacity);
}

/* Out of the way of the others: the one key whose slot would look empty. */
static inline void *table_find_zero(const table *t)
{
    return t->has_zero ? table_zero_payload(t) : NULL;
}

static inline void *table_find_cached(const table *t, holos_key mixed)
{
    unsigned char *slot = t->slots + table_home(t, mixed) * t->bucket_size;
    unsigned char *end = slot + t->bucket_slots * t->slot_size;
    if (__builtin_expect(table_key_is_zero(mixed), 0))
        return table_find_zero(t);
    for (; slot != end; slot += t->slot_size)
        if (holos_key_equal(*table_slot_key(slot), mixed))
            return slot + TABLE_KEY_SIZE;
    return NULL;
}

/* As few instructions as can be, because that decides how many lookups are under way at once: high halves
 * first, and low halves only where those are equal, which is nearly always at the end. 1.2x over comparing
 * whole keys, and over comparing a few slots without branches. */
static inline void *table_find(const table *t, holos_key key)
{
    holos_key mixed = table_mix(key);
    if (t->cache)
        return table_find_cached(t, mixed);
    unsigned char *slot = t->slots + table_home(t, mixed) * t->slot_size;
    while (table_slot_key(slot)->hi > mixed.hi)
        slot += t->slot_size;
    while (__builtin_expect(table_slot_key(slot)->hi == mixed.hi && table_slot_key(slot)->lo > mixed.lo, 0))
        slot += t->slot_size;
    if (table_slot_key(slot)->hi != mixed.hi || table_slot_key(slot)->lo != mixed.lo)
        return NULL;
    if (__builtin_expect(table_key_is_zero(mixed), 0)) /* it is an empty slot that was found */
        return table_find_zero(t);
    return slot + TABLE_KEY_SIZE;
}

/* Always inlined: gcc 12 drops calls of a function that does nothing but prefetch. Both lines that a
 * search is likely to touch, 1.2x over one. */
__attribute__((always_inline)) static inline void table_prefetch(const table *t, holos_key key)
{
    size_t unit = t->cache ? t->bucket_size : t->slot_size;
    unsigned char *home = t->slots + table_home(t, table_mix(key)) * unit;
    __builtin_prefetch(home);
    __builtin_prefetch(home + 64);
}

/* Cache: the slot of its bucket to put a mixed key into. */
static inline unsigned char *table_choose(const table *t, holos_key mixed,
                                          uint32_t (*worth)(const void *payload))
{
    unsigned char *slot = t->slots + table_home(t, mixed) * t->bucket_size;
    unsigned char *end = slot + t->bucket_slots * t->slot_size, *least = slot;
    uint32_t least_worth = UINT32_MAX;
    for (; slot != end; slot += t->slot_size) {
        holos_key there = *table_slot_key(slot);
        if (holos_key_equal(there, mixed) || table_key_is_zero(there)) /* a bucket fills from its front */
            return slot;
        uint32_t w = worth(slot + TABLE_KEY_SIZE);
        if (w < least_worth) {
            least = slot;
            least_worth = w;
        }
    }
    return least;
}

static inline void *table_replace(table *t, holos_key key, uint32_t (*worth)(const void *payload))
{
    holos_key mixed = table_mix(key);
    if (__builtin_expect(table_key_is_zero(mixed), 0)) {
        t->count += !t->has_zero;
        t->has_zero = true;
        return table_zero_payload(t);
    }
    unsigned char *slot = table_choose(t, mixed, worth);
    holos_key there = *table_slot_key(slot);
    if (!holos_key_equal(there, mixed)) {
        t->count += table_key_is_zero(there);
        *table_slot_key(slot) = mixed;
        memset(slot + TABLE_KEY_SIZE, 0, t->payload_size);
    }
    return slot + TABLE_KEY_SIZE;
}

#endif
