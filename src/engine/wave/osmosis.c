/* SPDX-License-Identifier: MIT */

/* Osmosis: one position at a time, always the one of greatest certainty, from either frontier. The frontiers
 * are two heaps; when something is learned of a position, the certainty of its neighbours in them is computed
 * again, and nobody else's. */

#include "engine/wave/classes.h"
#include "engine/wave/frames.h"

#include <stdlib.h>

enum {
    CERTAIN_FORCED = 100,  /* there is one move */
    CERTAIN_MEETING = 100, /* the next step reaches the other wave */
    CERTAIN_CLASS = 75,    /* positions of its class agree */
    CERTAIN_NEAR = 50,     /* the next step reaches the boundary */
    CERTAIN_SOLVED = 10,   /* for each successor that is solved */
    CERTAIN_BALANCE = 20,  /* for the smaller frontier */
};

typedef struct heap_entry {
    holos_key key;
    int32_t certainty;
    uint32_t age; /* of two that are as certain, the younger one: so that a line is followed to its end */
} heap_entry;

typedef struct heap {
    heap_entry *entries;
    size_t count, room;
    table places; /* key -> index of the entry */
} heap;

struct wave_osmosis {
    heap forward, backward;
    uint32_t clock;
};

/* ---- The heap ---------------------------------------------------------------------------------- */

static bool entry_before(const heap_entry *a, const heap_entry *b)
{
    return a->certainty != b->certainty ? a->certainty > b->certainty : a->age > b->age;
}

static void heap_place(heap *h, size_t index, heap_entry entry)
{
    h->entries[index] = entry;
    uint64_t *place = table_find(&h->places, entry.key);
    *place = index;
}

static void heap_up(heap *h, size_t index, heap_entry entry)
{
    while (index > 0 && entry_before(&entry, &h->entries[(index - 1) / 2])) {
        heap_place(h, index, h->entries[(index - 1) / 2]);
        index = (index - 1) / 2;
    }
    heap_place(h, index, entry);
}

static void heap_down(heap *h, size_t index, heap_entry entry)
{
    for (;;) {
        size_t child = 2 * index + 1;
        if (child >= h->count)
            break;
        if (child + 1 < h->count && entry_before(&h->entries[child + 1], &h->entries[child]))
            child++;
        if (!entry_before(&h->entries[child], &entry))
            break;
        heap_place(h, index, h->entries[child]);
        index = child;
    }
    heap_place(h, index, entry);
}

/* Index of a key, or SIZE_MAX. An entry that was taken out leaves SIZE_MAX in the table. */
static size_t heap_find(const heap *h, holos_key key)
{
    const uint64_t *place = table_find(&h->places, key);
    return place != NULL ? (size_t)*place : SIZE_MAX;
}

static bool heap_push(holos_wave *w, heap *h, heap_entry entry)
{
    if (h->count == h->room) {
        size_t room = h->room * 2 + 256;
        heap_entry *entries =
            mem_resize(w->budget, h->entries, h->room * sizeof *entries, room * sizeof *entries);
        if (entries == NULL)
            return false;
        h->entries = entries;
        h->room = room;
    }
    bool fresh;
    uint64_t *place = table_insert(&h->places, entry.key, &fresh);
    if (place == NULL)
        return false;
    if (!fresh && *place != SIZE_MAX)
        return true;
    heap_up(h, h->count++, entry);
    return true;
}

static heap_entry heap_pop(heap *h)
{
    heap_entry top = h->entries[0];
    *(uint64_t *)table_find(&h->places, top.key) = SIZE_MAX;
    heap_entry last = h->entries[--h->count];
    if (h->count > 0)
        heap_down(h, 0, last);
    return top;
}

static void heap_change(heap *h, size_t index, int32_t certainty)
{
    heap_entry entry = h->entries[index];
    bool up = certainty > entry.certainty;
    entry.certainty = certainty;
    if (up)
        heap_up(h, index, entry);
    else
        heap_down(h, index, entry);
}

