/* SPDX-License-Identifier: MIT */

#include "engine/wave/layers.h"

#include "core/assert.h"
#include "core/list.h"

#include <stdlib.h>
#include <sys/mman.h>

void layers_init(layers *l, mem_budget *budget, unsigned key_words)
{
    *l = (layers){.budget = budget, .key_words = key_words};
}

static size_t list_bytes(const layers *l, size_t room)
{
    return room * l->key_words * sizeof(uint64_t);
}

static void list_free(layers *l, key_list *list)
{
    if (list->room > 0)
        mem_free(l->budget, list->words, list_bytes(l, list->room));
}

static void layer_unmap(layer *at)
{
    if (at->map != NULL)
        munmap(at->map, at->map_bytes);
    at->map = NULL;
}

void layers_free(layers *l)
{
    for (unsigned depth = 0; depth < l->depth; depth++) {
        if (l->at[depth] == l->nothing)
            continue;
        for (unsigned i = 0; i < NODES_SHARDS; i++)
            list_free(l, &l->at[depth]->lists[i]);
        layer_unmap(l->at[depth]);
        mem_free(l->budget, l->at[depth], sizeof(layer));
    }
    if (l->nothing != NULL)
        mem_free(l->budget, l->nothing, sizeof(layer));
    free(l->at);
    layers_init(l, l->budget, l->key_words);
}

void layers_remap(layers *l, layer *at, uint64_t *map, size_t bytes)
{
    uint64_t *next = map;
    for (unsigned i = 0; i < NODES_SHARDS; i++) {
        key_list *list = &at->lists[i];
        list_free(l, list);
        list->room = 0;
        list->words = list->count > 0 ? next : NULL;
        next += list->count * l->key_words;
    }
    layer_unmap(at);
    at->map = map;
    at->map_bytes = bytes;
}

void layers_forget_keys(layers *l)
{
    for (unsigned depth = 0; depth < l->depth; depth++)
        for (unsigned i = 0; i < NODES_SHARDS; i++) {
            key_list *list = &l->at[depth]->lists[i];
            list_free(l, list);
            list->words = NULL;
            list->room = 0;
        }
}

void layers_hand_on(layer *done, layer *to)
{
    for (unsigned i = 0; i < NODES_SHARDS; i++) {
        key_list *from = &done->lists[i], *list = &to->lists[i];
        if (from->room == 0 || list->words != NULL)
            continue;
        list->words = from->words;
        list->room = from->room;
        from->words = NULL;
        from->room = 0;
    }
}

size_t layers_bytes(const layers *l)
{
    size_t bytes = 0;
    for (unsigned depth = 0; depth < l->depth; depth++) {
        bytes += l->at[depth] != l->nothing ? sizeof(layer) : 0;
        for (unsigned i = 0; i < NODES_SHARDS; i++)
            bytes += list_bytes(l, l->at[depth]->lists[i].room);
    }
    return bytes;
}

holos_status layers_reach(layers *l, unsigned depth, holos_error *err)
{
    if (!LIST_RESERVE(l->at, l->room, (size_t)depth + 1))
        return error_system(err, "the layers of a wave");
    if (l->nothing == NULL)
        l->nothing = mem_alloc(l->budget, sizeof(layer));
    for (; l->nothing != NULL && l->depth <= depth; l->depth++)
        l->at[l->depth] = l->nothing;
    if (l->nothing != NULL && l->at[depth] != l->nothing)
        return HOLOS_OK;
    layer *fresh = l->nothing != NULL ? mem_alloc(l->budget, sizeof(layer)) : NULL;
    if (fresh == NULL)
        return mem_error(err, l->budget, sizeof(layer), "a layer of a wave");
    l->at[depth] = fresh;
    return HOLOS_OK;
}

static bool list_resize(layers *l, key_list *list, size_t room)
{
    uint64_t *words;
    if (room == 0) {
        list_free(l, list);
        list->words = NULL;
        list->room = 0;
        return true;
    }
    if (list->room > 0) {
        words = mem_resize(l->budget, list->words, list_bytes(l, list->room), list_bytes(l, room));
    } else { /* empty, or in a map: then it comes back into memory */
        words = mem_alloc(l->budget, list_bytes(l, room));
        if (words != NULL && list->count > 0)
            memcpy(words, list->words, list_bytes(l, list->count));
    }
    if (words == NULL)
        return false;
    list->words = words;
    list->room = room;
    return true;
}

