/* SPDX-License-Identifier: MIT */

/* Two holograms become one. Nothing is lost: an interval is what both leave of it, lists are united. So the
 * order in which several are merged makes no difference. Where two proofs contradict each other, one of the
 * files is wrong, and the key is named. */

#include "engine/wave/history.h"
#include "engine/wave/mappings.h"

#include <stdlib.h>

typedef struct stream {
    holos_hologram *h;
    uint64_t block;
    uint32_t index, count;
} stream;

/* The entry that a stream is at, or NULL at its end. */
static holos_status stream_peek(stream *s, const hologram_entry **out, holos_error *err)
{
    *out = NULL;
    if (s->index == s->count && s->count > 0) {
        s->block++;
        s->index = s->count = 0;
    }
    if (s->block == s->h->block_count)
        return HOLOS_OK;
    holos_status status = hologram_unpack(s->h, s->block, &s->count, err);
    if (status == HOLOS_OK)
        *out = &s->h->entries[s->index];
    return status;
}

static wave_node node_merge(wave_node a, wave_node b)
{
    wave_node n = {.lo = a.lo > b.lo ? a.lo : b.lo,
                   .hi = a.hi < b.hi ? a.hi : b.hi,
                   .depth = a.depth < b.depth ? a.depth : b.depth,
                   .flags = a.flags | b.flags};
    bool as_a = n.lo == a.lo && n.hi == a.hi, as_b = n.lo == b.lo && n.hi == b.hi;
    if (as_a && as_b)
        n.source = a.source < b.source || b.source == HOLOS_SOURCE_NONE ? a.source : b.source;
    else
        n.source = as_a ? a.source : as_b ? b.source : HOLOS_SOURCE_WAVE;
    /* A depth from the boundary and one from a seed do not compare: that from a seed counts. */
    if (((a.flags ^ b.flags) & NODE_FORWARD) != 0)
        n.depth = (a.flags & NODE_FORWARD) != 0 ? a.depth : b.depth;
    return n;
}

static holos_status contradiction(const holos_hologram *a, const holos_hologram *b, const hologram_entry *x,
                                  const hologram_entry *y, holos_error *err)
{
    return error_set(
        err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
        "the holograms contradict each other on key %016llx%016llx: [%d, %d] in %s, [%d, %d] in %s",
        (unsigned long long)x->key.hi, (unsigned long long)x->key.lo, x->node.lo, x->node.hi, a->path,
        y->node.lo, y->node.hi, b->path);
}

static holos_status entries_merge(holos_hologram *a, holos_hologram *b, hologram_writer *out,
                                  const holos_stop *stop, holos_error *err)
{
    stream s = {.h = a}, t = {.h = b};
    for (;;) {
        if (holos_stop_asked(stop))
            return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
        const hologram_entry *x, *y;
        holos_status status = stream_peek(&s, &x, err);
        if (status == HOLOS_OK)
            status = stream_peek(&t, &y, err);
        if (status != HOLOS_OK)
            return status;
        if (x == NULL && y == NULL)
            return HOLOS_OK;
        hologram_entry entry;
        bool only_x = y == NULL || (x != NULL && holos_key_less(x->key, y->key));
        bool only_y = x == NULL || (y != NULL && holos_key_less(y->key, x->key));
        entry = only_y ? *y : *x;
        if (!only_x && !only_y) {
            entry.node = node_merge(x->node, y->node);
            if (entry.node.lo > entry.node.hi)
                return contradiction(a, b, x, y, err);
        }
        s.index += !only_y;
        t.index += !only_x;
        if (!hologram_add(out, &entry))
            return HOLOS_OK; /* hologram_finish says why */
    }
}

/* ---- Lists ------------------------------------------------------------------------------------- */

typedef int compare_function(const void *a, const void *b);

static int compare_keys(const void *a, const void *b)
{
    const holos_key *x = a, *y = b;
    return holos_key_less(*x, *y) ? -1 : holos_key_less(*y, *x) ? 1 : 0;
}

static int compare_seeds(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(hologram_seed));
}

/* Both sections' records, sorted, each once. */
static bool section_unite(holos_hologram *a, holos_hologram *b, hologram_section section,
                          compare_function *compare, hologram_writer *out)
{
    uint64_t size = hologram_record_size(section), count = hologram_count(a, section), kept = 0;
    uint64_t total = count + hologram_count(b, section);
    unsigned char *records = malloc((total + 1) * size);
    if (records == NULL)
        return false;
    memcpy(records, a->sections[section], count * size);
    memcpy(records + count * size, b->sections[section], (total - count) * size);
    qsort(records, total, size, compare);
    for (uint64_t i = 0; i < total; i++)
        if (kept == 0 || compare(records + (kept - 1) * size, records + i * size) != 0)
            memmove(records + kept++ * size, records + i * size, size);
    hologram_add_section(out, section, records, kept);
    free(records);
    return true;
}

