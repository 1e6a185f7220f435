/* SPDX-License-Identifier: MIT */

/* Graphs in tables: rows in the order of their keys, with a digest for each ROWS_BLOCK of them. */

#include "core/hash.h"
#include "core/list.h"
#include "store/tabular.h"

#include <stdlib.h>
#include <string.h>

/* ---- Blocks ------------------------------------------------------------------------------------ */

static bool room_make(tabular *t)
{
    if (t->open == NULL) /* a batch, or a block and one row more */
        t->open = malloc(((size_t)t->driver->batch * ROWS_BLOCK + 1) * sizeof *t->open);
    if (t->room == NULL)
        t->room = malloc(ROWS_BLOCK_ROOM);
    return t->open != NULL && t->room != NULL;
}

holos_status tabular_block_add(tabular *t, tabular_block block, holos_error *err)
{
    if (block.rows < 1 || block.rows > ROWS_BLOCK ||
        (t->block_count > 0 && !holos_key_less(t->blocks[t->block_count - 1].first, block.first)))
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s: its table of blocks is damaged", t->name);
    if (!LIST_RESERVE(t->blocks, t->block_room, t->block_count + 1))
        return error_system(err, "the store");
    t->blocks[t->block_count++] = block;
    return HOLOS_OK;
}

static holos_status blocks_read(tabular *t, holos_error *err)
{
    if (!room_make(t))
        return error_system(err, "the store");
    t->block_count = 0;
    holos_status status = t->driver->blocks_read(t, err);
    t->kept = t->block_count;
    return status;
}

static holos_key blocks_digest(const tabular *t, uint64_t *rows)
{
    holos_key *digests = calloc(t->block_count + 1, sizeof *digests), digest = {0};
    *rows = 0;
    for (size_t i = 0; digests != NULL && i < t->block_count; i++) {
        digests[i] = t->blocks[i].digest;
        *rows += t->blocks[i].rows;
    }
    if (digests != NULL)
        digest = hash_bytes(digests, t->block_count * sizeof *digests);
    free(digests);
    return digest;
}

/* Whether the blocks are those that the manifest of a finished store names. */
static bool blocks_match(const tabular *t)
{
    char digest[33];
    uint64_t rows;
    digest_format(blocks_digest(t, &rows), digest);
    return rows == t->manifest.facts.positions && strcmp(digest, t->manifest.facts.digest) == 0;
}

holos_status graph_blocks_load(tabular *t, holos_error *err)
{
    holos_status status = blocks_read(t, err);
    if (status == HOLOS_OK && t->manifest.facts.complete && !blocks_match(t))
        status = error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s: its blocks do not match the manifest",
                           t->name);
    if (status == HOLOS_OK && !row_cache_init(&t->cache, t->block_count, t->cache_bytes))
        status = error_system(err, "the store");
    return status;
}

/* Reads the rows of a block into t->open, with those before the first block and behind the last one of a finished graph (of another
 * one somebody may be writing them). *sound: they are those that were written. */
static holos_status block_read(tabular *t, size_t block, bool whole, bool *sound, holos_error *err)
{
    const tabular_block *b = &t->blocks[block];
    bool last = block + 1 == t->block_count;
    holos_key first = block > 0 ? b->first : (holos_key){0};
    uint32_t room = last && !t->manifest.facts.complete ? b->rows : ROWS_BLOCK + 1;
    holos_status status = t->driver->rows_read(t, first, last ? NULL : &t->blocks[block + 1].first, whole,
                                               t->open, room, &t->open_count, sound, err);
    *sound = status == HOLOS_OK && *sound && t->open_count == b->rows &&
             holos_key_equal(t->open[0].identity, b->first) &&
             holos_key_equal(rows_block_digest(t->open, t->open_count, t->room), b->digest);
    return status;
}

static holos_status block_damaged(const tabular *t, size_t block, holos_error *err)
{
    return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                     "%s: its graph is damaged: rows %llu to %llu have changed since they were written",
                     t->name, (unsigned long long)block * ROWS_BLOCK + 1,
                     (unsigned long long)block * ROWS_BLOCK + t->blocks[block].rows);
}

size_t tabular_block_of(const tabular *t, holos_key key)
{
    size_t low = 0, high = t->block_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (holos_key_less(key, t->blocks[middle].first))
            high = middle;
        else
            low = middle;
    }
    return low;
}

static holos_status sound_read(tabular *t, size_t block, bool whole, holos_error *err)
{
    bool sound;
    holos_status status = block_read(t, block, whole, &sound, err);
    return status == HOLOS_OK && !sound ? block_damaged(t, block, err) : status;
}

holos_status graph_check(tabular *t, const holos_stop *stop, holos_error *err)
{
    holos_status status = HOLOS_OK;
    for (size_t i = 0; status == HOLOS_OK && i < t->block_count; i++) {
        pthread_mutex_lock(&t->lock);
        status = sound_read(t, i, true, err);
        pthread_mutex_unlock(&t->lock);
        if (status == HOLOS_OK && holos_stop_asked(stop))
            status = error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
    }
    return status;
}

