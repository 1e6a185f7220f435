/* SPDX-License-Identifier: MIT */

/* Whatever a file holds, reading it as a part of a database, as a ply of a book, as the rows of a graph or as a manifest does no
 * harm. The first byte of the input chooses. Checksums would stop nearly everything at the door, so an input of a part or of
 * rows is also tried with its checksums put right. */

#include "core/hash.h"
#include "store/book.h"
#include "store/manifest.h"
#include "store/part.h"
#include "store/rows.h"

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

static void rows_try(const uint8_t *data, size_t size)
{
    rows_view view;
    holos_error err;
    holos_row *out = malloc(ROWS_BLOCK * sizeof *out);
    if (out != NULL && rows_view_open(&view, data, size, "fuzz", &err) == HOLOS_OK) {
        uint64_t block;
        for (block = 0; block < view.block_count && block < 8; block++)
            rows_block_read(&view, block, out, "fuzz", &err);
        rows_block_of(&view, (holos_key){.hi = size, .lo = size}, &block);
    }
    free(out);
}

/* Offsets are those of docs/stores.md. The blocks' own checksums, too. */
static void rows_repair(uint8_t *data, size_t size)
{
    memcpy(data, "HOLOSGR1", 8);
    put64(data + 16, ROWS_BLOCK);
    put64(data + 56, hash_bytes(data, 56).lo);
    uint8_t *footer = data + size - 56;
    uint64_t index = get64(footer), begin = 64;
    if (index <= size - 56) {
        for (uint64_t at = index; at + 32 <= size - 56; at += 32) {
            uint64_t end = get64(data + at + 16);
            if (end > begin && end <= index)
                put64(data + at + 24, hash_bytes(data + begin, end - begin).lo);
            begin = end;
        }
        put64(footer + 8, hash_bytes(data + index, size - 56 - index).lo);
    }
    put64(footer + 40, hash_bytes(footer, 40).lo);
    memcpy(footer + 48, "1RGSOLOH", 8);
}

/* Tries an input as it is, and with its checksums put right. */
static void both_try(const uint8_t *data, size_t size, size_t least, void (*try)(const uint8_t *, size_t),
                     void (*repair)(uint8_t *, size_t))
{
    try(data, size);
    uint8_t *copy = size >= least ? malloc(size) : NULL;
    if (copy == NULL)
        return;
    memcpy(copy, data, size);
    repair(copy, size);
    try(copy, size);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    if (data[0] == 'r') {
        both_try(data + 1, size - 1, 64 + 56, rows_try, rows_repair);
        return 0;
    }
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
    both_try(data + 1, size - 1, 64 + 48, part_try, checksums_repair);
    return 0;
}
