/* SPDX-License-Identifier: MIT */

/* Blocks of rows that have been read, in order; where they do not all fit, one that has not been used since the hand last
 * passed makes room. Whoever calls holds a lock. */

#ifndef HOLOS_STORE_ROW_CACHE_H
#define HOLOS_STORE_ROW_CACHE_H

#include "store/rows.h"

typedef struct row_cache {
    holos_row **blocks; /* NULL: not in memory */
    bool *used;         /* since the hand last passed */
    uint64_t count, hand, held, held_most;
} row_cache;

/* `room`: bytes for blocks; at least two are kept. False: no memory. */
bool row_cache_init(row_cache *c, uint64_t count, size_t room);
void row_cache_free(row_cache *c);
/* NULL: it is not in memory. */
const holos_row *row_cache_get(row_cache *c, uint64_t block);
/* Room for a block, to be filled and then kept or dropped; NULL: no memory. */
holos_row *row_cache_room(row_cache *c);
void row_cache_keep(row_cache *c, uint64_t block, holos_row *rows);
void row_cache_drop(row_cache *c, holos_row *rows);

/* The row of a block with this identity; NULL: there is none. */
const holos_row *rows_search(const holos_row *rows, uint32_t count, holos_key identity);

#endif
