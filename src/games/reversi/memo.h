/* SPDX-License-Identifier: MIT */

/* What the search remembers of positions: bounds and the best move. Two entries in a line of the cache: one is kept if it took more
 * work, the other always gives way. Threads share it without locks: an entry carries a check of its own words, and
 * one that two threads wrote at once does not pass it. */

#ifndef HOLOS_REVERSI_MEMO_H
#define HOLOS_REVERSI_MEMO_H

#include "core/mem.h"
#include "games/reversi/rules.h"

#include <stdatomic.h>

typedef struct memo_value {
    int8_t lo, hi;
    uint8_t move; /* REVERSI_PASS: none */
    uint8_t cost; /* of two to this power nodes */
} memo_value;

typedef struct memo_entry {
    _Atomic uint64_t mine, theirs, value; /* mine and theirs: each xor the value */
} memo_entry;

typedef struct memo_line {
    _Alignas(64) memo_entry deep;
    memo_entry fresh;
} memo_line;

typedef struct reversi_memo {
    memo_line *lines;
    uint64_t mask;
    size_t size;
    mem_budget *budget;
} reversi_memo;

/* `size` bytes at most; false: no memory. */
static inline bool memo_open(reversi_memo *m, mem_budget *budget, size_t size)
{
    size_t count = 1024;
    while (count * 2 * sizeof(memo_line) <= size)
        count *= 2;
    m->size = count * sizeof(memo_line);
    m->mask = count - 1;
    m->budget = budget;
    m->lines = mem_alloc(budget, m->size);
    return m->lines != NULL;
}

static inline void memo_close(reversi_memo *m)
{
    if (m->lines != NULL)
        mem_free(m->budget, m->lines, m->size);
}

static inline uint64_t memo_hash(reversi_board b)
{
    uint64_t hash = b.mine * UINT64_C(0x9e3779b97f4a7c15) ^ b.theirs * UINT64_C(0xc2b2ae3d27d4eb4f);
    hash ^= hash >> 32;
    hash *= UINT64_C(0xd6e8feb86659fd93);
    return hash ^ hash >> 29;
}

static inline memo_line *memo_at(const reversi_memo *m, reversi_board b)
{
    return &m->lines[memo_hash(b) & m->mask];
}

static inline void memo_prefetch(const reversi_memo *m, reversi_board b)
{
    __builtin_prefetch(memo_at(m, b));
}

static inline memo_value memo_unpack(uint64_t word)
{
    return (memo_value){(int8_t)(word & 0xff), (int8_t)(word >> 8 & 0xff), (uint8_t)(word >> 16 & 0xff),
                        (uint8_t)(word >> 24 & 0xff)};
}

static inline uint64_t memo_pack(memo_value v)
{
    return (uint64_t)(uint8_t)v.lo | (uint64_t)(uint8_t)v.hi << 8 | (uint64_t)v.move << 16 |
           (uint64_t)v.cost << 24 | UINT64_C(1) << 32;
}

static inline bool entry_read(memo_entry *e, reversi_board b, memo_value *out)
{
    uint64_t value = atomic_load_explicit(&e->value, memory_order_relaxed);
    if ((atomic_load_explicit(&e->mine, memory_order_relaxed) ^ value) != b.mine ||
        (atomic_load_explicit(&e->theirs, memory_order_relaxed) ^ value) != b.theirs || value == 0)
        return false;
    *out = memo_unpack(value);
    return true;
}

static inline void entry_write(memo_entry *e, uint64_t mine, uint64_t theirs, uint64_t value)
{
    atomic_store_explicit(&e->mine, mine ^ value, memory_order_relaxed);
    atomic_store_explicit(&e->theirs, theirs ^ value, memory_order_relaxed);
    atomic_store_explicit(&e->value, value, memory_order_relaxed);
}

static inline bool memo_find(const reversi_memo *m, reversi_board b, memo_value *out)
{
    memo_line *line = memo_at(m, b);
    return entry_read(&line->deep, b, out) || entry_read(&line->fresh, b, out);
}

/* Replaces what is there of the position; otherwise the first entry if it took less work, and that goes to the second. */
static inline void memo_store(reversi_memo *m, reversi_board b, memo_value v)
{
    memo_line *line = memo_at(m, b);
    memo_value old;
    memo_entry *to = &line->fresh;
    uint64_t deep = atomic_load_explicit(&line->deep.value, memory_order_relaxed);
    if (entry_read(&line->deep, b, &old)) {
        to = &line->deep;
    } else if (!entry_read(&line->fresh, b, &old) && (deep == 0 || memo_unpack(deep).cost <= v.cost)) {
        uint64_t mine = atomic_load_explicit(&line->deep.mine, memory_order_relaxed) ^ deep;
        uint64_t theirs = atomic_load_explicit(&line->deep.theirs, memory_order_relaxed) ^ deep;
        if (deep != 0)
            entry_write(&line->fresh, mine, theirs, deep);
        to = &line->deep;
    }
    entry_write(to, b.mine, b.theirs, memo_pack(v));
}

/* The entries one after the other, from *index 0 on; false past the end. */
static inline bool memo_next(const reversi_memo *m, size_t *index, reversi_board *b, memo_value *out)
{
    for (; *index < 2 * (m->mask + 1); ++*index) {
        memo_line *line = &m->lines[*index / 2];
        memo_entry *e = *index % 2 == 0 ? &line->deep : &line->fresh;
        uint64_t value = atomic_load_explicit(&e->value, memory_order_relaxed);
        *b = (reversi_board){.mine = atomic_load_explicit(&e->mine, memory_order_relaxed) ^ value,
                             .theirs = atomic_load_explicit(&e->theirs, memory_order_relaxed) ^ value};
        *out = memo_unpack(value);
        /* What two threads wrote at once is a board of another line, or none. */
        if (value != 0 && (b->mine & b->theirs) == 0 && memo_at(m, *b) == line) {
            ++*index;
            return true;
        }
    }
    return false;
}

#endif