/* Classes that both have: proofs may have been counted in both, so the larger count is what is sure. */
static bool classes_unite(holos_hologram *a, holos_hologram *b, hologram_writer *out)
{
    const hologram_class *x = a->sections[HOLOGRAM_CLASSES], *y = b->sections[HOLOGRAM_CLASSES];
    uint64_t x_count = hologram_count(a, HOLOGRAM_CLASSES), y_count = hologram_count(b, HOLOGRAM_CLASSES);
    hologram_class *classes = malloc((x_count + y_count + 1) * sizeof *classes);
    uint64_t count = 0;
    if (classes == NULL)
        return false;
    for (uint64_t i = 0, k = 0; i < x_count || k < y_count;) {
        bool only_x = k == y_count || (i < x_count && x[i].features < y[k].features);
        bool only_y = i == x_count || (k < y_count && y[k].features < x[i].features);
        hologram_class c = only_y ? y[k] : x[i];
        if (!only_x && !only_y) {
            c.broken = x[i].broken | y[k].broken | (x[i].value != y[k].value);
            c.count = x[i].count > y[k].count ? x[i].count : y[k].count;
            c.value = x[i].value < y[k].value ? x[i].value : y[k].value;
        }
        i += !only_y;
        k += !only_x;
        classes[count++] = c;
    }
    hologram_add_section(out, HOLOGRAM_CLASSES, classes, count);
    free(classes);
    return true;
}

/* ---- Spines ------------------------------------------------------------------------------------ */

typedef struct spine_view {
    const hologram_spine *spine;
    const hologram_path *paths;
} spine_view;

static int compare_spines(const void *a, const void *b)
{
    const spine_view *x = a, *y = b;
    uint32_t length = x->spine->length < y->spine->length ? x->spine->length : y->spine->length;
    for (uint32_t i = 0; i <= length; i++) {
        int order = compare_keys(&x->paths[i].key, &y->paths[i].key);
        if (order != 0)
            return order;
        if (x->paths[i].move != y->paths[i].move)
            return x->paths[i].move < y->paths[i].move ? -1 : 1;
    }
    return x->spine->length < y->spine->length ? -1 : x->spine->length > y->spine->length;
}

static int compare_steps(const void *a, const void *b)
{
    const hologram_step *x = a, *y = b;
    int order = compare_keys(&x->key, &y->key);
    return order != 0 ? order : x->path < y->path ? -1 : x->path > y->path;
}

static uint64_t spines_view(const holos_hologram *h, spine_view *out)
{
    const hologram_spine *spines = h->sections[HOLOGRAM_SPINES];
    const hologram_path *paths = h->sections[HOLOGRAM_PATHS];
    uint64_t count = hologram_count(h, HOLOGRAM_SPINES);
    for (uint64_t i = 0; i < count; i++)
        out[i] = (spine_view){&spines[i], &paths[spines[i].first]};
    return count;
}

/* Writes the spines, each once, with their paths and the steps to find them by. */
static bool spines_write(const spine_view *views, uint64_t total, uint64_t path_most, hologram_writer *out)
{
    hologram_spine *spines = malloc((total + 1) * sizeof *spines);
    hologram_path *paths = malloc((path_most + 1) * sizeof *paths);
    hologram_step *steps = malloc((path_most + 1) * sizeof *steps);
    uint64_t count = 0, path_count = 0, step_count = 0;
    bool made = spines != NULL && paths != NULL && steps != NULL;
    for (uint64_t i = 0; made && i < total; i++) {
        hologram_spine spine = *views[i].spine;
        if (i > 0 && compare_spines(&views[i - 1], &views[i]) == 0) {
            hologram_spine *same = &spines[count - 1];
            same->lo = same->lo > spine.lo ? same->lo : spine.lo;
            same->hi = same->hi < spine.hi ? same->hi : spine.hi;
            continue;
        }
        spine.first = path_count;
        for (uint32_t k = 0; k <= spine.length; k++, path_count++) {
            paths[path_count] = views[i].paths[k];
            paths[path_count].spine = (uint32_t)count;
            if (k < spine.length)
                steps[step_count++] = (hologram_step){paths[path_count].key, path_count};
        }
        spines[count++] = spine;
    }
    if (made) {
        qsort(steps, step_count, sizeof *steps, compare_steps);
        hologram_add_section(out, HOLOGRAM_SPINES, spines, count);
        hologram_add_section(out, HOLOGRAM_PATHS, paths, path_count);
        hologram_add_section(out, HOLOGRAM_STEPS, steps, step_count);
    }
    free(spines);
    free(paths);
    free(steps);
    return made;
}

