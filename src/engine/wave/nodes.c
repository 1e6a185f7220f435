/* SPDX-License-Identifier: MIT */

#include "engine/wave/nodes.h"

#include "core/assert.h"
#include "engine/wave/runs.h"

#define CAPACITY_LEAST 16
/* How full a shard may be, and how much it grows by: 60 to 75 % of the slots are in use. */
#define LOAD_LIMIT(capacity) ((capacity) - (capacity) / 4)
#define GROW(capacity)       ((capacity) + (capacity) / 4)
#define LOAD_MOST(capacity)  ((capacity) - (capacity) / 10) /* within one round, of a shard in the block */
#define LOAD_SOON(capacity)  ((capacity) / 16 * 11)         /* it will be too full before long */
#define LOAD_EARLY(capacity) ((capacity) / 16 * 10)         /* it may grow with those of others then */
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

/* Whether the slots lie in the block of all shards. */
static bool shard_is_inside(const nodes *n, const nodes_shard *shard)
{
    return n->block != NULL && shard->slots >= n->block &&
           shard->slots < n->block + n->block_bytes / sizeof *n->block;
}

static void slots_free(nodes *n, nodes_shard *shard)
{
    if (!shard_is_inside(n, shard))
        mem_free(n->budget, shard->slots, shard_bytes(n, shard->capacity));
    shard->slots = NULL;
}

static void block_free(nodes *n)
{
    mem_free(n->budget, n->block, n->block_bytes);
    n->block = NULL;
    n->block_bytes = 0;
}

static void shard_take(nodes_shard *shard, uint64_t *slots, size_t capacity)
{
    shard->slots = slots;
    shard->capacity = capacity;
    shard->limit = LOAD_LIMIT(capacity);
}

holos_status nodes_init(nodes *n, mem_budget *budget, unsigned key_words, size_t position_size,
                        holos_error *err)
{
    *n = (nodes){.budget = budget,
                 .key_words = key_words,
                 .slot_words = nodes_slot_words(key_words, position_size),
                 .position_size = position_size};
    for (unsigned i = 0; i < NODES_SHARDS; i++) {
        uint64_t *slots = slots_make(n, CAPACITY_LEAST, err);
        if (slots == NULL) {
            nodes_free(n);
            return HOLOS_NO_MEMORY;
        }
        shard_take(&n->shards[i], slots, CAPACITY_LEAST);
    }
    return HOLOS_OK;
}

void nodes_free(nodes *n)
{
    nodes_runs_free(n);
    for (unsigned i = 0; i < NODES_SHARDS; i++) {
        nodes_shard *shard = &n->shards[i];
        slots_free(n, shard);
        mem_free(n->budget, shard->positions, shard->position_room * n->position_size);
        *shard = (nodes_shard){0};
    }
    block_free(n);
}

void nodes_shrink(nodes *n)
{
    bool is_left = n->block != NULL;
    for (unsigned i = 0; i < NODES_SHARDS; i++) {
        nodes_shard *shard = &n->shards[i];
        uint64_t *slots = shard->capacity > CAPACITY_LEAST ? slots_make(n, CAPACITY_LEAST, NULL) : NULL;
        shard->count = shard->position_count = 0;
        mem_free(n->budget, shard->positions, shard->position_room * n->position_size);
        shard->positions = NULL;
        shard->position_room = 0;
        if (slots == NULL) { /* it is small, or there is no memory even for a small one */
            memset(shard->slots, 0, shard_bytes(n, shard->capacity));
            is_left &= !shard_is_inside(n, shard);
            continue;
        }
        slots_free(n, shard);
        shard_take(shard, slots, CAPACITY_LEAST);
    }
    if (is_left)
        block_free(n);
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
    /* At 60 % a slot and two thirds for each; and one shard may be there twice while it grows, or the block takes a step. */
    return (size_t)insertions * (slot + slot * 2 / 3 + n->position_size * 5 / 4) +
           nodes_bytes(n) / NODES_SHARDS * 2 + n->block_bytes / 8;
}

/* ---- Growing ----------------------------------------------------------------------------------- */

/* Moving entries takes a good part of a wave's time. So the loops know how long an entry is when they are compiled,
 * and have no branches that depend on what they find: 1.1 times the positions/s in all. */
#define ALWAYS_INLINE __attribute__((always_inline)) static inline

