/* SPDX-License-Identifier: MIT */

/* Graphs in an SQLite store: rows in the order of their keys, with a digest for each ROWS_BLOCK of them. */

#include "core/hash.h"
#include "core/list.h"
#include "store/sqlite.h"

#include <stdlib.h>
#include <string.h>

/* Rows in one transaction: what an interrupted build loses at most. */
#define TRANSACTION (1u << 20)

/* ---- Tables ------------------------------------------------------------------------------------ */

/* A view of the graph with the game's columns and the side, where the table does not have them. */
static void view_write(const sqlite_store *q, text *out)
{
    const holos_columns *columns = q->base.v->game->columns;
    text_string(out, "CREATE VIEW positions AS SELECT ");
    if (!q->columns_from_key) {
        text_string(out, "* FROM graph;");
        return;
    }
    text_string(out, "key");
    for (uint32_t i = 0; i <= q->columns; i++) {
        text_string(out, ", ");
        columns->expression(q->base.v, i, out);
        text_string(out, " AS ");
        if (i < q->columns)
            columns->name(q->base.v, i, out);
        else
            text_string(out, "side");
    }
    text_string(out, ", depth, value, best FROM graph;");
}

void graph_tables_write(const sqlite_store *q, text *out)
{
    const char *type = q->key_is_integer ? "INTEGER" : "BLOB";
    /* In a table by rowid, an integer key costs nothing besides itself, and rows that come in order fill their pages. */
    const char *end = q->key_is_integer ? "" : " WITHOUT ROWID";
    text_printf(out, "CREATE TABLE graph(key %s PRIMARY KEY", type);
    if (!q->columns_from_key) {
        sqlite_columns_list(q, " INTEGER", out);
        text_string(out, ", side INTEGER");
    }
    text_printf(out, ", depth INTEGER, value INTEGER, best TEXT)%s;", end);
    text_printf(out, "CREATE TABLE blocks(first %s PRIMARY KEY, rows INTEGER, digest TEXT)%s;", type, end);
    view_write(q, out);
}

/* ---- Keys and rows ----------------------------------------------------------------------------- */

static void key_bytes(holos_key key, unsigned char out[16])
{
    for (int i = 0; i < 8; i++) {
        out[i] = (unsigned char)(key.hi >> (56 - 8 * i));
        out[8 + i] = (unsigned char)(key.lo >> (56 - 8 * i));
    }
}

static holos_key key_read(const unsigned char *bytes)
{
    holos_key key = {0};
    for (int i = 0; i < 8; i++) {
        key.hi = key.hi << 8 | bytes[i];
        key.lo = key.lo << 8 | bytes[8 + i];
    }
    return key;
}

static void key_bind(const sqlite_store *q, sqlite3_stmt *s, int parameter, holos_key key)
{
    unsigned char bytes[16];
    key_bytes(key, bytes);
    if (q->key_is_integer)
        sqlite3_bind_int64(s, parameter, (int64_t)key.lo);
    else
        sqlite3_bind_blob(s, parameter, bytes, sizeof bytes, SQLITE_TRANSIENT);
}

/* The key in the first column. */
static holos_key key_column(const sqlite_store *q, sqlite3_stmt *s)
{
    if (q->key_is_integer)
        return (holos_key){.lo = (uint64_t)sqlite3_column_int64(s, 0)};
    return sqlite3_column_bytes(s, 0) == 16 ? key_read(sqlite3_column_blob(s, 0)) : (holos_key){0};
}

/* Columns: key, depth, value, best. What no build has written is read as what no build has written, so that its digest is
 * another one. */
static void row_read(const sqlite_store *q, sqlite3_stmt *s, holos_position *p, holos_row *out)
{
    const holos_variant *v = q->base.v;
    int64_t depth = sqlite3_column_int64(s, 1), value = sqlite3_column_int64(s, 2);
    *out = (holos_row){.identity = key_column(q, s)};
    out->depth = depth >= 0 && depth < UINT32_MAX ? (uint32_t)depth : UINT32_MAX;
    out->has_value = sqlite3_column_type(s, 2) == SQLITE_INTEGER && value >= INT32_MIN && value <= INT32_MAX;
    out->value = out->has_value ? (int32_t)value : 0;
    const char *best = (const char *)sqlite3_column_text(s, 3);
    if (best != NULL) {
        v->game->from_identity(v, out->identity, p);
        out->has_best = holos_parse_move(v, p, best, &out->best, NULL) == HOLOS_OK;
    }
}

