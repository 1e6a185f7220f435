/* SPDX-License-Identifier: MIT */

#include "store/rows.h"

#include "core/assert.h"
#include "core/bytes.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/list.h"
#include "core/wide.h"
#include "store/framed.h"

#include <stdlib.h>
#include <zstd.h>

#define HEADER_SIZE  64
#define ENTRY_SIZE   32
#define FOOTER_SIZE  56
#define COLUMNS      4
#define COLUMNS_HEAD (4 * COLUMNS)
#define RAW_MOST     ROWS_BLOCK_ROOM
/* On kalah:4,3 level 3 takes 3 % less and twice the time. */
#define LEVEL 1

static const char magic[8] = {'H', 'O', 'L', 'O', 'S', 'G', 'R', '1'};
static const char end_magic[8] = {'1', 'R', 'G', 'S', 'O', 'L', 'O', 'H'};

/* ---- Numbers ----------------------------------------------------------------------------------- */

static unsigned char *number_write(unsigned char *at, uint64_t x)
{
    for (; x >= 128; x >>= 7)
        *at++ = (unsigned char)(x | 128);
    *at++ = (unsigned char)x;
    return at;
}

static unsigned char *step_write(unsigned char *at, u128 x)
{
    for (; x > UINT64_MAX; x >>= 7)
        *at++ = (unsigned char)((unsigned char)x | 128);
    return number_write(at, (uint64_t)x);
}

typedef struct column {
    const unsigned char *at, *end;
} column;

static bool step_read(column *c, u128 *out)
{
    *out = 0;
    for (unsigned shift = 0; c->at != c->end && shift < 128; shift += 7) {
        unsigned char byte = *c->at++;
        *out |= (u128)(byte & 127) << shift;
        if (byte < 128)
            return true;
    }
    return false;
}

static bool number_read(column *c, uint64_t *out)
{
    *out = 0;
    for (unsigned shift = 0; c->at != c->end && shift < 63; shift += 7) {
        unsigned char byte = *c->at++;
        *out |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return true;
    }
    return false;
}

static uint64_t value_number(const holos_row *row)
{
    if (!row->has_value)
        return 0;
    int64_t value = row->value;
    return value >= 0 ? 1 + 2 * (uint64_t)value : 2 + 2 * (uint64_t)(-1 - value);
}

static bool value_take(uint64_t number, holos_row *row)
{
    row->has_value = number != 0;
    uint64_t half = (number - 1) / 2;
    if (number == 0)
        return true;
    row->value = (number & 1) != 0 ? (int32_t)half : (int32_t)(-1 - (int64_t)half);
    return half <= INT32_MAX;
}

/* ---- Writing ----------------------------------------------------------------------------------- */

struct rows_packer {
    ZSTD_CCtx *zstd;
    unsigned char raw[RAW_MOST];
};

/* In front of a packed block. */
typedef struct packed_head {
    holos_key first, last, digest;
    uint64_t checksum; /* of its bytes */
    uint32_t rows, size;
} packed_head;

struct rows_writer {
    file_writer file;
    uint64_t rows;
    holos_row block[ROWS_BLOCK];
    uint32_t count; /* in the block */
    holos_key last;
    rows_packer *packer;
    unsigned char *packed;
    unsigned char *index;
    size_t index_size, index_room;
    holos_key *digests;
    size_t digest_count, digest_room;
};

void rows_discard(rows_writer *w)
{
    if (w == NULL)
        return;
    file_discard(&w->file);
    rows_packer_close(w->packer);
    free(w->packed);
    free(w->index);
    free(w->digests);
    free(w);
}

holos_status rows_create(const char *path, uint64_t family, rows_writer **out, holos_error *err)
{
    unsigned char header[HEADER_SIZE] = {0};
    rows_writer *w = calloc(1, sizeof *w);
    if (w == NULL)
        return error_system(err, "the graph's file");
    w->packed = malloc(rows_packed_room());
    holos_status status =
        w->packed == NULL ? error_system(err, "the graph's file") : rows_packer_open(&w->packer, err);
    if (status == HOLOS_OK)
        status = file_create(&w->file, path, err);
    if (status != HOLOS_OK) {
        w->file.fd = -1;
        rows_discard(w);
        return status;
    }
    memcpy(header, magic, sizeof magic);
    put64(header + 8, family);
    put64(header + 16, ROWS_BLOCK);
    put64(header + 56, checksum(header, 56));
    file_write(&w->file, header, sizeof header);
    *out = w;
    return HOLOS_OK;
}

