/* SPDX-License-Identifier: MIT */

#include "store/bigtable.h"

#include "bigtable.pb-c.h"
#include "store/patience.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DATA  "/google.bigtable.v2.Bigtable/"
#define ADMIN "/google.bigtable.admin.v2.BigtableTableAdmin/"
/* Seconds that one call may take. */
#define CALL_SECONDS 60.0
/* Rows that are changed in one call. */
#define WRITE_ROWS 5000u

/* ---- The connection ---------------------------------------------------------------------------- */

/* The caller frees it; NULL: no memory. */
__attribute__((format(printf, 1, 2))) static char *words_make(const char *format, ...)
{
    char *words;
    va_list list;
    va_start(list, format);
    if (vasprintf(&words, format, list) < 0)
        words = NULL;
    va_end(list);
    return words;
}

static bool name_is_good(const char *s)
{
    return s[0] != 0 && strlen(s) <= 50 &&
           s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")] == 0;
}

/* "//PROJECT/INSTANCE/TABLE", without what comes after a question mark. */
static holos_status names_read(bigtable_table *b, const char *address, holos_error *err)
{
    char parts[3][64] = {"", "", ""};
    int count = sscanf(address, "//%50[^/?]/%50[^/?]/%50[^/?]", parts[0], parts[1], parts[2]);
    size_t length = 4;
    for (int i = 0; i < 3; i++)
        length += strlen(parts[i]);
    if (count != 3 || !name_is_good(parts[0]) || !name_is_good(parts[1]) || !name_is_good(parts[2]) ||
        strcspn(address, "?") != length)
        return error_set(
            err, HOLOS_USAGE, HOLOS_NOWHERE,
            "bigtable:%s is not bigtable://PROJECT/INSTANCE/TABLE, with names of letters, digits, "
            "underscores, dots and hyphens",
            address);
    b->instance = words_make("projects/%s/instances/%s", parts[0], parts[1]);
    b->table = words_make("projects/%s/instances/%s/tables/%s", parts[0], parts[1], parts[2]);
    b->routing = words_make("table_name=projects%%2F%s%%2Finstances%%2F%s%%2Ftables%%2F%s", parts[0],
                            parts[1], parts[2]);
    if (b->instance == NULL || b->table == NULL || b->routing == NULL)
        return error_system(err, "the store");
    b->id = strrchr(b->table, '/') + 1;
    return HOLOS_OK;
}

holos_status bigtable_connect(bigtable_table *b, const char *address, holos_error *err)
{
    const char *emulator = getenv("BIGTABLE_EMULATOR_HOST");
    bool plain = emulator != NULL && emulator[0] != 0;
    holos_status status = names_read(b, address, err);
    if (status == HOLOS_OK && !query_wait(address, &b->wait))
        status = error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "bigtable:%s: \"wait=\" is not a time", address);
    if (status == HOLOS_OK)
        status = rpc_open(plain ? emulator : "bigtable.googleapis.com:443", plain, &b->data, err);
    if (status == HOLOS_OK)
        status = rpc_open(plain ? emulator : "bigtableadmin.googleapis.com:443", plain, &b->admin, err);
    return status;
}

void bigtable_disconnect(bigtable_table *b)
{
    rpc_close(b->data);
    rpc_close(b->admin);
    free(b->instance);
    free(b->table);
    free(b->routing);
}

/* ---- Calls ------------------------------------------------------------------------------------- */

typedef struct call_parts {
    const char *method;
    const ProtobufCMessage *request;
    bool (*answer)(void *context, const uint8_t *bytes, size_t size);
    void (*again)(void *context);
    void *context;
    const int *failure; /* a code among the answers; may be NULL */
    int allowed;        /* a code that is an answer, too; RPC_OK: none */
} call_parts;

static bool is_passing(int code)
{
    return code == RPC_UNAVAILABLE || code == RPC_DEADLINE || code == RPC_ABORTED;
}

static holos_status failed(const bigtable_table *b, int code, const char *words, holos_error *err)
{
    return error_set(err, HOLOS_IO, HOLOS_NOWHERE, "%s: %s (gRPC code %d)", b->name,
                     words[0] != 0 ? words : "the server says no", code);
}

