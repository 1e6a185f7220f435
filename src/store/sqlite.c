/* SPDX-License-Identifier: MIT */

/* sqlite:FILE: tables that people can ask with SQL.
 *
 *     store      one row: the manifest
 *     graph      a graph: key, depth, value, best; and the game's own columns (kalah: pits and stores) and the side,
 *                unless SQL can tell them from the key
 *     positions  a view of it, with all columns
 *     indexed    a database: rank over all parts, tier, part, the game's columns, side, value
 *     parts      a database: which parts are there, and their digests
 *     blocks     the digests of blocks of rows
 *
 * `value` of a graph is the score, with what is banked; of a database what is still to come; both for the
 * side to move. A key is an integer where it has at most 63 bits, otherwise 16 bytes, the highest first. Rows of a graph come in
 * the order of their keys, so those that an interrupted build has left are the first ones. */

#include "store/sqlite.h"

#include "core/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COLUMNS_MOST 64
/* In the header of the file: a store of ours, even if the rest cannot be read. */
#define APPLICATION    "0x486f6c6f"
#define APPLICATION_AT 68

extern const store_backend store_sqlite;

holos_status sqlite_failed(sqlite_store *q, const char *what, holos_error *err)
{
    int code = sqlite3_errcode(q->db);
    bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
    return error_set(err, damaged ? HOLOS_BAD_FILE : HOLOS_IO, HOLOS_NOWHERE, "%s: %s: %s", q->path, what,
                     sqlite3_errmsg(q->db));
}

holos_status sqlite_run(sqlite_store *q, const char *sql, holos_error *err)
{
    return sqlite3_exec(q->db, sql, NULL, NULL, NULL) == SQLITE_OK ? HOLOS_OK : sqlite_failed(q, sql, err);
}

holos_status sqlite_prepare(sqlite_store *q, const char *sql, sqlite3_stmt **out, holos_error *err)
{
    return sqlite3_prepare_v2(q->db, sql, -1, out, NULL) == SQLITE_OK ? HOLOS_OK : sqlite_failed(q, sql, err);
}

