/* SPDX-License-Identifier: MIT */

/* Where the tables of a build are: a block for each tier, in memory or in a file without a name. Processes of one machine that build
 * together map one file: then each accounts for its share of it. */

#ifndef HOLOS_RETROGRADE_ROOM_H
#define HOLOS_RETROGRADE_ROOM_H

#include "engine/retrograde/retrograde.h"

typedef struct table_room {
    const holos_variant *v;
    const retro_options *o;
    uint8_t **blocks; /* one a tier; NULL: not yet */
    uint8_t *all;     /* of all tiers, where several processes have them together; else NULL */
    uint64_t total;
} table_room;

/* Bytes of a part, and of a tier. */
uint64_t part_room(const holos_variant *v, uint32_t tier, uint32_t part);
uint64_t tier_room(const holos_variant *v, uint32_t tier);
/* What a process accounts for. */
uint64_t tier_share(const holos_variant *v, const retro_options *o, uint32_t tier);

/* `status` is how the process has fared so far. In company, all of them call it: a failure of one is that of all. `v` and `o` outlive
 * the room. */
holos_status room_open(table_room *room, const holos_variant *v, const retro_options *o, holos_status status,
                       holos_error *err);
void room_close(table_room *room);
/* The block of a tier, zeroed. NULL: there is no room. */
uint8_t *room_take(table_room *room, uint32_t tier, holos_error *err);
/* Some of a block is going to be written or read: where it is shared, on large pages. */
void room_prepare(table_room *room, const uint8_t *bytes, uint64_t size);

#endif
