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
        return error_system(err, "cannot create a file in %s", folder);
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

/* Gives up what was written. */
static void scratch_close(scratch_file *f)
{
    close(f->fd);
    free(f->buffer);
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
    scratch_close(f);
    return map;
}

/* ---- Runs -------------------------------------------------------------------------------------- */

static void run_free(nodes_run *run)
{
    if (run->slots != NULL)
        munmap(run->slots, run->bytes > 0 ? run->bytes : 1);
    if (run->positions != NULL)
        munmap(run->positions, run->position_bytes > 0 ? run->position_bytes : 1);
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

const void *nodes_position_in_runs(const nodes *n, holos_key key, uint64_t hash)
{
    for (unsigned i = n->runs->count; i-- > 0;) {
        const nodes_run *run = &n->runs->runs[i];
        node_at at = run_find(n, run, key, hash);
        if (at != NULL)
            return run->positions + (size_t)(at - run->slots) / n->slot_words * n->position_size;
    }
    return NULL;
}

/* ---- Delayed duplicate detection --------------------------------------------------------------- */

/* The slots of a run's shard that have not been passed. */
typedef struct run_cursor {
    uint64_t *next, *end;
} run_cursor;

static void cursors_open(const nodes *n, unsigned shard, run_cursor *cursors)
{
    for (unsigned i = 0; i < n->runs->count; i++) {
        const nodes_run *run = &n->runs->runs[i];
        cursors[i].next = run->slots + run->begin[shard] * n->slot_words;
        cursors[i].end = run->slots + run->begin[shard + 1] * n->slot_words;
    }
}

/* Passes what is before `slot`; then the run's slot with the same key, or NULL. */
static node_at cursor_seek(const nodes *n, run_cursor *c, const uint64_t *slot)
{
    while (c->next != c->end && slot_before(n, c->next, slot))
        c->next += n->slot_words;
    return c->next != c->end && !slot_before(n, slot, c->next) ? c->next : NULL;
}

size_t nodes_settle(nodes *n, unsigned shard, nodes_met *met, void *context)
{
    run_cursor cursors[RUNS_MOST + 1];
    size_t found = 0;
    if (n->runs == NULL)
        return 0;
    cursors_open(n, shard, cursors);
    node_at at;
    for (size_t i = 0; (at = nodes_next_in_memory(n, shard, &i)) != NULL;) {
        node_at there = NULL;
        for (unsigned run = 0; there == NULL && run < n->runs->count; run++)
            there = cursor_seek(n, &cursors[run], at);
        if (there == NULL)
            continue;
        met(context, slot_key(n, at), there, node_load(at));
        at[0] = at[1] = 0;
        found++;
    }
    if (found > 0)
        nodes_close_gaps(n, shard);
    return found;
}

/* ---- Writing runs ------------------------------------------------------------------------------ */

/* A run that is being written: its slots, and its positions where they are kept. */
typedef struct run_writer {
    const nodes *n;
    scratch_file slots, positions;
    nodes_run run;
    size_t count;
} run_writer;

static holos_status writer_open(run_writer *w, const nodes *n, const char *folder, holos_error *err)
{
    *w = (run_writer){.n = n};
    holos_status status = scratch_open(&w->slots, folder, err);
    if (status != HOLOS_OK || n->position_size == 0)
        return status;
    status = scratch_open(&w->positions, folder, err);
    if (status != HOLOS_OK)
        scratch_close(&w->slots);
    return status;
}

static void writer_put(run_writer *w, const uint64_t *slot, const unsigned char *position)
{
    const nodes *n = w->n;
    uint64_t index = w->count++;
    if (n->position_size == 0) {
        scratch_write(&w->slots, slot, n->slot_words);
        return;
    }
    scratch_write(&w->slots, slot, n->slot_words - 1);
    scratch_write(&w->slots, &index, 1);
    scratch_write(&w->positions, (const uint64_t *)(const void *)position,
                  n->position_size / sizeof(uint64_t));
}

static holos_status writer_end(run_writer *w, nodes_run *out, holos_error *err)
{
    w->run.slots = scratch_map(&w->slots, err);
    w->run.bytes = w->slots.bytes;
    if (w->n->position_size > 0) {
        w->run.positions = (unsigned char *)scratch_map(&w->positions, err);
        w->run.position_bytes = w->positions.bytes;
    }
    if (w->run.slots == NULL || (w->n->position_size > 0 && w->run.positions == NULL)) {
        run_free(&w->run);
        return err != NULL ? err->code : HOLOS_IO;
    }
    *out = w->run;
    return HOLOS_OK;
}

/* Writes what several runs have of a shard, in order. */
static void shard_merge(const nodes *n, unsigned shard, run_writer *w)
{
    const nodes_runs *runs = n->runs;
    run_cursor cursors[RUNS_MOST + 1];
    cursors_open(n, shard, cursors);
    for (;;) {
        unsigned least = runs->count;
        for (unsigned i = 0; i < runs->count; i++)
            if (cursors[i].next != cursors[i].end &&
                (least == runs->count || slot_before(n, cursors[i].next, cursors[least].next)))
                least = i;
        if (least == runs->count)
            return;
        const nodes_run *run = &runs->runs[least];
        size_t index = (size_t)(cursors[least].next - run->slots) / n->slot_words;
        writer_put(w, cursors[least].next, run->positions + index * n->position_size);
        cursors[least].next += n->slot_words;
    }
}

static holos_status runs_merge(nodes *n, const char *folder, holos_error *err)
{
    run_writer w;
    nodes_run merged = {0};
    holos_status status = writer_open(&w, n, folder, err);
    if (status != HOLOS_OK)
        return status;
    for (unsigned shard = 0; shard < NODES_SHARDS; shard++) {
        shard_merge(n, shard, &w);
        w.run.begin[shard + 1] = w.count;
    }
    status = writer_end(&w, &merged, err);
    if (status != HOLOS_OK)
        return status;
    for (unsigned i = 0; i < n->runs->count; i++)
        run_free(&n->runs->runs[i]);
    n->runs->runs[0] = merged;
    n->runs->count = 1;
    return HOLOS_OK;
}

holos_status nodes_runs_merge(nodes *n, const char *folder, holos_error *err)
{
    return n->runs != NULL && n->runs->count > 1 ? runs_merge(n, folder, err) : HOLOS_OK;
}

holos_status nodes_spill(nodes *n, const char *folder, holos_error *err)
{
    if (n->runs == NULL && (n->runs = calloc(1, sizeof *n->runs)) == NULL)
        return error_system(err, "the runs of a wave");
    run_writer w;
    nodes_run run = {0};
    holos_status status = writer_open(&w, n, folder, err);
    if (status != HOLOS_OK)
        return status;
    for (unsigned shard = 0; shard < NODES_SHARDS; shard++) {
        const nodes_shard *s = &n->shards[shard];
        node_at at;
        for (size_t i = 0; (at = nodes_next_in_memory(n, shard, &i)) != NULL;)
            writer_put(&w, at,
                       n->position_size > 0 ? s->positions + at[n->slot_words - 1] * n->position_size : NULL);
        w.run.begin[shard + 1] = w.count;
    }
    status = writer_end(&w, &run, err);
    if (status != HOLOS_OK)
        return status;
    n->runs->runs[n->runs->count++] = run;
    nodes_shrink(n);
    return n->runs->count > RUNS_MOST ? runs_merge(n, folder, err) : HOLOS_OK;
}

/* ---- Layers ------------------------------------------------------------------------------------ */

/* Brings what is done and what is not into the order of runs, so that looking the keys up passes through these
 * from their beginning to their end. */
static void layer_sort(const layers *l, layer *at)
{
    for (unsigned i = 0; i < NODES_SHARDS; i++) {
        key_list *list = &at->lists[i];
        list_order(l, list, 0, list->done);
        list_order(l, list, list->done, list->count);
    }
}

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
        layer_sort(l, at);
        for (unsigned i = 0; i < NODES_SHARDS; i++)
            scratch_write(&f, at->lists[i].words, at->lists[i].count * l->key_words);
        uint64_t *map = scratch_map(&f, err);
        if (map == NULL)
            return err != NULL ? err->code : HOLOS_IO;
        layers_remap(l, at, map, f.bytes);
    }
    return HOLOS_OK;
}
