/* SPDX-License-Identifier: MIT */

/* Databases in an SQLite store: a row for each position, by its rank among all, with a digest for each part, the same as in a
 * file, and one for each SQLITE_RANKS rows of it. */

#include "core/hash.h"
#include "store/sqlite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void database_tables_write(const sqlite_store *q, text *out)
{
    text_string(out, "CREATE TABLE parts(tier INTEGER, part INTEGER, positions INTEGER, digest TEXT, "
                     "PRIMARY KEY(tier, part));"
                     "CREATE TABLE blocks(first INTEGER PRIMARY KEY, rows INTEGER, digest TEXT);"
                     "CREATE TABLE indexed(rank INTEGER PRIMARY KEY, tier INTEGER, part INTEGER");
    sqlite_columns_list(q, " INTEGER", out);
    text_string(out, ", side INTEGER, value INTEGER);");
}

/* ---- Parts ------------------------------------------------------------------------------------- */

void database_end(sqlite_store *q)
{
    for (uint32_t tier = 0; q->parts != NULL && tier <= q->manifest.facts.top; tier++)
        free(q->parts[tier]);
    free(q->parts);
    free(q->good);
}

holos_status database_begin(sqlite_store *q, holos_error *err)
{
    const holos_variant *v = q->base.v;
    const holos_index *index = v->game->index;
    sqlite_part next = {0};
    q->parts = calloc(q->manifest.facts.top + 1, sizeof *q->parts);
    bool ready = q->parts != NULL;
    for (uint32_t tier = 0; ready && tier <= q->manifest.facts.top; tier++) {
        uint32_t count = index->parts(v, tier);
        q->parts[tier] = calloc(count + 1, sizeof **q->parts);
        ready = q->parts[tier] != NULL;
        for (uint32_t part = 0; ready && part < count; part++) {
            uint64_t size = index->size(v, tier, part);
            q->parts[tier][part] = next;
            next.rank += size;
            next.block += (size + SQLITE_RANKS - 1) / SQLITE_RANKS;
        }
    }
    if (ready)
        q->good = calloc(next.block + 1, sizeof *q->good);
    return ready && q->good != NULL ? HOLOS_OK : error_system(err, "the store");
}

/* What the table of parts says of one; false: it is not there, or not readable. */
static bool part_find(sqlite_store *q, uint32_t tier, uint32_t part, holos_key *digest)
{
    sqlite3_stmt *s = NULL;
    char sql[96];
    snprintf(sql, sizeof sql, "SELECT digest FROM parts WHERE tier = %u AND part = %u", tier, part);
    bool found = sqlite3_prepare_v2(q->db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW &&
                 sqlite_digest_column(s, 0, digest);
    sqlite3_finalize(s);
    return found;
}

/* The digest of a database is that of its parts' digests, in order. */
static holos_status digest_collect(sqlite_store *q, char out[33], uint64_t *positions, holos_error *err)
{
    const holos_variant *v = q->base.v;
    size_t count = 0, next = 0;
    for (uint32_t tier = 0; tier <= q->manifest.facts.top; tier++)
        count += v->game->index->parts(v, tier);
    holos_key *digests = calloc(count + 1, sizeof *digests);
    holos_status status = digests == NULL ? error_system(err, "the digest") : HOLOS_OK;
    *positions = 0;
    for (uint32_t tier = 0; status == HOLOS_OK && tier <= q->manifest.facts.top; tier++) {
        for (uint32_t part = 0; status == HOLOS_OK && part < v->game->index->parts(v, tier); part++) {
            if (!part_find(q, tier, part, &digests[next++]))
                status =
                    error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                              "%s: part %u of tier %u is missing, or its digest is", q->path, part, tier);
            *positions += v->game->index->size(v, tier, part);
        }
    }
    if (status == HOLOS_OK)
        digest_format(hash_bytes(digests, count * sizeof *digests), out);
    free(digests);
    return status;
}

holos_status database_parts_check(sqlite_store *q, holos_error *err)
{
    const store_facts *facts = &q->manifest.facts;
    sqlite3_stmt *s = NULL;
    char digest[33];
    uint64_t positions;
    int code = sqlite3_prepare_v2(q->db, "SELECT first, rows, digest FROM blocks", -1, &s, NULL);
    sqlite3_finalize(s);
    if (code != SQLITE_OK)
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                         "%s has no table \"blocks\": it is damaged, or of an older version; --restart "
                         "builds it anew",
                         q->path);
    if (!facts->complete)
        return HOLOS_OK;
    holos_status status = digest_collect(q, digest, &positions, err);
    if (status == HOLOS_OK && (strcmp(digest, facts->digest) != 0 || positions != facts->positions))
        status =
            error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s: its parts do not match the manifest", q->path);
    return status;
}

