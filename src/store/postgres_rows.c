/* SPDX-License-Identifier: MIT */

/* Rows of the PostgreSQL store. */

#include "store/postgres.h"

#include <stdlib.h>
#include <string.h>

/* Bytes that are sent at once. */
#define SEND ((size_t)1 << 18)
/* Ranks that are asked for at once. */
#define RANKS 65536u

/* Prepared statements. */
enum { FIND, READ, READ_REST, VALUES, WHOLE, PART, BLOCK };

/* ---- COPY BINARY ------------------------------------------------------------------------------- */

typedef struct copier {
    postgres_store *q;
    unsigned char *bytes;
    size_t count;
    bool failed;
} copier;

static void copy_send(copier *c)
{
    if (c->count > 0 && !c->failed)
        c->failed = c->q->pq.PQputCopyData(c->q->db, (const char *)c->bytes, (int)c->count) != 1;
    c->count = 0;
}

static void put_bytes(copier *c, const void *bytes, size_t size)
{
    if (c->count + size > SEND)
        copy_send(c);
    memcpy(c->bytes + c->count, bytes, size);
    c->count += size;
}

/* The highest byte first. */
static void put_number(copier *c, uint64_t x, unsigned size)
{
    unsigned char bytes[8];
    for (unsigned i = 0; i < size; i++)
        bytes[i] = (unsigned char)(x >> 8 * (size - 1 - i));
    put_bytes(c, bytes, size);
}

static void put_int(copier *c, int64_t value)
{
    put_number(c, 4, 4);
    put_number(c, (uint32_t)(int32_t)value, 4);
}

static void put_long(copier *c, uint64_t value)
{
    put_number(c, 8, 4);
    put_number(c, value, 8);
}

static void put_text(copier *c, const char *words)
{
    size_t length = strlen(words);
    put_number(c, length, 4);
    put_bytes(c, words, length);
}

static void put_null(copier *c)
{
    put_number(c, UINT32_MAX, 4);
}

static void put_fields(copier *c, const tabular *t, const tabular_fields *fields)
{
    if (t->columns == 0)
        put_text(c, fields->position);
    for (uint32_t i = 0; i < t->columns; i++)
        put_int(c, fields->columns[i]);
    put_int(c, fields->side);
}

static holos_status copy_begin(copier *c, postgres_store *q, const char *sql, holos_error *err)
{
    static const char head[19] = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0";
    *c = (copier){.q = q, .bytes = malloc(SEND)};
    if (c->bytes == NULL)
        return error_system(err, "the rows");
    holos_status status = postgres_done(q, q->pq.PQexec(q->db, sql), "the rows", err);
    if (status == HOLOS_OK)
        put_bytes(c, head, sizeof head);
    return status;
}

static holos_status copy_end(copier *c, holos_status status, holos_error *err)
{
    postgres_store *q = c->q;
    if (status == HOLOS_OK) {
        put_number(c, UINT16_MAX, 2);
        copy_send(c);
        q->pq.PQputCopyEnd(q->db, NULL);
        for (PGresult *r; (r = q->pq.PQgetResult(q->db)) != NULL;)
            if (status == HOLOS_OK)
                status = postgres_done(q, r, "the rows", err);
            else
                q->pq.PQclear(r);
        if (status == HOLOS_OK && c->failed)
            status = error_set(err, HOLOS_IO, HOLOS_NOWHERE, "%s: the rows: %s", q->base.name,
                               q->pq.PQerrorMessage(q->db));
    }
    free(c->bytes);
    return status;
}

/* ---- Keys -------------------------------------------------------------------------------------- */

/* As a parameter, or between quotes in a statement. */
static void key_write(const tabular *t, holos_key key, char out[40])
{
    if (t->key_is_integer)
        snprintf(out, 40, "%llu", (unsigned long long)key.lo);
    else
        snprintf(out, 40, "\\x%016llx%016llx", (unsigned long long)key.hi, (unsigned long long)key.lo);
}

static holos_key key_column(const postgres_store *q, const PGresult *r, int row)
{
    const tabular *t = &q->base;
    if (t->key_is_integer)
        return (holos_key){.lo = (uint64_t)postgres_int(q, r, row, 0)};
    return q->pq.PQgetlength(r, row, 0) == 16
               ? tabular_key_read((const unsigned char *)q->pq.PQgetvalue(r, row, 0))
               : (holos_key){0};
}

