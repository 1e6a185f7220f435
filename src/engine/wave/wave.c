/* SPDX-License-Identifier: MIT */

/* The wave itself: opening, seeds, runs, answers. */

#include "engine/wave/wave.h"
#include "engine/wave/history.h"
#include "engine/wave/mappings.h"

#include "core/list.h"
#include "engine/wave/classes.h"
#include "engine/wave/edges.h"
#include "engine/wave/runs.h"
#include "engine/wave/spines.h"

#include <stdlib.h>

#define DEFAULT_MEMORY ((size_t)2 << 30)
#define IMAGES_MOST    4096 /* bytes of all images of a position */

static const char *const mode_names[] = {"auto", "lightning", "wave", "crystal", "osmosis"};

const char *holos_wave_mode_name(holos_wave_mode mode)
{
    return mode_names[mode];
}

bool holos_wave_mode_find(const char *name, holos_wave_mode *out)
{
    if (name == NULL || out == NULL)
        return false;
    for (unsigned i = 0; i < sizeof mode_names / sizeof *mode_names; i++)
        if (strcmp(name, mode_names[i]) == 0) {
            *out = (holos_wave_mode)i;
            return true;
        }
    return false;
}

/* ---- Opening ----------------------------------------------------------------------------------- */

static holos_status options_check(const holos_variant *v, const holos_wave_options *options, holos_error *err)
{
    if (v->score_min < INT16_MIN || v->score_max > INT16_MAX)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "the scores of %s do not fit into the 16 bits that a wave has for them", v->name);
    if (options->goal_count > 0 && (v->game->hints == NULL || v->game->hints->signature == NULL))
        return error_set(
            err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
            "--goal: %s gives its positions no signatures, so there is nothing to match a goal with",
            v->game->name);
    return HOLOS_OK;
}

static void options_default(holos_wave_options *o)
{
    if (o->threads == 0)
        o->threads = 1;
    if (o->class_size == 0)
        o->class_size = 10000;
    if (o->boundary_seeds == 0)
        o->boundary_seeds = 64;
    if (o->lightning_depth == 0)
        o->lightning_depth = 64;
    if (o->lightning_nodes == 0)
        o->lightning_nodes = 1000;
    if (o->crystal_points == 0)
        o->crystal_points = 10;
    if (o->crystal_layers == 0)
        o->crystal_layers = 3;
}

wave_ways wave_ways_of(const holos_variant *v, const holos_wave_options *o)
{
    const holos_game *game = v->game;
    bool enough = !o->all_moves && !o->graph && (game->traits & HOLOS_TRAIT_PUZZLE) != 0 &&
                  game->search != NULL && game->search->expand != NULL;
    wave_ways ways = {.key = o->unfolded ? game->identity : game->key,
                      .from_key = o->unfolded ? game->from_identity : game->from_key,
                      .expand = enough ? game->search->expand : game->expand,
                      .key_words = v->key_bits > 0 && v->key_bits <= 64 ? 1 : 2};
    ways.kept = ways.from_key == NULL ? v->position_size : 0;
    return ways;
}

size_t wave_bytes_each(const wave_ways *ways)
{
    return nodes_slot_words(ways->key_words, ways->kept) * sizeof(uint64_t) + ways->kept;
}

bool wave_runs_back(const holos_variant *v, const holos_wave_options *o)
{
    return v->game->back != NULL && v->max_predecessors > 0 && !o->no_backward && !o->graph;
}

static void ways_take(holos_wave *w, const wave_ways *ways)
{
    w->key = ways->key;
    w->from_key = ways->from_key;
    w->expand = ways->expand;
    w->has_back = wave_runs_back(w->v, &w->options);
    const holos_game *game = w->v->game;
    w->has_images = ways->kept > 0 && ways->key == game->key && game->symmetries != NULL &&
                    game->max_symmetries * w->v->position_size <= IMAGES_MOST;
}

