/* SPDX-License-Identifier: MIT */

#include "engine/alphabeta/checkpoint.h"

#include "core/file.h"
#include "core/hash.h"

#include <string.h>
#include <unistd.h>

#define MAGIC        "HOLOSAB1"
#define ENTRIES_MOST ((uint64_t)4 << 20) /* 128 MiB */
#define BLOCK        4096

typedef struct header {
    char magic[8];
    char variant[64];
    uint64_t count;
    uint64_t checksum; /* of what is before it */
} header;

typedef struct record {
    holos_key key;
    ab_entry entry;
} record;

_Static_assert(sizeof(record) == 32 && sizeof(header) == 88, "what the format says");

static uint64_t checksum(const void *bytes, size_t size)
{
    return hash_bytes(bytes, size).lo;
}

/* ---- Writing ----------------------------------------------------------------------------------- */

static unsigned work_class(uint32_t work)
{
    return work == 0 ? 0 : 32 - (unsigned)__builtin_clz(work);
}

/* The least work of the entries that fit, and how many these are. */
static unsigned class_choose(checkpoint_next *next, void *context, uint64_t *count)
{
    uint64_t counts[33] = {0};
    holos_key key;
    ab_entry entry;
    for (size_t i = 0; next(context, &i, &key, &entry);)
        counts[work_class(entry.work)]++;
    unsigned least = 33;
    for (*count = 0; least > 1 && *count + counts[least - 1] <= ENTRIES_MOST; least--)
        *count += counts[least - 1];
    return least;
}

typedef struct block_writer {
    file_writer file;
    record records[BLOCK];
    size_t count;
} block_writer;

static void block_flush(block_writer *w)
{
    size_t bytes = w->count * sizeof *w->records;
    uint64_t sum = checksum(w->records, bytes);
    if (w->count > 0 && file_write(&w->file, w->records, bytes))
        file_write(&w->file, &sum, sizeof sum);
    w->count = 0;
}

holos_status checkpoint_write(const char *path, const holos_variant *v, checkpoint_next *next, void *context,
                              holos_error *err)
{
    block_writer *w = mem_alloc(NULL, sizeof *w);
    if (w == NULL)
        return error_system(err, "a checkpoint");
    header h = {0};
    memcpy(h.magic, MAGIC, sizeof h.magic);
    memcpy(h.variant, v->name, strlen(v->name));
    unsigned least = class_choose(next, context, &h.count);
    holos_status status = file_create(&w->file, path, err);
    if (status == HOLOS_OK) {
        holos_key key;
        ab_entry entry;
        uint64_t most = h.count;
        h.count = 0; /* other threads may write what is read here: so it is counted again */
        file_write(&w->file, &h, sizeof h);
        for (size_t i = 0; h.count < most && next(context, &i, &key, &entry);) {
            if (work_class(entry.work) < least)
                continue;
            w->records[w->count++] = (record){.key = key, .entry = entry};
            h.count++;
            if (w->count == BLOCK)
                block_flush(w);
        }
        block_flush(w);
        h.checksum = checksum(&h, offsetof(header, checksum));
        file_patch(&w->file, 0, &h, sizeof h);
        status = file_commit(&w->file, err);
    }
    mem_free(NULL, w, sizeof *w);
    return status;
}

bool checkpoint_is_at(const char *path)
{
    return file_begins(path, MAGIC, sizeof MAGIC - 2); /* of any version */
}

/* ---- Reading ----------------------------------------------------------------------------------- */

static holos_status damaged(const char *path, const char *what, holos_error *err)
{
    return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s: %s", path, what);
}

static holos_status header_check(const char *path, const file_view *file, const holos_variant *v, header *h,
                                 holos_error *err)
{
    if (file->size < sizeof *h || memcmp(file->data, MAGIC, strlen(MAGIC)) != 0)
        return damaged(path, "this is not a checkpoint of a search", err);
    memcpy(h, file->data, sizeof *h);
    if (checksum(h, offsetof(header, checksum)) != h->checksum || h->variant[sizeof h->variant - 1] != 0)
        return damaged(path, "the checkpoint is damaged", err);
    if (strcmp(h->variant, v->name) != 0)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s is a checkpoint of %s, not of %s", path,
                         h->variant, v->name);
    uint64_t blocks = h->count / BLOCK + (h->count % BLOCK != 0);
    uint64_t rest = file->size - sizeof *h;
    if (h->count > ENTRIES_MOST || rest != h->count * sizeof(record) + blocks * sizeof(uint64_t))
        return damaged(path, "the checkpoint is truncated, or has extra data", err);
    return HOLOS_OK;
}

/* An entry that a search could have written. */
static bool entry_is_sane(const ab_entry *e)
{
    return e->lo <= e->hi && e->work != 0;
}

holos_status checkpoint_read(const char *path, const holos_variant *v, checkpoint_put *put, void *context,
                             holos_error *err)
{
    file_view file;
    header h;
    if (access(path, F_OK) != 0)
        return HOLOS_OK;
    holos_status status = file_view_open(&file, path, err);
    if (status != HOLOS_OK)
        return status;
    status = header_check(path, &file, v, &h, err);
    const unsigned char *next = file.data + sizeof h;
    for (uint64_t left = status == HOLOS_OK ? h.count : 0; left > 0 && status == HOLOS_OK;) {
        size_t count = left < BLOCK ? (size_t)left : BLOCK;
        uint64_t sum;
        memcpy(&sum, next + count * sizeof(record), sizeof sum);
        if (checksum(next, count * sizeof(record)) != sum)
            status = damaged(path, "the checkpoint is damaged", err);
        for (size_t i = 0; status == HOLOS_OK && i < count; i++) {
            record r;
            memcpy(&r, next + i * sizeof r, sizeof r);
            if (entry_is_sane(&r.entry))
                put(context, r.key, &r.entry);
        }
        next += count * sizeof(record) + sizeof sum;
        left -= count;
    }
    file_view_close(&file);
    return status;
}
