/* SPDX-License-Identifier: MIT */

#include "store/tabular.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_CACHE ((size_t)256 << 20)

/* ---- Columns ----------------------------------------------------------------------------------- */

uint32_t tabular_column_count(const tabular *t)
{
    return t->columns > 0 ? t->columns : 1;
}

void tabular_columns_list(const tabular *t, const char *type, const char *text_type, text *out)
{
    const holos_columns *columns = t->base.v->game->columns;
    if (columns == NULL)
        text_printf(out, ", position%s", text_type);
    for (uint32_t i = 0; columns != NULL && i < t->columns; i++) {
        text_string(out, ", ");
        columns->name(t->base.v, i, out);
        text_string(out, type);
    }
}

void tabular_view_columns(const tabular *t, text *out)
{
    const holos_columns *columns = t->base.v->game->columns;
    if (!t->columns_from_key) {
        text_string(out, "*");
        return;
    }
    text_string(out, "key");
    for (uint32_t i = 0; i <= t->columns; i++) {
        text_string(out, ", ");
        columns->expression(t->base.v, i, out);
        text_string(out, " AS ");
        if (i < t->columns)
            columns->name(t->base.v, i, out);
        else
            text_string(out, "side");
    }
    text_string(out, ", depth, value, best");
}

void tabular_position_fields(const tabular *t, const holos_position *p, tabular_fields *out)
{
    const holos_variant *v = t->base.v;
    if (v->game->columns != NULL)
        v->game->columns->values(v, p, out->columns);
    else
        holos_format(v, p, out->position, sizeof out->position);
    out->side = (int)v->game->side(v, p) + 1;
}

void tabular_row_fields(tabular *t, const holos_row *row, tabular_fields *out)
{
    const holos_variant *v = t->base.v;
    if (row->has_best || !t->columns_from_key)
        v->game->from_identity(v, row->identity, t->scratch);
    if (!t->columns_from_key)
        tabular_position_fields(t, t->scratch, out);
    out->best[0] = 0;
    if (row->has_best) { /* a graph's best moves are legal: holos_format_move would list all to see that */
        text best;
        text_init_fixed(&best, out->best, sizeof out->best);
        v->game->format_move(v, t->scratch, row->best, &best);
    }
}

void tabular_row_make(tabular *t, holos_key key, int64_t depth, const int64_t *value, const char *best,
                      holos_row *out)
{
    const holos_variant *v = t->base.v;
    *out = (holos_row){.identity = key};
    out->depth = depth >= 0 && depth < UINT32_MAX ? (uint32_t)depth : UINT32_MAX;
    out->has_value = value != NULL && *value >= INT32_MIN && *value <= INT32_MAX;
    out->value = out->has_value ? (int32_t)*value : 0;
    if (best != NULL) {
        v->game->from_identity(v, key, t->scratch);
        out->has_best = holos_parse_move(v, t->scratch, best, &out->best, NULL) == HOLOS_OK;
    }
}

void tabular_key_bytes(holos_key key, unsigned char out[16])
{
    for (int i = 0; i < 8; i++) {
        out[i] = (unsigned char)(key.hi >> (56 - 8 * i));
        out[8 + i] = (unsigned char)(key.lo >> (56 - 8 * i));
    }
}

holos_key tabular_key_read(const unsigned char bytes[16])
{
    holos_key key = {0};
    for (int i = 0; i < 8; i++) {
        key.hi = key.hi << 8 | bytes[i];
        key.lo = key.lo << 8 | bytes[8 + i];
    }
    return key;
}

/* ---- The manifest and the game ----------------------------------------------------------------- */

typedef holos_status manifest_writer(tabular *t, const char *words, size_t size, holos_error *err);

static holos_status manifest_put(tabular *t, manifest_writer *write, holos_error *err)
{
    text json;
    text_init(&json);
    manifest_write(&t->manifest, t->base.v, &json);
    holos_status status =
        json.failed ? error_system(err, "the manifest") : write(t, json.data, json.length, err);
    text_free(&json);
    return status;
}

holos_status tabular_manifest_save(tabular *t, holos_error *err)
{
    return manifest_put(t, t->driver->manifest_save, err);
}

static void manifest_begin(tabular *t, const store_options *o)
{
    manifest_free(&t->manifest);
    t->manifest.facts = (store_facts){.kind = o->kind, .top = o->top};
    strcpy(t->manifest.facts.variant, t->base.v->name);
    manifest_sign(&t->manifest);
    if (o->kind == STORE_DATABASE)
        store_family(t->base.v, t->manifest.facts.family);
}

