/* SPDX-License-Identifier: MIT */

#include "store/row_cache.h"

#include <stdlib.h>

#define BLOCK_BYTES (ROWS_BLOCK * sizeof(holos_row))

bool row_cache_init(row_cache *c, uint64_t count, size_t room)
{
    *c = (row_cache){.count = count, .held_most = room / BLOCK_BYTES > 2 ? room / BLOCK_BYTES : 2};
    c->blocks = calloc(count + 1, sizeof *c->blocks);
    c->used = calloc(count + 1, sizeof *c->used);
    return c->blocks != NULL && c->used != NULL;
}

void row_cache_free(row_cache *c)
{
    for (uint64_t i = 0; c->blocks != NULL && i < c->count; i++)
        free(c->blocks[i]);
    free(c->blocks);
    free(c->used);
    *c = (row_cache){0};
}

const holos_row *row_cache_get(row_cache *c, uint64_t block)
{
    if (block < c->count && c->blocks[block] != NULL)
        c->used[block] = true;
    return block < c->count ? c->blocks[block] : NULL;
}

holos_row *row_cache_room(row_cache *c)
{
    if (c->held < c->held_most) {
        holos_row *rows = malloc(BLOCK_BYTES);
        c->held += rows != NULL;
        return rows;
    }
    for (;; c->hand = (c->hand + 1) % c->count) {
        holos_row *rows = c->blocks[c->hand];
        if (rows != NULL && !c->used[c->hand]) {
            c->blocks[c->hand] = NULL;
            return rows;
        }
        c->used[c->hand] = false;
    }
}

void row_cache_keep(row_cache *c, uint64_t block, holos_row *rows)
{
    c->blocks[block] = rows;
    c->used[block] = true;
}

void row_cache_drop(row_cache *c, holos_row *rows)
{
    free(rows);
    c->held--;
}

const holos_row *rows_search(const holos_row *rows, uint32_t count, holos_key identity)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (holos_key_less(rows[middle].identity, identity))
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && holos_key_equal(rows[low].identity, identity) ? &rows[low] : NULL;
}
