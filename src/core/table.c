/* SPDX-License-Identifier: MIT */

#include "core/table.h"

#include "core/assert.h"

/* How full a map may be before it grows, and where that would break the budget. */
#define LOAD_LIMIT(capacity) ((capacity) - (capacity) / 3)  /* 67 % */
#define LOAD_FULL(capacity)  ((capacity) - (capacity) / 10) /* 90 % */

/* Slots past the last home. At 75 % a run of 512 past the end comes once in some 10^8 tables; then more
 * are added. */
#define TAIL_MOST 512

#define CAPACITY_LEAST 16
#define LINE           64 /* bytes of a cache line */

/* The way back from table_mix: the inverses of its factors modulo 2^64, and of its shifts. */
static holos_key table_unmix(u128 mixed)
{
    uint64_t lo = (uint64_t)mixed, x = (uint64_t)(mixed >> 64);
    x *= UINT64_C(0x319642B2D24D8EC3);
    x ^= x >> 29 ^ x >> 58;
    x *= UINT64_C(0x96DE1B173F119089);
    x ^= x >> 32;
    return (holos_key){.hi = x - lo * UINT64_C(0x9E3779B97F4A7C15), .lo = lo};
}

/* ---- Memory ------------------------------------------------------------------------------------ */

/* What lies in front of the slots: the slot of the key that mixes to zero. */
static size_t table_front(const table *t)
{
    return (t->slot_size + LINE - 1) / LINE * LINE;
}

static size_t map_tail(size_t capacity)
{
    return capacity < TAIL_MOST ? capacity : TAIL_MOST;
}

/* Bytes of a block with this many slots; one more is always empty, and ends a search in the tail. */
static size_t map_bytes(const table *t, size_t room)
{
    return table_front(t) + (room + 1) * t->slot_size;
}

static size_t table_bytes(const table *t)
{
    return t->cache ? table_front(t) + t->capacity * t->bucket_size : map_bytes(t, t->room);
}

static unsigned char *table_block(const table *t)
{
    return t->slots - table_front(t);
}

static void table_set_block(table *t, void *block)
{
    t->slots = (unsigned char *)block + table_front(t);
}

static void table_shape(table *t, mem_budget *budget, size_t payload_size)
{
    size_t payload_room = (payload_size + 7) / 8 * 8;
    *t = (table){.budget = budget, .payload_size = payload_size, .slot_size = TABLE_KEY_SIZE + payload_room};
}

holos_status table_init(table *t, mem_budget *budget, size_t payload_size, size_t expected, holos_error *err)
{
    table_shape(t, budget, payload_size);
    size_t bytes = SIZE_MAX;
    if (expected < SIZE_MAX / 4 / t->slot_size) {
        t->capacity = expected + expected / 2 + 1;
        if (t->capacity < CAPACITY_LEAST)
            t->capacity = CAPACITY_LEAST;
        t->room = t->capacity + map_tail(t->capacity);
        t->limit = LOAD_LIMIT(t->capacity);
        bytes = table_bytes(t);
    }
    void *block = mem_alloc(budget, bytes);
    if (block == NULL)
        return mem_error(err, budget, bytes, "a table");
    table_set_block(t, block);
    return HOLOS_OK;
}

holos_status table_init_cache(table *t, mem_budget *budget, size_t payload_size, size_t bytes,
                              holos_error *err)
{
    table_shape(t, budget, payload_size);
    t->cache = true;
    /* Two lines, which the hardware tends to fetch together; large slots by twos. */
    t->bucket_slots = 2 * t->slot_size <= 2 * LINE ? 2 * LINE / t->slot_size : 2;
    t->bucket_size = (t->bucket_slots * t->slot_size + LINE - 1) / LINE * LINE;
    size_t room = bytes > table_front(t) ? bytes - table_front(t) : 0;
    t->capacity = room > t->bucket_size ? room / t->bucket_size : 1;
    t->room = t->capacity * t->bucket_slots;
    void *block = mem_alloc(budget, table_bytes(t));
    if (block == NULL)
        return mem_error(err, budget, table_bytes(t), "a cache");
    table_set_block(t, block);
    return HOLOS_OK;
}

void table_free(table *t)
{
    if (t->slots != NULL)
        mem_free(t->budget, table_block(t), table_bytes(t));
    *t = (table){0};
}

void table_clear(table *t)
{
    if (t->count > 0)
        memset(table_block(t), 0, table_bytes(t));
    t->count = 0;
    t->has_zero = false;
}

/* ---- Growing ----------------------------------------------------------------------------------- */

static void slot_copy(unsigned char *to, const unsigned char *from, size_t slot_size)
{
    uint64_t *a = (uint64_t *)(void *)to;
    const uint64_t *b = (const uint64_t *)(const void *)from;
    for (size_t i = 0; i < slot_size / 8; i++)
        a[i] = b[i];
}

static unsigned char *slot_at(const table *t, size_t index) /* of a map */
{
    return t->slots + index * t->slot_size;
}

/* Moves the entries of the slots [first, end) together at the end of the room, in their order. True if
 * they will have room when they are spread, with a slot to spare: an entry that is behind its home now
 * is not pushed as far as it is. */