/* ---- Going on ---------------------------------------------------------------------------------- */

/* How many blocks from the first on are sound. */
static holos_status sound_count(tabular *t, size_t *out, holos_error *err)
{
    bool sound = true;
    holos_status status = HOLOS_OK;
    for (*out = 0; status == HOLOS_OK && *out < t->block_count; ++*out) {
        status = block_read(t, *out, true, &sound, err);
        if (status == HOLOS_BAD_FILE)
            status = HOLOS_OK; /* it is made again */
        if (!sound)
            break;
        t->has_last = true;
        t->last = t->open[t->open_count - 1].identity;
    }
    t->open_count = 0;
    return status;
}

/* Others may be writing now, where a store can be shared: what is sound is never removed. */
holos_status graph_go_on(tabular *t, holos_error *err)
{
    size_t good = 0;
    holos_status status = blocks_read(t, err);
    if (status == HOLOS_BAD_FILE) { /* the table of blocks says nothing */
        t->block_count = 0;
        status = HOLOS_OK;
    }
    if (status == HOLOS_OK)
        status = sound_count(t, &good, err);
    if (status != HOLOS_OK)
        return status;
    bool finished = t->manifest.facts.complete && blocks_match(t) && good == t->block_count;
    bool damaged = good < t->block_count || (t->manifest.facts.complete && !finished);
    /* The last block of a finished graph is short; that of one that goes on must be full. */
    if (!finished && good > 0 && t->blocks[good - 1].rows < ROWS_BLOCK) {
        damaged = true;
        good--;
        t->has_last = good > 0;
        bool sound;
        status = good > 0 ? block_read(t, good - 1, false, &sound, err) : HOLOS_OK;
        if (good > 0)
            t->last = t->open[ROWS_BLOCK - 1].identity;
        t->open_count = 0;
    }
    t->block_count = t->kept = good;
    if (status == HOLOS_OK && !finished && (damaged || (t->base.backend->can & STORE_SHARED) == 0))
        status = t->driver->rows_cut(t, t->has_last ? &t->last : NULL, err);
    bool reopened = t->manifest.facts.complete && !finished;
    t->manifest.facts.complete = finished;
    return status == HOLOS_OK && reopened ? tabular_manifest_save(t, err) : status;
}

/* ---- Writing ----------------------------------------------------------------------------------- */

/* Rows of blocks that are not kept yet come first in t->open, then those of the block that is open. */
static holos_row *open_rows(tabular *t)
{
    return t->open + (t->block_count - t->kept) * ROWS_BLOCK;
}

holos_status graph_flush(tabular *t, holos_error *err)
{
    size_t count = t->block_count - t->kept;
    if (count == 0)
        return HOLOS_OK;
    holos_status status = t->driver->rows_put(t, t->open, t->blocks + t->kept, count, err);
    if (status == HOLOS_OK) {
        memmove(t->open, open_rows(t), t->open_count * sizeof *t->open);
        t->kept = t->block_count;
    } else {
        t->block_count = t->kept; /* what could not be written is not tried again at the end */
        t->open_count = 0;
    }
    return status;
}

/* The block that is open is full, or the last one. */
static holos_status block_close(tabular *t, holos_error *err)
{
    if (t->open_count == 0)
        return HOLOS_OK;
    const holos_row *rows = open_rows(t);
    tabular_block block = {.first = rows->identity,
                           .rows = t->open_count,
                           .digest = rows_block_digest(rows, t->open_count, t->room)};
    t->open_count = 0;
    holos_status status = tabular_block_add(t, block, err);
    if (status == HOLOS_OK && t->block_count - t->kept == t->driver->batch)
        status = graph_flush(t, err);
    return status;
}

holos_status tabular_put(store *s, const holos_row *rows, size_t count, holos_error *err)
{
    tabular *t = tabular_of(s);
    while (count > 0 && t->has_last && !holos_key_less(t->last, rows->identity))
        rows++, count--; /* what an interrupted build has left */
    if (count == 0 || t->manifest.facts.complete)
        return HOLOS_OK;
    if (!room_make(t))
        return error_system(err, "the store");
    holos_status status = HOLOS_OK;
    pthread_mutex_lock(&t->lock);
    for (size_t i = 0; status == HOLOS_OK && i < count; i++) {
        if (i > 0 && !holos_key_less(rows[i - 1].identity, rows[i].identity)) {
            status = error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "the rows of a graph are not in order");
            break;
        }
        open_rows(t)[t->open_count++] = rows[i];
        if (t->open_count == ROWS_BLOCK)
            status = block_close(t, err);
    }
    pthread_mutex_unlock(&t->lock);
    return status;
}

/* Where several may write, what is there must be what all of them meant. */
static holos_status others_check(tabular *t, holos_error *err)
{
    char mine[33];
    uint64_t rows;
    digest_format(blocks_digest(t, &rows), mine);
    holos_status status = blocks_read(t, err);
    strcpy(t->manifest.facts.digest, mine);
    t->manifest.facts.positions = rows;
    if (status == HOLOS_OK && !blocks_match(t))
        status = error_set(err, HOLOS_IO, HOLOS_NOWHERE,
                           "%s: another process has changed it meanwhile; --resume continues", t->name);
    return status;
}

