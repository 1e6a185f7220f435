/* SPDX-License-Identifier: MIT */

#include "cli/known.h"

#include "session/build.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- Stores ------------------------------------------------------------------------------------ */

static bool known_probe(void *context, const holos_position *position, int32_t *score)
{
    bool found;
    return store_score(context, position, score, &found, NULL) == HOLOS_OK && found;
}

static holos_status open_store(known *k, const char *url, const holos_variant *v, size_t cache,
                               holos_error *err)
{
    store_options o = {
        .mode = STORE_READ, .v = v, .cache = cache != 0 ? cache : build_memory_available() / 2};
    holos_status status = store_open(url, &o, &k->s, err);
    if (status != HOLOS_OK)
        return status;
    store_facts facts;
    k->s->backend->facts(k->s, &facts);
    if (!facts.complete) {
        known_close(k);
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                         "%s is not finished; 'holos build --resume' goes on with it", url);
    }
    k->boundary = (holos_boundary){.context = k->s, .probe = known_probe};
    return HOLOS_OK;
}

/* ---- Holograms --------------------------------------------------------------------------------- */

static bool hologram_bounds(void *context, const holos_position *position, holos_value *out)
{
    known *k = context;
    holos_value value;
    pthread_mutex_lock(&k->lock);
    holos_status status = holos_hologram_query(k->h, position, &value, NULL);
    pthread_mutex_unlock(&k->lock);
    if (status != HOLOS_OK || value.source == HOLOS_SOURCE_NONE)
        return false;
    *out = value;
    return true;
}

static bool hologram_probe(void *context, const holos_position *position, int32_t *score)
{
    holos_value value;
    if (!hologram_bounds(context, position, &value) || !holos_value_is_solved(value))
        return false;
    *score = value.lo;
    return true;
}

bool known_hologram_path(const char *url, char *path)
{
    if (strncmp(url, "file:", 5) != 0)
        return false;
    return snprintf(path, PATH_MAX, "%s/%s", url + 5, KNOWN_HOLOGRAM) < PATH_MAX;
}

static holos_status open_hologram(known *k, const char *path, const holos_variant *v, holos_error *err)
{
    holos_status status = holos_hologram_open(path, &k->h, err);
    if (status != HOLOS_OK)
        return status;
    const char *made_for = holos_variant_name(holos_hologram_variant(k->h));
    if (v != NULL && strcmp(made_for, holos_variant_name(v)) != 0) {
        error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s is a hologram of %s, not of %s", path, made_for,
                  holos_variant_name(v));
        known_close(k);
        return HOLOS_USAGE;
    }
    pthread_mutex_init(&k->lock, NULL);
    k->boundary = (holos_boundary){.context = k, .probe = hologram_probe, .bounds = hologram_bounds};
    return HOLOS_OK;
}

/* ---- Either ------------------------------------------------------------------------------------ */

holos_status known_open(known *k, const char *url, const holos_variant *v, size_t cache, holos_error *err)
{
    char path[PATH_MAX];
    *k = (known){0};
    if (url == NULL)
        return HOLOS_OK;
    if (known_hologram_path(url, path) && access(path, F_OK) == 0)
        return open_hologram(k, path, v, err);
    return open_store(k, url, v, cache, err);
}

void known_close(known *k)
{
    store_close(k->s);
    if (k->h != NULL) {
        holos_hologram_close(k->h);
        pthread_mutex_destroy(&k->lock);
    }
    *k = (known){0};
}

const holos_boundary *known_boundary(const known *k)
{
    return k->s != NULL || k->h != NULL ? &k->boundary : NULL;
}

const holos_variant *known_variant(const known *k)
{
    return k->s != NULL ? k->s->v : k->h != NULL ? holos_hologram_variant(k->h) : NULL;
}
