/* SPDX-License-Identifier: MIT */

/* What follows from there being one solution only: whatever could be swapped for a second one is not there. The
 * engine asks for these only where one solution has been shown; and they hold only where rows, columns and boxes
 * are all there is. */

#include "games/sudoku/techniques/finder.h"

/* Four empty cells in two rows, two columns and two boxes that may all hold the same two digits. */
typedef struct rectangle {
    unsigned corners[4];
    unsigned pair;
    cellset all, roof; /* the roof: the corners with further candidates */
    unsigned extras;   /* those candidates */
    unsigned roof_count;
} rectangle;

static void rectangle_say(const finder *f, const rectangle *r)
{
    CELLSET_EACH(cell, r->all)
    finder_mark_digits(f, cell, r->pair, HOLOS_ROLE_PATTERN);
    CELLSET_EACH(cell, r->roof)
    finder_mark_digits(f, cell, r->extras, HOLOS_ROLE_OTHER);
    finder_say(
        f, "The puzzle has one solution. If %C held only %D, these could be swapped and there would be two. ",
        &r->all, r->pair);
}

static bool rectangle_one(const finder *f, const rectangle *r)
{
    if (r->roof_count != 1)
        return false;
    unsigned corner = cellset_first(&r->roof);
    for (unsigned rest = r->pair; rest != 0; rest &= rest - 1)
        finder_drop(f, corner, (unsigned)__builtin_ctz(rest));
    rectangle_say(f, r);
    finder_say(f, "So %c holds something else: %e.", corner);
    return true;
}

static bool rectangle_two(const finder *f, const rectangle *r)
{
    if (r->roof_count < 2 || __builtin_popcount(r->extras) != 1)
        return false;
    unsigned digit = (unsigned)__builtin_ctz(r->extras);
    finder_drop_all(f, finder_common_peers(f, r->roof), digit);
    if (!step_found(f->step))
        return false;
    rectangle_say(f, r);
    finder_say(f, "So one of %C holds %d: %e.", &r->roof, digit);
    return true;
}

/* Houses that hold both cells of the roof. */
static uint64_t roof_houses(const finder *f, const rectangle *r)
{
    uint64_t houses = ~(uint64_t)0;
    CELLSET_EACH(cell, r->roof)
    houses &= f->shape->houses_of[cell];
    return r->roof_count == 2 ? houses : 0;
}

/* The roof as one cell with the extras for candidates, and `size` - 1 further cells of the house. */
static bool rectangle_subset(const finder *f, const rectangle *r, unsigned house, unsigned size)
{
    unsigned cells[SHAPE_DIGITS], count = 0, chosen[4];
    CELLSET_EACH(cell, cellset_minus(cellset_and(f->marks->empty, f->shape->house_set[house]), r->roof))
    if (finder_candidate_count(f, cell) <= size)
        cells[count++] = cell;
    if (count < size - 1)
        return false;
    combination_first(size - 1, chosen);
    do {
        cellset others = {{0}};
        unsigned digits = r->extras;
        for (unsigned i = 0; i < size - 1; i++) {
            digits |= f->marks->candidates[cells[chosen[i]]];
            cellset_add(&others, cells[chosen[i]]);
        }
        if ((unsigned)__builtin_popcount(digits) != size)
            continue;
        cellset outside = cellset_minus(cellset_minus(f->shape->house_set[house], r->roof), others);
        for (unsigned rest = digits; rest != 0; rest &= rest - 1)
            finder_drop_all(f, outside, (unsigned)__builtin_ctz(rest));
        if (!step_found(f->step))
            continue;
        rectangle_say(f, r);
        CELLSET_EACH(cell, others)
        finder_mark_digits(f, cell, digits, HOLOS_ROLE_OTHER);
        step_house(f->step, house);
        finder_say(f, "So one of %C holds one of %D, and with %C it uses up %D in %h: %e.", &r->roof,
                   r->extras, &others, digits, house);
        return true;
    } while (combination_next(size - 1, count, chosen));
    return false;
}

static bool rectangle_three(const finder *f, const rectangle *r)
{
    for (uint64_t houses = roof_houses(f, r); houses != 0; houses &= houses - 1)
        for (unsigned size = 2; size <= 4; size++)
            if (rectangle_subset(f, r, (unsigned)__builtin_ctzll(houses), size))
                return true;
    return false;
}