holos_status database_finish(sqlite_store *q, holos_error *err)
{
    store_facts *facts = &q->manifest.facts;
    holos_status status = digest_collect(q, facts->digest, &facts->positions, err);
    facts->complete = status == HOLOS_OK;
    char sql[128];
    snprintf(sql, sizeof sql, "DELETE FROM indexed WHERE rank < 0 OR rank >= %llu",
             (unsigned long long)facts->positions);
    if (status == HOLOS_OK)
        status = sqlite_run(q, sql, err); /* what is not ours, if somebody wrote to the table */
    return status == HOLOS_OK ? sqlite_manifest_save(q, err) : status;
}

bool sqlite_has(store *s, uint32_t tier, uint32_t part)
{
    sqlite_store *q = sqlite_of(s);
    char sql[96];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM parts WHERE tier = %u AND part = %u", tier, part);
    pthread_mutex_lock(&q->lock);
    bool there = sqlite_number(q, sql) > 0;
    pthread_mutex_unlock(&q->lock);
    return there;
}

/* ---- Writing ----------------------------------------------------------------------------------- */

static bool indexed_insert(sqlite_store *q, holos_place place, uint64_t rank, uint8_t byte, holos_position *p)
{
    const holos_variant *v = q->base.v;
    sqlite3_stmt *s = q->insert;
    v->game->index->unrank(v, place, p);
    sqlite3_bind_int64(s, 1, (int64_t)rank);
    sqlite3_bind_int64(s, 2, place.tier);
    sqlite3_bind_int64(s, 3, place.part);
    int next = sqlite_columns_bind(q, s, 4, p);
    sqlite3_bind_int(s, next++, (int)v->game->side(v, p) + 1);
    sqlite3_bind_int(s, next, byte - HOLOS_BYTE_ZERO);
    bool done = sqlite3_step(s) == SQLITE_DONE;
    sqlite3_reset(s);
    return done;
}

static holos_status blocks_insert(sqlite_store *q, uint64_t base, const uint8_t *bytes, uint64_t size,
                                  holos_error *err)
{
    holos_status status = sqlite_insert_prepare(q, "blocks", 3, &q->block_insert, err);
    for (uint64_t at = 0; status == HOLOS_OK && at < size; at += SQLITE_RANKS) {
        uint64_t rows = size - at < SQLITE_RANKS ? size - at : SQLITE_RANKS;
        sqlite3_bind_int64(q->block_insert, 1, (int64_t)(base + at));
        sqlite3_bind_int64(q->block_insert, 2, (int64_t)rows);
        sqlite_digest_bind(q->block_insert, 3, hash_bytes(bytes + at, rows));
        if (sqlite3_step(q->block_insert) != SQLITE_DONE)
            status = sqlite_failed(q, "a block", err);
        sqlite3_reset(q->block_insert);
    }
    return status;
}

/* What is there of a part, which may be damaged, makes room. */
static holos_status part_remove(sqlite_store *q, uint32_t tier, uint32_t part, uint64_t size,
                                holos_error *err)
{
    char sql[256];
    unsigned long long first = q->parts[tier][part].rank, end = first + size;
    snprintf(sql, sizeof sql,
             "DELETE FROM indexed WHERE rank >= %llu AND rank < %llu;"
             "DELETE FROM blocks WHERE first >= %llu AND first < %llu;"
             "DELETE FROM parts WHERE tier = %u AND part = %u",
             first, end, first, end, tier, part);
    return sqlite_run(q, sql, err);
}

static holos_status part_insert(sqlite_store *q, uint32_t tier, uint32_t part, const uint8_t *bytes,
                                uint64_t size, holos_position *p, holos_error *err)
{
    holos_place place = {.tier = tier, .part = part};
    uint64_t base = q->parts[tier][part].rank;
    char sql[160], digest[33];
    holos_status status = part_remove(q, tier, part, size, err);
    for (; status == HOLOS_OK && place.index < size; place.index++)
        if (!indexed_insert(q, place, base + place.index, bytes[place.index], p))
            status = sqlite_failed(q, "a row", err);
    if (status == HOLOS_OK)
        status = blocks_insert(q, base, bytes, size, err);
    digest_format(hash_bytes(bytes, size), digest);
    snprintf(sql, sizeof sql, "INSERT INTO parts VALUES(%u, %u, %llu, '%s')", tier, part,
             (unsigned long long)size, digest);
    return status == HOLOS_OK ? sqlite_run(q, sql, err) : status;
}