ALWAYS_INLINE void slot_copy(uint64_t *to, const uint64_t *from, size_t words)
{
    for (size_t i = 0; i < words; i++)
        to[i] = from[i];
}

/* Moves all entries, which lie in `used` slots before the shard's own or in the first of these, to the end of the shard;
 * returns the first. What is before that is empty. */
ALWAYS_INLINE uint64_t *shard_pack(nodes_shard *shard, const uint64_t *from, size_t used, size_t words)
{
    uint64_t *to = shard->slots + (shard->capacity + TAIL) * words;
    for (const uint64_t *slot = from + used * words; slot != from;) {
        slot -= words;
        size_t taken = *slot != 0 ? words : 0;
        slot_copy(to - words, slot, words); /* if it is empty, the next one replaces it */
        to -= taken;
    }
    memset(shard->slots, 0, (size_t)((unsigned char *)to - (unsigned char *)shard->slots));
    return to;
}

/* Moves the entries from the end in their order: each goes home, or behind the one before it. They find room: in
 * a larger shard a home is at least as far from the end of all homes, so that no more of them are pushed past it
 * than before. */
ALWAYS_INLINE void shard_spread(nodes_shard *shard, uint64_t *from, size_t words)
{
    uint64_t *next = shard->slots, *end = shard->slots + (shard->capacity + TAIL) * words, entry[4];
    for (; from != end; from += words) {
        slot_copy(entry, from, words);
        uint64_t *home = shard->slots + wide_scale(mark_hash(entry[1]), shard->capacity) * words;
        uint64_t *place = home > next ? home : next;
        HOLOS_SLOW_ASSERT(place <= from);
        from[0] = from[1] = 0;
        slot_copy(place, entry, words);
        next = place + words;
    }
}

/* Brings the entries of a shard, which lie in `used` slots, to their places. */
static void shard_rearrange(const nodes *n, nodes_shard *shard, const uint64_t *from, size_t used)
{
    if (n->slot_words == 2)
        shard_spread(shard, shard_pack(shard, from, used, 2), 2);
    else if (n->slot_words == 3)
        shard_spread(shard, shard_pack(shard, from, used, 3), 3);
    else
        shard_spread(shard, shard_pack(shard, from, used, 4), 4);
}

void nodes_close_gaps(nodes *n, unsigned shard)
{
    nodes_shard *s = &n->shards[shard];
    shard_rearrange(n, s, s->slots, s->capacity + TAIL);
    s->count = 0;
    for (size_t i = 0; nodes_next_in_memory(n, shard, &i) != NULL;)
        s->count++;
}

/* A shard by itself grows where it is, so that it is never there twice. One in the block leaves it. */
static bool shard_grow(nodes *n, nodes_shard *shard, holos_error *err)
{
    size_t used = shard->capacity + TAIL, capacity = GROW(shard->capacity);
    size_t bytes = shard_bytes(n, shard->capacity), grown = shard_bytes(n, capacity);
    bool inside = shard_is_inside(n, shard);
    uint64_t *slots =
        inside ? mem_alloc(n->budget, grown) : mem_resize(n->budget, shard->slots, bytes, grown);
    if (slots == NULL) {
        mem_error(err, n->budget, grown, "the table of positions");
        return false;
    }
    const uint64_t *from = inside ? shard->slots : slots;
    shard_take(shard, slots, capacity);
    shard_rearrange(n, shard, from, used);
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
    if (n->position_size == 0 || shard->position_count < shard->position_room)
        return true;
    size_t room = shard->position_room > 0 ? GROW(shard->position_room) : CAPACITY_LEAST;
    void *block = mem_resize(n->budget, shard->positions, shard->position_room * n->position_size,
                             room * n->position_size);
    if (block == NULL) {
        mem_error(err, n->budget, room * n->position_size, "the positions");
        return false;
    }
    shard->positions = block;
    shard->position_room = room;
    return true;
}

/* ---- One block --------------------------------------------------------------------------------- */

/* Bytes of all shards from which on it is worth while. The graph of kalah:3,6 takes 1 % fewer instructions than with 16 MiB; and shards are there
 * twice when they move into the block, so the sooner the better. */
