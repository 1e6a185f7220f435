/* SPDX-License-Identifier: MIT */

/* A wave becomes a hologram, and a hologram a wave that can go on. */

#include "core/hash.h"
#include "engine/wave/classes.h"
#include "engine/wave/hologram_format.h"
#include "engine/wave/spines.h"

#include <stdlib.h>

/* Entries that are sorted at a time: the table is passed over once for each lot, so that a hologram is written
 * in little memory. */
#define SORT_MOST ((size_t)1 << 20)
#define SAMPLE    64 /* one key of so many tells where to cut */

/* ---- Entries in the order of their keys -------------------------------------------------------- */

typedef struct sort_entry {
    holos_key key;
    wave_node node;
} sort_entry;

static int key_compare(const void *a, const void *b)
{
    const holos_key *x = a, *y = b; /* the first member of a sort_entry */
    return holos_key_less(*x, *y) ? -1 : holos_key_less(*y, *x) ? 1 : 0;
}

/* Every SAMPLE-th key, sorted. */
static holos_key *sample_make(const holos_wave *w, size_t *count)
{
    size_t room = (size_t)(nodes_count(&w->nodes) / SAMPLE + 1), seen = 0;
    holos_key *keys = malloc(room * sizeof *keys);
    *count = 0;
    for (unsigned shard = 0; keys != NULL && shard < NODES_SHARDS; shard++) {
        node_at at;
        for (size_t i = 0; (at = nodes_next(&w->nodes, shard, &i)) != NULL; seen++)
            if (seen % SAMPLE == SAMPLE - 1 && *count < room)
                keys[(*count)++] = slot_key(&w->nodes, at);
    }
    if (keys != NULL)
        qsort(keys, *count, sizeof *keys, key_compare);
    return keys;
}

/* Collects the entries from `from` up to `to` (NULL: to the end); SIZE_MAX: more than there is room for. */
static size_t range_collect(const holos_wave *w, holos_key from, const holos_key *to, sort_entry *out,
                            size_t most)
{
    size_t count = 0;
    for (unsigned shard = 0; shard < NODES_SHARDS; shard++) {
        node_at at;
        for (size_t i = 0; (at = nodes_next(&w->nodes, shard, &i)) != NULL;) {
            holos_key key = slot_key(&w->nodes, at);
            if (holos_key_less(key, from) || (to != NULL && !holos_key_less(key, *to)))
                continue;
            if (count == most)
                return SIZE_MAX;
            out[count++] = (sort_entry){key, node_load(at)};
        }
    }
    qsort(out, count, sizeof *out, key_compare);
    return count;
}

static bool range_write(const holos_wave *w, hologram_writer *out, const sort_entry *entries, size_t count)
{
    char shown[HOLOGRAM_TEXT_MOST];
    for (size_t i = 0; i < count; i++) {
        hologram_entry entry = {.key = entries[i].key, .node = entries[i].node};
        entry.node.flags &= (uint8_t) ~(NODE_CONJECTURE | NODE_IN_CLASS);
        if (w->nodes.position_size > 0) {
            holos_format(w->v, nodes_position(&w->nodes, entry.key), shown, sizeof shown);
            entry.position = shown;
        }
        if (!hologram_add(out, &entry))
            return false;
    }
    return true;
}

static bool entries_write(const holos_wave *w, hologram_writer *out)
{
    size_t sample_count, step = SORT_MOST / SAMPLE / 2, room = SORT_MOST;
    holos_key *sample = sample_make(w, &sample_count);
    sort_entry *entries = malloc(room * sizeof *entries);
    bool going = sample != NULL && entries != NULL;
    holos_key from = {0, 0};
    for (size_t next = step; going; next += step) {
        bool last = next >= sample_count;
        const holos_key *to = last ? NULL : &sample[next];
        size_t count = range_collect(w, from, to, entries, room);
        going = count != SIZE_MAX && range_write(w, out, entries, count);
        if (last)
            break;
        from = *to;
    }
    free(sample);
    free(entries);
    return going;
}

/* ---- Sections ---------------------------------------------------------------------------------- */

