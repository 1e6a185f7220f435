/* SPDX-License-Identifier: MIT */

/* Inside the techniques: one function finds one deduction. It reads the marks, and where its pattern rules out or
 * places something new it notes that in the step, says why, and returns true; `size` is what sets it apart from
 * its sisters in techniques.def (a pair, a triple, …). Digits count from 0 here; what is said counts from 1. */

#ifndef HOLOS_SUDOKU_FINDER_H
#define HOLOS_SUDOKU_FINDER_H

#include "core/limits.h"
#include "game/steps.h"
#include "games/sudoku/techniques/marks.h"

#include <holos/holos.h>

typedef struct finder {
    const sudoku_shape *shape;
    const sudoku_marks *marks;
    struct limits *limits; /* of what tries */
    holos_step *step;
    text *words; /* NULL: nobody listens */
} finder;

typedef bool finder_function(const finder *f, unsigned size);

#define TECHNIQUE(find, ...) finder_function find;
#include "games/sudoku/techniques/techniques.def"
#undef TECHNIQUE

/* ---- What a step says -------------------------------------------------------------------------- */

void finder_place(const finder *f, unsigned cell, unsigned digit);
/* Notes what is still a candidate, once. */
void finder_drop(const finder *f, unsigned cell, unsigned digit);
void finder_drop_all(const finder *f, cellset cells, unsigned digit);
void finder_mark(const finder *f, unsigned cell, unsigned digit, holos_role role);
/* Marks those of `digits` that the cell may hold. */
void finder_mark_digits(const finder *f, unsigned cell, unsigned digits, holos_role role);

/* Writes to the explanation: %c a cell, %C a set of cells (a pointer), %d a digit, %D a set of digits, %h a house,
 * %u a number, %s a string, %e what the step strikes out. */
void finder_say(const finder *f, const char *format, ...);

/* ---- Looking around ---------------------------------------------------------------------------- */

static inline cellset finder_places(const finder *f, unsigned house, unsigned digit)
{
    return cellset_and(f->marks->places[digit], f->shape->house_set[house]);
}

static inline unsigned finder_candidate_count(const finder *f, unsigned cell)
{
    return (unsigned)__builtin_popcount(f->marks->candidates[cell]);
}

/* Cells that see each cell of a set, which is not empty. */
cellset finder_common_peers(const finder *f, cellset cells);
/* Empty cells with exactly two candidates. */
cellset finder_pairs(const finder *f);

/* The next set of `size` out of `count` things in the order of combinations; false past the last one. Begin with
 * combination_first. */
static inline void combination_first(unsigned size, unsigned chosen[])
{
    for (unsigned i = 0; i < size; i++)
        chosen[i] = i;
}
bool combination_next(unsigned size, unsigned count, unsigned chosen[]);

#endif
