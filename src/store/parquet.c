/* SPDX-License-Identifier: MIT */

/* parquet:DIR: files that every program for data can read (tabular.h), made by DuckDB.
 *
 *     DIR/parquet.json                       the manifest
 *     DIR/graph/000000.parquet               a graph: rows in the order of their keys, a million to a file
 *     DIR/indexed/tier=012/part=003.parquet  a database: a file for each part
 *
 * and beside each its note (parquet_file.h), whose appearance makes it part of the store. */

#include "core/file.h"
#include "core/list.h"
#include "store/filler.h"
#include "store/parquet_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MANIFEST "parquet.json"
/* zstd at DuckDB's level; row groups of four blocks: of 8,192 rows they take twice the time to write, of 122,880 three times
 * the time to read a block. */
#define FORMAT "(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 32768)"
/* Blocks of a file of a graph: a million rows. */
#define BATCH 128u

extern const store_backend store_parquet;

typedef struct parquet_store {
    tabular base;
    const char *folder;
    int lock; /* the folder's descriptor, locked while it is written to; -1 */
    duckdb duck;
    parquet_file *files; /* of a graph, in order */
    size_t file_count, file_room;
    /* Whoever reads one block after the other gets a file at a time. */
    holos_row *rows;
    size_t rows_file;  /* + 1; 0: none */
    size_t last_block; /* + 1; 0: none */
    /* The part that was read last. */
    parquet_file part;
    uint32_t part_tier, part_part;
} parquet_store;

static parquet_store *parquet_of(tabular *t)
{
    return (parquet_store *)t;
}

/* ---- Places ------------------------------------------------------------------------------------ */

static char *path_of(const parquet_store *q, const char *name)
{
    text t;
    text_init(&t);
    text_printf(&t, "%s/%s", q->folder, name);
    char *path = t.failed ? NULL : strdup(t.data);
    text_free(&t);
    return path;
}

static char *graph_path(const parquet_store *q, size_t number)
{
    char name[48];
    snprintf(name, sizeof name, "graph/%06zu.parquet", number);
    return path_of(q, name);
}

static char *part_path(const parquet_store *q, uint32_t tier, uint32_t part)
{
    char name[64];
    snprintf(name, sizeof name, "indexed/tier=%03u/part=%03u.parquet", tier, part);
    return path_of(q, name);
}

static bool ends_with(const char *s, const char *end)
{
    size_t length = strlen(s), tail = strlen(end);
    return length >= tail && strcmp(s + length - tail, end) == 0;
}

/* What is done with each of our files in a folder, and in those inside it. */
typedef void file_visit(void *context, const char *path, const char *name);

static void file_remove(void *context, const char *path, const char *name)
{
    (void)context;
    (void)name;
    unlink(path);
}

/* A folder whose files are removed goes, too. */
static void folder_walk(const char *folder, file_visit *visit, void *context)
{
    DIR *d = opendir(folder);
    for (struct dirent *entry; d != NULL && (entry = readdir(d)) != NULL;) {
        text path;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        text_init(&path);
        text_printf(&path, "%s/%s", folder, entry->d_name);
        if (strncmp(entry->d_name, "tier=", 5) == 0)
            folder_walk(path.data, visit, context);
        if (ends_with(entry->d_name, ".parquet") || ends_with(entry->d_name, ".json") ||
            ends_with(entry->d_name, ".tmp"))
            visit(context, path.data, entry->d_name);
        text_free(&path);
    }
    if (d != NULL)
        closedir(d);
    if (visit == file_remove)
        rmdir(folder);
}

static void store_walk(const parquet_store *q, file_visit *visit, void *context)
{
    static const char *const folders[] = {"graph", "indexed"};
    for (size_t i = 0; i < 2; i++) {
        char *path = path_of(q, folders[i]);
        if (path != NULL)
            folder_walk(path, visit, context);
        free(path);
    }
}

