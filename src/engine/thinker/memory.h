/* SPDX-License-Identifier: MIT */

/* What a thinker remembers of positions, for all of its threads at once and without locks: an entry is two words, and a key that does
 * not fit its data (two threads wrote at once) is no entry. core/table.h has no such table: its entries belong to one thread. */

#ifndef HOLOS_ENGINE_THINKER_MEMORY_H
#define HOLOS_ENGINE_THINKER_MEMORY_H

#include "core/mem.h"
#include "game/types.h"

enum { SCORE_EXACT, SCORE_AT_LEAST, SCORE_AT_MOST };

typedef struct remembered {
    holos_move move; /* what looked best */
    int16_t score;
    uint8_t depth, bound; /* SCORE_… */
} remembered;

typedef struct memory_slot {
    _Atomic uint64_t key, data;
} memory_slot;

typedef struct memory {
    memory_slot *slots;
    size_t count;
    mem_budget *budget;
} memory;

/* About `size` bytes. False: no memory. */
bool memory_init(memory *m, mem_budget *budget, size_t size);
void memory_free(memory *m);
void memory_clear(memory *m);
bool memory_find(const memory *m, uint64_t key, remembered *out);
/* A shallower look does not replace a deeper one at the same position. */
void memory_keep(memory *m, uint64_t key, remembered entry);

#endif
