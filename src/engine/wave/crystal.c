/* SPDX-License-Identifier: MIT */

/* Crystal: growth from where something is known. Around each of the last meeting points a few layers are laid,
 * forward and back; then along the front, where positions that are not solved have successors that are: those
 * with the fewest successors open come first. */

#include "engine/wave/frames.h"

#include <stdlib.h>

#define FRONT_MOST 4096 /* positions of the front that are worked on at a time */

/* Expands a node unless it has been; its new successors join the growth. False: no memory, or a limit. */
static bool grow_forward(holos_wave *w, holos_key key, wave_keys *g, holos_error *err)
{
    wave_frame *f = frame_at(w, FRAME_STEP);
    if (f == NULL)
        return false;
    wave_position(w, key, f->position);
    wave_node n = frame_settle(w, f, nodes_find(&w->nodes, key));
    if (node_is_solved(n) || (n.flags & (NODE_EXPANDED | NODE_MISSED)) != 0 ||
        n.depth >= wave_forward_limit(w))
        return true;
    uint32_t count = frame_expand(w, f, key);
    for (uint32_t i = 0; i < count; i++) {
        bool there = nodes_find(&w->nodes, f->successors.keys[i]) != NULL;
        const holos_position *p = position_at(w->v, f->successors.positions, i);
        if (wave_reach(w, p, f->successors.keys[i], NODE_FORWARD, n.depth + 1u, err) == NULL)
            return false;
        if (!there && !wave_keys_add(w, g, f->successors.keys[i]))
            return false;
    }
    node_at at = nodes_find(&w->nodes, key);
    n = node_load(at);
    n.flags |= NODE_EXPANDED;
    node_store(at, n);
    w->layered = false;
    w->statistics.forward_expanded++;
    return true;
}

static bool grow_backward(holos_wave *w, holos_key key, wave_keys *g, holos_error *err)
{
    wave_node n = node_load(nodes_find(&w->nodes, key));
    wave_frame *f = frame_at(w, FRAME_STEP);
    if (f == NULL)
        return false;
    if (!w->has_back || !node_is_solved(n) || (n.flags & NODE_RETRACED) != 0)
        return true;
    uint32_t count = frame_retrace(w, f, key);
    for (uint32_t i = 0; i < count; i++) {
        bool joined;
        const holos_position *p = position_at(w->v, f->predecessors.positions, i);
        wave_join(w, p, f->predecessors.keys[i], f->predecessors.edges[i], n, 1, &joined, err);
        if (!limits_go_on(&w->limits) || (joined && !wave_keys_add(w, g, f->predecessors.keys[i])))
            return false;
    }
    node_at at = nodes_find(&w->nodes, key);
    n = node_load(at);
    n.flags |= NODE_RETRACED;
    node_store(at, n);
    w->statistics.backward_expanded++;
    return true;
}

/* Settles and values what has grown, the last first, and lets what changed flow on. */
static void growth_settle(holos_wave *w, const wave_keys *g)
{
    wave_frame *f = frame_at(w, FRAME_BELOW);
    for (size_t i = g->count; f != NULL && i-- > 0;) {
        wave_position(w, g->keys[i], f->position);
        wave_node before = node_load(nodes_find(&w->nodes, g->keys[i]));
        frame_settle(w, f, nodes_find(&w->nodes, g->keys[i]));
        wave_node n = wave_recompute(w, g->keys[i], f);
        if (n.lo != before.lo || n.hi != before.hi)
            wave_flow(w, g->keys[i], NULL);
    }
}

/* A few layers around a position. */
static bool crystal_point(holos_wave *w, holos_key key, unsigned layer_count, holos_error *err)
{
    wave_keys g = {0};
    bool going = wave_keys_add(w, &g, key);
    size_t begin = 0;
    for (unsigned i = 0; going && i < layer_count; i++) {
        size_t end = g.count;
        for (; going && begin < end; begin++)
            going = wave_go_on(w) && grow_forward(w, g.keys[begin], &g, err) &&
                    grow_backward(w, g.keys[begin], &g, err);
    }
    growth_settle(w, &g);
    wave_keys_free(w, &g);
    return going;
}

