/* SPDX-License-Identifier: MIT */

#include "engine/wave/frames.h"

wave_frame *frame_at(holos_wave *w, unsigned depth)
{
    if (depth >= FRAMES_MOST)
        return NULL;
    if (w->frames == NULL) {
        w->frames = arena_alloc(&w->memory, FRAMES_MOST * sizeof(wave_frame));
        if (w->frames == NULL)
            return NULL;
    }
    for (; w->frame_count <= depth; w->frame_count++) {
        wave_frame f = {.position = arena_alloc(&w->memory, w->v->position_size)};
        size_t most = w->v->max_successors;
        if (w->has_back && w->v->max_predecessors > most)
            most = w->v->max_predecessors;
        f.order = arena_alloc(&w->memory, most * sizeof *f.order);
        if (f.position == NULL || f.order == NULL ||
            !wave_edges_make(w, &f.successors, w->v->max_successors, 1) ||
            (w->has_back && !wave_edges_make(w, &f.predecessors, w->v->max_predecessors, 1)))
            return NULL;
        w->frames[w->frame_count] = f;
    }
    return &w->frames[depth];
}

bool wave_keys_add(holos_wave *w, wave_keys *list, holos_key key)
{
    if (list->count == list->room) {
        size_t room = list->room * 2 + 64;
        holos_key *keys = mem_resize(w->budget, list->keys, list->room * sizeof *keys, room * sizeof *keys);
        if (keys == NULL)
            return false;
        list->keys = keys;
        list->room = room;
    }
    list->keys[list->count++] = key;
    return true;
}

void wave_keys_free(holos_wave *w, wave_keys *list)
{
    mem_free(w->budget, list->keys, list->room * sizeof *list->keys);
}

static uint32_t keys_fill(holos_wave *w, holos_edges *out, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        out->keys[i] = w->key(w->v, position_at(w->v, out->positions, i));
    w->statistics.generated += count;
    return count;
}

uint32_t frame_expand(holos_wave *w, wave_frame *f, holos_key key)
{
    wave_position(w, key, f->position);
    return keys_fill(w, &f->successors, w->expand(w->v, f->position, f->successors));
}

uint32_t frame_retrace(holos_wave *w, wave_frame *f, holos_key key)
{
    wave_position(w, key, f->position);
    return keys_fill(w, &f->predecessors, wave_predecessors(w, f->position, f->predecessors));
}

/* Sorts by the game's order, best first; where it is equal, as they came. */
static void order_sort(uint32_t *order, const holos_edge *edges, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t moved = order[i], k = i;
        for (; k > 0 && edges[order[k - 1]].order < edges[moved].order; k--)
            order[k] = order[k - 1];
        order[k] = moved;
    }
}

uint32_t frame_forcing(wave_frame *f, const holos_edge *edges, uint32_t count)
{
    uint32_t forcing = 0, best = 0;
    for (uint32_t i = 0; i < count; i++) {
        if ((edges[i].flags & HOLOS_EDGE_FORCING) != 0)
            f->order[forcing++] = i;
        if (edges[i].order > edges[best].order)
            best = i;
    }
    if (forcing == 0 && count > 0)
        f->order[forcing++] = best;
    order_sort(f->order, edges, forcing);
    return forcing;
}

wave_node frame_settle(holos_wave *w, wave_frame *f, node_at at)
{
    wave_node n = node_load(at), before = n;
    if (node_is_solved(n) || (n.flags & NODE_MISSED) != 0)
        return n;
    if (!wave_known(w, f->position, &n, &w->scratch[0]))
        wave_bound(w, f->position, &n);
    wave_counts_collect(w);
    wave_update(w, f->position, at, before, n);
    return n;
}
