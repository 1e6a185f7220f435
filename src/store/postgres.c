/* SPDX-License-Identifier: MIT */

/* postgres://[USER@]HOST[:PORT]/DATABASE[?schema=NAME&wait=SECONDS&index=depth]: tables of a PostgreSQL server (tabular.h), in a schema of
 * their own. All other parameters are libpq's. */

#include "store/postgres.h"

#include "core/hash.h"
#include "store/patience.h"

#include <stdlib.h>
#include <string.h>

extern const store_backend store_postgres;

#define SCHEMA "holos"
/* On the table "store": it is ours. */
#define COMMENT "a store of holos"

#define NEEDED "postgres:// needs libpq (scripts/setup --with postgres)"

/* False: it is not there. */
static bool library_load(postgres_library *pq)
{
    static const char *const files[] = {"libpq.so.5", "libpq.so"};
#define POSTGRES_ENTRY(name) {#name, offsetof(postgres_library, name)},
    static const library_entry entries[] = {POSTGRES_FUNCTIONS(POSTGRES_ENTRY)};
#undef POSTGRES_ENTRY
    void *library = library_open(files, 2);
    return library != NULL && library_fill(library, entries, sizeof entries / sizeof *entries, pq) == NULL;
}

/* ---- Asking ------------------------------------------------------------------------------------ */

/* The first line of what the server says. */
static holos_status failed(postgres_store *q, const char *what, const char *words, holos_error *err)
{
    int length = (int)strcspn(words, "\n");
    return error_set(err, HOLOS_IO, HOLOS_NOWHERE, "%s: %s: %.*s", q->base.name, what, length, words);
}

holos_status postgres_done(postgres_store *q, PGresult *r, const char *what, holos_error *err)
{
    ExecStatusType code = q->pq.PQresultStatus(r);
    holos_status status = HOLOS_OK;
    if (code != PGRES_COMMAND_OK && code != PGRES_TUPLES_OK && code != PGRES_COPY_IN) {
        const char *words = q->pq.PQresultErrorMessage(r);
        status = failed(q, what, words[0] != 0 ? words : q->pq.PQerrorMessage(q->db), err);
    }
    q->pq.PQclear(r);
    return status;
}

holos_status postgres_run(postgres_store *q, const char *sql, holos_error *err)
{
    return postgres_done(q, q->pq.PQexec(q->db, sql), "the server", err);
}

static holos_status answer_take(postgres_store *q, PGresult *r, PGresult **out, holos_error *err)
{
    *out = NULL;
    if (q->pq.PQresultStatus(r) != PGRES_TUPLES_OK) {
        holos_status status = postgres_done(q, r, "the server", err);
        return status != HOLOS_OK ? status : failed(q, "the server", "no answer", err);
    }
    *out = r;
    return HOLOS_OK;
}

holos_status postgres_ask(postgres_store *q, const char *sql, PGresult **out, holos_error *err)
{
    return answer_take(q, q->pq.PQexecParams(q->db, sql, 0, NULL, NULL, NULL, NULL, 1), out, err);
}

holos_status postgres_ask_prepared(postgres_store *q, unsigned number, const char *sql, int count,
                                   const char *const *parameters, PGresult **out, holos_error *err)
{
    const char name[] = {'h', (char)('a' + number), 0};
    if ((q->prepared & 1u << number) == 0) {
        holos_status status =
            postgres_done(q, q->pq.PQprepare(q->db, name, sql, count, NULL), "the server", err);
        if (status != HOLOS_OK)
            return status;
        q->prepared |= 1u << number;
    }
    return answer_take(q, q->pq.PQexecPrepared(q->db, name, count, parameters, NULL, NULL, 1), out, err);
}