static bool rectangle_four(const finder *f, const rectangle *r)
{
    for (uint64_t houses = roof_houses(f, r); houses != 0; houses &= houses - 1) {
        unsigned house = (unsigned)__builtin_ctzll(houses);
        for (unsigned rest = r->pair; rest != 0; rest &= rest - 1) {
            unsigned digit = (unsigned)__builtin_ctz(rest);
            unsigned other = (unsigned)__builtin_ctz(r->pair & ~(1u << digit));
            if (!cellset_is_empty(cellset_minus(finder_places(f, house, digit), r->roof)))
                continue;
            finder_drop_all(f, r->roof, other);
            rectangle_say(f, r);
            step_house(f->step, house);
            finder_say(f, "In %h, %d must be in one of %C, so neither of them may hold %d: %e.", house, digit,
                       &r->roof, other);
            return true;
        }
    }
    return false;
}

static bool rectangle_try(const finder *f, rectangle *r, unsigned type)
{
    static bool (*const types[])(const finder *, const rectangle *) = {rectangle_one, rectangle_two,
                                                                       rectangle_three, rectangle_four};
    r->all = r->roof = (cellset){{0}};
    r->extras = r->roof_count = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned extra = f->marks->candidates[r->corners[i]] & ~r->pair;
        cellset_add(&r->all, r->corners[i]);
        if (extra == 0)
            continue;
        cellset_add(&r->roof, r->corners[i]);
        r->roof_count++;
        r->extras |= extra;
    }
    return types[type - 1](f, r);
}

/* Every pair of digits that all four corners may hold. */
static bool rectangle_pairs(const finder *f, rectangle *r, unsigned type)
{
    unsigned common = f->shape->all;
    for (unsigned i = 0; i < 4; i++)
        common &= f->marks->candidates[r->corners[i]];
    for (unsigned first = common; first != 0; first &= first - 1) {
        for (unsigned second = first & (first - 1); second != 0; second &= second - 1) {
            r->pair = (first & -first) | (second & -second);
            if (rectangle_try(f, r, type))
                return true;
        }
    }
    return false;
}

bool find_rectangle(const finder *f, unsigned type)
{
    unsigned n = f->shape->size;
    if (!shape_is_plain(f->shape))
        return false;
    CELLSET_EACH(a, f->marks->empty)
    {
        for (unsigned column = shape_column(f->shape, a) + 1; column < n; column++) {
            for (unsigned row = shape_row(f->shape, a) + 1; row < n; row++) {
                unsigned b = a - a % n + column, c = row * n + a % n, d = row * n + column;
                bool beside = shape_box(f->shape, a) == shape_box(f->shape, b);
                bool above = shape_box(f->shape, a) == shape_box(f->shape, c);
                rectangle r = {.corners = {a, b, c, d}};
                if (beside != above && rectangle_pairs(f, &r, type))
                    return true;
            }
        }
    }
    return false;
}

/* Whether every digit has no place or two in each house, once the digit at the cell is left out. */
static bool bug_without(const finder *f, unsigned cell, unsigned digit)
{
    for (unsigned d = 0; d < f->shape->size; d++) {
        cellset places = f->marks->places[d];
        if (d == digit)
            cellset_remove(&places, cell);
        for (unsigned house = 0; house < f->shape->houses; house++) {
            unsigned room = cellset_count(cellset_and(places, f->shape->house_set[house]));
            if (room != 0 && room != 2)
                return false;
        }
    }
    return true;
}

bool find_bug(const finder *f, unsigned size)
{
    (void)size;
    cellset rest = cellset_minus(f->marks->empty, finder_pairs(f));
    if (!shape_is_plain(f->shape) || cellset_few(rest) != 1)
        return false;
    unsigned cell = cellset_first(&rest);
    if (finder_candidate_count(f, cell) != 3)
        return false;
    for (unsigned digits = f->marks->candidates[cell]; digits != 0; digits &= digits - 1) {
        unsigned digit = (unsigned)__builtin_ctz(digits);
        if (!bug_without(f, cell, digit))
            continue;
        finder_place(f, cell, digit);
        finder_mark(f, cell, digit, HOLOS_ROLE_PATTERN);
        finder_say(
            f,
            "The puzzle has one solution. Without %d in %c, all empty cells would have two candidates and "
            "all "
            "digits two places in each house: then there would be no solution or several. So %c holds %d.",
            digit, cell, cell, digit);
        return true;
    }
    return false;
}
