/* SPDX-License-Identifier: MIT */

/* Databases in tables: a row for each position, by its rank among all, with a digest for each part, the same as in a file, and
 * one for each TABULAR_RANKS rows of it. */

#include "core/hash.h"
#include "store/tabular.h"

#include <stdlib.h>
#include <string.h>

/* ---- Parts ------------------------------------------------------------------------------------- */

void database_end(tabular *t)
{
    for (uint32_t tier = 0; t->parts != NULL && tier <= t->manifest.facts.top; tier++)
        free(t->parts[tier]);
    free(t->parts);
    free(t->good);
    for (uint64_t i = 0; t->values != NULL && i < t->value_blocks; i++)
        free(t->values[i]);
    free(t->values);
}

holos_status database_begin(tabular *t, holos_error *err)
{
    const holos_variant *v = t->base.v;
    const holos_index *index = v->game->index;
    struct tabular_start next = {0};
    t->parts = calloc(t->manifest.facts.top + 1, sizeof *t->parts);
    bool ready = t->parts != NULL;
    for (uint32_t tier = 0; ready && tier <= t->manifest.facts.top; tier++) {
        uint32_t count = index->parts(v, tier);
        t->parts[tier] = calloc(count + 1, sizeof **t->parts);
        ready = t->parts[tier] != NULL;
        for (uint32_t part = 0; ready && part < count; part++) {
            uint64_t size = index->size(v, tier, part);
            t->parts[tier][part] = next;
            next.rank += size;
            next.block += (size + TABULAR_RANKS - 1) / TABULAR_RANKS;
        }
    }
    t->value_blocks = next.block;
    if (ready)
        t->good = calloc(next.block + 1, sizeof *t->good);
    if (ready)
        t->values = calloc(next.block + 1, sizeof *t->values);
    return ready && t->good != NULL && t->values != NULL ? HOLOS_OK : error_system(err, "the store");
}

/* The digest of a database is that of its parts' digests, in order. */
static holos_status digest_collect(tabular *t, char out[33], uint64_t *positions, holos_error *err)
{
    const holos_variant *v = t->base.v;
    size_t count = 0, next = 0;
    for (uint32_t tier = 0; tier <= t->manifest.facts.top; tier++)
        count += v->game->index->parts(v, tier);
    holos_key *digests = calloc(count + 1, sizeof *digests);
    holos_status status = digests == NULL ? error_system(err, "the digest") : HOLOS_OK;
    *positions = 0;
    for (uint32_t tier = 0; status == HOLOS_OK && tier <= t->manifest.facts.top; tier++) {
        for (uint32_t part = 0; status == HOLOS_OK && part < v->game->index->parts(v, tier); part++) {
            bool found = false;
            status = t->driver->part_find(t, tier, part, &found, &digests[next++], err);
            if (status == HOLOS_OK && !found)
                status =
                    error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                              "%s: part %u of tier %u is missing, or its digest is", t->name, part, tier);
            *positions += v->game->index->size(v, tier, part);
        }
    }
    if (status == HOLOS_OK)
        digest_format(hash_bytes(digests, count * sizeof *digests), out);
    free(digests);
    return status;
}

holos_status database_parts_check(tabular *t, holos_error *err)
{
    const store_facts *facts = &t->manifest.facts;
    char digest[33];
    uint64_t positions;
    if (!facts->complete)
        return HOLOS_OK;
    holos_status status = digest_collect(t, digest, &positions, err);
    if (status == HOLOS_OK && (strcmp(digest, facts->digest) != 0 || positions != facts->positions))
        status =
            error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s: its parts do not match the manifest", t->name);
    return status;
}

holos_status database_finish(tabular *t, holos_error *err)
{
    store_facts *facts = &t->manifest.facts;
    pthread_mutex_lock(&t->lock);
    holos_status status = digest_collect(t, facts->digest, &facts->positions, err);
    if (status == HOLOS_OK && t->driver->stray_remove != NULL)
        status = t->driver->stray_remove(t, facts->positions, err); /* if somebody wrote to the table */
    pthread_mutex_unlock(&t->lock);
    return status;
}

