/* SPDX-License-Identifier: MIT */

/* The parts of a database over the ranks of a cluster. In each tier a manager, a thread of rank 0, hands out the parts, the largest
 * first, to whoever asks; a finished tier goes to all ranks. So every rank has all lower tiers in its memory. */

#ifndef HOLOS_CLUSTER_PARTS_H
#define HOLOS_CLUSTER_PARTS_H

#include "cluster/cluster.h"
#include "engine/retrograde/retrograde.h"

typedef struct cluster_parts cluster_parts;

/* `keeps`: every rank keeps the parts that it has solved; `whole`: all ranks need the last tier, too. All ranks open it. */
holos_status parts_open(holos_cluster *c, bool keeps, bool whole, cluster_parts **out, holos_error *err);
void parts_close(cluster_parts *p); /* may be NULL */
const retro_company *parts_company(const cluster_parts *p);

#endif
