/* SPDX-License-Identifier: MIT */

/* Changing one node at a time: what lightning, crystal and osmosis share. */

#include "engine/wave/classes.h"
#include "engine/wave/frames.h"

void wave_counts_collect(holos_wave *w)
{
    wave_scratch *s = &w->scratch[0];
    w->statistics.boundary += s->boundary;
    w->statistics.goal_filtered += s->filtered;
    w->statistics.recomputed += s->recomputed;
    s->boundary = s->filtered = s->recomputed = 0;
}

void wave_update(holos_wave *w, const holos_position *p, node_at at, wave_node before, wave_node n)
{
    if (node_is_solved(n) && !node_is_solved(before)) {
        w->statistics.solved++;
        w->statistics.minimax_solved += (n.flags & NODE_BOUNDARY) == 0;
        classes_prove(w, p, &n);
    }
    node_store(at, n);
}

wave_node wave_recompute(holos_wave *w, holos_key key, wave_frame *f)
{
    node_at at = nodes_find(&w->nodes, key);
    wave_node before = node_load(at), n = before;
    if (node_is_solved(n) || (n.flags & NODE_MISSED) != 0)
        return n;
    wave_value(w, f->position, &n, &w->scratch[0]);
    wave_counts_collect(w);
    wave_update(w, f->position, at, before, n);
    return n;
}

node_at wave_join(holos_wave *w, const holos_position *p, holos_key key, holos_edge edge, wave_node child,
                  unsigned depth, bool *joined, holos_error *err)
{
    node_at at;
    wave_node n;
    *joined = wave_joins(w, p, key, edge, child, &at, &n, &w->scratch[0]);
    wave_counts_collect(w);
    if (!*joined)
        return at;
    wave_node before = at != NULL ? node_load(at) : wave_unknown(w, NODE_BACKWARD, depth);
    at = wave_reach(w, p, key, NODE_BACKWARD, depth, err);
    if (at == NULL) {
        limits_stop_memory(&w->limits);
        return NULL;
    }
    n.flags = (uint8_t)(node_load(at).flags & ~NODE_RETRACED);
    n.depth = node_load(at).depth;
    wave_update(w, p, at, before, n);
    return at;
}

/* ---- Values flow back -------------------------------------------------------------------------- */

void wave_flow(holos_wave *w, holos_key from, void (*changed)(holos_wave *w, holos_key key))
{
    wave_frame *f = frame_at(w, FRAME_FLOW);
    wave_keys q = {0};
    if (!w->has_back || f == NULL || !wave_keys_add(w, &q, from))
        return;
    while (q.count > 0) {
        holos_key key = q.keys[--q.count];
        uint32_t count = frame_retrace(w, f, key);
        for (uint32_t i = 0; i < count; i++) {
            node_at at = nodes_find(&w->nodes, f->predecessors.keys[i]);
            if (at == NULL)
                continue;
            wave_node before = node_load(at), n = before;
            if (node_is_solved(n) || (n.flags & NODE_MISSED) != 0)
                continue;
            const holos_position *p = position_at(w->v, f->predecessors.positions, i);
            if (!wave_value(w, p, &n, &w->scratch[0]))
                continue;
            wave_update(w, p, at, before, n);
            if (changed != NULL)
                changed(w, f->predecessors.keys[i]);
            if (!wave_keys_add(w, &q, f->predecessors.keys[i]))
                break; /* the next sweep does it */
        }
    }
    wave_counts_collect(w);
    wave_keys_free(w, &q);
}