int64_t postgres_int(const postgres_store *q, const PGresult *r, int row, int column)
{
    const unsigned char *bytes = (const unsigned char *)q->pq.PQgetvalue(r, row, column);
    int length = q->pq.PQgetlength(r, row, column);
    uint64_t x = length > 0 && (bytes[0] & 0x80) != 0 ? UINT64_MAX : 0;
    for (int i = 0; i < length && length <= 8; i++)
        x = x << 8 | bytes[i];
    return (int64_t)x;
}

/* The first number of an answer; 0 if there is none. */
static holos_status number_ask(postgres_store *q, const char *sql, int64_t *out, holos_error *err)
{
    PGresult *r;
    *out = 0;
    holos_status status = postgres_ask(q, sql, &r, err);
    if (status == HOLOS_OK && q->pq.PQntuples(r) > 0)
        *out = postgres_int(q, r, 0, 0);
    q->pq.PQclear(r);
    return status;
}

/* ---- The connection ---------------------------------------------------------------------------- */

static void ignore_notice(void *context, const PGresult *r)
{
    (void)context;
    (void)r;
}

static holos_status connect(postgres_store *q, holos_error *err)
{
    if (q->db != NULL && q->pq.PQstatus(q->db) == CONNECTION_OK)
        return HOLOS_OK;
    q->pq.PQfinish(q->db);
    q->prepared = 0;
    q->db = q->pq.PQconnectdb(q->address);
    if (q->db == NULL)
        return error_system(err, "libpq");
    if (q->pq.PQstatus(q->db) != CONNECTION_OK)
        return failed(q, "cannot connect", q->pq.PQerrorMessage(q->db), err);
    q->pq.PQsetNoticeReceiver(q->db, ignore_notice, NULL);
    char sql[160];
    snprintf(sql, sizeof sql, "SET search_path TO \"%s\"; SET client_min_messages TO warning", q->schema);
    return postgres_run(q, sql, err);
}

/* Whether an error came from the connection, and not from what was asked. */
static bool is_lost(const postgres_store *q)
{
    return q->db == NULL || q->pq.PQstatus(q->db) != CONNECTION_OK;
}

holos_status postgres_do(postgres_store *q, postgres_work *work, void *context, holos_error *err)
{
    holos_error own = {0};
    patience p = patience_begin(q->wait, q->base.stop);
    err = err != NULL ? err : &own;
    for (;;) {
        holos_status status = connect(q, err);
        q->was_connected = q->was_connected || status == HOLOS_OK;
        if (status == HOLOS_OK)
            status = work(q, context, err);
        if (status == HOLOS_OK || !is_lost(q) || !q->was_connected)
            return status;
        if (patience_wait(&p))
            continue;
        if (holos_stop_asked(q->base.stop))
            return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
        char words[sizeof err->message];
        snprintf(words, sizeof words, "%s", err->message);
        error_set(err, HOLOS_IO, HOLOS_NOWHERE, "%s (waited %g s for the server)", words, q->wait);
        q->wait = 0; /* once is enough */
        return HOLOS_IO;
    }
}

typedef struct transaction {
    postgres_work *work;
    void *context;
} transaction;

static holos_status transaction_run(postgres_store *q, void *context, holos_error *err)
{
    const transaction *x = context;
    holos_status status = postgres_run(q, "BEGIN", err);
    if (status == HOLOS_OK)
        status = x->work(q, x->context, err);
    if (status == HOLOS_OK)
        status = postgres_run(q, "COMMIT", err);
    else if (!is_lost(q))
        postgres_run(q, "ROLLBACK", NULL);
    return status;
}

holos_status postgres_transact(postgres_store *q, postgres_work *work, void *context, holos_error *err)
{
    return postgres_do(q, transaction_run, &(transaction){work, context}, err);
}

static void postgres_close(tabular *t)
{
    postgres_store *q = postgres_of(t);
    if (q->db != NULL)
        q->pq.PQfinish(q->db);
    free(q->address);
}

/* ---- The address ------------------------------------------------------------------------------- */