uint64_t sqlite_number(sqlite_store *q, const char *sql)
{
    sqlite3_stmt *s = NULL;
    uint64_t number = 0;
    if (sqlite3_prepare_v2(q->db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
        number = (uint64_t)sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return number;
}

holos_status sqlite_insert_prepare(sqlite_store *q, const char *table, uint32_t columns, sqlite3_stmt **out,
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

/* ---- Columns ----------------------------------------------------------------------------------- */

void sqlite_columns_list(const sqlite_store *q, const char *after, text *out)
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

int sqlite_columns_bind(const sqlite_store *q, sqlite3_stmt *s, int first, const holos_position *p)
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

bool sqlite_columns_match(const sqlite_store *q, sqlite3_stmt *s, int *first, const holos_position *p)
{
    const holos_columns *columns = q->base.v->game->columns;
    int64_t values[COLUMNS_MOST];
    bool same = true;
    if (columns == NULL) {
        char position[2048];
        holos_format(q->base.v, p, position, sizeof position);
        const char *found = (const char *)sqlite3_column_text(s, (*first)++);
        return found != NULL && strcmp(found, position) == 0;
    }
    columns->values(q->base.v, p, values);
    for (uint32_t i = 0; i < q->columns; i++, (*first)++)
        same = same && sqlite3_column_type(s, *first) == SQLITE_INTEGER &&
               sqlite3_column_int64(s, *first) == values[i];
    return same;
}

void sqlite_digest_bind(sqlite3_stmt *s, int parameter, holos_key digest)
{
    char words[33];
    digest_format(digest, words);
    sqlite3_bind_text(s, parameter, words, 32, SQLITE_TRANSIENT);
}

bool sqlite_digest_column(sqlite3_stmt *s, int column, holos_key *out)
{
    return digest_parse((const char *)sqlite3_column_text(s, column), out);
}

/* ---- Opening and closing ----------------------------------------------------------------------- */

static void sqlite_close(store *s)
{
    sqlite_store *q = sqlite_of(s);
    if (q->pending > 0)
        graph_commit(q, NULL); /* an interrupted build keeps what it has */
    sqlite3_finalize(q->insert);
    sqlite3_finalize(q->find);
    sqlite3_finalize(q->block_insert);
    sqlite3_close(q->db);
    if (q->base.v != NULL)
        database_end(q);
    manifest_free(&q->manifest);
    holos_close(q->base.v);
    pthread_mutex_destroy(&q->lock);
    free(q->blocks);
    free(q->open);
    free(q->room);
    free(q->path);
    free(q);
}

holos_status sqlite_manifest_save(sqlite_store *q, holos_error *err)
{
    text json;
    sqlite3_stmt *s = NULL;
    text_init(&json);
    manifest_write(&q->manifest, q->base.v, &json);
    holos_status status = sqlite_prepare(q, "UPDATE store SET manifest = ?", &s, err);
    if (status == HOLOS_OK) {
        sqlite3_bind_text(s, 1, json.data, (int)json.length, SQLITE_STATIC);
        if (sqlite3_step(s) != SQLITE_DONE)
            status = sqlite_failed(q, "the manifest", err);
    }
    sqlite3_finalize(s);
    text_free(&json);
    return status;
}

static holos_status manifest_load(sqlite_store *q, holos_error *err)
{
    sqlite3_stmt *s = NULL;
    int code = sqlite3_prepare_v2(q->db, "SELECT manifest FROM store", -1, &s, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(s);
    holos_status status;
    if (code == SQLITE_ROW && sqlite3_column_text(s, 0) != NULL)
        status = manifest_read(&q->manifest, (const char *)sqlite3_column_text(s, 0),
                               (size_t)sqlite3_column_bytes(s, 0), q->path, err);
    else if (code == SQLITE_ERROR || code == SQLITE_DONE || code == SQLITE_ROW)
        status = error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is not a holos store", q->path);
    else
        status = sqlite_failed(q, "cannot read", err);
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
    q->key_is_integer = q->base.v->key_bits > 0 && q->base.v->key_bits <= 63;
    text ignored;
    text_init(&ignored);
    q->columns_from_key = q->key_is_integer && columns != NULL && columns->expression != NULL &&
                          columns->expression(q->base.v, 0, &ignored);
    text_free(&ignored);
    return q->columns <= COLUMNS_MOST
               ? HOLOS_OK
               : error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "%s has too many columns", name);
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
static holos_status database_open_to_read(sqlite_store *q, holos_error *err)
{
    holos_status status = connect(q, SQLITE_OPEN_READONLY, err);
    if (status == HOLOS_OK &&
        sqlite3_exec(q->db, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL) == SQLITE_READONLY)
        status = connect(q, SQLITE_OPEN_READWRITE, err);
    return status;
}

static holos_status database_open_to_write(sqlite_store *q, holos_error *err)
{
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

/* ---- What is there already --------------------------------------------------------------------- */

/* Whether SQLite finds its pages in order. */
static bool is_whole(sqlite_store *q)
{
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
    return is_whole(q) && sqlite_number(q, "SELECT count(*) FROM sqlite_master") == 0;
}

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

/* The columns of a database's rows tell the seeds in the stores, and so which variant they are of. */
static holos_status variant_check(const sqlite_store *q, const store_options *o, holos_error *err)
{
    if (strcmp(q->manifest.facts.variant, o->v->name) == 0)
        return HOLOS_OK;
    return error_set(
        err, HOLOS_USAGE, HOLOS_NOWHERE,
        "%s holds a database with the columns of %s, which a build of %s cannot continue; --restart "
        "replaces it",
        q->path, q->manifest.facts.variant, o->v->name);
}

/* What is to be done with what is there: nothing has been written yet. */
typedef enum beginning {
    BEGIN_NEW,
    BEGIN_ANEW, /* in place of what is there */
    BEGIN_GO_ON,
} beginning;

static holos_status there_check(sqlite_store *q, const store_options *o, beginning *out, holos_error *err)
{
    struct stat st;
    *out = BEGIN_NEW;
    if (stat(q->path, &st) != 0 || st.st_size == 0)
        return HOLOS_OK;
    if (!S_ISREG(st.st_mode))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s is not a file", q->path);
    holos_status status = database_open_to_read(q, err);
    if (status == HOLOS_OK)
        status = manifest_load(q, err);
    if (status != HOLOS_OK && has_no_tables(q))
        return HOLOS_OK;
    bool ours = status == HOLOS_OK || is_ours(q);
    *out = BEGIN_ANEW;
    if (o->mode == STORE_RESTART)
        return ours ? HOLOS_OK
                    : error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                                "%s is not a holos store, and is left alone; give a new file", q->path);
    if (status != HOLOS_OK)
        return ours ? error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is damaged; --restart rebuilds it",
                                q->path)
                    : status;
    status = store_may_begin(q->path, &q->manifest.facts, o, err);
    if (status == HOLOS_OK)
        status = variant_check(q, o, err);
    *out = is_whole(q) ? BEGIN_GO_ON : BEGIN_ANEW;
    return status;
}

/* All of it, or nothing: one transaction. */
static holos_status tables_create(sqlite_store *q, holos_error *err)
{
    text sql;
    text_init(&sql);
    text_string(&sql, "BEGIN; PRAGMA application_id = " APPLICATION ";"
                      "CREATE TABLE store(manifest TEXT NOT NULL);"
                      "INSERT INTO store VALUES('');");
    if (q->base.kind == STORE_GRAPH)
        graph_tables_write(q, &sql);
    else
        database_tables_write(q, &sql);
    holos_status status = sql.failed ? error_system(err, "the tables") : sqlite_run(q, sql.data, err);
    if (status == HOLOS_OK)
        status = sqlite_manifest_save(q, err);
    text_free(&sql);
    return status == HOLOS_OK ? sqlite_run(q, "COMMIT", err) : status;
}

static void manifest_begin(sqlite_store *q, const store_options *o)
{
    manifest_free(&q->manifest);
    q->manifest.facts = (store_facts){.kind = o->kind, .top = o->top};
    strcpy(q->manifest.facts.variant, q->base.v->name);
    if (o->kind == STORE_DATABASE)
        store_family(q->base.v, q->manifest.facts.family);
}

/* A finished store that is asked for again, or for less, stays as it is; otherwise it is not finished any more. */
static holos_status go_on(sqlite_store *q, const store_options *o, holos_error *err)
{
    if (o->kind == STORE_GRAPH)
        return graph_go_on(q, err);
    if (!q->manifest.facts.complete || q->manifest.facts.top < o->top) {
        manifest_begin(q, o);
        holos_status status = sqlite_manifest_save(q, err);
        if (status != HOLOS_OK)
            return status;
    }
    return database_begin(q, err);
}

static holos_status sqlite_begin(sqlite_store *q, const store_options *o, holos_error *err)
{
    beginning how;
    if (o->kind == STORE_BOOK)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "an SQLite store does not hold books; use file:DIR");
    q->base.kind = o->kind;
    q->writing = true;
    holos_status status = variant_open(q, o->v->name, err);
    if (status == HOLOS_OK)
        status = there_check(q, o, &how, err);
    if (status != HOLOS_OK)
        return status;
    if (how == BEGIN_ANEW)
        file_remove(q);
    status = database_open_to_write(q, err);
    if (status != HOLOS_OK || how == BEGIN_GO_ON)
        return status == HOLOS_OK ? go_on(q, o, err) : status;
    manifest_begin(q, o);
    status = tables_create(q, err);
    return status == HOLOS_OK && o->kind == STORE_DATABASE ? database_begin(q, err) : status;
}

static holos_status sqlite_read_begin(sqlite_store *q, const store_options *o, holos_error *err)
{
    if (access(q->path, R_OK) != 0)
        return error_system(err, "cannot read %s", q->path);
    holos_status status = database_open_to_read(q, err);
    if (status == HOLOS_OK)
        status = manifest_load(q, err);
    if (status != HOLOS_OK && has_no_tables(q))
        return error_set(err, HOLOS_IO, HOLOS_NOWHERE, "%s holds no store (no tables)", q->path);
    if (status == HOLOS_OK)
        status = variant_open(q, q->manifest.facts.variant, err);
    if (status != HOLOS_OK)
        return status;
    const store_facts *facts = &q->manifest.facts;
    const holos_game *game = q->base.v->game;
    q->base.kind = facts->kind;
    if (facts->kind == STORE_BOOK || (facts->kind == STORE_GRAPH && game->from_identity == NULL) ||
        (facts->kind == STORE_DATABASE &&
         (game->index == NULL || facts->top >= game->index->tiers(q->base.v))))
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s: its manifest does not match its game",
                         q->path);
    if (o->v != NULL)
        status = store_fits(facts->family, facts->variant, o->v, err);
    if (status != HOLOS_OK)
        return error_prefix(err, "%s: ", q->path);
    if (facts->kind == STORE_GRAPH)
        return graph_blocks_load(q, err);
    status = database_begin(q, err);
    return status == HOLOS_OK ? database_parts_check(q, err) : status;
}

static bool sqlite_recognise(const char *path)
{
    static const char magic[16] = "SQLite format 3";
    return file_begins(path, magic, sizeof magic);
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
    if (status != HOLOS_OK) {
        sqlite_close(&q->base);
        return status;
    }
    *out = &q->base;
    return HOLOS_OK;
}

/* ---- All of it --------------------------------------------------------------------------------- */

static void sqlite_facts(store *s, store_facts *out)
{
    sqlite_store *q = sqlite_of(s);
    struct stat st;
    pthread_mutex_lock(&q->lock);
    *out = q->manifest.facts;
    if (!out->complete)
        out->positions = sqlite_number(q, q->base.kind == STORE_GRAPH ? "SELECT count(*) FROM graph"
                                                                      : "SELECT sum(positions) FROM parts");
    if (q->base.kind == STORE_DATABASE) {
        out->parts = sqlite_number(q, "SELECT count(*) FROM parts");
        for (uint32_t tier = 0; tier <= out->top; tier++)
            out->parts_expected += q->base.v->game->index->parts(q->base.v, tier);
    }
    out->bytes = stat(q->path, &st) == 0 ? (uint64_t)st.st_size : 0;
    pthread_mutex_unlock(&q->lock);
}

static holos_status sqlite_finish(store *s, holos_error *err)
{
    sqlite_store *q = sqlite_of(s);
    holos_status status = q->base.kind == STORE_GRAPH ? graph_finish(q, err) : database_finish(q, err);
    /* One file, as people expect it. */
    return status == HOLOS_OK ? sqlite_run(q, "PRAGMA journal_mode = DELETE", err) : status;
}

static holos_status sqlite_check(store *s, const holos_stop *stop, holos_error *err)
{
    sqlite_store *q = sqlite_of(s);
    sqlite3_stmt *check = NULL;
    holos_status status = sqlite_prepare(q, "PRAGMA integrity_check", &check, err);
    if (status == HOLOS_OK && sqlite3_step(check) != SQLITE_ROW)
        status = sqlite_failed(q, "cannot be checked", err);
    if (status == HOLOS_OK && strcmp((const char *)sqlite3_column_text(check, 0), "ok") != 0)
        status = error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is damaged: %s", q->path,
                           (const char *)sqlite3_column_text(check, 0));
    sqlite3_finalize(check);
    if (status != HOLOS_OK)
        return status;
    return q->base.kind == STORE_GRAPH ? graph_check(q, stop, err) : database_check(q, stop, err);
}

const store_backend store_sqlite = {
    .scheme = "sqlite",
    .summary = "sqlite:FILE",
    .recognise = sqlite_recognise,
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
