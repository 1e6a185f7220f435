/* SPDX-License-Identifier: MIT */

/* Inside the PostgreSQL store: what its files share.
 *
 *     postgres.c         the connection, the tables, the manifest
 *     postgres_rows.c    rows of graphs and databases: COPY in, prepared statements out
 *
 * Each thing that is done is done in one transaction, and is done again if the server went away meanwhile: the tables of blocks and
 * parts tell what is there. So two that write the same store wait for each other at a block, and write it once. */

#ifndef HOLOS_STORE_POSTGRES_H
#define HOLOS_STORE_POSTGRES_H

#include "store/library.h"
#include "store/tabular.h"

#include <libpq-fe.h>

#define POSTGRES_FUNCTIONS(X)                                                                                \
    X(PQclear)                                                                                               \
    X(PQconnectdb)                                                                                           \
    X(PQerrorMessage)                                                                                        \
    X(PQexec)                                                                                                \
    X(PQexecParams)                                                                                          \
    X(PQexecPrepared)                                                                                        \
    X(PQfinish)                                                                                              \
    X(PQgetResult)                                                                                           \
    X(PQgetisnull)                                                                                           \
    X(PQgetlength)                                                                                           \
    X(PQgetvalue)                                                                                            \
    X(PQlibVersion)                                                                                          \
    X(PQnfields)                                                                                             \
    X(PQntuples)                                                                                             \
    X(PQprepare)                                                                                             \
    X(PQputCopyData)                                                                                         \
    X(PQputCopyEnd)                                                                                          \
    X(PQresultErrorMessage)                                                                                  \
    X(PQresultStatus)                                                                                        \
    X(PQsetNoticeReceiver)                                                                                   \
    X(PQstatus)

/* The functions of libpq that are used. */
typedef struct postgres_library {
    POSTGRES_FUNCTIONS(LIBRARY_MEMBER)
} postgres_library;

typedef struct postgres_store {
    tabular base;
    postgres_library pq;
    PGconn *db; /* NULL: not connected */
    char *address;
    char schema[49];
    double wait;
    unsigned prepared; /* statements that this connection knows */
    bool was_connected;
    bool depth_index; /* asked for: "index=depth" */
    bool has_index;   /* of the keys or ranks: the tables are filled without one */
} postgres_store;

static inline postgres_store *postgres_of(tabular *t)
{
    return (postgres_store *)t;
}

/* ---- postgres.c -------------------------------------------------------------------------------- */

/* Something that is done while connected. */
typedef holos_status postgres_work(postgres_store *q, void *context, holos_error *err);

/* Does it; if the connection is lost, waits for the server and does it again. */
holos_status postgres_do(postgres_store *q, postgres_work *work, void *context, holos_error *err);
/* The same as a transaction. */
holos_status postgres_transact(postgres_store *q, postgres_work *work, void *context, holos_error *err);

/* Takes the result: its error, or HOLOS_OK. */
holos_status postgres_done(postgres_store *q, PGresult *r, const char *what, holos_error *err);
/* Statements without an answer. */
holos_status postgres_run(postgres_store *q, const char *sql, holos_error *err);
/* A statement with an answer, in binary; the caller clears *out. */
holos_status postgres_ask(postgres_store *q, const char *sql, PGresult **out, holos_error *err);
/* The same with parameters as text, prepared once on a connection under a small number. */
holos_status postgres_ask_prepared(postgres_store *q, unsigned number, const char *sql, int count,
                                   const char *const *parameters, PGresult **out, holos_error *err);
/* An integer of any size; 0 for NULL. */
int64_t postgres_int(const postgres_store *q, const PGresult *r, int row, int column);
/* Makes the index of keys or ranks, once. */
holos_status postgres_index(postgres_store *q, holos_error *err);

/* ---- postgres_rows.c --------------------------------------------------------------------------- */

holos_status postgres_blocks_read(tabular *t, holos_error *err);
holos_status postgres_rows_put(tabular *t, const holos_row *rows, const tabular_block *blocks, size_t count,
                               holos_error *err);
holos_status postgres_rows_read(tabular *t, holos_key first, const holos_key *end, bool whole, holos_row *out,
                                uint32_t room, uint32_t *count, bool *sound, holos_error *err);
holos_status postgres_rows_find(tabular *t, const holos_key *keys, size_t count, holos_row *out, bool *found,
                                holos_error *err);
holos_status postgres_rows_cut(tabular *t, const holos_key *last, holos_error *err);
holos_status postgres_part_find(tabular *t, uint32_t tier, uint32_t part, bool *found, holos_key *digest,
                                holos_error *err);
holos_status postgres_part_put(tabular *t, const tabular_part *part, holos_error *err);
holos_status postgres_part_block(tabular *t, holos_place first, uint64_t rank, bool *found, holos_key *digest,
                                 holos_error *err);
holos_status postgres_values_read(tabular *t, holos_place first, uint64_t rank, uint64_t size, uint8_t *bytes,
                                  uint64_t *read, holos_error *err);
holos_status postgres_part_check(tabular *t, uint32_t tier, uint32_t part, uint64_t rank, uint64_t size,
                                 uint64_t *good, holos_error *err);

#endif