static void temporary_remove(void *context, const char *path, const char *name)
{
    (void)context;
    if (ends_with(name, ".tmp"))
        unlink(path);
}

/* ---- Opening ----------------------------------------------------------------------------------- */

/* What may lie beside a store: the record of a run, its lock, what a killed one left. */
static bool is_beside(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, "build.json") == 0 ||
           strcmp(name, STORE_REACHED) == 0 || ends_with(name, ".tmp") || strcmp(name, ".holos-lock") == 0;
}

static bool folder_is_free(const char *folder)
{
    DIR *d = opendir(folder);
    bool empty = d != NULL || errno == ENOENT;
    for (struct dirent *entry; d != NULL && (entry = readdir(d)) != NULL;)
        empty = empty && is_beside(entry->d_name);
    if (d != NULL)
        closedir(d);
    return empty;
}

static holos_status parquet_look(tabular *t, const char *location, tabular_place *place, text *words,
                                 holos_error *err)
{
    parquet_store *q = parquet_of(t);
    q->lock = -1;
    t->name = strdup(location);
    q->folder = t->name;
    if (t->name == NULL)
        return error_system(err, "the store");
    holos_status status = duckdb_load(&q->duck, err);
    if (status == HOLOS_OK)
        status = duckdb_begin(&q->duck, err);
    if (status != HOLOS_OK)
        return status;
    char *path = path_of(q, MANIFEST);
    if (path == NULL)
        return error_system(err, "the store");
    *place = folder_is_free(q->folder) ? TABULAR_FREE : TABULAR_FOREIGN;
    if (access(path, F_OK) == 0) {
        *place = TABULAR_OURS;
        status = file_read(path, (size_t)64 << 20, words, err);
    } else if (*place == TABULAR_FOREIGN) {
        error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                  "%s has files in it, but no " MANIFEST " of a store; give a new folder", q->folder);
    }
    free(path);
    return status;
}

static void files_free(parquet_store *q)
{
    for (size_t i = 0; i < q->file_count; i++)
        parquet_file_free(&q->files[i]);
    q->file_count = 0;
    q->rows_file = q->last_block = 0;
}

static void parquet_close(tabular *t)
{
    parquet_store *q = parquet_of(t);
    files_free(q);
    parquet_file_free(&q->part);
    free(q->files);
    free(q->rows);
    if (q->duck.library != NULL)
        duckdb_end(&q->duck);
    if (q->folder != NULL && q->lock >= 0)
        close(q->lock);
}

