/* SPDX-License-Identifier: MIT */

/* Claims: "this side gets at least that much". What engines that look for proofs ask of positions.
 *
 * A claim is proven by a finite tree: the claimant has one move everywhere it moves, the other side may do what it likes,
 * and every line ends where the rules, bounds or a boundary show the claim. Such a tree says nothing of games that never
 * end, so repetitions cannot mislead it. */

#ifndef HOLOS_ENGINE_CLAIM_H
#define HOLOS_ENGINE_CLAIM_H

#include "engine/boundary.h"
#include "engine/engine.h"

typedef enum verdict { OPEN, PROVEN, REFUTED } verdict;

/* "The side to move (or the other one, if `theirs`) gets at least `least`." */
typedef struct claim {
    bool theirs;
    int32_t least;
} claim;

/* The same claim, after a move. */
static inline claim claim_after(claim c, holos_edge edge)
{
    bool same = (edge.flags & HOLOS_EDGE_SAME_SIDE) != 0;
    int32_t gain = c.theirs ? -edge.gain : edge.gain;
    return (claim){.theirs = same ? c.theirs : !c.theirs, .least = c.least - gain};
}

/* What an interval says of a claim. */
static inline verdict claim_judge(claim c, int32_t lo, int32_t hi)
{
    int32_t surely = c.theirs ? -hi : lo, perhaps = c.theirs ? -lo : hi;
    return surely >= c.least ? PROVEN : perhaps < c.least ? REFUTED : OPEN;
}

/* What the rules, the boundary and the game's bounds say of a claim. */
static inline verdict claim_look(const holos_variant *v, boundary_guard *known, const holos_position *p,
                                 claim c)
{
    const holos_search *search = v->game->search;
    int32_t lo = v->score_min, hi = v->score_max, score;
    if (v->game->terminal(v, p, &score))
        return claim_judge(c, score, score);
    if (known != NULL && known->from.score != NULL) {
        if (boundary_score(known, p, &score)) {
            score -= game_banked(v, p);
            return claim_judge(c, score, score);
        }
    } else if (known != NULL) {
        holos_value value = boundary_value(known, p);
        if (holos_source_is_proof(value.source)) {
            lo = value.lo - game_banked(v, p);
            hi = value.hi - game_banked(v, p);
        }
    }
    if (search != NULL && search->bounds != NULL)
        search->bounds(v, p, &lo, &hi);
    return claim_judge(c, lo, hi);
}

/* What tables know a claim about a position by. */
static inline holos_key claim_key(const holos_variant *v, const holos_position *p, claim c)
{
    holos_key key = v->game->key(v, p);
    key.hi ^= (uint64_t)(uint32_t)c.least * UINT64_C(0x9E3779B97F4A7C15) ^
              (c.theirs ? UINT64_C(0xD1B54A32D192ED03) : 0);
    return key;
}

/* What a verdict on a claim about a position says of its value. */
static inline void claim_narrow(claim c, verdict found, holos_value *value)
{
    if (found == OPEN)
        return;
    int32_t bound = found == PROVEN ? c.least : c.least - 1; /* for the claimant: at least, or at most */
    if (c.theirs)
        bound = -bound;
    if ((found == PROVEN) != c.theirs)
        value->lo = bound > value->lo ? bound : value->lo;
    else
        value->hi = bound < value->hi ? bound : value->hi;
}

#endif