static int step_compare(const void *a, const void *b)
{
    const hologram_step *x = a, *y = b;
    int order = key_compare(&x->key, &y->key);
    return order != 0 ? order : x->path < y->path ? -1 : x->path > y->path;
}

static bool spines_write(const wave_spines *s, hologram_writer *out)
{
    hologram_spine *spines = calloc(s->count + 1, sizeof *spines);
    hologram_path *paths = calloc(s->step_count + 1, sizeof *paths);
    hologram_step *steps = calloc(s->step_count + 1, sizeof *steps);
    size_t step_count = 0;
    bool made = spines != NULL && paths != NULL && steps != NULL;
    for (size_t i = 0; made && i < s->count; i++) {
        const wave_spine *spine = &s->spines[i];
        spines[i] = (hologram_spine){spine->first, spine->length, spine->lo, spine->hi};
        for (size_t k = spine->first; k <= spine->first + spine->length; k++) {
            paths[k] = (hologram_path){s->keys[k], s->moves[k], (uint32_t)i};
            if (k < spine->first + spine->length)
                steps[step_count++] = (hologram_step){s->keys[k], k};
        }
    }
    if (made) {
        qsort(steps, step_count, sizeof *steps, step_compare);
        hologram_add_section(out, HOLOGRAM_SPINES, spines, s->count);
        hologram_add_section(out, HOLOGRAM_PATHS, paths, s->step_count);
        hologram_add_section(out, HOLOGRAM_STEPS, steps, step_count);
    }
    free(spines);
    free(paths);
    free(steps);
    return made;
}

static bool meetings_write(const holos_wave *w, hologram_writer *out)
{
    holos_key *keys = malloc((w->meetings.count + 1) * sizeof *keys);
    size_t count = 0;
    if (keys == NULL)
        return false;
    for (size_t i = 0; i < w->meetings.count; i++)
        keys[i] = list_key(&w->meeting_format, &w->meetings, i);
    qsort(keys, w->meetings.count, sizeof *keys, key_compare);
    for (size_t i = 0; i < w->meetings.count; i++)
        if (count == 0 || !holos_key_equal(keys[count - 1], keys[i]))
            keys[count++] = keys[i];
    hologram_add_section(out, HOLOGRAM_MEETINGS, keys, count);
    free(keys);
    return true;
}

static int class_compare(const void *a, const void *b)
{
    const hologram_class *x = a, *y = b;
    return x->features < y->features ? -1 : x->features > y->features;
}

static bool classes_write(const holos_wave *w, hologram_writer *out)
{
    if (w->classes == NULL)
        return true;
    const table *t = &w->classes->classes;
    hologram_class *classes = malloc((t->count + 1) * sizeof *classes);
    size_t count = 0;
    holos_key key;
    void *payload;
    if (classes == NULL)
        return false;
    for (size_t i = 0; table_next(t, &i, &key, &payload);) {
        const class_record *r = payload;
        classes[count++] = (hologram_class){key.lo, r->count, r->value, r->broken};
    }
    qsort(classes, count, sizeof *classes, class_compare);
    hologram_add_section(out, HOLOGRAM_CLASSES, classes, count);
    free(classes);
    return true;
}

static int seed_compare(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(hologram_seed));
}

static bool seeds_write(const holos_wave *w, hologram_writer *out)
{
    hologram_seed *seeds = calloc(w->seed_count + 1, sizeof *seeds);
    if (seeds == NULL)
        return false;
    for (size_t i = 0; i < w->seed_count; i++)
        seeds[i] = (hologram_seed){w->seeds[i].key, w->seeds[i].priority, w->seeds[i].depth,
                                   w->seeds[i].direction, w->seeds[i].mode};
    qsort(seeds, w->seed_count, sizeof *seeds, seed_compare);
    hologram_add_section(out, HOLOGRAM_SEEDS, seeds, w->seed_count);
    free(seeds);
    return true;
}

/* ---- Seed mappings ----------------------------------------------------------------------------- */

uint64_t hologram_layer_digest(const layers *l, const layer *at)
{
    uint64_t sum = 0;
    for (unsigned shard = 0; shard < NODES_SHARDS; shard++)
        for (size_t i = 0; i < at->lists[shard].count; i++) {
            holos_key key = list_key(l, &at->lists[shard], i);
            sum += hash_add(hash_mix(key.hi), key.lo);
        }
    return sum;
}