bool wave_edges_make(holos_wave *w, holos_edges *out, size_t neighbours, size_t positions)
{
    out->edges = arena_alloc(&w->memory, positions * neighbours * sizeof *out->edges);
    out->keys = arena_alloc(&w->memory, positions * neighbours * sizeof *out->keys);
    out->positions = arena_alloc(&w->memory, neighbours * w->v->position_size);
    return out->edges != NULL && out->keys != NULL && out->positions != NULL;
}

static bool scratch_make(holos_wave *w, wave_scratch *s)
{
    size_t bytes, entries = wave_round_entries(w, &bytes);
    s->position = arena_alloc(&w->memory, w->v->position_size);
    s->entries = arena_alloc(&w->memory, bytes);
    s->shards = arena_alloc(&w->memory, entries);
    if (s->position == NULL || s->entries == NULL || s->shards == NULL)
        return false;
    if (w->has_back && !wave_edges_make(w, &s->predecessors, w->v->max_predecessors, 1))
        return false;
    return wave_edges_make(w, &s->successors, w->v->max_successors, WAVE_BATCH);
}

/* What the threads work with: a thread's share of wave_edges_make and scratch_make, times their number. */
static size_t scratch_bytes(const holos_wave *w)
{
    size_t bytes, entries = wave_round_entries(w, &bytes);
    size_t edge = sizeof(holos_edge) + sizeof(holos_key);
    bytes += entries + (size_t)w->v->max_successors * (WAVE_BATCH * edge + w->v->position_size);
    if (w->has_back)
        bytes += (size_t)w->v->max_predecessors * (edge + w->v->position_size);
    return bytes * pool_threads(w->threads);
}

static holos_status wave_build(holos_wave *w, holos_error *err)
{
    wave_ways ways = wave_ways_of(w->v, &w->options);
    ways_take(w, &ways);
    holos_status status = nodes_init(&w->nodes, w->budget, ways.key_words, ways.kept, err);
    if (status == HOLOS_OK)
        status = pool_open(w->options.threads, &w->threads, err);
    if (status == HOLOS_OK)
        status = wave_round_open(w, err);
    if (status == HOLOS_OK)
        status = spines_open(w, err);
    if (status == HOLOS_OK)
        status = classes_open(w, err);
    if (status != HOLOS_OK)
        return status;
    layers_init(&w->forward, w->budget, ways.key_words);
    layers_init(&w->backward, w->budget, ways.key_words);
    layers_init(&w->meeting_format, w->budget, ways.key_words);
    w->layered = true;
    size_t need = scratch_bytes(w);
    if (w->budget->limit != 0 && need > mem_available(w->budget))
        return mem_error(err, w->budget, need, "a wave, before its first position,");
    w->scratch = arena_alloc(&w->memory, pool_threads(w->threads) * sizeof *w->scratch);
    bool made = w->scratch != NULL;
    if (made)
        memset(w->scratch, 0, pool_threads(w->threads) * sizeof *w->scratch);
    for (unsigned i = 0; made && i < pool_threads(w->threads); i++)
        made = scratch_make(w, &w->scratch[i]);
    return made ? HOLOS_OK : mem_error(err, w->budget, need + w->memory.block_size, "a wave");
}

holos_status wave_open_within(const holos_variant *v, const holos_wave_options *options, mem_budget *budget,
                              boundary_guard *known, holos_wave **out, holos_error *err)
{
    static const holos_wave_options none;
    *out = NULL;
    if (options == NULL)
        options = &none;
    holos_status status = options_check(v, options, err);
    if (status != HOLOS_OK)
        return status;
    holos_wave *w = calloc(1, sizeof *w);
    if (w == NULL)
        return error_system(err, "a wave");
    w->mappings = calloc(1, sizeof *w->mappings);
    w->history = calloc(1, sizeof *w->history);
    if (w->mappings == NULL || w->history == NULL) {
        free(w->mappings);
        free(w->history);
        free(w);
        return error_system(err, "a wave");
    }
    w->v = v;
    w->contradicted = &w->contradiction;
    w->options = *options;
    w->stop.also = options->limits.stop;
    w->options.limits.stop = &w->stop;
    w->save_by = CLOCK_NEVER;
    w->known = known != NULL ? known : boundary_begin(&w->guard, options->boundary, v, &w->stop);
    wave_reach_reset(w);
    options_default(&w->options);
    size_t limit = options->limits.memory != 0 ? options->limits.memory : DEFAULT_MEMORY;
    mem_budget_init(&w->own_budget, limit);
    w->budget = budget != NULL ? budget : &w->own_budget;
    arena_init(&w->memory, w->budget, 1 << 16);
    status = wave_build(w, err);
    if (status != HOLOS_OK) {
        holos_wave_close(w);
        return status;
    }
    *out = w;
    return HOLOS_OK;
}

