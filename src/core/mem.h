/* SPDX-License-Identifier: MIT */

/* Memory with a budget. Large things are asked for up front and accounted for, so that --mem holds and
 * long work can say "needs 3.1 GiB, limit 2.0 GiB" before it starts. A budget may be shared by threads. */

#ifndef HOLOS_CORE_MEM_H
#define HOLOS_CORE_MEM_H

#include "core/error.h"

#include <stdatomic.h>
#include <stddef.h>

typedef struct mem_budget {
    size_t limit; /* 0: none */
    _Atomic size_t used, peak;
} mem_budget;

void mem_budget_init(mem_budget *b, size_t limit);
/* Bytes that can still be asked for. */
size_t mem_available(const mem_budget *b);

/* For memory that somebody else makes: false if it is over the budget. `b` may be NULL: not accounted. */
bool mem_claim(mem_budget *b, size_t size);
void mem_unclaim(mem_budget *b, size_t size);
/* For memory that has to be there, even if it is over the budget: then nobody else gets any. mem_unclaim, too. */
void mem_count(mem_budget *b, size_t size);

/* `budget` may be NULL: not accounted. Blocks are zeroed and aligned to 64; from 256 KiB on they
 * are mapped, from 2 MiB on on huge pages where the system gives them. NULL: over the budget or out of memory. */
void *mem_alloc(mem_budget *budget, size_t size);
void mem_free(mem_budget *budget, void *block, size_t size);

/* Address space for a mapping of a file, without memory so far: it starts at a huge page if one fits into it. NULL: there is none. */
void *mem_place(size_t size);
/* Puts a part of a mapping of a file in memory on huge pages, if the system does that; what is there stays. With small pages the
 * tables of kalah:6,4 with 21 seeds take 1.45 times as long to solve. */
void mem_enlarge_pages(void *mapping, size_t first, size_t size);

/* The block (NULL: none yet, of size 0) with another size: what is new is zeroed, what fits is kept. A mapped block that stays
 * mapped moves without copying and needs only the difference; another one needs both sizes for a
 * moment. NULL: over the budget or out of memory, and the block is as it was. */
void *mem_resize(mem_budget *budget, void *block, size_t size, size_t new_size);
/* What mem_resize will need on top of what is in use, at its highest. */
size_t mem_resize_cost(size_t size, size_t new_size);

/* The error for a mem_alloc that failed: "WHAT needs 3.1 GiB, the limit is 2.0 GiB (2.0 GiB in use)". */
holos_status mem_error(holos_error *err, const mem_budget *budget, size_t size, const char *what);

/* Bytes that the system can spare now. */
uint64_t mem_spare(void);

/* An arena: allocations that die together. Aligned to 16. */
typedef struct arena {
    mem_budget *budget;
    struct arena_block *top;
    size_t block_size;
} arena;

void arena_init(arena *a, mem_budget *budget, size_t block_size);
void *arena_alloc(arena *a, size_t size); /* not zeroed; NULL: over the budget or out of memory */
char *arena_string(arena *a, const char *s);
void arena_clear(arena *a); /* keeps one block for the next use */
void arena_free(arena *a);

#endif
