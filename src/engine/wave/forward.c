/* SPDX-License-Identifier: MIT */

/* The forward wave: a layer's successors are the next layer. */

#include "engine/wave/edges.h"

/* Expands a position into the scratch; returns the number of successors. */
static uint32_t position_expand(const holos_wave *w, const holos_position *p, wave_scratch *s)
{
    holos_edges out = s->successors;
    if (!w->scope.limited && w->edges == NULL)
        out.edges = NULL; /* which moves lead there is of no interest here */
    out.bare = !w->scope.limited;
    bool folded = w->key == w->v->game->key;
    if (folded && w->nodes.position_size == 0)
        out.positions = NULL;
    if (!folded)
        out.keys = NULL;
    uint32_t count = w->expand(w->v, p, out);
    for (uint32_t i = 0; !folded && i < count; i++)
        s->successors.keys[i] = w->key(w->v, position_at(w->v, out.positions, i));
    return count;
}

/* What must be known of a position before it is expanded; false if it need not be. */
static bool node_prepare(const holos_wave *w, node_at at, const holos_position *p, wave_scratch *s)
{
    wave_node n = node_load(at);
    if (w->options.graph)
        return (n.flags & NODE_EXPANDED) == 0;
    if ((n.flags & (NODE_EXPANDED | NODE_MISSED)) != 0 || node_is_solved(n))
        return false;
    if (!wave_known(w, p, &n, s))
        wave_bound(w, p, &n);
    s->solved += node_is_solved(n);
    node_store(at, n);
    return !node_is_solved(n) && (n.flags & NODE_MISSED) == 0;
}

/* Whether a move that leaves what lies between the seeds and the boundary, or a forcing one, decides the position at once:
 * then its other successors need not be reached. */
static bool position_decide(const holos_wave *w, node_at at, uint32_t count, wave_scratch *s)
{
    wave_node n = node_load(at);
    for (uint32_t i = 0; i < count && !node_is_solved(n); i++) {
        const holos_position *next = position_at(w->v, s->successors.positions, i);
        wave_node known = wave_unknown(w, NODE_FORWARD, 0);
        bool forcing = (s->successors.edges[i].flags & HOLOS_EDGE_FORCING) != 0;
        if ((forcing || !wave_is_between(w, next)) && wave_known(w, next, &known, s))
            wave_value_by(w, s->successors.edges[i], known, &n);
    }
    if (!node_is_solved(n))
        return false;
    s->solved++;
    node_store(at, n);
    return true;
}

uint32_t wave_look(holos_wave *w, holos_key key, node_at at, wave_scratch *s)
{
    wave_position(w, key, s->position);
    if (at != NULL && !node_prepare(w, at, s->position, s))
        return 0;
    uint32_t count = position_expand(w, s->position, s);
    s->expanded++;
    if (w->scope.limited && w->nodes.position_size > 0 && position_decide(w, at, count, s))
        return 0;
    if (at == NULL)
        return count;
    wave_node n = node_load(at);
    n.flags |= NODE_EXPANDED;
    node_store(at, n);
    return count;
}

static void forward_look(holos_wave *w, holos_key key, node_at at, round_sink *sink)
{
    wave_scratch *s = sink->scratch;
    uint64_t expanded = s->expanded;
    uint32_t count = wave_look(w, key, at, s);
    if (sink->said != NULL && s->expanded > expanded)
        edges_look(w, sink->said, s, count);
    for (uint32_t i = 0; i < count; i++)
        round_emit(w, sink, s->successors.keys[i], (wave_node){0},
                   position_at(w->v, s->successors.positions, i));
}

/* Where edges are recorded: the entry becomes the number of its node. */
static bool numbered_take(holos_wave *w, const round_entry *entry, key_list *list, shard_result *out)
{
    bool fresh;
    uint32_t number = edges_number(w->edges, nodes_shard_of(entry->hash), list->count);
    node_at at = nodes_insert(&w->nodes, entry->key, entry->hash, entry->position,
                              node_numbered(entry->value, number), &fresh, &out->error);
    if (at == NULL)
        return false;
    wave_node n = node_load(at);
    *entry->words = node_number(n);
    out->duplicates += !fresh;
    out->crossing += n.depth != entry->value.depth;
    out->fresh += fresh;
    return !fresh || list_append(&w->forward, list, entry->key);
}

bool wave_take(holos_wave *w, const round_entry *entry, key_list *list, shard_result *out)
{
    if (w->edges != NULL)
        return numbered_take(w, entry, list, out);
    bool fresh;
    node_at at = wave_insert(w, entry->key, entry->hash, entry->position, entry->value, &fresh, &out->error);
    if (at == NULL)
        return false;
    if (fresh) {
        out->fresh++;
        return list_append(&w->forward, list, entry->key);
    }
    wave_node n = node_load(at);
    if ((n.flags & NODE_FORWARD) != 0) {
        out->duplicates++;
        out->crossing += n.depth != entry->value.depth && !node_is_solved(n);
        if (!wave_come_nearer(w, &n, entry->value.depth))
            return true;
        node_store(at, n);
        return list_append(&w->forward, list, entry->key);
    }
    n.flags |= NODE_FORWARD;
    n.depth = entry->value.depth;
    node_store(at, n);
    out->crossing += !node_is_solved(n);
    return list_append(&w->forward, list, entry->key) && list_append(&w->forward, &out->meetings, entry->key);
}

static const round_kind forward_kind = {
    .flag = NODE_FORWARD, .done = NODE_EXPANDED, .look = forward_look, .take = wave_take};

bool wave_expand_layer(holos_wave *w, unsigned depth, holos_error *err)
{
    return round_layer(w, &forward_kind, depth, err);
}
