/* SPDX-License-Identifier: MIT */

/* Checkpoints of an exploration: each rank keeps all that it has in a file of its own, so that the run goes on as if it had never
 * ended. There are two files a rank, written in turns: while one is being written, the other belongs to a checkpoint that all
 * ranks have. */

#include "cluster/wave_inside.h"
#include "core/file.h"
#include "core/hash.h"
#include "engine/wave/classes.h"
#include "engine/wave/history.h"
#include "engine/wave/mappings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAGIC   UINT64_C(0x31657661776873) /* "shwave1" */
#define VERSION 2
#define SOME    1024 /* positions that are written together */

typedef struct keep_head {
    uint64_t magic, version, label;
    uint64_t ranks, rank, generation;
    uint64_t key_words, position_size;
} keep_head;

/* Of the run, beside its positions. */
typedef struct keep_state {
    holos_wave_statistics statistics;
    uint64_t phase, nodes_base;
    uint64_t next_forward, next_backward, forward_limited, backward_limited;
    uint64_t swept_positions, runs, reach[2], idle_steps;
    uint64_t runs_back; /* the layer in the middle of which it is */
    uint64_t layered, loaded, rests_on_tables, boundary_seeded;
    uint64_t surveyed;
    uint64_t seeds, meetings, classes, layers, back_layers, positions;
} keep_state;

typedef struct keep_layer {
    holos_wave_layer statistics;
    uint64_t count[NODES_SHARDS], done[NODES_SHARDS];
} keep_layer;

static char *keep_path(const char *path, unsigned rank, uint64_t generation)
{
    text name;
    text_init(&name);
    text_printf(&name, "%s.%u.%u", path, rank, (unsigned)(generation % 2));
    char *copy = name.failed ? NULL : strdup(name.data);
    text_free(&name);
    return copy;
}

bool cluster_wave_kept(const char *path)
{
    bool kept = false;
    for (unsigned slot = 0; slot < 2 && path != NULL; slot++) {
        char *name = keep_path(path, 0, slot);
        kept |= name != NULL && access(name, F_OK) == 0;
        free(name);
    }
    return kept;
}

/* False: there was none. */
static bool rank_forget(const char *path, unsigned rank)
{
    bool found = false;
    for (unsigned slot = 0; slot < 2; slot++) {
        char *name = keep_path(path, rank, slot);
        found |= name != NULL && unlink(name) == 0;
        free(name);
    }
    return found;
}

void cluster_wave_forget(const char *path, unsigned rank, unsigned more)
{
    if (path == NULL)
        return;
    rank_forget(path, rank);
    while (more > 0 && rank_forget(path, more))
        more++;
}

/* ---- Writing ----------------------------------------------------------------------------------- */

typedef struct keep_writer {
    file_writer file;
    uint64_t sum;
} keep_writer;

static void put(keep_writer *k, const void *bytes, size_t size)
{
    if (size == 0)
        return;
    k->sum = hash_add(k->sum, hash_bytes(bytes, size).lo);
    file_write(&k->file, bytes, size);
}

static void layers_put(keep_writer *k, const layers *l)
{
    for (unsigned d = 0; d < l->depth; d++) {
        const layer *at = l->at[d];
        keep_layer head = {.statistics = at->statistics};
        for (unsigned i = 0; i < NODES_SHARDS; i++) {
            head.count[i] = at->lists[i].count;
            head.done[i] = at->lists[i].done;
        }
        put(k, &head, sizeof head);
        for (unsigned i = 0; i < NODES_SHARDS; i++)
            put(k, at->lists[i].words, at->lists[i].count * l->key_words * sizeof(uint64_t));
    }
}

/* Words of a node in a file: the key, what is known, the position. */
static size_t node_words(const nodes *n)
{
    return n->key_words + 1 + n->position_size / sizeof(uint64_t);
}

static bool nodes_put(keep_writer *k, const nodes *n)
{
    size_t words = node_words(n), filled = 0;
    uint64_t *some = malloc(SOME * words * sizeof *some);
    node_at at;
    for (unsigned shard = 0; some != NULL && shard < NODES_SHARDS; shard++)
        for (size_t i = 0; (at = nodes_next(n, shard, &i)) != NULL;) {
            holos_key key = slot_key(n, at);
            uint64_t *to = some + filled * words;
            *to++ = key.lo;
            if (n->key_words == 2)
                *to++ = key.hi;
            *to++ = *at;
            if (n->position_size > 0)
                memcpy(to, nodes_position(n, key), n->position_size);
            if (++filled == SOME) {
                put(k, some, SOME * words * sizeof *some);
                filled = 0;
            }
        }
    if (some != NULL)
        put(k, some, filled * words * sizeof *some);
    free(some);
    return some != NULL;
}