static bool digest_column(const postgres_store *q, const PGresult *r, int row, int column, holos_key *out)
{
    return digest_parse(q->pq.PQgetvalue(r, row, column), out);
}

/* ---- Blocks ------------------------------------------------------------------------------------ */

static holos_status blocks_ask(postgres_store *q, void *context, holos_error *err)
{
    PGresult *r;
    tabular *t = &q->base;
    (void)context;
    holos_status status = postgres_ask(q, "SELECT first, rows, digest FROM blocks ORDER BY first", &r, err);
    t->block_count = 0; /* it may be asked again */
    for (int i = 0; status == HOLOS_OK && i < q->pq.PQntuples(r); i++) {
        int64_t rows = postgres_int(q, r, i, 1);
        tabular_block block = {.first = key_column(q, r, i),
                               .rows = rows > 0 && rows <= ROWS_BLOCK ? (uint32_t)rows : 0};
        if (!digest_column(q, r, i, 2, &block.digest))
            block.rows = 0;
        status = tabular_block_add(t, block, err);
    }
    q->pq.PQclear(r);
    return status;
}

holos_status postgres_blocks_read(tabular *t, holos_error *err)
{
    return postgres_do(postgres_of(t), blocks_ask, NULL, err);
}

/* Claims blocks, in order, and says which were free: whoever claims one that another transaction has claimed waits for its
 * end. */
static holos_status blocks_claim(postgres_store *q, const tabular_block *blocks, size_t count,
                                 bool *free_ones, holos_error *err)
{
    const tabular *t = &q->base;
    text sql;
    PGresult *r = NULL;
    text_init(&sql);
    text_string(&sql, "INSERT INTO blocks VALUES ");
    for (size_t i = 0; i < count; i++) {
        char key[40], digest[33];
        if (t->base.kind == STORE_GRAPH)
            key_write(t, blocks[i].first, key);
        else
            snprintf(key, sizeof key, "%llu", (unsigned long long)blocks[i].first.lo);
        digest_format(blocks[i].digest, digest);
        text_printf(&sql, "%s('%s', %u, '%s')", i > 0 ? ", " : "", key, blocks[i].rows, digest);
    }
    text_string(&sql, " ON CONFLICT DO NOTHING RETURNING first");
    holos_status status = sql.failed ? error_system(err, "the blocks") : postgres_ask(q, sql.data, &r, err);
    text_free(&sql);
    int at = 0;
    for (size_t i = 0; status == HOLOS_OK && i < count; i++) {
        holos_key first = at < q->pq.PQntuples(r) ? key_column(q, r, at) : (holos_key){0};
        free_ones[i] = at < q->pq.PQntuples(r) && holos_key_equal(first, blocks[i].first);
        at += free_ones[i];
    }
    q->pq.PQclear(r);
    return status;
}

/* ---- Rows of graphs: writing ------------------------------------------------------------------- */

typedef struct graph_batch {
    const holos_row *rows;
    const tabular_block *blocks;
    size_t count;
} graph_batch;

static void row_put(copier *c, tabular *t, const holos_row *row)
{
    tabular_fields fields;
    unsigned char key[16];
    tabular_row_fields(t, row, &fields);
    put_number(c, t->columns_from_key ? 4 : tabular_column_count(t) + 5, 2);
    tabular_key_bytes(row->identity, key);
    put_number(c, t->key_is_integer ? 8 : 16, 4);
    put_bytes(c, t->key_is_integer ? key + 8 : key, t->key_is_integer ? 8 : 16);
    if (!t->columns_from_key)
        put_fields(c, t, &fields);
    put_int(c, row->depth);
    if (row->has_value)
        put_int(c, row->value);
    else
        put_null(c);
    if (row->has_best)
        put_text(c, fields.best);
    else
        put_null(c);
}

