/* SPDX-License-Identifier: MIT */

/* Sorted records of all ranks in one order, packed by all of them. Step by step the order is cut into a range for each rank, which gets the records of its range
 * from all the others, packs them, a block at a time, and sends what comes out to rank 0. So all ranks pack, rank 0 only takes bytes, and these do not
 * depend on the number of ranks. */

#ifndef HOLOS_CLUSTER_RANGES_H
#define HOLOS_CLUSTER_RANGES_H

#include "cluster/merge.h"
#include "core/mem.h"

typedef struct ranges_request {
    size_t record;    /* bytes, a multiple of four; it begins with its holos_key, and no two have the same */
    size_t block;     /* records that are packed together; only the last of all may be fewer */
    size_t room;      /* bytes of a packed block, at the most; all are multiples of four */
    merge_give *give; /* the records of this rank */
    void *from;
    holos_status (*pack)(void *context, const void *records, size_t count, unsigned char *out, size_t *size,
                         holos_error *err);
    /* In rank 0: some packed blocks. All of them come in the order of their records. */
    holos_status (*take)(void *context, const unsigned char *bytes, size_t size, holos_error *err);
    void *context;
} ranges_request;

/* All ranks together. What it needs counts against the budget. */
holos_status cluster_ranges(holos_cluster *c, mem_budget *budget, const ranges_request *q, holos_error *err);

#endif