static bool classes_put(keep_writer *k, const holos_wave *w)
{
    size_t count;
    if (w->classes == NULL)
        return true;
    hologram_class *classes = hologram_classes_of(w, &count);
    if (classes != NULL)
        put(k, classes, count * sizeof *classes);
    free(classes);
    return classes != NULL;
}

static keep_state state_of(const cluster_wave *g)
{
    const holos_wave *w = g->w;
    return (keep_state){.statistics = w->statistics,
                        .phase = g->phase,
                        .nodes_base = g->nodes_base,
                        .next_forward = w->next_forward,
                        .next_backward = w->next_backward,
                        .forward_limited = w->forward_limited,
                        .backward_limited = w->backward_limited,
                        .runs_back = way_is_back(g),
                        .swept_positions = w->swept_positions,
                        .runs = w->runs,
                        .reach = {w->reach[0], w->reach[1]},
                        .idle_steps = w->idle_steps,
                        .layered = w->layered,
                        .loaded = w->loaded,
                        .rests_on_tables = w->rests_on_tables,
                        .boundary_seeded = w->boundary_seeded,
                        .seeds = w->seed_count,
                        .meetings = w->meetings.count,
                        .surveyed = w->classes != NULL ? w->classes->surveyed : 0,
                        .classes = w->classes != NULL ? w->classes->classes.count : 0,
                        .layers = w->forward.depth,
                        .back_layers = w->backward.depth,
                        .positions = nodes_count(&w->nodes)};
}

static holos_status rank_write(cluster_wave *g, uint64_t generation, holos_error *err)
{
    const holos_wave *w = g->w;
    char *path = keep_path(g->q.path, g->c->rank, generation);
    keep_writer k = {0};
    holos_status status = path != NULL ? file_create(&k.file, path, err) : error_system(err, "a checkpoint");
    free(path);
    if (status != HOLOS_OK)
        return status;
    keep_head head = {MAGIC,      VERSION,    g->label,           g->c->ranks,
                      g->c->rank, generation, w->nodes.key_words, w->nodes.position_size};
    keep_state state = state_of(g);
    put(&k, &head, sizeof head);
    put(&k, &state, sizeof state);
    for (size_t i = 0; i < w->seed_count; i++) {
        hologram_seed seed = hologram_seed_of(&w->seeds[i]);
        put(&k, &seed, sizeof seed);
    }
    put(&k, w->meetings.words, w->meetings.count * w->nodes.key_words * sizeof(uint64_t));
    bool made = classes_put(&k, w);
    layers_put(&k, &w->forward);
    layers_put(&k, &w->backward);
    if (!made || !nodes_put(&k, &w->nodes)) {
        file_discard(&k.file);
        return error_system(err, "a checkpoint");
    }
    uint64_t sum = k.sum;
    put(&k, &sum, sizeof sum);
    return file_commit(&k.file, err);
}

holos_status wave_checkpoint(cluster_wave *g, holos_error *err)
{
    uint64_t generation = g->generation + 1;
    holos_status status = holos_cluster_agree(g->c, rank_write(g, generation, err), err);
    if (status == HOLOS_OK)
        g->generation = generation;
    g->saved = clock_wall();
    return status;
}

/* ---- Reading ----------------------------------------------------------------------------------- */

typedef struct keep_reader {
    file_view view;
    size_t at;
    uint64_t sum;
    bool ended; /* there was less than was asked for */
} keep_reader;

/* NULL: the file ends before. */
static const void *get(keep_reader *k, size_t size)
{
    const unsigned char *bytes = k->view.data + k->at;
    if (k->ended || size > k->view.size - k->at) {
        k->ended = true;
        return NULL;
    }
    if (size > 0)
        k->sum = hash_add(k->sum, hash_bytes(bytes, size).lo);
    k->at += size;
    return bytes;
}

static bool get_into(keep_reader *k, void *out, size_t size)
{
    const void *bytes = get(k, size);
    if (bytes != NULL)
        memcpy(out, bytes, size);
    return bytes != NULL;
}

static holos_status damaged(const cluster_wave *g, holos_error *err)
{
    return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                     "the checkpoint %s.%u.* is damaged; --restart starts over", g->q.path, g->c->rank);
}

static bool head_is_ours(const keep_head *h)
{
    return h->magic == MAGIC && h->version == VERSION;
}

/* What a slot of this rank holds; a generation of 0: nothing. */
static keep_head slot_head(const cluster_wave *g, unsigned slot)
{
    keep_head head = {0};
    keep_reader k = {0};
    holos_error err;
    char *path = keep_path(g->q.path, g->c->rank, slot);
    if (path != NULL && access(path, F_OK) == 0 && file_view_open(&k.view, path, &err) == HOLOS_OK) {
        if (!get_into(&k, &head, sizeof head) || !head_is_ours(&head))
            head = (keep_head){0};
        file_view_close(&k.view);
    }
    free(path);
    return head;
}

