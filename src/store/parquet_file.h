/* SPDX-License-Identifier: MIT */

/* What stands beside a Parquet file of a store: NAME.json beside NAME.parquet, with the size and the digest of the file and those of its
 * blocks of rows. A Parquet file without one is what a killed process has left. DuckDB is never shown a file that does not match: it
 * trusts what it reads. */

#ifndef HOLOS_STORE_PARQUET_FILE_H
#define HOLOS_STORE_PARQUET_FILE_H

#include "store/tabular.h"

typedef struct parquet_file {
    char *path; /* of the Parquet file */
    uint64_t bytes;
    holos_key checksum;
    holos_key digest;      /* of a part of a database: of its values */
    tabular_block *blocks; /* in order */
    size_t block_count;
    size_t first; /* its first block, of all of a graph */
    bool good;    /* its bytes have been compared */
} parquet_file;

/* "DIR/NAME.parquet" -> "DIR/NAME.json"; NULL: no memory. The caller frees it. */
char *parquet_note_path(const char *path);
/* Notes what a file is, which is whole now. `path` is copied. */
holos_status parquet_file_note(const char *path, holos_key digest, const tabular_block *blocks, size_t count,
                               holos_error *err);
/* Reads what stands beside a file. *there: false if nothing does, or nothing that can be read. The caller frees it. */
holos_status parquet_file_read(parquet_file *f, const char *path, bool *there, holos_error *err);
/* Compares its bytes, once. */
holos_status parquet_file_check(parquet_file *f, holos_error *err);
void parquet_file_free(parquet_file *f);

#endif
