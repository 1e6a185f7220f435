/* SPDX-License-Identifier: MIT */

/* Rows on their way into a table of DuckDB that is called "filling", a vector at a time. */

#ifndef HOLOS_STORE_FILLER_H
#define HOLOS_STORE_FILLER_H

#include "store/duckdb.h"

#define FILLER_COLUMNS 72

typedef struct filler {
    duckdb *d;
    duckdb_pointer appender, chunk;
    uint32_t columns, count; /* rows in the chunk */
    void *data[FILLER_COLUMNS];
    duckdb_pointer vectors[FILLER_COLUMNS];
    bool failed;
} filler;

/* `types`: of the columns, DUCKDB_…; the table is there. */
holos_status filler_begin(filler *f, duckdb *d, const int *types, uint32_t columns, holos_error *err);
/* After the columns of a row: the next row. */
void filler_next(filler *f);
/* Frees it in any case; `status` is that of whoever filled it. */
holos_status filler_end(filler *f, holos_status status, holos_error *err);

void fill_text(filler *f, uint32_t column, const char *words, size_t length);
void fill_null(filler *f, uint32_t column);

static inline void fill_int(filler *f, uint32_t column, int64_t value)
{
    ((int32_t *)f->data[column])[f->count] = (int32_t)value;
}

static inline void fill_long(filler *f, uint32_t column, int64_t value)
{
    ((int64_t *)f->data[column])[f->count] = value;
}

#endif
