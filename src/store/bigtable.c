/* SPDX-License-Identifier: MIT */

/* bigtable://PROJECT/INSTANCE/TABLE[?wait=SECONDS]: a table of Cloud Bigtable, or of its emulator (BIGTABLE_EMULATOR_HOST). Rows have
 * one cell each, in the family "holos":
 *
 *     m                     the manifest
 *     g/KEY                 a row of a graph: depth, value, best, with tabs between them
 *     b/KEY                 a block of rows of a graph: how many, their digest
 *     v/TIER/PART/NUMBER    8,192 values of a database: a digest, then a byte each
 *     p/TIER/PART           a part of a database: its positions, its digest
 *
 * All numbers in row keys are hexadecimal, so they sort: by tier, then by part and rank. What is written last says that the rest is
 * there: a block after its rows, a part after its values. Whoever writes a row again writes the same. */

#include "store/bigtable.h"

#include "core/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const store_backend store_bigtable;

/* Rows that are put into words at once. */
#define CHUNK 5000u
/* The words of a row at most: three numbers, or two and a move. */
#define WORDS 64

typedef struct bigtable_store {
    tabular base;
    bigtable_table table;
} bigtable_store;

static bigtable_table *table_of(tabular *t)
{
    return &((bigtable_store *)t)->table;
}

/* ---- Keys -------------------------------------------------------------------------------------- */

static void key_write(const tabular *t, char kind, holos_key key, char out[64])
{
    if (t->base.v->key_bits > 0 && t->base.v->key_bits <= 64)
        snprintf(out, 64, "%c/%016llx", kind, (unsigned long long)key.lo);
    else
        snprintf(out, 64, "%c/%016llx%016llx", kind, (unsigned long long)key.hi, (unsigned long long)key.lo);
}

static bool key_read(const char *words, holos_key *out)
{
    char digits[33] = "0000000000000000";
    size_t length = strlen(words + 2);
    if (length != 16 && length != 32)
        return false;
    memcpy(digits + 32 - length, words + 2, length);
    return digest_parse(digits, out);
}

static void part_key(char kind, uint32_t tier, uint32_t part, char out[64])
{
    snprintf(out, 64, "%c/%04x/%04x", kind, tier, part);
}

static void values_key(uint32_t tier, uint32_t part, uint64_t number, char out[64])
{
    snprintf(out, 64, "v/%04x/%04x/%08llx", tier, part, (unsigned long long)number);
}

/* "COUNT DIGEST" */
static bool count_read(const bigtable_row *row, uint64_t *count, holos_key *digest)
{
    char words[80], *end;
    if (row->size >= sizeof words)
        return false;
    memcpy(words, row->value, row->size);
    words[row->size] = 0;
    *count = strtoull(words, &end, 10);
    return *end == ' ' && digest_parse(end + 1, digest);
}

static size_t count_write(uint64_t count, holos_key digest, char out[WORDS])
{
    char words[33];
    digest_format(digest, words);
    return (size_t)snprintf(out, WORDS, "%llu %s", (unsigned long long)count, words);
}

/* ---- Opening ----------------------------------------------------------------------------------- */

typedef struct found_words {
    text *words;
    bool found;
} found_words;

static void words_anew(void *context)
{
    found_words *f = context;
    text_clear(f->words);
    f->found = false;
}

static bool words_take(void *context, const bigtable_row *row)
{
    found_words *f = context;
    text_bytes(f->words, (const char *)row->value, row->size);
    f->found = true;
    return true;
}

static bool row_seen(void *context, const bigtable_row *row)
{
    (void)row;
    *(bool *)context = true;
    return true;
}

/* A table without a manifest: free, if it is empty. */
static holos_status place_judge(bigtable_table *b, tabular_place *place, holos_error *err)
{
    bool ours, any = false;
    bigtable_question first = {.limit = 1, .visit = row_seen, .context = &any};
    holos_status status = bigtable_is_ours(b, &ours, err);
    if (status == HOLOS_OK)
        status = bigtable_read(b, &first, NULL, err);
    if (status != HOLOS_OK)
        return status;
    *place = !ours ? TABULAR_FOREIGN : any ? TABULAR_DAMAGED : TABULAR_FREE;
    if (*place != TABULAR_FREE)
        error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                  ours ? "%s: its manifest is missing" : "%s is not the table of a holos store", b->name);
    return HOLOS_OK;
}