/* The columns of a block; returns their bytes. */
static size_t block_encode(const holos_row *rows, uint32_t count, unsigned char *raw)
{
    unsigned char *at = raw + COLUMNS_HEAD, *begin = at;
    for (unsigned c = 0; c < COLUMNS; c++, begin = at) {
        for (uint32_t i = 0; i < count; i++) {
            const holos_row *row = &rows[i];
            if (c == 0 && i > 0)
                at = step_write(at, key_number(row->identity) - key_number(row[-1].identity));
            else if (c == 1)
                at = number_write(at, row->depth);
            else if (c == 2)
                at = number_write(at, value_number(row));
            else if (c == 3)
                at = number_write(at, row->has_best ? (uint64_t)row->best + 1 : 0);
        }
        uint32_t size = (uint32_t)(at - begin);
        for (unsigned i = 0; i < 4; i++)
            raw[4 * c + i] = (unsigned char)(size >> 8 * i);
    }
    return (size_t)(at - raw);
}

static holos_key block_digest(const holos_row *first, const unsigned char *raw, size_t size)
{
    holos_key digests[] = {first->identity, hash_bytes(raw, size)};
    return hash_bytes(digests, sizeof digests);
}

holos_key rows_block_digest(const holos_row *rows, uint32_t count, unsigned char *room)
{
    return block_digest(rows, room, block_encode(rows, count, room));
}

/* What has gone wrong with the file so far. */
static holos_status writer_status(const rows_writer *w, holos_error *err)
{
    if (w->file.failure.code == HOLOS_OK)
        return HOLOS_OK;
    return error_set(err, w->file.failure.code, HOLOS_NOWHERE, "%s", w->file.failure.message);
}

static holos_status order_error(holos_error *err)
{
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "the rows of a graph are not in order");
}

static size_t round_to_four(size_t size)
{
    return (size + 3) / 4 * 4;
}

size_t rows_packed_room(void)
{
    return sizeof(packed_head) + round_to_four(ZSTD_compressBound(RAW_MOST));
}

holos_status rows_packer_open(rows_packer **out, holos_error *err)
{
    rows_packer *p = *out = malloc(sizeof *p);
    if (p != NULL)
        p->zstd = ZSTD_createCCtx();
    if (p != NULL && p->zstd != NULL)
        return HOLOS_OK;
    free(p);
    *out = NULL;
    return error_system(err, "the graph's file");
}

void rows_packer_close(rows_packer *p)
{
    if (p == NULL)
        return;
    ZSTD_freeCCtx(p->zstd);
    free(p);
}

holos_status rows_pack(rows_packer *p, const holos_row *rows, uint32_t count, unsigned char *out,
                       size_t *size, holos_error *err)
{
    assert(count > 0 && count <= ROWS_BLOCK);
    for (uint32_t i = 1; i < count; i++)
        if (!holos_key_less(rows[i - 1].identity, rows[i].identity))
            return order_error(err);
    unsigned char *packed = out + sizeof(packed_head);
    size_t raw = block_encode(rows, count, p->raw);
    size_t length = ZSTD_compressCCtx(p->zstd, packed, ZSTD_compressBound(RAW_MOST), p->raw, raw, LEVEL);
    if (ZSTD_isError(length))
        return error_set(err, HOLOS_IO, HOLOS_NOWHERE, "zstd: %s", ZSTD_getErrorName(length));
    packed_head head = {.first = rows[0].identity,
                        .last = rows[count - 1].identity,
                        .digest = block_digest(rows, p->raw, raw),
                        .checksum = checksum(packed, length),
                        .rows = count,
                        .size = (uint32_t)length};
    memcpy(out, &head, sizeof head);
    *size = sizeof head + round_to_four(length);
    memset(packed + length, 0, *size - sizeof head - length);
    return HOLOS_OK;
}

static holos_status packed_write(rows_writer *w, const packed_head *head, const unsigned char *packed,
                                 holos_error *err)
{
    if (!LIST_RESERVE(w->index, w->index_room, w->index_size + ENTRY_SIZE) ||
        !LIST_RESERVE(w->digests, w->digest_room, w->digest_count + 1))
        return error_system(err, "the graph's file");
    file_write(&w->file, packed, head->size); /* file_commit says what went wrong */
    unsigned char *entry = w->index + w->index_size;
    put64(entry, head->first.lo);
    put64(entry + 8, head->first.hi);
    put64(entry + 16, w->file.size);
    put64(entry + 24, head->checksum);
    w->index_size += ENTRY_SIZE;
    w->digests[w->digest_count++] = head->digest;
    w->rows += head->rows;
    return HOLOS_OK;
}

