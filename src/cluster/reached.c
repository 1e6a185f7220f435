/* SPDX-License-Identifier: MIT */

#include "cluster/reached.h"

#include "core/clock.h"
#include "core/file.h"
#include "core/list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC        UINT64_C(0x31686361657268) /* "hreach1" */
#define BUFFER_KEYS  8192
#define SYNC_SECONDS 5.0

typedef struct file_head {
    uint64_t magic;
    reached_label label;
} file_head;

/* Before the keys of a layer. */
typedef struct layer_head {
    uint64_t count, sum;
} layer_head;

static holos_status bytes_write(reached *r, const void *bytes, size_t size, uint64_t at, holos_error *err)
{
    for (size_t done = 0; done < size;) {
        ssize_t some = pwrite(r->fd, (const char *)bytes + done, size - done, (off_t)(at + done));
        if (some < 0 && errno == EINTR)
            continue;
        if (some <= 0)
            return error_system(err, "cannot write the checkpoint %s", r->path != NULL ? r->path : "");
        done += (size_t)some;
    }
    return HOLOS_OK;
}

static bool bytes_read(const reached *r, void *bytes, size_t size, uint64_t at)
{
    for (size_t done = 0; done < size;) {
        ssize_t some = pread(r->fd, (char *)bytes + done, size - done, (off_t)(at + done));
        if (some < 0 && errno == EINTR)
            continue;
        if (some <= 0)
            return false;
        done += (size_t)some;
    }
    return true;
}

static uint64_t key_sum(uint64_t sum, const uint64_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sum = (sum ^ words[i]) * UINT64_C(0x9E3779B97F4A7C15) + (sum >> 29);
    return sum;
}

/* ---- Opening ----------------------------------------------------------------------------------- */

static holos_status file_open(reached *r, const char *folder, holos_error *err)
{
    if (r->path != NULL)
        r->fd = open(r->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    else if (folder != NULL)
        r->fd = open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
    else
        r->fd = memfd_create("reached", MFD_CLOEXEC);
    if (r->fd < 0)
        return error_system(err, "cannot make %s", r->path != NULL ? r->path : "a file of positions");
    return HOLOS_OK;
}

/* Whether a layer is whole; *next is where the one after it begins. */
static bool layer_is_whole(const reached *r, uint64_t at, uint64_t most, reached_layer *out, uint64_t *next)
{
    layer_head head;
    uint64_t sum = 0, words[1024];
    if (!bytes_read(r, &head, sizeof head, at) || head.sum == 0)
        return false;
    *out = (reached_layer){.count = head.count, .at = at + sizeof head};
    if (head.count > most / (r->words * sizeof *words))
        return false;
    *next = out->at + head.count * r->words * sizeof *words;
    if (*next > most)
        return false;
    for (uint64_t from = out->at; from < *next;) {
        size_t some = *next - from < sizeof words ? (size_t)(*next - from) : sizeof words;
        if (!bytes_read(r, words, some, from))
            return false;
        sum = key_sum(sum, words, some / sizeof *words);
        from += some;
    }
    return (sum | 1) == head.sum;
}

static holos_status layers_find(reached *r, holos_error *err)
{
    struct stat st;
    reached_layer layer;
    uint64_t next;
    if (fstat(r->fd, &st) != 0)
        return error_system(err, "%s", r->path);
    while (layer_is_whole(r, r->size, (uint64_t)st.st_size, &layer, &next)) {
        if (!LIST_RESERVE(r->layers, r->layer_room, r->layer_count + 1))
            return error_system(err, "the checkpoint");
        r->layers[r->layer_count++] = layer;
        r->size = next;
    }
    return reached_cut(r, r->layer_count, err);
}

/* What is there: *there says whether it can be gone on with. */
static holos_status file_check(const reached *r, const reached_label *label, bool *there, holos_error *err)
{
    file_head head;
    *there = bytes_read(r, &head, sizeof head, 0) && head.magic == MAGIC &&
             head.label.family == label->family && head.label.version == label->version &&
             head.label.words == label->words && head.label.rank == label->rank;
    if (*there && head.label.ranks != label->ranks)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "this graph was begun with %u ranks: --resume needs as many; --restart starts over",
                         head.label.ranks);
    return HOLOS_OK;
}

