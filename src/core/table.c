/* SPDX-License-Identifier: MIT */

#include "core/table.h"

#include "core/assert.h"

/* How full a map may be before it grows, and where growing would break the budget. In a table of 1.5 GiB
 * that is 67 % full a hit takes as long as two random reads (`holos bench core`): one for the slot, and as
 * much again for the key and the run before it. */
#define LOAD_LIMIT(capacity) ((capacity) - (capacity) / 3)  /* 67 % */
#define LOAD_FULL(capacity)  ((capacity) - (capacity) / 10) /* 90 % */

/* Slots past the last home. A random table at 67 % hardly ever needs more than a hundred; where keys
 * are not random, more are added. */
#define TAIL_MOST 512

#define CAPACITY_LEAST 16
#define LINE           64 /* bytes of a cache line */

/* The way back from table_mix: the inverses of its factors modulo 2^64, and of its shifts. */
static holos_key table_unmix(holos_key mixed)
{
    uint64_t x = mixed.hi * UINT64_C(0x319642B2D24D8EC3);
    x ^= x >> 29 ^ x >> 58;
    x *= UINT64_C(0x96DE1B173F119089);
    x ^= x >> 32;
    return (holos_key){.hi = x - mixed.lo * UINT64_C(0x9E3779B97F4A7C15), .lo = mixed.lo};
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

/* ---- Growing -----------------------------------------------------------------------------------
 *
 * A run is a row of slots without an empty one in it. With more homes every entry moves back or stays,
 * and two runs never push each other: if slot i is empty, what lies before it has a new place below
 * i * (new homes / old homes), and what lies behind it has a new home above that. So the runs are moved
 * one after the other, the last one first, each entry once and in place. */

static unsigned char *slot_at(const table *t, size_t index) /* of a map */
{
    return t->slots + index * t->slot_size;
}

static bool slot_is_empty(const table *t, size_t index)
{
    return table_key_is_zero(*table_slot_key(slot_at(t, index)));
}

static void slot_copy(const table *t, size_t to, size_t from)
{
    uint64_t *a = (uint64_t *)(void *)slot_at(t, to);
    const uint64_t *b = (const uint64_t *)(const void *)slot_at(t, from);
    for (size_t i = 0; i < t->slot_size / 8; i++)
        a[i] = b[i];
}

/* Slots without a key are empty, whatever their payload is. */
static void slots_empty(const table *t, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        *table_slot_key(slot_at(t, i)) = (holos_key){0, 0};
}

/* The new places of the entries [from, to) of a run that begins at `first`; returns the end of them. */
static size_t run_places(const table *t, size_t first, size_t from, size_t to, size_t *places)
{
    size_t next = 0;
    for (size_t i = first; i < to; i++) {
        size_t home = table_home(t, *table_slot_key(slot_at(t, i)));
        size_t place = home > next ? home : next;
        if (i >= from)
            places[i - from] = place;
        next = place + 1;
    }
    return next;
}

#define RUN_PART 256 /* longer runs, which hardly exist, are moved in parts */

static void run_move(const table *t, size_t first, size_t end)
{
    size_t places[RUN_PART], above = end; /* slots of this run from `above` on are settled */
    for (size_t to = end, from; to > first; to = from) {
        from = to - first > RUN_PART ? to - RUN_PART : first;
        run_places(t, first, from, to, places);
        for (size_t i = to; i-- > from;) {
            size_t place = places[i - from];
            slots_empty(t, place + 1, above);
            if (place != i)
                slot_copy(t, place, i);
            if (place < above)
                above = place;
        }
    }
    slots_empty(t, first, above);
}

/* The first slot of the run that ends before `end`; `end` itself if slot end - 1 is empty. */
static size_t run_first(const table *t, size_t end)
{
    while (end > 0 && !slot_is_empty(t, end - 1))
        end--;
    return end;
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

/* Slots that the last run will need once there are `t->capacity` homes, and one to spare. */
static size_t map_room_needed(const table *t, size_t used)
{
    size_t end = used, ignored[1];
    while (end > 0 && slot_is_empty(t, end - 1))
        end--;
    return end > 0 ? run_places(t, run_first(t, end), end - 1, end, ignored) + 1 : 0;
}

/* Grows to `capacity` homes. False: no memory, and every entry is where it was. */
static bool map_grow_to(table *t, size_t capacity)
{
    size_t old_capacity = t->capacity, used = t->room;
    size_t room = capacity + map_tail(capacity);
    if (room > used && !map_add_slots(t, room - used))
        return false;
    t->capacity = capacity;
    size_t needed = map_room_needed(t, used);
    if (needed > t->room && !map_add_slots(t, needed - t->room)) {
        t->capacity = old_capacity;
        return false;
    }
    for (size_t end = used; end > 0;) {
        size_t first = run_first(t, end);
        if (first < end)
            run_move(t, first, end);
        end = first > 0 ? first - 1 : 0;
    }
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
    while (empty != end && !table_key_is_zero(*table_slot_key(empty)))
        empty += t->slot_size;
    if (empty == end)
        return false;
    memmove(slot + t->slot_size, slot, (size_t)(empty - slot));
    return true;
}

/* The first slot that is not above the key: its own, or where it would go. */
static unsigned char *map_seek(const table *t, holos_key mixed)
{
    unsigned char *slot = slot_at(t, table_home(t, mixed));
    while (holos_key_less(mixed, *table_slot_key(slot)))
        slot += t->slot_size;
    return slot;
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
    holos_key mixed = table_mix(key);
    if (table_key_is_zero(mixed))
        return map_insert_zero(t, fresh);
    unsigned char *slot = map_seek(t, mixed);
    if (holos_key_equal(*table_slot_key(slot), mixed)) {
        *fresh = false;
        return slot + TABLE_KEY_SIZE;
    }
    while (t->count >= t->limit || !map_open_gap(t, slot)) {
        if (t->count >= t->limit ? !map_grow(t) : !map_add_slots(t, t->room - t->capacity))
            return NULL;
        slot = map_seek(t, mixed);
    }
    *table_slot_key(slot) = mixed;
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
            *key = (holos_key){0, 0};
            *payload = table_zero_payload(t);
            return true;
        }
    }
    for (; *index <= t->room; ++*index) {
        unsigned char *slot = table_slot_at(t, *index - 1);
        holos_key mixed = *table_slot_key(slot);
        if (!table_key_is_zero(mixed)) {
            ++*index;
            *key = table_unmix(mixed);
            *payload = slot + TABLE_KEY_SIZE;
            return true;
        }
    }
    return false;
}