bool tabular_has(store *s, uint32_t tier, uint32_t part)
{
    tabular *t = tabular_of(s);
    bool found = false;
    holos_key digest;
    pthread_mutex_lock(&t->lock);
    bool there = t->driver->part_find(t, tier, part, &found, &digest, NULL) == HOLOS_OK && found;
    pthread_mutex_unlock(&t->lock);
    return there;
}

/* ---- Writing ----------------------------------------------------------------------------------- */

holos_status tabular_save(store *s, uint32_t tier, uint32_t part, const uint8_t *bytes, uint64_t size,
                          holos_error *err)
{
    tabular *t = tabular_of(s);
    size_t count = (size + TABULAR_RANKS - 1) / TABULAR_RANKS;
    tabular_block *blocks = calloc(count + 1, sizeof *blocks);
    if (blocks == NULL)
        return error_system(err, "the store");
    uint64_t rank = t->parts[tier][part].rank;
    for (size_t i = 0; i < count; i++) {
        uint64_t at = i * TABULAR_RANKS, left = size - at;
        blocks[i].first.lo = rank + at;
        blocks[i].rows = (uint32_t)(left < TABULAR_RANKS ? left : TABULAR_RANKS);
        blocks[i].digest = hash_bytes(bytes + at, blocks[i].rows);
    }
    tabular_part whole = {.tier = tier,
                          .part = part,
                          .rank = rank,
                          .bytes = bytes,
                          .size = size,
                          .digest = hash_bytes(bytes, size),
                          .blocks = blocks,
                          .block_count = count};
    pthread_mutex_lock(&t->lock);
    holos_status status = t->driver->part_put(t, &whole, err);
    pthread_mutex_unlock(&t->lock);
    free(blocks);
    return status;
}

/* ---- Reading ----------------------------------------------------------------------------------- */

static holos_status part_damaged(const tabular *t, uint32_t tier, uint32_t part, uint64_t rank,
                                 holos_error *err)
{
    return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                     "%s: part %u of tier %u is damaged: rank %llu is missing or wrong", t->name, part, tier,
                     (unsigned long long)rank);
}

static holos_status values_damaged(const tabular *t, uint32_t tier, uint32_t part, holos_error *err)
{
    return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                     "%s: part %u of tier %u is damaged: its values have changed since they were written",
                     t->name, part, tier);
}

/* Keeps the values of a block of a store that is being read, while there is room. */
static void values_keep(tabular *t, uint64_t block, const uint8_t *bytes, uint64_t size)
{
    if (t->writing || t->values_held + size > t->cache_bytes || t->values[block] != NULL)
        return;
    t->values[block] = malloc(size);
    if (t->values[block] == NULL)
        return;
    memcpy(t->values[block], bytes, size);
    t->values_held += size;
}

/* Compares the block of a place, once. */
static holos_status block_check(tabular *t, holos_place place, holos_error *err)
{
    const holos_variant *v = t->base.v;
    uint64_t size = v->game->index->size(v, place.tier, place.part), at = place.index / TABULAR_RANKS;
    const struct tabular_start *part = &t->parts[place.tier][place.part];
    uint64_t rank = part->rank + at * TABULAR_RANKS, left = size - at * TABULAR_RANKS;
    uint64_t rows = left < TABULAR_RANKS ? left : TABULAR_RANKS, read;
    uint8_t bytes[TABULAR_RANKS];
    bool found = false;
    holos_key digest;
    if (t->good[part->block + at])
        return HOLOS_OK;
    place.index = at * TABULAR_RANKS;
    holos_status status = t->driver->values_read(t, place, rank, rows, bytes, &read, err);
    if (status == HOLOS_OK && read != rows)
        status = part_damaged(t, place.tier, place.part, rank + read, err);
    if (status == HOLOS_OK)
        status = t->driver->part_block(t, place, rank, &found, &digest, err);
    if (status != HOLOS_OK)
        return status;
    bool sound = found && holos_key_equal(digest, hash_bytes(bytes, rows));
    t->good[part->block + at] = sound;
    if (sound)
        values_keep(t, part->block + at, bytes, rows);
    return sound ? HOLOS_OK : values_damaged(t, place.tier, place.part, err);
}

