/* SPDX-License-Identifier: MIT */

#include "cli/known.h"

#include "game/game.h"
#include "session/build.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
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

/* ---- Tables of endings ------------------------------------------------------------------------- */

static bool endings_probe(void *context, const holos_position *position, int32_t *score)
{
    const open_endings *e = context;
    return e->game->score(e->state, position, score);
}

static holos_status open_tables(known *k, const char *folder, const holos_variant *v, holos_error *err)
{
    holos_status status = v->game->endings->open(v, folder, &k->endings.state, err);
    if (status != HOLOS_OK)
        return status;
    k->endings.game = v->game->endings;
    k->boundary = (holos_boundary){.context = &k->endings, .probe = endings_probe};
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
    const char *folder = strncmp(url, "file:", 5) == 0 ? url + 5 : url;
    if (v != NULL && v->game->endings != NULL && v->game->endings->is_here(folder))
        return open_tables(k, folder, v, err);
    return open_store(k, url, v, cache, err);
}

/* ---- The book that comes with the program ------------------------------------------------------ */

/* The folder that the program lies in; "" if the system does not say. */
static void program_folder(char *out, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", out, size - 1);
    out[length > 0 ? length : 0] = 0;
    char *slash = strrchr(out, '/');
    if (slash != NULL)
        *slash = 0;
}

/* FOLDER/books/connect4-7x6 */
static void book_path(text *out, const char *folder, const holos_variant *v)
{
    text_clear(out);
    text_printf(out, "%s/books/", folder);
    for (const char *c = holos_variant_name(v); *c != 0; c++)
        text_char(out, *c == ':' || *c == ',' ? '-' : *c);
}

static bool book_is_there(const text *path)
{
    char manifest[4200];
    text t;
    text_init_fixed(&t, manifest, sizeof manifest);
    text_printf(&t, "%s/manifest.json", path->data);
    return !path->failed && t.length < sizeof manifest && access(manifest, R_OK) == 0;
}

/* Writes where the book of v lies to `path`; false if there is none. */
static bool book_look(const holos_variant *v, text *path)
{
    char beside[4096];
    const char *chosen = getenv("HOLOS_DATA");
    if (chosen != NULL && chosen[0] != 0) {
        book_path(path, chosen, v);
        return book_is_there(path);
    }
    program_folder(beside, sizeof beside - sizeof "/../data");
    strcat(beside, "/../data"); /* the program lies in SOURCE/build */
    book_path(path, beside, v);
    if (book_is_there(path))
        return true;
    book_path(path, HOLOS_DATADIR, v);
    return book_is_there(path);
}

/* Where tables of endings of v lie by default; false if there are none. */
static bool tables_look(const holos_variant *v, text *path)
{
    char folder[4096];
    const char *chosen = getenv("HOLOS_DATA");
    const char *installed[] = {chosen, folder, HOLOS_DATADIR};
    if (v->game->endings == NULL)
        return false;
    program_folder(folder, sizeof folder - sizeof "/../data");
    strcat(folder, "/../data");
    bool is_chosen = chosen != NULL && chosen[0] != 0;
    for (unsigned i = is_chosen ? 0 : 1; i < (is_chosen ? 1u : 3u); i++) {
        text_clear(path);
        text_printf(path, "%s/syzygy", installed[i]);
        if (!path->failed && v->game->endings->is_here(path->data))
            return true;
    }
    return false;
}

holos_status known_open_or_book(known *k, const char *url, const holos_variant *v, holos_error *err)
{
    text path;
    if (url != NULL)
        return known_open(k, url, v, 0, err);
    *k = (known){0};
    text_init(&path);
    holos_status status = HOLOS_OK;
    if (book_look(v, &path)) {
        status = known_open(k, path.data, v, 0, err);
        if (status != HOLOS_OK)
            error_prefix(err, "the book cannot be used; --no-book goes on without it: ");
    } else if (tables_look(v, &path)) {
        status = open_tables(k, path.data, v, err);
    }
    text_free(&path);
    return status;
}

void known_close(known *k)
{
    store_close(k->s);
    if (k->endings.state != NULL)
        k->endings.game->close(k->endings.state);
    if (k->h != NULL) {
        holos_hologram_close(k->h);
        pthread_mutex_destroy(&k->lock);
    }
    *k = (known){0};
}

const holos_boundary *known_boundary(const known *k)
{
    return k->s != NULL || k->h != NULL || k->endings.state != NULL ? &k->boundary : NULL;
}

const open_endings *known_endings(const known *k)
{
    return k->endings.state != NULL ? &k->endings : NULL;
}

const holos_variant *known_variant(const known *k)
{
    return k->s != NULL ? k->s->v : k->h != NULL ? holos_hologram_variant(k->h) : NULL;
}
