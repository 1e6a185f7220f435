/* SPDX-License-Identifier: MIT */

#include "store/store.h"

#include "core/rng.h"

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

/* The value of what is still to come. */
static holos_status database_value(store *s, const holos_position *p, int32_t *value, bool *found,
                                   holos_error *err)
{
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
    holos_status status = database_value(s, p, score, found, err);
    if (status == HOLOS_OK && *found)
        *score += game_banked(s->v, p);
    return status;
}

bool store_probe(void *context, const holos_position *p, int32_t *value)
{
    store *s = context;
    bool found = false;
    if (s->kind == STORE_DATABASE)
        return database_value(s, p, value, &found, NULL) == HOLOS_OK && found;
    if (store_score(s, p, value, &found, NULL) != HOLOS_OK || !found)
        return false;
    *value -= game_banked(s->v, p);
    return true;
}

/* ---- Verification ------------------------------------------------------------------------------ */

typedef struct deriver {
    store *s;
    holos_position *here;
    holos_edges successors;
} deriver;

static bool deriver_init(deriver *d, store *s)
{
    const holos_variant *v = s->v;
    *d = (deriver){.s = s, .here = holos_position_new(v)};
    d->successors.edges = calloc(v->max_successors, sizeof *d->successors.edges);
    d->successors.positions = aligned_alloc(16, v->max_successors * v->position_size);
    return d->here != NULL && d->successors.edges != NULL && d->successors.positions != NULL;
}

static void deriver_free(deriver *d)
{
    holos_position_free(d->here);
    free(d->successors.edges);
    free(d->successors.positions);
}

/* The score of d->here from the rules and the scores of its successors, and what the store says. */
static holos_status derive_one(deriver *d, holos_error *err)
{
    const holos_variant *v = d->s->v;
    int32_t stored, best = INT32_MIN, over;
    bool found;
    holos_status status = store_score(d->s, d->here, &stored, &found, err);
    if (status != HOLOS_OK)
        return status;
    bool ended = v->game->terminal(v, d->here, &over);
    uint32_t count = ended ? 0 : v->game->expand(v, d->here, d->successors);
    if (ended)
        best = over + game_banked(v, d->here);
    for (uint32_t i = 0; found && i < count; i++) {
        int32_t child;
        status = store_score(d->s, position_at(v, d->successors.positions, i), &child, &found, err);
        if (status != HOLOS_OK)
            return status;
        if ((d->successors.edges[i].flags & HOLOS_EDGE_SAME_SIDE) == 0)
            child = -child;
        best = child > best ? child : best;
    }
    if (found && stored == best)
        return HOLOS_OK;
    char position[512];
    holos_format(v, d->here, position, sizeof position);
    if (!found)
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s or one of its successors is missing",
                         position);
    return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s has the value %d; its successors give %d",
                     position, stored, best);
}

static bool stopped(const bool *stop)
{
    return stop != NULL && __atomic_load_n(stop, __ATOMIC_RELAXED);
}

static holos_status derive_part(deriver *d, holos_place place, uint64_t end, const bool *stop, uint64_t *done,
                                holos_error *err)
{
    const holos_variant *v = d->s->v;
    for (; place.index < end; place.index++) {
        v->game->index->unrank(v, place, d->here);
        holos_status status = derive_one(d, err);
        if (status != HOLOS_OK)
            return status;
        ++*done;
        if ((*done & 0xFFF) == 0 && stopped(stop))
            return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
    }
    return HOLOS_OK;
}

static holos_status derive_database(deriver *d, uint64_t samples, uint64_t seed, const bool *stop,
                                    uint64_t *done, holos_error *err)
{
    const holos_variant *v = d->s->v;
    const holos_index *index = v->game->index;
    store_facts facts;
    rng random;
    d->s->backend->facts(d->s, &facts);
    rng_init(&random, seed, 0);
    for (uint32_t tier = 0; tier <= facts.top; tier++) {
        for (uint32_t part = 0; part < index->parts(v, tier); part++) {
            uint64_t size = index->size(v, tier, part);
            holos_place place = {.tier = tier, .part = part};
            if (samples == 0) {
                holos_status status = derive_part(d, place, size, stop, done, err);
                if (status != HOLOS_OK)
                    return status;
                continue;
            }
            /* Each part has its share, by its size, and at least a few. */
            uint64_t share = (uint64_t)((double)samples * (double)size / (double)facts.positions) + 4;
            for (uint64_t i = 0; i < share; i++) {
                place.index = rng_below(&random, size);
                holos_status status = derive_part(d, place, place.index + 1, stop, done, err);
                if (status != HOLOS_OK)
                    return status;
            }
        }
    }
    return HOLOS_OK;
}

typedef struct graph_derive {
    deriver *d;
    uint64_t every, next, *done;
    const bool *stop;
    holos_status status;
    holos_error *err;
} graph_derive;

static bool derive_row(void *context, const holos_row *row)
{
    graph_derive *g = context;
    const holos_variant *v = g->d->s->v;
    if (g->next-- > 0)
        return true;
    g->next = g->every - 1;
    v->game->from_identity(v, row->identity, g->d->here);
    g->status = derive_one(g->d, g->err);
    ++*g->done;
    if (stopped(g->stop))
        g->status = error_set(g->err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
    return g->status == HOLOS_OK;
}

holos_status store_derive(store *s, uint64_t samples, uint64_t seed, const bool *stop, uint64_t *done,
                          holos_error *err)
{
    deriver d;
    holos_status status = HOLOS_OK;
    *done = 0;
    if (!deriver_init(&d, s)) {
        status = error_system(err, "verification");
    } else if (s->kind == STORE_DATABASE) {
        status = derive_database(&d, samples, seed, stop, done, err);
    } else {
        store_facts facts;
        s->backend->facts(s, &facts);
        graph_derive g = {.d = &d, .every = 1, .done = done, .stop = stop, .err = err};
        if (samples != 0 && facts.positions > samples)
            g.every = facts.positions / samples;
        g.next = seed % g.every;
        status = s->backend->each(s, derive_row, &g, err);
        status = status == HOLOS_OK ? g.status : status;
    }
    deriver_free(&d);
    return status;
}
