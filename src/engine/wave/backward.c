/* SPDX-License-Identifier: MIT */

/* The backward wave: from positions of known value to those that lead to them. A predecessor joins if the
 * values of its successors solve it, or tell more of it than the game does without search. One that nothing
 * can be said of is left out: it would only be a place to begin a forward wave from.
 *
 * Who joins depends on what was known when a round began, and each of a layer's rounds sees what those before it found. So
 * layers are in order, and rounds have a size that depends on nothing else (round_positions): several processes
 * that share a wave make the same ones. */

#include "engine/wave/round.h"

wave_node wave_predecessor(const holos_wave *w, const holos_position *p, holos_key key, node_at *at)
{
    *at = nodes_find(&w->nodes, key);
    if (*at != NULL)
        return node_load(*at);
    wave_node n = wave_unknown(w, NODE_BACKWARD, 0);
    wave_bound(w, p, &n);
    return n;
}

bool wave_joins(const holos_wave *w, const holos_position *p, holos_key key, holos_edge edge, wave_node child,
                node_at *at, wave_node *value, wave_scratch *s)
{
    *value = wave_predecessor(w, p, key, at);
    if (node_is_solved(*value))
        return wave_joins_solved(*value, *at != NULL);
    bool joins = wave_value_by(w, edge, child, value);
    joins |= !node_is_solved(*value) && wave_value_hasty(w, p, value, s);
    return joins;
}

static void backward_look(holos_wave *w, holos_key key, node_at at, round_sink *sink)
{
    wave_scratch *s = sink->scratch;
    wave_node n = node_load(at);
    uint32_t count = wave_look_back(w, key, at, s);
    for (uint32_t i = 0; i < count; i++) {
        const holos_position *p = position_at(w->v, s->predecessors.positions, i);
        holos_key before = w->key(w->v, p);
        node_at there;
        wave_node value;
        if (wave_joins(w, p, before, s->predecessors.edges[i], n, &there, &value, s))
            round_emit(w, sink, before, value, p);
    }
}

uint32_t wave_look_back(holos_wave *w, holos_key key, node_at at, wave_scratch *s)
{
    wave_node n = node_load(at);
    if ((n.flags & NODE_RETRACED) != 0)
        return 0;
    n.flags |= NODE_RETRACED;
    node_store(at, n);
    s->expanded++;
    wave_position(w, key, s->position);
    holos_edges out = {.edges = s->predecessors.edges, .positions = s->predecessors.positions, .bare = true};
    return wave_predecessors(w, s->position, out);
}

bool wave_take_back(holos_wave *w, const round_entry *entry, unsigned depth, key_list *list,
                    shard_result *out)
{
    bool fresh;
    wave_node value = entry->value;
    value.flags = NODE_BACKWARD;
    value.depth = (uint16_t)depth;
    node_at at = wave_insert(w, entry->key, entry->hash, entry->position, value, &fresh, &out->error);
    if (at == NULL)
        return false;
    if (fresh) {
        out->fresh++;
        out->solved += node_is_solved(value);
        return list_append(&w->backward, list, entry->key);
    }
    wave_node n = node_load(at);
    bool was_solved = node_is_solved(n), was_backward = (n.flags & NODE_BACKWARD) != 0;
    bool waits = was_backward && (n.flags & NODE_RETRACED) == 0; /* it is in a list */
    bool narrowed = node_narrow(w, &n, value.lo, value.hi);
    if (was_backward && !narrowed) {
        out->duplicates++;
        return true;
    }
    n.flags |= NODE_BACKWARD;
    n.flags &= (uint8_t)~NODE_RETRACED; /* it has news for its predecessors */
    out->solved += !was_solved && node_is_solved(n);
    node_store(at, n);
    bool kept = waits || list_append(&w->backward, list, entry->key);
    if (!was_backward && (n.flags & NODE_FORWARD) != 0)
        kept &= list_append(&w->backward, &out->meetings, entry->key);
    return kept;
}

static bool backward_take(holos_wave *w, const round_entry *entry, key_list *list, shard_result *out)
{
    return wave_take_back(w, entry, round_depth(w), list, out);
}

static const round_kind backward_kind = {
    .flag = NODE_BACKWARD, .done = NODE_RETRACED, .look = backward_look, .take = backward_take};

bool wave_retrace_layer(holos_wave *w, unsigned depth, holos_error *err)
{
    return round_layer(w, &backward_kind, depth, err);
}