static bool spines_unite(holos_hologram *a, holos_hologram *b, hologram_writer *out)
{
    uint64_t total = hologram_count(a, HOLOGRAM_SPINES) + hologram_count(b, HOLOGRAM_SPINES);
    uint64_t path_most = hologram_count(a, HOLOGRAM_PATHS) + hologram_count(b, HOLOGRAM_PATHS);
    spine_view *views = malloc((total + 1) * sizeof *views);
    if (views == NULL)
        return false;
    spines_view(b, views + spines_view(a, views));
    qsort(views, total, sizeof *views, compare_spines);
    bool made = spines_write(views, total, path_most, out);
    free(views);
    return made;
}

static bool mappings_unite(const holos_hologram *a, const holos_hologram *b, hologram_writer *out)
{
    wave_mappings all = {0};
    bool made = wave_mappings_read(&all, a) && wave_mappings_read(&all, b) && wave_mappings_write(&all, out);
    wave_mappings_clear(&all);
    return made;
}

static bool history_unite(const holos_hologram *a, const holos_hologram *b, hologram_writer *out)
{
    wave_history all = {0};
    bool made = wave_history_read(&all, a) && wave_history_read(&all, b) && wave_history_write(&all, out);
    wave_history_clear(&all);
    return made;
}

/* What waves did adds up; what there is now is counted anew. */
static bool counters_add(holos_hologram *a, holos_hologram *b, hologram_writer *out)
{
    holos_hologram_summary x, y;
    holos_hologram_summary_get(a, &x);
    holos_hologram_summary_get(b, &y);
    uint64_t entries, solved;
    hologram_written(out, &entries, &solved);
    x.statistics.positions = entries;
    y.statistics.positions = 0;
    x.statistics.solved = solved;
    y.statistics.solved = 0;
    const uint64_t counters[] = {
#define COUNTER(name) x.statistics.name + y.statistics.name,
        HOLOS_WAVE_COUNTERS(COUNTER)
#undef COUNTER
    };
    return hologram_add_section(out, HOLOGRAM_COUNTERS, counters, sizeof counters / sizeof *counters);
}

/* ---- Merging ----------------------------------------------------------------------------------- */

static holos_status merge_open(holos_hologram *a, holos_hologram *b, const char *path, const holos_stop *stop,
                               holos_error *err)
{
    if (strcmp(a->v->name, b->v->name) != 0)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s is a hologram of %s, %s of %s: they do not mix",
                         a->path, a->v->name, b->path, b->v->name);
    if (((a->header->flags ^ b->header->flags) & ~(uint32_t)HOLOGRAM_KNOWN) != 0)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "one of %s and %s tells symmetric positions apart, the other does not", a->path,
                         b->path);
    hologram_writer *out;
    holos_status status = hologram_create(path, a->v, a->header->flags | b->header->flags, &out, err);
    if (status != HOLOS_OK)
        return status;
    status = entries_merge(a, b, out, stop, err);
    if (status == HOLOS_OK &&
        !(spines_unite(a, b, out) && section_unite(a, b, HOLOGRAM_MEETINGS, compare_keys, out) &&
          classes_unite(a, b, out) && section_unite(a, b, HOLOGRAM_SEEDS, compare_seeds, out) &&
          mappings_unite(a, b, out) && history_unite(a, b, out) && counters_add(a, b, out)))
        status = error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory to merge holograms");
    if (status == HOLOS_OK)
        return hologram_finish(out, err);
    hologram_discard(out);
    return status;
}

holos_status hologram_merge(const char *a, const char *b, const char *path, const holos_stop *stop,
                            holos_error *err)
{
    holos_hologram *x = NULL, *y = NULL;
    holos_status status = holos_hologram_open(a, &x, err);
    if (status == HOLOS_OK)
        status = holos_hologram_open(b, &y, err);
    if (status == HOLOS_OK)
        status = merge_open(x, y, path, stop, err);
    holos_hologram_close(x);
    holos_hologram_close(y);
    return status;
}

holos_status holos_hologram_merge(const char *a, const char *b, const char *path, holos_error *err)
{
    if (a == NULL || b == NULL || path == NULL)
        return error_null(err, __func__);
    return hologram_merge(a, b, path, NULL, err);
}