/* The last layer that is whole: all before it are expanded, by nothing but the breadth-first wave. */
static bool mapping_make(const holos_wave *w, hologram_mapping *out)
{
    const holos_wave_statistics *s = &w->statistics;
    unsigned depth = 0;
    if (s->lightning_probes + s->osmosis_steps + s->crystallized + s->frontier_capped > 0 || w->loaded ||
        w->seed_count == 0 || w->options.goal_count > 0)
        return false;
    for (; depth + 1 < w->forward.depth; depth++) {
        layers_recount(w->forward.at[depth]);
        if (w->forward.at[depth]->done < w->forward.at[depth]->count)
            break;
    }
    while (depth > 0 && w->forward.at[depth]->count == 0)
        depth--;
    const holos_wave_options *o = &w->options;
    *out = (hologram_mapping){.count = w->forward.at[depth]->count,
                              .digest = hologram_layer_digest(&w->forward, w->forward.at[depth]),
                              .seed = o->seed,
                              .boundary_seeds = o->boundary_seeds,
                              .depth = depth,
                              .reach = w->reach[HOLOS_WAVE_FORWARD],
                              .backward_depth = o->backward_depth,
                              .flags = (o->graph ? MAPPING_GRAPH : 0u) |
                                       (o->all_moves ? MAPPING_ALL_MOVES : 0u) |
                                       (o->no_backward ? MAPPING_NO_BACKWARD : 0u)};
    return depth > 0;
}

static void counters_write(const holos_wave *w, hologram_writer *out)
{
    const uint64_t counters[] = {
#define COUNTER(name) w->statistics.name,
        HOLOS_WAVE_COUNTERS(COUNTER)
#undef COUNTER
    };
    hologram_add_section(out, HOLOGRAM_COUNTERS, counters, sizeof counters / sizeof *counters);
}

/* ---- Saving ------------------------------------------------------------------------------------ */

holos_status holos_wave_save(const holos_wave *w, const char *path, holos_error *err)
{
    uint32_t flags = (w->options.unfolded ? HOLOGRAM_UNFOLDED : 0u) |
                     (w->nodes.position_size > 0 ? HOLOGRAM_POSITIONS : 0u);
    hologram_writer *out;
    holos_status status = hologram_create(path, w->v, flags, &out, err);
    if (status != HOLOS_OK)
        return status;
    hologram_mapping mapping;
    bool made = entries_write(w, out) && spines_write(w->spines, out) && meetings_write(w, out) &&
                classes_write(w, out) && seeds_write(w, out);
    if (made && mapping_make(w, &mapping))
        hologram_add_section(out, HOLOGRAM_MAPPINGS, &mapping, 1);
    if (made)
        counters_write(w, out);
    if (made || hologram_failed(out))
        return hologram_finish(out, err);
    hologram_discard(out);
    return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory to write %s", path);
}

/* ---- Loading ----------------------------------------------------------------------------------- */

/* A file may hold anything: the position of an entry must be one that could have been read. */
static bool position_check(holos_wave *w, const hologram_entry *entry, holos_position *p)
{
    char shown[HOLOGRAM_TEXT_MOST];
    const char *read = entry->position;
    if (w->nodes.key_words == 1 && entry->key.hi != 0)
        return false;
    if (w->from_key != NULL) {
        w->from_key(w->v, entry->key, p);
        if (!holos_key_equal(w->key(w->v, p), entry->key) ||
            holos_format(w->v, p, shown, sizeof shown) >= sizeof shown)
            return false;
        read = shown;
    }
    return read != NULL && holos_parse(w->v, read, p, NULL) == HOLOS_OK &&
           holos_key_equal(w->key(w->v, p), entry->key);
}

