/* SPDX-License-Identifier: MIT */

#include "core/mem.h"

#include "core/assert.h"
#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MEM_ALIGNMENT 64
#define MEM_MAPPED    ((size_t)256 << 10) /* from here on blocks are mapped */
#define MEM_HUGE_PAGE ((size_t)2 << 20)
#define MEM_PAGE      ((size_t)4096)
/* The thread sanitizer does not see that mremap makes other memory of an address. */
#if defined(MREMAP_MAYMOVE) && !defined(__SANITIZE_THREAD__)
#define MEM_MOVES_PAGES
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif
#define MEM_LARGEST (SIZE_MAX / 4) /* more is a mistake in somebody's arithmetic */

/* ---- The budget -------------------------------------------------------------------------------- */

void mem_budget_init(mem_budget *b, size_t limit)
{
    b->limit = limit;
    atomic_init(&b->used, 0);
    atomic_init(&b->peak, 0);
}

size_t mem_available(const mem_budget *b)
{
    size_t used = atomic_load_explicit(&b->used, memory_order_relaxed);
    size_t limit = b->limit != 0 ? b->limit : SIZE_MAX;
    return used < limit ? limit - used : 0;
}

/* So much is in use now. */
static void peak_raise(mem_budget *b, size_t used)
{
    size_t peak = atomic_load_explicit(&b->peak, memory_order_relaxed);
    while (peak < used && !atomic_compare_exchange_weak_explicit(&b->peak, &peak, used, memory_order_relaxed,
                                                                 memory_order_relaxed))
        ;
}

bool mem_claim(mem_budget *b, size_t size)
{
    if (b == NULL)
        return true;
    size_t limit = b->limit != 0 ? b->limit : SIZE_MAX;
    size_t used = atomic_load_explicit(&b->used, memory_order_relaxed);
    do
        if (size > limit || used > limit - size)
            return false;
    while (!atomic_compare_exchange_weak_explicit(&b->used, &used, used + size, memory_order_relaxed,
                                                  memory_order_relaxed));
    peak_raise(b, used + size);
    return true;
}

void mem_count(mem_budget *b, size_t size)
{
    if (b != NULL)
        peak_raise(b, atomic_fetch_add_explicit(&b->used, size, memory_order_relaxed) + size);
}

void mem_unclaim(mem_budget *b, size_t size)
{
    if (b == NULL)
        return;
    size_t used = atomic_fetch_sub_explicit(&b->used, size, memory_order_relaxed);
    assert(used >= size);
}

holos_status mem_error(holos_error *err, const mem_budget *budget, size_t size, const char *what)
{
    char buffer[256];
    text t;
    text_init_fixed(&t, buffer, sizeof buffer);
    text_printf(&t, "%s needs ", what);
    text_size(&t, size);
    if (budget == NULL || budget->limit == 0 || size <= mem_available(budget)) {
        text_string(&t, ", more than the system gives");
    } else {
        text_string(&t, ", the limit is ");
        text_size(&t, budget->limit);
        text_string(&t, " (");
        text_size(&t, atomic_load_explicit(&budget->used, memory_order_relaxed));
        text_string(&t, " in use)");
    }
    return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "%s", buffer);
}

/* ---- Blocks ------------------------------------------------------------------------------------ */

