/* SPDX-License-Identifier: MIT */

/* Propagation: what follows from the candidates without a guess. A mode is a set of propagators (propagators.def): v1
 * has the sweeps and singles, v2 looks at regions, corridors and degrees, too, v3 has those of v2 and searches, v4 adds
 * the edge layer and the matching. All of it is deterministic, and treats numbers n and last + 1 - n alike. */

#ifndef HOLOS_HIDATO_PROPAGATE_H
#define HOLOS_HIDATO_PROPAGATE_H

#include "games/hidato/domains.h"

/* The regions of empty cells: kept until a cell of theirs is filled. */
typedef struct hidato_regions {
    unsigned count;
    bool valid;
    uint64_t empty[HIDATO_WORDS]; /* what they are made of */
    uint64_t (*sets)[HIDATO_WORDS];
    size_t room;
} hidato_regions;

/* A run of numbers without a place of their own yet: first … last. */
typedef struct hidato_gap {
    uint16_t first, last;
} hidato_gap;

/* Ways from cell to cell, for each site and direction: a bit is set while the path may go that way. */
typedef struct hidato_edges {
    uint8_t *next, *previous; /* of a site: the directions to its next number, and to its previous one */
    uint16_t (*beside)[HIDATO_DEGREE]; /* the site in a direction, or the site itself if there is none */
} hidato_edges;

typedef struct hidato_state {
    hidato_domains d;
    unsigned mode; /* 1 … 4 */
    hidato_regions regions;
    hidato_edges edges;
    uint16_t *site_of, *number_at;         /* a perfect matching of numbers and sites, as far as it goes */
    uint64_t islands_seen, corridors_seen; /* d.removed when they last ran */
} hidato_state;

/* False: out of memory. */
bool hidato_state_init(hidato_state *s, const hidato_board *b, hidato_kind kind, unsigned mode);
void hidato_state_free(hidato_state *s);

/* Propagates to the end. False: there is no solution, and s->d.conflict says why. */
bool hidato_propagate(hidato_state *s);

/* ---- One by one; each returns false on a contradiction --------------------------------------------- */

/* Sweeps and singles, until nothing is left to do. */
bool hidato_propagate_v1(hidato_domains *d);
/* Sweeps alone: what distances tell. */
bool hidato_propagate_sweeps(hidato_domains *d);
/* Each of these looks at what has changed since it was last called, once. */
bool hidato_propagate_degree(hidato_domains *d);
bool hidato_propagate_nudge(hidato_domains *d);
bool hidato_propagate_islands(hidato_state *s);
bool hidato_propagate_corridors(hidato_state *s);
bool hidato_propagate_edges(hidato_state *s);
bool hidato_propagate_matching(hidato_state *s);

bool hidato_edges_init(hidato_state *s);
void hidato_edges_free(hidato_state *s);
void hidato_regions_free(hidato_state *s);
bool hidato_matching_init(hidato_state *s);
void hidato_matching_free(hidato_state *s);

/* The gaps in order; returns how many. `out` has room for (last + 1) / 2. */
unsigned hidato_gaps(const hidato_domains *d, hidato_gap *out);
enum { HIDATO_CORRIDOR_MOST = 48 }; /* longer gaps have so many ways that no cell is on all of them */

/* Whether a gap can be crossed without the site. */
bool hidato_can_avoid(const hidato_domains *d, hidato_gap gap, unsigned site);
/* The sites that hold no number yet. */
void hidato_empty(const hidato_domains *d, uint64_t *out);

#endif
