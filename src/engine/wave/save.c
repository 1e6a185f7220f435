/* SPDX-License-Identifier: MIT */

/* A wave becomes a hologram, and a hologram a wave that can go on. */

#include "engine/wave/classes.h"
#include "engine/wave/history.h"
#include "engine/wave/mappings.h"
#include "engine/wave/spines.h"

#include <stdlib.h>

/* ---- Sections ---------------------------------------------------------------------------------- */

static int key_compare(const void *a, const void *b)
{
    const holos_key *x = a, *y = b;
    return holos_key_less(*x, *y) ? -1 : holos_key_less(*y, *x) ? 1 : 0;
}

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

hologram_class *hologram_classes_of(const holos_wave *w, size_t *count)
{
    const table *t = &w->classes->classes;
    hologram_class *classes = malloc((t->count + 1) * sizeof *classes);
    holos_key key;
    void *payload;
    *count = 0;
    for (size_t i = 0; classes != NULL && table_next(t, &i, &key, &payload);) {
        const class_record *r = payload;
        classes[(*count)++] = (hologram_class){key.lo, r->count, r->value, r->broken};
    }
    if (classes != NULL)
        qsort(classes, *count, sizeof *classes, class_compare);
    return classes;
}

static bool classes_write(const holos_wave *w, hologram_writer *out)
{
    size_t count;
    if (w->classes == NULL)
        return true;
    hologram_class *classes = hologram_classes_of(w, &count);
    if (classes == NULL)
        return false;
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
        seeds[i] = hologram_seed_of(&w->seeds[i]);
    qsort(seeds, w->seed_count, sizeof *seeds, seed_compare);
    hologram_add_section(out, HOLOGRAM_SEEDS, seeds, w->seed_count);
    free(seeds);
    return true;
}

/* How often values were computed again depends on how threads and processes take turns, and says nothing of what is known: a
 * file has the same bytes however it was made. */
static void counters_write(const holos_wave *w, hologram_writer *out)
{
    holos_wave_statistics kept = w->statistics;
    kept.sweeps = kept.recomputed = 0;
    const uint64_t counters[] = {
#define COUNTER(name) kept.name,
        HOLOS_WAVE_COUNTERS(COUNTER)
#undef COUNTER
    };
    hologram_add_section(out, HOLOGRAM_COUNTERS, counters, sizeof counters / sizeof *counters);
}

/* ---- Saving ------------------------------------------------------------------------------------ */

bool save_is_late(const holos_wave *w, save_patience *p)
{
    if (p->seconds < 0 || !holos_stop_asked(w->options.limits.stop))
        return false;
    if (p->asked == 0 && deadline_passed(p->deadline)) {
        p->seconds = -1;
        return false;
    }
    if (p->asked == 0)
        p->asked = clock_wall();
    return clock_wall() - p->asked > p->seconds;
}

holos_status holos_wave_save(const holos_wave *w, const char *path, holos_error *err)
{
    if (w == NULL || path == NULL)
        return error_null(err, __func__);
    if (game_may_fail(w->v))
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "%s is not a built-in game, and keeps no holograms", w->v->name);
    return wave_save(w, path, -1, CLOCK_NEVER, err);
}

/* In a wave that notes nothing, layers know what has been expanded: those before the one that is returned are whole, and the
 * nodes of that one are told here. */
static unsigned expanded_note(const holos_wave *w)
{
    unsigned depth = 0;
    for (; depth < w->forward.depth; depth++) {
        layers_recount(w->forward.at[depth]);
        if (w->forward.at[depth]->done < w->forward.at[depth]->count)
            break;
    }
    for (unsigned shard = 0; depth < w->forward.depth && shard < NODES_SHARDS; shard++) {
        const key_list *list = &w->forward.at[depth]->lists[shard];
        for (size_t i = 0; i < list->done; i++) {
            if (i + WAVE_BATCH < list->done)
                nodes_prefetch(&w->nodes, list_key(&w->forward, list, i + WAVE_BATCH));
            node_at at = nodes_find(&w->nodes, list_key(&w->forward, list, i));
            wave_node n = node_load(at);
            n.flags |= NODE_EXPANDED;
            node_store(at, n);
        }
    }
    return depth;
}