static holos_status head_check(const cluster_wave *g, const keep_head *h, holos_error *err)
{
    if (h->generation == 0)
        return HOLOS_OK;
    if (h->ranks != g->c->ranks)
        return error_set(
            err, HOLOS_USAGE, HOLOS_NOWHERE,
            "the checkpoint %s.* was begun with %llu ranks, and there are %u; --restart starts over",
            g->q.path, (unsigned long long)h->ranks, g->c->ranks);
    if (h->label != g->label || h->rank != g->c->rank || h->key_words != g->w->nodes.key_words ||
        h->position_size != g->w->nodes.position_size)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "the checkpoint %s.* is of another exploration (game, --depth, --graph, …); "
                         "--restart starts over",
                         g->q.path);
    return HOLOS_OK;
}

static holos_status seeds_get(cluster_wave *g, keep_reader *k, const keep_state *state, holos_error *err)
{
    holos_wave *w = g->w;
    wave_seeds_clear(w);
    for (uint64_t i = 0; i < state->seeds; i++) {
        hologram_seed s;
        if (!get_into(k, &s, sizeof s))
            return damaged(g, err);
        wave_seed seed = {s.key, (holos_wave_direction)s.direction, (holos_wave_mode)s.mode, s.priority,
                          s.depth};
        if (!wave_seeds_add(w, seed))
            return error_system(err, "the seeds of a wave");
    }
    size_t each = w->nodes.key_words * sizeof(uint64_t);
    const uint64_t *words =
        state->meetings > k->view.size / each ? NULL : get(k, (size_t)state->meetings * each);
    key_list met = {.words = (uint64_t *)(uintptr_t)words};
    if (words == NULL)
        return damaged(g, err);
    for (uint64_t i = 0; i < state->meetings; i++) /* without memory one is only not remembered */
        list_append(&w->meeting_format, &w->meetings, list_key(&w->meeting_format, &met, i));
    return HOLOS_OK;
}

static holos_status classes_get(cluster_wave *g, keep_reader *k, uint64_t count, holos_error *err)
{
    if (count > 0 && (g->w->classes == NULL || count > k->view.size / sizeof(hologram_class)))
        return damaged(g, err);
    const hologram_class *c = get(k, (size_t)count * sizeof *c);
    if (c == NULL)
        return damaged(g, err);
    for (uint64_t i = 0; i < count; i++)
        if (!classes_load(
                g->w, c[i].features,
                (class_record){.count = c[i].count, .value = c[i].value, .broken = c[i].broken != 0}))
            return mem_error(err, g->w->budget, sizeof *c, "the classes of a wave");
    return HOLOS_OK;
}

static holos_status layer_get(cluster_wave *g, keep_reader *k, layers *l, unsigned depth, holos_error *err)
{
    keep_layer head;
    if (!get_into(k, &head, sizeof head))
        return damaged(g, err);
    holos_status status = layers_reach(l, depth, err);
    if (status != HOLOS_OK)
        return status;
    layer *at = l->at[depth];
    at->statistics = head.statistics;
    for (unsigned i = 0; i < NODES_SHARDS; i++) {
        size_t each = l->key_words * sizeof(uint64_t);
        const uint64_t *words =
            head.count[i] > k->view.size / each ? NULL : get(k, (size_t)head.count[i] * each);
        key_list from = {.words = (uint64_t *)(uintptr_t)words};
        if (words == NULL || head.done[i] > head.count[i])
            return damaged(g, err);
        for (uint64_t n = 0; n < head.count[i]; n++)
            if (!list_append(l, &at->lists[i], list_key(l, &from, n)))
                return list_error(l, &at->lists[i], err);
        at->lists[i].done = head.done[i];
    }
    wave_room_make(g, 1, NULL);
    return HOLOS_OK;
}

static holos_status nodes_get(cluster_wave *g, keep_reader *k, uint64_t positions, holos_error *err)
{
    holos_wave *w = g->w;
    nodes *n = &w->nodes;
    size_t words = node_words(n);
    n->deferred = true; /* no key comes twice */
    for (uint64_t done = 0; done < positions;) {
        size_t some = positions - done < SOME ? (size_t)(positions - done) : SOME;
        const uint64_t *from = get(k, some * words * sizeof *from);
        if (from == NULL)
            return damaged(g, err);
        wave_room_make(g, some, NULL); /* if that fails, there is a reserve */
        for (size_t i = 0; i < some; i++, from += words) {
            bool fresh;
            holos_key key = {.hi = n->key_words == 2 ? from[1] : 0, .lo = from[0]};
            if (nodes_insert(n, key, nodes_hash(key), from + n->key_words + 1, node_load(from + n->key_words),
                             &fresh, err) == NULL)
                return HOLOS_NO_MEMORY;
        }
        done += some;
    }
    n->deferred = false;
    return HOLOS_OK;
}

