/* SPDX-License-Identifier: MIT */

#include "core/url.h"
#include "knowledge/knowledge.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A hologram answers one question at a time. So threads that ask at once open it several times. */
#define VIEWS_MOST 16

typedef struct hologram_view {
    pthread_mutex_t lock;
    holos_hologram *h;
} hologram_view;

typedef struct hologram_views {
    pthread_mutex_t growing;
    char *path;
    struct stat file; /* when it was opened first */
    size_t memory;    /* for all of them */
    _Atomic unsigned count;
    hologram_view views[VIEWS_MOST];
} hologram_views;

static void views_close(hologram_views *v)
{
    for (unsigned i = 0; i < v->count; i++) {
        holos_hologram_close(v->views[i].h);
        pthread_mutex_destroy(&v->views[i].lock);
    }
    pthread_mutex_destroy(&v->growing);
    free(v->path);
    free(v);
}

static void hologram_shut(holos_knowledge *k)
{
    views_close(k->state);
}

/* Whether the file is the one that was opened first: another may have taken its place. */
static bool file_is_same(const hologram_views *v)
{
    struct stat now;
    return stat(v->path, &now) == 0 && now.st_dev == v->file.st_dev && now.st_ino == v->file.st_ino &&
           now.st_size == v->file.st_size;
}

/* Adds a view, unless there are enough or the file cannot be opened again. */
static void views_grow(hologram_views *v, unsigned seen)
{
    pthread_mutex_lock(&v->growing);
    holos_hologram *h;
    if (v->count == seen && seen < VIEWS_MOST && file_is_same(v) &&
        holos_hologram_open(v->path, &h, NULL) == HOLOS_OK) {
        for (unsigned i = 0; i < seen; i++) {
            pthread_mutex_lock(&v->views[i].lock);
            holos_hologram_keep(v->views[i].h, v->memory / (seen + 1));
            pthread_mutex_unlock(&v->views[i].lock);
        }
        holos_hologram_keep(h, v->memory / (seen + 1));
        v->views[seen].h = h;
        pthread_mutex_init(&v->views[seen].lock, NULL);
        v->count = seen + 1;
    }
    pthread_mutex_unlock(&v->growing);
}

/* A view that nobody uses, locked. A thread begins with the same one every time, as long as there are no more. */
static hologram_view *view_take(holos_knowledge *k)
{
    hologram_views *v = k->state;
    unsigned count = v->count, first = (unsigned)((uintptr_t)pthread_self() >> 12) % count;
    for (unsigned i = 0; i < count; i++) {
        hologram_view *view = &v->views[(first + i) % count];
        if (pthread_mutex_trylock(&view->lock) == 0)
            return view;
    }
    views_grow(v, count);
    count = v->count;
    hologram_view *view = &v->views[(first + count - 1) % count];
    pthread_mutex_lock(&view->lock);
    return view;
}

static holos_status value_find(void *context, const holos_position *p, holos_value *out, holos_error *err)
{
    holos_value value;
    hologram_view *view = view_take(context);
    holos_status status = holos_hologram_query(view->h, p, &value, err);
    pthread_mutex_unlock(&view->lock);
    if (status == HOLOS_OK && value.source != HOLOS_SOURCE_NONE)
        *out = value;
    return status;
}

static holos_status guess_find(void *context, const holos_position *p, holos_guess *out, holos_error *err)
{
    bool found;
    hologram_view *view = view_take(context);
    holos_status status = holos_hologram_guess(view->h, p, out, &found, err);
    pthread_mutex_unlock(&view->lock);
    return status;
}

static holos_status positions_walk(holos_knowledge *k, holos_cursor *cursor, holos_position *positions,
                                   size_t capacity, size_t *count, holos_error *err)
{
    hologram_view *view = view_take(k);
    holos_status status = holos_hologram_walk(view->h, cursor, positions, capacity, count, err);
    pthread_mutex_unlock(&view->lock);
    return status;
}

/* Of a hologram that has been opened. NULL: no memory. */
static hologram_views *views_make(holos_hologram *h, const char *path, size_t memory)
{
    hologram_views *v = calloc(1, sizeof *v);
    if (v != NULL)
        v->path = strdup(path);
    if (v == NULL || v->path == NULL) {
        free(v);
        return NULL;
    }
    stat(path, &v->file);
    pthread_mutex_init(&v->growing, NULL);
    pthread_mutex_init(&v->views[0].lock, NULL);
    v->views[0].h = h;
    v->memory = memory;
    v->count = 1;
    holos_hologram_keep(h, memory);
    return v;
}

holos_status knowledge_open_hologram(holos_knowledge *k, const char *path, size_t memory, holos_error *err)
{
    holos_hologram *h;
    holos_status status = holos_hologram_open(path, &h, err);
    if (status != HOLOS_OK)
        return status;
    const holos_variant *made_for = holos_hologram_variant(h);
    if (k->v != NULL && strcmp(made_for->name, k->v->name) != 0)
        status = error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s is a hologram of %s, not of %s", path,
                           made_for->name, k->v->name);
    hologram_views *views = status == HOLOS_OK ? views_make(h, path, memory) : NULL;
    if (status == HOLOS_OK && views == NULL)
        status = error_system(err, "a hologram");
    if (status != HOLOS_OK) {
        holos_hologram_close(h);
        return status;
    }
    k->state = views;
    k->v = k->v != NULL ? k->v : made_for;
    k->kind = "hologram";
    k->close = hologram_shut;
    k->walk = positions_walk;
    k->boundary = (holos_boundary){.context = k, .find = value_find, .guess = guess_find};
    return HOLOS_OK;
}

holos_status holos_hologram_path(const char *name, char *out, size_t size, holos_error *err)
{
    text path;
    if (name == NULL || out == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "the path of a hologram needs a URL and room for it");
    url_parts u = url_parse(name);
    if (!url_is_path(&u) || u.location[0] == 0)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "a hologram is kept in a folder: file:DIR, not \"%s\"", name);
    text_init_fixed(&path, out, size);
    text_string(&path, u.location);
    if (!holos_hologram_is_at(u.location))
        text_string(&path, "/" HOLOGRAM_NAME);
    if (path.length >= size)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "the path of the hologram is too long");
    return HOLOS_OK;
}
