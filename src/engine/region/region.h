/* SPDX-License-Identifier: MIT */

/* Whole regions above a boundary: every position of a kind (game/kinds.h), and of the kinds between it and the boundary, by the
 * attractor rule. A position joins a win when one move leads into it, and a loss only when all its moves are the
 * opponent's wins; what joins neither can be held for ever.
 *
 * The highest scores come first. What a position has outside of its kind is looked up: in the kinds below, which are solved
 * before, or in the boundary. From what that settles the wave goes back, ply by ply, along the moves that stay within
 * the kind. Nothing is stored for a position but three bytes: whether it is settled, its score (before: the best of its
 * moves that leave the kind), and how many plies the way out takes (before: moves that are open). */

#ifndef HOLOS_REGION_REGION_H
#define HOLOS_REGION_REGION_H

#include "core/pool.h"
#include "engine/boundary.h"
#include "game/kinds.h"

typedef struct regions regions;

/* What the regions are made from; everything outlives them. */
typedef struct regions_setup {
    const holos_variant *v;
    const holos_boundary *boundary; /* may be NULL; an error that it meets is what regions_solve returns */
    boundary_guard *known; /* NULL, or a boundary in its place whose errors are the caller's affair */
    mem_budget *budget;
    pool *threads;
} regions_setup;

/* HOLOS_UNSUPPORTED if the game has no kinds, or no way back. */
holos_status regions_open(const regions_setup *setup, regions **out, holos_error *err);
void regions_close(regions *r); /* may be NULL */

/* What became of a kind. */
typedef struct region_report {
    holos_kind kind;
    uint64_t positions; /* of each symmetry class one */
    uint64_t wins, draws, losses;
    uint64_t open;  /* not decided, since something outside is not known */
    unsigned plies; /* the longest way out of the kind, or to the end */
    double seconds;
} region_report;

/* Solves a kind and all that lie between it and the boundary; what was solved before is there already. Without enough
 * memory nothing begins. Positions that are looked at count as nodes of the limits (NULL: none). HOLOS_INTERRUPTED, HOLOS_LIMIT: it can be asked
 * again. */
holos_status regions_solve(regions *r, holos_kind kind, struct limits *limits, holos_error *err);
/* The kinds that were solved, in order; NULL past the end. */
const region_report *regions_report(const regions *r, size_t index);

/* What is known of a position: by the rules, the boundary, or a region. *plies (may be NULL) is how far it is to leave
 * the kind, 0 where that is not known. False: nothing but the range of scores. */
bool regions_find(const regions *r, const holos_position *p, holos_value *out, unsigned *plies);

/* Calls `visit` for every position of a kind that was solved; false from it ends the visit. */
typedef bool region_visitor(void *context, const holos_position *p, holos_value value);
bool regions_each(const regions *r, holos_kind kind, region_visitor *visit, void *context);

#endif