static holos_status bigtable_look(tabular *t, const char *location, tabular_place *place, text *words,
                                  holos_error *err)
{
    bigtable_table *b = table_of(t);
    text name;
    text_init(&name);
    text_printf(&name, "bigtable:%.*s", (int)strcspn(location, "?"), location);
    t->name = name.failed ? NULL : strdup(name.data);
    text_free(&name);
    if (t->name == NULL)
        return error_system(err, "the store");
    b->name = t->name;
    b->stop = t->stop;
    holos_status status = bigtable_connect(b, location, err);
    if (status != HOLOS_OK)
        return status;
    static const char keys[1][64] = {"m"};
    found_words found = {.words = words};
    bigtable_question q = {
        .keys = keys, .key_count = 1, .visit = words_take, .again = words_anew, .context = &found};
    bool there;
    status = bigtable_read(b, &q, &there, err);
    *place = there ? TABULAR_OURS : TABULAR_FREE;
    return status == HOLOS_OK && there && !found.found ? place_judge(b, place, err) : status;
}

static void store_disconnect(tabular *t)
{
    bigtable_disconnect(table_of(t));
}

static holos_status store_begin(tabular *t, bool anew, holos_error *err)
{
    return anew ? bigtable_drop(table_of(t), NULL, err) : HOLOS_OK;
}

static holos_status store_manifest_save(tabular *t, const char *words, size_t size, holos_error *err)
{
    bigtable_row row = {.key = "m", .value = (const uint8_t *)words, .size = size};
    return bigtable_write(table_of(t), &row, 1, err);
}

static holos_status store_create(tabular *t, const char *words, size_t size, holos_error *err)
{
    holos_status status = bigtable_make(table_of(t), err);
    return status == HOLOS_OK ? store_manifest_save(t, words, size, err) : status;
}

static uint64_t store_bytes(tabular *t)
{
    uint64_t bytes;
    return bigtable_size(table_of(t), &bytes, NULL) == HOLOS_OK ? bytes : 0;
}

/* ---- Graphs ------------------------------------------------------------------------------------ */

typedef struct block_reading {
    tabular *t;
    holos_status status;
    holos_error *err;
} block_reading;

static void blocks_anew(void *context)
{
    ((block_reading *)context)->t->block_count = 0;
}

static bool block_take(void *context, const bigtable_row *row)
{
    block_reading *w = context;
    tabular_block block = {0};
    uint64_t rows = 0;
    bool good = key_read(row->key, &block.first) && count_read(row, &rows, &block.digest);
    block.rows = good && rows <= ROWS_BLOCK ? (uint32_t)rows : 0;
    w->status = tabular_block_add(w->t, block, w->err);
    return w->status == HOLOS_OK;
}

static holos_status store_blocks_read(tabular *t, holos_error *err)
{
    block_reading w = {.t = t, .err = err};
    bigtable_question q = {
        .first = "b/", .end = "b0", .visit = block_take, .again = blocks_anew, .context = &w};
    holos_error own;
    holos_status status = bigtable_read(table_of(t), &q, NULL, &own);
    if (w.status == HOLOS_OK && status != HOLOS_OK && err != NULL)
        *err = own;
    return w.status != HOLOS_OK ? w.status : status;
}

static size_t row_words(tabular *t, const holos_row *row, char out[WORDS])
{
    tabular_fields fields;
    int length = snprintf(out, WORDS, "%u\t", row->depth);
    tabular_row_fields(t, row, &fields);
    if (row->has_value)
        length += snprintf(out + length, (size_t)(WORDS - length), "%d", row->value);
    if (row->has_best)
        length += snprintf(out + length, (size_t)(WORDS - length), "\t%s", fields.best);
    return (size_t)length;
}

/* Room for a chunk of rows. */
typedef struct chunk {
    bigtable_row rows[CHUNK];
    char words[CHUNK][WORDS];
    size_t count;
} chunk;

static holos_status chunk_send(tabular *t, chunk *c, holos_error *err)
{
    holos_status status = c->count > 0 ? bigtable_write(table_of(t), c->rows, c->count, err) : HOLOS_OK;
    c->count = 0;
    return status;
}