holos_status holos_wave_open(const holos_variant *v, const holos_wave_options *options, holos_wave **out,
                             holos_error *err)
{
    if (v == NULL || out == NULL)
        return error_null(err, __func__);
    return wave_open_within(v, options, NULL, NULL, out, err);
}

static void wave_forget(holos_wave *w)
{
    scope_free(&w->scope);
    edges_free(w);
    layers_free(&w->forward);
    layers_free(&w->backward);
    mem_free(w->budget, w->meetings.words,
             w->meetings.room * w->meeting_format.key_words * sizeof *w->meetings.words);
    w->meetings = (key_list){0};
    w->seed_count = 0;
    w->statistics = (holos_wave_statistics){0};
    w->swept_positions = w->forward_limited = w->backward_limited = 0;
    w->next_forward = w->next_backward = 0;
    w->crystal_next = 0;
    w->crystal_front = (layer_place){0};
    w->boundary_seeded = w->loaded = w->contradiction = w->rests_on_tables = false;
    w->runs = 0;
    if (w->mappings != NULL)
        wave_mappings_clear(w->mappings);
    if (w->history != NULL)
        wave_history_clear(w->history);
    wave_reach_reset(w);
    w->layered = true;
    if (w->spines != NULL)
        spines_clear(w->spines);
    classes_clear(w->classes);
}

void holos_wave_close(holos_wave *w)
{
    if (w == NULL)
        return;
    wave_forget(w);
    spines_close(w);
    classes_close(w);
    wave_round_close(w);
    nodes_free(&w->nodes);
    pool_close(w->threads);
    arena_free(&w->memory);
    free(w->mappings);
    free(w->history);
    free(w->seeds);
    free(w->seed_positions);
    free(w);
}

void holos_wave_reset(holos_wave *w)
{
    if (w == NULL)
        return;
    wave_forget(w);
    nodes_clear(&w->nodes);
}

/* ---- Limits ------------------------------------------------------------------------------------ */

uint64_t wave_expanded(const holos_wave *w)
{
    return w->statistics.forward_expanded + w->statistics.backward_expanded;
}

size_t wave_room(const holos_wave *w)
{
    if (w->budget->limit == 0)
        return SIZE_MAX;
    size_t limit = w->budget->limit, left = limit / 10;
    if (left < w->travel)
        left = w->travel < limit / 2 ? w->travel : limit / 2;
    size_t stop = limit - left;
    size_t used = atomic_load_explicit(&w->budget->used, memory_order_relaxed);
    return used < stop ? stop - used : 0;
}

bool wave_spill(holos_wave *w, const layer *keep, holos_error *err)
{
    uint64_t before = nodes_count(&w->nodes), in_memory = 0;
    for (unsigned i = 0; i < NODES_SHARDS; i++)
        in_memory += w->nodes.shards[i].count;
    if (w->options.spill == NULL || in_memory < before / 64 + NODES_SHARDS)
        return false; /* there is nothing to be gained */
    w->statistics.memory_limited++;
    if (nodes_spill(&w->nodes, w->options.spill, err) != HOLOS_OK ||
        layers_spill(&w->forward, keep, w->options.spill, err) != HOLOS_OK ||
        layers_spill(&w->backward, keep, w->options.spill, err) != HOLOS_OK) {
        limits_stop(&w->limits, HOLOS_LIMIT, "the memory limit, and the rest could not be written to disk");
        return false;
    }
    w->statistics.spilled += in_memory;
    return true;
}

