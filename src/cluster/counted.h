/* SPDX-License-Identifier: MIT */

/* Lists that count against a budget: what travels between ranks, and what waits for it. It has to have a place even if the budget has none left, or
 * the job would end for a few bytes; then the tables, which ask first, get so much less. */

#ifndef HOLOS_CLUSTER_COUNTED_H
#define HOLOS_CLUSTER_COUNTED_H

#include "core/list.h"
#include "core/mem.h"

#include <stdlib.h>

/* As list_grow. */
static inline bool counted_grow(mem_budget *budget, void *items, size_t *room, size_t count, size_t size)
{
    size_t before = *room;
    if (!list_grow(items, room, count, size))
        return false;
    mem_count(budget, (*room - before) * size);
    return true;
}

#define COUNTED_RESERVE(budget, items, room, count)                                                          \
    ((count) <= (room) || counted_grow((budget), &(items), &(room), (count), sizeof *(items)))

static inline void counted_free(mem_budget *budget, void *items, size_t bytes)
{
    free(items);
    mem_unclaim(budget, bytes);
}

#define COUNTED_FREE(budget, items, room) counted_free((budget), (items), (room) * sizeof *(items))

#endif