static holos_status rows_write(tabular *t, const holos_row *rows, uint64_t count, chunk *c, holos_error *err)
{
    holos_status status = HOLOS_OK;
    for (uint64_t i = 0; status == HOLOS_OK && i < count; i++) {
        bigtable_row *row = &c->rows[c->count];
        key_write(t, 'g', rows[i].identity, row->key);
        row->size = row_words(t, &rows[i], c->words[c->count]);
        row->value = (const uint8_t *)c->words[c->count];
        if (++c->count == CHUNK)
            status = chunk_send(t, c, err);
    }
    return status == HOLOS_OK ? chunk_send(t, c, err) : status;
}

static holos_status store_rows_put(tabular *t, const holos_row *rows, const tabular_block *blocks,
                                   size_t count, holos_error *err)
{
    chunk *c = calloc(1, sizeof *c);
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += blocks[i].rows;
    holos_status status = c == NULL ? error_system(err, "the rows") : rows_write(t, rows, total, c, err);
    for (size_t i = 0; status == HOLOS_OK && i < count; i++) {
        bigtable_row *row = &c->rows[c->count];
        key_write(t, 'b', blocks[i].first, row->key);
        row->size = count_write(blocks[i].rows, blocks[i].digest, c->words[c->count]);
        row->value = (const uint8_t *)c->words[c->count];
        if (++c->count == CHUNK)
            status = chunk_send(t, c, err);
    }
    if (status == HOLOS_OK)
        status = chunk_send(t, c, err);
    free(c);
    return status;
}

static void row_take_words(tabular *t, const bigtable_row *row, holos_row *out)
{
    char words[WORDS] = "";
    holos_key key = {0};
    if (row->size < sizeof words)
        memcpy(words, row->value, row->size);
    key_read(row->key, &key);
    char *value = strchr(words, '\t'), *best = value != NULL ? strchr(value + 1, '\t') : NULL;
    if (best != NULL)
        *best++ = 0;
    int64_t number = value != NULL ? strtoll(value + 1, NULL, 10) : 0;
    bool has_value = value != NULL && value[1] != 0;
    tabular_row_make(t, key, strtoll(words, NULL, 10), has_value ? &number : NULL, best, out);
}

typedef struct row_taking {
    tabular *t;
    holos_row *out;
    uint32_t room, *count;
} row_taking;

static void rows_anew(void *context)
{
    *((row_taking *)context)->count = 0;
}

static bool row_take(void *context, const bigtable_row *row)
{
    row_taking *w = context;
    if (*w->count == w->room)
        return false;
    row_take_words(w->t, row, &w->out[(*w->count)++]);
    return true;
}

static holos_status store_rows_read(tabular *t, holos_key first, const holos_key *end, bool whole,
                                    holos_row *out, uint32_t room, uint32_t *count, bool *sound,
                                    holos_error *err)
{
    row_taking w = {.t = t, .out = out, .room = room, .count = count};
    bigtable_question q = {.end = "g0", .limit = room, .visit = row_take, .again = rows_anew, .context = &w};
    (void)whole;
    *sound = true;
    *count = 0;
    key_write(t, 'g', first, q.first);
    if (end != NULL)
        key_write(t, 'g', *end, q.end);
    return bigtable_read(table_of(t), &q, NULL, err);
}

typedef struct row_finding {
    tabular *t;
    const holos_key *keys;
    size_t count;
    holos_row *out;
    bool *found;
} row_finding;

static bool row_find(void *context, const bigtable_row *row)
{
    row_finding *w = context;
    holos_row one;
    row_take_words(w->t, row, &one);
    for (size_t i = 0; i < w->count; i++) {
        if (!holos_key_equal(w->keys[i], one.identity))
            continue;
        w->out[i] = one;
        w->found[i] = true;
    }
    return true;
}

static holos_status store_rows_find(tabular *t, const holos_key *keys, size_t count, holos_row *out,
                                    bool *found, holos_error *err)
{
    char(*words)[64] = calloc(count, sizeof *words);
    row_finding w = {t, keys, count, out, found};
    if (words == NULL)
        return error_system(err, "the rows");
    for (size_t i = 0; i < count; i++)
        key_write(t, 'g', keys[i], words[i]);
    bigtable_question q = {
        .keys = (const char(*)[64])words, .key_count = count, .visit = row_find, .context = &w};
    holos_status status = bigtable_read(table_of(t), &q, NULL, err);
    free(words);
    return status;
}

