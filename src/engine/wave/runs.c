/* SPDX-License-Identifier: MIT */

#include "engine/wave/runs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define BUFFER_WORDS ((size_t)1 << 16)

/* ---- Files without names ----------------------------------------------------------------------- */

typedef struct scratch_file {
    int fd;
    const char *folder;
    uint64_t *buffer;
    size_t buffered; /* words */
    size_t bytes;    /* so far */
    int failed;      /* errno */
} scratch_file;

static holos_status scratch_open(scratch_file *f, const char *folder, holos_error *err)
{
    char path[4096];
    *f = (scratch_file){.fd = -1, .folder = folder};
    if (snprintf(path, sizeof path, "%s/.holos-run-XXXXXX", folder) >= (int)sizeof path)
        return error_set(err, HOLOS_IO, HOLOS_NOWHERE, "the name of the folder %s is too long", folder);
    f->buffer = malloc(BUFFER_WORDS * sizeof *f->buffer);
    if (f->buffer == NULL)
        return error_system(err, "a run of a wave");
    f->fd = mkostemp(path, O_CLOEXEC);
    if (f->fd < 0) {
        free(f->buffer);
        return error_system(err, "cannot make a file in %s", folder);
    }
    unlink(path);
    return HOLOS_OK;
}

static void scratch_flush(scratch_file *f)
{
    const unsigned char *from = (const unsigned char *)f->buffer;
    size_t left = f->buffered * sizeof *f->buffer;
    f->bytes += left;
    f->buffered = 0;
    while (left > 0 && f->failed == 0) {
        ssize_t written = write(f->fd, from, left);
        if (written < 0 && errno != EINTR)
            f->failed = errno;
        if (written > 0) {
            from += written;
            left -= (size_t)written;
        }
    }
}

static void scratch_write(scratch_file *f, const uint64_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        f->buffer[f->buffered++] = words[i];
        if (f->buffered == BUFFER_WORDS)
            scratch_flush(f);
    }
}

/* Ends writing and maps the file. NULL: the error says why. */
static uint64_t *scratch_map(scratch_file *f, holos_error *err)
{
    scratch_flush(f);
    void *map = NULL;
    if (f->failed != 0) {
        errno = f->failed;
        error_system(err, "cannot write to %s", f->folder);
    } else {
        map = mmap(NULL, f->bytes > 0 ? f->bytes : 1, PROT_READ | PROT_WRITE, MAP_SHARED, f->fd, 0);
        if (map == MAP_FAILED) {
            map = NULL;
            error_system(err, "cannot map a file in %s", f->folder);
        }
    }
    close(f->fd);
    free(f->buffer);
    return map;
}

/* ---- Runs -------------------------------------------------------------------------------------- */

static void run_free(nodes_run *run)
{
    if (run->slots != NULL)
        munmap(run->slots, run->bytes > 0 ? run->bytes : 1);
    *run = (nodes_run){0};
}

void nodes_runs_free(nodes *n)
{
    if (n->runs == NULL)
        return;
    for (unsigned i = 0; i < n->runs->count; i++)
        run_free(&n->runs->runs[i]);
    free(n->runs);
    n->runs = NULL;
}

static bool slot_before(const nodes *n, const uint64_t *a, const uint64_t *b)
{
    return a[1] != b[1] ? a[1] > b[1] : n->key_words == 2 && a[2] < b[2];
}

static bool slot_before_key(const nodes *n, const uint64_t *slot, holos_key key, uint64_t hash)
{
    uint64_t mark = hash_mark(hash);
    return slot[1] != mark ? slot[1] > mark : n->key_words == 2 && slot[2] < key.lo;
}

/* Finds a key in a shard's part of a run. Hashes are spread evenly, so it is near where it should be: a step that
 * doubles finds two slots around it, and a binary search does the rest. */
static uint64_t *run_find(const nodes *n, const nodes_run *run, holos_key key, uint64_t hash)
{
    unsigned shard = nodes_shard_of(hash);
    size_t words = n->slot_words, count = run->begin[shard + 1] - run->begin[shard];
    if (count == 0)
        return NULL;
    uint64_t *first = run->slots + run->begin[shard] * words;
    size_t low = wide_scale(hash, count), high = low, step = 8;
    for (; low > 0 && !slot_before_key(n, first + low * words, key, hash); step *= 2)
        low = low > step ? low - step : 0;
    for (step = 8; high < count && slot_before_key(n, first + high * words, key, hash); step *= 2)
        high = count - high > step ? high + step : count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (slot_before_key(n, first + middle * words, key, hash))
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && slot_holds(n, first + low * words, key, hash) ? first + low * words : NULL;
}