/* ---- Blocks ------------------------------------------------------------------------------------ */

static bool room_make(sqlite_store *q)
{
    if (q->open == NULL)
        q->open = malloc((ROWS_BLOCK + 1) * sizeof *q->open);
    if (q->room == NULL)
        q->room = malloc(ROWS_BLOCK_ROOM);
    return q->open != NULL && q->room != NULL;
}

static bool block_add(sqlite_store *q, sqlite_block block)
{
    if (!LIST_RESERVE(q->blocks, q->block_room, q->block_count + 1))
        return false;
    q->blocks[q->block_count++] = block;
    return true;
}

static holos_status blocks_read(sqlite_store *q, holos_error *err)
{
    sqlite3_stmt *s = NULL, *rows = NULL;
    if (!room_make(q))
        return error_system(err, "the store");
    int code = sqlite3_prepare_v2(q->db, "SELECT key, depth, value, best FROM graph", -1, &rows, NULL);
    if (code == SQLITE_OK)
        code =
            sqlite3_prepare_v2(q->db, "SELECT first, rows, digest FROM blocks ORDER BY first", -1, &s, NULL);
    holos_status status = HOLOS_OK;
    if (code != SQLITE_OK)
        status = error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                           "%s has no table \"graph\" or \"blocks\": it is damaged, or of an older version; "
                           "--restart rebuilds it",
                           q->path);
    while (status == HOLOS_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        int64_t count = sqlite3_column_int64(s, 1);
        sqlite_block block = {.first = key_column(q, s), .rows = (uint32_t)count};
        if (count < 1 || count > ROWS_BLOCK || !sqlite_digest_column(s, 2, &block.digest))
            status =
                error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s: its table of blocks is damaged", q->path);
        else if (!block_add(q, block))
            status = error_system(err, "the store");
    }
    if (status == HOLOS_OK && code != SQLITE_DONE)
        status = sqlite_failed(q, "cannot read", err);
    sqlite3_finalize(s);
    sqlite3_finalize(rows);
    return status;
}

static holos_key blocks_digest(const sqlite_store *q, uint64_t *rows)
{
    holos_key *digests = calloc(q->block_count + 1, sizeof *digests), digest = {0};
    *rows = 0;
    for (size_t i = 0; digests != NULL && i < q->block_count; i++) {
        digests[i] = q->blocks[i].digest;
        *rows += q->blocks[i].rows;
    }
    if (digests != NULL)
        digest = hash_bytes(digests, q->block_count * sizeof *digests);
    free(digests);
    return digest;
}

/* Whether the blocks are those that the manifest of a finished store names. */
static bool blocks_match(const sqlite_store *q)
{
    char digest[33];
    uint64_t rows;
    digest_format(blocks_digest(q, &rows), digest);
    return rows == q->manifest.facts.positions && strcmp(digest, q->manifest.facts.digest) == 0;
}

holos_status graph_blocks_load(sqlite_store *q, holos_error *err)
{
    holos_status status = blocks_read(q, err);
    if (status == HOLOS_OK && q->manifest.facts.complete && !blocks_match(q))
        status = error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s: its blocks do not match the manifest",
                           q->path);
    return status;
}

/* Asks for the rows of a block, with those before the first one and behind the last one; with all columns if `whole`. */
static holos_status block_select(sqlite_store *q, size_t block, bool whole, sqlite3_stmt **out,
                                 holos_error *err)
{
    text sql;
    text_init(&sql);
    text_string(&sql, "SELECT key, depth, value, best");
    if (whole && !q->columns_from_key) {
        sqlite_columns_list(q, "", &sql);
        text_string(&sql, ", side");
    }
    text_printf(&sql, " FROM graph WHERE %s%s ORDER BY key LIMIT %u", block > 0 ? "key >= ?1" : "1",
                block + 1 < q->block_count ? " AND key < ?2" : "", ROWS_BLOCK + 1);
    holos_status status = sql.failed ? error_system(err, "the store") : sqlite_prepare(q, sql.data, out, err);
    text_free(&sql);
    if (status == HOLOS_OK && block > 0)
        key_bind(q, *out, 1, q->blocks[block].first);
    if (status == HOLOS_OK && block + 1 < q->block_count)
        key_bind(q, *out, 2, q->blocks[block + 1].first);
    return status;
}

