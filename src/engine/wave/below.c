/* SPDX-License-Identifier: MIT */

/* Values flow to the seeds of a question, through what lies below them and nothing else. A solver that asks a wave again and
 * again pays for each question alone: a sweep would pass over all that earlier ones have reached. */

#include "engine/wave/frames.h"

#include "core/table.h"

#define LOOK_NODES 1024 /* between two looks at the clock */

typedef struct below {
    holos_wave *w;
    table seen;
    wave_keys order; /* open positions, each after those that it was found from */
    bool whole;      /* all of them have been expanded */
    bool cut;
} below;

static bool below_is_cut(below *b, size_t step)
{
    if (step % LOOK_NODES == 0 && wave_sweep_is_cut(b->w))
        b->cut = true;
    return b->cut;
}

/* Adds a position if it is a node, open and new. False: no memory. */
static bool below_add(below *b, holos_key key)
{
    node_at at = nodes_find(&b->w->nodes, key);
    bool fresh;
    if (at == NULL || node_is_solved(node_load(at)))
        return true;
    if (table_insert(&b->seen, key, &fresh) == NULL)
        return false;
    return !fresh || wave_keys_add(b->w, &b->order, key);
}

/* Breadth first from the seeds. False: no memory, or no time. */
static bool below_find(below *b)
{
    holos_wave *w = b->w;
    wave_frame *f = frame_at(w, FRAME_FLOW);
    bool going = f != NULL;
    for (size_t i = 0; going && i < w->seed_count; i++)
        if (w->seeds[i].direction == HOLOS_WAVE_FORWARD)
            going = below_add(b, w->seeds[i].key);
    b->whole = true;
    for (size_t i = 0; going && i < b->order.count && !below_is_cut(b, i); i++) {
        if ((node_load(nodes_find(&w->nodes, b->order.keys[i])).flags & NODE_EXPANDED) == 0) {
            b->whole = false;
            continue;
        }
        uint32_t count = frame_expand(w, f, b->order.keys[i]);
        for (uint32_t k = 0; going && k < count; k++)
            going = below_add(b, f->successors.keys[k]);
    }
    return going && !b->cut;
}

/* From the last to the first; returns how many intervals changed. */
static uint64_t below_pass(below *b)
{
    holos_wave *w = b->w;
    wave_frame *f = frame_at(w, FRAME_FLOW);
    uint64_t changed = 0;
    for (size_t i = b->order.count; i-- > 0 && !below_is_cut(b, i);) {
        holos_key key = b->order.keys[i];
        wave_node before = node_load(nodes_find(&w->nodes, key));
        if (node_is_solved(before) || (before.flags & NODE_EXPANDED) == 0)
            continue;
        wave_position(w, key, f->position);
        wave_node n = wave_recompute(w, key, f);
        changed += n.lo != before.lo || n.hi != before.hi;
    }
    w->statistics.sweeps++;
    return changed;
}

/* What nobody can decide in a closed region. */
static void below_settle(below *b)
{
    holos_wave *w = b->w;
    for (size_t i = 0; i < b->order.count; i++) {
        node_at at = nodes_find(&w->nodes, b->order.keys[i]);
        wave_node n = node_load(at);
        if (!node_is_solved(n) && (n.flags & NODE_MISSED) == 0)
            wave_settle_draw(w, at, n);
    }
}

bool wave_sweep_below(holos_wave *w)
{
    double began = clock_wall();
    below b = {.w = w};
    if (table_init(&b.seen, w->budget, sizeof(uint64_t), 64, NULL) != HOLOS_OK)
        return false;
    bool found = below_find(&b);
    while (found && below_pass(&b) > 0 && !b.cut)
        ;
    if (found && !b.cut && b.whole && wave_may_settle(w))
        below_settle(&b);
    table_free(&b.seen);
    wave_keys_free(w, &b.order);
    w->swept_positions = w->statistics.positions;
    w->statistics.propagation_seconds += clock_wall() - began;
    return found && !b.cut;
}