static holos_status variant_open(tabular *t, const char *name, holos_error *err)
{
    holos_status status = holos_open(name, &t->base.v, err);
    if (status != HOLOS_OK)
        return status;
    const holos_columns *columns = t->base.v->game->columns;
    t->columns = columns != NULL ? columns->count(t->base.v) : 0;
    t->key_is_integer = t->base.v->key_bits > 0 && t->base.v->key_bits <= 63;
    text ignored;
    text_init(&ignored);
    t->columns_from_key = t->key_is_integer && columns != NULL && columns->expression != NULL &&
                          columns->expression(t->base.v, 0, &ignored);
    text_free(&ignored);
    t->scratch = holos_position_new(t->base.v);
    if (t->scratch == NULL)
        return error_system(err, "the store");
    return t->columns <= TABULAR_COLUMNS
               ? HOLOS_OK
               : error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "%s has too many columns", name);
}

/* What lies there; the manifest of a store of ours is read. */
static holos_status place_look(tabular *t, const char *location, tabular_place *place, holos_error *err)
{
    text json;
    text_init(&json);
    holos_status status = t->driver->look(t, location, place, &json, err);
    if (status == HOLOS_OK && *place == TABULAR_OURS &&
        manifest_read(&t->manifest, json.data, json.length, t->name, err) != HOLOS_OK)
        *place = TABULAR_DAMAGED;
    text_free(&json);
    return status;
}

/* ---- Opening ----------------------------------------------------------------------------------- */

/* What is to be done with what is there: nothing has been written yet. */
typedef enum beginning {
    BEGIN_NEW,
    BEGIN_ANEW, /* in place of what is there */
    BEGIN_GO_ON,
} beginning;

/* The columns of a database's rows tell the seeds in the stores, and so which variant they are of. */
static holos_status variant_check(const tabular *t, const store_options *o, holos_error *err)
{
    if (strcmp(t->manifest.facts.variant, o->v->name) == 0)
        return HOLOS_OK;
    return error_set(
        err, HOLOS_USAGE, HOLOS_NOWHERE,
        "%s holds a database with the columns of %s, which a build of %s cannot continue; --restart "
        "replaces it",
        t->name, t->manifest.facts.variant, o->v->name);
}

static holos_status there_check(tabular *t, tabular_place place, const store_options *o, beginning *out,
                                holos_error *err)
{
    *out = place == TABULAR_FREE ? BEGIN_NEW : BEGIN_ANEW;
    if (place == TABULAR_FREE)
        return HOLOS_OK;
    if (o->mode == STORE_RESTART)
        return place != TABULAR_FOREIGN
                   ? HOLOS_OK
                   : error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                               "%s is not a holos store, and is left alone; give a new one", t->name);
    if (place == TABULAR_FOREIGN)
        return HOLOS_BAD_FILE;
    if (place == TABULAR_DAMAGED)
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is damaged; --restart rebuilds it", t->name);
    holos_status status = store_may_begin(t->name, &t->manifest.facts, o, err);
    if (status == HOLOS_OK)
        status = variant_check(t, o, err);
    if (status == HOLOS_OK && (t->driver->is_whole == NULL || t->driver->is_whole(t)))
        *out = BEGIN_GO_ON;
    return status;
}

/* A finished store that is asked for again, or for less, stays as it is; otherwise it is not finished any more. */
static holos_status go_on(tabular *t, const store_options *o, holos_error *err)
{
    if (o->kind == STORE_GRAPH)
        return graph_go_on(t, err);
    if (!t->manifest.facts.complete || t->manifest.facts.top < o->top) {
        manifest_begin(t, o);
        holos_status status = tabular_manifest_save(t, err);
        if (status != HOLOS_OK)
            return status;
    }
    return database_begin(t, err);
}

static holos_status write_begin(tabular *t, const char *location, const store_options *o, holos_error *err)
{
    beginning how = BEGIN_NEW;
    tabular_place place;
    t->base.kind = o->kind;
    t->writing = true;
    holos_status status = variant_open(t, o->v->name, err);
    if (status == HOLOS_OK)
        status = place_look(t, location, &place, err);
    if (status == HOLOS_OK)
        status = there_check(t, place, o, &how, err);
    if (status == HOLOS_OK)
        status = t->driver->begin(t, how == BEGIN_ANEW, err);
    if (status != HOLOS_OK || how == BEGIN_GO_ON)
        return status == HOLOS_OK ? go_on(t, o, err) : status;
    manifest_begin(t, o);
    status = manifest_put(t, t->driver->create, err);
    return status == HOLOS_OK && o->kind == STORE_DATABASE ? database_begin(t, err) : status;
}