/* What libpq is to see: all but our own parameters. */
static void address_write(const char *location, text *out)
{
    const char *query = strchr(location, '?');
    bool first = true;
    text_string(out, "postgresql:");
    text_bytes(out, location, query != NULL ? (size_t)(query - location) : strlen(location));
    while (query != NULL) {
        const char *at = query + 1, *end = at + strcspn(at, "&");
        if (strncmp(at, "schema=", 7) != 0 && strncmp(at, "wait=", 5) != 0 && strncmp(at, "index=", 6) != 0) {
            text_char(out, first ? '?' : '&');
            text_bytes(out, at, (size_t)(end - at));
            first = false;
        }
        query = *end == '&' ? end : NULL;
    }
}

/* What people are to see: no password. */
static char *name_make(const char *location, const char *schema)
{
    text t;
    const char *path = strncmp(location, "//", 2) == 0 ? location + 2 : location;
    size_t host = strcspn(path, "/?");
    const char *at = memchr(path, '@', host);
    text_init(&t);
    text_string(&t, "postgres://");
    path = at != NULL ? at + 1 : path;
    text_bytes(&t, path, strcspn(path, "?"));
    if (strcmp(schema, SCHEMA) != 0)
        text_printf(&t, "?schema=%s", schema);
    char *name = t.failed ? NULL : strdup(t.data);
    text_free(&t);
    return name;
}

static holos_status address_read(postgres_store *q, const char *location, holos_error *err)
{
    strcpy(q->schema, SCHEMA);
    bool given = query_value(location, "schema", q->schema, sizeof q->schema);
    text address;
    text_init(&address);
    address_write(location, &address);
    q->base.name = name_make(location, q->schema);
    q->address = address.failed ? NULL : strdup(address.data);
    text_free(&address);
    if (q->base.name == NULL || q->address == NULL)
        return error_system(err, "the store");
    if ((!given && strstr(location, "schema=") != NULL) || q->schema[0] == 0 ||
        q->schema[strspn(q->schema, "abcdefghijklmnopqrstuvwxyz0123456789_")] != 0)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "%s: a schema's name has up to 48 lowercase letters, digits and underscores",
                         q->base.name);
    if (!query_wait(location, &q->wait))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s: \"wait=\" is not a time", q->base.name);
    char index[16] = "";
    q->depth_index =
        query_value(location, "index", index, sizeof index) || strstr(location, "index=") != NULL;
    if (q->depth_index && strcmp(index, "depth") != 0)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s: \"index=\" takes \"depth\", not \"%s\"",
                         q->base.name, index);
    return HOLOS_OK;
}

/* ---- What is there ----------------------------------------------------------------------------- */

typedef struct looked {
    tabular_place *place;
    text *words;
} looked;

/* How many of our names are taken in the schema, and by ourselves. */
static holos_status names_count(postgres_store *q, int64_t *taken, int64_t *ours, holos_error *err)
{
    char sql[512];
    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname "
             "= '%s' AND c.relname IN ('store', 'graph', 'blocks', 'parts', 'indexed', 'positions')",
             q->schema);
    holos_status status = number_ask(q, sql, taken, err);
    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname "
             "= '%s' AND c.relname = 'store' AND obj_description(c.oid, 'pg_class') = '" COMMENT "'",
             q->schema);
    return status == HOLOS_OK ? number_ask(q, sql, ours, err) : status;
}