/* Calls, and calls again with pauses while the server has a reason that passes. *code: how it ended. */
static holos_status call_packed(bigtable_table *b, const call_parts *p, const uint8_t *request, size_t size,
                                int *code, holos_error *err)
{
    bool admin = strncmp(p->method, ADMIN, sizeof ADMIN - 1) == 0;
    patience waiting = patience_begin(b->wait, b->stop);
    char words[256];
    rpc_call c = {.method = p->method,
                  .routing = admin ? NULL : b->routing,
                  .request = request,
                  .size = size,
                  .seconds = CALL_SECONDS,
                  .answer = p->answer,
                  .context = p->context};
    for (;;) {
        if (p->again != NULL)
            p->again(p->context);
        *code = rpc_run(admin ? b->admin : b->data, &c, words);
        if (*code == RPC_OK && p->failure != NULL)
            *code = *p->failure;
        b->was_connected = b->was_connected || *code != RPC_UNAVAILABLE;
        if (*code == RPC_OK || (p->allowed != RPC_OK && *code == p->allowed))
            return HOLOS_OK;
        if (!is_passing(*code) || !b->was_connected)
            return failed(b, *code, words, err);
        if (patience_wait(&waiting))
            continue;
        if (holos_stop_asked(b->stop))
            return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
        failed(b, *code, words, err);
        char before[256];
        snprintf(before, sizeof before, "%.255s", err->message);
        error_set(err, HOLOS_IO, HOLOS_NOWHERE, "%s (waited %g s for the server)", before, b->wait);
        b->wait = 0; /* once is enough */
        return HOLOS_IO;
    }
}

static holos_status call_run(bigtable_table *b, const call_parts *p, int *code, holos_error *err)
{
    holos_error own = {0};
    size_t size = protobuf_c_message_get_packed_size(p->request);
    uint8_t *bytes = malloc(size + 1);
    if (bytes == NULL)
        return error_system(err, "the request");
    protobuf_c_message_pack(p->request, bytes);
    holos_status status = call_packed(b, p, bytes, size, code, err != NULL ? err : &own);
    free(bytes);
    return status;
}

/* ---- Reading ----------------------------------------------------------------------------------- */

/* Rows arrive in chunks: a large value in several, and nothing counts before it is committed. */
typedef struct row_reading {
    const bigtable_question *q;
    bigtable_row row;
    text value;
} row_reading;

static void reading_anew(void *context)
{
    row_reading *w = context;
    text_clear(&w->value);
    if (w->q->again != NULL)
        w->q->again(w->q->context);
}

static bool chunk_take(row_reading *w, const Bt__CellChunk *c)
{
    if (c->row_status_case == BT__CELL_CHUNK__ROW_STATUS_RESET_ROW) {
        text_clear(&w->value);
        return true;
    }
    if (c->row_key.len >= sizeof w->row.key)
        return false;
    if (c->row_key.len > 0) {
        memcpy(w->row.key, c->row_key.data, c->row_key.len);
        w->row.key[c->row_key.len] = 0;
        text_clear(&w->value);
    }
    text_bytes(&w->value, (const char *)c->value.data, c->value.len);
    if (c->row_status_case != BT__CELL_CHUNK__ROW_STATUS_COMMIT_ROW)
        return true;
    w->row.value = (const uint8_t *)w->value.data;
    w->row.size = w->value.length;
    return !w->value.failed && w->q->visit(w->q->context, &w->row);
}

static bool rows_answer(void *context, const uint8_t *bytes, size_t size)
{
    row_reading *w = context;
    Bt__ReadRowsResponse *r = bt__read_rows_response__unpack(NULL, size, bytes);
    bool good = r != NULL;
    for (size_t i = 0; good && i < r->n_chunks; i++)
        good = chunk_take(w, r->chunks[i]);
    bt__read_rows_response__free_unpacked(r, NULL);
    return good;
}

static ProtobufCBinaryData data_of(const char *words)
{
    return (ProtobufCBinaryData){.len = strlen(words), .data = (uint8_t *)(uintptr_t)words};
}

