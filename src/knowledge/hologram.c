/* SPDX-License-Identifier: MIT */

#include "core/url.h"
#include "knowledge/knowledge.h"

static void hologram_shut(holos_knowledge *k)
{
    holos_hologram_close(k->state);
    pthread_mutex_destroy(&k->lock);
}

static holos_status value_find(void *context, const holos_position *p, holos_value *out, holos_error *err)
{
    holos_knowledge *k = context;
    holos_value value;
    pthread_mutex_lock(&k->lock);
    holos_status status = holos_hologram_query(k->state, p, &value, err);
    pthread_mutex_unlock(&k->lock);
    if (status == HOLOS_OK && value.source != HOLOS_SOURCE_NONE)
        *out = value;
    return status;
}

static holos_status guess_find(void *context, const holos_position *p, holos_guess *out, holos_error *err)
{
    holos_knowledge *k = context;
    bool found;
    pthread_mutex_lock(&k->lock);
    holos_status status = holos_hologram_guess(k->state, p, out, &found, err);
    pthread_mutex_unlock(&k->lock);
    return status;
}

static holos_status positions_walk(holos_knowledge *k, holos_cursor *cursor, holos_position *positions,
                                   size_t capacity, size_t *count, holos_error *err)
{
    pthread_mutex_lock(&k->lock);
    holos_status status = holos_hologram_walk(k->state, cursor, positions, capacity, count, err);
    pthread_mutex_unlock(&k->lock);
    return status;
}

holos_status knowledge_open_hologram(holos_knowledge *k, const char *path, size_t memory, holos_error *err)
{
    holos_hologram *h;
    holos_status status = holos_hologram_open(path, &h, err);
    if (status != HOLOS_OK)
        return status;
    const holos_variant *made_for = holos_hologram_variant(h);
    if (k->v != NULL && strcmp(made_for->name, k->v->name) != 0) {
        error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s is a hologram of %s, not of %s", path, made_for->name,
                  k->v->name);
        holos_hologram_close(h);
        return HOLOS_USAGE;
    }
    holos_hologram_keep(h, memory);
    k->state = h;
    k->v = k->v != NULL ? k->v : made_for;
    k->kind = "hologram";
    k->close = hologram_shut;
    k->walk = positions_walk;
    pthread_mutex_init(&k->lock, NULL);
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
