/* SPDX-License-Identifier: MIT */

/* sqlite:FILE: tables that people can ask with SQL (tabular.h). Besides the tables of all such stores there is one that stands for an
 * index on depth, which would take 15 bytes a row: `depths` says for every few hundred rows which depths occur among them,
 * in half a byte a row, and the view `by_depth` reads only those. */

#include "core/file.h"
#include "store/tabular.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* In the header of the file: a store of ours, even if the rest cannot be read. */
#define APPLICATION    "0x486f6c6f"
#define APPLICATION_AT 68
/* Rows that one entry of `depths` tells of. */
#define ZONE 512u

extern const store_backend store_sqlite;

typedef struct sqlite_store {
    tabular base;
    const char *path;
    sqlite3 *db;
    sqlite3_stmt *insert, *find, *block_insert, *depth_insert; /* made when first needed */
} sqlite_store;

static sqlite_store *sqlite_of(tabular *t)
{
    return (sqlite_store *)t;
}

/* ---- Asking SQLite ----------------------------------------------------------------------------- */

/* What SQLite says went wrong. HOLOS_BAD_FILE: the file is damaged. */
static holos_status sqlite_failed(sqlite_store *q, const char *what, holos_error *err)
{
    int code = sqlite3_errcode(q->db);
    bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
    return error_set(err, damaged ? HOLOS_BAD_FILE : HOLOS_IO, HOLOS_NOWHERE, "%s: %s: %s", q->path, what,
                     sqlite3_errmsg(q->db));
}

static holos_status sqlite_run(sqlite_store *q, const char *sql, holos_error *err)
{
    return sqlite3_exec(q->db, sql, NULL, NULL, NULL) == SQLITE_OK ? HOLOS_OK : sqlite_failed(q, sql, err);
}

static holos_status sqlite_prepare(sqlite_store *q, const char *sql, sqlite3_stmt **out, holos_error *err)
{
    return sqlite3_prepare_v2(q->db, sql, -1, out, NULL) == SQLITE_OK ? HOLOS_OK : sqlite_failed(q, sql, err);
}