static holos_status batch_put(postgres_store *q, void *context, holos_error *err)
{
    const graph_batch *b = context;
    const holos_row *rows = b->rows;
    copier c;
    bool free_ones[256];
    assert(b->count <= sizeof free_ones / sizeof *free_ones);
    holos_status status = blocks_claim(q, b->blocks, b->count, free_ones, err);
    if (status != HOLOS_OK)
        return status;
    status = copy_begin(&c, q, "COPY graph FROM STDIN (FORMAT binary)", err);
    for (size_t i = 0; status == HOLOS_OK && i < b->count; rows += b->blocks[i++].rows)
        for (uint32_t k = 0; free_ones[i] && !c.failed && k < b->blocks[i].rows; k++)
            row_put(&c, &q->base, &rows[k]);
    return copy_end(&c, status, err);
}

holos_status postgres_rows_put(tabular *t, const holos_row *rows, const tabular_block *blocks, size_t count,
                               holos_error *err)
{
    return postgres_transact(postgres_of(t), batch_put, &(graph_batch){rows, blocks, count}, err);
}

typedef struct cutting {
    const holos_key *last;
} cutting;

static holos_status rows_remove(postgres_store *q, void *context, holos_error *err)
{
    const cutting *c = context;
    char key[40], sql[160];
    if (c->last == NULL)
        return postgres_run(q, "TRUNCATE graph, blocks", err);
    key_write(&q->base, *c->last, key);
    snprintf(sql, sizeof sql, "DELETE FROM graph WHERE key > '%s'; DELETE FROM blocks WHERE first > '%s'",
             key, key);
    return postgres_run(q, sql, err);
}

holos_status postgres_rows_cut(tabular *t, const holos_key *last, holos_error *err)
{
    return postgres_transact(postgres_of(t), rows_remove, &(cutting){last}, err);
}

/* ---- Rows of graphs: reading ------------------------------------------------------------------- */

/* Columns: key, depth, value, best. */
static void row_read(postgres_store *q, const PGresult *r, int row, holos_row *out)
{
    tabular *t = &q->base;
    int64_t value = postgres_int(q, r, row, 2);
    tabular_row_make(t, key_column(q, r, row), postgres_int(q, r, row, 1),
                     q->pq.PQgetisnull(r, row, 2) ? NULL : &value,
                     q->pq.PQgetisnull(r, row, 3) ? NULL : q->pq.PQgetvalue(r, row, 3), out);
}

/* Whether the columns of an answer, from `first` on, are those of a position. */
static bool fields_match(const postgres_store *q, const PGresult *r, int row, int first,
                         const tabular_fields *fields)
{
    const tabular *t = &q->base;
    bool same = true;
    if (t->columns == 0)
        same = strcmp(q->pq.PQgetvalue(r, row, first++), fields->position) == 0;
    for (uint32_t i = 0; i < t->columns; i++)
        same = same && postgres_int(q, r, row, first++) == fields->columns[i];
    return same && postgres_int(q, r, row, first) == fields->side;
}

typedef struct row_reading {
    holos_key first;
    const holos_key *end;
    bool whole;
    holos_row *out;
    uint32_t room, *count;
    bool *sound;
} row_reading;

static void select_write(const tabular *t, const row_reading *w, text *sql)
{
    text_string(sql, "SELECT key, depth, value, best");
    if (w->whole) {
        tabular_columns_list(t, "", "", sql);
        text_string(sql, ", side");
    }
    bool from_first = w->first.hi == 0 && w->first.lo == 0; /* of the table: whatever is there */
    text_string(sql, " FROM graph WHERE ");
    text_string(sql, from_first          ? "$1::text IS NOT NULL"
                     : t->key_is_integer ? "key >= $1::bigint"
                                         : "key >= $1::bytea");
    if (w->end != NULL)
        text_printf(sql, " AND key < $2::%s", t->key_is_integer ? "bigint" : "bytea");
    text_printf(sql, " ORDER BY key LIMIT %u", w->room);
}

