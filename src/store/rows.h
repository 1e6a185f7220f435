/* SPDX-License-Identifier: MIT */

/* The file of a graph: rows in the order of their identities, in blocks that are compressed and checked one by one,
 * so that a look-up reads one of them.
 *
 *     header    64 bytes: "HOLOSGR1", family, rows of a block, checksum
 *     blocks    each a zstd frame of ROWS_BLOCK rows, the last one of fewer
 *     index     for each block: its first identity (16 bytes), where it ends (8), its checksum (8)
 *     footer    56 bytes: where the index begins, its checksum, rows, digest, checksum, "1RGSOLOH"
 *
 * A block has four columns, one after the other, all of varints (seven bits a byte, the lowest first, the highest bit set
 * on all bytes but the last): what an identity is more than the one before it (but for the first row); depths;
 * values; best moves. In front of them stand the bytes of each column, 4 each. A value is 0 if there is none, else 1 + twice
 * the value, or for a negative one 2 + twice what it is below -1; a best move is 0 if there is none, else the
 * move + 1.
 *
 * Numbers are little-endian. Checksums are the lower half of XXH3-128; that of a block is of its compressed bytes. The digest is of
 * the blocks' digests before compression: equal digests are equal rows. */

#ifndef HOLOS_STORE_ROWS_H
#define HOLOS_STORE_ROWS_H

#include "game/game.h"

#define ROWS_BLOCK 8192u
/* Bytes of a block's columns, at most: of a row a varint of 128 bits and three of 33. */
#define ROWS_BLOCK_ROOM (16 + ROWS_BLOCK * (19 + 3 * 5))

/* ---- Writing ----------------------------------------------------------------------------------- */

typedef struct rows_writer rows_writer;

typedef struct rows_written {
    uint64_t rows, file_size;
    holos_key digest;
} rows_written;

holos_status rows_create(const char *path, uint64_t family, rows_writer **out, holos_error *err);
/* Rows come in the order of their identities. */
holos_status rows_put(rows_writer *w, const holos_row *rows, size_t count, holos_error *err);
/* Or they come packed, as several blocks one after the other; *rows is how many. Only the last of all has fewer than ROWS_BLOCK. */
holos_status rows_put_packed(rows_writer *w, const unsigned char *bytes, size_t size, uint64_t *rows,
                             holos_error *err);
/* The file takes its name; or the error, and nothing has changed. Frees the writer. */
holos_status rows_finish(rows_writer *w, rows_written *out, holos_error *err);
void rows_discard(rows_writer *w); /* may be NULL */

/* Packs blocks elsewhere, in another process of the same program: what it makes is for rows_put_packed. */
typedef struct rows_packer rows_packer;

holos_status rows_packer_open(rows_packer **out, holos_error *err);
void rows_packer_close(rows_packer *p); /* may be NULL */
/* Bytes that a packed block has at the most. */
size_t rows_packed_room(void);
/* One to ROWS_BLOCK rows, in order. *size is a multiple of four. */
holos_status rows_pack(rows_packer *p, const holos_row *rows, uint32_t count, unsigned char *out,
                       size_t *size, holos_error *err);

/* The digest of a block of up to ROWS_BLOCK rows, at least one; that of all is the digest of these, in order. `room` is of
 * ROWS_BLOCK_ROOM bytes. */
holos_key rows_block_digest(const holos_row *rows, uint32_t count, unsigned char *room);

/* ---- Reading ----------------------------------------------------------------------------------- */

/* A file that is being read: a view of bytes that somebody else owns. */
typedef struct rows_view {
    const unsigned char *data;
    size_t file_size;
    uint64_t family, rows, block_count, index; /* index: its offset */
    holos_key digest;
} rows_view;

/* Checks everything but the blocks themselves; never trusts a byte. `name` is for messages. */
holos_status rows_view_open(rows_view *view, const void *data, size_t size, const char *name,
                            holos_error *err);
/* How many rows a block has. */
uint32_t rows_of_block(const rows_view *view, uint64_t block);
/* Checks a block and writes its rows to `out`, which has room for ROWS_BLOCK of them. */
holos_status rows_block_read(const rows_view *view, uint64_t block, holos_row *out, const char *name,
                             holos_error *err);
/* The block that would hold an identity; false: it is before the first one. */
bool rows_block_of(const rows_view *view, holos_key identity, uint64_t *block);

#endif