void holos_wave_limit(holos_wave *w, const holos_limits *limits)
{
    if (w == NULL || limits == NULL)
        return;
    w->options.limits.seconds = limits->seconds;
    w->options.limits.nodes = limits->nodes;
    w->stop.also = limits->stop;
}

double wave_deadline(const holos_wave *w)
{
    double save = w->save_by - w->save_seconds * (double)w->statistics.positions;
    return save < w->limits.deadline ? save : w->limits.deadline;
}

bool wave_go_on(holos_wave *w)
{
    struct limits *l = &w->limits;
    if (w->options.tick != NULL)
        w->options.tick(w->options.tick_context);
    l->nodes = wave_expanded(w);
    if (l->deadline < CLOCK_NEVER) {
        double last = (w->sweep_seconds + w->survey_seconds) * (double)w->statistics.positions,
               most = w->options.limits.seconds / 4;
        if (clock_wall() + (last < most ? last : most) >= wave_deadline(w))
            return limits_stop(l, HOLOS_LIMIT, LIMITS_TIME);
    }
    return limits_check(l);
}

holos_status wave_damage(holos_wave *w, holos_error *err)
{
    holos_status failure = game_failed(w->v, err);
    if (failure != HOLOS_OK)
        return failure;
    return w->known == &w->guard ? boundary_end(w->known, err) : HOLOS_OK;
}

/* ---- Seeds ------------------------------------------------------------------------------------- */

void wave_image_keep(holos_wave *w, uint64_t hash, node_at at, const void *position)
{
    _Alignas(16) unsigned char copy[IMAGES_MOST], images[IMAGES_MOST];
    size_t size = w->v->position_size, least = 0;
    memcpy(copy, position, size);
    uint32_t count =
        w->v->game->symmetries(w->v, (const holos_position *)(void *)copy, (holos_position *)(void *)images);
    for (uint32_t i = 1; i < count; i++)
        if (memcmp(images + i * size, images + least * size, size) < 0)
            least = i;
    nodes_position_change(&w->nodes, hash, at, images + least * size);
}

/* Seeds stand in the order of their priorities, and as they came. */
static void seeds_insert(holos_wave *w, wave_seed seed)
{
    size_t at = w->seed_count++;
    for (; at > 0 && w->seeds[at - 1].priority < seed.priority; at--)
        w->seeds[at] = w->seeds[at - 1];
    w->seeds[at] = seed;
}

node_at wave_reach(holos_wave *w, const holos_position *p, holos_key key, unsigned flag, unsigned depth,
                   holos_error *err)
{
    layers *l = flag == NODE_FORWARD ? &w->forward : &w->backward;
    if (depth > UINT16_MAX - 1)
        depth = UINT16_MAX - 1;
    if (layers_reach(l, depth, err) != HOLOS_OK)
        return NULL;
    bool fresh;
    /* The position itself, not an image: a seed is shown as it was asked for. */
    node_at at = nodes_insert(&w->nodes, key, nodes_hash(key), p, wave_unknown(w, flag, depth), &fresh, err);
    if (at == NULL)
        return NULL;
    wave_node n = node_load(at);
    w->statistics.positions += fresh;
    bool nearer = !fresh && flag == NODE_FORWARD && (n.flags & flag) != 0 && wave_come_nearer(w, &n, depth);
    if (fresh || (n.flags & flag) == 0 || nearer) {
        layer *to = l->at[depth];
        key_list *list = &to->lists[nodes_shard_of(nodes_hash(key))];
        if (!list_append(l, list, key)) {
            list_error(l, list, err);
            return NULL;
        }
        to->statistics.positions++;
        if (nearer) {
            node_store(at, n);
            w->layered = false;
        } else if (!fresh) {
            n.flags |= (uint8_t)flag;
            if (flag == NODE_FORWARD)
                n.depth = (uint16_t)depth;
            node_store(at, n);
            w->layered = false;
            wave_meet(w, key);
        }
    }
    return at;
}