holos_status sqlite_save(store *s, uint32_t tier, uint32_t part, const uint8_t *bytes, uint64_t size,
                         holos_error *err)
{
    sqlite_store *q = sqlite_of(s);
    holos_position *p = holos_position_new(q->base.v);
    if (p == NULL)
        return error_system(err, "the store");
    pthread_mutex_lock(&q->lock);
    holos_status status =
        sqlite_insert_prepare(q, "indexed", 5 + (q->columns > 0 ? q->columns : 1), &q->insert, err);
    if (status == HOLOS_OK)
        status = sqlite_run(q, "BEGIN", err);
    if (status == HOLOS_OK)
        status = part_insert(q, tier, part, bytes, size, p, err);
    if (status == HOLOS_OK)
        status = sqlite_run(q, "COMMIT", err);
    if (status != HOLOS_OK)
        sqlite_run(q, "ROLLBACK", NULL);
    pthread_mutex_unlock(&q->lock);
    holos_position_free(p);
    return status;
}

/* ---- Reading ----------------------------------------------------------------------------------- */

/* A value as a byte; false: no build has written it. */
static bool value_column(sqlite3_stmt *s, int column, uint8_t *out)
{
    int64_t value = sqlite3_column_int64(s, column);
    *out = (uint8_t)(HOLOS_BYTE_ZERO + value);
    return sqlite3_column_type(s, column) == SQLITE_INTEGER && value >= -127 && value <= 127;
}

/* The values of ranks from `base` on, in order; *read says how many there were before one was missing or wrong. */
static holos_status ranks_read(sqlite_store *q, uint64_t base, uint64_t size, uint8_t *bytes, uint64_t *read,
                               holos_error *err)
{
    sqlite3_stmt *all = NULL;
    holos_status status = sqlite_prepare(
        q, "SELECT rank, value FROM indexed WHERE rank >= ? AND rank < ? ORDER BY rank", &all, err);
    *read = 0;
    if (status == HOLOS_OK) {
        sqlite3_bind_int64(all, 1, (int64_t)base);
        sqlite3_bind_int64(all, 2, (int64_t)(base + size));
        while (*read < size && sqlite3_step(all) == SQLITE_ROW &&
               (uint64_t)sqlite3_column_int64(all, 0) == base + *read && value_column(all, 1, &bytes[*read]))
            ++*read;
    }
    sqlite3_finalize(all);
    return status;
}

static holos_status part_damaged(const sqlite_store *q, uint32_t tier, uint32_t part, uint64_t rank,
                                 holos_error *err)
{
    return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                     "%s: part %u of tier %u is damaged: rank %llu is missing or wrong", q->path, part, tier,
                     (unsigned long long)rank);
}

static holos_status values_damaged(const sqlite_store *q, uint32_t tier, uint32_t part, holos_error *err)
{
    return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                     "%s: part %u of tier %u is damaged: its values have changed since they were written",
                     q->path, part, tier);
}