static holos_status parquet_begin(tabular *t, bool anew, holos_error *err)
{
    parquet_store *q = parquet_of(t);
    holos_status status = file_make_folder(q->folder, err);
    if (status != HOLOS_OK)
        return status;
    q->lock = open(q->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (q->lock < 0)
        return error_system(err, "cannot open %s", q->folder);
    if (flock(q->lock, LOCK_EX | LOCK_NB) != 0)
        return error_set(err, HOLOS_IO, HOLOS_NOWHERE, "another process is writing to %s", q->folder);
    store_walk(q, anew ? file_remove : temporary_remove, NULL);
    char *path = path_of(q, MANIFEST);
    if (anew && path != NULL)
        unlink(path); /* the last one: until then it is a store */
    free(path);
    return HOLOS_OK;
}

static holos_status parquet_manifest_save(tabular *t, const char *words, size_t size, holos_error *err)
{
    char *path = path_of(parquet_of(t), MANIFEST);
    holos_status status = path == NULL ? error_system(err, "the store") : file_put(path, words, size, err);
    free(path);
    return status;
}

static void bytes_add(void *context, const char *path, const char *name)
{
    struct stat st;
    (void)name;
    if (stat(path, &st) == 0)
        *(uint64_t *)context += (uint64_t)st.st_size;
}

static uint64_t parquet_bytes(tabular *t)
{
    uint64_t bytes = 0;
    store_walk(parquet_of(t), bytes_add, &bytes);
    return bytes;
}

/* ---- Writing a file ---------------------------------------------------------------------------- */

static holos_status file_sync(const char *path, holos_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool done = fd >= 0 && fsync(fd) == 0;
    holos_status status = done ? HOLOS_OK : error_system(err, "cannot write %s", path);
    if (fd >= 0)
        close(fd);
    return status;
}

/* The table becomes a file, under its name when it is whole. */
static holos_status table_write(parquet_store *q, const char *path, holos_error *err)
{
    char *temporary = file_temporary_name(path);
    text sql;
    text_init(&sql);
    if (temporary != NULL) {
        text_string(&sql, "COPY filling TO ");
        duckdb_quote(temporary, &sql);
        text_string(&sql, " " FORMAT);
    }
    holos_status status = temporary == NULL || sql.failed ? error_system(err, "the store")
                                                          : duckdb_run(&q->duck, sql.data, err);
    duckdb_run(&q->duck, "DROP TABLE IF EXISTS filling", NULL); /* its memory */
    if (status == HOLOS_OK)
        status = file_sync(temporary, err);
    if (status == HOLOS_OK && rename(temporary, path) != 0)
        status = error_system(err, "cannot write %s", path);
    if (status != HOLOS_OK && temporary != NULL)
        unlink(temporary);
    text_free(&sql);
    free(temporary);
    return status;
}

/* The note goes first: half a file is never part of the store. */
static void note_remove(const char *path)
{
    char *note = parquet_note_path(path);
    if (note != NULL)
        unlink(note);
    free(note);
}

/* Makes room for a file: its folder is there, and what was there of it is not part of the store any more. */
static holos_status place_make(char *path, holos_error *err)
{
    char *slash = strrchr(path, '/');
    *slash = 0;
    holos_status status = file_make_folder(path, err);
    *slash = '/';
    note_remove(path);
    return status;
}

/* ---- Graphs: writing --------------------------------------------------------------------------- */

static void graph_columns(const tabular *t, text *out)
{
    text_printf(out, "key %s", t->key_is_integer ? "BIGINT" : "BLOB");
    if (!t->columns_from_key) {
        tabular_columns_list(t, " INTEGER", " VARCHAR", out);
        text_string(out, ", side INTEGER");
    }
    text_string(out, ", depth INTEGER, value INTEGER, best VARCHAR");
}

static uint32_t graph_types(const tabular *t, int *types)
{
    uint32_t count = 0;
    types[count++] = t->key_is_integer ? DUCKDB_BIGINT : DUCKDB_BLOB;
    if (!t->columns_from_key) {
        for (uint32_t i = 0; i < tabular_column_count(t); i++)
            types[count++] = t->columns > 0 ? DUCKDB_INTEGER : DUCKDB_VARCHAR;
        types[count++] = DUCKDB_INTEGER;
    }
    types[count++] = DUCKDB_INTEGER;
    types[count++] = DUCKDB_INTEGER;
    types[count++] = DUCKDB_VARCHAR;
    return count;
}

static uint32_t fill_fields(filler *f, const tabular *t, uint32_t column, const tabular_fields *fields)
{
    if (t->columns == 0)
        fill_text(f, column++, fields->position, strlen(fields->position));
    for (uint32_t i = 0; i < t->columns; i++)
        fill_int(f, column++, fields->columns[i]);
    fill_int(f, column++, fields->side);
    return column;
}

static void fill_row(filler *f, tabular *t, const holos_row *row)
{
    tabular_fields fields;
    uint32_t column = 1;
    tabular_row_fields(t, row, &fields);
    if (t->key_is_integer) {
        fill_long(f, 0, (int64_t)row->identity.lo);
    } else {
        unsigned char key[16];
        tabular_key_bytes(row->identity, key);
        fill_text(f, 0, (const char *)key, sizeof key);
    }
    if (!t->columns_from_key)
        column = fill_fields(f, t, column, &fields);
    fill_int(f, column++, row->depth);
    if (row->has_value)
        fill_int(f, column, row->value);
    else
        fill_null(f, column);
    column++;
    if (row->has_best)
        fill_text(f, column, fields.best, strlen(fields.best));
    else
        fill_null(f, column);
    filler_next(f);
}

static holos_status table_make(parquet_store *q, void (*columns)(const tabular *t, text *out),
                               holos_error *err)
{
    text sql;
    text_init(&sql);
    text_string(&sql, "CREATE OR REPLACE TEMP TABLE filling(");
    columns(&q->base, &sql);
    text_string(&sql, ")");
    holos_status status = sql.failed ? error_system(err, "the store") : duckdb_run(&q->duck, sql.data, err);
    text_free(&sql);
    return status;
}

static holos_status file_add(parquet_store *q, const char *path, bool *there, holos_error *err)
{
    if (!LIST_RESERVE(q->files, q->file_room, q->file_count + 1))
        return error_system(err, "the store");
    parquet_file *f = &q->files[q->file_count];
    holos_status status = parquet_file_read(f, path, there, err);
    if (status != HOLOS_OK || !*there)
        return status;
    f->first = q->file_count > 0 ? f[-1].first + f[-1].block_count : 0;
    q->file_count++;
    return HOLOS_OK;
}

static holos_status parquet_rows_put(tabular *t, const holos_row *rows, const tabular_block *blocks,
                                     size_t count, holos_error *err)
{
    parquet_store *q = parquet_of(t);
    int types[FILLER_COLUMNS];
    uint32_t columns = graph_types(t, types);
    filler f;
    bool there;
    char *path = graph_path(q, q->file_count);
    holos_status status = path == NULL ? error_system(err, "the store") : table_make(q, graph_columns, err);
    if (status == HOLOS_OK)
        status = place_make(path, err);
    if (status == HOLOS_OK) {
        status = filler_begin(&f, &q->duck, types, columns, err);
        for (size_t b = 0; status == HOLOS_OK && b < count; rows += blocks[b++].rows)
            for (uint32_t i = 0; i < blocks[b].rows; i++)
                fill_row(&f, t, &rows[i]);
        status = filler_end(&f, status, err);
    }
    if (status == HOLOS_OK)
        status = table_write(q, path, err);
    if (status == HOLOS_OK)
        status = parquet_file_note(path, (holos_key){0}, blocks, count, err);
    if (status == HOLOS_OK)
        status = file_add(q, path, &there, err);
    free(path);
    return status;
}

/* ---- Graphs: reading --------------------------------------------------------------------------- */

/* Files are numbered: the first one that is missing is the end. */
static holos_status parquet_blocks_read(tabular *t, holos_error *err)
{
    parquet_store *q = parquet_of(t);
    bool there = true;
    holos_status status = HOLOS_OK;
    files_free(q);
    while (status == HOLOS_OK && there) {
        char *path = graph_path(q, q->file_count);
        status = path == NULL ? error_system(err, "the store") : file_add(q, path, &there, err);
        free(path);
        const parquet_file *f = &q->files[q->file_count - 1];
        for (size_t i = 0; status == HOLOS_OK && there && i < f->block_count; i++)
            status = tabular_block_add(t, f->blocks[i], err);
    }
    return status;
}

/* Rows of an answer: key, depth, value, best. */
static uint64_t chunk_read(parquet_store *q, duckdb_pointer chunk, holos_row *out, uint64_t room)
{
    const duckdb *d = &q->duck;
    void *data[4];
    const uint64_t *there[4];
    uint64_t count = d->data_chunk_get_size(chunk);
    for (uint64_t i = 0; i < 4; i++) {
        duckdb_pointer vector = d->data_chunk_get_vector(chunk, i);
        data[i] = d->vector_get_data(vector);
        there[i] = d->vector_get_validity(vector);
    }
    for (uint64_t i = 0; i < count && i < room; i++) {
        const duckdb_words *words = (const duckdb_words *)data[3] + i,
                           *blob = (const duckdb_words *)data[0] + i;
        int64_t value = ((const int32_t *)data[2])[i];
        char best[32] = "";
        holos_key key = {0};
        bool has_best = duckdb_is_there(there[3], i);
        if (has_best && words->length < sizeof best)
            memcpy(best, duckdb_bytes(words), words->length);
        if (q->base.key_is_integer)
            key.lo = ((const uint64_t *)data[0])[i];
        else if (blob->length == 16)
            key = tabular_key_read((const unsigned char *)duckdb_bytes(blob));
        tabular_row_make(&q->base, key, ((const int32_t *)data[1])[i],
                         duckdb_is_there(there[2], i) ? &value : NULL, has_best ? best : NULL, &out[i]);
    }
    return count < room ? count : room;
}

/* Rows of a file from a number on. */
static holos_status rows_ask(parquet_store *q, const parquet_file *f, uint64_t from, uint64_t count,
                             bool all_of_it, holos_row *out, uint64_t *read, holos_error *err)
{
    duckdb_answer answer;
    text sql;
    text_init(&sql);
    text_string(&sql, "SELECT key, depth, value, best FROM read_parquet(");
    duckdb_quote(f->path, &sql);
    if (all_of_it)
        text_string(&sql, ")");
    else
        text_printf(&sql,
                    ", file_row_number = true) WHERE file_row_number >= %llu AND file_row_number < %llu",
                    (unsigned long long)from, (unsigned long long)from + count);
    holos_status status =
        sql.failed ? error_system(err, "the store") : duckdb_ask(&q->duck, sql.data, &answer, err);
    text_free(&sql);
    *read = 0;
    if (status != HOLOS_OK)
        return status;
    for (duckdb_pointer chunk; (chunk = q->duck.fetch_chunk(answer)) != NULL;) {
        *read += chunk_read(q, chunk, out + *read, count - *read);
        q->duck.destroy_data_chunk(&chunk);
    }
    q->duck.destroy_result(&answer);
    return HOLOS_OK;
}

/* Where a block begins in its file. */
static uint64_t rows_before(const parquet_file *f, size_t block)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < block; i++)
        rows += f->blocks[i].rows;
    return rows;
}