#define BLOCK_LEAST ((size_t)512 << 10)
/* Growing step by step, a table is copied seven times in all, and always nearly full. If it is known about how many nodes there will be, it grows at once,
 * as soon as one in so many of them is there: if they are fewer in the end, it is so much too large at the most. A rank reaches connect4:5x4 in
 * 0.39 s instead of 0.50 s, two ranks do in 0.25 s instead of 0.33 s; growing by half each time, in 0.44 s and 0.30 s. */
#define EXPECTED_SHARE 8
/* The host of a virtual machine gives fresh memory at about a gigabyte a second, and nobody who asks to stop is heard meanwhile: so a table takes no
 * more at once, unless its usual step is larger. Without this, connect4:6x4 took up to 3 s to stop. */
#define EXPECTED_BYTES ((size_t)128 << 20)

/* Shards that move to where they belong in the block, all of one capacity. */
typedef struct block_move {
    nodes *n;
    size_t capacity;
    unsigned first; /* shard */
} block_move;

static void shard_move(void *context, uint64_t index, unsigned worker)
{
    (void)worker;
    const block_move *m = context;
    nodes *n = m->n;
    nodes_shard *shard = &n->shards[m->first + index];
    nodes_shard before = *shard;
    shard_take(shard, n->block + (m->first + index) * (shard_bytes(n, m->capacity) / sizeof *n->block),
               m->capacity);
    shard_rearrange(n, shard, before.slots, before.capacity + TAIL);
    slots_free(n, &before);
}

/* The first of the shards before `end` that can move at once: they land on none that has not moved yet. */
static unsigned movable_from(const nodes *n, size_t capacity, unsigned end)
{
    size_t stride = shard_bytes(n, capacity) / sizeof *n->block;
    const uint64_t *taken = n->block;
    for (unsigned i = 0; i < end; i++) {
        const nodes_shard *shard = &n->shards[i];
        const uint64_t *past = shard->slots + shard_bytes(n, shard->capacity) / sizeof *n->block;
        taken = shard_is_inside(n, shard) && past > taken ? past : taken;
    }
    unsigned first = end - 1; /* one alone may even land on itself */
    while (first > 0 && n->block + (first - 1) * stride >= taken && n->block + first * stride >= taken)
        first--;
    return first;
}

/* Gives every shard this capacity, in the block. False: no memory, and nothing has changed. */
static bool block_lay(nodes *n, size_t capacity, pool *threads)
{
    size_t bytes = NODES_SHARDS * shard_bytes(n, capacity);
    uint64_t *old = n->block, *block = mem_resize(n->budget, old, n->block_bytes, bytes);
    if (block == NULL)
        return false;
    for (unsigned i = 0; i < NODES_SHARDS; i++)
        if (shard_is_inside(n, &n->shards[i]))
            n->shards[i].slots = block + (n->shards[i].slots - old);
    n->block = block;
    n->block_bytes = bytes;
    block_move m = {.n = n, .capacity = capacity};
    for (unsigned end = NODES_SHARDS; end > 0; end = m.first) {
        m.first = movable_from(n, capacity, end);
        pool_run(threads, end - m.first, shard_move, &m);
    }
    return true;
}

static size_t capacity_most(const nodes *n)
{
    size_t most = 0;
    for (unsigned i = 0; i < NODES_SHARDS; i++)
        most = n->shards[i].capacity > most ? n->shards[i].capacity : most;
    return most;
}

void nodes_gather(nodes *n, pool *threads)
{
    bool inside = true;
    for (unsigned i = 0; i < NODES_SHARDS; i++)
        inside &= shard_is_inside(n, &n->shards[i]);
    if (!inside)
        block_lay(n, capacity_most(n), threads);
}

/* What laying the block at this capacity takes of the budget. */
static size_t block_cost(const nodes *n, size_t capacity)
{
    size_t bytes = NODES_SHARDS * shard_bytes(n, capacity);
    return n->block != NULL ? mem_resize_cost(n->block_bytes, bytes) : bytes;
}

/* Whether a shard in the block has had its share or may get more than it holds, or one outside may grow. */
static bool shard_is_tight(const nodes *n, const nodes_shard *shard, size_t expected)
{
    if (!shard_is_inside(n, shard))
        return expected > shard->limit;
    return shard->count > LOAD_LIMIT(shard->capacity) || expected > LOAD_MOST(shard->capacity);
}

