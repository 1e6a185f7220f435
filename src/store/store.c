/* SPDX-License-Identifier: MIT */

#include "store/store.h"

#include "core/url.h"

#include <stdlib.h>
#include <string.h>

#define BACKEND(name) extern const store_backend name;
#include "store/backends.def"
#undef BACKEND

static const store_backend *const backends[] = {
#define BACKEND(name) &name,
#include "store/backends.def"
#undef BACKEND
};

const char *store_kind_name(store_kind kind)
{
    static const char *const names[] = {
        [STORE_DATABASE] = "database", [STORE_GRAPH] = "graph", [STORE_BOOK] = "book"};
    return names[kind];
}

const store_backend *store_backend_at(size_t index)
{
    return index < sizeof backends / sizeof *backends ? backends[index] : NULL;
}

void store_family(const holos_variant *v, char *out)
{
    text t;
    text_init_fixed(&t, out, 64);
    out[0] = 0;
    if (v->game->index != NULL && v->game->index->family != NULL)
        v->game->index->family(v, &t);
}

holos_status store_fits(const char *family, const char *made_for, const holos_variant *v, holos_error *err)
{
    char mine[64];
    store_family(v, mine);
    if (strcmp(made_for, v->name) == 0 || (mine[0] != 0 && strcmp(mine, family) == 0))
        return HOLOS_OK;
    return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "the store was made for %s, not for %s", made_for,
                     v->name);
}

holos_status store_may_begin(const char *place, const store_facts *facts, const store_options *o,
                             holos_error *err)
{
    if (o->mode == STORE_RESTART)
        return HOLOS_OK;
    if (store_fits(facts->family, facts->variant, o->v, err) != HOLOS_OK)
        return error_prefix(err, "%s: ", place);
    char what[160]; /* "graph of kalah:4,3", "book of connect4 up to 8" */
    text t;
    text_init_fixed(&t, what, sizeof what);
    text_printf(&t, "%s of %s", store_kind_name(facts->kind), facts->variant);
    if (facts->kind != STORE_GRAPH)
        text_printf(&t, " up to %u", facts->top);
    if (facts->kind != o->kind || (facts->kind == STORE_BOOK && facts->top != o->top))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s holds a %s instead; --restart replaces it",
                         place, what);
    if (o->mode == STORE_RESUME && !facts->complete && facts->top > o->top)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "%s holds unfinished work on a %s, which goes further; finish that, or --restart "
                         "replaces it",
                         place, what);
    if (o->mode != STORE_CREATE)
        return HOLOS_OK;
    if (!facts->complete)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "%s holds unfinished work on a %s; --resume continues, --restart starts over", place,
                         what);
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s holds a finished %s; %s--restart replaces it",
                     place, what, facts->kind == STORE_DATABASE ? "--resume extends it, " : "");
}

/* The backend of a URL. A bare path is what lies there, and otherwise the native store's. */
static const store_backend *backend_of(const url_parts *u)
{
    for (size_t i = 0; store_backend_at(i) != NULL; i++) {
        bool named = u->scheme[0] != 0 && strcmp(backends[i]->scheme, u->scheme) == 0;
        bool lies_there =
            u->scheme[0] == 0 && backends[i]->recognise != NULL && backends[i]->recognise(u->location);
        if (named || lies_there)
            return backends[i];
    }
    if (strcmp(u->scheme, "postgresql") == 0) /* libpq knows both */
        return backend_of(&(url_parts){.scheme = "postgres", .location = u->location});
    return u->scheme[0] == 0 ? backends[0] : NULL;
}

const store_backend *store_backend_of(const char *url, const char **location)
{
    url_parts u = url_parse(url);
    *location = u.location;
    return backend_of(&u);
}

bool store_is_remote(const char *url)
{
    const char *location;
    const store_backend *backend = store_backend_of(url, &location);
    return backend != NULL && (backend->can & STORE_REMOTE) != 0;
}

bool store_is_named(const char *name)
{
    url_parts u = url_parse(name);
    return backend_of(&u) != NULL;
}

holos_status store_open(const char *name, const store_options *o, store **out, holos_error *err)
{
    url_parts u = url_parse(name);
    const store_backend *backend = backend_of(&u);
    holos_error own = {0};
    err = err != NULL ? err : &own;
    *out = NULL;
    if (backend == NULL || u.location[0] == 0) {
        char known[256];
        text t;
        text_init_fixed(&t, known, sizeof known);
        for (size_t i = 0; store_backend_at(i) != NULL; i++)
            text_printf(&t, "%s%s", i > 0 ? ", " : "", backends[i]->summary);
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "\"%s\" is not a store; a store is %s", name,
                         known);
    }
    static const unsigned kinds[] = {
        [STORE_DATABASE] = STORE_DATABASES, [STORE_GRAPH] = STORE_GRAPHS, [STORE_BOOK] = STORE_BOOKS};
    if (backend->missing != NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "%s: %s", backend->summary, backend->missing);
    if (o->mode != STORE_READ && (backend->can & kinds[o->kind]) == 0)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "%s does not hold %ss; use file:DIR",
                         backend->summary, store_kind_name(o->kind));
    return backend->open(u.location, o, out, err);
}

void store_close(store *s)
{
    if (s != NULL)
        s->backend->close(s);
}

/* ---- Values ------------------------------------------------------------------------------------ */

static holos_status book_value(store *s, const holos_position *p, int32_t *value, bool *found)
{
    const book *b = s->backend->book(s);
    uint8_t byte = b != NULL ? book_find(b, s->v->game->key(s->v, p)) : HOLOS_BYTE_UNKNOWN;
    *found = byte != HOLOS_BYTE_UNKNOWN;
    *value = byte - HOLOS_BYTE_ZERO;
    return HOLOS_OK;
}

/* The value of what is still to come. */
static holos_status bytes_value(store *s, const holos_position *p, int32_t *value, bool *found,
                                holos_error *err)
{
    if (s->kind == STORE_BOOK)
        return book_value(s, p, value, found);
    holos_place place;
    uint8_t byte;
    *found = false;
    *value = 0;
    /* A position with more seeds than its variant starts with lies beyond the index, not beyond the rules. */
    if (!s->v->game->index->rank(s->v, p, &place))
        return HOLOS_OK;
    holos_status status = s->backend->byte(s, place, &byte, err);
    if (status != HOLOS_OK)
        return status;
    *found = byte != HOLOS_BYTE_UNKNOWN;
    *value = byte - HOLOS_BYTE_ZERO;
    return HOLOS_OK;
}

holos_status store_score(store *s, const holos_position *p, int32_t *score, bool *found, holos_error *err)
{
    if (s->kind == STORE_GRAPH) {
        holos_row row;
        holos_key identity = s->v->game->identity(s->v, p);
        holos_status status = s->backend->get(s, &identity, 1, &row, found, err);
        *found = status == HOLOS_OK && *found && row.has_value;
        *score = *found ? row.value : 0;
        return status;
    }
    holos_status status = bytes_value(s, p, score, found, err);
    if (status == HOLOS_OK && *found)
        *score += game_banked(s->v, p);
    return status;
}

/* ---- Rows -------------------------------------------------------------------------------------- */

static bool row_count(void *context, const holos_row *row)
{
    (void)row;
    ++*(uint64_t *)context;
    return true;
}

holos_status store_count(store *s, const store_range *range, uint64_t *out, holos_error *err)
{
    *out = 0;
    return s->backend->scan(s, range, row_count, out, err);
}