static void state_take(cluster_wave *g, const keep_state *s)
{
    holos_wave *w = g->w;
    w->statistics = s->statistics;
    g->phase = (wave_phase)s->phase;
    g->nodes_base = s->nodes_base;
    g->way = s->runs_back != 0 ? &g->backward : &g->forward;
    w->next_forward = (unsigned)s->next_forward;
    w->next_backward = (unsigned)s->next_backward;
    w->forward_limited = s->forward_limited;
    w->backward_limited = s->backward_limited;
    w->swept_positions = s->swept_positions;
    w->runs = (unsigned)s->runs;
    w->reach[0] = (unsigned)s->reach[0];
    w->reach[1] = (unsigned)s->reach[1];
    w->reach_decided = true;
    w->idle_steps = (unsigned)s->idle_steps;
    w->layered = s->layered != 0;
    w->loaded = s->loaded != 0;
    w->rests_on_tables = s->rests_on_tables != 0;
    w->boundary_seeded = s->boundary_seeded != 0;
    if (w->classes != NULL)
        w->classes->surveyed = s->surveyed;
}

/* What a hologram had beside positions, if the exploration continued one: it is still there. */
static holos_status sections_get(cluster_wave *g, holos_error *err)
{
    holos_hologram *h;
    if (!g->w->loaded || g->c->rank > 0)
        return HOLOS_OK;
    holos_status status = holos_hologram_open(g->q.hologram, &h, err);
    if (status != HOLOS_OK)
        return status;
    if (!wave_mappings_read(g->w->mappings, h) || !wave_history_read(g->w->history, h))
        status = error_system(err, "the seeds of a wave");
    holos_hologram_close(h);
    return status;
}

static holos_status rank_read(cluster_wave *g, keep_reader *k, holos_error *err)
{
    keep_head head;
    keep_state state;
    if (!get_into(k, &head, sizeof head) || !get_into(k, &state, sizeof state) || state.layers > UINT16_MAX ||
        state.back_layers > UINT16_MAX || state.phase > PHASE_SETTLE)
        return damaged(g, err);
    holos_wave_reset(g->w);
    holos_status status = seeds_get(g, k, &state, err);
    if (status == HOLOS_OK)
        status = classes_get(g, k, state.classes, err);
    for (unsigned d = 0; status == HOLOS_OK && d < state.layers; d++)
        status = layer_get(g, k, &g->w->forward, d, err);
    for (unsigned d = 0; status == HOLOS_OK && d < state.back_layers; d++)
        status = layer_get(g, k, &g->w->backward, d, err);
    if (status == HOLOS_OK)
        status = nodes_get(g, k, state.positions, err);
    uint64_t sum = k->sum, kept;
    if (status == HOLOS_OK && (!get_into(k, &kept, sizeof kept) || kept != sum))
        status = damaged(g, err);
    if (status == HOLOS_OK) {
        state_take(g, &state);
        status = sections_get(g, err);
    }
    return status;
}

static holos_status generation_read(cluster_wave *g, uint64_t generation, holos_error *err)
{
    keep_reader k = {0};
    char *path = keep_path(g->q.path, g->c->rank, generation);
    holos_status status =
        path != NULL ? file_view_open(&k.view, path, err) : error_system(err, "a checkpoint");
    free(path);
    if (status != HOLOS_OK)
        return status;
    status = rank_read(g, &k, err);
    file_view_close(&k.view);
    g->generation = generation;
    return status;
}

holos_status cluster_wave_restore(cluster_wave *g, bool *found, holos_error *err)
{
    *found = false;
    if (g->q.path == NULL)
        return HOLOS_OK;
    keep_head heads[2] = {slot_head(g, 0), slot_head(g, 1)};
    holos_status status = head_check(g, &heads[0], err);
    if (status == HOLOS_OK)
        status = head_check(g, &heads[1], err);
    uint64_t mine[2] = {heads[0].generation, heads[1].generation},
             *all = calloc(2 * (size_t)g->c->ranks, sizeof *all);
    if (status == HOLOS_OK && all == NULL)
        status = error_system(err, "a checkpoint");
    status = holos_cluster_agree(g->c, status, err);
    uint64_t last = 0;
    if (status == HOLOS_OK && all != NULL) {
        cluster_gather(g->c, mine, sizeof mine, all);
        for (unsigned slot = 0; slot < 2; slot++) {
            bool common = mine[slot] > last;
            for (unsigned i = 0; common && i < g->c->ranks; i++)
                common = all[2 * i + slot] == mine[slot];
            last = common ? mine[slot] : last;
        }
        *found = last > 0;
    }
    free(all);
    if (status != HOLOS_OK || last == 0)
        return status;
    return holos_cluster_agree(g->c, generation_read(g, last, err), err);
}