bool wave_seeds_add(holos_wave *w, wave_seed seed)
{
    if (!LIST_RESERVE(w->seeds, w->seed_room, w->seed_count + 1))
        return false;
    seeds_insert(w, seed);
    return true;
}

void wave_seeds_clear(holos_wave *w)
{
    w->seed_count = 0;
}

void wave_seed_position(const holos_wave *w, size_t index, holos_position *out)
{
    if (w->seed_positions != NULL)
        memcpy(out, position_at(w->v, w->seed_positions, index), w->v->position_size);
    else
        wave_position(w, w->seeds[index].key, out);
}

uint32_t wave_predecessors(const holos_wave *w, const holos_position *p, holos_edges out)
{
    const holos_game *game = w->v->game;
    if (!w->scope.limited)
        return game->back->predecessors(w->v, p, out);
    return game->kinds->predecessors(w->v, p, w->scope.between, w->scope.between_count, out);
}

bool wave_is_between(const holos_wave *w, const holos_position *p)
{
    return !w->scope.limited || scope_has(&w->scope, w->v->game->kinds->of(w->v, p));
}

void wave_meet(holos_wave *w, holos_key key)
{
    w->statistics.connections++;
    list_append(&w->meeting_format, &w->meetings, key); /* if there is no memory, it is only not remembered */
}

/* Makes the node of a seed; `known` NULL: its value is not. */
static holos_status seed_reach(holos_wave *w, const holos_wave_seed *seed, holos_key key,
                               const wave_node *known, unsigned begin, holos_error *err)
{
    bool forward = seed->direction == HOLOS_WAVE_FORWARD;
    node_at at = wave_reach(w, seed->position, key, forward ? NODE_FORWARD : NODE_BACKWARD, begin, err);
    if (at == NULL)
        return HOLOS_NO_MEMORY;
    wave_node n = node_load(at);
    if (known != NULL && !node_is_solved(n)) {
        n.lo = known->lo;
        n.hi = known->hi;
        n.source = known->source;
        n.flags |= NODE_BOUNDARY;
        node_store(at, n);
        w->statistics.solved++;
    }
    wave_counts_collect(w);
    return HOLOS_OK;
}

holos_status holos_wave_add(holos_wave *w, const holos_wave_seed *seed, holos_error *err)
{
    if (w == NULL || seed == NULL)
        return error_null(err, __func__);
    if (!LIST_RESERVE(w->seeds, w->seed_room, w->seed_count + 1))
        return error_system(err, "the seeds of a wave");
    const holos_position *p = seed->position;
    bool forward = seed->direction == HOLOS_WAVE_FORWARD;
    if (!forward && (w->v->game->back == NULL || w->v->max_predecessors == 0))
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "%s cannot find predecessors, so no wave can run back", w->v->game->name);
    wave_scratch *s = &w->scratch[0];
    wave_node known = wave_unknown(w, NODE_BACKWARD, 0);
    holos_key key = w->key(w->v, p);
    bool is_known = wave_known(w, p, &known, s);
    holos_status status = wave_damage(w, err);
    if (status != HOLOS_OK)
        return status;
    if (!forward && !is_known && wave_owns(w, key)) {
        node_at there = nodes_find(&w->nodes, key);
        if (there == NULL || !node_is_solved(node_load(there)))
            return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                             "a backward wave needs a position whose value is known: a finished game, or "
                             "one that is already solved");
    }
    unsigned begin;
    status = wave_seed_where(w, seed, &begin, err);
    if (status == HOLOS_OK && wave_owns(w, key))
        status = seed_reach(w, seed, key, is_known ? &known : NULL, begin, err);
    else /* whoever owns it counts it */
        s->boundary = s->filtered = 0;
    if (status != HOLOS_OK)
        return status;
    seeds_insert(w, (wave_seed){.key = key,
                                .direction = seed->direction,
                                .mode = seed->mode,
                                .priority = seed->priority,
                                .depth = seed->depth});
    return HOLOS_OK;
}

