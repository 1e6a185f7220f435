/* SPDX-License-Identifier: MIT */

/* sqlite:FILE: tables that people can ask with SQL.
 *
 *     store      one row: the manifest
 *     positions  a graph: key, the game's own columns (kalah: pits and stores), side, depth, value, best
 *     indexed    a database: rank over all parts, tier, part, the game's columns, side, value
 *     parts      a database: which parts are there
 *
 * `value` of a graph is the score, with what is banked; of a database what is still to come; both for the
 * side to move. Each batch is one transaction. */

#include "core/text.h"
#include "store/manifest.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COLUMNS_MOST 64

extern const store_backend store_sqlite;

typedef struct sqlite_store {
    store base;
    char *path;
    sqlite3 *db;
    sqlite3_stmt *insert, *find; /* made when first needed */
    manifest manifest;
    pthread_mutex_t lock;
    uint32_t columns; /* the game's own */
} sqlite_store;

static sqlite_store *sqlite_of(store *s)
{
    return (sqlite_store *)s;
}

static holos_status failed(sqlite_store *q, const char *what, holos_error *err)
{
    int code = sqlite3_errcode(q->db);
    bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
    return error_set(err, damaged ? HOLOS_BAD_FILE : HOLOS_IO, HOLOS_NOWHERE, "%s: %s: %s", q->path, what,
                     sqlite3_errmsg(q->db));
}

static holos_status run(sqlite_store *q, const char *sql, holos_error *err)
{
    return sqlite3_exec(q->db, sql, NULL, NULL, NULL) == SQLITE_OK ? HOLOS_OK : failed(q, sql, err);
}

static holos_status prepare(sqlite_store *q, const char *sql, sqlite3_stmt **out, holos_error *err)
{
    return sqlite3_prepare_v2(q->db, sql, -1, out, NULL) == SQLITE_OK ? HOLOS_OK : failed(q, sql, err);
}

/* ---- Columns ----------------------------------------------------------------------------------- */

/* ", first_1, first_2, …" with `after` behind each; a game without columns of its own has its text. */
static void columns_list(const sqlite_store *q, const char *after, text *out)
{
    const holos_columns *columns = q->base.v->game->columns;
    if (columns == NULL)
        text_printf(out, ", position%s", after[0] != 0 ? " TEXT" : "");
    for (uint32_t i = 0; columns != NULL && i < q->columns; i++) {
        text_string(out, ", ");
        columns->name(q->base.v, i, out);
        text_string(out, after);
    }
}

/* Binds the columns from parameter `first` on; returns the next parameter. */
static int columns_bind(const sqlite_store *q, sqlite3_stmt *s, int first, const holos_position *p)
{
    const holos_columns *columns = q->base.v->game->columns;
    int64_t values[COLUMNS_MOST];
    if (columns == NULL) {
        char position[2048];
        holos_format(q->base.v, p, position, sizeof position);
        sqlite3_bind_text(s, first, position, -1, SQLITE_TRANSIENT);
        return first + 1;
    }
    columns->values(q->base.v, p, values);
    for (uint32_t i = 0; i < q->columns; i++)
        sqlite3_bind_int64(s, first + (int)i, values[i]);
    return first + (int)q->columns;
}

static holos_status tables_create(sqlite_store *q, holos_error *err)
{
    text sql;
    text_init(&sql);
    text_string(&sql, "CREATE TABLE store(manifest TEXT NOT NULL);"
                      "INSERT INTO store VALUES('');");
    if (q->base.kind == STORE_GRAPH) {
        text_string(&sql, "CREATE TABLE positions(key BLOB PRIMARY KEY");
        columns_list(q, " INTEGER", &sql);
        text_string(&sql, ", side INTEGER, depth INTEGER, value INTEGER, best TEXT) WITHOUT ROWID;");
    } else {
        text_string(&sql, "CREATE TABLE parts(tier INTEGER, part INTEGER, positions INTEGER, "
                          "PRIMARY KEY(tier, part));"
                          "CREATE TABLE indexed(rank INTEGER PRIMARY KEY, tier INTEGER, part INTEGER");
        columns_list(q, " INTEGER", &sql);
        text_string(&sql, ", side INTEGER, value INTEGER);");
    }
    holos_status status = sql.failed ? error_system(err, "the tables") : run(q, sql.data, err);
    text_free(&sql);
    return status;
}

