/* SPDX-License-Identifier: MIT */

/* Unpacked blocks of part files. Where all blocks fit, a lookup takes no lock and nothing is ever thrown
 * away; otherwise a block that has not been read since the hand last passed makes room. */

#ifndef HOLOS_STORE_CACHE_H
#define HOLOS_STORE_CACHE_H

#include "store/part.h"

#include <pthread.h>

/* The blocks of one part. */
typedef struct cache_part {
    part_view view;
    const char *name;
    uint8_t *_Atomic *blocks; /* NULL: not in memory */
    uint8_t *used;            /* a flag each */
} cache_part;

typedef struct cache {
    size_t limit, held; /* bytes */
    bool keeps_all;
    pthread_mutex_t lock;
    struct cache_slot {
        cache_part *part;
        uint64_t block;
    } * slots;
    size_t slot_count, slot_room, hand;
} cache;

void cache_init(cache *c, size_t limit);
void cache_free(cache *c);
/* `name` is not copied. False: out of memory. */
bool cache_part_init(cache_part *p, part_view view, const char *name);
void cache_part_free(cache_part *p);
/* After all parts are there: `total` bytes before compression. */
void cache_begin(cache *c, uint64_t total);

holos_status cache_byte(cache *c, cache_part *p, uint64_t index, uint8_t *out, holos_error *err);

#endif