static bool columns_match(const sqlite_store *q, sqlite3_stmt *s, holos_key identity, holos_position *p)
{
    const holos_variant *v = q->base.v;
    int next = 4;
    if (q->columns_from_key)
        return true;
    v->game->from_identity(v, identity, p);
    return sqlite_columns_match(q, s, &next, p) &&
           sqlite3_column_int(s, next) == (int)v->game->side(v, p) + 1;
}

/* Reads the rows of a block into q->open. *sound: they are those that were written. At the end of an unfinished graph there
 * may be rows that have no block yet: `at_end` leaves them out. */
static holos_status block_read(sqlite_store *q, size_t block, bool whole, bool at_end, bool *sound,
                               holos_error *err)
{
    sqlite3_stmt *s = NULL;
    const sqlite_block *b = &q->blocks[block];
    holos_position *p = holos_position_new(q->base.v);
    uint32_t most = at_end ? b->rows : ROWS_BLOCK + 1;
    holos_status status = p == NULL ? error_system(err, "the store") : block_select(q, block, whole, &s, err);
    int code = SQLITE_DONE;
    *sound = true;
    q->open_count = 0;
    while (status == HOLOS_OK && q->open_count < most && (code = sqlite3_step(s)) == SQLITE_ROW) {
        row_read(q, s, p, &q->open[q->open_count]);
        *sound = *sound && (!whole || columns_match(q, s, q->open[q->open_count].identity, p));
        q->open_count++;
    }
    if (status == HOLOS_OK && code != SQLITE_ROW && code != SQLITE_DONE)
        status = sqlite_failed(q, "cannot read", err);
    sqlite3_finalize(s);
    holos_position_free(p);
    *sound = *sound && q->open_count == b->rows && holos_key_equal(q->open[0].identity, b->first) &&
             holos_key_equal(rows_block_digest(q->open, q->open_count, q->room), b->digest);
    return status;
}

static holos_status block_damaged(const sqlite_store *q, size_t block, holos_error *err)
{
    return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                     "%s: its graph is damaged: rows %llu to %llu have changed since they were written",
                     q->path, (unsigned long long)block * ROWS_BLOCK + 1,
                     (unsigned long long)block * ROWS_BLOCK + q->blocks[block].rows);
}

/* Compares a block, once. */
static holos_status block_check(sqlite_store *q, size_t block, holos_error *err)
{
    bool sound;
    if (q->blocks[block].good)
        return HOLOS_OK;
    holos_status status = block_read(q, block, false, false, &sound, err);
    if (status == HOLOS_OK && !sound)
        status = block_damaged(q, block, err);
    q->blocks[block].good = status == HOLOS_OK;
    return status;
}

/* The block that has a key, or would have it. */
static size_t block_of(const sqlite_store *q, holos_key key)
{
    size_t low = 0, high = q->block_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (holos_key_less(key, q->blocks[middle].first))
            high = middle;
        else
            low = middle;
    }
    return low;
}

holos_status graph_check(sqlite_store *q, const holos_stop *stop, holos_error *err)
{
    holos_status status = HOLOS_OK;
    for (size_t i = 0; status == HOLOS_OK && i < q->block_count; i++) {
        bool sound;
        status = block_read(q, i, true, false, &sound, err);
        if (status == HOLOS_OK && !sound)
            status = block_damaged(q, i, err);
        if (status == HOLOS_OK && holos_stop_asked(stop))
            status = error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
    }
    return status;
}

/* ---- Going on ---------------------------------------------------------------------------------- */

/* Removes what comes after the last row that is sound. */
static holos_status rest_remove(sqlite_store *q, holos_error *err)
{
    static const char *const sql[2][2] = {
        {"DELETE FROM graph", "DELETE FROM graph WHERE key > ?"},
        {"DELETE FROM blocks", "DELETE FROM blocks WHERE first > ?"},
    };
    holos_status status = HOLOS_OK;
    for (int i = 0; status == HOLOS_OK && i < 2; i++) {
        sqlite3_stmt *s = NULL;
        status = sqlite_prepare(q, sql[i][q->has_last], &s, err);
        if (status == HOLOS_OK && q->has_last)
            key_bind(q, s, 1, q->last);
        if (status == HOLOS_OK && sqlite3_step(s) != SQLITE_DONE)
            status = sqlite_failed(q, "cannot remove the damaged rows", err);
        sqlite3_finalize(s);
    }
    return status;
}