holos_status rows_put_packed(rows_writer *w, const unsigned char *bytes, size_t size, uint64_t *rows,
                             holos_error *err)
{
    holos_status status = HOLOS_OK;
    *rows = 0;
    assert(w->count == 0); /* rows come packed or not */
    while (status == HOLOS_OK && size > 0) {
        packed_head head = {0};
        if (size >= sizeof head)
            memcpy(&head, bytes, sizeof head);
        size_t all = sizeof head + round_to_four(head.size);
        if (head.rows == 0 || head.rows > ROWS_BLOCK || head.size == 0 || all > size ||
            head.checksum != checksum(bytes + sizeof head, head.size))
            return error_set(err, HOLOS_IO, HOLOS_NOWHERE, "rows were damaged on their way");
        if (w->rows % ROWS_BLOCK != 0 || (w->rows > 0 && !holos_key_less(w->last, head.first)))
            return order_error(err);
        status = packed_write(w, &head, bytes + sizeof head, err);
        w->last = head.last;
        *rows += head.rows;
        bytes += all;
        size -= all;
    }
    return status == HOLOS_OK ? writer_status(w, err) : status;
}

static holos_status block_write(rows_writer *w, holos_error *err)
{
    packed_head head;
    size_t size;
    if (w->count == 0)
        return HOLOS_OK;
    holos_status status = rows_pack(w->packer, w->block, w->count, w->packed, &size, err);
    if (status != HOLOS_OK)
        return status;
    memcpy(&head, w->packed, sizeof head);
    w->count = 0;
    return packed_write(w, &head, w->packed + sizeof head, err);
}

holos_status rows_put(rows_writer *w, const holos_row *rows, size_t count, holos_error *err)
{
    holos_status status = HOLOS_OK;
    for (size_t i = 0; status == HOLOS_OK && i < count; i++) {
        if (w->rows + w->count > 0 && !holos_key_less(w->last, rows[i].identity))
            return order_error(err);
        w->last = rows[i].identity;
        w->block[w->count++] = rows[i];
        if (w->count == ROWS_BLOCK)
            status = block_write(w, err);
    }
    return status == HOLOS_OK ? writer_status(w, err) : status;
}

holos_status rows_finish(rows_writer *w, rows_written *out, holos_error *err)
{
    unsigned char footer[FOOTER_SIZE];
    holos_status status = block_write(w, err);
    if (status == HOLOS_OK) {
        out->rows = w->rows;
        out->digest = hash_bytes(w->digests, w->digest_count * sizeof *w->digests);
        put64(footer, w->file.size);
        put64(footer + 8, checksum(w->index, w->index_size));
        put64(footer + 16, w->rows);
        put64(footer + 24, out->digest.lo);
        put64(footer + 32, out->digest.hi);
        put64(footer + 40, checksum(footer, 40));
        memcpy(footer + 48, end_magic, sizeof end_magic);
        file_write(&w->file, w->index, w->index_size);
        file_write(&w->file, footer, sizeof footer);
        out->file_size = w->file.size;
        status = file_commit(&w->file, err);
    }
    rows_discard(w);
    return status;
}

/* ---- Reading ----------------------------------------------------------------------------------- */

static holos_status header_read(rows_view *view, const char *name, holos_error *err)
{
    const unsigned char *h = view->data;
    holos_status status =
        framed_check(h, view->file_size, HEADER_SIZE + FOOTER_SIZE, magic, "the file of a graph", name, err);
    if (status != HOLOS_OK)
        return status;
    view->family = get64(h + 8);
    if (get64(h + 16) != ROWS_BLOCK)
        return framed_damaged(name, "its block size is unknown", err);
    return HOLOS_OK;
}

static holos_key entry_key(const rows_view *view, uint64_t block)
{
    const unsigned char *entry = view->data + view->index + block * ENTRY_SIZE;
    return (holos_key){.lo = get64(entry), .hi = get64(entry + 8)};
}

static uint64_t entry_end(const rows_view *view, uint64_t block)
{
    return get64(view->data + view->index + block * ENTRY_SIZE + 16);
}

static holos_status index_check(const rows_view *view, const char *name, holos_error *err)
{
    uint64_t end = HEADER_SIZE;
    for (uint64_t i = 0; i < view->block_count; i++) {
        if (entry_end(view, i) <= end ||
            (i > 0 && !holos_key_less(entry_key(view, i - 1), entry_key(view, i))))
            return framed_damaged(name, "its index is not in order", err);
        end = entry_end(view, i);
    }
    return end == view->index ? HOLOS_OK : framed_damaged(name, "its blocks do not reach its index", err);
}