static void heap_free(holos_wave *w, heap *h)
{
    mem_free(w->budget, h->entries, h->room * sizeof *h->entries);
    table_free(&h->places);
    *h = (heap){0};
}

/* ---- Certainty --------------------------------------------------------------------------------- */

static int32_t neighbours_certainty(holos_wave *w, const holos_edges *around, uint32_t count, unsigned other)
{
    int32_t certainty = 0;
    bool meets = false, near = false;
    for (uint32_t i = 0; i < count; i++) {
        node_at at = nodes_find(&w->nodes, around->keys[i]);
        int32_t score;
        if (at == NULL) {
            near |= other == NODE_BACKWARD &&
                    w->v->game->terminal(w->v, position_at(w->v, around->positions, i), &score);
            continue;
        }
        wave_node n = node_load(at);
        meets |= (n.flags & other) != 0;
        near |= (n.flags & NODE_BOUNDARY) != 0;
        /* A predecessor that is solved already has nothing to gain from a step back. */
        certainty += other == NODE_BACKWARD && node_is_solved(n) ? CERTAIN_SOLVED : 0;
    }
    return certainty + (meets ? CERTAIN_MEETING : 0) + (near ? CERTAIN_NEAR : 0);
}

static int32_t certainty_of(holos_wave *w, holos_key key, bool forward)
{
    wave_frame *f = frame_at(w, FRAME_CERTAINTY);
    int32_t certainty;
    if (forward) {
        uint32_t count = frame_expand(w, f, key);
        certainty = neighbours_certainty(w, &f->successors, count, NODE_BACKWARD);
        certainty += count == 1 ? CERTAIN_FORCED : 0;
    } else {
        uint32_t count = frame_retrace(w, f, key);
        certainty = neighbours_certainty(w, &f->predecessors, count, NODE_FORWARD);
        certainty += count == 1 ? CERTAIN_FORCED : 0;
    }
    int16_t value;
    if (forward && classes_opinion(w, f->position, &value)) { /* of one that is solved it says nothing new */
        certainty += CERTAIN_CLASS;
        w->statistics.equiv_shortcuts++;
    }
    return certainty;
}

/* Puts a position into its frontier, if it belongs there. */
static bool frontier_add(holos_wave *w, holos_key key, bool forward)
{
    wave_osmosis *o = w->osmosis;
    wave_node n = node_load(nodes_find(&w->nodes, key));
    if (forward) {
        if ((n.flags & NODE_FORWARD) == 0 || (n.flags & (NODE_EXPANDED | NODE_MISSED)) != 0 ||
            node_is_solved(n) || n.depth >= wave_forward_limit(w))
            return true;
    } else if (!w->has_back || (n.flags & NODE_BACKWARD) == 0 || (n.flags & NODE_RETRACED) != 0) {
        return true;
    }
    if (heap_find(forward ? &o->forward : &o->backward, key) != SIZE_MAX)
        return true;
    heap_entry entry = {.key = key, .certainty = certainty_of(w, key, forward), .age = o->clock++};
    return heap_push(w, forward ? &o->forward : &o->backward, entry);
}

static void neighbour_changed(holos_wave *w, heap *h, holos_key key, bool forward)
{
    size_t index = heap_find(h, key);
    if (index != SIZE_MAX)
        heap_change(h, index, certainty_of(w, key, forward));
}

/* Something was learned of this position: its neighbours in the frontiers are more certain now. */
static void learned(holos_wave *w, holos_key key)
{
    wave_osmosis *o = w->osmosis;
    wave_frame *f = frame_at(w, FRAME_LEARNED);
    if (f == NULL || !w->has_back)
        return;
    if (o->forward.count > 0) {
        uint32_t count = frame_retrace(w, f, key);
        for (uint32_t i = 0; i < count; i++)
            neighbour_changed(w, &o->forward, f->predecessors.keys[i], true);
    }
    if (o->backward.count > 0) {
        uint32_t count = frame_expand(w, f, key);
        for (uint32_t i = 0; i < count; i++)
            neighbour_changed(w, &o->backward, f->successors.keys[i], false);
    }
}

