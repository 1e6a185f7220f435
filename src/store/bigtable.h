/* SPDX-License-Identifier: MIT */

/* Inside the Bigtable store: what its files share.
 *
 *     bigtable.c         the store: rows, blocks, parts, the manifest
 *     bigtable_calls.c   reading and changing rows of a table, by gRPC (rpc.h) and protobuf-c (bigtable.proto)
 *
 * There are no transactions: what is written is written in an order in which it can be cut off anywhere, and written again. */

#ifndef HOLOS_STORE_BIGTABLE_H
#define HOLOS_STORE_BIGTABLE_H

#include "store/rpc.h"
#include "store/tabular.h"

#define BIGTABLE_FAMILY "holos"

/* A table, and who waits for it how long. */
typedef struct bigtable_table {
    rpc *data, *admin;
    char *instance, *table; /* "projects/P/instances/I", "projects/P/instances/I/tables/T" */
    const char *id;         /* T */
    char *routing;
    const char *name; /* for messages */
    double wait;
    const holos_stop *stop;
    bool was_connected;
} bigtable_table;

holos_status bigtable_connect(bigtable_table *b, const char *address, holos_error *err);
void bigtable_disconnect(bigtable_table *b);

/* A row: its key, and the value of its one cell. */
typedef struct bigtable_row {
    char key[64];
    const uint8_t *value;
    size_t size;
} bigtable_row;

/* Rows of the table, in the order of their keys; false: enough, which is an error. */
typedef bool bigtable_visit(void *context, const bigtable_row *row);

/* Which rows: from `first` on, before `end` ("": none), at most `limit` (0: all); or those of the keys. */
typedef struct bigtable_question {
    char first[64], end[64];
    const char (*keys)[64];
    size_t key_count;
    uint64_t limit;
    bigtable_visit *visit;
    void (*again)(void *context); /* it begins anew: the server had gone away; may be NULL */
    void *context;
} bigtable_question;

/* *there: false if there is no such table; may be NULL. */
holos_status bigtable_read(bigtable_table *b, const bigtable_question *q, bool *there, holos_error *err);
/* Writes rows; those with a NULL value are removed. */
holos_status bigtable_write(bigtable_table *b, const bigtable_row *rows, size_t count, holos_error *err);
/* Makes the table, if it is not there. */
holos_status bigtable_make(bigtable_table *b, holos_error *err);
/* Whether the table has our family. */
holos_status bigtable_is_ours(bigtable_table *b, bool *ours, holos_error *err);
/* Removes all rows whose keys begin so; NULL: all. */
holos_status bigtable_drop(bigtable_table *b, const char *prefix, holos_error *err);
/* About how many bytes it has. */
holos_status bigtable_size(bigtable_table *b, uint64_t *out, holos_error *err);

#endif
