/* SPDX-License-Identifier: MIT */

/* Opens whatever knows values, and asks it. */

#include "knowledge/knowledge.h"

#include "core/mem.h"
#include "core/url.h"
#include "store/store.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- Opening ----------------------------------------------------------------------------------- */

/* The hologram that a URL names, if it is there. */
static bool hologram_is_there(const char *url, char *path)
{
    return holos_hologram_path(url, path, PATH_MAX, NULL) == HOLOS_OK && access(path, F_OK) == 0;
}

/* The game whose tables a URL names, and in which folders; NULL: none's. */
static const holos_game *tables_are_there(const char *name, const holos_variant *v, const char **folder)
{
    url_parts u = url_parse(name);
    *folder = u.location;
    if (!url_is_path(&u)) {
        if (store_is_named(name))
            return NULL;
        *folder = name; /* "here:there" has no scheme but a colon between folders */
    }
    return knowledge_recognise(v != NULL ? v->game : NULL, *folder);
}

static holos_status kind_open(holos_knowledge *k, const char *url, const holos_knowledge_options *options,
                              holos_error *err)
{
    char path[PATH_MAX];
    const char *folder;
    size_t memory = options != NULL && options->memory != 0 ? options->memory : mem_spare() / 2;
    if (hologram_is_there(url, path))
        return knowledge_open_hologram(k, path, memory, err);
    const holos_game *game = tables_are_there(url, k->v, &folder);
    if (game != NULL)
        return knowledge_open_tables(k, game, folder, err);
    return knowledge_open_store(k, url, memory, err);
}

holos_status holos_knowledge_open(const char *url, const holos_variant *v,
                                  const holos_knowledge_options *options, holos_knowledge **out,
                                  holos_error *err)
{
    if (url == NULL || out == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a URL and a place for the knowledge are needed");
    *out = NULL;
    holos_knowledge *k = calloc(1, sizeof *k);
    if (k == NULL)
        return error_system(err, "knowledge");
    k->v = v;
    holos_status status = kind_open(k, url, options, err);
    if (status != HOLOS_OK) {
        free(k);
        return status;
    }
    *out = k;
    return HOLOS_OK;
}

void holos_knowledge_close(holos_knowledge *k)
{
    if (k == NULL)
        return;
    k->close(k);
    free(k);
}

/* ---- Asking ------------------------------------------------------------------------------------ */

const holos_variant *holos_knowledge_variant(const holos_knowledge *k)
{
    return k != NULL ? k->v : NULL;
}

const char *holos_knowledge_kind(const holos_knowledge *k)
{
    return k != NULL ? k->kind : NULL;
}

const holos_boundary *holos_knowledge_boundary(const holos_knowledge *k)
{
    return k != NULL ? &k->boundary : NULL;
}

static holos_status question_check(const holos_knowledge *k, const holos_position *position, holos_error *err)
{
    if (k != NULL && position != NULL)
        return HOLOS_OK;
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "knowledge and a position are needed");
}

holos_status holos_knowledge_find(holos_knowledge *k, const holos_position *position, holos_value *out,
                                  holos_error *err)
{
    holos_status status = question_check(k, position, err);
    if (status != HOLOS_OK || out == NULL)
        return status != HOLOS_OK
                   ? status
                   : error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a place for the answer is needed");
    if (holos_terminal(k->v, position, out))
        return HOLOS_OK;
    *out = game_value_unknown(k->v);
    return k->boundary.find(k->boundary.context, position, out, err);
}

holos_status holos_knowledge_walk(holos_knowledge *k, holos_cursor *cursor, holos_position *positions,
                                  holos_value *values, size_t capacity, size_t *count, holos_error *err)
{
    if (k == NULL || cursor == NULL || positions == NULL || values == NULL || count == NULL)
        return error_null(err, __func__);
    *count = 0;
    if (k->walk == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "%s can be asked about a position, but cannot list all", k->kind);
    holos_status status = k->walk(k, cursor, positions, capacity, count, err);
    for (size_t i = 0; status == HOLOS_OK && i < *count; i++)
        status = holos_knowledge_find(k, position_in(k->v, positions, i), &values[i], err);
    return status;
}

holos_status holos_knowledge_why(holos_knowledge *k, const holos_position *position, holos_error *err)
{
    holos_value value;
    holos_status status = holos_knowledge_find(k, position, &value, err);
    if (status != HOLOS_OK || value.source != HOLOS_SOURCE_NONE)
        return status;
    if (k->why != NULL)
        return k->why(k, position, err);
    return error_set(err, HOLOS_LIMIT, HOLOS_NOWHERE, "this position is not in the %s", k->kind);
}

const holos_distance_words *holos_game_distance_words(const holos_game *game)
{
    return game != NULL && game->knowledge != NULL && game->knowledge->words.end != NULL
               ? &game->knowledge->words
               : NULL;
}