/* ---- Steps ------------------------------------------------------------------------------------- */

/* True if somebody may still care for a position: a seed, or a position with a predecessor that is not
 * solved. */
static bool is_wanted(holos_wave *w, holos_key key)
{
    wave_frame *f = frame_at(w, FRAME_WANTED);
    if (f == NULL || !w->has_back || node_load(nodes_find(&w->nodes, key)).depth == 0)
        return true;
    uint32_t count = frame_retrace(w, f, key);
    for (uint32_t i = 0; i < count; i++) {
        node_at at = nodes_find(&w->nodes, f->predecessors.keys[i]);
        if (at != NULL && !node_is_solved(node_load(at)) && (node_load(at).flags & NODE_EXPANDED) != 0)
            return true;
    }
    return wave_is_seed(w, key);
}

/* False: no memory. */
static bool step_forward(holos_wave *w, holos_key key, holos_error *err)
{
    wave_frame *f = frame_at(w, FRAME_STEP), *below = frame_at(w, FRAME_BELOW);
    if (f == NULL || below == NULL)
        return false;
    wave_node before = node_load(nodes_find(&w->nodes, key)), n;
    uint32_t count = frame_expand(w, f, key);
    unsigned depth = before.depth + 1u;
    n = frame_settle(w, f, nodes_find(&w->nodes, key));
    if (node_is_solved(n) || (n.flags & NODE_MISSED) != 0) {
        wave_flow(w, key, learned);
        return true;
    }
    for (uint32_t i = 0; i < count; i++) {
        const holos_position *p = position_at(w->v, f->successors.positions, i);
        node_at at = wave_reach(w, p, f->successors.keys[i], NODE_FORWARD, depth, err);
        if (at == NULL)
            return false;
        memcpy(below->position, p, w->v->position_size);
        frame_settle(w, below, at);
    }
    node_at at = nodes_find(&w->nodes, key);
    n = node_load(at);
    n.flags |= NODE_EXPANDED;
    node_store(at, n);
    w->layered = false;
    w->statistics.forward_expanded++;
    n = wave_recompute(w, key, f);
    if (n.lo != before.lo || n.hi != before.hi)
        wave_flow(w, key, learned);
    for (uint32_t i = count; i-- > 0;) /* the first move last: it is the youngest */
        if (!frontier_add(w, f->successors.keys[i], true))
            return false;
    return true;
}

static bool step_backward(holos_wave *w, holos_key key, holos_error *err)
{
    wave_frame *f = frame_at(w, FRAME_STEP);
    if (f == NULL)
        return false;
    wave_node child = node_load(nodes_find(&w->nodes, key));
    uint32_t count = frame_retrace(w, f, key);
    for (uint32_t i = 0; i < count; i++) {
        holos_key before = f->predecessors.keys[i];
        const holos_position *p = position_at(w->v, f->predecessors.positions, i);
        bool joined;
        unsigned depth = child.depth + 1u;
        wave_join(w, p, before, f->predecessors.edges[i], child, depth, &joined, err);
        if (!limits_go_on(&w->limits))
            return false;
        if (!joined)
            continue;
        wave_flow(w, before, learned);
        learned(w, before);
        if (!frontier_add(w, before, false))
            return false;
    }
    node_at at = nodes_find(&w->nodes, key);
    wave_node n = node_load(at);
    n.flags |= NODE_RETRACED;
    node_store(at, n);
    w->statistics.backward_expanded++;
    return true;
}

/* ---- The mode ---------------------------------------------------------------------------------- */

static void frontiers_drop(holos_wave *w)
{
    heap_free(w, &w->osmosis->forward);
    heap_free(w, &w->osmosis->backward);
    free(w->osmosis);
    w->osmosis = NULL;
}