static holos_status rows_ask(postgres_store *q, void *context, holos_error *err)
{
    const row_reading *w = context;
    tabular *t = &q->base;
    char first[40], end[40] = "";
    const char *parameters[] = {first, end};
    PGresult *r = NULL;
    text sql;
    text_init(&sql);
    select_write(t, w, &sql);
    key_write(t, w->first, first);
    if (w->end != NULL)
        key_write(t, *w->end, end);
    bool usual = !w->whole && (w->first.hi != 0 || w->first.lo != 0);
    int count = w->end != NULL ? 2 : 1;
    holos_status status = HOLOS_OK;
    if (sql.failed) {
        status = error_system(err, "the rows");
    } else if (usual) {
        status =
            postgres_ask_prepared(q, w->end != NULL ? READ : READ_REST, sql.data, count, parameters, &r, err);
    } else {
        r = q->pq.PQexecParams(q->db, sql.data, count, NULL, parameters, NULL, NULL, 1);
        if (q->pq.PQresultStatus(r) != PGRES_TUPLES_OK) {
            status = postgres_done(q, r, "the rows", err);
            r = NULL;
        }
    }
    text_free(&sql);
    *w->count = 0;
    for (int i = 0; status == HOLOS_OK && i < q->pq.PQntuples(r); i++) {
        holos_row *row = &w->out[(*w->count)++];
        tabular_fields fields;
        row_read(q, r, i, row);
        if (w->whole) {
            tabular_row_fields(t, row, &fields);
            *w->sound = *w->sound && fields_match(q, r, i, 4, &fields);
        }
    }
    q->pq.PQclear(r);
    return status;
}

holos_status postgres_rows_read(tabular *t, holos_key first, const holos_key *end, bool whole, holos_row *out,
                                uint32_t room, uint32_t *count, bool *sound, holos_error *err)
{
    row_reading w = {first, end, whole && !t->columns_from_key, out, room, count, sound};
    *sound = true;
    holos_status status = postgres_index(postgres_of(t), err);
    return status == HOLOS_OK ? postgres_do(postgres_of(t), rows_ask, &w, err) : status;
}

typedef struct row_finding {
    const holos_key *keys;
    size_t count;
    holos_row *out;
    bool *found;
} row_finding;

static holos_status rows_look_up(postgres_store *q, void *context, holos_error *err)
{
    row_finding *w = context;
    tabular *t = &q->base;
    text list;
    PGresult *r = NULL;
    text_init(&list);
    text_char(&list, '{');
    for (size_t i = 0; i < w->count; i++) {
        char key[40];
        key_write(t, w->keys[i], key);
        text_printf(&list, t->key_is_integer ? "%s%s" : "%s\"\\%s\"", i > 0 ? "," : "", key);
    }
    text_char(&list, '}');
    const char *parameters[] = {list.data};
    holos_status status =
        list.failed ? error_system(err, "the rows")
                    : postgres_ask_prepared(
                          q, FIND,
                          t->key_is_integer
                              ? "SELECT key, depth, value, best FROM graph WHERE key = ANY($1::bigint[])"
                              : "SELECT key, depth, value, best FROM graph WHERE key = ANY($1::bytea[])",
                          1, parameters, &r, err);
    text_free(&list);
    for (int i = 0; status == HOLOS_OK && i < q->pq.PQntuples(r); i++) {
        holos_row row;
        row_read(q, r, i, &row);
        for (size_t k = 0; k < w->count; k++) {
            if (!holos_key_equal(w->keys[k], row.identity))
                continue;
            w->out[k] = row;
            w->found[k] = true;
        }
    }
    q->pq.PQclear(r);
    return status;
}

holos_status postgres_rows_find(tabular *t, const holos_key *keys, size_t count, holos_row *out, bool *found,
                                holos_error *err)
{
    return postgres_do(postgres_of(t), rows_look_up, &(row_finding){keys, count, out, found}, err);
}

/* ---- Databases: reading ------------------------------------------------------------------------ */

typedef struct value_reading {
    uint64_t rank, size, *read;
    uint8_t *bytes; /* NULL: columns are compared */
    holos_place place;
} value_reading;

static bool value_take(const postgres_store *q, const PGresult *r, int row, int column, uint8_t *out)
{
    int64_t value = postgres_int(q, r, row, column);
    *out = (uint8_t)(HOLOS_BYTE_ZERO + value);
    return value >= -127 && value <= 127;
}

/* Columns: rank, tier, part, the game's, side, value. */
static bool indexed_matches(postgres_store *q, const PGresult *r, int row, uint64_t rank, holos_place place)
{
    const tabular *t = &q->base;
    tabular_fields fields;
    t->base.v->game->index->unrank(t->base.v, place, t->scratch);
    tabular_position_fields(t, t->scratch, &fields);
    return (uint64_t)postgres_int(q, r, row, 0) == rank && postgres_int(q, r, row, 1) == place.tier &&
           postgres_int(q, r, row, 2) == place.part && fields_match(q, r, row, 3, &fields);
}