static holos_status file_load(parquet_store *q, size_t file, holos_error *err)
{
    parquet_file *f = &q->files[file];
    uint64_t read, rows = rows_before(f, f->block_count);
    q->rows_file = 0;
    if (f->block_count > BATCH)
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is damaged: it is too long", f->path);
    if (q->rows == NULL)
        q->rows = malloc((size_t)BATCH * ROWS_BLOCK * sizeof *q->rows);
    if (q->rows == NULL)
        return error_system(err, "the store");
    holos_status status = rows_ask(q, f, 0, rows, true, q->rows, &read, err);
    if (status == HOLOS_OK && read != rows)
        status = error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is damaged: rows are missing", f->path);
    q->rows_file = status == HOLOS_OK ? file + 1 : 0;
    return status;
}

/* Whole blocks are asked for, and nobody can add rows to a file. */
static holos_status parquet_rows_read(tabular *t, holos_key first, const holos_key *end, bool whole,
                                      holos_row *out, uint32_t room, uint32_t *count, bool *sound,
                                      holos_error *err)
{
    parquet_store *q = parquet_of(t);
    size_t block = tabular_block_of(t, first), file = 0;
    (void)end;
    (void)whole;
    *count = 0;
    *sound = false;
    while (file < q->file_count && q->files[file].first + q->files[file].block_count <= block)
        file++;
    if (file == q->file_count)
        return HOLOS_OK;
    parquet_file *f = &q->files[file];
    bool in_order = q->last_block == block; /* + 1 */
    holos_status status = parquet_file_check(f, err);
    if (status == HOLOS_OK && in_order && q->rows_file != file + 1)
        status = file_load(q, file, err);
    q->last_block = block + 1;
    uint64_t from = rows_before(f, block - f->first), rows = f->blocks[block - f->first].rows, read = rows;
    if (status == HOLOS_OK && q->rows_file == file + 1)
        memcpy(out, q->rows + from, (rows < room ? rows : room) * sizeof *out);
    else if (status == HOLOS_OK)
        status = rows_ask(q, f, from, rows < room ? rows : room, false, out, &read, err);
    *count = (uint32_t)read;
    *sound = status == HOLOS_OK && read == rows;
    return status;
}

