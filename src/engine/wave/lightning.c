/* SPDX-License-Identifier: MIT */

/* Lightning: probes that go deep along forcing moves. A probe forward begins at a position that is not solved
 * and ends when it is, or when it has looked at enough; where it first strikes the boundary, or anything that is
 * solved, its way there is a spine. A probe backward climbs from a solved position along forcing moves, as
 * long as values flow, until it strikes a position that a forward wave has reached. */

#include "engine/wave/frames.h"
#include "engine/wave/spines.h"

typedef struct probe {
    holos_wave *w;
    uint64_t left; /* positions that it may still look at */
    unsigned depth_limit;
    bool struck; /* it has its spine */
    holos_error *err;
    holos_key keys[FRAMES_MOST + 1];
    holos_move moves[FRAMES_MOST + 1];
} probe;

static void spine_take(probe *pr, const holos_key *keys, const holos_move *moves, unsigned length,
                       wave_node end)
{
    if (spines_add(pr->w->spines, keys, moves, length, end))
        pr->w->statistics.spines_found++;
    pr->struck = true;
}

/* ---- Forward ----------------------------------------------------------------------------------- */

/* Looks at the position of pr->keys[depth]. False: out of memory. */
static bool probe_forward(probe *pr, unsigned depth, unsigned node_depth)
{
    holos_wave *w = pr->w;
    wave_frame *f = frame_at(w, depth);
    if (f == NULL)
        return false;
    holos_key key = pr->keys[depth];
    wave_position(w, key, f->position);
    wave_node n = frame_settle(w, f, nodes_find(&w->nodes, key));
    if (node_is_solved(n)) {
        if (!pr->struck)
            spine_take(pr, pr->keys, pr->moves, depth, n);
        return true;
    }
    if (pr->left == 0 || depth >= pr->depth_limit || node_depth >= wave_forward_limit(w) ||
        (n.flags & NODE_MISSED) != 0 || !wave_go_on(w))
        return true;
    pr->left--;
    w->statistics.forward_expanded++;
    uint32_t count = frame_expand(w, f, key);
    uint32_t follow = frame_forcing(f, f->successors.edges, count);
    for (uint32_t i = 0; i < follow && !node_is_solved(n) && pr->left > 0; i++) {
        uint32_t next = f->order[i];
        if (wave_reach(w, position_at(w->v, f->successors.positions, next), f->successors.keys[next],
                       NODE_FORWARD, node_depth + 1, pr->err) == NULL)
            return false;
        pr->keys[depth + 1] = f->successors.keys[next];
        pr->moves[depth] = f->successors.edges[next].move;
        if (!probe_forward(pr, depth + 1, node_depth + 1))
            return false;
        n = wave_recompute(w, key, f);
    }
    return true;
}

/* ---- Backward ---------------------------------------------------------------------------------- */

/* pr->keys and pr->moves grow from the boundary upwards; a spine reads from the top down. */
static void spine_take_reversed(probe *pr, unsigned length, wave_node end)
{
    holos_key keys[FRAMES_MOST + 1];
    holos_move moves[FRAMES_MOST + 1];
    for (unsigned i = 0; i <= length; i++)
        keys[i] = pr->keys[length - i];
    for (unsigned i = 0; i < length; i++)
        moves[i] = pr->moves[length - i];
    spine_take(pr, keys, moves, length, end);
}

/* Finds the move from the position of key `from`, as this wave has it, to the one of key `to`. */
static bool move_between(holos_wave *w, holos_key from, holos_key to, holos_move *out)
{
    wave_scratch *s = &w->scratch[0];
    wave_position(w, from, s->position);
    uint32_t count = w->v->game->expand(w->v, s->position, s->successors);
    for (uint32_t i = 0; i < count; i++)
        if (holos_key_equal(w->key(w->v, position_at(w->v, s->successors.positions, i)), to)) {
            *out = s->successors.edges[i].move;
            return true;
        }
    return false;
}