holos_status bigtable_read(bigtable_table *b, const bigtable_question *q, bool *there, holos_error *err)
{
    Bt__ReadRowsRequest request = BT__READ_ROWS_REQUEST__INIT;
    Bt__RowSet set = BT__ROW_SET__INIT;
    Bt__RowRange range = BT__ROW_RANGE__INIT, *ranges = &range;
    ProtobufCBinaryData *keys = calloc(q->key_count + 1, sizeof *keys);
    row_reading w = {.q = q};
    int code;
    if (keys == NULL)
        return error_system(err, "the request");
    request.table_name = b->table;
    request.rows = &set;
    request.rows_limit = (int64_t)q->limit;
    if (q->key_count > 0) {
        for (size_t i = 0; i < q->key_count; i++)
            keys[i] = data_of(q->keys[i]);
        set.n_row_keys = q->key_count;
        set.row_keys = keys;
    } else {
        range.start_key_case = BT__ROW_RANGE__START_KEY_START_KEY_CLOSED;
        range.start_key_closed = data_of(q->first);
        if (q->end[0] != 0) {
            range.end_key_case = BT__ROW_RANGE__END_KEY_END_KEY_OPEN;
            range.end_key_open = data_of(q->end);
        }
        set.n_row_ranges = 1;
        set.row_ranges = &ranges;
    }
    text_init(&w.value);
    holos_status status = call_run(b,
                                   &(call_parts){.method = DATA "ReadRows",
                                                 .request = &request.base,
                                                 .answer = rows_answer,
                                                 .again = reading_anew,
                                                 .context = &w,
                                                 .allowed = there != NULL ? RPC_NOT_FOUND : RPC_OK},
                                   &code, err);
    if (there != NULL)
        *there = code != RPC_NOT_FOUND;
    text_free(&w.value);
    free(keys);
    return status;
}

static bool sample_answer(void *context, const uint8_t *bytes, size_t size)
{
    Bt__SampleRowKeysResponse *r = bt__sample_row_keys_response__unpack(NULL, size, bytes);
    uint64_t *largest = context;
    if (r != NULL && r->offset_bytes > 0 && (uint64_t)r->offset_bytes > *largest)
        *largest = (uint64_t)r->offset_bytes;
    bool good = r != NULL;
    bt__sample_row_keys_response__free_unpacked(r, NULL);
    return good;
}

holos_status bigtable_size(bigtable_table *b, uint64_t *out, holos_error *err)
{
    Bt__SampleRowKeysRequest request = BT__SAMPLE_ROW_KEYS_REQUEST__INIT;
    int code;
    *out = 0;
    request.table_name = b->table;
    return call_run(b,
                    &(call_parts){.method = DATA "SampleRowKeys",
                                  .request = &request.base,
                                  .answer = sample_answer,
                                  .context = out},
                    &code, err);
}

/* ---- Writing ----------------------------------------------------------------------------------- */

/* What a call needs for each row. */
typedef struct change {
    Bt__RowMutation entry;
    Bt__Mutation mutation, *mutations;
    Bt__SetCell cell;
    Bt__DeleteFromRow removal;
} change;

static void change_make(change *c, const bigtable_row *row)
{
    bt__row_mutation__init(&c->entry);
    bt__mutation__init(&c->mutation);
    c->entry.row_key = data_of(row->key);
    c->entry.n_mutations = 1;
    c->mutations = &c->mutation;
    c->entry.mutations = &c->mutations;
    if (row->value == NULL) {
        bt__delete_from_row__init(&c->removal);
        c->mutation.mutation_case = BT__MUTATION__MUTATION_DELETE_FROM_ROW;
        c->mutation.delete_from_row = &c->removal;
        return;
    }
    /* Always the same time, so that a row that is written again takes the place of itself. */
    bt__set_cell__init(&c->cell);
    c->cell.family_name = (char *)(uintptr_t)BIGTABLE_FAMILY;
    c->cell.value = (ProtobufCBinaryData){.len = row->size, .data = (uint8_t *)(uintptr_t)row->value};
    c->mutation.mutation_case = BT__MUTATION__MUTATION_SET_CELL;
    c->mutation.set_cell = &c->cell;
}

/* The worst that became of a row: a reason that does not pass is worse than one that does. */
static bool changes_answer(void *context, const uint8_t *bytes, size_t size)
{
    int *worst = context;
    Bt__MutateRowsResponse *r = bt__mutate_rows_response__unpack(NULL, size, bytes);
    for (size_t i = 0; r != NULL && i < r->n_entries; i++) {
        int code = r->entries[i]->status != NULL ? r->entries[i]->status->code : RPC_OK;
        if (code != RPC_OK && (*worst == RPC_OK || !is_passing(code)))
            *worst = code;
    }
    bool good = r != NULL;
    bt__mutate_rows_response__free_unpacked(r, NULL);
    return good;
}