/* ---- The front --------------------------------------------------------------------------------- */

typedef struct front_point {
    holos_key key;
    uint32_t open; /* successors that are not solved */
} front_point;

static int front_compare(const void *a, const void *b)
{
    const front_point *x = a, *y = b;
    if (x->open != y->open)
        return x->open < y->open ? -1 : 1;
    return holos_key_equal(x->key, y->key) ? 0 : holos_key_less(x->key, y->key) ? -1 : 1;
}

static uint32_t successors_open(holos_wave *w, holos_key key, uint32_t *count)
{
    wave_frame *f = frame_at(w, FRAME_STEP);
    uint32_t open = 0;
    *count = frame_expand(w, f, key);
    for (uint32_t i = 0; i < *count; i++) {
        node_at at = nodes_find(&w->nodes, f->successors.keys[i]);
        open += at == NULL || !node_is_solved(node_load(at));
    }
    return open;
}

/* The positions where what is solved ends, those nearest to being solved first: at most `most`, from where the last
 * search stopped, since looking at all layers each time would take longer than the growth. */
static size_t front_find(holos_wave *w, front_point *points, size_t most)
{
    size_t found = 0;
    holos_key key;
    while (found < most && layers_next(&w->forward, &w->crystal_front, &key)) {
        wave_node n = node_load(nodes_find(&w->nodes, key));
        if (node_is_solved(n) || (n.flags & NODE_EXPANDED) == 0)
            continue;
        uint32_t count, open = successors_open(w, key, &count);
        if (open < count)
            points[found++] = (front_point){key, open};
    }
    qsort(points, found, sizeof *points, front_compare);
    return found;
}

/* Expands what is still open below a position of the front. */
static bool front_grow(holos_wave *w, holos_key key, holos_error *err)
{
    wave_frame *above = frame_at(w, FRAME_ABOVE);
    if (above == NULL)
        return false;
    wave_keys g = {0};
    uint32_t count = frame_expand(w, above, key);
    bool going = wave_keys_add(w, &g, key);
    for (uint32_t i = 0; going && i < count; i++) {
        holos_key child = above->successors.keys[i];
        node_at at = nodes_find(&w->nodes, child);
        if (at == NULL || node_is_solved(node_load(at)))
            continue;
        going = wave_go_on(w) && wave_keys_add(w, &g, child) && grow_forward(w, child, &g, err);
    }
    growth_settle(w, &g);
    wave_keys_free(w, &g);
    return going;
}

static bool crystal_front(holos_wave *w, size_t most, holos_error *err)
{
    if (most > FRONT_MOST)
        most = FRONT_MOST;
    front_point *points = mem_alloc(w->budget, most * sizeof *points);
    if (points == NULL || frame_at(w, FRAME_ABOVE) == NULL) {
        mem_free(w->budget, points, most * sizeof *points);
        return false;
    }
    size_t count = front_find(w, points, most);
    bool going = true;
    for (size_t i = 0; going && i < count && !wave_is_done(w); i++)
        if (!node_is_solved(node_load(nodes_find(&w->nodes, points[i].key))))
            going = front_grow(w, points[i].key, err);
    mem_free(w->budget, points, most * sizeof *points);
    return going;
}

void wave_crystal(holos_wave *w, size_t front, holos_error *err)
{
    double began = clock_wall();
    uint64_t solved = w->statistics.solved;
    size_t count = w->meetings.count;
    size_t first = count > w->options.crystal_points ? count - w->options.crystal_points : 0;
    if (first < w->crystal_next)
        first = w->crystal_next; /* the ones before have been grown around already */
    bool going = true;
    for (size_t i = first; going && i < count && !wave_is_done(w); i++)
        going =
            crystal_point(w, list_key(&w->meeting_format, &w->meetings, i), w->options.crystal_layers, err);
    w->crystal_next = count;
    if (going && front > 0)
        crystal_front(w, front, err);
    w->statistics.crystallized += w->statistics.solved - solved;
    w->statistics.crystal_seconds += clock_wall() - began;
}
