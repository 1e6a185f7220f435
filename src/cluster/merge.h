/* SPDX-License-Identifier: MIT */

/* Sorted records of all ranks in one order: each rank sends its own, and rank 0 merges them while it takes its own. So rank 0 never
 * holds more than a few of each.
 *
 * A record begins with its holos_key; all have the same size, and no two the same key. */

#ifndef HOLOS_CLUSTER_MERGE_H
#define HOLOS_CLUSTER_MERGE_H

#include "cluster/cluster.h"
#include "core/key.h"

/* Takes some records, one after the other. Not HOLOS_OK: enough, and that is returned. */
typedef holos_status merge_take(void *context, const void *records, size_t count, holos_error *err);
/* Hands all records of this rank to `take`, in their order. */
typedef holos_status merge_give(void *from, merge_take *take, void *context, holos_error *err);

/* All ranks together; `take` is called in rank 0. */
holos_status cluster_merge(holos_cluster *c, size_t record, merge_give *give, void *from, merge_take *take,
                           void *context, holos_error *err);

#endif