static void later_remove(parquet_store *q, size_t from)
{
    for (size_t number = from;; number++) {
        char *path = graph_path(q, number);
        bool there = path != NULL && access(path, F_OK) == 0;
        if (there) {
            note_remove(path);
            unlink(path);
        }
        free(path);
        if (!there)
            return;
    }
}

/* A file of which some blocks are to stay is written again. */
static holos_status parquet_rows_cut(tabular *t, const holos_key *last, holos_error *err)
{
    parquet_store *q = parquet_of(t);
    size_t kept = t->block_count, file = 0; /* the caller has counted them */
    (void)last;
    while (file < q->file_count && q->files[file].first + q->files[file].block_count <= kept)
        file++;
    size_t some = file < q->file_count && q->files[file].first < kept ? kept - q->files[file].first : 0;
    holos_status status = some > 0 ? file_load(q, file, err) : HOLOS_OK;
    if (status != HOLOS_OK)
        return status;
    later_remove(q, file + (some > 0));
    while (q->file_count > file)
        parquet_file_free(&q->files[--q->file_count]);
    q->rows_file = q->last_block = 0;
    return some > 0 ? parquet_rows_put(t, q->rows, t->blocks + kept - some, some, err) : HOLOS_OK;
}

/* ---- Databases --------------------------------------------------------------------------------- */

