/* SPDX-License-Identifier: MIT */

/* Frontiers that are known by their seeds: a breadth-first wave from the same seeds, in the same order and with the same
 * options, comes to the same positions. So a hologram keeps the seeds and a digest instead of the frontier. */

#include "engine/wave/mappings.h"

#include "core/hash.h"
#include "core/list.h"

#include <stdlib.h>

void wave_mappings_clear(wave_mappings *m)
{
    for (size_t i = 0; i < m->count; i++)
        free(m->list[i].seeds);
    free(m->list);
    *m = (wave_mappings){0};
}

bool wave_mappings_add(wave_mappings *m, hologram_mapping mapping, const hologram_seed *seeds)
{
    hologram_seed *own = malloc((mapping.seed_count + 1) * sizeof *own);
    if (own == NULL || !LIST_RESERVE(m->list, m->room, m->count + 1)) {
        free(own);
        return false;
    }
    memcpy(own, seeds, mapping.seed_count * sizeof *own);
    m->list[m->count].mapping = mapping;
    m->list[m->count].seeds = own;
    m->count++;
    return true;
}

/* ---- Of a wave --------------------------------------------------------------------------------- */

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

/* Whether nothing but the breadth-first wave made the layers, so that their seeds lead there again. */
static bool is_repeatable(const holos_wave *w)
{
    const holos_wave_statistics *s = &w->statistics;
    return s->lightning_probes + s->osmosis_steps + s->crystallized + s->frontier_capped +
                   s->memory_limited ==
               0 &&
           !w->loaded && w->seed_count > 0 && w->options.goal_count == 0 && w->from_key != NULL &&
           w->forward.depth > 0;
}

/* The last layer that is whole: all before it are expanded. */
static unsigned layer_whole(const holos_wave *w)
{
    unsigned depth = 0;
    for (; depth + 1 < w->forward.depth; depth++) {
        layers_recount(w->forward.at[depth]);
        if (w->forward.at[depth]->done < w->forward.at[depth]->count)
            break;
    }
    while (depth > 0 && w->forward.at[depth]->count == 0)
        depth--;
    return depth;
}

hologram_seed hologram_seed_of(const wave_seed *seed)
{
    return (hologram_seed){seed->key, seed->priority, seed->depth, seed->direction, seed->mode};
}

static hologram_mapping mapping_of(const holos_wave *w, const wave_frontier *f, const hologram_seed *seeds)
{
    const holos_wave_options *o = &w->options;
    return (hologram_mapping){
        .count = f->count,
        .digest = f->digest,
        .seed = o->seed,
        .boundary_seeds = o->boundary_seeds,
        .depth = f->depth,
        .reach = w->reach[HOLOS_WAVE_FORWARD],
        .backward_depth = o->backward_depth,
        .flags = (o->graph ? MAPPING_GRAPH : 0u) | (o->all_moves ? MAPPING_ALL_MOVES : 0u) |
                 (o->no_backward ? MAPPING_NO_BACKWARD : 0u) | (w->known != NULL ? MAPPING_KNOWN : 0u),
        .seeds_digest = hash_bytes(seeds, w->seed_count * sizeof *seeds).lo,
        .seed_count = w->seed_count};
}

/* A second run goes on where values have flowed at the end of the first: no single one comes there. Where nothing is valued, that
 * makes no difference. */
static bool mapping_is_kept(const holos_wave *w)
{
    return is_repeatable(w) && (w->runs == 0 || w->options.graph);
}

void wave_mapping_of(holos_wave *w, const wave_frontier *f)
{
    bool kept = mapping_is_kept(w) && f->depth > 0;
    w->runs++;
    hologram_seed *seeds = kept ? calloc(w->seed_count, sizeof *seeds) : NULL;
    for (size_t i = 0; seeds != NULL && i < w->seed_count; i++)
        seeds[i] = hologram_seed_of(&w->seeds[i]);
    if (seeds != NULL) {
        wave_mappings_clear(w->mappings);
        wave_mappings_add(w->mappings, mapping_of(w, f, seeds),
                          seeds); /* without memory it is only not kept */
    }
    free(seeds);
}

void wave_mapping_note(holos_wave *w)
{
    wave_frontier f = {.depth = mapping_is_kept(w) ? layer_whole(w) : 0};
    if (f.depth > 0) {
        f.count = w->forward.at[f.depth]->count;
        f.digest = hologram_layer_digest(&w->forward, w->forward.at[f.depth]);
    }
    wave_mapping_of(w, &f);
}

/* ---- In files ---------------------------------------------------------------------------------- */

static int mapped_compare(const void *a, const void *b)
{
    const wave_mapped *x = a, *y = b;
    int order = memcmp(&x->mapping, &y->mapping, offsetof(hologram_mapping, first));
    if (order != 0)
        return order;
    return memcmp(x->seeds, y->seeds, x->mapping.seed_count * sizeof *x->seeds);
}

