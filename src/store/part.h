/* SPDX-License-Identifier: MIT */

/* The file of one part of a database: bytes in blocks that are compressed and checked one by one, so that
 * any of them can be read alone.
 *
 *     header    64 bytes: "HOLOSDB1", family, tier, part, size, block size, checksum
 *     blocks    each a zstd frame of up to block size bytes
 *     table     for each block: where it ends (8 bytes), its checksum (8 bytes)
 *     footer    48 bytes: where the table begins, its checksum, digest of all bytes, checksum, "1BDSOLOH"
 *
 * Numbers are little-endian. Checksums are the lower half of XXH3-128; that of a block is of its compressed
 * bytes. Every bit of the file is under one of them: a single one that flips is found. The same bytes
 * always give the same file (with the same version of zstd). */

#ifndef HOLOS_STORE_PART_H
#define HOLOS_STORE_PART_H

#include "core/error.h"
#include "core/key.h"

#define PART_BLOCK 65536u

/* What a part is part of. */
typedef struct part_label {
    uint64_t family; /* a hash of the family of the game */
    uint32_t tier, part;
    uint64_t size; /* positions, a byte each */
} part_label;

typedef struct part_written {
    holos_key digest; /* of the bytes as they were */
    uint64_t file_size;
} part_written;

/* Writes the file whole or not at all. */
holos_status part_write(const char *path, const part_label *label, const uint8_t *bytes, part_written *out,
                        holos_error *err);

/* A part that is being read: a view of bytes that somebody else owns. */
typedef struct part_view {
    const unsigned char *data;
    size_t file_size;
    part_label label;
    uint32_t block_size;
    uint64_t block_count;
    uint64_t table; /* its offset */
    holos_key digest;
} part_view;

/* Checks everything but the blocks themselves; never trusts a byte. `name` is for messages. If `expected`
 * is not NULL, its size 0 means any. */
holos_status part_view_open(part_view *view, const void *data, size_t size, const part_label *expected,
                            const char *name, holos_error *err);
/* Bytes of a block before compression. */
size_t part_block_size(const part_view *view, uint64_t block);
/* Checks a block and writes its bytes to `out`, which has room for part_block_size. */
holos_status part_block_read(const part_view *view, uint64_t block, uint8_t *out, const char *name,
                             holos_error *err);
/* All blocks, and the digest of them together. `out` has room for label.size bytes. */
holos_status part_read(const part_view *view, uint8_t *out, const char *name, holos_error *err);

#endif