static holos_status insert_prepare(sqlite_store *q, holos_error *err)
{
    text sql;
    if (q->insert != NULL)
        return HOLOS_OK;
    uint32_t columns = q->columns > 0 ? q->columns : 1;
    text_init(&sql);
    text_printf(&sql, "INSERT INTO %s VALUES(?", q->base.kind == STORE_GRAPH ? "positions" : "indexed");
    for (uint32_t i = 0; i < columns + 4; i++)
        text_string(&sql, ",?");
    text_string(&sql, ")");
    holos_status status =
        sql.failed ? error_system(err, "the tables") : prepare(q, sql.data, &q->insert, err);
    text_free(&sql);
    return status;
}

/* ---- Opening and closing ----------------------------------------------------------------------- */

static void sqlite_close(store *s)
{
    sqlite_store *q = sqlite_of(s);
    sqlite3_finalize(q->insert);
    sqlite3_finalize(q->find);
    sqlite3_close(q->db);
    manifest_free(&q->manifest);
    holos_close(q->base.v);
    pthread_mutex_destroy(&q->lock);
    free(q->path);
    free(q);
}

static holos_status manifest_save(sqlite_store *q, holos_error *err)
{
    text json;
    sqlite3_stmt *s = NULL;
    text_init(&json);
    manifest_write(&q->manifest, q->base.v, &json);
    holos_status status = prepare(q, "UPDATE store SET manifest = ?", &s, err);
    if (status == HOLOS_OK) {
        sqlite3_bind_text(s, 1, json.data, (int)json.length, SQLITE_STATIC);
        if (sqlite3_step(s) != SQLITE_DONE)
            status = failed(q, "the manifest", err);
    }
    sqlite3_finalize(s);
    text_free(&json);
    return status;
}

static holos_status manifest_load(sqlite_store *q, holos_error *err)
{
    sqlite3_stmt *s = NULL;
    holos_status status = prepare(q, "SELECT manifest FROM store", &s, err);
    if (status == HOLOS_OK && sqlite3_step(s) == SQLITE_ROW && sqlite3_column_text(s, 0) != NULL)
        status = manifest_read(&q->manifest, (const char *)sqlite3_column_text(s, 0),
                               (size_t)sqlite3_column_bytes(s, 0), q->path, err);
    else if (status == HOLOS_OK)
        status = error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is not a store", q->path);
    else
        status = error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is not a store of holos", q->path);
    sqlite3_finalize(s);
    return status;
}

static holos_status variant_open(sqlite_store *q, const char *name, holos_error *err)
{
    holos_status status = holos_open(name, &q->base.v, err);
    if (status != HOLOS_OK)
        return status;
    const holos_columns *columns = q->base.v->game->columns;
    q->columns = columns != NULL ? columns->count(q->base.v) : 0;
    return HOLOS_OK;
}