static holos_status place_look(postgres_store *q, void *context, holos_error *err)
{
    looked *l = context;
    PGresult *r = NULL;
    int64_t taken, ours;
    holos_status status = names_count(q, &taken, &ours, err);
    if (status != HOLOS_OK)
        return status;
    *l->place = taken == 0 ? TABULAR_FREE : ours == 0 ? TABULAR_FOREIGN : TABULAR_DAMAGED;
    if (*l->place == TABULAR_FOREIGN)
        error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                  "%s: the schema \"%s\" has tables that are not those of a holos store", q->base.name,
                  q->schema);
    if (*l->place != TABULAR_DAMAGED)
        return HOLOS_OK;
    status = postgres_ask(q, "SELECT manifest FROM store", &r, err);
    if (status == HOLOS_OK && q->pq.PQntuples(r) == 1 && !q->pq.PQgetisnull(r, 0, 0)) {
        *l->place = TABULAR_OURS;
        text_clear(l->words);
        text_bytes(l->words, q->pq.PQgetvalue(r, 0, 0), (size_t)q->pq.PQgetlength(r, 0, 0));
    } else if (status == HOLOS_OK) {
        error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s: its manifest is missing", q->base.name);
    }
    q->pq.PQclear(r);
    return status;
}

static holos_status postgres_look(tabular *t, const char *location, tabular_place *place, text *words,
                                  holos_error *err)
{
    postgres_store *q = postgres_of(t);
    holos_status status = library_load(&q->pq) ? address_read(q, location, err)
                                               : error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, NEEDED);
    return status == HOLOS_OK ? postgres_do(q, place_look, &(looked){place, words}, err) : status;
}

/* ---- Tables ------------------------------------------------------------------------------------ */

/* Of two that begin, make an index or finish at once, one waits. */
static holos_status schema_lock(postgres_store *q, holos_error *err)
{
    char sql[96];
    snprintf(sql, sizeof sql, "SELECT pg_advisory_xact_lock(%lld)",
             (long long)(int64_t)hash_bytes(q->schema, strlen(q->schema)).lo);
    PGresult *r;
    holos_status status = postgres_ask(q, sql, &r, err);
    q->pq.PQclear(r);
    return status;
}

static holos_status tables_drop(postgres_store *q, void *context, holos_error *err)
{
    (void)context;
    holos_status status = schema_lock(q, err);
    return status == HOLOS_OK ? postgres_run(q,
                                             "DROP VIEW IF EXISTS positions;"
                                             "DROP TABLE IF EXISTS graph, blocks, parts, indexed, store",
                                             err)
                              : status;
}

static holos_status postgres_begin(tabular *t, bool anew, holos_error *err)
{
    return anew ? postgres_transact(postgres_of(t), tables_drop, NULL, err) : HOLOS_OK;
}

static void graph_tables_write(const tabular *t, text *out)
{
    const char *type = t->key_is_integer ? "bigint" : "bytea";
    text_printf(out, "CREATE TABLE graph(key %s NOT NULL", type);
    if (!t->columns_from_key) {
        tabular_columns_list(t, " integer NOT NULL", " text NOT NULL", out);
        text_string(out, ", side integer NOT NULL");
    }
    text_string(out, ", depth integer NOT NULL, value integer, best text);");
    text_printf(
        out, "CREATE TABLE blocks(first %s PRIMARY KEY, rows integer NOT NULL, digest text NOT NULL);", type);
    text_string(out, "CREATE VIEW positions AS SELECT ");
    tabular_view_columns(t, out);
    text_string(out, " FROM graph;");
}

static void database_tables_write(const tabular *t, text *out)
{
    text_string(out, "CREATE TABLE parts(tier integer, part integer, positions bigint NOT NULL, digest text "
                     "NOT NULL, PRIMARY KEY(tier, part));"
                     "CREATE TABLE blocks(first bigint PRIMARY KEY, rows integer NOT NULL, digest text NOT "
                     "NULL);"
                     "CREATE TABLE indexed(rank bigint NOT NULL, tier integer NOT NULL, part integer NOT "
                     "NULL");
    tabular_columns_list(t, " integer NOT NULL", " text NOT NULL", out);
    text_string(out, ", side integer NOT NULL, value integer NOT NULL);");
}

typedef struct manifest_words {
    const char *words;
    size_t size;
} manifest_words;

