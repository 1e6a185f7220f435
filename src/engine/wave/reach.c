/* SPDX-License-Identifier: MIT */

/* How far seeds go. Each may have a depth of its own. Waves work through layers, and all end at the same one: so a seed
 * that goes less far than another begins at a later layer. Then the first wave to come to a position is the one that
 * goes on the farthest from it, as in a wave from one seed. */

#include "engine/wave/wave.h"

bool wave_is_seed(const holos_wave *w, holos_key key)
{
    for (size_t i = 0; i < w->seed_count; i++)
        if (w->seeds[i].direction == HOLOS_WAVE_FORWARD && holos_key_equal(w->seeds[i].key, key))
            return true;
    return false;
}

static unsigned depth_option(const holos_wave *w, holos_wave_direction direction)
{
    return direction == HOLOS_WAVE_FORWARD ? w->options.forward_depth : w->options.backward_depth;
}

void wave_reach_reset(holos_wave *w)
{
    w->reach[HOLOS_WAVE_FORWARD] = w->options.forward_depth;
    w->reach[HOLOS_WAVE_BACKWARD] = w->options.backward_depth;
    w->reach_decided = false;
}

/* The layer at which a seed that goes so far begins. */
static unsigned seed_layer(unsigned reach, unsigned depth)
{
    return depth != 0 && depth < reach ? reach - depth : 0;
}

static holos_status reach_decide(holos_wave *w, holos_wave_direction direction, holos_error *err)
{
    unsigned deepest = 0;
    bool endless = false;
    for (size_t i = 0; i < w->seed_count; i++)
        if (w->seeds[i].direction == direction) {
            endless |= w->seeds[i].depth == 0;
            deepest = w->seeds[i].depth > deepest ? w->seeds[i].depth : deepest;
        }
    w->reach[direction] = depth_option(w, direction);
    if (w->reach[direction] != 0 || deepest == 0)
        return HOLOS_OK;
    if (endless)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "one seed has its own depth and another has none, so the wave needs a depth limit");
    w->reach[direction] = deepest;
    return HOLOS_OK;
}

/* All seeds of a direction leave the first layer for those where they begin. */
static holos_status seeds_spread(holos_wave *w, holos_wave_direction direction, holos_error *err)
{
    bool forward = direction == HOLOS_WAVE_FORWARD;
    layers *l = forward ? &w->forward : &w->backward;
    for (unsigned i = 0; l->depth > 0 && i < NODES_SHARDS; i++)
        l->at[0]->lists[i].count = 0;
    if (l->depth > 0)
        l->at[0]->statistics.positions = 0;
    for (size_t i = 0; i < w->seed_count; i++) {
        const wave_seed *seed = &w->seeds[i];
        unsigned begin = seed_layer(w->reach[direction], seed->depth);
        if (seed->direction != direction || !wave_owns(w, seed->key))
            continue;
        holos_status status = layers_reach(l, begin, err);
        if (status != HOLOS_OK)
            return status;
        key_list *list = &l->at[begin]->lists[nodes_shard_of(nodes_hash(seed->key))];
        if (!list_append(l, list, seed->key))
            return list_error(l, list, err);
        l->at[begin]->statistics.positions++;
    }
    /* Seeds that are the same position go as far as the deepest of them: a first pass forgets, a second one tells. */
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < w->seed_count; i++) {
            node_at at = nodes_find(&w->nodes, w->seeds[i].key);
            if (at == NULL)
                continue; /* another process has it */
            wave_node n = node_load(at);
            if (w->seeds[i].direction != direction || (!forward && (n.flags & NODE_FORWARD) != 0))
                continue;
            unsigned begin = seed_layer(w->reach[direction], w->seeds[i].depth);
            n.depth = pass == 0 ? UINT16_MAX : begin < n.depth ? (uint16_t)begin : n.depth;
            node_store(at, n);
        }
    return HOLOS_OK;
}

static const holos_wave_direction directions[] = {HOLOS_WAVE_FORWARD, HOLOS_WAVE_BACKWARD};

void wave_seeds_loaded(holos_wave *w)
{
    for (unsigned i = 0; i < 2; i++)
        if (reach_decide(w, directions[i], NULL) != HOLOS_OK)
            w->reach[directions[i]] = 0;
    w->reach_decided = true;
}

holos_status wave_seeds_place(holos_wave *w, holos_error *err)
{
    if (w->reach_decided)
        return HOLOS_OK;
    for (unsigned i = 0; i < 2; i++) {
        holos_status status = reach_decide(w, directions[i], err);
        if (status == HOLOS_OK && depth_option(w, directions[i]) == 0 && w->reach[directions[i]] != 0)
            status = seeds_spread(w, directions[i], err);
        if (status != HOLOS_OK)
            return status;
    }
    w->reach_decided = true;
    return HOLOS_OK;
}

holos_status wave_seed_where(const holos_wave *w, const holos_wave_seed *seed, unsigned *begin,
                             holos_error *err)
{
    unsigned reach = w->reach[seed->direction];
    *begin = seed_layer(reach, seed->depth);
    if (!w->reach_decided || seed->depth <= reach)
        return HOLOS_OK;
    if (reach == 0)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "the wave has run without a depth limit, so a new seed cannot have its own depth");
    if (depth_option(w, seed->direction) != 0)
        return HOLOS_OK;
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                     "the wave has run with seeds that go %u steps: a new one cannot go %u", reach,
                     seed->depth);
}

static unsigned layer_limit(unsigned reach)
{
    return reach != 0 && reach < UINT16_MAX - 1 ? reach : UINT16_MAX - 1;
}

unsigned wave_forward_limit(const holos_wave *w)
{
    unsigned limit = layer_limit(w->reach[HOLOS_WAVE_FORWARD]);
    return w->layer_cap != 0 && w->layer_cap < limit ? w->layer_cap : limit;
}

unsigned wave_backward_limit(const holos_wave *w)
{
    return w->has_back ? layer_limit(w->reach[HOLOS_WAVE_BACKWARD]) : 0;
}