node_at nodes_find_in_runs(const nodes *n, holos_key key, uint64_t hash)
{
    for (unsigned i = n->runs->count; i-- > 0;) {
        node_at at = run_find(n, &n->runs->runs[i], key, hash);
        if (at != NULL)
            return at;
    }
    return NULL;
}

/* Writes what several runs have of a shard, in order. */
static void shard_merge(const nodes *n, unsigned shard, scratch_file *f)
{
    const nodes_runs *runs = n->runs;
    const uint64_t *next[RUNS_MOST + 1], *end[RUNS_MOST + 1];
    for (unsigned i = 0; i < runs->count; i++) {
        next[i] = runs->runs[i].slots + runs->runs[i].begin[shard] * n->slot_words;
        end[i] = runs->runs[i].slots + runs->runs[i].begin[shard + 1] * n->slot_words;
    }
    for (;;) {
        unsigned least = runs->count;
        for (unsigned i = 0; i < runs->count; i++)
            if (next[i] != end[i] && (least == runs->count || slot_before(n, next[i], next[least])))
                least = i;
        if (least == runs->count)
            return;
        scratch_write(f, next[least], n->slot_words);
        next[least] += n->slot_words;
    }
}

static holos_status runs_merge(nodes *n, const char *folder, holos_error *err)
{
    scratch_file f;
    nodes_run merged = {0};
    holos_status status = scratch_open(&f, folder, err);
    if (status != HOLOS_OK)
        return status;
    for (unsigned shard = 0; shard < NODES_SHARDS; shard++) {
        shard_merge(n, shard, &f);
        merged.begin[shard + 1] = (f.bytes / sizeof(uint64_t) + f.buffered) / n->slot_words;
    }
    merged.slots = scratch_map(&f, err);
    if (merged.slots == NULL)
        return err != NULL ? err->code : HOLOS_IO;
    merged.bytes = f.bytes;
    for (unsigned i = 0; i < n->runs->count; i++)
        run_free(&n->runs->runs[i]);
    n->runs->runs[0] = merged;
    n->runs->count = 1;
    return HOLOS_OK;
}

holos_status nodes_spill(nodes *n, const char *folder, holos_error *err)
{
    if (n->position_size > 0)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "this game cannot make positions from keys: its positions stay in memory");
    if (n->runs == NULL && (n->runs = calloc(1, sizeof *n->runs)) == NULL)
        return error_system(err, "the runs of a wave");
    scratch_file f;
    nodes_run run = {0};
    holos_status status = scratch_open(&f, folder, err);
    if (status != HOLOS_OK)
        return status;
    for (unsigned shard = 0; shard < NODES_SHARDS; shard++) {
        node_at at;
        for (size_t i = 0; (at = nodes_next_in_memory(n, shard, &i)) != NULL;)
            scratch_write(&f, at, n->slot_words);
        run.begin[shard + 1] = (f.bytes / sizeof(uint64_t) + f.buffered) / n->slot_words;
    }
    run.slots = scratch_map(&f, err);
    if (run.slots == NULL)
        return err != NULL ? err->code : HOLOS_IO;
    run.bytes = f.bytes;
    n->runs->runs[n->runs->count++] = run;
    nodes_shrink(n);
    return n->runs->count > RUNS_MOST ? runs_merge(n, folder, err) : HOLOS_OK;
}

/* ---- Layers ------------------------------------------------------------------------------------ */

holos_status layers_spill(layers *l, const layer *keep, const char *folder, holos_error *err)
{
    for (unsigned depth = 0; depth < l->depth; depth++) {
        layer *at = l->at[depth];
        size_t in_memory = 0;
        for (unsigned i = 0; i < NODES_SHARDS; i++)
            in_memory += at->lists[i].room;
        if (at == keep || in_memory < NODES_SHARDS)
            continue;
        scratch_file f;
        holos_status status = scratch_open(&f, folder, err);
        if (status != HOLOS_OK)
            return status;
        for (unsigned i = 0; i < NODES_SHARDS; i++)
            scratch_write(&f, at->lists[i].words, at->lists[i].count * l->key_words);
        uint64_t *map = scratch_map(&f, err);
        if (map == NULL)
            return err != NULL ? err->code : HOLOS_IO;
        layers_remap(l, at, map, f.bytes);
    }
    return HOLOS_OK;
}
