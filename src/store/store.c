/* SPDX-License-Identifier: MIT */

#include "store/store.h"

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

/* The backend of a URL, and where its location begins. */
static const store_backend *url_split(const char *url, const char **location)
{
    const char *colon = strchr(url, ':');
    *location = url;
    if (colon == NULL || memchr(url, '/', (size_t)(colon - url)) != NULL)
        return backends[0];
    for (size_t i = 0; store_backend_at(i) != NULL; i++) {
        const char *scheme = backends[i]->scheme;
        if (strlen(scheme) == (size_t)(colon - url) && memcmp(scheme, url, strlen(scheme)) == 0) {
            *location = colon + 1;
            return backends[i];
        }
    }
    return NULL;
}

holos_status store_open(const char *url, const store_options *o, store **out, holos_error *err)
{
    const char *location;
    const store_backend *backend = url_split(url, &location);
    *out = NULL;
    if (backend == NULL || location[0] == 0) {
        text t;
        char known[128];
        text_init_fixed(&t, known, sizeof known);
        for (size_t i = 0; store_backend_at(i) != NULL; i++)
            text_printf(&t, "%s%s", i > 0 ? ", " : "", backends[i]->summary);
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "\"%s\" does not name a store; a store is %s", url,
                         known);
    }
    return backend->open(location, o, out, err);
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
        holos_status status = s->backend->find(s, s->v->game->identity(s->v, p), &row, found, err);
        *found = status == HOLOS_OK && *found && row.has_value;
        *score = *found ? row.value : 0;
        return status;
    }
    holos_status status = bytes_value(s, p, score, found, err);
    if (status == HOLOS_OK && *found)
        *score += game_banked(s->v, p);
    return status;
}

bool store_probe(void *context, const holos_position *p, int32_t *value)
{
    store *s = context;
    bool found = false;
    if (s->kind != STORE_GRAPH)
        return bytes_value(s, p, value, &found, NULL) == HOLOS_OK && found;
    if (store_score(s, p, value, &found, NULL) != HOLOS_OK || !found)
        return false;
    *value -= game_banked(s->v, p);
    return true;
}