holos_status wave_save_entries(const holos_wave *w, const char *path, wave_entries *entries, void *context,
                               holos_error *err)
{
    uint32_t flags = (w->options.unfolded ? HOLOGRAM_UNFOLDED : 0u) |
                     (w->nodes.position_size > 0 ? HOLOGRAM_POSITIONS : 0u) |
                     (w->known != NULL || w->rests_on_tables ? HOLOGRAM_KNOWN : 0u);
    hologram_writer *out;
    holos_status status = hologram_create(path, w->v, flags, &out, err);
    if (status != HOLOS_OK)
        return status;
    status = entries(w, context, out, err);
    if (status == HOLOS_INTERRUPTED) {
        hologram_discard(out);
        return status;
    }
    bool made = status == HOLOS_OK && spines_write(w->spines, out) && meetings_write(w, out) &&
                classes_write(w, out) && seeds_write(w, out) && wave_mappings_write(w->mappings, out) &&
                wave_history_write(w->history, out);
    if (made)
        counters_write(w, out);
    if (made || hologram_failed(out))
        return hologram_finish(out, err);
    hologram_discard(out);
    return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory to write %s", path);
}

static holos_status own_entries(const holos_wave *w, void *context, hologram_writer *out, holos_error *err)
{
    return wave_entries_write(w, out, context, err);
}

holos_status wave_save(const holos_wave *w, const char *path, double patience, double deadline,
                       holos_error *err)
{
    save_patience p = {.seconds = patience, .deadline = deadline, .whole = w->once ? expanded_note(w) : 0};
    save_is_late(w, &p);
    return wave_save_entries(w, path, own_entries, &p, err);
}

/* ---- Loading ----------------------------------------------------------------------------------- */

/* Puts a node into a layer; where each node stands in one list, one that is done is only counted. */
static holos_status layer_load_entry(holos_wave *w, layers *l, holos_key key, unsigned depth, bool done,
                                     holos_error *err)
{
    holos_status status = layers_reach(l, depth, err);
    if (status != HOLOS_OK)
        return status;
    l->at[depth]->statistics.positions++;
    if (w->once && done)
        return HOLOS_OK;
    key_list *list = &l->at[depth]->lists[nodes_shard_of(nodes_hash(key))];
    if (!list_append(l, list, key))
        return list_error(l, list, err);
    if (done)
        list->done = list->count;
    return HOLOS_OK;
}

/* Makes the node of an entry in the first pass, and puts it into the layers of the ways it was reached: in the first pass if it
 * is done, in the second if it is not, so that it stands behind those that are. */
static holos_status entry_load(holos_wave *w, const hologram_entry *entry, unsigned pass, holos_error *err)
{
    holos_position *p = w->scratch[0].position;
    wave_node n = entry->node;
    int32_t score;
    bool first = pass == 0, fresh = false;
    if (first && !hologram_position_check(w, entry, p))
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                         "a key in the hologram does not belong to a position of %s", w->v->name);
    if (!first)
        wave_position(w, entry->key, p);
    if (w->classes == NULL)
        n.flags &= (uint8_t) ~(NODE_CONJECTURE | NODE_IN_CLASS);
    /* A wave that only counts expands finished games, too: they still have to be valued. */
    if (!w->options.graph && !node_is_solved(n) && w->v->game->terminal(w->v, p, &score))
        n.flags &= (uint8_t)~NODE_EXPANDED;
    if (first && nodes_insert(&w->nodes, entry->key, nodes_hash(entry->key), p, n, &fresh, err) == NULL)
        return HOLOS_NO_MEMORY;
    w->statistics.positions += fresh;
    w->statistics.solved += fresh && node_is_solved(n);
    bool expanded = (n.flags & NODE_EXPANDED) != 0 || node_is_solved(n);
    bool retraced = (n.flags & NODE_RETRACED) != 0;
    holos_status status = HOLOS_OK;
    if ((n.flags & NODE_FORWARD) != 0 && (w->once || expanded == first))
        status = layer_load_entry(w, &w->forward, entry->key, n.depth, expanded, err);
    if (status == HOLOS_OK && (n.flags & NODE_BACKWARD) != 0 && (w->once || retraced == first))
        status = layer_load_entry(w, &w->backward, entry->key, n.depth, retraced, err);
    return status;
}