/* Makes the node of an entry, in the layers of the ways it was reached. */
static holos_status entry_load(holos_wave *w, const hologram_entry *entry, bool done, holos_error *err)
{
    holos_position *p = w->scratch[0].position;
    wave_node n = entry->node;
    bool finished = (n.flags & NODE_EXPANDED) != 0 || node_is_solved(n);
    if (done && !position_check(w, entry, p))
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                         "a key of the hologram is not that of a position of %s", w->v->name);
    bool fresh = false;
    if (nodes_insert(&w->nodes, entry->key, nodes_hash(entry->key), p, n, &fresh, err) == NULL)
        return HOLOS_NO_MEMORY;
    w->statistics.positions += fresh;
    w->statistics.solved += fresh && node_is_solved(n);
    unsigned shard = nodes_shard_of(nodes_hash(entry->key));
    for (unsigned way = 0; way < 2; way++) {
        layers *l = way == 0 ? &w->forward : &w->backward;
        bool settled = way == 0 ? finished : (n.flags & NODE_RETRACED) != 0;
        if ((n.flags & (way == 0 ? NODE_FORWARD : NODE_BACKWARD)) == 0 || settled != done)
            continue;
        holos_status status = layers_reach(l, n.depth, err);
        if (status != HOLOS_OK)
            return status;
        key_list *list = &l->at[n.depth]->lists[shard];
        if (!list_append(l, list, entry->key))
            return mem_error(err, w->budget, 16, "a layer of a wave");
        l->at[n.depth]->statistics.positions++;
        if (done)
            list->done = list->count;
    }
    return HOLOS_OK;
}

/* All entries: in a first pass those that are done go into the layers, in a second one the others, behind them. */
static holos_status entries_load(holos_wave *w, holos_hologram *h, holos_error *err)
{
    holos_status status = HOLOS_OK;
    for (unsigned pass = 0; pass < 2; pass++)
        for (uint64_t block = 0; status == HOLOS_OK && block < h->block_count; block++) {
            uint32_t count;
            status = hologram_unpack(h, block, &count, err);
            for (uint32_t i = 0; status == HOLOS_OK && i < count; i++)
                status = entry_load(w, &h->entries[i], pass == 0, err);
        }
    return status;
}

static holos_status sections_load(holos_wave *w, holos_hologram *h, holos_error *err)
{
    const hologram_spine *spines = h->sections[HOLOGRAM_SPINES];
    const hologram_path *paths = h->sections[HOLOGRAM_PATHS];
    for (uint64_t i = 0; i < hologram_count(h, HOLOGRAM_SPINES); i++) {
        uint32_t length = spines[i].length;
        holos_key *keys = malloc((length + 1) * sizeof *keys);
        holos_move *moves = malloc((length + 1) * sizeof *moves);
        for (uint32_t k = 0; keys != NULL && moves != NULL && k <= length; k++) {
            keys[k] = paths[spines[i].first + k].key;
            moves[k] = paths[spines[i].first + k].move;
        }
        if (keys != NULL && moves != NULL)
            spines_add(w->spines, keys, moves, length, (wave_node){.lo = spines[i].lo, .hi = spines[i].hi});
        free(keys);
        free(moves);
    }
    const holos_key *meetings = h->sections[HOLOGRAM_MEETINGS];
    for (uint64_t i = 0; i < hologram_count(h, HOLOGRAM_MEETINGS); i++)
        if (nodes_find(&w->nodes, meetings[i]) != NULL)
            wave_meet(w, meetings[i]);
    const hologram_seed *seeds = h->sections[HOLOGRAM_SEEDS];
    for (uint64_t i = 0; i < hologram_count(h, HOLOGRAM_SEEDS); i++)
        if (nodes_find(&w->nodes, seeds[i].key) != NULL &&
            !wave_seeds_add(w, (wave_seed){.key = seeds[i].key,
                                           .direction = seeds[i].direction,
                                           .mode = seeds[i].mode,
                                           .priority = seeds[i].priority,
                                           .depth = seeds[i].depth}))
            return error_system(err, "the seeds of a wave");
    return HOLOS_OK;
}

