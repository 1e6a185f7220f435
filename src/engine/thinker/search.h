/* SPDX-License-Identifier: MIT */

/* One thread's search ahead: alpha-beta with a memory, to a depth, and beyond it until nothing loud is left. Scores are hundredths, as
 * holos_thought has them. */

#ifndef HOLOS_ENGINE_THINKER_SEARCH_H
#define HOLOS_ENGINE_THINKER_SEARCH_H

#include "engine/boundary.h"
#include "engine/thinker/memory.h"

enum { LOOK_DEEPEST = 100, LOOK_PLIES = 128 }; /* of a search to a depth; with what is loud behind it */

/* Room for the moves of one position on the way. */
typedef struct look_ply {
    holos_edges next;
    int32_t *order;
    holos_move killers[2];
    holos_move line[LOOK_PLIES];
    unsigned line_length;
} look_ply;

typedef struct look {
    const holos_variant *v;
    boundary_guard *known; /* may be NULL */
    memory *memory;
    struct limits limits;
    bool whole;             /* nothing is left out: for mates in so many moves */
    const holos_move *only; /* at the root; NULL: all moves */
    size_t only_count;
    look_ply *plies;  /* LOOK_PLIES of them */
    uint64_t *path;   /* the game so far and the way to here */
    size_t played;    /* how many of them are the game */
    int32_t *history; /* how often a move was best, by its lowest bits */
    uint64_t found;   /* positions that were known beforehand */
    unsigned deepest;
} look;

/* Room for `played` positions of the game. The caller frees it even if it fails. */
bool look_init(look *l, const holos_variant *v, mem_budget *budget, size_t played);
void look_free(look *l, mem_budget *budget);

/* What p looks worth after so many plies; the line is in l->plies[0]. Means nothing once l->limits.status is not HOLOS_OK, but
 * a line that is there then is still the best so far. */
int32_t look_ahead(look *l, const holos_position *p, unsigned depth);
/* The key by which the path knows a position. */
uint64_t look_key(const holos_variant *v, const holos_position *p);

#endif