holos_status graph_go_on(sqlite_store *q, holos_error *err)
{
    size_t good = 0;
    bool sound = true;
    holos_status status = blocks_read(q, err);
    bool finished = status == HOLOS_OK && q->manifest.facts.complete && blocks_match(q);
    while (status == HOLOS_OK && good < q->block_count) {
        status = block_read(q, good, true, good + 1 == q->block_count, &sound, err);
        if (!sound || status != HOLOS_OK)
            break;
        q->has_last = true;
        q->last = q->open[q->open_count - 1].identity;
        good++;
    }
    q->open_count = 0;
    if (status != HOLOS_OK)
        return status;
    finished = finished && good == q->block_count;
    /* The last block of a finished graph is short; that of one that goes on must be full. */
    if (!finished && good > 0 && q->blocks[good - 1].rows < ROWS_BLOCK) {
        good--;
        q->has_last = good > 0;
        if (good > 0) {
            status = block_read(q, good - 1, false, false, &sound, err);
            q->last = q->open[q->open_count - 1].identity;
            q->open_count = 0;
        }
    }
    q->block_count = good;
    if (status == HOLOS_OK)
        status = sqlite_run(q, "BEGIN", err);
    if (status == HOLOS_OK)
        status = rest_remove(q, err);
    q->manifest.facts.complete = finished;
    if (status == HOLOS_OK)
        status = sqlite_manifest_save(q, err);
    return status == HOLOS_OK ? sqlite_run(q, "COMMIT", err) : status;
}

/* ---- Writing ----------------------------------------------------------------------------------- */

holos_status graph_commit(sqlite_store *q, holos_error *err)
{
    holos_status status = q->pending > 0 ? sqlite_run(q, "COMMIT", err) : HOLOS_OK;
    q->pending = 0;
    return status;
}

static bool row_insert(sqlite_store *q, const holos_row *row, holos_position *p)
{
    const holos_variant *v = q->base.v;
    sqlite3_stmt *s = q->insert;
    char best[32];
    int next = 2;
    key_bind(q, s, 1, row->identity);
    if (row->has_best || !q->columns_from_key)
        v->game->from_identity(v, row->identity, p);
    if (!q->columns_from_key) {
        next = sqlite_columns_bind(q, s, next, p);
        sqlite3_bind_int(s, next++, (int)v->game->side(v, p) + 1);
    }
    sqlite3_bind_int64(s, next++, row->depth);
    if (row->has_value)
        sqlite3_bind_int(s, next++, row->value);
    else
        sqlite3_bind_null(s, next++);
    if (row->has_best) {
        holos_format_move(v, p, row->best, best, sizeof best);
        sqlite3_bind_text(s, next, best, -1, SQLITE_STATIC);
    } else {
        sqlite3_bind_null(s, next);
    }
    bool done = sqlite3_step(s) == SQLITE_DONE;
    sqlite3_reset(s);
    return done;
}

/* The block that is open is full, or the last one. */
static holos_status block_close(sqlite_store *q, holos_error *err)
{
    if (q->open_count == 0)
        return HOLOS_OK;
    sqlite_block block = {.first = q->open[0].identity,
                          .rows = q->open_count,
                          .digest = rows_block_digest(q->open, q->open_count, q->room)};
    q->open_count = 0;
    holos_status status = sqlite_insert_prepare(q, "blocks", 3, &q->block_insert, err);
    if (status != HOLOS_OK)
        return status;
    key_bind(q, q->block_insert, 1, block.first);
    sqlite3_bind_int64(q->block_insert, 2, block.rows);
    sqlite_digest_bind(q->block_insert, 3, block.digest);
    if (sqlite3_step(q->block_insert) != SQLITE_DONE)
        status = sqlite_failed(q, "a block", err);
    sqlite3_reset(q->block_insert);
    if (status == HOLOS_OK && !block_add(q, block))
        status = error_system(err, "the store");
    return status;
}

