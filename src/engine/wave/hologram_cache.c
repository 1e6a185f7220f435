/* SPDX-License-Identifier: MIT */

/* Unpacked blocks of a hologram: unpacking one takes a hundred times as long as to find a position in it. One that has not
 * been read since the hand last passed makes room. */

#include "engine/wave/hologram_format.h"

#include <stdlib.h>

/* Rounded up to whole lines of a processor's memory. */
#define LINES(bytes) (((bytes) + 63) / 64 * 64)

void hologram_cache_limit(holos_hologram *h, size_t bytes)
{
    h->cache.limit = bytes;
}

void hologram_cache_free(hologram_cache *c, uint64_t block_count)
{
    for (uint64_t i = 0; c->blocks != NULL && i < block_count; i++)
        free(c->blocks[i]);
    free(c->blocks);
    free(c->used);
    *c = (hologram_cache){0};
}

static bool cache_begin(holos_hologram *h)
{
    hologram_cache *c = &h->cache;
    if (c->blocks == NULL)
        c->blocks = calloc(h->block_count + 1, sizeof *c->blocks);
    if (c->used == NULL)
        c->used = calloc(h->block_count + 1, sizeof *c->used);
    return c->blocks != NULL && c->used != NULL;
}

static void cache_make_room(holos_hologram *h, size_t bytes)
{
    hologram_cache *c = &h->cache;
    while (c->held > 0 && c->held + bytes > c->limit) {
        uint64_t at = c->hand;
        c->hand = (c->hand + 1) % h->block_count;
        if (c->blocks[at] != NULL && c->used[at] == 0) {
            c->held -= c->blocks[at]->bytes;
            free(c->blocks[at]);
            c->blocks[at] = NULL;
        }
        c->used[at] = 0;
    }
}

/* From what has just been unpacked. NULL: no memory. */
static hologram_cells *cells_make(holos_hologram *h, uint32_t count)
{
    const hologram_entry *entries = h->entries;
    bool two = entries[0].key.hi != entries[count - 1].key.hi;
    size_t groups = (count + HOLOGRAM_GROUP - 1) / HOLOGRAM_GROUP;
    size_t bytes = LINES(sizeof(hologram_cells) + (two ? count * sizeof(uint64_t) : 0)) +
                   groups * sizeof(hologram_group);
    cache_make_room(h, bytes);
    hologram_cells *cells = aligned_alloc(64, bytes);
    if (cells == NULL)
        return NULL;
    *cells = (hologram_cells){
        .hi = two ? (uint64_t *)(void *)(cells + 1) : NULL, .upper = entries[0].key.hi, .bytes = bytes};
    cells->groups = (hologram_group *)(void *)((char *)cells + bytes) - groups;
    for (uint32_t i = 0; i < count; i++) {
        hologram_group *group = &cells->groups[i / HOLOGRAM_GROUP];
        if (i % HOLOGRAM_GROUP == 0)
            cells->tops[i / HOLOGRAM_GROUP] = entries[i].key.lo;
        group->lo[i % HOLOGRAM_GROUP] = entries[i].key.lo;
        group->nodes[i % HOLOGRAM_GROUP] = entries[i].node;
        if (two)
            cells->hi[i] = entries[i].key.hi;
    }
    return cells;
}

holos_status hologram_cells_of(holos_hologram *h, uint64_t block, const hologram_cells **out,
                               holos_error *err)
{
    hologram_cache *c = &h->cache;
    if (c->blocks != NULL && c->blocks[block] != NULL) {
        c->used[block] = 1;
        *out = c->blocks[block];
        return HOLOS_OK;
    }
    uint32_t count;
    holos_status status =
        cache_begin(h) ? hologram_unpack(h, block, &count, err) : error_system(err, "a block of a hologram");
    if (status != HOLOS_OK)
        return status;
    hologram_cells *cells = cells_make(h, count);
    if (cells == NULL)
        return error_system(err, "a block of a hologram");
    c->blocks[block] = cells;
    c->used[block] = 1;
    c->held += cells->bytes;
    *out = cells;
    return HOLOS_OK;
}