/* Every column of a part's rows is what it should be, and every block. */
static holos_status part_check(tabular *t, uint32_t tier, uint32_t part, holos_error *err)
{
    const holos_variant *v = t->base.v;
    holos_place place = {.tier = tier, .part = part};
    uint64_t size = v->game->index->size(v, tier, part), rank = t->parts[tier][part].rank, good = size;
    holos_status status = HOLOS_OK;
    if (t->driver->part_check != NULL)
        status = t->driver->part_check(t, tier, part, rank, size, &good, err);
    if (status == HOLOS_OK && good != size)
        status = part_damaged(t, tier, part, rank + good, err);
    for (; status == HOLOS_OK && place.index < size; place.index += TABULAR_RANKS)
        status = block_check(t, place, err);
    return status;
}

holos_status tabular_load(store *s, uint32_t tier, uint32_t part, uint8_t *bytes, uint64_t size,
                          holos_error *err)
{
    tabular *t = tabular_of(s);
    uint64_t rank = t->parts[tier][part].rank, read = 0;
    holos_key digest;
    bool found = false;
    holos_place first = {.tier = tier, .part = part};
    pthread_mutex_lock(&t->lock);
    holos_status status = t->driver->values_read(t, first, rank, size, bytes, &read, err);
    if (status == HOLOS_OK && read != size)
        status = part_damaged(t, tier, part, rank + read, err);
    if (status == HOLOS_OK)
        status = t->driver->part_find(t, tier, part, &found, &digest, err);
    if (status == HOLOS_OK && (!found || !holos_key_equal(digest, hash_bytes(bytes, size))))
        status = values_damaged(t, tier, part, err);
    if (status == HOLOS_OK && t->writing) /* whatever is wrong with it, it is made again */
        status = part_check(t, tier, part, err);
    pthread_mutex_unlock(&t->lock);
    return status;
}

holos_status tabular_byte(store *s, holos_place place, uint8_t *out, holos_error *err)
{
    tabular *t = tabular_of(s);
    *out = HOLOS_BYTE_UNKNOWN;
    if (place.tier > t->manifest.facts.top || !t->manifest.facts.complete)
        return HOLOS_OK;
    const struct tabular_start *part = &t->parts[place.tier][place.part];
    uint64_t rank = part->rank + place.index, read = 1;
    pthread_mutex_lock(&t->lock);
    holos_status status = block_check(t, place, err);
    const uint8_t *values = t->values[part->block + place.index / TABULAR_RANKS];
    if (status == HOLOS_OK && values != NULL)
        *out = values[place.index % TABULAR_RANKS];
    else if (status == HOLOS_OK)
        status = t->driver->values_read(t, place, rank, 1, out, &read, err);
    if (status == HOLOS_OK && read != 1)
        status = part_damaged(t, place.tier, place.part, rank, err);
    pthread_mutex_unlock(&t->lock);
    return status;
}

/* ---- Verification ------------------------------------------------------------------------------ */

static holos_status part_verify(tabular *t, uint32_t tier, uint32_t part, uint64_t size, holos_error *err)
{
    uint8_t *bytes = malloc(size + 1);
    holos_status status = bytes == NULL ? error_system(err, "verification")
                                        : tabular_load(&t->base, tier, part, bytes, size, err);
    free(bytes);
    pthread_mutex_lock(&t->lock);
    if (status == HOLOS_OK)
        status = part_check(t, tier, part, err);
    pthread_mutex_unlock(&t->lock);
    return status;
}

holos_status database_check(tabular *t, const holos_stop *stop, holos_error *err)
{
    const holos_variant *v = t->base.v;
    const holos_index *index = v->game->index;
    holos_status status = HOLOS_OK;
    uint64_t rows = 0;
    for (uint32_t tier = 0; status == HOLOS_OK && tier <= t->manifest.facts.top; tier++) {
        for (uint32_t part = 0; status == HOLOS_OK && part < index->parts(v, tier); part++) {
            uint64_t size = index->size(v, tier, part);
            status = part_verify(t, tier, part, size, err);
            if (status == HOLOS_OK && holos_stop_asked(stop))
                status = error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
            rows += size;
        }
    }
    if (status == HOLOS_OK && t->driver->rows_count != NULL && t->driver->rows_count(t) != rows)
        status = error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                           "%s: its table has rows that do not belong there", t->name);
    return status;
}