static bool map_gather(table *t, size_t first, size_t end, unsigned char **gathered)
{
    bool fits = true;
    unsigned char *to = slot_at(t, t->room);
    for (unsigned char *slot = slot_at(t, end); slot != slot_at(t, first);) {
        slot -= t->slot_size;
        u128 mixed = table_slot_key(slot);
        if (mixed == 0)
            continue;
        to -= t->slot_size;
        fits &= table_home(t, mixed) < to;
        if (to != slot)
            slot_copy(to, slot, t->slot_size);
    }
    *gathered = to;
    return fits;
}

/* Slots without a key are empty, whatever their payload is. */
static unsigned char *slots_empty(unsigned char *slot, const unsigned char *end, size_t slot_size)
{
    for (; slot < end; slot += slot_size)
        table_slot_set_key(slot, 0);
    return slot;
}

/* Puts gathered entries where they belong. */
static void map_spread(table *t, const unsigned char *gathered)
{
    unsigned char *end = slot_at(t, t->room), *next = t->slots;
    for (const unsigned char *slot = gathered; slot != end; slot += t->slot_size) {
        next = slots_empty(next, table_home(t, table_slot_key(slot)), t->slot_size);
        HOLOS_SLOW_ASSERT(next <= slot);
        if (next != slot)
            slot_copy(next, slot, t->slot_size);
        next += t->slot_size;
    }
    slots_empty(next, end, t->slot_size);
}

/* More slots at the end. The entries stay where they are. */
static bool map_add_slots(table *t, size_t slots)
{
    if (slots > SIZE_MAX / 4 / t->slot_size - t->room)
        return false;
    void *block = mem_resize(t->budget, table_block(t), map_bytes(t, t->room), map_bytes(t, t->room + slots));
    if (block == NULL)
        return false;
    table_set_block(t, block);
    t->room += slots;
    return true;
}

/* Grows to `capacity` homes. False: no memory, and every entry is where it was. */
static bool map_grow_to(table *t, size_t capacity)
{
    size_t old_capacity = t->capacity, first = 0, end = t->room;
    size_t room = capacity + map_tail(capacity);
    if (room > end && !map_add_slots(t, room - end))
        return false;
    t->capacity = capacity;
    unsigned char *gathered;
    while (!map_gather(t, first, end, &gathered)) { /* a run past the end that is longer than the tail */
        end = t->room;
        first = end - (t->count - t->has_zero);
        if (!map_add_slots(t, t->room - capacity)) {
            t->capacity = old_capacity;
            break;
        }
    }
    map_spread(t, gathered);
    if (t->capacity == old_capacity)
        return false;
    t->limit = LOAD_LIMIT(capacity);
    return true;
}

/* Makes room for one more entry: by half if the budget has that, by less if not, and when nothing is
 * left by filling the table further than is good for its speed. */
static bool map_grow(table *t)
{
    for (size_t part = 2; part <= 16; part *= 2)
        if (map_grow_to(t, t->capacity + t->capacity / part))
            return true;
    if (t->limit >= LOAD_FULL(t->capacity))
        return false;
    t->limit = LOAD_FULL(t->capacity);
    return true;
}

/* ---- Entries ----------------------------------------------------------------------------------- */

/* Moves the entries from `slot` on by one, up to the next empty slot. False: there is none. */
static bool map_open_gap(const table *t, unsigned char *slot)
{
    unsigned char *end = slot_at(t, t->room), *empty = slot;
    while (empty != end && table_slot_key(empty) != 0)
        empty += t->slot_size;
    if (empty == end)
        return false;
    memmove(slot + t->slot_size, slot, (size_t)(empty - slot));
    return true;
}

static void *map_insert_zero(table *t, bool *fresh)
{
    *fresh = !t->has_zero;
    t->count += *fresh;
    t->has_zero = true;
    return table_zero_payload(t);
}

void *table_insert(table *t, holos_key key, bool *fresh)
{
    assert(!t->cache);
    u128 mixed = table_mix(key);
    if (mixed == 0)
        return map_insert_zero(t, fresh);
    unsigned char *slot = table_seek(t, mixed);
    if (table_slot_key(slot) == mixed) {
        *fresh = false;
        return slot + TABLE_KEY_SIZE;
    }
    while (t->count >= t->limit || !map_open_gap(t, slot)) {
        if (t->count >= t->limit ? !map_grow(t) : !map_add_slots(t, t->room - t->capacity))
            return NULL;
        slot = table_seek(t, mixed);
    }
    table_slot_set_key(slot, mixed);
    memset(slot + TABLE_KEY_SIZE, 0, t->slot_size - TABLE_KEY_SIZE);
    t->count++;
    *fresh = true;
    return slot + TABLE_KEY_SIZE;
}

static unsigned char *table_slot_at(const table *t, size_t index)
{
    if (!t->cache)
        return slot_at(t, index);
    return t->slots + index / t->bucket_slots * t->bucket_size + index % t->bucket_slots * t->slot_size;
}

bool table_next(const table *t, size_t *index, holos_key *key, void **payload)
{
    if (*index == 0) { /* 0 is the key that mixes to zero, the slots follow */
        ++*index;
        if (t->has_zero) {
            *key = table_unmix(0);
            *payload = table_zero_payload(t);
            return true;
        }
    }
    for (; *index <= t->room; ++*index) {
        unsigned char *slot = table_slot_at(t, *index - 1);
        u128 mixed = table_slot_key(slot);
        if (mixed != 0) {
            ++*index;
            *key = table_unmix(mixed);
            *payload = slot + TABLE_KEY_SIZE;
            return true;
        }
    }
    return false;
}
