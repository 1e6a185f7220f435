/* SPDX-License-Identifier: MIT */

#include "store/duckdb.h"

#include "core/report.h"
#include "store/library.h"

#include <stdlib.h>
#include <string.h>

#define NAME "libduckdb.so"

/* Where scripts/setup puts it. */
static void installed_path(text *out)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data != NULL && data[0] == '/')
        text_string(out, data);
    else
        text_printf(out, "%s/.local/share", home != NULL ? home : "");
    text_string(out, "/holos/duckdb-" DUCKDB_VERSION "/" NAME);
}

static void *duckdb_library(void)
{
    const char *given = getenv("HOLOS_DUCKDB");
    text path;
    if (given != NULL && given[0] != 0)
        return library_open(&given, 1);
    text_init(&path);
    installed_path(&path);
    const char *files[] = {path.data, NAME};
    void *library = library_open(files, 2);
    text_free(&path);
    return library;
}

static holos_status functions_find(duckdb *d, holos_error *err)
{
#define DUCKDB_ENTRY(result, name, parameters) {"duckdb_" #name, offsetof(duckdb, name)},
    static const library_entry entries[] = {DUCKDB_FUNCTIONS(DUCKDB_ENTRY)};
#undef DUCKDB_ENTRY
    const char *missing = library_fill(d->library, entries, sizeof entries / sizeof *entries, d);
    if (missing != NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "the DuckDB library has no %s; holos knows version " DUCKDB_VERSION, missing);
    const char *version = d->library_version();
    if (version[0] != 'v' || version[1] != '1' || version[2] != '.')
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "the DuckDB library is %s; holos knows version 1, such as " DUCKDB_VERSION, version);
    return HOLOS_OK;
}

holos_status duckdb_load(duckdb *d, holos_error *err)
{
    *d = (duckdb){.library = duckdb_library()};
    if (d->library == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "parquet:DIR needs the DuckDB library (scripts/setup --with parquet); "
                         "HOLOS_DUCKDB=FILE names one");
    return functions_find(d, err);
}

holos_status duckdb_begin(duckdb *d, holos_error *err)
{
    static const char *const settings[][2] = {
        {"autoinstall_known_extensions", "false"}, /* nothing comes from the network */
        {"autoload_known_extensions", "false"},
        {"memory_limit", "2GB"},
    };
    duckdb_pointer config = NULL;
    char *message = NULL;
    bool ready = d->create_config(&config) == 0;
    for (size_t i = 0; ready && i < sizeof settings / sizeof *settings; i++)
        ready = d->set_config(config, settings[i][0], settings[i][1]) == 0;
    ready = ready && d->open_ext(NULL, &d->database, config, &message) == 0 &&
            d->connect(d->database, &d->connection) == 0;
    if (config != NULL)
        d->destroy_config(&config);
    holos_status status = ready ? HOLOS_OK
                                : error_set(err, HOLOS_IO, HOLOS_NOWHERE, "DuckDB does not begin: %s",
                                            message != NULL ? message : "no reason given");
    if (message != NULL)
        d->free(message);
    if (!ready)
        duckdb_end(d);
    return status;
}

void duckdb_end(duckdb *d)
{
    if (d->connection != NULL)
        d->disconnect(&d->connection);
    if (d->database != NULL)
        d->close(&d->database);
}

holos_status duckdb_ask(duckdb *d, const char *sql, duckdb_answer *out, holos_error *err)
{
    *out = (duckdb_answer){0};
    if (d->query(d->connection, sql, out) == 0)
        return HOLOS_OK;
    const char *words = d->result_error(out);
    holos_status status = error_set(err, HOLOS_IO, HOLOS_NOWHERE, "DuckDB: %.*s",
                                    (int)strcspn(words != NULL ? words : "no reason given", "\n"),
                                    words != NULL ? words : "no reason given");
    d->destroy_result(out);
    return status;
}

holos_status duckdb_run(duckdb *d, const char *sql, holos_error *err)
{
    duckdb_answer answer;
    holos_status status = duckdb_ask(d, sql, &answer, err);
    if (status == HOLOS_OK)
        d->destroy_result(&answer);
    return status;
}

void duckdb_quote(const char *words, text *out)
{
    text_char(out, '\'');
    for (; *words != 0; words++) {
        if (*words == '\'')
            text_char(out, '\'');
        text_char(out, *words);
    }
    text_char(out, '\'');
}

/* ---- Answers ----------------------------------------------------------------------------------- */

static void value_put(duckdb *d, duckdb_answer *answer, uint64_t column, uint64_t row, holos_report *out)
{
    const char *key = report_words(out, "%s", d->column_name(answer, column));
    char *words = d->value_is_null(answer, column, row) ? NULL : d->value_varchar(answer, column, row);
    int type = d->column_type(answer, column);
    int64_t number;
    if (words != NULL && type >= DUCKDB_TINYINT && type <= DUCKDB_UBIGINT &&
        text_to_int(words, INT64_MIN, INT64_MAX, &number))
        report_integer(out, key, key, number);
    else
        report_text(out, key, key, words != NULL ? words : "");
    if (words != NULL)
        d->free(words);
}

holos_status duckdb_tell(duckdb *d, const char *question, holos_report *out, holos_error *err)
{
    duckdb_answer answer;
    holos_status status = duckdb_ask(d, question, &answer, err);
    if (status != HOLOS_OK)
        return status;
    uint64_t rows = d->row_count(&answer), columns = d->column_count(&answer);
    report_open(out, "rows", "", HOLOS_FIELD_ROWS);
    for (uint64_t row = 0; row < rows; row++) {
        report_open(out, NULL, NULL, HOLOS_FIELD_GROUP);
        for (uint64_t column = 0; column < columns; column++)
            value_put(d, &answer, column, row, out);
        report_close_field(out);
    }
    report_close_field(out);
    d->destroy_result(&answer);
    return HOLOS_OK;
}
