/* SPDX-License-Identifier: MIT */

#include "store/part.h"

#include "core/bytes.h"
#include "core/file.h"
#include "core/hash.h"
#include "store/framed.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define HEADER_SIZE 64
#define ENTRY_SIZE  16
#define FOOTER_SIZE 48
/* Databases are written once and read often, but level 3 takes twice the time for 4 % less. */
#define LEVEL 1
/* More would not be ours. */
#define BLOCK_MOST (16u << 20)

static const char magic[8] = {'H', 'O', 'L', 'O', 'S', 'D', 'B', '1'};
static const char end_magic[8] = {'1', 'B', 'D', 'S', 'O', 'L', 'O', 'H'};

/* ---- Writing ----------------------------------------------------------------------------------- */

static void header_make(unsigned char *h, const part_label *label)
{
    memset(h, 0, HEADER_SIZE);
    memcpy(h, magic, sizeof magic);
    put64(h + 8, label->family);
    put64(h + 16, label->tier | (uint64_t)label->part << 32);
    put64(h + 24, label->size);
    put64(h + 32, PART_BLOCK);
    put64(h + 56, checksum(h, 56));
}

static void footer_make(unsigned char *f, uint64_t table, uint64_t table_checksum, holos_key digest)
{
    put64(f, table);
    put64(f + 8, table_checksum);
    put64(f + 16, digest.lo);
    put64(f + 24, digest.hi);
    put64(f + 32, checksum(f, 32));
    memcpy(f + 40, end_magic, sizeof end_magic);
}

static holos_status blocks_write(file_writer *w, const part_label *label, const uint8_t *bytes,
                                 unsigned char *table, holos_error *err)
{
    size_t room = ZSTD_compressBound(PART_BLOCK);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    unsigned char *packed = malloc(room);
    holos_status status = HOLOS_OK;
    if (context == NULL || packed == NULL)
        status = error_system(err, "compression");
    for (uint64_t at = 0; status == HOLOS_OK && at < label->size; at += PART_BLOCK) {
        size_t size = label->size - at < PART_BLOCK ? (size_t)(label->size - at) : PART_BLOCK;
        size_t length = ZSTD_compressCCtx(context, packed, room, bytes + at, size, LEVEL);
        if (ZSTD_isError(length)) {
            status = error_set(err, HOLOS_IO, HOLOS_NOWHERE, "zstd: %s", ZSTD_getErrorName(length));
            break;
        }
        if (!file_write(w, packed, length))
            break; /* file_commit will say why */
        put64(table, w->size);
        put64(table + 8, checksum(packed, length));
        table += ENTRY_SIZE;
    }
    free(packed);
    ZSTD_freeCCtx(context);
    return status;
}

holos_status part_write(const char *path, const part_label *label, const uint8_t *bytes, part_written *out,
                        holos_error *err)
{
    uint64_t blocks = (label->size + PART_BLOCK - 1) / PART_BLOCK;
    unsigned char header[HEADER_SIZE], footer[FOOTER_SIZE];
    unsigned char *table = malloc(blocks * ENTRY_SIZE + 1);
    file_writer w;
    if (table == NULL)
        return error_system(err, "the table of blocks");
    holos_status status = file_create(&w, path, err);
    if (status != HOLOS_OK) {
        free(table);
        return status;
    }
    header_make(header, label);
    file_write(&w, header, sizeof header);
    status = blocks_write(&w, label, bytes, table, err);
    if (status != HOLOS_OK) {
        file_discard(&w);
        free(table);
        return status;
    }
    out->digest = hash_bytes(bytes, label->size);
    footer_make(footer, w.size, checksum(table, blocks * ENTRY_SIZE), out->digest);
    file_write(&w, table, blocks * ENTRY_SIZE);
    file_write(&w, footer, sizeof footer);
    out->file_size = w.size;
    free(table);
    return file_commit(&w, err);
}

/* ---- Reading ----------------------------------------------------------------------------------- */

static holos_status header_read(part_view *view, const char *name, holos_error *err)
{
    const unsigned char *h = view->data;
    holos_status status =
        framed_check(h, view->file_size, HEADER_SIZE + FOOTER_SIZE, magic, "a part of a database", name, err);
    if (status != HOLOS_OK)
        return status;
    view->label.family = get64(h + 8);
    view->label.tier = (uint32_t)get64(h + 16);
    view->label.part = (uint32_t)(get64(h + 16) >> 32);
    view->label.size = get64(h + 24);
    uint64_t block = get64(h + 32);
    if (block == 0 || block > BLOCK_MOST)
        return framed_damaged(name, "its block size is out of range", err);
    view->block_size = (uint32_t)block;
    view->block_count = view->label.size / block + (view->label.size % block != 0);
    return HOLOS_OK;
}

