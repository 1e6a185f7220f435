/* SPDX-License-Identifier: MIT */

/* Numbers for questions that are on their way: small ones, used again once the answer has come, so that they can be places in an
 * array. */

#ifndef HOLOS_CLUSTER_NUMBERS_H
#define HOLOS_CLUSTER_NUMBERS_H

#include "core/list.h"

#include <stdint.h>
#include <stdlib.h>

typedef struct numbers {
    uint32_t *unused;
    size_t unused_count, room;
    size_t count; /* numbers so far: all are below */
} numbers;

#define NO_NUMBER UINT32_MAX

/* NO_NUMBER: no memory. */
static inline uint32_t numbers_take(numbers *n)
{
    if (n->unused_count > 0)
        return n->unused[--n->unused_count];
    /* All of them may come back at once. */
    if (n->count == NO_NUMBER || !LIST_RESERVE(n->unused, n->room, n->count + 1))
        return NO_NUMBER;
    return (uint32_t)n->count++;
}

static inline void numbers_give(numbers *n, uint32_t number)
{
    n->unused[n->unused_count++] = number;
}

static inline void numbers_free(numbers *n)
{
    free(n->unused);
}

#endif
