/* SPDX-License-Identifier: MIT */

#include "engine/thinker/memory.h"

#include "core/wide.h"

#include <stdatomic.h>

bool memory_init(memory *m, mem_budget *budget, size_t size)
{
    *m = (memory){.budget = budget, .count = size / sizeof *m->slots + 1};
    m->slots = mem_alloc(budget, m->count * sizeof *m->slots);
    return m->slots != NULL; /* all 0: empty */
}

void memory_free(memory *m)
{
    if (m->slots != NULL)
        mem_free(m->budget, m->slots, m->count * sizeof *m->slots);
    m->slots = NULL;
}

void memory_clear(memory *m)
{
    for (size_t i = 0; i < m->count; i++) {
        atomic_store_explicit(&m->slots[i].key, 0, memory_order_relaxed);
        atomic_store_explicit(&m->slots[i].data, 0, memory_order_relaxed);
    }
}

static memory_slot *slot_of(const memory *m, uint64_t key)
{
    return &m->slots[wide_scale(key, m->count)];
}

static uint64_t pack(remembered e)
{
    return (uint64_t)e.move | (uint64_t)(uint16_t)e.score << 32 | (uint64_t)e.depth << 48 |
           (uint64_t)e.bound << 56 | UINT64_C(1) << 63; /* never 0: that is an empty slot */
}

static remembered unpack(uint64_t data)
{
    return (remembered){.move = (holos_move)data,
                        .score = (int16_t)(uint16_t)(data >> 32),
                        .depth = (uint8_t)(data >> 48),
                        .bound = (uint8_t)(data >> 56) & 3};
}

bool memory_find(const memory *m, uint64_t key, remembered *out)
{
    memory_slot *slot = slot_of(m, key);
    uint64_t data = atomic_load_explicit(&slot->data, memory_order_relaxed);
    if (data == 0 || (atomic_load_explicit(&slot->key, memory_order_relaxed) ^ data) != key)
        return false;
    *out = unpack(data);
    return true;
}

void memory_keep(memory *m, uint64_t key, remembered entry)
{
    memory_slot *slot = slot_of(m, key);
    remembered there;
    if (entry.bound != SCORE_EXACT && memory_find(m, key, &there) && there.depth > entry.depth + 2)
        return;
    uint64_t data = pack(entry);
    atomic_store_explicit(&slot->data, data, memory_order_relaxed);
    atomic_store_explicit(&slot->key, key ^ data, memory_order_relaxed);
}