static holos_status database_open(sqlite_store *q, bool write, holos_error *err)
{
    int flags = write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    if (sqlite3_open_v2(q->path, &q->db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return q->db != NULL ? failed(q, "cannot open", err) : error_system(err, "SQLite");
    sqlite3_busy_timeout(q->db, 5000);
    if (!write)
        return HOLOS_OK;
    /* A killed process loses no more than its last transactions; the file stays whole. */
    return run(
        q,
        "PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;"
        "PRAGMA wal_autocheckpoint = 20000; PRAGMA cache_size = -65536; PRAGMA locking_mode = EXCLUSIVE",
        err);
}

/* Begins a new store; what is there already decides whether that is allowed. */
static holos_status sqlite_begin(sqlite_store *q, const store_options *o, holos_error *err)
{
    struct stat st;
    bool there = stat(q->path, &st) == 0 && st.st_size > 0;
    if (o->kind == STORE_BOOK)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "an SQLite store does not hold books; use file:DIR");
    holos_status status = variant_open(q, o->v->name, err);
    if (status == HOLOS_OK)
        status = database_open(q, true, err);
    if (status == HOLOS_OK && there)
        status = manifest_load(q, err);
    if (status != HOLOS_OK)
        return status;
    if (there && o->mode == STORE_CREATE)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s is there already; --restart replaces it",
                         q->path);
    bool goes_on = there && o->mode == STORE_RESUME && o->kind == STORE_DATABASE &&
                   q->manifest.facts.kind == o->kind && strcmp(q->manifest.facts.variant, o->v->name) == 0 &&
                   q->manifest.facts.top == o->top;
    if (goes_on) {
        q->base.kind = o->kind;
        return HOLOS_OK;
    }
    if (there)
        status = run(q,
                     "DROP TABLE IF EXISTS positions; DROP TABLE IF EXISTS indexed;"
                     "DROP TABLE IF EXISTS parts; DROP TABLE IF EXISTS store; VACUUM",
                     err);
    manifest_free(&q->manifest);
    q->base.kind = o->kind;
    q->manifest.facts = (store_facts){.kind = o->kind, .top = o->top};
    strcpy(q->manifest.facts.variant, q->base.v->name);
    store_family(q->base.v, q->manifest.facts.family);
    if (status == HOLOS_OK)
        status = tables_create(q, err);
    return status == HOLOS_OK ? manifest_save(q, err) : status;
}

static holos_status sqlite_read_begin(sqlite_store *q, const store_options *o, holos_error *err)
{
    if (access(q->path, R_OK) != 0)
        return error_system(err, "cannot read %s", q->path);
    holos_status status = database_open(q, false, err);
    if (status == HOLOS_OK)
        status = manifest_load(q, err);
    if (status == HOLOS_OK)
        status = variant_open(q, q->manifest.facts.variant, err);
    if (status != HOLOS_OK)
        return status;
    const store_facts *facts = &q->manifest.facts;
    q->base.kind = facts->kind;
    if (facts->kind == STORE_DATABASE &&
        (q->base.v->game->index == NULL || facts->top >= q->base.v->game->index->tiers(q->base.v)))
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s: its manifest does not fit its game",
                         q->path);
    return o->v != NULL ? store_fits(facts->family, facts->variant, o->v, err) : HOLOS_OK;
}

static holos_status sqlite_open(const char *location, const store_options *o, store **out, holos_error *err)
{
    sqlite_store *q = calloc(1, sizeof *q);
    char *path = strdup(location);
    if (q == NULL || path == NULL) {
        free(q);
        free(path);
        return error_system(err, "the store");
    }
    q->base.backend = &store_sqlite;
    q->path = path;
    pthread_mutex_init(&q->lock, NULL);
    holos_status status = o->mode == STORE_READ ? sqlite_read_begin(q, o, err) : sqlite_begin(q, o, err);
    if (status == HOLOS_OK && q->columns > COLUMNS_MOST)
        status = error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "%s has too many columns", q->base.v->name);
    if (status != HOLOS_OK) {
        sqlite_close(&q->base);
        return status;
    }
    *out = &q->base;
    return HOLOS_OK;
}

