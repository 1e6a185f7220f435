/* SPDX-License-Identifier: MIT */

/* Inside the techniques of hidato: one function finds one deduction. It reads what is known, and where its pattern
 * rules out or places something new it notes that in the step, says why, and returns true; `size` is what sets it
 * apart from its sisters in techniques.def.
 *
 * What is known: the board with what was placed, and candidates. A candidate is a free cell that a number can reach
 * from its neighbours' candidates (what the numbers on the board leave, by distance) and that no step has ruled out. A
 * number with one candidate is not on the board yet: that takes a step of its own. */

#ifndef HOLOS_HIDATO_SEEKER_H
#define HOLOS_HIDATO_SEEKER_H

#include "game/steps.h"
#include "games/hidato/propagate.h"

enum { HIDATO_NOWHERE = 0xFFFF };

typedef struct hidato_knowledge {
    hidato_board board;
    uint16_t site_of[HIDATO_PLACES +
                     2]; /* of a number on the board; HIDATO_NOWHERE for the others, 0, and last + 1 */
    uint64_t free[HIDATO_WORDS]; /* the sites without a number */
    hidato_state *s;             /* the candidates; a trial changes them and takes everything back */
} hidato_knowledge;

typedef struct seeker {
    const hidato_knowledge *k;
    hidato_domains *d; /* the candidates of k->s */
    const hidato_grid *g;
    struct limits *limits; /* of what tries */
    holos_step *step;
    text *words; /* NULL: nobody listens */
} seeker;

typedef bool seeker_function(const seeker *f, unsigned size);

#define TECHNIQUE(find, ...) seeker_function find;
#include "games/hidato/techniques/techniques.def"
#undef TECHNIQUE

/* ---- What a step says -------------------------------------------------------------------------- */

/* Cells in steps are row * HIDATO_SIDE + column: they have a name without their board. */
void seeker_place(const seeker *f, unsigned number, unsigned site);
/* Notes what is still a candidate, once. */
void seeker_drop(const seeker *f, unsigned number, unsigned site);
/* Drops the numbers of a site that are not in the set, and the sites of a number that are not in the set. */
void seeker_keep_numbers(const seeker *f, unsigned site, const uint64_t *numbers);
void seeker_keep_sites(const seeker *f, unsigned number, const uint64_t *sites);
/* Notes a number on the board, or a candidate, as part of the pattern. */
void seeker_mark(const seeker *f, unsigned number, unsigned site, holos_role role);
/* Notes the numbers on the board next to a gap, and the gap as the step's house. */
void seeker_mark_gap(const seeker *f, hidato_gap gap);

/* Writes to the explanation: %c a site, %C a set of sites (a pointer), %u a number, %s a string, %g the numbers on the
 * board next to a gap (a pointer) with their cells, %G the numbers of a gap, %N a set of numbers, %e what the step
 * strikes out. */
void seeker_say(const seeker *f, const char *format, ...);

/* ---- Looking around ---------------------------------------------------------------------------- */

static inline bool seeker_is_placed(const seeker *f, unsigned number)
{
    return f->k->site_of[number] != HIDATO_NOWHERE;
}

/* The gap that a missing number belongs to. */
hidato_gap seeker_gap(const seeker *f, unsigned number);
/* All gaps of what is on the board; returns how many. `out` has room for (last + 1) / 2. */
unsigned seeker_gaps(const seeker *f, hidato_gap *out);

/* Adds the free sites beside a set to it. False: there are no more. */
bool seeker_spread(const seeker *f, uint64_t *set);
/* The free sites near enough to the numbers on the board on either side of a gap for one of its numbers. */
void seeker_near(const seeker *f, hidato_gap gap, unsigned number, uint64_t *out);

static inline unsigned set_count(const uint64_t *set, unsigned words)
{
    unsigned count = 0;
    for (unsigned word = 0; word < words; word++)
        count += (unsigned)__builtin_popcountll(set[word]);
    return count;
}

/* The only member of a set, or HIDATO_NOWHERE. */
static inline unsigned set_only(const uint64_t *set, unsigned words)
{
    return set_count(set, words) == 1 ? set_first(set) : HIDATO_NOWHERE;
}

/* Drops what the trail has from `mark` on for which `fits` is true, after taking it back. */
typedef bool seeker_filter(const void *context, unsigned number, unsigned site);
void seeker_drop_trail(const seeker *f, size_t mark, seeker_filter *fits, const void *context);

#endif