#define LOOK_KEYS 1024 /* between two looks at the limits */

/* False: no memory, or a limit was reached. */
static bool frontier_fill(holos_wave *w, layers *l, bool forward)
{
    for (unsigned depth = 0; depth < l->depth; depth++)
        for (unsigned shard = 0; shard < NODES_SHARDS; shard++) {
            const key_list *list = &l->at[depth]->lists[shard];
            for (size_t i = list->done; i < list->count; i++) /* those before are done */
                if ((i % LOOK_KEYS == 0 && !wave_go_on(w)) || !frontier_add(w, list_key(l, list, i), forward))
                    return false;
        }
    return true;
}

static bool frontiers_make(holos_wave *w, holos_error *err)
{
    w->osmosis = calloc(1, sizeof *w->osmosis);
    if (w->osmosis == NULL || frame_at(w, FRAME_NAMED) == NULL)
        return false;
    if (table_init(&w->osmosis->forward.places, w->budget, sizeof(uint64_t), 64, err) != HOLOS_OK ||
        table_init(&w->osmosis->backward.places, w->budget, sizeof(uint64_t), 64, err) != HOLOS_OK)
        return false;
    return frontier_fill(w, &w->forward, true) && frontier_fill(w, &w->backward, false);
}

/* Which frontier's most certain position comes next. */
static bool forward_is_next(const wave_osmosis *o)
{
    if (o->forward.count == 0 || o->backward.count == 0)
        return o->forward.count > 0;
    int32_t forward = o->forward.entries[0].certainty, backward = o->backward.entries[0].certainty;
    if (o->forward.count <= o->backward.count)
        forward += CERTAIN_BALANCE;
    else
        backward += CERTAIN_BALANCE;
    return forward >= backward;
}

static bool depth_allows(holos_wave *w, holos_key key)
{
    unsigned limit = w->options.backward_depth;
    if (limit == 0 || node_load(nodes_find(&w->nodes, key)).depth < limit)
        return true;
    w->statistics.depth_limited++;
    return false;
}

/* One step; false: no memory. */
static bool osmosis_step(holos_wave *w, bool all, holos_error *err)
{
    wave_osmosis *o = w->osmosis;
    bool forward = forward_is_next(o);
    heap_entry next = heap_pop(forward ? &o->forward : &o->backward);
    wave_node n = node_load(nodes_find(&w->nodes, next.key));
    if (forward ? node_is_solved(n) || (!all && !is_wanted(w, next.key)) : !depth_allows(w, next.key))
        return true;
    w->statistics.osmosis_steps++;
    return forward ? step_forward(w, next.key, err) : step_backward(w, next.key, err);
}

void wave_osmose(holos_wave *w, uint64_t steps, holos_error *err)
{
    double began = clock_wall();
    uint64_t stop = steps < UINT64_MAX - wave_expanded(w) ? wave_expanded(w) + steps : UINT64_MAX;
    bool all = false, going = frontiers_make(w, err);
    while (going && wave_go_on(w) && !wave_is_done(w) && wave_expanded(w) < stop) {
        if (w->osmosis->forward.count == 0 && (all || w->osmosis->backward.count == 0)) {
            if (all)
                break;
            all = true; /* what nobody seemed to want may be wanted after all */
            going = frontier_fill(w, &w->forward, true);
            continue;
        }
        if (wave_room(w) < ((size_t)1 << 20) && !wave_spill(w, NULL, err)) {
            w->statistics.memory_limited++;
            limits_stop_memory(&w->limits);
            break;
        }
        going = osmosis_step(w, all, err);
    }
    if (!going && limits_go_on(&w->limits)) {
        w->statistics.memory_limited++;
        limits_stop_memory(&w->limits);
    }
    if (w->osmosis != NULL)
        frontiers_drop(w);
    w->statistics.osmosis_seconds += clock_wall() - began;
}