/* What is noted of a part; the one that was asked for last is remembered. */
static holos_status part_note(parquet_store *q, uint32_t tier, uint32_t part, bool *found, holos_error *err)
{
    *found = q->part.path != NULL && q->part_tier == tier && q->part_part == part;
    if (*found)
        return HOLOS_OK;
    char *path = part_path(q, tier, part);
    parquet_file_free(&q->part);
    holos_status status =
        path == NULL ? error_system(err, "the store") : parquet_file_read(&q->part, path, found, err);
    q->part_tier = tier;
    q->part_part = part;
    free(path);
    return status;
}

static holos_status parquet_part_find(tabular *t, uint32_t tier, uint32_t part, bool *found,
                                      holos_key *digest, holos_error *err)
{
    parquet_store *q = parquet_of(t);
    holos_status status = part_note(q, tier, part, found, err);
    if (status == HOLOS_OK && *found)
        *digest = q->part.digest;
    return status;
}

static holos_status parquet_part_block(tabular *t, holos_place first, uint64_t rank, bool *found,
                                       holos_key *digest, holos_error *err)
{
    parquet_store *q = parquet_of(t);
    holos_status status = part_note(q, first.tier, first.part, found, err);
    bool there = *found;
    *found = false;
    for (size_t i = 0; status == HOLOS_OK && there && !*found && i < q->part.block_count; i++) {
        *found = q->part.blocks[i].first.lo == rank;
        *digest = q->part.blocks[i].digest;
    }
    return status;
}

static void indexed_columns(const tabular *t, text *out)
{
    text_string(out, "rank BIGINT, tier INTEGER, part INTEGER");
    tabular_columns_list(t, " INTEGER", " VARCHAR", out);
    text_string(out, ", side INTEGER, value INTEGER");
}

