/* SPDX-License-Identifier: MIT */

/* The backward wave: from positions of known value to those that lead to them. A predecessor joins if the
 * values of its successors solve it, or tell more of it than the game does without search. One that nothing
 * can be said of is left out: it would only be a place to begin a forward wave from. */

#include "engine/wave/round.h"

/* What is known of a predecessor: as a node, or from the game alone. */
static wave_node predecessor_node(const holos_wave *w, const holos_position *p, holos_key key)
{
    node_at at = nodes_find(&w->nodes, key);
    if (at != NULL)
        return node_load(at);
    wave_node n = wave_unknown(w, NODE_BACKWARD, round_depth(w));
    wave_bound(w, p, &n);
    return n;
}

static void backward_look(holos_wave *w, holos_key key, node_at at, round_sink *sink)
{
    wave_scratch *s = sink->scratch;
    wave_node n = node_load(at);
    if ((n.flags & NODE_RETRACED) != 0)
        return;
    wave_position(w, key, s->position);
    uint32_t count = wave_predecessors(w, s->position, s->predecessors);
    for (uint32_t i = 0; i < count; i++) {
        const holos_position *p = position_at(w->v, s->predecessors.positions, i);
        holos_key before = w->key(w->v, p);
        wave_node value = predecessor_node(w, p, before);
        bool joins = false;
        if (!node_is_solved(value)) {
            joins = wave_value_by(w, s->predecessors.edges[i], n, &value);
            joins |= !node_is_solved(value) && wave_value_hasty(w, p, &value, s);
        } else {
            joins = (value.flags & NODE_BACKWARD) == 0 || nodes_find(&w->nodes, before) == NULL;
        }
        if (joins)
            round_emit(w, sink, before, value, p);
    }
    n.flags |= NODE_RETRACED;
    node_store(at, n);
    s->expanded++;
}

static bool backward_take(holos_wave *w, const round_entry *entry, key_list *list, shard_result *out)
{
    bool fresh;
    wave_node value = entry->value;
    value.flags = NODE_BACKWARD;
    value.depth = (uint16_t)round_depth(w);
    node_at at =
        nodes_insert(&w->nodes, entry->key, entry->hash, entry->position, value, &fresh, &out->error);
    if (at == NULL)
        return false;
    if (fresh) {
        out->fresh++;
        out->solved += node_is_solved(value);
        return list_append(&w->backward, list, entry->key);
    }
    wave_node n = node_load(at);
    bool was_solved = node_is_solved(n), was_backward = (n.flags & NODE_BACKWARD) != 0;
    bool narrowed = node_narrow(w, &n, value.lo, value.hi);
    if (was_backward && !narrowed) {
        out->duplicates++;
        return true;
    }
    n.flags |= NODE_BACKWARD;
    n.flags &= (uint8_t)~NODE_RETRACED; /* it has news for its predecessors */
    out->solved += !was_solved && node_is_solved(n);
    node_store(at, n);
    bool kept = list_append(&w->backward, list, entry->key);
    if (!was_backward && (n.flags & NODE_FORWARD) != 0)
        kept &= list_append(&w->backward, &out->meetings, entry->key);
    return kept;
}

static const round_kind backward_kind = {
    .flag = NODE_BACKWARD, .done = NODE_RETRACED, .look = backward_look, .take = backward_take};

bool wave_retrace_layer(holos_wave *w, unsigned depth, holos_error *err)
{
    return round_layer(w, &backward_kind, depth, err);
}