static holos_status manifest_run(postgres_store *q, void *context, holos_error *err)
{
    const manifest_words *m = context;
    const char *parameters[] = {m->words};
    int lengths[] = {(int)m->size};
    return postgres_done(
        q, q->pq.PQexecParams(q->db, "UPDATE store SET manifest = $1", 1, NULL, parameters, lengths, NULL, 0),
        "the manifest", err);
}

static holos_status tables_create(postgres_store *q, void *context, holos_error *err)
{
    const tabular *t = &q->base;
    int64_t taken, ours;
    text sql;
    holos_status status = schema_lock(q, err);
    if (status == HOLOS_OK)
        status = names_count(q, &taken, &ours, err);
    if (status == HOLOS_OK && taken > 0)
        return error_set(err, HOLOS_IO, HOLOS_NOWHERE,
                         "%s: another process has just begun there; --resume joins in", t->name);
    text_init(&sql);
    text_printf(&sql,
                "CREATE SCHEMA IF NOT EXISTS \"%s\"; CREATE TABLE store(manifest text NOT NULL);"
                "INSERT INTO store VALUES(''); COMMENT ON TABLE store IS '" COMMENT "';",
                q->schema);
    if (t->base.kind == STORE_GRAPH)
        graph_tables_write(t, &sql);
    else
        database_tables_write(t, &sql);
    if (status == HOLOS_OK)
        status = sql.failed ? error_system(err, "the tables") : postgres_run(q, sql.data, err);
    text_free(&sql);
    return status == HOLOS_OK ? manifest_run(q, context, err) : status;
}

static holos_status postgres_create(tabular *t, const char *words, size_t size, holos_error *err)
{
    return postgres_transact(postgres_of(t), tables_create, &(manifest_words){words, size}, err);
}

static holos_status postgres_manifest_save(tabular *t, const char *words, size_t size, holos_error *err)
{
    return postgres_transact(postgres_of(t), manifest_run, &(manifest_words){words, size}, err);
}

/* ---- Indexes ----------------------------------------------------------------------------------- */

static holos_status index_make(postgres_store *q, void *context, holos_error *err)
{
    (void)context;
    holos_status status = schema_lock(q, err);
    if (status == HOLOS_OK)
        status = postgres_run(q, "SET LOCAL maintenance_work_mem = '256MB'", err);
    return status == HOLOS_OK
               ? postgres_run(q,
                              q->base.base.kind == STORE_GRAPH
                                  ? "CREATE UNIQUE INDEX IF NOT EXISTS graph_key ON graph(key)"
                                  : "CREATE UNIQUE INDEX IF NOT EXISTS indexed_rank ON indexed(rank)",
                              err)
               : status;
}

holos_status postgres_index(postgres_store *q, holos_error *err)
{
    holos_status status =
        q->has_index || !q->base.writing ? HOLOS_OK : postgres_transact(q, index_make, NULL, err);
    q->has_index = status == HOLOS_OK;
    return status;
}

/* On request: for the graph of kalah 4,3 it takes as long as all the rest (4.8 s of 5.1), and 7 bytes a row. */
static holos_status depth_index_make(postgres_store *q, void *context, holos_error *err)
{
    (void)context;
    holos_status status = schema_lock(q, err);
    if (status == HOLOS_OK)
        status = postgres_run(q, "SET LOCAL maintenance_work_mem = '256MB'", err);
    return status == HOLOS_OK ? postgres_run(q, "CREATE INDEX IF NOT EXISTS graph_depth ON graph(depth)", err)
                              : status;
}

static holos_status postgres_seal(tabular *t, holos_error *err)
{
    postgres_store *q = postgres_of(t);
    holos_status status = postgres_index(q, err);
    if (status == HOLOS_OK && t->base.kind == STORE_GRAPH && q->depth_index)
        status = postgres_transact(q, depth_index_make, NULL, err);
    return status;
}

/* ---- Counting ---------------------------------------------------------------------------------- */