holos_status holos_wave_load(holos_wave *w, const char *path, holos_error *err)
{
    holos_hologram *h;
    holos_status status = holos_hologram_open(path, &h, err);
    if (status != HOLOS_OK)
        return status;
    bool unfolded = (h->header->flags & HOLOGRAM_UNFOLDED) != 0;
    bool positions = (h->header->flags & HOLOGRAM_POSITIONS) != 0;
    if (strcmp(h->v->name, w->v->name) != 0)
        status = error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s is a hologram of %s, not of %s", path,
                           h->v->name, w->v->name);
    else if (unfolded != w->options.unfolded || positions != (w->nodes.position_size > 0))
        status = error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                           "%s %s symmetric positions apart, and this wave does %s", path,
                           unfolded ? "tells" : "does not tell", unfolded ? "not" : "");
    holos_wave_reset(w);
    if (status == HOLOS_OK)
        status = entries_load(w, h, err);
    if (status == HOLOS_OK)
        status = sections_load(w, h, err);
    if (status == HOLOS_OK) {
        holos_hologram_summary summary;
        holos_hologram_summary_get(h, &summary);
        uint64_t positions_now = w->statistics.positions, solved_now = w->statistics.solved;
        w->statistics = summary.statistics;
        w->statistics.positions = positions_now;
        w->statistics.solved = solved_now;
        w->layered = false;
        w->loaded = true;
        wave_seeds_loaded(w);
        w->boundary_seeded = hologram_count(h, HOLOGRAM_SEEDS) > 0;
        w->crystal_next = w->meetings.count;
    } else {
        holos_wave_reset(w);
    }
    holos_hologram_close(h);
    return status;
}

/* ---- Frontiers from seeds ---------------------------------------------------------------------- */

static holos_status seeds_restore(holos_wave *w, holos_hologram *h, holos_error *err)
{
    const hologram_seed *seeds = h->sections[HOLOGRAM_SEEDS];
    holos_position *p = w->scratch[0].position;
    holos_status status = HOLOS_OK;
    for (uint64_t i = 0; status == HOLOS_OK && i < hologram_count(h, HOLOGRAM_SEEDS); i++) {
        if (w->from_key == NULL)
            return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                             "%s cannot make positions from keys: its frontiers are not mapped", w->v->name);
        holos_position *seed = holos_position_new(w->v);
        if (seed == NULL)
            return error_system(err, "a seed");
        w->from_key(w->v, seeds[i].key, p);
        memcpy(seed, p, w->v->position_size);
        holos_wave_seed add = {.position = seed, .direction = seeds[i].direction, .depth = seeds[i].depth};
        status = holos_wave_add(w, &add, err);
        holos_position_free(seed);
    }
    return status;
}

holos_status holos_hologram_frontier(holos_hologram *h, uint64_t index, holos_wave **out, holos_error *err)
{
    *out = NULL;
    if (index >= hologram_count(h, HOLOGRAM_MAPPINGS))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s has %llu seed mappings", h->path,
                         (unsigned long long)hologram_count(h, HOLOGRAM_MAPPINGS));
    const hologram_mapping *m = (const hologram_mapping *)h->sections[HOLOGRAM_MAPPINGS] + index;
    holos_wave_options options = {.seed = m->seed,
                                  .boundary_seeds = m->boundary_seeds,
                                  .forward_depth = m->reach,
                                  .backward_depth = m->backward_depth,
                                  .graph = (m->flags & MAPPING_GRAPH) != 0,
                                  .all_moves = (m->flags & MAPPING_ALL_MOVES) != 0,
                                  .no_backward = (m->flags & MAPPING_NO_BACKWARD) != 0,
                                  .unfolded = (h->header->flags & HOLOGRAM_UNFOLDED) != 0};
    holos_wave *w;
    holos_status status = holos_wave_open(h->v, &options, &w, err);
    if (status != HOLOS_OK)
        return status;
    w->layer_cap = m->depth;
    status = seeds_restore(w, h, err);
    if (status == HOLOS_OK)
        status = holos_wave_run(w, HOLOS_WAVE_WAVE, err);
    if (status == HOLOS_OK && (m->depth >= w->forward.depth || w->forward.at[m->depth]->count != m->count ||
                               hologram_layer_digest(&w->forward, w->forward.at[m->depth]) != m->digest))
        status =
            error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                      "%s: the frontier that its seeds lead to is not the one it was made from", h->path);
    if (status != HOLOS_OK)
        holos_wave_close(w);
    else
        *out = w;
    return status;
}