/* Compares the block of a place, once. */
static holos_status block_check(sqlite_store *q, holos_place place, holos_error *err)
{
    const holos_variant *v = q->base.v;
    uint64_t size = v->game->index->size(v, place.tier, place.part), at = place.index / SQLITE_RANKS;
    const sqlite_part *part = &q->parts[place.tier][place.part];
    uint64_t first = part->rank + at * SQLITE_RANKS, left = size - at * SQLITE_RANKS;
    uint64_t rows = left < SQLITE_RANKS ? left : SQLITE_RANKS, read;
    uint8_t bytes[SQLITE_RANKS];
    if (q->good[part->block + at])
        return HOLOS_OK;
    holos_status status = ranks_read(q, first, rows, bytes, &read, err);
    if (status == HOLOS_OK && read != rows)
        status = part_damaged(q, place.tier, place.part, first + read, err);
    if (status != HOLOS_OK)
        return status;
    char sql[96];
    sqlite3_stmt *s = NULL;
    holos_key digest;
    snprintf(sql, sizeof sql, "SELECT digest FROM blocks WHERE first = %llu", (unsigned long long)first);
    bool sound = sqlite3_prepare_v2(q->db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW &&
                 sqlite_digest_column(s, 0, &digest) && holos_key_equal(digest, hash_bytes(bytes, rows));
    sqlite3_finalize(s);
    q->good[part->block + at] = sound;
    return sound ? HOLOS_OK : values_damaged(q, place.tier, place.part, err);
}

/* Every column of a part's rows is what it should be. */
static holos_status part_check(sqlite_store *q, uint32_t tier, uint32_t part, holos_error *err)
{
    const holos_variant *v = q->base.v;
    holos_position *p = holos_position_new(v);
    holos_place place = {.tier = tier, .part = part};
    uint64_t size = v->game->index->size(v, tier, part), base = q->parts[tier][part].rank;
    sqlite3_stmt *s = NULL;
    bool same = true;
    holos_status status =
        p == NULL
            ? error_system(err, "verification")
            : sqlite_prepare(q, "SELECT * FROM indexed WHERE rank >= ? AND rank < ? ORDER BY rank", &s, err);
    if (status == HOLOS_OK) {
        sqlite3_bind_int64(s, 1, (int64_t)base);
        sqlite3_bind_int64(s, 2, (int64_t)(base + size));
    }
    for (; status == HOLOS_OK && same && sqlite3_step(s) == SQLITE_ROW; place.index += same) {
        int next = 3;
        v->game->index->unrank(v, place, p);
        same = (uint64_t)sqlite3_column_int64(s, 0) == base + place.index &&
               sqlite3_column_int64(s, 1) == tier && sqlite3_column_int64(s, 2) == part &&
               sqlite_columns_match(q, s, &next, p) &&
               sqlite3_column_int(s, next) == (int)v->game->side(v, p) + 1;
    }
    sqlite3_finalize(s);
    holos_position_free(p);
    if (status == HOLOS_OK && place.index != size)
        status = part_damaged(q, tier, part, base + place.index, err);
    for (place.index = 0; status == HOLOS_OK && place.index < size; place.index += SQLITE_RANKS)
        status = block_check(q, place, err);
    return status;
}

holos_status sqlite_load(store *s, uint32_t tier, uint32_t part, uint8_t *bytes, uint64_t size,
                         holos_error *err)
{
    sqlite_store *q = sqlite_of(s);
    uint64_t base = q->parts[tier][part].rank, read;
    holos_key digest;
    pthread_mutex_lock(&q->lock);
    holos_status status = ranks_read(q, base, size, bytes, &read, err);
    if (status == HOLOS_OK && read != size)
        status = part_damaged(q, tier, part, base + read, err);
    if (status == HOLOS_OK &&
        (!part_find(q, tier, part, &digest) || !holos_key_equal(digest, hash_bytes(bytes, size))))
        status = values_damaged(q, tier, part, err);
    if (status == HOLOS_OK && q->writing) /* whatever is wrong with it, it is made again */
        status = part_check(q, tier, part, err);
    pthread_mutex_unlock(&q->lock);
    return status;
}

holos_status sqlite_byte(store *s, holos_place place, uint8_t *out, holos_error *err)
{
    sqlite_store *q = sqlite_of(s);
    *out = HOLOS_BYTE_UNKNOWN;
    if (place.tier > q->manifest.facts.top || !q->manifest.facts.complete)
        return HOLOS_OK;
    uint64_t rank = q->parts[place.tier][place.part].rank + place.index;
    pthread_mutex_lock(&q->lock);
    holos_status status = block_check(q, place, err);
    if (status == HOLOS_OK && q->find == NULL)
        status = sqlite_prepare(q, "SELECT value FROM indexed WHERE rank = ?", &q->find, err);
    if (status == HOLOS_OK) {
        sqlite3_bind_int64(q->find, 1, (int64_t)rank);
        if (sqlite3_step(q->find) != SQLITE_ROW || !value_column(q->find, 0, out))
            status = part_damaged(q, place.tier, place.part, rank, err);
        sqlite3_reset(q->find);
    }
    pthread_mutex_unlock(&q->lock);
    return status;
}

/* ---- Verification ------------------------------------------------------------------------------ */

holos_status database_check(sqlite_store *q, const holos_stop *stop, holos_error *err)
{
    const holos_variant *v = q->base.v;
    const holos_index *index = v->game->index;
    holos_status status = HOLOS_OK;
    uint64_t rows = 0;
    for (uint32_t tier = 0; status == HOLOS_OK && tier <= q->manifest.facts.top; tier++) {
        for (uint32_t part = 0; status == HOLOS_OK && part < index->parts(v, tier); part++) {
            uint64_t size = index->size(v, tier, part);
            uint8_t *bytes = malloc(size + 1);
            status = bytes == NULL ? error_system(err, "verification")
                                   : sqlite_load(&q->base, tier, part, bytes, size, err);
            free(bytes);
            if (status == HOLOS_OK)
                status = part_check(q, tier, part, err);
            if (status == HOLOS_OK && holos_stop_asked(stop))
                status = error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
            rows += size;
        }
    }
    if (status == HOLOS_OK && sqlite_number(q, "SELECT count(*) FROM indexed") != rows)
        status = error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                           "%s: its table has rows that do not belong there", q->path);
    return status;
}
