/* SPDX-License-Identifier: MIT */

/* The positions of a rank from the lowest to the highest, where the game says how high they are (holos_game.height). A move leads
 * lower: so whoever values positions in this order knows nearly all that a position asks for. */

#ifndef HOLOS_CLUSTER_HEIGHTS_H
#define HOLOS_CLUSTER_HEIGHTS_H

#include "cluster/owner.h"

typedef struct heights {
    uint64_t *words; /* of all keys, in order; NULL: they are not sorted */
    uint64_t count;  /* keys */
    size_t bytes;
    bool in_file; /* in the folder for what does not fit into memory */
} heights;

/* False: the game has no heights, or there is no room. Then layers from the deepest on will do, but more questions wait. */
bool heights_sort(cluster_graph *g, heights *out);
void heights_free(heights *h, cluster_graph *g);

#endif