/* Whether it is worth while for all shards to be in the block. */
static bool block_is_useful(const nodes *n)
{
    return nodes_bytes(n) >= BLOCK_LEAST && mem_resize_cost(BLOCK_LEAST, 2 * BLOCK_LEAST) <= BLOCK_LEAST;
}

bool nodes_grow_soon(const nodes *n)
{
    bool soon = false;
    for (unsigned i = 0; i < NODES_SHARDS; i++)
        soon |= !shard_is_inside(n, &n->shards[i]) || n->shards[i].count > LOAD_SOON(n->shards[i].capacity);
    return soon && block_is_useful(n);
}

/* The capacity of a shard for all nodes that are expected, or on the way to that, once an EXPECTED_SHARE of them is there; 0 before that, and where nobody
 * knows. Two thirds full, it need not grow once more at the end: two ranks take 3 % less time for connect4:5x4 than with five sevenths. */
static size_t capacity_expected(const nodes *n, size_t capacity, size_t full)
{
    size_t each = (size_t)(n->expected / NODES_SHARDS), wish = each + each / 2;
    size_t most = capacity + EXPECTED_BYTES / NODES_SHARDS / (n->slot_words * sizeof(uint64_t));
    return full < each / EXPECTED_SHARE ? 0 : wish < most ? wish : most;
}

void nodes_reserve(nodes *n, const uint32_t *incoming, bool early, pool *threads)
{
    size_t capacity = capacity_most(n), full = 0;
    bool tight = false;
    if (!block_is_useful(n))
        return;
    for (unsigned i = 0; i < NODES_SHARDS; i++) {
        size_t expected = n->shards[i].count + incoming[i];
        tight |= shard_is_tight(n, &n->shards[i], expected);
        full = expected > full ? expected : full;
    }
    tight |= early && full > LOAD_EARLY(capacity);
    size_t steps[] = {capacity_expected(n, capacity, full), capacity + capacity / 6,
                      capacity + capacity / 16};
    for (unsigned i = steps[0] > steps[1] ? 0 : 1; i < 3 && tight; i++) {
        size_t least = full + full / 8, wish = steps[i] > least ? steps[i] : least;
        size_t share = i < 2 ? 4 : 1; /* the small step, when memory is short */
        tight = block_cost(n, wish) > mem_available(n->budget) / share || !block_lay(n, wish, threads);
    }
    for (unsigned i = 0; i < NODES_SHARDS; i++)
        if (shard_is_inside(n, &n->shards[i]))
            n->shards[i].limit = LOAD_MOST(n->shards[i].capacity);
}

/* ---- Entries ----------------------------------------------------------------------------------- */

holos_key slot_key(const nodes *n, const uint64_t *slot)
{
    uint64_t x = mark_hash(slot[1]);
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
    slot[1] = hash_mark(hash);
    if (n->key_words == 2)
        slot[2] = key.lo;
    if (n->position_size > 0) {
        slot[1 + n->key_words] = shard->position_count;
        memcpy(shard->positions + shard->position_count++ * n->position_size, position, n->position_size);
    }
    shard->count++;
}

node_at nodes_insert_at(nodes *n, uint64_t *slot, holos_key key, uint64_t hash, const void *position,
                        wave_node fresh, bool *was_fresh, holos_error *err)
{
    HOLOS_SLOW_ASSERT(fresh.flags != 0 && (n->key_words == 2 || key.hi == 0));
    nodes_shard *shard = &n->shards[nodes_shard_of(hash)];
    if (n->runs != NULL && !n->deferred) {
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
    if (slot_holds(n, slot, key, hash))
        return shard->positions + slot[1 + n->key_words] * n->position_size;
    return n->runs != NULL ? nodes_position_in_runs(n, key, hash) : NULL;
}

void nodes_position_change(nodes *n, uint64_t hash, node_at at, const void *position)
{
    nodes_shard *shard = &n->shards[nodes_shard_of(hash)];
    memcpy(shard->positions + at[1 + n->key_words] * n->position_size, position, n->position_size);
}

node_at nodes_next_in_memory(const nodes *n, unsigned shard, size_t *index)
{
    const nodes_shard *s = &n->shards[shard];
    while (*index < s->capacity + TAIL) {
        uint64_t *slot = s->slots + (*index)++ * n->slot_words;
        if (!slot_is_empty(slot))
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
