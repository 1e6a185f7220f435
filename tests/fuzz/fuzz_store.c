/* SPDX-License-Identifier: MIT */

/* Whatever a file holds, reading it as a part of a database, as a ply of a book or as a manifest does no
 * harm. The first byte of the input chooses. Checksums would stop nearly everything at the door, so an input of a part is also
 * tried with its header's, table's and footer's checksums put right. */

#include "core/hash.h"
#include "store/book.h"
#include "store/manifest.h"
#include "store/part.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put64(uint8_t *at, uint64_t x)
{
    for (int i = 0; i < 8; i++)
        at[i] = (uint8_t)(x >> 8 * i);
}

static uint64_t get64(const uint8_t *at)
{
    uint64_t x = 0;
    for (int i = 0; i < 8; i++)
        x |= (uint64_t)at[i] << 8 * i;
    return x;
}

/* Offsets are those of docs/stores.md. */
static void checksums_repair(uint8_t *data, size_t size)
{
    memcpy(data, "HOLOSDB1", 8);
    put64(data + 56, hash_bytes(data, 56).lo);
    uint8_t *footer = data + size - 48;
    uint64_t table = get64(footer);
    if (table <= size - 48)
        put64(footer + 8, hash_bytes(data + table, size - 48 - table).lo);
    put64(footer + 32, hash_bytes(footer, 32).lo);
    memcpy(footer + 40, "1BDSOLOH", 8);
}

static void part_try(const uint8_t *data, size_t size)
{
    part_view view;
    holos_error err;
    if (part_view_open(&view, data, size, NULL, "fuzz", &err) != HOLOS_OK)
        return;
    for (uint64_t block = 0; block < view.block_count && block < 8; block++) {
        uint8_t *out = malloc(part_block_size(&view, block));
        if (out != NULL)
            part_block_read(&view, block, out, "fuzz", &err);
        free(out);
    }
}

static void ply_try(const uint8_t *data, size_t size)
{
    book b;
    holos_error err;
    book_init(&b, NULL);
    if (book_ply_decode(&b, data, size, "fuzz", &err) == HOLOS_OK)
        book_find(&b, b.plies[0].keys[b.plies[0].count / 2]);
    book_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    if (data[0] == 'b') {
        ply_try(data + 1, size - 1);
        return 0;
    }
    if (data[0] % 2 == 1) {
        manifest m;
        holos_error err;
        if (manifest_read(&m, (const char *)data + 1, size - 1, "fuzz", &err) == HOLOS_OK)
            manifest_free(&m);
        return 0;
    }
    part_try(data + 1, size - 1);
    if (size < 64 + 48 + 1)
        return 0;
    uint8_t *copy = malloc(size - 1);
    if (copy == NULL)
        return 0;
    memcpy(copy, data + 1, size - 1);
    checksums_repair(copy, size - 1);
    part_try(copy, size - 1);
    free(copy);
    return 0;
}
