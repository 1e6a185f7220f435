/* SPDX-License-Identifier: MIT */

#include "cli/merging.h"

#include "cli/interrupt.h"
#include "cli/known.h"
#include "core/assert.h"
#include "core/file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_hologram(const char *url, char *path)
{
    return known_hologram_path(url, path) && access(path, F_OK) == 0;
}

/* ---- Holograms --------------------------------------------------------------------------------- */

static holos_status hologram_target(const char *into, bool restart, char *path, holos_error *err)
{
    if (!known_hologram_path(into, path))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "a hologram is kept in a folder: --into file:DIR, not %s", into);
    if (access(path, F_OK) == 0 && !restart)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s is there already; --restart replaces it", path);
    return file_make_folder(into + strlen("file:"), err);
}

/* The first two make one, and that takes in the others. */
static holos_status merge_holograms(const char *const *urls, size_t count, const char *into, bool restart,
                                    holos_error *err)
{
    char first[PATH_MAX], other[PATH_MAX], path[PATH_MAX];
    holos_status status = hologram_target(into, restart, path, err);
    for (size_t i = 1; status == HOLOS_OK && i < count; i++) {
        if (!known_hologram_path(urls[0], first) || !is_hologram(urls[i], other))
            return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                             "%s holds a hologram and %s does not: only what is alike can be merged", urls[0],
                             urls[i]);
        status = holos_hologram_merge(i == 1 ? first : path, other, path, err);
    }
    return status;
}

/* ---- Databases --------------------------------------------------------------------------------- */

typedef struct merging {
    store **from;
    const char *const *urls;
    size_t count;
    store *to;
    uint64_t missing; /* parts that none has */
} merging;

/* Names the first position that two parts disagree on; HOLOS_OK if there is none. */
static holos_status parts_compare(const merging *m, size_t a, size_t b, holos_place place, const uint8_t *x,
                                  const uint8_t *y, uint64_t size, holos_error *err)
{
    const holos_variant *v = m->to->v;
    while (place.index < size && x[place.index] == y[place.index])
        place.index++;
    if (place.index == size)
        return HOLOS_OK;
    char buffer[160];
    text name;
    text_init_fixed(&name, buffer, sizeof buffer);
    holos_position *p = holos_position_new(v);
    if (p == NULL)
        return error_system(err, "a position");
    v->game->index->unrank(v, place, p);
    v->game->format(v, p, &name);
    holos_position_free(p);
    return error_set(
        err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "the databases contradict each other on %s: %+d in %s, %+d in %s",
        buffer, x[place.index] - HOLOS_BYTE_ZERO, m->urls[a], y[place.index] - HOLOS_BYTE_ZERO, m->urls[b]);
}

/* Loads a part from each store that has it; all must agree. `bytes` has room for it twice. */
static holos_status part_gather(merging *m, holos_place place, uint64_t size, uint8_t *bytes, bool *found,
                                holos_error *err)
{
    size_t first = SIZE_MAX;
    holos_status status = HOLOS_OK;
    for (size_t i = 0; status == HOLOS_OK && i < m->count; i++) {
        const store_backend *backend = m->from[i]->backend;
        store_facts facts;
        backend->facts(m->from[i], &facts);
        if (place.tier > facts.top || !backend->has(m->from[i], place.tier, place.part))
            continue;
        uint8_t *target = first == SIZE_MAX ? bytes : bytes + size;
        status = backend->load(m->from[i], place.tier, place.part, target, size, err);
        if (status == HOLOS_OK && first != SIZE_MAX)
            status = parts_compare(m, first, i, place, bytes, target, size, err);
        if (first == SIZE_MAX)
            first = i;
    }
    *found = first != SIZE_MAX;
    return status;
}

static holos_status part_merge(merging *m, uint32_t tier, uint32_t part, holos_error *err)
{
    uint64_t size = m->to->v->game->index->size(m->to->v, tier, part);
    uint8_t *bytes = malloc(2 * size + 1);
    bool found = false;
    if (bytes == NULL)
        return error_system(err, "a part");
    holos_status status = part_gather(m, (holos_place){.tier = tier, .part = part}, size, bytes, &found, err);
    if (status == HOLOS_OK && found)
        status = m->to->backend->save(m->to, tier, part, bytes, size, err);
    m->missing += !found;
    free(bytes);
    if (status == HOLOS_OK && interrupted())
        status = error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted; --restart begins anew");
    return status;
}

/* The new store, for the variant of the one that goes highest. */
static holos_status target_open(merging *m, const char *into, bool restart, uint32_t *top, holos_error *err)
{
    size_t highest = 0;
    *top = 0;
    for (size_t i = 0; i < m->count; i++) {
        store_facts facts;
        m->from[i]->backend->facts(m->from[i], &facts);
        if (facts.kind != STORE_DATABASE)
            return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                             "%s is a %s, which is made as a whole: databases and holograms can be merged",
                             m->urls[i], store_kind_name(facts.kind));
        holos_status status = store_fits(facts.family, facts.variant, m->from[0]->v, err);
        if (status != HOLOS_OK)
            return error_prefix(err, "%s: ", m->urls[i]);
        if (facts.top >= *top) {
            *top = facts.top;
            highest = i;
        }
    }
    store_options o = {.mode = restart ? STORE_RESTART : STORE_CREATE,
                       .kind = STORE_DATABASE,
                       .v = m->from[highest]->v,
                       .top = *top};
    return store_open(into, &o, &m->to, err);
}

static holos_status merge_databases(merging *m, const char *into, bool restart, holos_error *err)
{
    uint32_t top;
    holos_status status = target_open(m, into, restart, &top, err);
    for (uint32_t tier = 0; status == HOLOS_OK && tier <= top; tier++)
        for (uint32_t part = 0; status == HOLOS_OK && part < m->to->v->game->index->parts(m->to->v, tier);
             part++)
            status = part_merge(m, tier, part, err);
    if (status == HOLOS_OK && m->missing == 0)
        status = m->to->backend->finish(m->to, err);
    store_close(m->to);
    return status;
}

static holos_status sources_open(merging *m, holos_error *err)
{
    holos_status status = HOLOS_OK;
    for (size_t i = 0; status == HOLOS_OK && i < m->count; i++)
        status = store_open(m->urls[i], &(store_options){.mode = STORE_READ}, &m->from[i], err);
    return status;
}

holos_status merge_stores(const char *const *urls, size_t count, const char *into, bool restart,
                          holos_error *err)
{
    char path[PATH_MAX];
    assert(count > 0);
    for (size_t i = 0; i < count; i++)
        if (strcmp(urls[i], into) == 0)
            return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s cannot be merged into itself", into);
    if (is_hologram(urls[0], path))
        return merge_holograms(urls, count, into, restart, err);
    merging m = {.urls = urls, .count = count, .from = calloc(count, sizeof *m.from)};
    if (m.from == NULL)
        return error_system(err, "the stores");
    holos_status status = sources_open(&m, err);
    if (status == HOLOS_OK)
        status = merge_databases(&m, into, restart, err);
    for (size_t i = 0; i < count; i++)
        store_close(m.from[i]);
    free(m.from);
    return status;
}