static holos_status part_fill(parquet_store *q, const tabular_part *p, holos_error *err)
{
    tabular *t = &q->base;
    int types[FILLER_COLUMNS] = {DUCKDB_BIGINT, DUCKDB_INTEGER, DUCKDB_INTEGER};
    uint32_t count = 3;
    filler f;
    for (uint32_t i = 0; i < tabular_column_count(t); i++)
        types[count++] = t->columns > 0 ? DUCKDB_INTEGER : DUCKDB_VARCHAR;
    types[count++] = DUCKDB_INTEGER;
    types[count++] = DUCKDB_INTEGER;
    holos_status status = filler_begin(&f, &q->duck, types, count, err);
    holos_place place = {.tier = p->tier, .part = p->part};
    for (; status == HOLOS_OK && place.index < p->size; place.index++) {
        tabular_fields fields;
        t->base.v->game->index->unrank(t->base.v, place, t->scratch);
        tabular_position_fields(t, t->scratch, &fields);
        fill_long(&f, 0, (int64_t)(p->rank + place.index));
        fill_int(&f, 1, p->tier);
        fill_int(&f, 2, p->part);
        uint32_t column = fill_fields(&f, t, 3, &fields);
        fill_int(&f, column, p->bytes[place.index] - HOLOS_BYTE_ZERO);
        filler_next(&f);
    }
    return filler_end(&f, status, err);
}

static holos_status parquet_part_put(tabular *t, const tabular_part *p, holos_error *err)
{
    parquet_store *q = parquet_of(t);
    char *path = part_path(q, p->tier, p->part);
    holos_status status = path == NULL ? error_system(err, "the store") : HOLOS_OK;
    parquet_file_free(&q->part);
    if (status == HOLOS_OK)
        status = place_make(path, err);
    if (status == HOLOS_OK)
        status = table_make(q, indexed_columns, err);
    if (status == HOLOS_OK)
        status = part_fill(q, p, err);
    if (status == HOLOS_OK)
        status = table_write(q, path, err);
    if (status == HOLOS_OK)
        status = parquet_file_note(path, p->digest, p->blocks, p->block_count, err);
    free(path);
    return status;
}

static holos_status parquet_values_read(tabular *t, holos_place first, uint64_t rank, uint64_t size,
                                        uint8_t *bytes, uint64_t *read, holos_error *err)
{
    parquet_store *q = parquet_of(t);
    duckdb_answer answer;
    bool found;
    text sql;
    *read = 0;
    (void)rank;
    holos_status status = part_note(q, first.tier, first.part, &found, err);
    if (status != HOLOS_OK || !found)
        return status;
    status = parquet_file_check(&q->part, err);
    if (status != HOLOS_OK)
        return status;
    text_init(&sql);
    text_string(&sql, "SELECT value FROM read_parquet(");
    duckdb_quote(q->part.path, &sql);
    text_printf(&sql, ", file_row_number = true) WHERE file_row_number >= %llu AND file_row_number < %llu",
                (unsigned long long)first.index, (unsigned long long)first.index + size);
    status = sql.failed ? error_system(err, "the store") : duckdb_ask(&q->duck, sql.data, &answer, err);
    text_free(&sql);
    if (status != HOLOS_OK)
        return status;
    for (duckdb_pointer chunk; (chunk = q->duck.fetch_chunk(answer)) != NULL;) {
        const int32_t *values = q->duck.vector_get_data(q->duck.data_chunk_get_vector(chunk, 0));
        uint64_t count = q->duck.data_chunk_get_size(chunk);
        for (uint64_t i = 0; i < count && *read < size; i++)
            bytes[(*read)++] = (uint8_t)(HOLOS_BYTE_ZERO + values[i]);
        q->duck.destroy_data_chunk(&chunk);
    }
    q->duck.destroy_result(&answer);
    return HOLOS_OK;
}