static void changes_anew(void *context)
{
    *(int *)context = RPC_OK;
}

holos_status bigtable_write(bigtable_table *b, const bigtable_row *rows, size_t count, holos_error *err)
{
    size_t most = count < WRITE_ROWS ? count : WRITE_ROWS;
    change *changes = malloc((most + 1) * sizeof *changes);
    Bt__RowMutation **entries = malloc((most + 1) * sizeof *entries);
    holos_status status = changes == NULL || entries == NULL ? error_system(err, "the rows") : HOLOS_OK;
    for (size_t at = 0; status == HOLOS_OK && at < count; at += most) {
        Bt__MutateRowsRequest request = BT__MUTATE_ROWS_REQUEST__INIT;
        size_t some = count - at < most ? count - at : most;
        int worst, code;
        for (size_t i = 0; i < some; i++) {
            change_make(&changes[i], &rows[at + i]);
            entries[i] = &changes[i].entry;
        }
        request.table_name = b->table;
        request.n_entries = some;
        request.entries = entries;
        status = call_run(b,
                          &(call_parts){.method = DATA "MutateRows",
                                        .request = &request.base,
                                        .answer = changes_answer,
                                        .again = changes_anew,
                                        .context = &worst,
                                        .failure = &worst},
                          &code, err);
    }
    free(changes);
    free(entries);
    return status;
}

/* ---- Tables ------------------------------------------------------------------------------------ */

holos_status bigtable_make(bigtable_table *b, holos_error *err)
{
    Bt__CreateTableRequest request = BT__CREATE_TABLE_REQUEST__INIT;
    Bt__Table table = BT__TABLE__INIT;
    Bt__ColumnFamily family = BT__COLUMN_FAMILY__INIT;
    Bt__FamilyEntry entry = BT__FAMILY_ENTRY__INIT, *entries = &entry;
    char name[] = BIGTABLE_FAMILY;
    int code;
    entry.key = name;
    entry.value = &family;
    table.n_column_families = 1;
    table.column_families = &entries;
    request.parent = b->instance;
    request.table_id = (char *)(uintptr_t)b->id;
    request.table = &table;
    return call_run(
        b,
        &(call_parts){.method = ADMIN "CreateTable", .request = &request.base, .allowed = RPC_ALREADY_EXISTS},
        &code, err);
}

static bool table_answer(void *context, const uint8_t *bytes, size_t size)
{
    Bt__Table *t = bt__table__unpack(NULL, size, bytes);
    bool *ours = context;
    for (size_t i = 0; t != NULL && i < t->n_column_families; i++)
        *ours = *ours || strcmp(t->column_families[i]->key, BIGTABLE_FAMILY) == 0;
    bool good = t != NULL;
    bt__table__free_unpacked(t, NULL);
    return good;
}

holos_status bigtable_is_ours(bigtable_table *b, bool *ours, holos_error *err)
{
    Bt__GetTableRequest request = BT__GET_TABLE_REQUEST__INIT;
    int code;
    *ours = false;
    request.name = b->table;
    return call_run(
        b,
        &(call_parts){
            .method = ADMIN "GetTable", .request = &request.base, .answer = table_answer, .context = ours},
        &code, err);
}

holos_status bigtable_drop(bigtable_table *b, const char *prefix, holos_error *err)
{
    Bt__DropRowRangeRequest request = BT__DROP_ROW_RANGE_REQUEST__INIT;
    int code;
    request.name = b->table;
    request.target_case = BT__DROP_ROW_RANGE_REQUEST__TARGET_DELETE_ALL_DATA_FROM_TABLE;
    request.delete_all_data_from_table = true;
    if (prefix != NULL) {
        request.target_case = BT__DROP_ROW_RANGE_REQUEST__TARGET_ROW_KEY_PREFIX;
        request.row_key_prefix = data_of(prefix);
    }
    return call_run(b, &(call_parts){.method = ADMIN "DropRowRange", .request = &request.base}, &code, err);
}