bool holos_wave_seed_at(const holos_wave *w, size_t index, holos_wave_seed *out, holos_position *position)
{
    if (w == NULL || out == NULL || position == NULL || index >= w->seed_count)
        return false;
    const wave_seed *seed = &w->seeds[index];
    wave_seed_position(w, index, position);
    *out = (holos_wave_seed){.position = position,
                             .direction = seed->direction,
                             .mode = seed->mode,
                             .priority = seed->priority,
                             .depth = seed->depth};
    return true;
}

bool wave_is_done(const holos_wave *w)
{
    if (w->options.graph)
        return false;
    bool asked = false;
    for (size_t i = 0; i < w->seed_count; i++) {
        bool forward = w->seeds[i].direction == HOLOS_WAVE_FORWARD;
        if (forward && !node_is_solved(node_load(nodes_find(&w->nodes, w->seeds[i].key))))
            return false;
        asked |= forward;
    }
    return asked || w->seed_count == 0; /* who only runs back has no question that could be answered */
}

/* ---- Answers ----------------------------------------------------------------------------------- */

holos_value holos_wave_query(const holos_wave *w, const holos_position *position)
{
    if (w == NULL || position == NULL)
        return (holos_value){.distance = HOLOS_NO_DISTANCE};
    holos_key key = w->key(w->v, position);
    wave_node n = wave_unknown(w, NODE_FORWARD, 0);
    node_at at = nodes_find(&w->nodes, key);
    if (at != NULL && game_failed(w->v, NULL) == HOLOS_OK)
        n = node_load(at);
    return wave_value_of(w, position, n);
}

holos_value wave_value_of(const holos_wave *w, const holos_position *position, wave_node n)
{
    int32_t banked = game_banked(w->v, position);
    holos_value value = {.lo = n.lo + banked,
                         .hi = n.hi + banked,
                         .distance = HOLOS_NO_DISTANCE,
                         .conversion = HOLOS_NO_DISTANCE,
                         .source = n.source};
    const holos_search *search = w->v->game->search;
    if ((n.flags & NODE_BOUNDARY) != 0 && n.source == HOLOS_SOURCE_RULES)
        value.distance = 0;
    else if (node_is_solved(n) && search != NULL && search->distance != NULL)
        value.distance = search->distance(w->v, position, value.lo);
    return value;
}

bool holos_wave_guess(const holos_wave *w, const holos_position *position, holos_guess *out)
{
    if (w == NULL || position == NULL || out == NULL)
        return false;
    *out = (holos_guess){0};
    node_at at = nodes_find(&w->nodes, w->key(w->v, position));
    if (at == NULL || game_failed(w->v, NULL) != HOLOS_OK)
        return false;
    return wave_guess_of(w, position, node_load(at), out);
}

bool wave_guess_of(const holos_wave *w, const holos_position *position, wave_node n, holos_guess *out)
{
    int16_t value;
    if (node_is_solved(n) || (n.flags & NODE_CONJECTURE) == 0 || !classes_opinion(w, position, &value) ||
        value < n.lo || value > n.hi)
        return false;
    *out = (holos_guess){.value = value + game_banked(w->v, position),
                         .source = HOLOS_SOURCE_CONJECTURE,
                         .confirmed = w->statistics.equiv_confirmed,
                         .refuted = w->statistics.equiv_refuted};
    return true;
}

void holos_wave_statistics_get(const holos_wave *w, holos_wave_statistics *out)
{
    if (w == NULL || out == NULL)
        return;
    *out = w->statistics;
    out->bytes = atomic_load_explicit(&w->budget->peak, memory_order_relaxed);
}

size_t holos_wave_depth(const holos_wave *w)
{
    if (w == NULL)
        return 0;
    unsigned depth = w->forward.depth;
    while (depth > 0 && w->forward.at[depth - 1]->statistics.positions == 0)
        depth--;
    return depth;
}

holos_wave_layer holos_wave_layer_at(const holos_wave *w, size_t depth)
{
    if (w == NULL)
        return (holos_wave_layer){0};
    return depth < w->forward.depth ? w->forward.at[depth]->statistics : (holos_wave_layer){0};
}
