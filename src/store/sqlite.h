/* SPDX-License-Identifier: MIT */

/* Inside the SQLite store: what its files share.
 *
 *     sqlite.c            opening, the manifest, what may be replaced
 *     sqlite_graph.c      graphs, as rows        sqlite_database.c   databases, as rows
 *
 * SQLite checks the structure of its pages, not what is in them. So every block of rows has a digest, in a table of its
 * own; verify compares all of them, a reader that of a block before its first answer from it. */

#ifndef HOLOS_STORE_SQLITE_H
#define HOLOS_STORE_SQLITE_H

#include "store/manifest.h"
#include "store/rows.h"
#include "store/store.h"

#include <pthread.h>
#include <sqlite3.h>

/* A block of a graph. */
typedef struct sqlite_block {
    holos_key first;
    uint32_t rows;
    holos_key digest;
    bool good; /* its rows have been compared */
} sqlite_block;

/* A part of a database: its first position and its first block, all parts counted through. */
typedef struct sqlite_part {
    uint64_t rank, block;
} sqlite_part;

typedef struct sqlite_store {
    store base;
    char *path;
    sqlite3 *db;
    sqlite3_stmt *insert, *find, *block_insert; /* made when first needed */
    manifest manifest;
    pthread_mutex_t lock;
    bool writing;
    uint32_t columns; /* the game's own */
    /* Graphs. */
    bool key_is_integer;
    bool columns_from_key; /* the table does not have them */
    uint64_t pending;      /* rows of the transaction that is open */
    bool has_last;         /* of an interrupted build: rows up to `last` are there */
    holos_key last;
    sqlite_block *blocks; /* in the order of their keys */
    size_t block_count, block_room;
    holos_row *open; /* rows of the block that is being written, or read */
    uint32_t open_count;
    unsigned char *room; /* for its digest */
    /* Databases. */
    sqlite_part **parts; /* [tier][part], up to the top */
    bool *good;          /* blocks whose rows have been compared */
} sqlite_store;

/* Ranks of a database in one block; a part begins a new one. */
#define SQLITE_RANKS 8192u

/* ---- sqlite.c ---------------------------------------------------------------------------------- */

static inline sqlite_store *sqlite_of(store *s)
{
    return (sqlite_store *)s;
}

/* What SQLite says went wrong. HOLOS_BAD_FILE: the file is damaged. */
holos_status sqlite_failed(sqlite_store *q, const char *what, holos_error *err);
holos_status sqlite_run(sqlite_store *q, const char *sql, holos_error *err);
holos_status sqlite_prepare(sqlite_store *q, const char *sql, sqlite3_stmt **out, holos_error *err);
/* The one number that a question has for an answer; 0 if there is none. */
uint64_t sqlite_number(sqlite_store *q, const char *sql);
holos_status sqlite_manifest_save(sqlite_store *q, holos_error *err);
/* INSERT INTO table VALUES(?,…), once. */
holos_status sqlite_insert_prepare(sqlite_store *q, const char *table, uint32_t columns, sqlite3_stmt **out,
                                   holos_error *err);

/* ", first_1, first_2, …" with `after` behind each; a game without columns of its own has its text. */
void sqlite_columns_list(const sqlite_store *q, const char *after, text *out);
/* Binds the columns from parameter `first` on; returns the next parameter. */
int sqlite_columns_bind(const sqlite_store *q, sqlite3_stmt *s, int first, const holos_position *p);
/* Whether the columns of a row, from column `*first` on, are those of a position; *first becomes the next. */
bool sqlite_columns_match(const sqlite_store *q, sqlite3_stmt *s, int *first, const holos_position *p);

void sqlite_digest_bind(sqlite3_stmt *s, int parameter, holos_key digest);
bool sqlite_digest_column(sqlite3_stmt *s, int column, holos_key *out);

/* ---- sqlite_graph.c ---------------------------------------------------------------------------- */

void graph_tables_write(const sqlite_store *q, text *out);
/* Reads the blocks. HOLOS_BAD_FILE if they are not those of the manifest, or if the tables are those of an older version. */
holos_status graph_blocks_load(sqlite_store *q, holos_error *err);
/* Where an interrupted build has stopped; rows that are not sound, and those behind them, are removed. */
holos_status graph_go_on(sqlite_store *q, holos_error *err);
holos_status graph_commit(sqlite_store *q, holos_error *err);
holos_status graph_finish(sqlite_store *q, holos_error *err);
holos_status graph_check(sqlite_store *q, const holos_stop *stop, holos_error *err);
holos_status sqlite_put(store *s, const holos_row *rows, size_t count, holos_error *err);
holos_status sqlite_find(store *s, holos_key identity, holos_row *out, bool *found, holos_error *err);
holos_status sqlite_each(store *s, store_row_visit *visit, void *context, holos_error *err);

/* ---- sqlite_database.c ------------------------------------------------------------------------- */

void database_tables_write(const sqlite_store *q, text *out);
/* Counts through the parts up to the top of the manifest. */
holos_status database_begin(sqlite_store *q, holos_error *err);
/* HOLOS_BAD_FILE if the digests of a finished one's parts are not those of the manifest, or if its tables are of an older
 * version. */
holos_status database_parts_check(sqlite_store *q, holos_error *err);
void database_end(sqlite_store *q);
holos_status database_finish(sqlite_store *q, holos_error *err);
holos_status database_check(sqlite_store *q, const holos_stop *stop, holos_error *err);
bool sqlite_has(store *s, uint32_t tier, uint32_t part);
holos_status sqlite_load(store *s, uint32_t tier, uint32_t part, uint8_t *bytes, uint64_t size,
                         holos_error *err);
holos_status sqlite_save(store *s, uint32_t tier, uint32_t part, const uint8_t *bytes, uint64_t size,
                         holos_error *err);
holos_status sqlite_byte(store *s, holos_place place, uint8_t *out, holos_error *err);

#endif