static uint64_t count_rows(sqlite_store *q, const char *sql)
{
    sqlite3_stmt *s = NULL;
    uint64_t count = 0;
    if (sqlite3_prepare_v2(q->db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
        count = (uint64_t)sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return count;
}

static void sqlite_facts(store *s, store_facts *out)
{
    sqlite_store *q = sqlite_of(s);
    struct stat st;
    pthread_mutex_lock(&q->lock);
    *out = q->manifest.facts;
    if (!out->complete)
        out->positions = count_rows(q, q->base.kind == STORE_GRAPH ? "SELECT count(*) FROM positions"
                                                                   : "SELECT sum(positions) FROM parts");
    if (q->base.kind == STORE_DATABASE) {
        out->parts = count_rows(q, "SELECT count(*) FROM parts");
        for (uint32_t tier = 0; tier <= out->top; tier++)
            out->parts_expected += q->base.v->game->index->parts(q->base.v, tier);
    }
    out->bytes = stat(q->path, &st) == 0 ? (uint64_t)st.st_size : 0;
    pthread_mutex_unlock(&q->lock);
}

static holos_status sqlite_finish(store *s, holos_error *err)
{
    sqlite_store *q = sqlite_of(s);
    q->manifest.facts.positions =
        count_rows(q, q->base.kind == STORE_GRAPH ? "SELECT count(*) FROM positions"
                                                  : "SELECT sum(positions) FROM parts");
    q->manifest.facts.complete = true;
    holos_status status = manifest_save(q, err);
    /* One file, as people expect it. */
    return status == HOLOS_OK ? run(q, "PRAGMA journal_mode = DELETE", err) : status;
}

static holos_status sqlite_check(store *s, const bool *stop, holos_error *err)
{
    sqlite_store *q = sqlite_of(s);
    (void)stop;
    sqlite3_stmt *check = NULL;
    holos_status status = prepare(q, "PRAGMA integrity_check", &check, err);
    if (status == HOLOS_OK && sqlite3_step(check) != SQLITE_ROW)
        status = failed(q, "cannot be checked", err);
    if (status == HOLOS_OK && strcmp((const char *)sqlite3_column_text(check, 0), "ok") != 0)
        status = error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is damaged: %s", q->path,
                           (const char *)sqlite3_column_text(check, 0));
    sqlite3_finalize(check);
    return status;
}

/* ---- Graphs ------------------------------------------------------------------------------------ */

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

static bool row_insert(sqlite_store *q, const holos_row *row, holos_position *p)
{
    const holos_variant *v = q->base.v;
    sqlite3_stmt *s = q->insert;
    unsigned char key[16];
    char best[32];
    key_bytes(row->identity, key);
    v->game->from_identity(v, row->identity, p);
    sqlite3_bind_blob(s, 1, key, 16, SQLITE_STATIC);
    int next = columns_bind(q, s, 2, p);
    sqlite3_bind_int(s, next++, (int)v->game->side(v, p) + 1);
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

static holos_status sqlite_put(store *s, const holos_row *rows, size_t count, holos_error *err)
{
    sqlite_store *q = sqlite_of(s);
    holos_position *p = holos_position_new(q->base.v);
    holos_status status = p == NULL ? error_system(err, "the store") : insert_prepare(q, err);
    if (status == HOLOS_OK)
        status = run(q, "BEGIN", err);
    for (size_t i = 0; status == HOLOS_OK && i < count; i++)
        if (!row_insert(q, &rows[i], p))
            status = failed(q, "a row", err);
    if (status == HOLOS_OK)
        status = run(q, "COMMIT", err);
    holos_position_free(p);
    return status;
}

/* Columns: key, depth, value, best. */
static void row_read(const sqlite_store *q, sqlite3_stmt *s, holos_position *p, holos_row *out)
{
    const holos_variant *v = q->base.v;
    *out = (holos_row){0};
    if (sqlite3_column_bytes(s, 0) == 16)
        out->identity = key_read(sqlite3_column_blob(s, 0));
    out->depth = (uint32_t)sqlite3_column_int64(s, 1);
    out->has_value = sqlite3_column_type(s, 2) == SQLITE_INTEGER;
    out->value = sqlite3_column_int(s, 2);
    const char *best = (const char *)sqlite3_column_text(s, 3);
    if (best != NULL) {
        v->game->from_identity(v, out->identity, p);
        out->has_best = holos_parse_move(v, p, best, &out->best, NULL) == HOLOS_OK;
    }
}

static holos_status sqlite_find(store *s, holos_key identity, holos_row *out, bool *found, holos_error *err)
{
    sqlite_store *q = sqlite_of(s);
    unsigned char key[16];
    holos_position *p = holos_position_new(q->base.v);
    holos_status status = p == NULL ? error_system(err, "the store") : HOLOS_OK;
    *found = false;
    key_bytes(identity, key);
    pthread_mutex_lock(&q->lock);
    if (status == HOLOS_OK && q->find == NULL)
        status = prepare(q, "SELECT key, depth, value, best FROM positions WHERE key = ?", &q->find, err);
    if (status == HOLOS_OK) {
        sqlite3_bind_blob(q->find, 1, key, 16, SQLITE_STATIC);
        int step = sqlite3_step(q->find);
        *found = step == SQLITE_ROW;
        if (*found)
            row_read(q, q->find, p, out);
        else if (step != SQLITE_DONE)
            status = failed(q, "cannot look up", err);
        sqlite3_reset(q->find);
    }
    pthread_mutex_unlock(&q->lock);
    holos_position_free(p);
    return status;
}

static holos_status sqlite_each(store *s, store_row_visit *visit, void *context, holos_error *err)
{
    sqlite_store *q = sqlite_of(s);
    sqlite3_stmt *all = NULL;
    holos_position *p = holos_position_new(q->base.v);
    holos_status status = p == NULL ? error_system(err, "the store") : HOLOS_OK;
    if (status == HOLOS_OK)
        status = prepare(q, "SELECT key, depth, value, best FROM positions ORDER BY key", &all, err);
    int step = SQLITE_DONE;
    while (status == HOLOS_OK && (step = sqlite3_step(all)) == SQLITE_ROW) {
        holos_row row;
        row_read(q, all, p, &row);
        if (!visit(context, &row))
            break;
    }
    if (status == HOLOS_OK && step != SQLITE_ROW && step != SQLITE_DONE)
        status = failed(q, "cannot read", err);
    sqlite3_finalize(all);
    holos_position_free(p);
    return status;
}

/* ---- Databases --------------------------------------------------------------------------------- */

/* The rank of a part's first position among all. */
static uint64_t rank_base(const sqlite_store *q, uint32_t tier, uint32_t part)
{
    const holos_variant *v = q->base.v;
    uint64_t base = 0;
    for (uint32_t t = 0; t <= tier; t++)
        for (uint32_t p = 0; p < (t == tier ? part : v->game->index->parts(v, t)); p++)
            base += v->game->index->size(v, t, p);
    return base;
}

static bool sqlite_has(store *s, uint32_t tier, uint32_t part)
{
    sqlite_store *q = sqlite_of(s);
    char sql[96];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM parts WHERE tier = %u AND part = %u", tier, part);
    pthread_mutex_lock(&q->lock);
    bool there = count_rows(q, sql) > 0;
    pthread_mutex_unlock(&q->lock);
    return there;
}

static bool indexed_insert(sqlite_store *q, holos_place place, uint64_t rank, uint8_t byte, holos_position *p)
{
    const holos_variant *v = q->base.v;
    sqlite3_stmt *s = q->insert;
    v->game->index->unrank(v, place, p);
    sqlite3_bind_int64(s, 1, (int64_t)rank);
    sqlite3_bind_int64(s, 2, place.tier);
    sqlite3_bind_int64(s, 3, place.part);
    int next = columns_bind(q, s, 4, p);
    sqlite3_bind_int(s, next++, (int)v->game->side(v, p) + 1);
    sqlite3_bind_int(s, next, byte - HOLOS_BYTE_ZERO);
    bool done = sqlite3_step(s) == SQLITE_DONE;
    sqlite3_reset(s);
    return done;
}

static holos_status part_insert(sqlite_store *q, uint32_t tier, uint32_t part, const uint8_t *bytes,
                                uint64_t size, holos_position *p, holos_error *err)
{
    holos_place place = {.tier = tier, .part = part};
    uint64_t base = rank_base(q, tier, part);
    char sql[96];
    holos_status status = insert_prepare(q, err);
    if (status == HOLOS_OK)
        status = run(q, "BEGIN", err);
    for (; status == HOLOS_OK && place.index < size; place.index++)
        if (!indexed_insert(q, place, base + place.index, bytes[place.index], p))
            status = failed(q, "a row", err);
    snprintf(sql, sizeof sql, "INSERT INTO parts VALUES(%u, %u, %llu); COMMIT", tier, part,
             (unsigned long long)size);
    return status == HOLOS_OK ? run(q, sql, err) : status;
}

static holos_status sqlite_save(store *s, uint32_t tier, uint32_t part, const uint8_t *bytes, uint64_t size,
                                holos_error *err)
{
    sqlite_store *q = sqlite_of(s);
    holos_position *p = holos_position_new(q->base.v);
    if (p == NULL)
        return error_system(err, "the store");
    pthread_mutex_lock(&q->lock);
    holos_status status = part_insert(q, tier, part, bytes, size, p, err);
    pthread_mutex_unlock(&q->lock);
    holos_position_free(p);
    return status;
}

static holos_status sqlite_load(store *s, uint32_t tier, uint32_t part, uint8_t *bytes, uint64_t size,
                                holos_error *err)
{
    sqlite_store *q = sqlite_of(s);
    sqlite3_stmt *all = NULL;
    unsigned long long base = rank_base(q, tier, part), next = 0;
    pthread_mutex_lock(&q->lock);
    holos_status status =
        prepare(q, "SELECT rank, value FROM indexed WHERE rank >= ? AND rank < ? ORDER BY rank", &all, err);
    if (status == HOLOS_OK) {
        sqlite3_bind_int64(all, 1, (int64_t)base);
        sqlite3_bind_int64(all, 2, (int64_t)(base + size));
        for (; sqlite3_step(all) == SQLITE_ROW; next++) {
            int value = sqlite3_column_int(all, 1);
            if ((unsigned long long)sqlite3_column_int64(all, 0) != base + next || value < -127 ||
                value > 127)
                break;
            bytes[next] = (uint8_t)(HOLOS_BYTE_ZERO + value);
        }
        if (next != size)
            status = error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                               "%s: part %u of tier %u is not whole: rank %llu is missing or wrong", q->path,
                               part, tier, base + next);
    }
    sqlite3_finalize(all);
    pthread_mutex_unlock(&q->lock);
    return status;
}

static holos_status sqlite_byte(store *s, holos_place place, uint8_t *out, holos_error *err)
{
    sqlite_store *q = sqlite_of(s);
    *out = HOLOS_BYTE_UNKNOWN;
    if (place.tier > q->manifest.facts.top)
        return HOLOS_OK;
    uint64_t rank = rank_base(q, place.tier, place.part) + place.index;
    holos_status status = HOLOS_OK;
    pthread_mutex_lock(&q->lock);
    if (q->find == NULL)
        status = prepare(q, "SELECT value FROM indexed WHERE rank = ?", &q->find, err);
    if (status == HOLOS_OK) {
        sqlite3_bind_int64(q->find, 1, (int64_t)rank);
        if (sqlite3_step(q->find) == SQLITE_ROW)
            *out = (uint8_t)(HOLOS_BYTE_ZERO + sqlite3_column_int(q->find, 0));
        sqlite3_reset(q->find);
    }
    pthread_mutex_unlock(&q->lock);
    return status;
}

const store_backend store_sqlite = {
    .scheme = "sqlite",
    .summary = "sqlite:FILE",
    .open = sqlite_open,
    .close = sqlite_close,
    .facts = sqlite_facts,
    .finish = sqlite_finish,
    .check = sqlite_check,
    .has = sqlite_has,
    .load = sqlite_load,
    .save = sqlite_save,
    .byte = sqlite_byte,
    .put = sqlite_put,
    .find = sqlite_find,
    .each = sqlite_each,
};