static holos_status row_put(sqlite_store *q, const holos_row *row, holos_position *p, holos_error *err)
{
    if (!row_insert(q, row, p))
        return sqlite_failed(q, "a row", err);
    q->pending++;
    q->open[q->open_count++] = *row;
    return q->open_count == ROWS_BLOCK ? block_close(q, err) : HOLOS_OK;
}

holos_status sqlite_put(store *s, const holos_row *rows, size_t count, holos_error *err)
{
    sqlite_store *q = sqlite_of(s);
    while (count > 0 && q->has_last && !holos_key_less(q->last, rows->identity))
        rows++, count--; /* what an interrupted build has left */
    if (count == 0)
        return HOLOS_OK;
    uint32_t columns = q->columns_from_key ? 0 : (q->columns > 0 ? q->columns : 1) + 1;
    holos_position *p = holos_position_new(q->base.v);
    holos_status status = p == NULL || !room_make(q)
                              ? error_system(err, "the store")
                              : sqlite_insert_prepare(q, "graph", columns + 4, &q->insert, err);
    if (status == HOLOS_OK && q->pending == 0)
        status = sqlite_run(q, "BEGIN", err);
    for (size_t i = 0; status == HOLOS_OK && i < count; i++)
        status = row_put(q, &rows[i], p, err);
    if (status == HOLOS_OK && q->pending >= TRANSACTION)
        status = graph_commit(q, err);
    holos_position_free(p);
    return status;
}

/* The last block, the manifest, and with them all rows that are pending. */
holos_status graph_finish(sqlite_store *q, holos_error *err)
{
    store_facts *facts = &q->manifest.facts;
    holos_status status = q->pending == 0 ? sqlite_run(q, "BEGIN", err) : HOLOS_OK;
    q->pending++;
    if (status == HOLOS_OK)
        status = block_close(q, err);
    if (status != HOLOS_OK)
        return status;
    digest_format(blocks_digest(q, &facts->positions), facts->digest);
    facts->complete = true;
    status = sqlite_manifest_save(q, err);
    return status == HOLOS_OK ? graph_commit(q, err) : status;
}

/* ---- Reading ----------------------------------------------------------------------------------- */

holos_status sqlite_find(store *s, holos_key identity, holos_row *out, bool *found, holos_error *err)
{
    sqlite_store *q = sqlite_of(s);
    holos_position *p = holos_position_new(q->base.v);
    holos_status status = p == NULL ? error_system(err, "the store") : HOLOS_OK;
    *found = false;
    pthread_mutex_lock(&q->lock);
    if (status == HOLOS_OK && q->block_count > 0)
        status = block_check(q, block_of(q, identity), err);
    if (status == HOLOS_OK && q->find == NULL)
        status = sqlite_prepare(q, "SELECT key, depth, value, best FROM graph WHERE key = ?", &q->find, err);
    if (status == HOLOS_OK) {
        key_bind(q, q->find, 1, identity);
        int step = sqlite3_step(q->find);
        *found = step == SQLITE_ROW;
        if (*found)
            row_read(q, q->find, p, out);
        else if (step != SQLITE_DONE)
            status = sqlite_failed(q, "cannot look up", err);
        sqlite3_reset(q->find);
    }
    pthread_mutex_unlock(&q->lock);
    holos_position_free(p);
    return status;
}

/* Block by block; a copy of each, since whoever is visited may look up others. */
holos_status sqlite_each(store *s, store_row_visit *visit, void *context, holos_error *err)
{
    sqlite_store *q = sqlite_of(s);
    holos_row *rows = malloc(ROWS_BLOCK * sizeof *rows);
    holos_status status = rows == NULL ? error_system(err, "the store") : HOLOS_OK;
    bool going = true;
    for (size_t i = 0; status == HOLOS_OK && going && i < q->block_count; i++) {
        bool sound;
        pthread_mutex_lock(&q->lock);
        status = block_read(q, i, false, false, &sound, err);
        uint32_t count = sound ? q->open_count : 0;
        memcpy(rows, q->open, count * sizeof *rows);
        pthread_mutex_unlock(&q->lock);
        if (status == HOLOS_OK && !sound)
            status = block_damaged(q, i, err);
        for (uint32_t k = 0; status == HOLOS_OK && going && k < count; k++)
            going = visit(context, &rows[k]);
    }
    free(rows);
    return status;
}