typedef struct row_removing {
    chunk *c;
} row_removing;

static void removing_anew(void *context)
{
    ((row_removing *)context)->c->count = 0;
}

static bool row_remove(void *context, const bigtable_row *row)
{
    chunk *c = ((row_removing *)context)->c;
    if (c->count == CHUNK)
        return true;
    strcpy(c->rows[c->count].key, row->key);
    c->rows[c->count].value = NULL;
    c->count++;
    return true;
}

/* There is no call for a range: its keys are read, and removed one by one. */
static holos_status range_remove(tabular *t, char kind, holos_key last, holos_error *err)
{
    chunk *c = calloc(1, sizeof *c);
    holos_status status = c == NULL ? error_system(err, "the rows") : HOLOS_OK;
    bool more = status == HOLOS_OK;
    while (status == HOLOS_OK && more) {
        row_removing w = {.c = c};
        bigtable_question q = {.limit = CHUNK, .visit = row_remove, .again = removing_anew, .context = &w};
        key_write(t, kind, last, q.first);
        size_t length = strlen(q.first);
        q.first[length] = '!'; /* after the key itself, and before every other */
        q.end[0] = kind;
        q.end[1] = '0';
        status = bigtable_read(table_of(t), &q, NULL, err);
        more = c->count > 0;
        if (status == HOLOS_OK)
            status = chunk_send(t, c, err);
    }
    free(c);
    return status;
}

static holos_status store_rows_cut(tabular *t, const holos_key *last, holos_error *err)
{
    holos_status status =
        last != NULL ? range_remove(t, 'b', *last, err) : bigtable_drop(table_of(t), "b/", err);
    if (status == HOLOS_OK)
        status = last != NULL ? range_remove(t, 'g', *last, err) : bigtable_drop(table_of(t), "g/", err);
    return status;
}

/* ---- Databases --------------------------------------------------------------------------------- */

typedef struct part_finding {
    bool found;
    holos_key digest;
    uint64_t positions, parts;
} part_finding;

static void parts_anew(void *context)
{
    *(part_finding *)context = (part_finding){0};
}

static bool part_take(void *context, const bigtable_row *row)
{
    part_finding *w = context;
    uint64_t positions;
    w->found = count_read(row, &positions, &w->digest);
    w->parts += w->found;
    w->positions += w->found ? positions : 0;
    return true;
}

static holos_status store_part_find(tabular *t, uint32_t tier, uint32_t part, bool *found, holos_key *digest,
                                    holos_error *err)
{
    part_finding w = {0};
    char keys[1][64];
    part_key('p', tier, part, keys[0]);
    bigtable_question q = {.keys = (const char(*)[64])keys,
                           .key_count = 1,
                           .visit = part_take,
                           .again = parts_anew,
                           .context = &w};
    holos_status status = bigtable_read(table_of(t), &q, NULL, err);
    *found = w.found;
    *digest = w.digest;
    return status;
}

static holos_status store_parts_count(tabular *t, uint64_t *parts, uint64_t *positions, holos_error *err)
{
    part_finding w = {0};
    bigtable_question q = {
        .first = "p/", .end = "p0", .visit = part_take, .again = parts_anew, .context = &w};
    holos_status status = bigtable_read(table_of(t), &q, NULL, err);
    *parts = w.parts;
    *positions = w.positions;
    return status;
}

/* A value row: the digest, then the bytes. */
#define BLOCK_BYTES (16 + TABULAR_RANKS)

