/* SPDX-License-Identifier: MIT */

#include "store/cache.h"

#include "core/list.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

void cache_init(cache *c, size_t limit)
{
    memset(c, 0, sizeof *c);
    c->limit = limit;
    pthread_mutex_init(&c->lock, NULL);
}

void cache_free(cache *c)
{
    free(c->slots);
    pthread_mutex_destroy(&c->lock);
}

bool cache_part_init(cache_part *p, part_view view, const char *name)
{
    *p = (cache_part){.view = view, .name = name};
    p->blocks = calloc(view.block_count + 1, sizeof *p->blocks);
    p->used = calloc(view.block_count + 1, 1);
    return p->blocks != NULL && p->used != NULL;
}

void cache_part_free(cache_part *p)
{
    for (uint64_t i = 0; p->blocks != NULL && i < p->view.block_count; i++)
        free(atomic_load_explicit(&p->blocks[i], memory_order_relaxed));
    free(p->blocks);
    free(p->used);
    memset(p, 0, sizeof *p);
}

void cache_begin(cache *c, uint64_t total)
{
    c->keeps_all = total <= c->limit;
}

/* Takes a block out of memory; the next one that was not used since the hand last came by. */
static void cache_evict(cache *c)
{
    for (;;) {
        c->hand = c->hand < c->slot_count ? c->hand : 0;
        struct cache_slot *slot = &c->slots[c->hand];
        if (slot->part->used[slot->block] == 0)
            break;
        slot->part->used[slot->block] = 0;
        c->hand++;
    }
    struct cache_slot *slot = &c->slots[c->hand];
    free(atomic_load_explicit(&slot->part->blocks[slot->block], memory_order_relaxed));
    atomic_store_explicit(&slot->part->blocks[slot->block], NULL, memory_order_relaxed);
    c->held -= part_block_size(&slot->part->view, slot->block);
    *slot = c->slots[--c->slot_count];
}

static bool slot_add(cache *c, cache_part *p, uint64_t block)
{
    if (!LIST_RESERVE(c->slots, c->slot_room, c->slot_count + 1))
        return false;
    c->slots[c->slot_count++] = (struct cache_slot){.part = p, .block = block};
    return true;
}

/* With the lock held. */
static holos_status block_load(cache *c, cache_part *p, uint64_t block, holos_error *err)
{
    size_t size = part_block_size(&p->view, block);
    while (!c->keeps_all && c->slot_count > 0 && c->held + size > c->limit)
        cache_evict(c);
    uint8_t *bytes = malloc(size);
    if (bytes == NULL)
        return error_system(err, "a block of %s", p->name);
    holos_status status = part_block_read(&p->view, block, bytes, p->name, err);
    if (status == HOLOS_OK && !slot_add(c, p, block))
        status = error_system(err, "a block of %s", p->name);
    if (status != HOLOS_OK) {
        free(bytes);
        return status;
    }
    c->held += size;
    atomic_store_explicit(&p->blocks[block], bytes, memory_order_release);
    return HOLOS_OK;
}

holos_status cache_byte(cache *c, cache_part *p, uint64_t index, uint8_t *out, holos_error *err)
{
    uint64_t block = index / p->view.block_size, offset = index % p->view.block_size;
    if (c->keeps_all) {
        const uint8_t *bytes = atomic_load_explicit(&p->blocks[block], memory_order_acquire);
        if (bytes != NULL) {
            *out = bytes[offset];
            return HOLOS_OK;
        }
    }
    holos_status status = HOLOS_OK;
    pthread_mutex_lock(&c->lock);
    const uint8_t *bytes = atomic_load_explicit(&p->blocks[block], memory_order_relaxed);
    if (bytes == NULL) {
        status = block_load(c, p, block, err);
        bytes = atomic_load_explicit(&p->blocks[block], memory_order_relaxed);
    }
    if (status == HOLOS_OK) {
        p->used[block] = 1;
        *out = bytes[offset];
    }
    pthread_mutex_unlock(&c->lock);
    return status;
}