static holos_status values_ask(postgres_store *q, void *context, holos_error *err)
{
    const value_reading *w = context;
    bool going = true;
    holos_status status = HOLOS_OK;
    *w->read = 0;
    while (status == HOLOS_OK && going && *w->read < w->size) {
        PGresult *r;
        char first[24], end[24];
        const char *parameters[] = {first, end};
        uint64_t from = *w->read, to = w->size - from < RANKS ? w->size : from + RANKS;
        snprintf(first, sizeof first, "%llu", (unsigned long long)w->rank + from);
        snprintf(end, sizeof end, "%llu", (unsigned long long)w->rank + to);
        status = w->bytes != NULL
                     ? postgres_ask_prepared(q, VALUES,
                                             "SELECT rank, value FROM indexed WHERE rank >= $1::bigint AND "
                                             "rank < $2::bigint ORDER BY rank",
                                             2, parameters, &r, err)
                     : postgres_ask_prepared(q, WHOLE,
                                             "SELECT * FROM indexed WHERE rank >= $1::bigint AND rank < "
                                             "$2::bigint ORDER BY rank",
                                             2, parameters, &r, err);
        for (int i = 0; status == HOLOS_OK && going && i < q->pq.PQntuples(r); i++) {
            holos_place place = w->place;
            place.index += *w->read;
            going = w->bytes != NULL ? (uint64_t)postgres_int(q, r, i, 0) == w->rank + *w->read &&
                                           value_take(q, r, i, 1, &w->bytes[*w->read])
                                     : indexed_matches(q, r, i, w->rank + *w->read, place);
            *w->read += going;
        }
        going = going && *w->read == to;
        q->pq.PQclear(r);
    }
    return status;
}

holos_status postgres_values_read(tabular *t, holos_place first, uint64_t rank, uint64_t size, uint8_t *bytes,
                                  uint64_t *read, holos_error *err)
{
    value_reading w = {rank, size, read, bytes, first};
    holos_status status = postgres_index(postgres_of(t), err);
    return status == HOLOS_OK ? postgres_do(postgres_of(t), values_ask, &w, err) : status;
}

holos_status postgres_part_check(tabular *t, uint32_t tier, uint32_t part, uint64_t rank, uint64_t size,
                                 uint64_t *good, holos_error *err)
{
    value_reading w = {rank, size, good, NULL, {.tier = tier, .part = part}};
    return postgres_do(postgres_of(t), values_ask, &w, err);
}

typedef struct digest_finding {
    unsigned number;
    const char *sql;
    uint64_t a, b;
    bool *found;
    holos_key *digest;
} digest_finding;

static holos_status digest_ask(postgres_store *q, void *context, holos_error *err)
{
    const digest_finding *w = context;
    char a[24], b[24];
    const char *parameters[] = {a, b};
    PGresult *r;
    snprintf(a, sizeof a, "%llu", (unsigned long long)w->a);
    snprintf(b, sizeof b, "%llu", (unsigned long long)w->b);
    holos_status status =
        postgres_ask_prepared(q, w->number, w->sql, w->number == PART ? 2 : 1, parameters, &r, err);
    *w->found = status == HOLOS_OK && q->pq.PQntuples(r) == 1 && digest_column(q, r, 0, 0, w->digest);
    q->pq.PQclear(r);
    return status;
}

holos_status postgres_part_find(tabular *t, uint32_t tier, uint32_t part, bool *found, holos_key *digest,
                                holos_error *err)
{
    digest_finding w = {PART,  "SELECT digest FROM parts WHERE tier = $1::integer AND part = $2::integer",
                        tier,  part,
                        found, digest};
    return postgres_do(postgres_of(t), digest_ask, &w, err);
}

holos_status postgres_part_block(tabular *t, holos_place first, uint64_t rank, bool *found, holos_key *digest,
                                 holos_error *err)
{
    digest_finding w = {BLOCK, "SELECT digest FROM blocks WHERE first = $1::bigint", rank, 0, found, digest};
    (void)first;
    return postgres_do(postgres_of(t), digest_ask, &w, err);
}

