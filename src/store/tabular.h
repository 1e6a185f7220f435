/* SPDX-License-Identifier: MIT */

/* Stores that keep rows in somebody's tables: SQLite, PostgreSQL, Parquet files, Bigtable. What they have in common is here:
 * the manifest, what may be begun or gone on with, blocks of rows with their digests, checks. A driver moves rows.
 *
 *     tabular.c            opening, the manifest, columns
 *     tabular_graph.c      graphs, as rows             tabular_database.c   databases, part by part
 *
 * Whoever keeps the tables may look after their structure, not after what is in them. So every block of rows has a digest; verify
 * compares all of them, a reader that of a block before its first answer from it.
 *
 * The tables that people see are the same everywhere:
 *
 *     store      one row: the manifest
 *     graph      a graph: key, depth, value, best; and the game's own columns (kalah: pits and stores) and the side,
 *                unless SQL can tell them from the key
 *     positions  a view of it, with all columns
 *     indexed    a database: rank over all parts, tier, part, the game's columns, side, value
 *     parts      a database: which parts are there, and their digests
 *     blocks     the digests of blocks of rows
 *
 * `value` of a graph is the score, with what is banked; of a database what is still to come; both for the side to move. A key is
 * an integer where it has at most 63 bits, otherwise 16 bytes, the highest first. Rows of a graph are written in the order of their
 * keys, block by block, so those that an interrupted build has left are the first ones. */

#ifndef HOLOS_STORE_TABULAR_H
#define HOLOS_STORE_TABULAR_H

#include "store/manifest.h"
#include "store/row_cache.h"
#include "store/store.h"

#include <pthread.h>

typedef struct tabular tabular;

/* Ranks of a database in one block; a part begins a new one. */
#define TABULAR_RANKS 8192u
/* Columns of a game at most. */
#define TABULAR_COLUMNS 64

/* A block of rows: of a graph by its first key, of a database by its first rank. */
typedef struct tabular_block {
    holos_key first, digest;
    uint32_t rows;
    bool good; /* its rows have been compared */
} tabular_block;

/* What lies at a place. */
typedef enum tabular_place {
    TABULAR_FREE,
    TABULAR_OURS,
    TABULAR_DAMAGED, /* ours, but the manifest cannot be read */
    TABULAR_FOREIGN, /* somebody else's */
} tabular_place;

/* A part of a database, as it is written. */
typedef struct tabular_part {
    uint32_t tier, part;
    uint64_t rank; /* of its first position, all parts counted through */
    const uint8_t *bytes;
    uint64_t size;
    holos_key digest;
    const tabular_block *blocks;
    size_t block_count;
} tabular_part;