holos_status reached_open(reached *r, const char *path, const char *folder, mem_budget *budget, bool resume,
                          const reached_label *label, holos_error *err)
{
    file_head head = {.magic = MAGIC, .label = *label};
    bool there = false;
    *r = (reached){.fd = -1,
                   .words = label->words,
                   .size = sizeof head,
                   .budget = path == NULL && folder == NULL ? budget : NULL};
    r->path = path != NULL ? strdup(path) : NULL;
    r->buffer = malloc(BUFFER_KEYS * label->words * sizeof *r->buffer);
    if (r->buffer == NULL || (path != NULL && r->path == NULL))
        return error_system(err, "the checkpoint");
    holos_status status = file_open(r, folder, err);
    if (status == HOLOS_OK && resume && path != NULL)
        status = file_check(r, label, &there, err);
    if (status != HOLOS_OK)
        return status;
    if (there)
        return layers_find(r, err);
    if (ftruncate(r->fd, 0) != 0)
        return error_system(err, "cannot write %s", path != NULL ? path : "positions");
    status = bytes_write(r, &head, sizeof head, 0, err);
    return status == HOLOS_OK ? reached_cut(r, 0, err) : status;
}

void reached_close(reached *r, bool forget)
{
    if (r->fd >= 0)
        close(r->fd);
    if (forget && r->path != NULL)
        unlink(r->path);
    mem_unclaim(r->budget, (size_t)r->claimed);
    free(r->path);
    free(r->layers);
    free(r->buffer);
    *r = (reached){.fd = -1};
}

/* ---- Layers ------------------------------------------------------------------------------------ */

/* Memory for a file of this size, neither more nor less. */
static holos_status size_claim(reached *r, uint64_t size, holos_error *err)
{
    if (r->budget == NULL)
        return HOLOS_OK;
    uint64_t more = size > r->claimed ? size - r->claimed : 0;
    if (more > 0 && !mem_claim(r->budget, (size_t)more))
        return mem_error(err, r->budget, (size_t)more, "the list of positions");
    mem_unclaim(r->budget, (size_t)(r->claimed + more - size));
    r->claimed = size;
    return HOLOS_OK;
}

size_t reached_growth(const reached *r, uint64_t keys)
{
    return r->budget != NULL ? (size_t)keys * r->words * sizeof *r->buffer : 0;
}

/* The next layer begins at the end of the last one. */
holos_status reached_cut(reached *r, size_t layers, holos_error *err)
{
    layer_head open = {0};
    if (layers < r->layer_count) {
        r->size = r->layers[layers].at - sizeof open;
        r->layer_count = layers;
    }
    r->count = r->sum = r->buffered = 0;
    if (ftruncate(r->fd, (off_t)r->size) != 0)
        return error_system(err, "cannot write %s", r->path != NULL ? r->path : "positions");
    holos_status status = size_claim(r, r->size + sizeof open, err);
    if (status == HOLOS_OK)
        status = bytes_write(r, &open, sizeof open, r->size, err);
    r->size += sizeof open;
    return status;
}

static holos_status buffer_write(reached *r, holos_error *err)
{
    size_t words = r->buffered * r->words;
    holos_status status = size_claim(r, r->size + words * sizeof *r->buffer, err);
    if (status == HOLOS_OK)
        status = bytes_write(r, r->buffer, words * sizeof *r->buffer, r->size, err);
    if (status != HOLOS_OK)
        return status;
    r->sum = key_sum(r->sum, r->buffer, words);
    r->size += words * sizeof *r->buffer;
    r->buffered = 0;
    return HOLOS_OK;
}

holos_status reached_add(reached *r, holos_key key, holos_error *err)
{
    uint64_t *words = r->buffer + r->buffered * r->words;
    words[0] = key.lo;
    if (r->words == 2)
        words[1] = key.hi;
    r->count++;
    return ++r->buffered == BUFFER_KEYS ? buffer_write(r, err) : HOLOS_OK;
}

holos_status reached_end(reached *r, holos_error *err)
{
    holos_status status = buffer_write(r, err);
    if (status != HOLOS_OK)
        return status;
    if (!LIST_RESERVE(r->layers, r->layer_room, r->layer_count + 1))
        return error_system(err, "the checkpoint");
    uint64_t bytes = r->count * r->words * sizeof *r->buffer;
    layer_head head = {.count = r->count, .sum = r->sum | 1}; /* never 0: that is an open layer's */
    r->layers[r->layer_count] = (reached_layer){.count = r->count, .at = r->size - bytes};
    status = bytes_write(r, &head, sizeof head, r->size - bytes - sizeof head, err);
    if (status != HOLOS_OK)
        return status;
    if (r->path != NULL && clock_wall() - r->synced > SYNC_SECONDS) {
        if (fdatasync(r->fd) != 0)
            return error_system(err, "cannot write %s", r->path);
        r->synced = clock_wall();
    }
    r->layer_count++;
    return reached_cut(r, r->layer_count, err);
}

holos_status reached_read(const reached *r, size_t layer, uint64_t first, size_t count, uint64_t *words,
                          holos_error *err)
{
    size_t each = r->words * sizeof *words;
    if (bytes_read(r, words, count * each, r->layers[layer].at + first * each))
        return HOLOS_OK;
    return error_set(err, HOLOS_IO, HOLOS_NOWHERE, "cannot read positions back from %s",
                     r->path != NULL ? r->path : "memory");
}