static holos_status parquet_parts_count(tabular *t, uint64_t *parts, uint64_t *positions, holos_error *err)
{
    const holos_variant *v = t->base.v;
    holos_status status = HOLOS_OK;
    *parts = *positions = 0;
    for (uint32_t tier = 0; status == HOLOS_OK && tier <= t->manifest.facts.top; tier++)
        for (uint32_t part = 0; status == HOLOS_OK && part < v->game->index->parts(v, tier); part++) {
            bool found = false;
            holos_key digest;
            status = parquet_part_find(t, tier, part, &found, &digest, err);
            *parts += found;
            *positions += found ? v->game->index->size(v, tier, part) : 0;
        }
    return status;
}

/* ---- Questions --------------------------------------------------------------------------------- */

static void views_write(const parquet_store *q, text *sql)
{
    const tabular *t = &q->base;
    char *files = path_of(q, t->base.kind == STORE_GRAPH ? "graph/*.parquet" : "indexed/*/*.parquet");
    text_printf(sql, "CREATE VIEW %s AS SELECT * FROM read_parquet(",
                t->base.kind == STORE_GRAPH ? "graph" : "indexed");
    duckdb_quote(files != NULL ? files : "", sql);
    text_string(sql, ", hive_partitioning = false);");
    if (t->base.kind == STORE_GRAPH) {
        text_string(sql, "CREATE VIEW positions AS SELECT ");
        tabular_view_columns(t, sql);
        text_string(sql, " FROM graph;");
    }
    free(files);
}

static holos_status parquet_open(const char *location, const store_options *o, store **out, holos_error *err);

static holos_status parquet_sql(const char *location, const char *question, holos_report *out,
                                holos_error *err)
{
    store *s;
    text sql;
    holos_status status = parquet_open(location, &(store_options){.mode = STORE_READ}, &s, err);
    if (status != HOLOS_OK)
        return status;
    parquet_store *q = parquet_of(tabular_of(s));
    text_init(&sql);
    views_write(q, &sql);
    status = sql.failed ? error_system(err, "the question") : duckdb_run(&q->duck, sql.data, err);
    if (status == HOLOS_OK && duckdb_tell(&q->duck, question, out, err) != HOLOS_OK)
        status = error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s", err->message);
    text_free(&sql);
    store_close(s);
    return status;
}

/* ---- The backend ------------------------------------------------------------------------------- */

static const tabular_driver driver = {
    .size = sizeof(parquet_store),
    .batch = BATCH,
    .look = parquet_look,
    .close = parquet_close,
    .begin = parquet_begin,
    .create = parquet_manifest_save,
    .manifest_save = parquet_manifest_save,
    .bytes = parquet_bytes,
    .blocks_read = parquet_blocks_read,
    .rows_put = parquet_rows_put,
    .rows_read = parquet_rows_read,
    .rows_cut = parquet_rows_cut,
    .part_find = parquet_part_find,
    .part_put = parquet_part_put,
    .part_block = parquet_part_block,
    .values_read = parquet_values_read,
    .parts_count = parquet_parts_count,
};

static holos_status parquet_open(const char *location, const store_options *o, store **out, holos_error *err)
{
    return tabular_open(&store_parquet, &driver, location, o, out, err);
}

static bool parquet_recognise(const char *path)
{
    text name;
    text_init(&name);
    text_printf(&name, "%s/" MANIFEST, path);
    bool there = !name.failed && access(name.data, F_OK) == 0;
    text_free(&name);
    return there;
}

static bool parquet_library(text *out)
{
    duckdb d;
    holos_error err;
    if (duckdb_load(&d, &err) != HOLOS_OK) {
        text_string(out, err.message);
        return false;
    }
    text_printf(out, "duckdb %s", d.library_version() + 1);
    return true;
}

const store_backend store_parquet = {
    .scheme = "parquet",
    .summary = "parquet:DIR",
    .can = STORE_DATABASES | STORE_GRAPHS | STORE_ATOMIC | STORE_SQL,
    .library = parquet_library,
    .recognise = parquet_recognise,
    .open = parquet_open,
    .sql = parquet_sql,
    TABULAR_BACKEND,
};
