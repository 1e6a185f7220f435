/* SPDX-License-Identifier: MIT */

/* A few cells with two or three candidates that hang together. */

#include "games/sudoku/techniques/finder.h"

/* What the pincers (and perhaps the pivot) see together loses the digit that one of them holds. */
static bool wing_strike(const finder *f, unsigned pivot, cellset holders, unsigned digit)
{
    finder_drop_all(f, finder_common_peers(f, holders), digit);
    if (!step_found(f->step))
        return false;
    finder_mark_digits(f, pivot, f->marks->candidates[pivot] & ~(1u << digit), HOLOS_ROLE_OTHER);
    CELLSET_EACH(cell, holders)
    {
        finder_mark(f, cell, digit, HOLOS_ROLE_PATTERN);
        if (cell != pivot)
            finder_mark_digits(f, cell, f->marks->candidates[cell] & ~(1u << digit), HOLOS_ROLE_OTHER);
    }
    return true;
}

bool find_xy_wing(const finder *f, unsigned size)
{
    (void)size;
    cellset pairs = finder_pairs(f);
    CELLSET_EACH(pivot, pairs)
    {
        unsigned own = f->marks->candidates[pivot], low = own & -own;
        cellset near = cellset_and(pairs, f->shape->peers[pivot]);
        CELLSET_EACH(first, near)
        {
            unsigned third = f->marks->candidates[first] & ~own;
            if ((f->marks->candidates[first] & own) != low || third == 0)
                continue;
            CELLSET_EACH(second, near)
            {
                if (f->marks->candidates[second] != ((own & ~low) | third))
                    continue;
                unsigned digit = (unsigned)__builtin_ctz(third), x = (unsigned)__builtin_ctz(low);
                cellset pincers = {{0}};
                cellset_add(&pincers, first);
                cellset_add(&pincers, second);
                if (!wing_strike(f, pivot, pincers, digit))
                    continue;
                finder_say(
                    f,
                    "If %c holds %d, %c must hold %d; if it holds %D, %c must. So one of %C holds %d, and "
                    "%e.",
                    pivot, x, first, digit, own & ~low, second, &pincers, digit);
                return true;
            }
        }
    }
    return false;
}

bool find_xyz_wing(const finder *f, unsigned size)
{
    (void)size;
    cellset pairs = finder_pairs(f);
    CELLSET_EACH(pivot, f->marks->empty)
    {
        unsigned own = f->marks->candidates[pivot];
        if (finder_candidate_count(f, pivot) != 3)
            continue;
        cellset near = cellset_and(pairs, f->shape->peers[pivot]);
        CELLSET_EACH(first, near)
        {
            if ((f->marks->candidates[first] & ~own) != 0)
                continue;
            CELLSET_EACH(second, near)
            {
                unsigned shared = f->marks->candidates[first] & f->marks->candidates[second];
                if (second <= first || (f->marks->candidates[second] & ~own) != 0 ||
                    __builtin_popcount(shared) != 1)
                    continue;
                unsigned digit = (unsigned)__builtin_ctz(shared);
                cellset holders = {{0}};
                cellset_add(&holders, pivot);
                cellset_add(&holders, first);
                cellset_add(&holders, second);
                if (!wing_strike(f, pivot, holders, digit))
                    continue;
                finder_say(
                    f,
                    "%c holds %D. With either of the digits other than %d, one of the pincers %c and %c is "
                    "left with %d. So one of %C holds %d, and %e.",
                    pivot, own, digit, first, second, digit, &holders, digit);
                return true;
            }
        }
    }
    return false;
}

/* The house that ties two cells by a digit: its two places see one of the cells each. SHAPE_HOUSES if none. */
static unsigned find_tie(const finder *f, unsigned a, unsigned b, unsigned digit, cellset *tie)
{
    for (unsigned house = 0; house < f->shape->houses; house++) {
        *tie = finder_places(f, house, digit);
        if (cellset_has(tie, a) || cellset_has(tie, b) || cellset_count(*tie) != 2)
            continue;
        cellset rest = *tie;
        unsigned x = cellset_take(&rest), y = cellset_first(&rest);
        if ((shape_sees(f->shape, x, a) && shape_sees(f->shape, y, b)) ||
            (shape_sees(f->shape, x, b) && shape_sees(f->shape, y, a)))
            return house;
    }
    return SHAPE_HOUSES;
}

static bool w_wing(const finder *f, unsigned a, unsigned b, unsigned link)
{
    cellset ends = {{0}}, tie;
    unsigned digit = (unsigned)__builtin_ctz(f->marks->candidates[a] & ~(1u << link));
    cellset_add(&ends, a);
    cellset_add(&ends, b);
    if (cellset_is_empty(cellset_and(finder_common_peers(f, ends), f->marks->places[digit])))
        return false;
    unsigned house = find_tie(f, a, b, link, &tie);
    if (house == SHAPE_HOUSES)
        return false;
    finder_drop_all(f, finder_common_peers(f, ends), digit);
    CELLSET_EACH(cell, ends)
    {
        finder_mark(f, cell, digit, HOLOS_ROLE_PATTERN);
        finder_mark(f, cell, link, HOLOS_ROLE_OTHER);
    }
    CELLSET_EACH(cell, tie)
    finder_mark(f, cell, link, HOLOS_ROLE_OTHER);
    step_house(f->step, house);
    finder_say(f,
               "%C have the candidates %D only. In %h, %d goes in %C, so they cannot both hold %d: one of "
               "them holds "
               "%d, and %e.",
               &ends, (unsigned)f->marks->candidates[a], house, link, &tie, link, digit);
    return true;
}

bool find_w_wing(const finder *f, unsigned size)
{
    (void)size;
    cellset pairs = finder_pairs(f);
    CELLSET_EACH(a, pairs)
    CELLSET_EACH(b, cellset_minus(pairs, f->shape->peers[a]))
    {
        if (b <= a || f->marks->candidates[a] != f->marks->candidates[b])
            continue;
        for (unsigned links = f->marks->candidates[a]; links != 0; links &= links - 1)
            if (w_wing(f, a, b, (unsigned)__builtin_ctz(links)))
                return true;
    }
    return false;
}
