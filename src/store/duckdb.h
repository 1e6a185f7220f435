/* SPDX-License-Identifier: MIT */

/* DuckDB, which reads and writes Parquet: a shared library that is loaded when it is needed. There is no header for it in Debian,
 * so the part of its C interface that we use is declared here, as its documentation (https://duckdb.org/docs/stable/clients/c/api)
 * has it. The interface is stable within version 1. */

#ifndef HOLOS_STORE_DUCKDB_H
#define HOLOS_STORE_DUCKDB_H

#include "core/error.h"
#include "core/text.h"

#include <holos/report.h>

#include <stdint.h>

/* What scripts/setup installs. */
#define DUCKDB_VERSION "1.5.6"

typedef struct duckdb_handle *duckdb_pointer;

typedef struct duckdb_answer {
    uint64_t columns, rows, changed;
    void *column, *message, *internal;
} duckdb_answer;

/* A string in a vector: up to 12 bytes are in place. */
typedef struct duckdb_words {
    uint32_t length;
    char place[4];
    const char *pointer;
} duckdb_words;

enum {
    DUCKDB_TINYINT = 2,
    DUCKDB_UBIGINT = 9,
    DUCKDB_INTEGER = 4,
    DUCKDB_BIGINT = 5,
    DUCKDB_VARCHAR = 17,
    DUCKDB_BLOB = 18
};
enum { DUCKDB_VECTOR = 2048 };

/* X(result, name, parameters): duckdb_NAME of the library. A result of int is 0 for success. */
#define DUCKDB_FUNCTIONS(X)                                                                                  \
    X(const char *, library_version, (void))                                                                 \
    X(int, create_config, (duckdb_pointer * out))                                                            \
    X(int, set_config, (duckdb_pointer config, const char *name, const char *value))                         \
    X(void, destroy_config, (duckdb_pointer * config))                                                       \
    X(int, open_ext, (const char *path, duckdb_pointer *out, duckdb_pointer config, char **message))         \
    X(void, close, (duckdb_pointer * database))                                                              \
    X(int, connect, (duckdb_pointer database, duckdb_pointer * out))                                         \
    X(void, disconnect, (duckdb_pointer * connection))                                                       \
    X(int, query, (duckdb_pointer connection, const char *sql, duckdb_answer *out))                          \
    X(void, destroy_result, (duckdb_answer * answer))                                                        \
    X(const char *, result_error, (duckdb_answer * answer))                                                  \
    X(duckdb_pointer, fetch_chunk, (duckdb_answer answer))                                                   \
    X(uint64_t, column_count, (duckdb_answer * answer))                                                      \
    X(const char *, column_name, (duckdb_answer * answer, uint64_t column))                                  \
    X(int, column_type, (duckdb_answer * answer, uint64_t column))                                           \
    X(uint64_t, row_count, (duckdb_answer * answer))                                                         \
    X(char *, value_varchar, (duckdb_answer * answer, uint64_t column, uint64_t row))                        \
    X(bool, value_is_null, (duckdb_answer * answer, uint64_t column, uint64_t row))                          \
    X(int, appender_create,                                                                                  \
      (duckdb_pointer connection, const char *schema, const char *table, duckdb_pointer *out))               \
    X(const char *, appender_error, (duckdb_pointer appender))                                               \
    X(int, append_data_chunk, (duckdb_pointer appender, duckdb_pointer chunk))                               \
    X(int, appender_destroy, (duckdb_pointer * appender))                                                    \
    X(duckdb_pointer, create_logical_type, (int type))                                                       \
    X(void, destroy_logical_type, (duckdb_pointer * type))                                                   \
    X(duckdb_pointer, create_data_chunk, (duckdb_pointer * types, uint64_t count))                           \
    X(void, destroy_data_chunk, (duckdb_pointer * chunk))                                                    \
    X(void, data_chunk_reset, (duckdb_pointer chunk))                                                        \
    X(duckdb_pointer, data_chunk_get_vector, (duckdb_pointer chunk, uint64_t column))                        \
    X(uint64_t, data_chunk_get_size, (duckdb_pointer chunk))                                                 \
    X(void, data_chunk_set_size, (duckdb_pointer chunk, uint64_t size))                                      \
    X(void *, vector_get_data, (duckdb_pointer vector))                                                      \
    X(uint64_t *, vector_get_validity, (duckdb_pointer vector))                                              \
    X(void, vector_ensure_validity_writable, (duckdb_pointer vector))                                        \
    X(void, vector_assign_string_element_len,                                                                \
      (duckdb_pointer vector, uint64_t row, const char *bytes, uint64_t length))                             \
    X(void, free, (void *block))

typedef struct duckdb {
    void *library; /* NULL: not loaded */
    duckdb_pointer database, connection;
#define DUCKDB_MEMBER(result, name, parameters) result(*name) parameters;
    DUCKDB_FUNCTIONS(DUCKDB_MEMBER)
#undef DUCKDB_MEMBER
} duckdb;

/* Loads the library: $HOLOS_DUCKDB, or what scripts/setup installed, or what the system has. HOLOS_UNSUPPORTED: it is not there;
 * *err says how to get it. */
holos_status duckdb_load(duckdb *d, holos_error *err);
/* A database in memory. On failure nothing stays open. */
holos_status duckdb_begin(duckdb *d, holos_error *err);
void duckdb_end(duckdb *d);

/* The caller destroys the answer, if *out is not NULL. */
holos_status duckdb_ask(duckdb *d, const char *sql, duckdb_answer *out, holos_error *err);
holos_status duckdb_run(duckdb *d, const char *sql, holos_error *err);

/* Adds the answer to a question to a report: "rows", numbers as numbers and everything else as words. */
holos_status duckdb_tell(duckdb *d, const char *question, holos_report *out, holos_error *err);

static inline const char *duckdb_bytes(const duckdb_words *words)
{
    return words->length <= 12 ? words->place : words->pointer;
}

static inline bool duckdb_is_there(const uint64_t *validity, uint64_t row)
{
    return validity == NULL || (validity[row / 64] >> row % 64 & 1) != 0;
}

/* 'it''s' */
void duckdb_quote(const char *words, text *out);

#endif
