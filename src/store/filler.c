/* SPDX-License-Identifier: MIT */

#include "store/filler.h"

#include <string.h>

static void filler_point(filler *f)
{
    for (uint32_t i = 0; i < f->columns; i++) {
        f->vectors[i] = f->d->data_chunk_get_vector(f->chunk, i);
        f->data[i] = f->d->vector_get_data(f->vectors[i]);
    }
    f->count = 0;
}

holos_status filler_begin(filler *f, duckdb *d, const int *types, uint32_t columns, holos_error *err)
{
    duckdb_pointer logical[FILLER_COLUMNS];
    *f = (filler){.d = d, .columns = columns};
    for (uint32_t i = 0; i < columns; i++)
        logical[i] = d->create_logical_type(types[i]);
    f->chunk = d->create_data_chunk(logical, columns);
    for (uint32_t i = 0; i < columns; i++)
        d->destroy_logical_type(&logical[i]);
    if (f->chunk == NULL || d->appender_create(d->connection, NULL, "filling", &f->appender) != 0)
        return error_set(err, HOLOS_IO, HOLOS_NOWHERE, "DuckDB does not take rows");
    filler_point(f);
    return HOLOS_OK;
}

static void filler_send(filler *f)
{
    if (f->count == 0)
        return;
    f->d->data_chunk_set_size(f->chunk, f->count);
    f->failed = f->failed || f->d->append_data_chunk(f->appender, f->chunk) != 0;
    f->d->data_chunk_reset(f->chunk);
    filler_point(f);
}

void filler_next(filler *f)
{
    if (++f->count == DUCKDB_VECTOR)
        filler_send(f);
}

void fill_null(filler *f, uint32_t column)
{
    f->d->vector_ensure_validity_writable(f->vectors[column]);
    f->d->vector_get_validity(f->vectors[column])[f->count / 64] &= ~((uint64_t)1 << f->count % 64);
}

void fill_text(filler *f, uint32_t column, const char *words, size_t length)
{
    if (length <= 12) { /* in place, as DuckDB itself does it */
        duckdb_words *out = (duckdb_words *)f->data[column] + f->count;
        *out = (duckdb_words){.length = (uint32_t)length};
        memcpy(out->place, words, length);
        return;
    }
    f->d->vector_assign_string_element_len(f->vectors[column], f->count, words, length);
}

holos_status filler_end(filler *f, holos_status status, holos_error *err)
{
    if (status == HOLOS_OK)
        filler_send(f);
    bool failed = f->failed;
    if (f->appender != NULL)
        failed = f->d->appender_destroy(&f->appender) != 0 || failed;
    if (f->chunk != NULL)
        f->d->destroy_data_chunk(&f->chunk);
    return status == HOLOS_OK && failed
               ? error_set(err, HOLOS_IO, HOLOS_NOWHERE, "DuckDB does not take the rows")
               : status;
}