static size_t round_up(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

/* Address space of `size` bytes; where a huge page fits into it, it starts at one. */
static void *map_aligned(size_t size, int protection, int flags)
{
    size_t room = size >= MEM_HUGE_PAGE ? size + MEM_HUGE_PAGE : size;
    unsigned char *start = mmap(NULL, room, protection, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    if (room == size)
        return start;
    unsigned char *aligned = (unsigned char *)round_up((uintptr_t)start, MEM_HUGE_PAGE);
    size_t before = (size_t)(aligned - start), after = room - before - size;
    if (before > 0)
        munmap(start, before);
    if (after > 0)
        munmap(aligned + size, after);
    return aligned;
}

/* Without huge pages it works, only slower. */
static void map_enlarge_pages(void *block, size_t size)
{
    if (size >= MEM_HUGE_PAGE)
        madvise(block, size, MADV_HUGEPAGE);
}

void *mem_place(size_t size)
{
    return size <= MEM_LARGEST ? map_aligned(round_up(size, MEM_PAGE), PROT_NONE, MAP_NORESERVE) : NULL;
}

void mem_enlarge_pages(void *mapping, size_t first, size_t size)
{
    unsigned char *start = mapping;
    size_t end = first + size;
    for (size_t at = first; at < end; at = round_up(at + 1, MEM_HUGE_PAGE)) {
        (void)*(volatile unsigned char *)(start + at); /* without any page there is nothing to enlarge */
        madvise(start + at / MEM_HUGE_PAGE * MEM_HUGE_PAGE, MEM_HUGE_PAGE, MADV_COLLAPSE);
    }
}

static void *block_make(size_t size)
{
    if (size > MEM_LARGEST)
        return NULL;
    if (size >= MEM_MAPPED) {
        size = round_up(size, MEM_PAGE);
        void *block = map_aligned(size, PROT_READ | PROT_WRITE, 0);
        if (block != NULL)
            map_enlarge_pages(block, size);
        return block;
    }
    size = round_up(size > 0 ? size : 1, MEM_ALIGNMENT);
    void *block = aligned_alloc(MEM_ALIGNMENT, size);
    return block != NULL ? memset(block, 0, size) : NULL;
}

static void block_drop(void *block, size_t size)
{
    if (size >= MEM_MAPPED)
        munmap(block, round_up(size, MEM_PAGE));
    else
        free(block);
}

void *mem_alloc(mem_budget *budget, size_t size)
{
    if (!mem_claim(budget, size))
        return NULL;
    void *block = block_make(size);
    if (block == NULL)
        mem_unclaim(budget, size);
    return block;
}

void mem_free(mem_budget *budget, void *block, size_t size)
{
    if (block == NULL)
        return;
    block_drop(block, size);
    mem_unclaim(budget, size);
}

static bool resize_moves_pages(size_t size, size_t new_size)
{
#ifdef MEM_MOVES_PAGES
    return size >= MEM_MAPPED && new_size >= MEM_MAPPED;
#else
    (void)size;
    (void)new_size;
    return false;
#endif
}

size_t mem_resize_cost(size_t size, size_t new_size)
{
    if (!resize_moves_pages(size, new_size))
        return new_size;
    return new_size > size ? new_size - size : 0;
}

#ifdef MEM_MOVES_PAGES
/* Grows where it is, or moves the pages to a place that starts at a huge page (again): elsewhere the
 * system would break every huge page into small ones, and make no new ones. */
static void *pages_resize(void *block, size_t size, size_t new_size)
{
    size = round_up(size, MEM_PAGE);
    new_size = round_up(new_size, MEM_PAGE);
    bool placed = new_size < MEM_HUGE_PAGE || (uintptr_t)block % MEM_HUGE_PAGE == 0;
    if (placed && mremap(block, size, new_size, 0) != MAP_FAILED) {
        if (size < MEM_HUGE_PAGE)
            map_enlarge_pages(block, new_size);
        return block;
    }
    void *place = mem_place(new_size);
    if (place == NULL)
        return NULL;
    if (mremap(block, size, new_size, MREMAP_MAYMOVE | MREMAP_FIXED, place) != MAP_FAILED) {
        map_enlarge_pages(place, new_size);
        return place;
    }
    return NULL; /* `place` stays reserved, which costs nothing: whether the failed call has already given
                    it up, and to whom, nobody can tell */
}

static void *mem_resize_pages(mem_budget *budget, void *block, size_t size, size_t new_size)
{
    size_t more = new_size > size ? new_size - size : 0;
    if (new_size > MEM_LARGEST || !mem_claim(budget, more))
        return NULL;
    size_t page_rest = round_up(size, MEM_PAGE) - size;
    if (page_rest > 0 && more > 0) /* the end of the last page may have been written to */
        memset((unsigned char *)block + size, 0, page_rest < more ? page_rest : more);
    void *moved = pages_resize(block, size, new_size);
    if (moved == NULL)
        mem_unclaim(budget, more);
    else if (new_size < size)
        mem_unclaim(budget, size - new_size);
    return moved;
}
#endif

void *mem_resize(mem_budget *budget, void *block, size_t size, size_t new_size)
{
#ifdef MEM_MOVES_PAGES
    if (resize_moves_pages(size, new_size))
        return mem_resize_pages(budget, block, size, new_size);
#endif
    void *made = mem_alloc(budget, new_size);
    if (made == NULL)
        return NULL;
    if (block != NULL)
        memcpy(made, block, size < new_size ? size : new_size);
    mem_free(budget, block, size);
    return made;
}

/* ---- Arenas ------------------------------------------------------------------------------------ */

typedef struct arena_block {
    struct arena_block *below;
    size_t size, used; /* of the whole block, this header among it */
} arena_block;

#define ARENA_ALIGNMENT 16
#define ARENA_HEADER    (round_up(sizeof(arena_block), ARENA_ALIGNMENT))

void arena_init(arena *a, mem_budget *budget, size_t block_size)
{
    *a = (arena){.budget = budget, .block_size = block_size};
}

/* What does not fit into the top block gets a new one. A large request gets one of its own, under the
 * top, so that the room in the top stays in use. */
static arena_block *arena_block_add(arena *a, size_t size)
{
    size_t want = ARENA_HEADER + size;
    bool own = a->top != NULL && want > a->block_size / 2;
    size_t block_size = want < a->block_size && !own ? a->block_size : want;
    arena_block *block = mem_alloc(a->budget, block_size);
    if (block == NULL)
        return NULL;
    block->size = block_size;
    block->used = ARENA_HEADER;
    arena_block **link = own ? &a->top->below : &a->top;
    block->below = *link;
    *link = block;
    return block;
}

void *arena_alloc(arena *a, size_t size)
{
    if (size > MEM_LARGEST)
        return NULL;
    size = round_up(size > 0 ? size : 1, ARENA_ALIGNMENT);
    arena_block *block = a->top;
    if (block == NULL || size > block->size - block->used) {
        block = arena_block_add(a, size);
        if (block == NULL)
            return NULL;
    }
    void *place = (unsigned char *)block + block->used;
    block->used += size;
    return place;
}

char *arena_string(arena *a, const char *s)
{
    size_t size = strlen(s) + 1;
    char *copy = arena_alloc(a, size);
    return copy != NULL ? memcpy(copy, s, size) : NULL;
}

static void arena_drop_from(arena *a, arena_block *block)
{
    while (block != NULL) {
        arena_block *below = block->below;
        mem_free(a->budget, block, block->size);
        block = below;
    }
}

void arena_clear(arena *a)
{
    if (a->top == NULL)
        return;
    arena_drop_from(a, a->top->below);
    a->top->below = NULL;
    a->top->used = ARENA_HEADER;
}

void arena_free(arena *a)
{
    arena_drop_from(a, a->top);
    a->top = NULL;
}

/* ---- The system ------------------------------------------------------------------------------------ */

#define MEMORY_UNKNOWN ((uint64_t)4 << 30) /* where the system does not say */

uint64_t mem_spare(void)
{
    FILE *f = fopen("/proc/meminfo", "r");
    char line[128];
    uint64_t kib = 0;
    while (f != NULL && kib == 0 && fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, "MemAvailable:", 13) == 0)
            kib = strtoull(line + 13, NULL, 10);
    if (f != NULL)
        fclose(f);
    /* A tenth stays for the page cache and for others. */
    return kib > 0 ? kib * 1024 / 10 * 9 : MEMORY_UNKNOWN;
}
