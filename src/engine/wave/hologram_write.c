/* SPDX-License-Identifier: MIT */

#include "engine/wave/hologram_format.h"

#include "core/list.h"

#include <stdlib.h>
#include <xxhash.h>
#include <zstd.h>

#define ZSTD_LEVEL 3
/* A key's difference, the columns, and the text of a position. */
#define ENTRY_MOST (19 + 8 + HOLOGRAM_TEXT_MOST + 1)

struct hologram_writer {
    file_writer file;
    hologram_header header;
    ZSTD_CCtx *zstd;
    hologram_block *blocks;
    size_t block_count, block_room;
    hologram_block open; /* the block that is being filled */
    holos_key last;
    wave_node nodes[HOLOGRAM_BLOCK];
    unsigned char *keys; /* varints */
    size_t keys_size;
    char *texts;
    size_t texts_size;
    unsigned char *packed, *raw;
    size_t packed_room, raw_room;
    bool failed; /* no memory */
};

holos_status hologram_create(const char *path, const holos_variant *v, uint32_t flags, hologram_writer **out,
                             holos_error *err)
{
    hologram_writer *w = calloc(1, sizeof *w);
    if (w == NULL)
        return error_system(err, "a hologram");
    holos_status status = file_create(&w->file, path, err);
    if (status != HOLOS_OK) {
        free(w);
        return status;
    }
    memcpy(w->header.magic, HOLOGRAM_MAGIC, sizeof w->header.magic);
    w->header.version = HOLOGRAM_VERSION;
    w->header.flags = flags;
    memcpy(w->header.variant, v->name, sizeof w->header.variant);
    w->header.score_min = v->score_min;
    w->header.score_max = v->score_max;
    w->raw_room = (size_t)HOLOGRAM_BLOCK * ((flags & HOLOGRAM_POSITIONS) != 0 ? ENTRY_MOST : 19 + 8);
    w->packed_room = ZSTD_compressBound(w->raw_room);
    w->keys = malloc((size_t)HOLOGRAM_BLOCK * 19);
    w->texts = malloc((flags & HOLOGRAM_POSITIONS) != 0 ? w->raw_room : 1);
    w->raw = malloc(w->raw_room);
    w->packed = malloc(w->packed_room);
    w->zstd = ZSTD_createCCtx();
    w->failed = w->keys == NULL || w->texts == NULL || w->raw == NULL || w->packed == NULL || w->zstd == NULL;
    file_write(&w->file, &w->header, sizeof w->header);
    *out = w;
    return HOLOS_OK;
}

static void writer_free(hologram_writer *w)
{
    ZSTD_freeCCtx(w->zstd);
    free(w->blocks);
    free(w->keys);
    free(w->texts);
    free(w->raw);
    free(w->packed);
    free(w);
}

void hologram_discard(hologram_writer *w)
{
    if (w == NULL)
        return;
    file_discard(&w->file);
    writer_free(w);
}

bool hologram_failed(const hologram_writer *w)
{
    return w->failed || w->file.failure.code != HOLOS_OK;
}

/* ---- Blocks ------------------------------------------------------------------------------------ */

static size_t varint_write(unsigned char *out, u128 value)
{
    size_t size = 0;
    for (; value >= 128; value >>= 7)
        out[size++] = (unsigned char)((unsigned)(value & 127) | 128);
    out[size++] = (unsigned char)value;
    return size;
}

/* The columns of the open block, one after the other; returns their size. */
static size_t columns_write(const hologram_writer *w, unsigned char *out)
{
    size_t count = w->open.count;
    unsigned char *to = out;
    memcpy(to, w->keys, w->keys_size);
    to += w->keys_size;
    for (size_t i = 0; i < count; i++, to += 2)
        memcpy(to, &w->nodes[i].lo, 2);
    for (size_t i = 0; i < count; i++, to += 2)
        memcpy(to, &w->nodes[i].hi, 2);
    for (size_t i = 0; i < count; i++, to += 2)
        memcpy(to, &w->nodes[i].depth, 2);
    for (size_t i = 0; i < count; i++)
        *to++ = w->nodes[i].source;
    for (size_t i = 0; i < count; i++)
        *to++ = w->nodes[i].flags;
    memcpy(to, w->texts, w->texts_size);
    return (size_t)(to - out) + w->texts_size;
}