/* ---- Databases: writing ------------------------------------------------------------------------ */

/* Whether a part that is there already is as it should be. */
static holos_status part_compare(postgres_store *q, const tabular_part *p, bool *same, holos_error *err)
{
    uint64_t read = 0, good = 0;
    uint8_t *bytes = malloc(p->size + 1);
    value_reading values = {p->rank, p->size, &read, bytes, {.tier = p->tier, .part = p->part}};
    holos_status status = bytes == NULL ? error_system(err, "a part") : values_ask(q, &values, err);
    *same = status == HOLOS_OK && read == p->size && memcmp(bytes, p->bytes, p->size) == 0;
    value_reading whole = {p->rank, p->size, &good, NULL, {.tier = p->tier, .part = p->part}};
    if (*same)
        status = values_ask(q, &whole, err);
    *same = *same && good == p->size;
    free(bytes);
    return status;
}

static holos_status part_copy(postgres_store *q, const tabular_part *p, holos_error *err)
{
    tabular *t = &q->base;
    copier c;
    tabular_fields fields;
    holos_place place = {.tier = p->tier, .part = p->part};
    holos_status status = copy_begin(&c, q, "COPY indexed FROM STDIN (FORMAT binary)", err);
    for (; status == HOLOS_OK && !c.failed && place.index < p->size; place.index++) {
        t->base.v->game->index->unrank(t->base.v, place, t->scratch);
        tabular_position_fields(t, t->scratch, &fields);
        put_number(&c, tabular_column_count(t) + 5, 2);
        put_long(&c, p->rank + place.index);
        put_int(&c, p->tier);
        put_int(&c, p->part);
        put_fields(&c, t, &fields);
        put_int(&c, p->bytes[place.index] - HOLOS_BYTE_ZERO);
    }
    return copy_end(&c, status, err);
}

/* Claims the part: whoever else has it in hand is waited for. */
static holos_status part_claim(postgres_store *q, const tabular_part *p, bool *fresh, holos_error *err)
{
    char sql[256], digest[33];
    PGresult *r;
    digest_format(p->digest, digest);
    snprintf(sql, sizeof sql,
             "INSERT INTO parts VALUES(%u, %u, %llu, '%s') ON CONFLICT DO NOTHING RETURNING tier", p->tier,
             p->part, (unsigned long long)p->size, digest);
    holos_status status = postgres_ask(q, sql, &r, err);
    *fresh = status == HOLOS_OK && q->pq.PQntuples(r) == 1;
    q->pq.PQclear(r);
    return status;
}

static holos_status part_remove(postgres_store *q, const tabular_part *p, holos_error *err)
{
    char sql[384], digest[33];
    unsigned long long first = p->rank, end = first + p->size;
    digest_format(p->digest, digest);
    snprintf(sql, sizeof sql,
             "DELETE FROM indexed WHERE rank >= %llu AND rank < %llu;"
             "DELETE FROM blocks WHERE first >= %llu AND first < %llu;"
             "UPDATE parts SET positions = %llu, digest = '%s' WHERE tier = %u AND part = %u",
             first, end, first, end, (unsigned long long)p->size, digest, p->tier, p->part);
    return postgres_run(q, sql, err);
}

static holos_status part_put(postgres_store *q, void *context, holos_error *err)
{
    const tabular_part *p = context;
    bool fresh, same = false;
    bool claimed[256];
    holos_status status = part_claim(q, p, &fresh, err);
    if (status == HOLOS_OK && !fresh)
        status = part_compare(q, p, &same, err);
    if (status != HOLOS_OK || same)
        return status;
    status = part_remove(q, p, err); /* what is there of it, which may be damaged, makes room */
    if (status == HOLOS_OK)
        status = part_copy(q, p, err);
    for (size_t at = 0; status == HOLOS_OK && at < p->block_count; at += 256) {
        size_t left = p->block_count - at;
        status = blocks_claim(q, p->blocks + at, left < 256 ? left : 256, claimed, err);
    }
    return status;
}

holos_status postgres_part_put(tabular *t, const tabular_part *part, holos_error *err)
{
    tabular_part p = *part;
    return postgres_transact(postgres_of(t), part_put, &p, err);
}