static bool probe_backward(probe *pr, unsigned depth, wave_node end)
{
    holos_wave *w = pr->w;
    wave_frame *f = frame_at(w, depth);
    if (f == NULL)
        return false;
    if (pr->left == 0 || depth >= pr->depth_limit || !wave_go_on(w))
        return true;
    pr->left--;
    w->statistics.backward_expanded++;
    uint32_t count = frame_retrace(w, f, pr->keys[depth]);
    wave_node child = node_load(nodes_find(&w->nodes, pr->keys[depth]));
    uint32_t follow = frame_forcing(f, f->predecessors.edges, count);
    for (uint32_t i = 0; i < follow && !pr->struck && pr->left > 0; i++) {
        uint32_t next = f->order[i];
        holos_key key = f->predecessors.keys[next];
        const holos_position *p = position_at(w->v, f->predecessors.positions, next);
        bool joined;
        node_at at = wave_join(w, p, key, f->predecessors.edges[next], child, depth + 1, &joined, pr->err);
        if (at == NULL) {
            if (!limits_go_on(&w->limits))
                return false;
            continue; /* nothing can be said of it */
        }
        pr->keys[depth + 1] = key;
        if (!move_between(w, key, pr->keys[depth], &pr->moves[depth + 1]))
            continue;
        if ((node_load(at).flags & NODE_FORWARD) != 0)
            spine_take_reversed(pr, depth + 1, end);
        else if (joined && !probe_backward(pr, depth + 1, end))
            return false;
    }
    return true;
}

/* ---- The mode ---------------------------------------------------------------------------------- */

static bool probe_run(holos_wave *w, holos_key key, bool forward, holos_error *err)
{
    probe pr = {
        .w = w, .left = w->options.lightning_nodes, .depth_limit = w->options.lightning_depth, .err = err};
    if (pr.depth_limit >= FRAMES_MOST)
        pr.depth_limit = FRAMES_MOST - 1;
    pr.keys[0] = key;
    w->statistics.lightning_probes++;
    wave_node n = node_load(nodes_find(&w->nodes, key));
    if (forward ? probe_forward(&pr, 0, n.depth) : probe_backward(&pr, 0, n))
        return true;
    limits_stop_memory(&w->limits);
    return false;
}

/* One probe for each key of the last layer that has some, at most `most` of them, evenly spread. */
static void probe_layer(holos_wave *w, layers *l, bool forward, unsigned most, holos_error *err)
{
    unsigned depth = l->depth;
    while (depth > 0 && (layers_recount(l->at[depth - 1]), l->at[depth - 1]->count == 0))
        depth--;
    if (depth == 0)
        return;
    layer *at = l->at[depth - 1];
    uint64_t step = at->count / most + 1, index = 0, count = at->count;
    holos_key key, *keys = mem_alloc(w->budget, most * sizeof *keys);
    unsigned taken = 0;
    if (keys == NULL)
        return;
    layer_chunk c = {.count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX};
    for (; taken < most && chunk_next(l, at, &c, &key); index++)
        if (index % step == 0)
            keys[taken++] = key; /* a probe may add to the layer */
    for (unsigned i = 0; i < taken && wave_go_on(w) && !wave_is_done(w); i++) {
        wave_node n = node_load(nodes_find(&w->nodes, keys[i]));
        if (forward ? node_is_solved(n) : !node_is_solved(n))
            continue;
        if (!probe_run(w, keys[i], forward, err))
            break;
    }
    mem_free(w->budget, keys, most * sizeof *keys);
}

void wave_lightning(holos_wave *w, unsigned probes, holos_error *err)
{
    double began = clock_wall();
    for (size_t i = 0; i < w->seed_count && wave_go_on(w) && !wave_is_done(w); i++) {
        const wave_seed *seed = &w->seeds[i]; /* in the order of their priorities */
        wave_node n = node_load(nodes_find(&w->nodes, seed->key));
        if (seed->direction == HOLOS_WAVE_FORWARD && !node_is_solved(n))
            probe_run(w, seed->key, true, err);
    }
    if (probes > 0 && w->has_back)
        probe_layer(w, &w->backward, false, probes, err);
    if (probes > 0)
        probe_layer(w, &w->forward, true, probes, err);
    w->statistics.lightning_seconds += clock_wall() - began;
}
