/* SPDX-License-Identifier: MIT */

/* What is still possible: candidates in both directions, number -> sites and site -> numbers, kept in step.
 *
 * A candidate is only ever removed. Every removal goes onto the trail, so that a search can take it back; what a
 * removal touches goes onto two lists of changes, which the propagators work off. Numbers are 1 to `last`, sites are
 * those of the grid (board.h). A propagator returns false where it finds a contradiction, and says which in
 * `conflict`. */

#ifndef HOLOS_HIDATO_DOMAINS_H
#define HOLOS_HIDATO_DOMAINS_H

#include "games/hidato/board.h"

/* The propagators: PROPAGATOR(identifier, "name", first mode that has it, "what it does"). */
typedef enum hidato_propagator {
#define PROPAGATOR(id, name, mode, what) HIDATO_BY_##id,
#include "games/hidato/propagators.def"
#undef PROPAGATOR
    HIDATO_PROPAGATORS,
} hidato_propagator;

/* What a propagator has done. */
typedef struct hidato_work {
    uint64_t calls, removals, conflicts;
    double seconds; /* only while the clock is on */
} hidato_work;

/* Why there is no solution. */
typedef enum hidato_conflict_kind {
    HIDATO_NO_CONFLICT = 0,
    HIDATO_NO_PLACE,  /* the number has no place left */
    HIDATO_NO_NUMBER, /* the site has no number left */
    HIDATO_ISLAND,    /* the gaps do not fill the region of the site */
    HIDATO_MATCHING,  /* there are fewer sites than numbers for them */
} hidato_conflict_kind;

typedef struct hidato_conflict_found {
    hidato_conflict_kind kind;
    uint16_t number, site;
} hidato_conflict_found;

/* A list of things that changed: each is on it at most once. */
typedef struct hidato_changes {
    uint16_t *ring;
    bool *listed;
    unsigned first, count, room; /* room is a power of two */
} hidato_changes;

typedef struct hidato_domains {
    hidato_grid grid;
    unsigned last;                             /* the numbers are 1 … last */
    unsigned value_words;                      /* of a set of numbers */
    uint64_t *places;                          /* of number n: places + n * grid.words */
    uint64_t *values;                          /* of site s: values + s * value_words */
    uint16_t *place_count;                     /* of a number */
    uint16_t *value_count;                     /* of a site */
    uint16_t open;                             /* numbers with more than one place */
    hidato_changes numbers, sites;             /* for the sweeps and singles */
    hidato_changes later_numbers, later_sites; /* what the propagators beyond v1 have yet to look at */
    uint32_t *trail;                           /* removed candidates: number << 16 | site */
    size_t trail_length, trail_room;
    uint64_t removed; /* so far, with what was taken back: tells whether anything is new */
    uint64_t hash;    /* of what is removed now (Zobrist), while `hashed` */
    bool hashed;
    hidato_conflict_found conflict;
    bool clock; /* measure how long each propagator takes */
    hidato_work work[HIDATO_PROPAGATORS];
    size_t measured_from; /* of the propagator that runs */
    double measured_since;
    void *memory;
} hidato_domains;

/* Makes the domains of a board: all candidates that its filled cells leave. False: out of memory. Filled cells that
 * contradict each other are found by the first propagation. */
bool hidato_domains_init(hidato_domains *d, const hidato_board *b, hidato_kind kind);
void hidato_domains_free(hidato_domains *d);

static inline uint64_t *hidato_places(const hidato_domains *d, unsigned number)
{
    return d->places + (size_t)number * d->grid.words;
}

static inline uint64_t *hidato_values(const hidato_domains *d, unsigned site)
{
    return d->values + (size_t)site * d->value_words;
}

static inline bool hidato_may(const hidato_domains *d, unsigned number, unsigned site)
{
    return set_has(hidato_places(d, number), site);
}

/* The first member of a set that has one. */
static inline unsigned set_first(const uint64_t *set)
{
    unsigned word = 0;
    while (set[word] == 0)
        word++;
    return word * 64 + (unsigned)__builtin_ctzll(set[word]);
}

void hidato_changes_add(hidato_changes *c, unsigned what);
unsigned hidato_changes_take(hidato_changes *c); /* there is one */
void hidato_changes_clear(hidato_changes *c);
/* Takes all sites of d->later_sites: they and those beside them. */
void hidato_later_around(hidato_domains *d, uint64_t *out);

/* ---- Removing ----------------------------------------------------------------------------------- */

/* Removes a candidate that is there. False: the number or the site has none left. */
bool hidato_remove(hidato_domains *d, unsigned number, unsigned site);
/* Removes all places of a number that are not in the set; all numbers of a site that are not in the set. */
bool hidato_restrict_places(hidato_domains *d, unsigned number, const uint64_t *allowed);
bool hidato_restrict_values(hidato_domains *d, unsigned site, const uint64_t *allowed);
/* Writes the number into the site: removes all that contradicts it. */
bool hidato_assign(hidato_domains *d, unsigned number, unsigned site);

/* Takes back removals until the trail is as short as it was. The lists of changes are empty then. */
void hidato_undo(hidato_domains *d, size_t trail_length);

static inline bool hidato_is_solved(const hidato_domains *d)
{
    return d->open == 0;
}

/* The board with every number that has one place. */
void hidato_domains_board(const hidato_domains *d, const hidato_board *b, hidato_board *out);

#endif