static bool manifest_fits(const tabular *t)
{
    const store_facts *facts = &t->manifest.facts;
    const holos_game *game = t->base.v->game;
    if (facts->kind == STORE_GRAPH)
        return game->from_identity != NULL;
    return facts->kind == STORE_DATABASE && game->index != NULL && facts->top < game->index->tiers(t->base.v);
}

static holos_status read_begin(tabular *t, const char *location, const store_options *o, holos_error *err)
{
    tabular_place place = TABULAR_FREE;
    holos_status status = place_look(t, location, &place, err);
    if (status != HOLOS_OK)
        return status;
    if (place == TABULAR_FREE)
        return error_set(err, HOLOS_IO, HOLOS_NOWHERE, "%s holds no store (no tables)", t->name);
    if (place != TABULAR_OURS)
        return HOLOS_BAD_FILE;
    status = variant_open(t, t->manifest.facts.variant, err);
    if (status != HOLOS_OK)
        return status;
    const store_facts *facts = &t->manifest.facts;
    t->base.kind = facts->kind;
    if (!manifest_fits(t))
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s: its manifest does not match its game",
                         t->name);
    if (o->v != NULL && store_fits(facts->family, facts->variant, o->v, err) != HOLOS_OK)
        return error_prefix(err, "%s: ", t->name);
    if (facts->kind == STORE_GRAPH)
        return graph_blocks_load(t, err);
    status = database_begin(t, err);
    return status == HOLOS_OK ? database_parts_check(t, err) : status;
}

holos_status tabular_open(const store_backend *backend, const tabular_driver *driver, const char *location,
                          const store_options *o, store **out, holos_error *err)
{
    tabular *t = calloc(1, driver->size);
    holos_error own = {0};
    err = err != NULL ? err : &own;
    if (t == NULL)
        return error_system(err, "the store");
    t->base.backend = backend;
    t->driver = driver;
    t->stop = o->stop;
    t->cache_bytes = o->cache != 0 ? o->cache : DEFAULT_CACHE;
    pthread_mutex_init(&t->lock, NULL);
    holos_status status =
        o->mode == STORE_READ ? read_begin(t, location, o, err) : write_begin(t, location, o, err);
    if (status != HOLOS_OK) {
        tabular_close(&t->base);
        return status;
    }
    *out = &t->base;
    return HOLOS_OK;
}

void tabular_close(store *s)
{
    tabular *t = tabular_of(s);
    if (t->writing && t->kept < t->block_count)
        graph_flush(t, NULL); /* an interrupted build keeps what it has */
    t->driver->close(t);
    if (t->base.v != NULL)
        database_end(t);
    row_cache_free(&t->cache);
    manifest_free(&t->manifest);
    holos_position_free(t->scratch);
    holos_close(t->base.v);
    pthread_mutex_destroy(&t->lock);
    free(t->blocks);
    free(t->open);
    free(t->room);
    free(t->name);
    free(t);
}

/* ---- All of it --------------------------------------------------------------------------------- */

void tabular_facts(store *s, store_facts *out)
{
    tabular *t = tabular_of(s);
    pthread_mutex_lock(&t->lock);
    *out = t->manifest.facts;
    if (!out->complete)
        out->positions = 0;
    if (s->kind == STORE_GRAPH) {
        for (size_t i = 0; !out->complete && i < t->kept; i++)
            out->positions += t->blocks[i].rows;
    } else {
        uint64_t parts = 0, positions = 0;
        t->driver->parts_count(t, &parts, &positions, NULL);
        out->parts = parts;
        out->positions = out->complete ? out->positions : positions;
        for (uint32_t tier = 0; tier <= out->top; tier++)
            out->parts_expected += s->v->game->index->parts(s->v, tier);
    }
    out->bytes = t->driver->bytes(t);
    pthread_mutex_unlock(&t->lock);
}

holos_status tabular_finish(store *s, holos_error *err)
{
    tabular *t = tabular_of(s);
    holos_status status = s->kind == STORE_GRAPH ? graph_finish(t, err) : database_finish(t, err);
    if (status == HOLOS_OK && t->driver->seal != NULL)
        status = t->driver->seal(t, err);
    if (status != HOLOS_OK)
        return status;
    t->manifest.facts.complete = true;
    status = tabular_manifest_save(t, err);
    if (status == HOLOS_OK && t->driver->finish != NULL)
        status = t->driver->finish(t, err);
    return status;
}

holos_status tabular_check(store *s, const holos_stop *stop, holos_error *err)
{
    tabular *t = tabular_of(s);
    holos_status status = t->driver->check != NULL ? t->driver->check(t, err) : HOLOS_OK;
    if (status != HOLOS_OK)
        return status;
    return s->kind == STORE_GRAPH ? graph_check(t, stop, err) : database_check(t, stop, err);
}