/* The one number that a question has for an answer; 0 if there is none. */
static uint64_t sqlite_number(sqlite_store *q, const char *sql)
{
    sqlite3_stmt *s = NULL;
    uint64_t number = 0;
    if (sqlite3_prepare_v2(q->db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
        number = (uint64_t)sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return number;
}

/* INSERT INTO table VALUES(?,…), once. */
static holos_status insert_prepare(sqlite_store *q, const char *table, uint32_t columns, sqlite3_stmt **out,
                                   holos_error *err)
{
    text sql;
    if (*out != NULL)
        return HOLOS_OK;
    text_init(&sql);
    text_printf(&sql, "INSERT INTO %s VALUES(?", table);
    for (uint32_t i = 1; i < columns; i++)
        text_string(&sql, ",?");
    text_string(&sql, ")");
    holos_status status =
        sql.failed ? error_system(err, "the tables") : sqlite_prepare(q, sql.data, out, err);
    text_free(&sql);
    return status;
}

static holos_status insert_run(sqlite_store *q, sqlite3_stmt *s, const char *what, holos_error *err)
{
    holos_status status = sqlite3_step(s) == SQLITE_DONE ? HOLOS_OK : sqlite_failed(q, what, err);
    sqlite3_reset(s);
    return status;
}

/* Ends a transaction, one way or the other. */
static holos_status transaction_end(sqlite_store *q, holos_status status, holos_error *err)
{
    if (status == HOLOS_OK)
        status = sqlite_run(q, "COMMIT", err);
    if (status != HOLOS_OK)
        sqlite_run(q, "ROLLBACK", NULL);
    return status;
}

/* Binds the columns of a position and its side from parameter `first` on; returns the next parameter. */
static int fields_bind(const tabular *t, sqlite3_stmt *s, int first, const tabular_fields *fields)
{
    if (t->columns == 0)
        sqlite3_bind_text(s, first++, fields->position, -1, SQLITE_TRANSIENT);
    for (uint32_t i = 0; i < t->columns; i++)
        sqlite3_bind_int64(s, first++, fields->columns[i]);
    sqlite3_bind_int(s, first++, fields->side);
    return first;
}

/* Whether the columns of a row, from column `first` on, are those. */
static bool fields_match(const tabular *t, sqlite3_stmt *s, int first, const tabular_fields *fields)
{
    bool same = true;
    if (t->columns == 0) {
        const char *found = (const char *)sqlite3_column_text(s, first++);
        same = found != NULL && strcmp(found, fields->position) == 0;
    }
    for (uint32_t i = 0; i < t->columns; i++, first++)
        same = same && sqlite3_column_type(s, first) == SQLITE_INTEGER &&
               sqlite3_column_int64(s, first) == fields->columns[i];
    return same && sqlite3_column_int64(s, first) == fields->side;
}

static void digest_bind(sqlite3_stmt *s, int parameter, holos_key digest)
{
    char words[33];
    digest_format(digest, words);
    sqlite3_bind_text(s, parameter, words, 32, SQLITE_TRANSIENT);
}

static bool digest_column(sqlite3_stmt *s, int column, holos_key *out)
{
    return digest_parse((const char *)sqlite3_column_text(s, column), out);
}

static void key_bind(const tabular *t, sqlite3_stmt *s, int parameter, holos_key key)
{
    unsigned char bytes[16];
    tabular_key_bytes(key, bytes);
    if (t->key_is_integer)
        sqlite3_bind_int64(s, parameter, (int64_t)key.lo);
    else
        sqlite3_bind_blob(s, parameter, bytes, sizeof bytes, SQLITE_TRANSIENT);
}

/* The key in the first column. */
static holos_key key_column(const tabular *t, sqlite3_stmt *s)
{
    if (t->key_is_integer)
        return (holos_key){.lo = (uint64_t)sqlite3_column_int64(s, 0)};
    return sqlite3_column_bytes(s, 0) == 16 ? tabular_key_read(sqlite3_column_blob(s, 0)) : (holos_key){0};
}

/* ---- Opening and closing ----------------------------------------------------------------------- */

static void sqlite_close(tabular *t)
{
    sqlite_store *q = sqlite_of(t);
    sqlite3_finalize(q->insert);
    sqlite3_finalize(q->find);
    sqlite3_finalize(q->block_insert);
    sqlite3_finalize(q->depth_insert);
    sqlite3_close(q->db);
}

static holos_status connect(sqlite_store *q, int flags, holos_error *err)
{
    sqlite3_close(q->db);
    q->db = NULL;
    if (sqlite3_open_v2(q->path, &q->db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return q->db != NULL ? sqlite_failed(q, "cannot open", err) : error_system(err, "SQLite");
    sqlite3_busy_timeout(q->db, 5000);
    return HOLOS_OK;
}

/* Without a right to write, unless a killed process left a transaction that must be taken back first. */
static holos_status open_to_read(sqlite_store *q, holos_error *err)
{
    holos_status status = connect(q, SQLITE_OPEN_READONLY, err);
    if (status == HOLOS_OK &&
        sqlite3_exec(q->db, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL) == SQLITE_READONLY)
        status = connect(q, SQLITE_OPEN_READWRITE, err);
    return status;
}

/* Whether SQLite finds its pages in order. */
static bool sqlite_is_whole(tabular *t)
{
    sqlite_store *q = sqlite_of(t);
    sqlite3_stmt *s = NULL;
    bool whole = sqlite3_prepare_v2(q->db, "PRAGMA quick_check", -1, &s, NULL) == SQLITE_OK &&
                 sqlite3_step(s) == SQLITE_ROW && sqlite3_column_text(s, 0) != NULL &&
                 strcmp((const char *)sqlite3_column_text(s, 0), "ok") == 0;
    sqlite3_finalize(s);
    return whole;
}

/* Whether it is a file that was killed before it had any tables. */
static bool has_no_tables(sqlite_store *q)
{
    return sqlite_is_whole(&q->base) && sqlite_number(q, "SELECT count(*) FROM sqlite_master") == 0;
}

/* Whether the header of the file says that it is ours: through SQLite, which knows of a journal, or if the file is too damaged for
 * that by itself. */
static bool is_ours(sqlite_store *q)
{
    uint64_t ours = strtoull(APPLICATION, NULL, 16);
    unsigned char head[APPLICATION_AT + 4] = {0};
    if (sqlite_number(q, "PRAGMA application_id") == ours)
        return true;
    FILE *file = fopen(q->path, "rb");
    size_t got = file != NULL ? fread(head, 1, sizeof head, file) : 0;
    if (file != NULL)
        fclose(file);
    uint64_t found = 0;
    for (int i = 0; i < 4; i++)
        found = found << 8 | head[APPLICATION_AT + i];
    return got == sizeof head && found == ours;
}

static holos_status manifest_load(sqlite_store *q, text *out, holos_error *err)
{
    sqlite3_stmt *s = NULL;
    int code = sqlite3_prepare_v2(q->db, "SELECT manifest FROM store", -1, &s, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(s);
    holos_status status = HOLOS_OK;
    if (code == SQLITE_ROW && sqlite3_column_text(s, 0) != NULL)
        text_bytes(out, (const char *)sqlite3_column_text(s, 0), (size_t)sqlite3_column_bytes(s, 0));
    else if (code == SQLITE_ERROR || code == SQLITE_DONE || code == SQLITE_ROW)
        status = error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is not a holos store", q->path);
    else
        status = sqlite_failed(q, "cannot read", err);
    sqlite3_finalize(s);
    return status;
}

static holos_status sqlite_look(tabular *t, const char *location, tabular_place *place, text *words,
                                holos_error *err)
{
    sqlite_store *q = sqlite_of(t);
    struct stat st;
    t->name = strdup(location);
    q->path = t->name;
    *place = TABULAR_FREE;
    if (t->name == NULL)
        return error_system(err, "the store");
    if (!t->writing && access(q->path, R_OK) != 0)
        return error_system(err, "cannot read %s", q->path);
    if (stat(q->path, &st) != 0 || st.st_size == 0)
        return HOLOS_OK;
    if (!S_ISREG(st.st_mode))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s is not a file", q->path);
    holos_status status = open_to_read(q, err);
    if (status == HOLOS_OK)
        status = manifest_load(q, words, err);
    *place = TABULAR_OURS;
    if (status == HOLOS_OK)
        return HOLOS_OK;
    if (has_no_tables(q))
        *place = TABULAR_FREE;
    else
        *place = is_ours(q) ? TABULAR_DAMAGED : TABULAR_FOREIGN;
    /* That it cannot be read does not make it damaged. */
    return status == HOLOS_IO && *place == TABULAR_FOREIGN ? status : HOLOS_OK;
}

/* ---- Writing ----------------------------------------------------------------------------------- */

/* The file and what SQLite keeps beside it. */
static void file_remove(sqlite_store *q)
{
    static const char *const ends[] = {"-journal", "-wal", "-shm", ""};
    sqlite3_close(q->db);
    q->db = NULL;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        text path;
        text_init(&path);
        text_printf(&path, "%s%s", q->path, ends[i]);
        if (!path.failed)
            unlink(path.data);
        text_free(&path);
    }
}

static holos_status sqlite_begin(tabular *t, bool anew, holos_error *err)
{
    sqlite_store *q = sqlite_of(t);
    if (anew)
        file_remove(q);
    holos_status status = connect(q, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
    if (status != HOLOS_OK)
        return status;
    /* A killed process loses no more than its last transactions; the file stays whole. */
    return sqlite_run(
        q,
        "PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;"
        "PRAGMA wal_autocheckpoint = 20000; PRAGMA cache_size = -65536; PRAGMA locking_mode = EXCLUSIVE",
        err);
}

static void graph_tables_write(const tabular *t, text *out)
{
    const char *type = t->key_is_integer ? "INTEGER" : "BLOB";
    /* In a table by rowid, an integer key costs nothing besides itself, and rows that come in order fill their pages. */
    const char *end = t->key_is_integer ? "" : " WITHOUT ROWID";
    text_printf(out, "CREATE TABLE graph(key %s PRIMARY KEY", type);
    if (!t->columns_from_key) {
        tabular_columns_list(t, " INTEGER", " TEXT", out);
        text_string(out, ", side INTEGER");
    }
    text_printf(out, ", depth INTEGER, value INTEGER, best TEXT)%s;", end);
    text_printf(out, "CREATE TABLE blocks(first %s PRIMARY KEY, rows INTEGER, digest TEXT)%s;", type, end);
    text_printf(out,
                "CREATE TABLE depths(depth INTEGER, first %s, last %s, PRIMARY KEY(depth, first)) WITHOUT "
                "ROWID;",
                type, type);
    text_string(out, "CREATE VIEW positions AS SELECT ");
    tabular_view_columns(t, out);
    text_string(out, " FROM graph;");
    text_string(out,
                "CREATE VIEW by_depth AS SELECT positions.* FROM depths CROSS JOIN positions ON "
                "positions.key BETWEEN depths.first AND depths.last AND positions.depth = depths.depth;");
}

static void database_tables_write(const tabular *t, text *out)
{
    text_string(out, "CREATE TABLE parts(tier INTEGER, part INTEGER, positions INTEGER, digest TEXT, "
                     "PRIMARY KEY(tier, part));"
                     "CREATE TABLE blocks(first INTEGER PRIMARY KEY, rows INTEGER, digest TEXT);"
                     "CREATE TABLE indexed(rank INTEGER PRIMARY KEY, tier INTEGER, part INTEGER");
    tabular_columns_list(t, " INTEGER", " TEXT", out);
    text_string(out, ", side INTEGER, value INTEGER);");
}

static holos_status sqlite_manifest_save(tabular *t, const char *words, size_t size, holos_error *err)
{
    sqlite_store *q = sqlite_of(t);
    sqlite3_stmt *s = NULL;
    holos_status status = sqlite_prepare(q, "UPDATE store SET manifest = ?", &s, err);
    if (status == HOLOS_OK) {
        sqlite3_bind_text(s, 1, words, (int)size, SQLITE_STATIC);
        status = insert_run(q, s, "the manifest", err);
    }
    sqlite3_finalize(s);
    return status;
}

/* All of it, or nothing: one transaction. */
static holos_status sqlite_create(tabular *t, const char *words, size_t size, holos_error *err)
{
    sqlite_store *q = sqlite_of(t);
    text sql;
    text_init(&sql);
    text_string(&sql, "BEGIN; PRAGMA application_id = " APPLICATION ";"
                      "CREATE TABLE store(manifest TEXT NOT NULL);"
                      "INSERT INTO store VALUES('');");
    if (t->base.kind == STORE_GRAPH)
        graph_tables_write(t, &sql);
    else
        database_tables_write(t, &sql);
    holos_status status = sql.failed ? error_system(err, "the tables") : sqlite_run(q, sql.data, err);
    if (status == HOLOS_OK)
        status = sqlite_manifest_save(t, words, size, err);
    text_free(&sql);
    return transaction_end(q, status, err);
}

/* One file, as people expect it. */
static holos_status sqlite_finish(tabular *t, holos_error *err)
{
    return sqlite_run(sqlite_of(t), "PRAGMA journal_mode = DELETE", err);
}

static holos_status sqlite_check(tabular *t, holos_error *err)
{
    sqlite_store *q = sqlite_of(t);
    sqlite3_stmt *check = NULL;
    holos_status status = sqlite_prepare(q, "PRAGMA integrity_check", &check, err);
    if (status == HOLOS_OK && sqlite3_step(check) != SQLITE_ROW)
        status = sqlite_failed(q, "cannot be checked", err);
    if (status == HOLOS_OK && strcmp((const char *)sqlite3_column_text(check, 0), "ok") != 0)
        status = error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is damaged: %s", q->path,
                           (const char *)sqlite3_column_text(check, 0));
    sqlite3_finalize(check);
    return status;
}

static uint64_t sqlite_bytes(tabular *t)
{
    struct stat st;
    return stat(sqlite_of(t)->path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

/* ---- Blocks ------------------------------------------------------------------------------------ */

static holos_status tables_missing(const sqlite_store *q, holos_error *err)
{
    return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                     "%s has not all tables of a store: it is damaged, or of an older version; --restart "
                     "rebuilds it",
                     q->path);
}

static holos_status sqlite_blocks_read(tabular *t, holos_error *err)
{
    sqlite_store *q = sqlite_of(t);
    sqlite3_stmt *s = NULL, *rows = NULL;
    int code = sqlite3_prepare_v2(q->db, "SELECT key, depth, value, best FROM graph", -1, &rows, NULL);
    if (code == SQLITE_OK)
        code =
            sqlite3_prepare_v2(q->db, "SELECT first, rows, digest FROM blocks ORDER BY first", -1, &s, NULL);
    holos_status status = code == SQLITE_OK ? HOLOS_OK : tables_missing(q, err);
    while (status == HOLOS_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        int64_t count = sqlite3_column_int64(s, 1);
        tabular_block block = {.first = key_column(t, s),
                               .rows = count > 0 && count <= ROWS_BLOCK ? (uint32_t)count : 0};
        if (!digest_column(s, 2, &block.digest))
            block.rows = 0;
        status = tabular_block_add(t, block, err);
    }
    if (status == HOLOS_OK && code != SQLITE_DONE)
        status = sqlite_failed(q, "cannot read", err);
    sqlite3_finalize(s);
    sqlite3_finalize(rows);
    return status;
}

static holos_status block_insert(sqlite_store *q, const tabular_block *block, holos_error *err)
{
    holos_status status = insert_prepare(q, "blocks", 3, &q->block_insert, err);
    if (status != HOLOS_OK)
        return status;
    if (q->base.base.kind == STORE_GRAPH)
        key_bind(&q->base, q->block_insert, 1, block->first);
    else
        sqlite3_bind_int64(q->block_insert, 1, (int64_t)block->first.lo);
    sqlite3_bind_int64(q->block_insert, 2, block->rows);
    digest_bind(q->block_insert, 3, block->digest);
    return insert_run(q, q->block_insert, "a block", err);
}

/* Which depths occur in a zone of rows. */
static holos_status depths_insert(sqlite_store *q, const holos_row *rows, uint32_t count, holos_error *err)
{
    uint32_t seen[ZONE], seen_count = 0;
    holos_status status = insert_prepare(q, "depths", 3, &q->depth_insert, err);
    for (uint32_t i = 0; status == HOLOS_OK && i < count; i++) {
        uint32_t k = 0;
        while (k < seen_count && seen[k] != rows[i].depth)
            k++;
        if (k < seen_count)
            continue;
        seen[seen_count++] = rows[i].depth;
        sqlite3_bind_int64(q->depth_insert, 1, rows[i].depth);
        key_bind(&q->base, q->depth_insert, 2, rows[0].identity);
        key_bind(&q->base, q->depth_insert, 3, rows[count - 1].identity);
        status = insert_run(q, q->depth_insert, "a depth", err);
    }
    return status;
}

/* ---- Graphs ------------------------------------------------------------------------------------ */

static holos_status row_insert(sqlite_store *q, const holos_row *row, holos_error *err)
{
    tabular *t = &q->base;
    sqlite3_stmt *s = q->insert;
    tabular_fields fields;
    int next = 2;
    tabular_row_fields(t, row, &fields);
    key_bind(t, s, 1, row->identity);
    if (!t->columns_from_key)
        next = fields_bind(t, s, next, &fields);
    sqlite3_bind_int64(s, next++, row->depth);
    if (row->has_value)
        sqlite3_bind_int(s, next++, row->value);
    else
        sqlite3_bind_null(s, next++);
    if (row->has_best)
        sqlite3_bind_text(s, next, fields.best, -1, SQLITE_STATIC);
    else
        sqlite3_bind_null(s, next);
    return insert_run(q, s, "a row", err);
}

static holos_status sqlite_rows_put(tabular *t, const holos_row *rows, const tabular_block *blocks,
                                    size_t count, holos_error *err)
{
    sqlite_store *q = sqlite_of(t);
    uint32_t columns = t->columns_from_key ? 0 : tabular_column_count(t) + 1;
    holos_status status = insert_prepare(q, "graph", columns + 4, &q->insert, err);
    if (status == HOLOS_OK)
        status = sqlite_run(q, "BEGIN", err);
    if (status != HOLOS_OK)
        return status;
    for (size_t b = 0; status == HOLOS_OK && b < count; rows += blocks[b++].rows) {
        uint32_t of_block = blocks[b].rows;
        for (uint32_t i = 0; status == HOLOS_OK && i < of_block; i++)
            status = row_insert(q, &rows[i], err);
        for (uint32_t i = 0; status == HOLOS_OK && i < of_block; i += ZONE)
            status = depths_insert(q, rows + i, of_block - i < ZONE ? of_block - i : ZONE, err);
        if (status == HOLOS_OK)
            status = block_insert(q, &blocks[b], err);
    }
    return transaction_end(q, status, err);
}

/* Columns: key, depth, value, best. */
static void row_read(tabular *t, sqlite3_stmt *s, holos_row *out)
{
    int64_t value = sqlite3_column_int64(s, 2);
    tabular_row_make(t, key_column(t, s), sqlite3_column_int64(s, 1),
                     sqlite3_column_type(s, 2) == SQLITE_INTEGER ? &value : NULL,
                     (const char *)sqlite3_column_text(s, 3), out);
}

static bool row_matches(tabular *t, sqlite3_stmt *s, const holos_row *row)
{
    tabular_fields fields;
    tabular_row_fields(t, row, &fields);
    return fields_match(t, s, 4, &fields);
}

static holos_status rows_select(sqlite_store *q, holos_key first, const holos_key *end, bool columns,
                                uint32_t room, sqlite3_stmt **out, holos_error *err)
{
    const tabular *t = &q->base;
    bool from_first = first.hi == 0 && first.lo == 0; /* of the table: whatever is there */
    text sql;
    text_init(&sql);
    text_string(&sql, "SELECT key, depth, value, best");
    if (columns) {
        tabular_columns_list(t, "", "", &sql);
        text_string(&sql, ", side");
    }
    text_printf(&sql, " FROM graph WHERE %s%s ORDER BY key LIMIT %u", from_first ? "1" : "key >= ?1",
                end != NULL ? " AND key < ?2" : "", room);
    holos_status status = sql.failed ? error_system(err, "the store") : sqlite_prepare(q, sql.data, out, err);
    text_free(&sql);
    if (status == HOLOS_OK && !from_first)
        key_bind(t, *out, 1, first);
    if (status == HOLOS_OK && end != NULL)
        key_bind(t, *out, 2, *end);
    return status;
}

static holos_status sqlite_rows_read(tabular *t, holos_key first, const holos_key *end, bool whole,
                                     holos_row *out, uint32_t room, uint32_t *count, bool *sound,
                                     holos_error *err)
{
    sqlite_store *q = sqlite_of(t);
    sqlite3_stmt *s = NULL;
    bool columns = whole && !t->columns_from_key;
    holos_status status = rows_select(q, first, end, columns, room, &s, err);
    int code = SQLITE_DONE;
    *sound = true;
    *count = 0;
    while (status == HOLOS_OK && *count < room && (code = sqlite3_step(s)) == SQLITE_ROW) {
        row_read(t, s, &out[*count]);
        *sound = *sound && (!columns || row_matches(t, s, &out[*count]));
        ++*count;
    }
    if (status == HOLOS_OK && code != SQLITE_ROW && code != SQLITE_DONE)
        status = sqlite_failed(q, "cannot read", err);
    sqlite3_finalize(s);
    return status;
}

static holos_status sqlite_rows_find(tabular *t, const holos_key *keys, size_t count, holos_row *out,
                                     bool *found, holos_error *err)
{
    sqlite_store *q = sqlite_of(t);
    holos_status status = HOLOS_OK;
    if (q->find == NULL)
        status = sqlite_prepare(q, "SELECT key, depth, value, best FROM graph WHERE key = ?", &q->find, err);
    for (size_t i = 0; status == HOLOS_OK && i < count; i++) {
        key_bind(t, q->find, 1, keys[i]);
        int step = sqlite3_step(q->find);
        found[i] = step == SQLITE_ROW;
        if (found[i])
            row_read(t, q->find, &out[i]);
        else if (step != SQLITE_DONE)
            status = sqlite_failed(q, "cannot look up", err);
        sqlite3_reset(q->find);
    }
    return status;
}

static holos_status sqlite_rows_cut(tabular *t, const holos_key *last, holos_error *err)
{
    static const char *const sql[3][2] = {
        {"DELETE FROM graph", "DELETE FROM graph WHERE key > ?"},
        {"DELETE FROM blocks", "DELETE FROM blocks WHERE first > ?"},
        {"DELETE FROM depths", "DELETE FROM depths WHERE first > ?"},
    };
    sqlite_store *q = sqlite_of(t);
    holos_status status = sqlite_run(q, "BEGIN", err);
    if (status != HOLOS_OK)
        return status;
    for (int i = 0; status == HOLOS_OK && i < 3; i++) {
        sqlite3_stmt *s = NULL;
        status = sqlite_prepare(q, sql[i][last != NULL], &s, err);
        if (status == HOLOS_OK && last != NULL)
            key_bind(t, s, 1, *last);
        if (status == HOLOS_OK)
            status = insert_run(q, s, "cannot remove the damaged rows", err);
        sqlite3_finalize(s);
    }
    return transaction_end(q, status, err);
}

/* ---- Databases --------------------------------------------------------------------------------- */

/* The digest that a question has for an answer. */
static holos_status digest_ask(sqlite_store *q, const char *sql, bool *found, holos_key *digest,
                               holos_error *err)
{
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(q->db, sql, -1, &s, NULL) != SQLITE_OK)
        return tables_missing(q, err);
    *found = sqlite3_step(s) == SQLITE_ROW && digest_column(s, 0, digest);
    sqlite3_finalize(s);
    return HOLOS_OK;
}

static holos_status sqlite_part_find(tabular *t, uint32_t tier, uint32_t part, bool *found, holos_key *digest,
                                     holos_error *err)
{
    char sql[96];
    snprintf(sql, sizeof sql, "SELECT digest FROM parts WHERE tier = %u AND part = %u", tier, part);
    return digest_ask(sqlite_of(t), sql, found, digest, err);
}

static holos_status sqlite_part_block(tabular *t, holos_place first, uint64_t rank, bool *found,
                                      holos_key *digest, holos_error *err)
{
    char sql[96];
    (void)first;
    snprintf(sql, sizeof sql, "SELECT digest FROM blocks WHERE first = %llu", (unsigned long long)rank);
    return digest_ask(sqlite_of(t), sql, found, digest, err);
}

static holos_status indexed_insert(sqlite_store *q, holos_place place, uint64_t rank, uint8_t byte,
                                   holos_error *err)
{
    tabular *t = &q->base;
    tabular_fields fields;
    sqlite3_stmt *s = q->insert;
    t->base.v->game->index->unrank(t->base.v, place, t->scratch);
    tabular_position_fields(t, t->scratch, &fields);
    sqlite3_bind_int64(s, 1, (int64_t)rank);
    sqlite3_bind_int64(s, 2, place.tier);
    sqlite3_bind_int64(s, 3, place.part);
    int next = fields_bind(t, s, 4, &fields);
    sqlite3_bind_int(s, next, byte - HOLOS_BYTE_ZERO);
    return insert_run(q, s, "a row", err);
}

/* What is there of a part, which may be damaged, makes room. */
static holos_status part_remove(sqlite_store *q, const tabular_part *p, holos_error *err)
{
    char sql[256];
    unsigned long long first = p->rank, end = first + p->size;
    snprintf(sql, sizeof sql,
             "DELETE FROM indexed WHERE rank >= %llu AND rank < %llu;"
             "DELETE FROM blocks WHERE first >= %llu AND first < %llu;"
             "DELETE FROM parts WHERE tier = %u AND part = %u",
             first, end, first, end, p->tier, p->part);
    return sqlite_run(q, sql, err);
}

static holos_status sqlite_part_put(tabular *t, const tabular_part *p, holos_error *err)
{
    sqlite_store *q = sqlite_of(t);
    char sql[160], digest[33];
    holos_status status = insert_prepare(q, "indexed", 5 + tabular_column_count(t), &q->insert, err);
    if (status == HOLOS_OK)
        status = sqlite_run(q, "BEGIN", err);
    if (status != HOLOS_OK)
        return status;
    status = part_remove(q, p, err);
    holos_place place = {.tier = p->tier, .part = p->part};
    for (; status == HOLOS_OK && place.index < p->size; place.index++)
        status = indexed_insert(q, place, p->rank + place.index, p->bytes[place.index], err);
    for (size_t i = 0; status == HOLOS_OK && i < p->block_count; i++)
        status = block_insert(q, &p->blocks[i], err);
    digest_format(p->digest, digest);
    snprintf(sql, sizeof sql, "INSERT INTO parts VALUES(%u, %u, %llu, '%s')", p->tier, p->part,
             (unsigned long long)p->size, digest);
    if (status == HOLOS_OK)
        status = sqlite_run(q, sql, err);
    return transaction_end(q, status, err);
}

/* A value as a byte; false: no build has written it. */
static bool value_column(sqlite3_stmt *s, int column, uint8_t *out)
{
    int64_t value = sqlite3_column_int64(s, column);
    *out = (uint8_t)(HOLOS_BYTE_ZERO + value);
    return sqlite3_column_type(s, column) == SQLITE_INTEGER && value >= -127 && value <= 127;
}

static holos_status sqlite_values_read(tabular *t, holos_place first, uint64_t rank, uint64_t size,
                                       uint8_t *bytes, uint64_t *read, holos_error *err)
{
    sqlite_store *q = sqlite_of(t);
    (void)first;
    *read = 0;
    holos_status status = HOLOS_OK;
    if (q->find == NULL)
        status = sqlite_prepare(
            q, "SELECT rank, value FROM indexed WHERE rank >= ? AND rank < ? ORDER BY rank", &q->find, err);
    if (status != HOLOS_OK)
        return status;
    sqlite3_bind_int64(q->find, 1, (int64_t)rank);
    sqlite3_bind_int64(q->find, 2, (int64_t)(rank + size));
    while (*read < size && sqlite3_step(q->find) == SQLITE_ROW &&
           (uint64_t)sqlite3_column_int64(q->find, 0) == rank + *read &&
           value_column(q->find, 1, &bytes[*read]))
        ++*read;
    sqlite3_reset(q->find);
    return HOLOS_OK;
}

static holos_status sqlite_part_check(tabular *t, uint32_t tier, uint32_t part, uint64_t rank, uint64_t size,
                                      uint64_t *good, holos_error *err)
{
    const holos_variant *v = t->base.v;
    sqlite_store *q = sqlite_of(t);
    holos_place place = {.tier = tier, .part = part};
    sqlite3_stmt *s = NULL;
    tabular_fields fields;
    bool same = true;
    holos_status status =
        sqlite_prepare(q, "SELECT * FROM indexed WHERE rank >= ? AND rank < ? ORDER BY rank", &s, err);
    if (status == HOLOS_OK) {
        sqlite3_bind_int64(s, 1, (int64_t)rank);
        sqlite3_bind_int64(s, 2, (int64_t)(rank + size));
    }
    for (; status == HOLOS_OK && same && sqlite3_step(s) == SQLITE_ROW; place.index += same) {
        v->game->index->unrank(v, place, t->scratch);
        tabular_position_fields(t, t->scratch, &fields);
        same = (uint64_t)sqlite3_column_int64(s, 0) == rank + place.index &&
               sqlite3_column_int64(s, 1) == tier && sqlite3_column_int64(s, 2) == part &&
               fields_match(t, s, 3, &fields);
    }
    sqlite3_finalize(s);
    *good = place.index;
    return status;
}

static holos_status sqlite_stray_remove(tabular *t, uint64_t positions, holos_error *err)
{
    char sql[128];
    snprintf(sql, sizeof sql, "DELETE FROM indexed WHERE rank < 0 OR rank >= %llu",
             (unsigned long long)positions);
    return sqlite_run(sqlite_of(t), sql, err);
}

static uint64_t sqlite_rows_count(tabular *t)
{
    return sqlite_number(sqlite_of(t), "SELECT count(*) FROM indexed");
}

static holos_status sqlite_parts_count(tabular *t, uint64_t *parts, uint64_t *positions, holos_error *err)
{
    (void)err;
    *parts = sqlite_number(sqlite_of(t), "SELECT count(*) FROM parts");
    *positions = sqlite_number(sqlite_of(t), "SELECT sum(positions) FROM parts");
    return HOLOS_OK;
}

/* ---- The backend ------------------------------------------------------------------------------- */

static const tabular_driver driver = {
    .size = sizeof(sqlite_store),
    .batch = 64,
    .look = sqlite_look,
    .close = sqlite_close,
    .is_whole = sqlite_is_whole,
    .begin = sqlite_begin,
    .create = sqlite_create,
    .manifest_save = sqlite_manifest_save,
    .finish = sqlite_finish,
    .check = sqlite_check,
    .bytes = sqlite_bytes,
    .blocks_read = sqlite_blocks_read,
    .rows_put = sqlite_rows_put,
    .rows_read = sqlite_rows_read,
    .rows_find = sqlite_rows_find,
    .rows_cut = sqlite_rows_cut,
    .part_find = sqlite_part_find,
    .part_put = sqlite_part_put,
    .part_block = sqlite_part_block,
    .values_read = sqlite_values_read,
    .part_check = sqlite_part_check,
    .stray_remove = sqlite_stray_remove,
    .rows_count = sqlite_rows_count,
    .parts_count = sqlite_parts_count,
};

static bool sqlite_recognise(const char *path)
{
    static const char magic[16] = "SQLite format 3";
    return file_begins(path, magic, sizeof magic);
}

static holos_status sqlite_open(const char *location, const store_options *o, store **out, holos_error *err)
{
    return tabular_open(&store_sqlite, &driver, location, o, out, err);
}

static bool sqlite_library(text *out)
{
    text_printf(out, "sqlite %s", sqlite3_libversion());
    return true;
}

const store_backend store_sqlite = {
    .scheme = "sqlite",
    .summary = "sqlite:FILE",
    .can = STORE_DATABASES | STORE_GRAPHS | STORE_ATOMIC | STORE_SQL,
    .library = sqlite_library,
    .recognise = sqlite_recognise,
    .open = sqlite_open,
    TABULAR_BACKEND,
};