/* Calls come one at a time. Those that write do it whole or not at all, or so that it can be done again. */
typedef struct tabular_driver {
    size_t size;    /* of its struct, which begins with a tabular */
    uint32_t batch; /* blocks of a graph that are written at once */

    /* Finds out what lies at a location, which stays valid; fills t->name. Of a store of ours it appends the manifest. If it is
     * damaged or somebody else's, *err says why. */
    holos_status (*look)(tabular *t, const char *location, tabular_place *place, text *words,
                         holos_error *err);
    void (*close)(tabular *t);
    /* Whether what is there can be gone on with; NULL: always. */
    bool (*is_whole)(tabular *t);
    /* From now on there will be writing. `anew`: what is there goes first. */
    holos_status (*begin)(tabular *t, bool anew, holos_error *err);
    /* Makes the tables of t->base.kind, with the manifest. */
    holos_status (*create)(tabular *t, const char *words, size_t size, holos_error *err);
    holos_status (*manifest_save)(tabular *t, const char *words, size_t size, holos_error *err);
    /* Everything is written but the last manifest: indexes and so on; may be NULL. */
    holos_status (*seal)(tabular *t, holos_error *err);
    /* After the last manifest; may be NULL. */
    holos_status (*finish)(tabular *t, holos_error *err);
    /* The structure of what is there; may be NULL. */
    holos_status (*check)(tabular *t, holos_error *err);
    uint64_t (*bytes)(tabular *t);

    /* Graphs. */
    /* Calls tabular_block_add for each block, in order. */
    holos_status (*blocks_read)(tabular *t, holos_error *err);
    /* The rows of the blocks, one after the other. A block that another has written meanwhile is left alone. */
    holos_status (*rows_put)(tabular *t, const holos_row *rows, const tabular_block *blocks, size_t count,
                             holos_error *err);
    /* Rows from `first` on, in order, and before `end` if that is not NULL, at most `room` of them. `whole`: *sound says whether
     * all other columns are what they should be. */
    holos_status (*rows_read)(tabular *t, holos_key first, const holos_key *end, bool whole, holos_row *out,
                              uint32_t room, uint32_t *count, bool *sound, holos_error *err);
    /* Rows by their keys; NULL: only whole blocks can be read. */
    holos_status (*rows_find)(tabular *t, const holos_key *keys, size_t count, holos_row *out, bool *found,
                              holos_error *err);
    /* Removes rows and blocks after `last`; NULL: all. */
    holos_status (*rows_cut)(tabular *t, const holos_key *last, holos_error *err);

    /* Databases. */
    holos_status (*part_find)(tabular *t, uint32_t tier, uint32_t part, bool *found, holos_key *digest,
                              holos_error *err);
    /* In place of what is there, unless that is the same. */
    holos_status (*part_put)(tabular *t, const tabular_part *part, holos_error *err);
    /* The digest of the block that begins with a rank of a part. */
    holos_status (*part_block)(tabular *t, holos_place first, uint64_t rank, bool *found, holos_key *digest,
                               holos_error *err);
    /* The values of ranks, in order, from the place `first` on, all of one part; *read says how many there were before one was
     * missing or wrong. */
    holos_status (*values_read)(tabular *t, holos_place first, uint64_t rank, uint64_t size, uint8_t *bytes,
                                uint64_t *read, holos_error *err);
    /* Whether all columns of a part are what they should be, up to which rank; NULL: there are none. */
    holos_status (*part_check)(tabular *t, uint32_t tier, uint32_t part, uint64_t rank, uint64_t size,
                               uint64_t *good, holos_error *err);
    /* Removes rows that belong to no part; NULL: there cannot be any. */
    holos_status (*stray_remove)(tabular *t, uint64_t positions, holos_error *err);
    /* How many rows there are; NULL: nobody else could have added some. */
    uint64_t (*rows_count)(tabular *t);
    /* The parts that are there, and their positions. */
    holos_status (*parts_count)(tabular *t, uint64_t *parts, uint64_t *positions, holos_error *err);
} tabular_driver;

struct tabular {
    store base;
    const tabular_driver *driver;
    char *name; /* for messages; the driver's */
    manifest manifest;
    pthread_mutex_t lock;
    bool writing;
    const holos_stop *stop; /* may be NULL */
    uint32_t columns;       /* the game's own */
    holos_position *scratch;
    /* Graphs. */
    bool key_is_integer;
    bool columns_from_key; /* the table does not have them */
    bool has_last;         /* of an interrupted build: rows up to `last` are there */
    holos_key last;
    tabular_block *blocks; /* in the order of their keys */
    size_t block_count, block_room;
    size_t kept; /* blocks that the driver has; the others' rows are in `open` */
    size_t cache_bytes;
    row_cache cache;
    holos_row *open;     /* rows that are being written, or read */
    uint32_t open_count; /* of the last block */
    unsigned char *room; /* for its digest */
    /* Databases. */
    struct tabular_start {
        uint64_t rank, block; /* of its first position and its first block, all parts counted through */
    } * *parts;               /* [tier][part], up to the top */
    bool *good;               /* blocks whose rows have been compared */
    uint8_t **values;         /* and their values, as far as there is room */
    uint64_t value_blocks, values_held;
};

static inline tabular *tabular_of(store *s)
{
    return (tabular *)s;
}

/* ---- tabular.c --------------------------------------------------------------------------------- */

/* For a backend's open. */
holos_status tabular_open(const store_backend *backend, const tabular_driver *driver, const char *location,
                          const store_options *o, store **out, holos_error *err);
