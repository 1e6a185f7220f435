/* SPDX-License-Identifier: MIT */

/* The nodes of a wave in the order of their keys, as rows of graphs and entries of holograms have them. */

#ifndef HOLOS_WAVE_SORTED_H
#define HOLOS_WAVE_SORTED_H

#include "core/progress.h"
#include "engine/wave/nodes.h"

#define SORTED_BATCH 16384 /* entries that are handed out together, at most */

/* The words of an entry: key.lo[, key.hi], node. */
static inline unsigned sorted_words(const nodes *n)
{
    return n->key_words + 1;
}

static inline holos_key sorted_key(const uint64_t *entry, unsigned words)
{
    return (holos_key){.hi = words == 3 ? entry[1] : 0, .lo = entry[0]};
}

/* Takes some entries, one after the other. Not HOLOS_OK: enough, and nodes_sorted returns that. */
typedef holos_status sorted_take(void *context, const uint64_t *entries, size_t count, holos_error *err);

typedef struct sorted_request {
    const nodes *nodes;
    pool *threads;
    /* Sorting takes what is left of the budget; if that is less than so many bytes, then so many beside it. */
    size_t least;
    sorted_take *take;
    /* Whether to give up; asked now and then, by the caller's thread. NULL: never. */
    bool (*late)(void *context);
    void *context;
    progress *shown; /* told of sorting until the first entries go out; NULL: nobody is */
} sorted_request;

/* All nodes in the order of their keys. HOLOS_INTERRUPTED: it was given up. */
holos_status nodes_sorted(const sorted_request *q, holos_error *err);

#endif