bool wave_mappings_write(wave_mappings *m, hologram_writer *out)
{
    uint64_t total = 0, seed_count = 0, count = 0;
    for (size_t i = 0; i < m->count; i++)
        total += m->list[i].mapping.seed_count;
    hologram_mapping *mappings = calloc(m->count + 1, sizeof *mappings);
    hologram_seed *seeds = calloc(total + 1, sizeof *seeds);
    bool made = mappings != NULL && seeds != NULL;
    if (made && m->count > 1)
        qsort(m->list, m->count, sizeof *m->list, mapped_compare);
    for (size_t i = 0; made && i < m->count; i++) {
        const wave_mapped *one = &m->list[i];
        if (i > 0 && mapped_compare(one - 1, one) == 0)
            continue;
        mappings[count] = one->mapping;
        mappings[count++].first = seed_count;
        memcpy(seeds + seed_count, one->seeds, one->mapping.seed_count * sizeof *seeds);
        seed_count += one->mapping.seed_count;
    }
    if (made) {
        hologram_add_section(out, HOLOGRAM_MAPPINGS, mappings, count);
        hologram_add_section(out, HOLOGRAM_MAPPED, seeds, seed_count);
    }
    free(mappings);
    free(seeds);
    return made;
}

bool wave_mappings_read(wave_mappings *m, const holos_hologram *h)
{
    const hologram_mapping *mappings = h->sections[HOLOGRAM_MAPPINGS];
    const hologram_seed *seeds = h->sections[HOLOGRAM_MAPPED];
    for (uint64_t i = 0; i < hologram_count(h, HOLOGRAM_MAPPINGS); i++)
        if (!wave_mappings_add(m, mappings[i], seeds + mappings[i].first))
            return false;
    return true;
}

/* ---- Frontiers again --------------------------------------------------------------------------- */

static holos_status seeds_restore(holos_wave *w, const hologram_seed *seeds, uint64_t count, holos_error *err)
{
    holos_position *seed = holos_position_new(w->v);
    holos_status status = seed != NULL ? HOLOS_OK : error_system(err, "a seed");
    if (status == HOLOS_OK && w->from_key == NULL)
        status = error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                           "%s cannot make positions from keys: its frontiers are not mapped", w->v->name);
    for (uint64_t i = 0; status == HOLOS_OK && i < count; i++) {
        const hologram_entry entry = {.key = seeds[i].key};
        if (!hologram_position_check(w, &entry, seed)) {
            status = error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                               "a seed of the hologram is not a position of %s", w->v->name);
            break;
        }
        holos_wave_seed add = {.position = seed,
                               .direction = seeds[i].direction,
                               .priority = seeds[i].priority,
                               .depth = seeds[i].depth};
        status = holos_wave_add(w, &add, err);
    }
    holos_position_free(seed);
    return status;
}

static holos_status frontier_make(holos_hologram *h, const hologram_mapping *m, holos_wave *w,
                                  holos_error *err)
{
    w->layer_cap = m->depth;
    holos_status status =
        seeds_restore(w, (const hologram_seed *)h->sections[HOLOGRAM_MAPPED] + m->first, m->seed_count, err);
    if (status == HOLOS_OK)
        status = holos_wave_run(w, HOLOS_WAVE_WAVE, err);
    if (status == HOLOS_OK && (m->depth >= w->forward.depth || w->forward.at[m->depth]->count != m->count ||
                               hologram_layer_digest(&w->forward, w->forward.at[m->depth]) != m->digest))
        status = error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                           "%s: its seeds lead to another frontier than the original one", h->path);
    return status;
}

holos_status holos_hologram_frontier(holos_hologram *h, uint64_t index, const holos_boundary *boundary,
                                     holos_wave **out, holos_error *err)
{
    if (h == NULL || out == NULL)
        return error_null(err, __func__);
    *out = NULL;
    if (index >= hologram_count(h, HOLOGRAM_MAPPINGS))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s has %llu seed mappings", h->path,
                         (unsigned long long)hologram_count(h, HOLOGRAM_MAPPINGS));
    const hologram_mapping *m = (const hologram_mapping *)h->sections[HOLOGRAM_MAPPINGS] + index;
    bool known = (m->flags & MAPPING_KNOWN) != 0;
    if (known && boundary == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "%s: the wave of this frontier had tables; give the same ones to rebuild it",
                         h->path);
    holos_wave_options options = {.seed = m->seed,
                                  .boundary_seeds = m->boundary_seeds,
                                  .forward_depth = m->reach,
                                  .backward_depth = m->backward_depth,
                                  .graph = (m->flags & MAPPING_GRAPH) != 0,
                                  .all_moves = (m->flags & MAPPING_ALL_MOVES) != 0,
                                  .no_backward = (m->flags & MAPPING_NO_BACKWARD) != 0,
                                  .unfolded = (h->header->flags & HOLOGRAM_UNFOLDED) != 0,
                                  .boundary = known ? boundary : NULL};
    holos_wave *w;
    holos_status status = holos_wave_open(h->v, &options, &w, err);
    if (status != HOLOS_OK)
        return status;
    status = frontier_make(h, m, w, err);
    if (status != HOLOS_OK)
        holos_wave_close(w);
    else
        *out = w;
    return status;
}