typedef struct counting {
    const char *sql;
    int64_t numbers[2];
} counting;

static holos_status numbers_read(postgres_store *q, void *context, holos_error *err)
{
    counting *c = context;
    PGresult *r;
    holos_status status = postgres_ask(q, c->sql, &r, err);
    for (int i = 0; status == HOLOS_OK && i < q->pq.PQnfields(r) && i < 2; i++)
        c->numbers[i] = postgres_int(q, r, 0, i);
    q->pq.PQclear(r);
    return status;
}

static uint64_t number_of(tabular *t, const char *sql)
{
    counting c = {.sql = sql};
    return postgres_do(postgres_of(t), numbers_read, &c, NULL) == HOLOS_OK ? (uint64_t)c.numbers[0] : 0;
}

static uint64_t postgres_bytes(tabular *t)
{
    return number_of(t, t->base.kind == STORE_GRAPH
                            ? "SELECT pg_total_relation_size('graph') + pg_total_relation_size('blocks')"
                            : "SELECT pg_total_relation_size('indexed') + pg_total_relation_size('blocks')");
}

static uint64_t postgres_rows_count(tabular *t)
{
    return number_of(t, "SELECT count(*) FROM indexed");
}

static holos_status postgres_parts_count(tabular *t, uint64_t *parts, uint64_t *positions, holos_error *err)
{
    counting c = {.sql = "SELECT count(*), coalesce(sum(positions), 0)::bigint FROM parts"};
    holos_status status = postgres_do(postgres_of(t), numbers_read, &c, err);
    *parts = (uint64_t)c.numbers[0];
    *positions = (uint64_t)c.numbers[1];
    return status;
}

static holos_status stray_run(postgres_store *q, void *context, holos_error *err)
{
    return postgres_run(q, context, err);
}

static holos_status postgres_stray_remove(tabular *t, uint64_t positions, holos_error *err)
{
    char sql[128];
    snprintf(sql, sizeof sql, "DELETE FROM indexed WHERE rank < 0 OR rank >= %llu",
             (unsigned long long)positions);
    return postgres_transact(postgres_of(t), stray_run, sql, err);
}

/* ---- The backend ------------------------------------------------------------------------------- */

static const tabular_driver driver = {
    .size = sizeof(postgres_store),
    .batch = 16,
    .look = postgres_look,
    .close = postgres_close,
    .begin = postgres_begin,
    .create = postgres_create,
    .manifest_save = postgres_manifest_save,
    .seal = postgres_seal,
    .bytes = postgres_bytes,
    .blocks_read = postgres_blocks_read,
    .rows_put = postgres_rows_put,
    .rows_read = postgres_rows_read,
    .rows_find = postgres_rows_find,
    .rows_cut = postgres_rows_cut,
    .part_find = postgres_part_find,
    .part_put = postgres_part_put,
    .part_block = postgres_part_block,
    .values_read = postgres_values_read,
    .part_check = postgres_part_check,
    .stray_remove = postgres_stray_remove,
    .rows_count = postgres_rows_count,
    .parts_count = postgres_parts_count,
};

static holos_status postgres_open(const char *location, const store_options *o, store **out, holos_error *err)
{
    return tabular_open(&store_postgres, &driver, location, o, out, err);
}

static bool library_version(text *out)
{
    postgres_library pq;
    bool there = library_load(&pq);
    if (!there)
        text_string(out, NEEDED);
    else
        text_printf(out, "libpq %d.%d", pq.PQlibVersion() / 10000, pq.PQlibVersion() % 10000);
    return there;
}

const store_backend store_postgres = {
    .scheme = "postgres",
    .summary = "postgres://HOST/DATABASE",
    .can = STORE_DATABASES | STORE_GRAPHS | STORE_REMOTE | STORE_SHARED | STORE_ATOMIC | STORE_SQL,
    .library = library_version,
    .open = postgres_open,
    TABULAR_BACKEND,
};