/* What is loaded may be more than there is memory for. */
static void load_make_room(holos_wave *w, uint32_t entries, holos_error *err)
{
    size_t need = nodes_growth(&w->nodes, entries) + 2 * (size_t)entries * sizeof(holos_key);
    if (need > wave_room(w))
        wave_spill(w, NULL, err); /* if that does not help, loading says so */
}

static holos_status entries_load(holos_wave *w, holos_hologram *h, holos_error *err)
{
    holos_status status = HOLOS_OK;
    w->nodes.deferred = true; /* no key comes twice */
    for (unsigned pass = 0; pass < (w->once ? 1 : 2); pass++)
        for (uint64_t block = 0; status == HOLOS_OK && block < h->block_count; block++) {
            uint32_t count;
            status = hologram_unpack(h, block, &count, err);
            if (status == HOLOS_OK)
                load_make_room(w, count, err);
            for (uint32_t i = 0; status == HOLOS_OK && i < count; i++)
                if (wave_owns(w, h->entries[i].key))
                    status = entry_load(w, &h->entries[i], pass, err);
            if (status == HOLOS_OK && holos_stop_asked(w->options.limits.stop))
                status = error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
        }
    w->nodes.deferred = false;
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
    const hologram_class *classes = h->sections[HOLOGRAM_CLASSES];
    for (uint64_t i = 0; w->classes != NULL && i < hologram_count(h, HOLOGRAM_CLASSES); i++)
        if (classes_part_of(classes[i].features, w->parts) == w->part &&
            !classes_load(w, classes[i].features,
                          (class_record){.count = classes[i].count,
                                         .value = classes[i].value,
                                         .broken = classes[i].broken != 0}))
            return mem_error(err, w->budget, sizeof(class_record), "the classes of a wave");
    const hologram_seed *seeds = h->sections[HOLOGRAM_SEEDS];
    for (uint64_t i = 0; i < hologram_count(h, HOLOGRAM_SEEDS); i++)
        if ((nodes_find(&w->nodes, seeds[i].key) != NULL || !wave_owns(w, seeds[i].key)) &&
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
    if (w == NULL || path == NULL)
        return error_null(err, __func__);
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
    if (status == HOLOS_OK && !(wave_mappings_read(w->mappings, h) && wave_history_read(w->history, h)))
        status = error_system(err, "the seeds of a wave");
    if (status == HOLOS_OK) {
        holos_hologram_summary summary;
        holos_hologram_summary_get(h, &summary);
        uint64_t positions_now = w->statistics.positions, solved_now = w->statistics.solved;
        w->statistics = w->part == 0 ? summary.statistics : (holos_wave_statistics){0};
        w->statistics.positions = positions_now;
        w->statistics.solved = solved_now;
        w->layered = false;
        w->loaded = true;
        w->rests_on_tables = (h->header->flags & HOLOGRAM_KNOWN) != 0;
        wave_seeds_loaded(w);
        w->boundary_seeded = hologram_count(h, HOLOGRAM_SEEDS) > 0;
        w->crystal_next = w->meetings.count;
    } else {
        holos_wave_reset(w);
    }
    holos_hologram_close(h);
    return status;
}