holos_status graph_finish(tabular *t, holos_error *err)
{
    store_facts *facts = &t->manifest.facts;
    holos_status status = room_make(t) ? HOLOS_OK : error_system(err, "the store");
    if (status != HOLOS_OK || facts->complete)
        return status;
    pthread_mutex_lock(&t->lock);
    status = block_close(t, err);
    if (status == HOLOS_OK)
        status = graph_flush(t, err);
    if (status == HOLOS_OK && (t->base.backend->can & STORE_SHARED) != 0)
        status = others_check(t, err);
    if (status == HOLOS_OK)
        digest_format(blocks_digest(t, &facts->positions), facts->digest);
    pthread_mutex_unlock(&t->lock);
    return status;
}

/* ---- Reading ----------------------------------------------------------------------------------- */

/* The rows of a block, checked; NULL with HOLOS_OK: they have been checked before, and are best asked for one by one. */
static holos_status block_get(tabular *t, size_t block, const holos_row **out, holos_error *err)
{
    tabular_block *b = &t->blocks[block];
    *out = row_cache_get(&t->cache, block);
    if (*out != NULL || (b->good && t->driver->rows_find != NULL))
        return HOLOS_OK;
    holos_status status = sound_read(t, block, false, err);
    if (status != HOLOS_OK)
        return status;
    b->good = true;
    holos_row *rows = row_cache_room(&t->cache);
    if (rows == NULL)
        return error_system(err, "a block of the graph");
    memcpy(rows, t->open, t->open_count * sizeof *rows);
    row_cache_keep(&t->cache, block, rows);
    *out = rows;
    return HOLOS_OK;
}

/* Keys whose rows are not in memory, and where their answers belong. */
typedef struct asked {
    holos_key keys[256];
    size_t at[256], count;
} asked;

static holos_status asked_find(tabular *t, asked *a, holos_row *out, bool *found, holos_error *err)
{
    holos_row rows[256];
    bool there[256] = {false};
    holos_status status =
        a->count > 0 ? t->driver->rows_find(t, a->keys, a->count, rows, there, err) : HOLOS_OK;
    for (size_t i = 0; status == HOLOS_OK && i < a->count; i++) {
        found[a->at[i]] = there[i];
        if (there[i])
            out[a->at[i]] = rows[i];
    }
    a->count = 0;
    return status;
}

holos_status tabular_get(store *s, const holos_key *identities, size_t count, holos_row *out, bool *found,
                         holos_error *err)
{
    tabular *t = tabular_of(s);
    asked a = {.count = 0};
    holos_status status = HOLOS_OK;
    for (size_t i = 0; i < count; i++)
        found[i] = false;
    if (t->block_count == 0 || t->writing)
        return HOLOS_OK;
    pthread_mutex_lock(&t->lock);
    for (size_t i = 0; status == HOLOS_OK && i < count; i++) {
        const holos_row *rows, *row;
        size_t block = tabular_block_of(t, identities[i]);
        if (t->key_is_integer && (identities[i].hi != 0 || identities[i].lo > INT64_MAX))
            continue; /* no table can hold it */
        status = block_get(t, block, &rows, err);
        if (status == HOLOS_OK && rows != NULL) {
            row = rows_search(rows, t->blocks[block].rows, identities[i]);
            found[i] = row != NULL;
            if (row != NULL)
                out[i] = *row;
        } else if (status == HOLOS_OK) {
            a.keys[a.count] = identities[i];
            a.at[a.count++] = i;
            if (a.count == sizeof a.at / sizeof *a.at)
                status = asked_find(t, &a, out, found, err);
        }
    }
    if (status == HOLOS_OK)
        status = asked_find(t, &a, out, found, err);
    pthread_mutex_unlock(&t->lock);
    return status;
}

/* Block by block; a copy of each, since whoever is visited may look up others. */
holos_status tabular_scan(store *s, const store_range *range, store_row_visit *visit, void *context,
                          holos_error *err)
{
    tabular *t = tabular_of(s);
    holos_row *rows = malloc(ROWS_BLOCK * sizeof *rows);
    holos_status status = rows == NULL ? error_system(err, "the store") : HOLOS_OK;
    bool going = true;
    for (size_t i = t->block_count > 0 ? tabular_block_of(t, range->first) : 0;
         status == HOLOS_OK && going && i < t->block_count &&
         !holos_key_less(range->last, t->blocks[i].first);
         i++) {
        pthread_mutex_lock(&t->lock);
        status = sound_read(t, i, false, err);
        uint32_t count = status == HOLOS_OK ? t->open_count : 0;
        memcpy(rows, t->open, count * sizeof *rows);
        pthread_mutex_unlock(&t->lock);
        for (uint32_t k = 0; status == HOLOS_OK && going && k < count; k++)
            going = !store_in_range(range, &rows[k]) || visit(context, &rows[k]);
    }
    free(rows);
    return status;
}