static holos_status store_part_put(tabular *t, const tabular_part *p, holos_error *err)
{
    enum { MANY = 64 }; /* half a megabyte a call */
    uint8_t *bytes = malloc((size_t)MANY * BLOCK_BYTES);
    bigtable_row rows[MANY], last = {.size = 0};
    char words[WORDS];
    size_t count = 0;
    holos_status status = bytes == NULL ? error_system(err, "a part") : HOLOS_OK;
    for (size_t i = 0; status == HOLOS_OK && i < p->block_count; i++) {
        uint8_t *block = bytes + count * BLOCK_BYTES;
        tabular_key_bytes(p->blocks[i].digest, block);
        memcpy(block + 16, p->bytes + i * TABULAR_RANKS, p->blocks[i].rows);
        values_key(p->tier, p->part, i, rows[count].key);
        rows[count].value = block;
        rows[count++].size = 16 + p->blocks[i].rows;
        if (count == MANY || i + 1 == p->block_count) {
            status = bigtable_write(table_of(t), rows, count, err);
            count = 0;
        }
    }
    free(bytes);
    part_key('p', p->tier, p->part, last.key);
    last.size = count_write(p->size, p->digest, words);
    last.value = (const uint8_t *)words;
    return status == HOLOS_OK ? bigtable_write(table_of(t), &last, 1, err) : status;
}

typedef struct value_taking {
    uint64_t from, size, number, read; /* from: of the part; number: of the next block */
    uint64_t first;                    /* block */
    uint8_t *bytes;
    holos_key digest;
    bool found;
} value_taking;

static void values_anew(void *context)
{
    value_taking *w = context;
    w->read = 0;
    w->number = w->first;
}

/* Blocks come in order; after one that is missing nothing counts. */
static bool values_take(void *context, const bigtable_row *row)
{
    value_taking *w = context;
    uint64_t number = strtoull(strrchr(row->key, '/') + 1, NULL, 16);
    if (number != w->number || row->size < 16)
        return true;
    if (w->number == w->first)
        w->digest = tabular_key_read(row->value);
    w->found = true;
    w->number++;
    uint64_t at = w->from + w->read - number * TABULAR_RANKS, rows = row->size - 16;
    for (; at < rows && w->read < w->size && w->bytes != NULL; at++)
        w->bytes[w->read++] = row->value[16 + at];
    return true;
}

static holos_status blocks_ask(tabular *t, holos_place first, uint64_t size, value_taking *w,
                               holos_error *err)
{
    w->from = first.index;
    w->size = size;
    w->first = w->number = first.index / TABULAR_RANKS;
    bigtable_question q = {.visit = values_take, .again = values_anew, .context = w};
    values_key(first.tier, first.part, w->first, q.first);
    values_key(first.tier, first.part, (first.index + size + TABULAR_RANKS - 1) / TABULAR_RANKS, q.end);
    return bigtable_read(table_of(t), &q, NULL, err);
}

static holos_status store_values_read(tabular *t, holos_place first, uint64_t rank, uint64_t size,
                                      uint8_t *bytes, uint64_t *read, holos_error *err)
{
    value_taking w = {.bytes = bytes};
    (void)rank;
    *read = 0;
    if (size == 0)
        return HOLOS_OK;
    holos_status status = blocks_ask(t, first, size, &w, err);
    *read = w.read;
    return status;
}

static holos_status store_part_block(tabular *t, holos_place first, uint64_t rank, bool *found,
                                     holos_key *digest, holos_error *err)
{
    value_taking w = {.bytes = NULL};
    (void)rank;
    holos_status status = blocks_ask(t, first, 1, &w, err);
    *found = w.found;
    *digest = w.digest;
    return status;
}

/* ---- The backend ------------------------------------------------------------------------------- */

static const tabular_driver driver = {
    .size = sizeof(bigtable_store),
    .batch = 8,
    .look = bigtable_look,
    .close = store_disconnect,
    .begin = store_begin,
    .create = store_create,
    .manifest_save = store_manifest_save,
    .bytes = store_bytes,
    .blocks_read = store_blocks_read,
    .rows_put = store_rows_put,
    .rows_read = store_rows_read,
    .rows_find = store_rows_find,
    .rows_cut = store_rows_cut,
    .part_find = store_part_find,
    .part_put = store_part_put,
    .part_block = store_part_block,
    .values_read = store_values_read,
    .parts_count = store_parts_count,
};

static holos_status bigtable_open(const char *location, const store_options *o, store **out, holos_error *err)
{
    return tabular_open(&store_bigtable, &driver, location, o, out, err);
}

const store_backend store_bigtable = {
    .scheme = "bigtable",
    .summary = "bigtable://PROJECT/INSTANCE/TABLE",
    .can = STORE_DATABASES | STORE_GRAPHS | STORE_REMOTE | STORE_SHARED,
    .library = rpc_version,
    .open = bigtable_open,
    TABULAR_BACKEND,
};