void tabular_close(store *s);
void tabular_facts(store *s, store_facts *out);
holos_status tabular_finish(store *s, holos_error *err);
holos_status tabular_check(store *s, const holos_stop *stop, holos_error *err);
holos_status tabular_manifest_save(tabular *t, holos_error *err);

/* What all backends of this kind share. */
#define TABULAR_BACKEND                                                                                      \
    .close = tabular_close, .facts = tabular_facts, .finish = tabular_finish, .check = tabular_check,        \
    .has = tabular_has, .load = tabular_load, .save = tabular_save, .byte = tabular_byte,                    \
    .put = tabular_put, .get = tabular_get, .scan = tabular_scan

/* A row as people see it. */
typedef struct tabular_fields {
    int64_t columns[TABULAR_COLUMNS];
    char position[2048]; /* of a game without columns of its own */
    int side;            /* 1 or 2 */
    char best[32];       /* of a row that has one */
} tabular_fields;

/* The fields of a position: its columns and side. */
void tabular_position_fields(const tabular *t, const holos_position *p, tabular_fields *out);
/* Those of a row of a graph that the table has. */
void tabular_row_fields(tabular *t, const holos_row *row, tabular_fields *out);
/* A row of a graph from what a table says. What no build has written is read as what no build has written, so that its digest is
 * another one. `best` may be NULL, and `value` too. */
void tabular_row_make(tabular *t, holos_key key, int64_t depth, const int64_t *value, const char *best,
                      holos_row *out);
/* How many columns a row has for the position: the game's own, or its text. */
uint32_t tabular_column_count(const tabular *t);
/* ", first_1 TYPE, first_2 TYPE, …"; a game without columns of its own has its text. */
void tabular_columns_list(const tabular *t, const char *type, const char *text_type, text *out);
/* The columns of the view `positions`, as SELECT wants them. */
void tabular_view_columns(const tabular *t, text *out);

void tabular_key_bytes(holos_key key, unsigned char out[16]);
holos_key tabular_key_read(const unsigned char bytes[16]);

/* ---- tabular_graph.c --------------------------------------------------------------------------- */

holos_status tabular_block_add(tabular *t, tabular_block block, holos_error *err);
/* The block that has a key, or would have it. */
size_t tabular_block_of(const tabular *t, holos_key key);
/* Reads the blocks. HOLOS_BAD_FILE if they are not those of the manifest. */
holos_status graph_blocks_load(tabular *t, holos_error *err);
/* Where an interrupted build has stopped; rows that are not sound, and those behind them, are removed. */
holos_status graph_go_on(tabular *t, holos_error *err);
/* Whole blocks that are pending. */
holos_status graph_flush(tabular *t, holos_error *err);
holos_status graph_finish(tabular *t, holos_error *err);
holos_status graph_check(tabular *t, const holos_stop *stop, holos_error *err);
holos_status tabular_put(store *s, const holos_row *rows, size_t count, holos_error *err);
holos_status tabular_get(store *s, const holos_key *identities, size_t count, holos_row *out, bool *found,
                         holos_error *err);
holos_status tabular_scan(store *s, const store_range *range, store_row_visit *visit, void *context,
                          holos_error *err);

/* ---- tabular_database.c ------------------------------------------------------------------------ */

/* Counts through the parts up to the top of the manifest. */
holos_status database_begin(tabular *t, holos_error *err);
/* HOLOS_BAD_FILE if the digests of a finished one's parts are not those of the manifest. */
holos_status database_parts_check(tabular *t, holos_error *err);
void database_end(tabular *t);
holos_status database_finish(tabular *t, holos_error *err);
holos_status database_check(tabular *t, const holos_stop *stop, holos_error *err);
bool tabular_has(store *s, uint32_t tier, uint32_t part);
holos_status tabular_load(store *s, uint32_t tier, uint32_t part, uint8_t *bytes, uint64_t size,
                          holos_error *err);
holos_status tabular_save(store *s, uint32_t tier, uint32_t part, const uint8_t *bytes, uint64_t size,
                          holos_error *err);
holos_status tabular_byte(store *s, holos_place place, uint8_t *out, holos_error *err);

#endif