/* The room of a list that has to grow. */
static size_t list_wish(const key_list *list)
{
    return list->count + list->count / 4 + 4;
}

holos_status list_error(const layers *l, const key_list *list, holos_error *err)
{
    return mem_error(err, l->budget, list_bytes(l, list_wish(list)), "a layer of a wave");
}

bool list_append(layers *l, key_list *list, holos_key key)
{
    if (list->count >= list->room && !list_resize(l, list, list_wish(list)))
        return false;
    assert(list->words != NULL);
    list_put(l, list, list->count++, key);
    return true;
}

static int one_compare(const void *a, const void *b)
{
    uint64_t x = layer_order_of((holos_key){.lo = *(const uint64_t *)a}),
             y = layer_order_of((holos_key){.lo = *(const uint64_t *)b});
    return x < y ? -1 : x > y;
}

static int two_compare(const void *a, const void *b)
{
    const uint64_t *p = a, *q = b;
    uint64_t x = layer_order_of((holos_key){.hi = p[1], .lo = p[0]}),
             y = layer_order_of((holos_key){.hi = q[1], .lo = q[0]});
    return x < y ? -1 : x > y ? 1 : p[0] < q[0] ? -1 : p[0] > q[0];
}

void list_order(const layers *l, key_list *list, size_t from, size_t to)
{
    if (to > from + 1)
        qsort(list->words + from * l->key_words, to - from, l->key_words * sizeof *list->words,
              l->key_words == 2 ? two_compare : one_compare);
}

void layers_order(layers *l, layer *at)
{
    for (unsigned i = 0; i < NODES_SHARDS; i++)
        list_order(l, &at->lists[i], at->lists[i].done, at->lists[i].count);
}

void layers_recount(layer *at)
{
    at->count = at->done = 0;
    for (unsigned i = 0; i < NODES_SHARDS; i++) {
        at->count += at->lists[i].count;
        at->done += at->lists[i].done;
    }
}

void layers_trim(layers *l, layer *at)
{
    for (unsigned i = 0; i < NODES_SHARDS; i++)
        if (at->lists[i].room > at->lists[i].count)
            list_resize(l, &at->lists[i], at->lists[i].count); /* if it fails, nothing is lost */
}

size_t layers_cut(const layer *at, bool all, uint32_t size, layer_chunk *chunks, size_t most)
{
    size_t count = 0;
    layer_chunk open = {0};
    for (unsigned i = 0; i < NODES_SHARDS; i++) {
        const key_list *list = &at->lists[i];
        for (size_t index = all ? 0 : list->done; index < list->count;) {
            if (open.count == 0)
                open = (layer_chunk){.shard = i, .index = index};
            size_t take = list->count - index < size - open.count ? list->count - index : size - open.count;
            open.count += (uint32_t)take;
            index += take;
            if (open.count == size) {
                if (chunks != NULL && count < most)
                    chunks[count] = open;
                count++;
                open.count = 0;
            }
        }
        /* A chunk goes on through the lists that follow, but only where they are taken from their beginning. */
        if (!all && open.count > 0 && i + 1 < NODES_SHARDS && at->lists[i + 1].done > 0) {
            if (chunks != NULL && count < most)
                chunks[count] = open;
            count++;
            open.count = 0;
        }
    }
    if (open.count > 0) {
        if (chunks != NULL && count < most)
            chunks[count] = open;
        count++;
    }
    return count;
}

bool chunk_next(const layers *l, const layer *at, layer_chunk *chunk, holos_key *key)
{
    if (chunk->count == 0)
        return false;
    while (chunk->index == at->lists[chunk->shard].count) {
        chunk->shard++;
        chunk->index = 0;
    }
    *key = list_key(l, &at->lists[chunk->shard], chunk->index++);
    chunk->count--;
    return true;
}

bool layers_next(const layers *l, layer_place *at, holos_key *key)
{
    if (at->depth == 0 || at->depth > l->depth)
        *at = (layer_place){.depth = l->depth};
    for (; at->depth > 0; at->depth--, at->shard = 0) {
        for (; at->shard < NODES_SHARDS; at->shard++, at->index = 0) {
            const key_list *list = &l->at[at->depth - 1]->lists[at->shard];
            if (at->index < list->count) {
                *key = list_key(l, list, at->index++);
                return true;
            }
        }
    }
    return false;
}