holos_status rows_view_open(rows_view *view, const void *data, size_t size, const char *name,
                            holos_error *err)
{
    *view = (rows_view){.data = data, .file_size = size};
    holos_status status = header_read(view, name, err);
    if (status != HOLOS_OK)
        return status;
    const unsigned char *f = view->data + size - FOOTER_SIZE;
    if (memcmp(f + 48, end_magic, sizeof end_magic) != 0)
        return framed_damaged(name, "its end is missing", err);
    if (get64(f + 40) != checksum(f, 40))
        return framed_damaged(name, "its footer does not match its checksum", err);
    uint64_t room = size - FOOTER_SIZE;
    view->index = get64(f);
    view->rows = get64(f + 16);
    view->digest = (holos_key){.lo = get64(f + 24), .hi = get64(f + 32)};
    view->block_count = view->rows / ROWS_BLOCK + (view->rows % ROWS_BLOCK != 0);
    if (view->index < HEADER_SIZE || view->index > room ||
        view->block_count != (room - view->index) / ENTRY_SIZE || (room - view->index) % ENTRY_SIZE != 0)
        return framed_damaged(name, "its index has the wrong size", err);
    if (get64(f + 8) != checksum(view->data + view->index, view->block_count * ENTRY_SIZE))
        return framed_damaged(name, "its index does not match its checksum", err);
    return index_check(view, name, err);
}

uint32_t rows_of_block(const rows_view *view, uint64_t block)
{
    uint64_t left = view->rows - block * ROWS_BLOCK;
    return left < ROWS_BLOCK ? (uint32_t)left : ROWS_BLOCK;
}

/* Each column ends where it should, and every number in it has a meaning. */
static bool block_decode(const unsigned char *raw, size_t size, holos_key first, uint32_t count,
                         holos_row *out)
{
    column columns[COLUMNS];
    size_t at = COLUMNS_HEAD;
    for (unsigned c = 0; c < COLUMNS && size >= COLUMNS_HEAD; c++) {
        size_t bytes = 0;
        for (unsigned i = 0; i < 4; i++)
            bytes |= (size_t)raw[4 * c + i] << 8 * i;
        if (bytes > size - at)
            return false;
        columns[c] = (column){.at = raw + at, .end = raw + at + bytes};
        at += bytes;
    }
    if (size < COLUMNS_HEAD || at != size)
        return false;
    u128 key = key_number(first);
    for (uint32_t i = 0; i < count; i++) {
        u128 step = 0;
        uint64_t depth, value, best;
        if (i > 0 && (!step_read(&columns[0], &step) || step == 0 || key + step < key))
            return false;
        if (!number_read(&columns[1], &depth) || !number_read(&columns[2], &value) ||
            !number_read(&columns[3], &best) || depth > UINT32_MAX || best > (uint64_t)UINT32_MAX + 1)
            return false;
        key += step;
        out[i] = (holos_row){.identity = {.hi = (uint64_t)(key >> 64), .lo = (uint64_t)key},
                             .depth = (uint32_t)depth,
                             .best = best > 0 ? (holos_move)(best - 1) : 0,
                             .has_best = best > 0};
        if (!value_take(value, &out[i]))
            return false;
    }
    for (unsigned c = 0; c < COLUMNS; c++)
        if (columns[c].at != columns[c].end)
            return false;
    return true;
}

holos_status rows_block_read(const rows_view *view, uint64_t block, holos_row *out, const char *name,
                             holos_error *err)
{
    const unsigned char *entry = view->data + view->index + block * ENTRY_SIZE;
    uint64_t begin = block == 0 ? HEADER_SIZE : entry_end(view, block - 1);
    size_t length = (size_t)(entry_end(view, block) - begin);
    if (get64(entry + 24) != checksum(view->data + begin, length))
        return error_set(err, HOLOS_BAD_FILE, (int64_t)begin,
                         "%s is damaged: block %llu of %llu does not match its checksum", name,
                         (unsigned long long)block + 1, (unsigned long long)view->block_count);
    unsigned char *raw = malloc(RAW_MOST);
    if (raw == NULL)
        return error_system(err, "a block of the graph");
    uint32_t count = rows_of_block(view, block);
    size_t size = ZSTD_decompress(raw, RAW_MOST, view->data + begin, length);
    bool sound = !ZSTD_isError(size) && block_decode(raw, size, entry_key(view, block), count, out);
    /* A block ends before the next one begins. */
    if (sound && block + 1 < view->block_count)
        sound = holos_key_less(out[count - 1].identity, entry_key(view, block + 1));
    free(raw);
    return sound ? HOLOS_OK
                 : error_set(err, HOLOS_BAD_FILE, (int64_t)begin,
                             "%s is damaged: block %llu cannot be unpacked", name,
                             (unsigned long long)block + 1);
}

bool rows_block_of(const rows_view *view, holos_key identity, uint64_t *block)
{
    uint64_t low = 0, high = view->block_count; /* the first one that begins after it */
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (holos_key_less(identity, entry_key(view, middle)))
            high = middle;
        else
            low = middle + 1;
    }
    *block = low - 1;
    return low > 0;
}