static void block_close(hologram_writer *w)
{
    if (w->open.count == 0 || w->failed)
        return;
    if (!LIST_RESERVE(w->blocks, w->block_room, w->block_count + 1)) {
        w->failed = true;
        return;
    }
    size_t size = columns_write(w, w->raw);
    size_t stored = ZSTD_compressCCtx(w->zstd, w->packed, w->packed_room, w->raw, size, ZSTD_LEVEL);
    w->failed = ZSTD_isError(stored) != 0;
    if (w->failed)
        return;
    w->open.offset = w->file.size;
    w->open.stored = (uint32_t)stored;
    w->open.size = (uint32_t)size;
    w->open.checksum = XXH3_64bits(w->packed, stored);
    file_write(&w->file, w->packed, stored);
    w->blocks[w->block_count++] = w->open;
    w->open = (hologram_block){0};
    w->keys_size = w->texts_size = 0;
}

bool hologram_add(hologram_writer *w, const hologram_entry *entry)
{
    if (w->failed)
        return false;
    if (w->open.count == 0)
        w->open.first = entry->key;
    else
        w->keys_size += varint_write(w->keys + w->keys_size, key_number(entry->key) - key_number(w->last));
    w->last = entry->key;
    if (entry->position != NULL) {
        size_t size = strlen(entry->position) + 1;
        memcpy(w->texts + w->texts_size, entry->position, size);
        w->texts_size += size;
    }
    w->nodes[w->open.count] = entry->node;
    w->nodes[w->open.count++].flags &= (uint8_t)~NODE_OWN;
    w->header.entries++;
    w->header.solved += node_is_solved(entry->node);
    if (w->open.count == HOLOGRAM_BLOCK)
        block_close(w);
    return !hologram_failed(w);
}

void hologram_written(const hologram_writer *w, uint64_t *entries, uint64_t *solved)
{
    *entries = w->header.entries;
    *solved = w->header.solved;
}

/* ---- Sections and the end ---------------------------------------------------------------------- */

static hologram_place place_write(hologram_writer *w, const void *bytes, uint64_t count, uint64_t record)
{
    static const char zeros[8];
    if (w->file.size % 8 != 0)
        file_write(&w->file, zeros, 8 - w->file.size % 8);
    hologram_place place = {.offset = w->file.size, .count = count};
    place.checksum = XXH3_64bits(count > 0 ? bytes : "", count * record);
    if (count > 0)
        file_write(&w->file, bytes, count * record);
    return place;
}

bool hologram_add_section(hologram_writer *w, hologram_section section, const void *records, uint64_t count)
{
    block_close(w);
    w->header.sections[section] = place_write(w, records, count, hologram_record_size(section));
    return !w->failed;
}

holos_status hologram_finish(hologram_writer *w, holos_error *err)
{
    block_close(w);
    w->header.index = place_write(w, w->blocks, w->block_count, sizeof *w->blocks);
    for (unsigned i = 0; i < HOLOGRAM_SECTION_COUNT; i++)
        if (w->header.sections[i].offset == 0)
            w->header.sections[i] = place_write(w, NULL, 0, 8);
    w->header.file_size = w->file.size;
    w->header.checksum = XXH3_64bits(&w->header, offsetof(hologram_header, checksum));
    file_patch(&w->file, 0, &w->header, sizeof w->header);
    holos_status status;
    if (w->failed) {
        file_discard(&w->file);
        status = error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory to write a hologram");
    } else {
        status = file_commit(&w->file, err);
    }
    writer_free(w);
    return status;
}