static holos_status table_check(part_view *view, const char *name, holos_error *err)
{
    const unsigned char *f = view->data + view->file_size - FOOTER_SIZE;
    if (memcmp(f + 40, end_magic, sizeof end_magic) != 0)
        return framed_damaged(name, "its end is missing", err);
    if (get64(f + 32) != checksum(f, 32))
        return framed_damaged(name, "its footer does not match its checksum", err);
    uint64_t room = view->file_size - FOOTER_SIZE;
    view->table = get64(f);
    view->digest = (holos_key){.lo = get64(f + 16), .hi = get64(f + 24)};
    if (view->table < HEADER_SIZE || view->table > room ||
        view->block_count != (room - view->table) / ENTRY_SIZE || (room - view->table) % ENTRY_SIZE != 0)
        return framed_damaged(name, "its table of blocks has the wrong size", err);
    const unsigned char *entry = view->data + view->table;
    if (get64(f + 8) != checksum(entry, view->block_count * ENTRY_SIZE))
        return framed_damaged(name, "its table of blocks does not match its checksum", err);
    uint64_t end = HEADER_SIZE;
    for (uint64_t i = 0; i < view->block_count; i++, entry += ENTRY_SIZE) {
        if (get64(entry) <= end)
            return framed_damaged(name, "its table of blocks is not in order", err);
        end = get64(entry);
    }
    return end == view->table ? HOLOS_OK : framed_damaged(name, "its blocks do not reach its table", err);
}

holos_status part_view_open(part_view *view, const void *data, size_t size, const part_label *expected,
                            const char *name, holos_error *err)
{
    *view = (part_view){.data = data, .file_size = size};
    holos_status status = header_read(view, name, err);
    if (status == HOLOS_OK)
        status = table_check(view, name, err);
    if (status != HOLOS_OK || expected == NULL)
        return status;
    if (view->label.family != expected->family)
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s belongs to another game or other rules",
                         name);
    if (view->label.tier != expected->tier || view->label.part != expected->part ||
        (expected->size != 0 && view->label.size != expected->size))
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                         "%s holds tier %u, part %u, %llu positions instead of tier %u, part %u, %llu", name,
                         view->label.tier, view->label.part, (unsigned long long)view->label.size,
                         expected->tier, expected->part, (unsigned long long)expected->size);
    return HOLOS_OK;
}

size_t part_block_size(const part_view *view, uint64_t block)
{
    uint64_t left = view->label.size - block * view->block_size;
    return left < view->block_size ? (size_t)left : view->block_size;
}

holos_status part_block_read(const part_view *view, uint64_t block, uint8_t *out, const char *name,
                             holos_error *err)
{
    const unsigned char *entry = view->data + view->table + block * ENTRY_SIZE;
    uint64_t begin = block == 0 ? HEADER_SIZE : get64(entry - ENTRY_SIZE);
    size_t length = (size_t)(get64(entry) - begin), size = part_block_size(view, block);
    if (get64(entry + 8) != checksum(view->data + begin, length))
        return error_set(err, HOLOS_BAD_FILE, (int64_t)begin,
                         "%s is damaged: block %llu of %llu does not match its checksum", name,
                         (unsigned long long)block + 1, (unsigned long long)view->block_count);
    size_t got = ZSTD_decompress(out, size, view->data + begin, length);
    if (ZSTD_isError(got) || got != size)
        return error_set(err, HOLOS_BAD_FILE, (int64_t)begin, "%s is damaged: block %llu cannot be unpacked",
                         name, (unsigned long long)block + 1);
    return HOLOS_OK;
}

holos_status part_read(const part_view *view, uint8_t *out, const char *name, holos_error *err)
{
    for (uint64_t block = 0; block < view->block_count; block++) {
        holos_status status = part_block_read(view, block, out + block * view->block_size, name, err);
        if (status != HOLOS_OK)
            return status;
    }
    if (!holos_key_equal(hash_bytes(out, view->label.size), view->digest))
        return framed_damaged(name, "its bytes do not match their digest", err);
    return HOLOS_OK;
}
