/* SPDX-License-Identifier: MIT */

/* A store copied into another one, of the same or of another kind. */

#include "session/care.h"

#include <limits.h>
#include <stdlib.h>

enum { BATCH = 10000 };

/* ---- Databases --------------------------------------------------------------------------------- */

/* Whether an interrupted copy has left this part, and left it whole. */
static bool part_is_there(store *to, uint32_t tier, uint32_t part, uint8_t *room, uint64_t size)
{
    return to->backend->has(to, tier, part) &&
           to->backend->load(to, tier, part, room, size, NULL) == HOLOS_OK;
}

static holos_status part_copy(care *c, store *from, store *to, uint32_t tier, uint32_t part, holos_error *err)
{
    uint64_t size = from->v->game->index->size(from->v, tier, part);
    uint8_t *bytes = malloc(size + 1);
    if (bytes == NULL)
        return error_system(err, "a part");
    holos_status status = HOLOS_OK;
    if (!part_is_there(to, tier, part, bytes, size)) {
        status = from->backend->load(from, tier, part, bytes, size, err);
        if (status == HOLOS_OK)
            status = to->backend->save(to, tier, part, bytes, size, err);
    }
    free(bytes);
    progress_add(&c->progress, size);
    return status == HOLOS_OK ? care_stop(c, "; --resume continues", err) : status;
}

static holos_status copy_database(care *c, store *from, store *to, const store_facts *facts, holos_error *err)
{
    const holos_index *index = from->v->game->index;
    holos_status status = HOLOS_OK;
    for (uint32_t tier = 0; tier <= facts->top; tier++)
        for (uint32_t part = 0; status == HOLOS_OK && part < index->parts(from->v, tier); part++)
            status = part_copy(c, from, to, tier, part, err);
    return status;
}

/* ---- Graphs ------------------------------------------------------------------------------------ */

typedef struct row_copier {
    care *c;
    store *to;
    holos_row rows[BATCH];
    size_t count;
    holos_status status;
    holos_error *err;
} row_copier;

static void rows_flush(row_copier *r)
{
    if (r->count > 0)
        r->status = r->to->backend->put(r->to, r->rows, r->count, r->err);
    progress_add(&r->c->progress, r->count);
    r->count = 0;
    if (r->status == HOLOS_OK)
        r->status = care_stop(r->c, "; --resume continues", r->err);
}

static bool row_copy(void *context, const holos_row *row)
{
    row_copier *r = context;
    r->rows[r->count++] = *row;
    if (r->count == BATCH)
        rows_flush(r);
    return r->status == HOLOS_OK;
}

static holos_status copy_graph(care *c, store *from, store *to, holos_error *err)
{
    row_copier *r = calloc(1, sizeof *r);
    if (r == NULL)
        return error_system(err, "the copy");
    r->c = c;
    r->to = to;
    r->err = err;
    holos_status status = from->backend->scan(from, &STORE_ALL, row_copy, r, err);
    if (status == HOLOS_OK && r->status == HOLOS_OK)
        rows_flush(r);
    status = status == HOLOS_OK ? r->status : status;
    free(r);
    return status;
}

/* ---- Books ------------------------------------------------------------------------------------- */

static holos_status copy_book(care *c, store *from, store *to, holos_error *err)
{
    const book *b = from->backend->book(from);
    holos_status status = HOLOS_OK;
    for (uint32_t i = 0; status == HOLOS_OK && i < b->count; i++) {
        text bytes;
        text_init(&bytes);
        book_ply_encode(&b->plies[i], &bytes);
        status = bytes.failed ? error_system(err, "the copy")
                              : to->backend->save(to, i, 0, (const uint8_t *)bytes.data, bytes.length, err);
        text_free(&bytes);
        progress_add(&c->progress, b->plies[i].count);
        if (status == HOLOS_OK)
            status = care_stop(c, "; --resume continues", err);
    }
    return status;
}

/* ---- All of it --------------------------------------------------------------------------------- */

static holos_status copy_into(care *c, store *from, const store_facts *facts, const char *url,
                              holos_error *err)
{
    static const store_mode modes[] = {[HOLOS_JOB_NEW] = STORE_CREATE,
                                       [HOLOS_JOB_RESUME] = STORE_RESUME,
                                       [HOLOS_JOB_RESTART] = STORE_RESTART};
    store *to;
    store_options o = {
        .mode = modes[c->o.start], .kind = facts->kind, .v = from->v, .top = facts->top, .stop = c->o.stop};
    holos_status status = store_open(url, &o, &to, err);
    if (status != HOLOS_OK)
        return status;
    progress_begin(&c->progress, "copy", "positions", facts->positions);
    status = facts->kind == STORE_GRAPH  ? copy_graph(c, from, to, err)
             : facts->kind == STORE_BOOK ? copy_book(c, from, to, err)
                                         : copy_database(c, from, to, facts, err);
    progress_end(&c->progress);
    if (status == HOLOS_OK)
        status = to->backend->finish(to, err);
    store_close(to);
    return status;
}

static holos_status copy_all(care *c, const char *from, const char *to, holos_error *err)
{
    store *s;
    store_facts facts;
    char path[PATH_MAX];
    if (care_is_hologram(from, path))
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "%s is a hologram, a single file: copy the file", path);
    holos_status status = care_open(c, from, &s, err);
    if (status != HOLOS_OK)
        return status;
    s->backend->facts(s, &facts);
    if (!facts.complete)
        status = error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s is unfinished", from);
    if (status == HOLOS_OK)
        status = care_lock(c, to, "copy", s->v, err);
    if (status == HOLOS_OK)
        status = copy_into(c, s, &facts, to, err);
    store_close(s);
    return status;
}

holos_status holos_store_copy(const char *from, const char *to, const holos_store_options *options,
                              holos_report **out, holos_error *err)
{
    care c;
    if (out != NULL)
        *out = NULL;
    if (from == NULL || to == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a copy needs two URLs: a source and a target");
    holos_status status = care_distinct(from, to, "copied onto", err);
    if (status != HOLOS_OK)
        return status;
    care_begin(&c, options);
    status = copy_all(&c, from, to, err);
    care_end(&c);
    return status == HOLOS_OK ? care_report(to, out, err) : status;
}
