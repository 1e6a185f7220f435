/* SPDX-License-Identifier: MIT */

/* Where backward waves begin if nobody says: at positions of the tables that are the boundary, at boundary positions that
 * the game names, or else at the ends of games played at random from the seeds. */

#include "core/rng.h"
#include "engine/wave/spines.h"

#define PLAYOUT_LONGEST 4096

/* Plays at random from the scratch's position until the game is over; false if it does not end. */
static bool playout(holos_wave *w, holos_position *p, rng *r)
{
    const holos_game *game = w->v->game;
    int32_t score;
    for (unsigned ply = 0; ply < PLAYOUT_LONGEST; ply++) {
        if (game->terminal(w->v, p, &score))
            return true;
        holos_edges out = {.edges = w->scratch[0].successors.edges, .bare = true};
        uint32_t count = game->expand(w->v, p, out);
        game->play(w->v, p, out.edges[rng_below(r, count)].move, p);
    }
    return false;
}

static bool boundary_add(holos_wave *w, const holos_position *p, holos_error *err)
{
    wave_scratch *s = &w->scratch[0];
    wave_node known = wave_unknown(w, NODE_BACKWARD, 0);
    holos_key key = w->key(w->v, p);
    if (!wave_owns(w, key) || !wave_known(w, p, &known, s) || (known.flags & NODE_MISSED) != 0)
        return true;
    node_at at = wave_reach(w, p, key, NODE_BACKWARD, 0, err);
    if (at == NULL)
        return false;
    wave_node n = node_load(at);
    w->statistics.solved += !node_is_solved(n);
    node_narrow(w, &n, known.lo, known.hi);
    n.source = known.source;
    n.flags |= NODE_BOUNDARY;
    node_store(at, n);
    return true;
}

/* Positions of kinds that the boundary knows and that a move leads to: where ways out of its tables begin. */
static bool boundary_sample(holos_wave *w, uint64_t stream, uint32_t most, holos_error *err)
{
    const holos_kinds *kinds = w->v->game->kinds;
    holos_position *p = w->scratch[0].position;
    rng r;
    rng_init(&r, w->options.seed, stream);
    for (uint32_t i = 0; i < most; i++)
        if (kinds->random(w->v, w->scope.known[i % w->scope.known_count], &r, p) && !boundary_add(w, p, err))
            return false;
    return true;
}

/* Boundary positions for one forward seed, at most `most`. */
static bool boundary_find(holos_wave *w, size_t seed, uint32_t most, holos_error *err)
{
    const holos_game *game = w->v->game;
    if (w->scope.known_count > 0 && w->options.boundary != NULL && !boundary_sample(w, seed, most, err))
        return false;
    if (game->back->seeds != NULL) {
        size_t size = (size_t)most * w->v->position_size;
        holos_position *found = mem_alloc(w->budget, size);
        if (found == NULL)
            return true; /* it can do without */
        wave_seed_position(w, seed, w->scratch[0].position);
        uint32_t count = game->back->seeds(w->v, w->scratch[0].position, w->options.seed + seed, most, found);
        bool added = true;
        for (uint32_t i = 0; added && i < count; i++)
            added = boundary_add(w, position_at(w->v, found, i), err);
        mem_free(w->budget, found, size);
        return added;
    }
    rng r;
    rng_init(&r, w->options.seed, seed);
    for (uint32_t i = 0; i < most; i++) {
        holos_position *p = w->scratch[0].position;
        wave_seed_position(w, seed, p);
        if (playout(w, p, &r) && !boundary_add(w, p, err))
            return false;
    }
    return true;
}

void wave_seed_boundary(holos_wave *w, holos_error *err)
{
    if (!w->has_back || w->boundary_seeded)
        return;
    w->boundary_seeded = true;
    uint64_t forward = 0;
    for (size_t i = 0; i < w->seed_count; i++) {
        if (w->seeds[i].direction == HOLOS_WAVE_BACKWARD)
            return; /* the caller has said where */
        forward++;
    }
    for (size_t i = 0; i < w->seed_count; i++) {
        uint64_t share = (w->options.boundary_seeds + forward - 1) / forward;
        if (!boundary_find(w, i, (uint32_t)share, err))
            return;
    }
    wave_counts_collect(w);
}

void wave_seed_spines(holos_wave *w, holos_error *err)
{
    const wave_spines *s = w->spines;
    holos_position *p = w->scratch[0].position;
    for (size_t i = 0; w->has_back && i < s->step_count; i++) {
        node_at at = nodes_find(&w->nodes, s->keys[i]);
        if (at == NULL || !node_is_solved(node_load(at)) || (node_load(at).flags & NODE_BACKWARD) != 0)
            continue;
        wave_position(w, s->keys[i], p);
        if (wave_reach(w, p, s->keys[i], NODE_BACKWARD, 0, err) == NULL)
            return;
    }
}
