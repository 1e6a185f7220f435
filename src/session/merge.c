/* SPDX-License-Identifier: MIT */

/* Several stores or holograms become one. */

#include "session/care.h"

#include "core/file.h"
#include "engine/wave/hologram_format.h"
#include "session/job.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static holos_status unlike(const char *hologram, const char *other, holos_error *err)
{
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                     "%s holds a hologram and %s does not: only stores of the same kind can be merged",
                     hologram, other);
}

/* ---- Holograms --------------------------------------------------------------------------------- */

/* Where the hologram is to lie. What else lies there is left alone. */
static holos_status hologram_target(const care *c, const char *into, char *path, holos_error *err)
{
    char what[160];
    holos_status status = holos_hologram_path(into, path, PATH_MAX, err);
    if (status != HOLOS_OK)
        return status;
    if (access(path, F_OK) == 0 && !holos_hologram_is_at(path))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s is not a hologram, and is left alone", path);
    if (access(path, F_OK) == 0)
        return c->o.start == HOLOS_JOB_RESTART ? HOLOS_OK
                                               : error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                                                           "%s already exists; --restart replaces it", path);
    return place_other(into, what, sizeof what)
               ? error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s holds %s; give a new folder", into, what)
               : HOLOS_OK;
}

/* The lock is on the folder of the hologram. */
static holos_status hologram_lock(care *c, const char *path, const char *first, holos_error *err)
{
    holos_hologram *h;
    holos_status status = holos_hologram_open(first, &h, err);
    if (status != HOLOS_OK)
        return status;
    const char *slash = strrchr(path, '/');
    text folder;
    text_init(&folder);
    text_string(&folder, "file:");
    text_bytes(&folder, slash != NULL ? path : ".", slash != NULL ? (size_t)(slash - path) : 1);
    status = folder.failed ? error_system(err, "the hologram")
                           : care_lock(c, folder.data, "merge", holos_hologram_variant(h), err);
    text_free(&folder);
    holos_hologram_close(h);
    return status;
}

/* The first two make one, and that takes in the others, under another name until it is whole. */
static holos_status merge_holograms(care *c, const char *const *urls, size_t count, const char *into,
                                    holos_error *err)
{
    char first[PATH_MAX] = "", other[PATH_MAX] = "", path[PATH_MAX];
    for (size_t i = 0; i < count; i++)
        if (!care_is_hologram(urls[i], i == 0 ? first : other))
            return unlike(urls[0], urls[i], err);
    holos_status status = hologram_target(c, into, path, err);
    if (status == HOLOS_OK)
        status = hologram_lock(c, path, first, err);
    char *scratch = status == HOLOS_OK ? file_temporary_name(path) : NULL;
    if (status == HOLOS_OK && scratch == NULL)
        return error_system(err, "%s", path);
    for (size_t i = 1; status == HOLOS_OK && i < count; i++) {
        care_is_hologram(urls[i], other);
        status =
            hologram_merge(i == 1 ? first : scratch, other, i + 1 == count ? path : scratch, c->o.stop, err);
    }
    if (scratch != NULL && count > 2)
        (void)unlink(scratch);
    free(scratch);
    return status == HOLOS_INTERRUPTED ? care_stop(c, "; --restart starts over", err) : status;
}

/* ---- Databases --------------------------------------------------------------------------------- */

typedef struct merging {
    care *c;
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
    progress_add(&m->c->progress, size);
    return status == HOLOS_OK ? care_stop(m->c, "; --restart starts over", err) : status;
}

/* The new store, for the variant of the one that goes highest. */
static holos_status target_open(merging *m, const char *into, uint32_t *top, holos_error *err)
{
    size_t highest = 0;
    *top = 0;
    for (size_t i = 0; i < m->count; i++) {
        store_facts facts;
        m->from[i]->backend->facts(m->from[i], &facts);
        if (facts.kind != STORE_DATABASE)
            return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                             "%s is a %s; only databases and holograms can be merged", m->urls[i],
                             store_kind_name(facts.kind));
        holos_status status = store_fits(facts.family, facts.variant, m->from[0]->v, err);
        if (status != HOLOS_OK)
            return error_prefix(err, "%s: ", m->urls[i]);
        if (facts.top >= *top) {
            *top = facts.top;
            highest = i;
        }
    }
    store_options o = {.mode = m->c->o.start == HOLOS_JOB_RESTART ? STORE_RESTART : STORE_CREATE,
                       .kind = STORE_DATABASE,
                       .v = m->from[highest]->v,
                       .top = *top,
                       .stop = m->c->o.stop};
    holos_status status = care_lock(m->c, into, "merge", o.v, err);
    return status == HOLOS_OK ? store_open(into, &o, &m->to, err) : status;
}

static holos_status merge_databases(merging *m, const char *into, holos_error *err)
{
    uint32_t top;
    holos_status status = target_open(m, into, &top, err);
    progress_begin(&m->c->progress, "merge", "positions", 0);
    for (uint32_t tier = 0; status == HOLOS_OK && tier <= top; tier++)
        for (uint32_t part = 0; status == HOLOS_OK && part < m->to->v->game->index->parts(m->to->v, tier);
             part++)
            status = part_merge(m, tier, part, err);
    progress_end(&m->c->progress);
    if (status == HOLOS_OK && m->missing == 0)
        status = m->to->backend->finish(m->to, err);
    store_close(m->to);
    return status;
}

static holos_status sources_open(merging *m, holos_error *err)
{
    char path[PATH_MAX];
    holos_status status = HOLOS_OK;
    for (size_t i = 0; i < m->count; i++)
        if (care_is_hologram(m->urls[i], path))
            return unlike(m->urls[i], m->urls[0], err);
    for (size_t i = 0; status == HOLOS_OK && i < m->count; i++)
        status = care_open(m->c, m->urls[i], &m->from[i], err);
    return status;
}

static holos_status merge_all(care *c, const char *const *urls, size_t count, const char *into,
                              holos_error *err)
{
    char path[PATH_MAX];
    if (care_is_hologram(urls[0], path))
        return merge_holograms(c, urls, count, into, err);
    merging m = {.c = c, .urls = urls, .count = count, .from = calloc(count, sizeof *m.from)};
    if (m.from == NULL)
        return error_system(err, "the stores");
    holos_status status = sources_open(&m, err);
    if (status == HOLOS_OK)
        status = merge_databases(&m, into, err);
    for (size_t i = 0; i < count; i++)
        store_close(m.from[i]);
    free(m.from);
    return status;
}

holos_status holos_store_merge(const char *const *urls, size_t count, const char *into,
                               const holos_store_options *options, holos_report **out, holos_error *err)
{
    care c;
    holos_error own = {0};
    err = err != NULL ? err : &own;
    if (out != NULL)
        *out = NULL;
    if (urls == NULL || count < 2 || into == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a merge needs two stores or more, and a target");
    if (options != NULL && options->start == HOLOS_JOB_RESUME)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a merge cannot resume, only start over");
    for (size_t i = 0; i < count; i++) {
        holos_status status = urls[i] == NULL
                                  ? error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a store has a URL")
                                  : care_distinct(urls[i], into, "merged into", err);
        if (status != HOLOS_OK)
            return status;
    }
    care_begin(&c, options);
    holos_status status = merge_all(&c, urls, count, into, err);
    care_end(&c);
    return status == HOLOS_OK ? care_report(into, out, err) : status;
}
