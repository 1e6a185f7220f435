/* SPDX-License-Identifier: MIT */

/* What follows within a house, and where two houses cross. */

#include "games/sudoku/techniques/finder.h"

static bool is_line(const finder *f, unsigned house)
{
    return f->shape->kind[house] == HOUSE_ROW || f->shape->kind[house] == HOUSE_COLUMN;
}

/* With diagonals or windows, a cell may see all places of a digit though they share no second house. */
static bool find_crossed_by(const finder *f, unsigned house, unsigned digit, cellset places)
{
    cellset seeing = cellset_minus(finder_common_peers(f, places), f->shape->house_set[house]);
    finder_drop_all(f, seeing, digit);
    if (!step_found(f->step))
        return false;
    CELLSET_EACH(cell, places)
    finder_mark(f, cell, digit, HOLOS_ROLE_PATTERN);
    step_house(f->step, house);
    seeing = cellset_and(seeing, f->marks->places[digit]);
    finder_say(f, "In %h, %d can only go in %C, and %C %s all of them. So %e.", house, digit, &places,
               &seeing, cellset_count(seeing) == 1 ? "sees" : "see");
    return true;
}

static bool find_locked_in(const finder *f, unsigned house, unsigned digit)
{
    cellset places = finder_places(f, house, digit);
    if (cellset_few(places) < 2)
        return false;
    uint64_t shared = f->shape->houses_of[cellset_first(&places)] & ~((uint64_t)1 << house);
    CELLSET_EACH(cell, places)
    shared &= f->shape->houses_of[cell];
    for (; shared != 0; shared &= shared - 1) {
        unsigned other = (unsigned)__builtin_ctzll(shared);
        finder_drop_all(f, cellset_minus(f->shape->house_set[other], places), digit);
        if (!step_found(f->step))
            continue;
        CELLSET_EACH(cell, places)
        finder_mark(f, cell, digit, HOLOS_ROLE_PATTERN);
        step_house(f->step, house);
        step_house(f->step, other);
        finder_say(f, "In %h, %d can only go in %C, all of them in %h. So the %d of %h is there, and %e.",
                   house, digit, &places, other, digit, other);
        return true;
    }
    return find_crossed_by(f, house, digit, places);
}

/* `size` 1: from a box (or a window) into what crosses it; 0: from a line into a box. */
bool find_locked(const finder *f, unsigned size)
{
    for (unsigned house = 0; house < f->shape->houses; house++)
        if (is_line(f, house) == (size == 0))
            for (unsigned digit = 0; digit < f->shape->size; digit++)
                if (find_locked_in(f, house, digit))
                    return true;
    return false;
}

static const char *const number_words[] = {"no", "one", "two", "three", "four"};

static bool naked_subset(const finder *f, unsigned house, cellset subset, unsigned digits)
{
    uint64_t houses = f->shape->houses_of[cellset_first(&subset)];
    CELLSET_EACH(cell, subset)
    houses &= f->shape->houses_of[cell];
    /* The digits leave every house that holds the whole subset: two houses may, where a line crosses a box. */
    cellset around = {{0}}, struck = {{0}};
    for (uint64_t rest = houses; rest != 0; rest &= rest - 1)
        around = cellset_or(around, f->shape->house_set[__builtin_ctzll(rest)]);
    for (unsigned rest = digits; rest != 0; rest &= rest - 1)
        finder_drop_all(f, cellset_minus(around, subset), (unsigned)__builtin_ctz(rest));
    if (!step_found(f->step))
        return false;
    for (unsigned i = 0; i < f->step->elimination_count; i++)
        cellset_add(&struck, f->step->eliminations[i].cell);
    uint64_t cleared = 0;
    for (uint64_t rest = houses; rest != 0; rest &= rest - 1)
        if (!cellset_is_empty(cellset_and(struck, f->shape->house_set[__builtin_ctzll(rest)])))
            cleared |= rest & -rest;
    CELLSET_EACH(cell, subset)
    finder_mark_digits(f, cell, digits, HOLOS_ROLE_PATTERN);
    if ((cleared >> house & 1) == 0)
        house = (unsigned)__builtin_ctzll(cleared);
    for (uint64_t rest = cleared; rest != 0; rest &= rest - 1)
        step_house(f->step, (unsigned)__builtin_ctzll(rest));
    finder_say(f, "In %h, %C have only %D between them: these %s digits are theirs", house, &subset, digits,
               number_words[cellset_count(subset)]);
    for (uint64_t rest = cleared & ~((uint64_t)1 << house); rest != 0; rest &= rest - 1)
        finder_say(f, ", in %h, too", (unsigned)__builtin_ctzll(rest));
    finder_say(f, ". So %e.");
    return true;
}

static bool naked_subset_in(const finder *f, unsigned house, unsigned size)
{
    unsigned cells[SHAPE_DIGITS], count = 0, chosen[4];
    CELLSET_EACH(cell, cellset_and(f->marks->empty, f->shape->house_set[house]))
    if (finder_candidate_count(f, cell) <= size)
        cells[count++] = cell;
    if (count < size)
        return false;
    combination_first(size, chosen);
    do {
        cellset subset = {{0}};
        unsigned digits = 0;
        for (unsigned i = 0; i < size; i++) {
            digits |= f->marks->candidates[cells[chosen[i]]];
            cellset_add(&subset, cells[chosen[i]]);
        }
        if ((unsigned)__builtin_popcount(digits) == size && naked_subset(f, house, subset, digits))
            return true;
    } while (combination_next(size, count, chosen));
    return false;
}

bool find_naked_subset(const finder *f, unsigned size)
{
    for (unsigned house = 0; house < f->shape->houses; house++)
        if (naked_subset_in(f, house, size))
            return true;
    return false;
}

static bool hidden_subset(const finder *f, unsigned house, cellset cells, unsigned digits)
{
    CELLSET_EACH(cell, cells)
    for (unsigned rest = f->marks->candidates[cell] & ~digits; rest != 0; rest &= rest - 1)
        finder_drop(f, cell, (unsigned)__builtin_ctz(rest));
    if (!step_found(f->step))
        return false;
    CELLSET_EACH(cell, cells)
    finder_mark_digits(f, cell, digits, HOLOS_ROLE_PATTERN);
    step_house(f->step, house);
    finder_say(f, "In %h, %D have only %C between them: nothing else fits there. So %e.", house, digits,
               &cells);
    return true;
}

static bool hidden_subset_in(const finder *f, unsigned house, unsigned size)
{
    unsigned digits[SHAPE_DIGITS], count = 0, chosen[4];
    cellset places[SHAPE_DIGITS];
    for (unsigned digit = 0; digit < f->shape->size; digit++) {
        places[count] = finder_places(f, house, digit);
        unsigned room = cellset_count(places[count]);
        if (room >= 1 && room <= size)
            digits[count++] = digit;
    }
    if (count < size)
        return false;
    combination_first(size, chosen);
    do {
        cellset cells = {{0}};
        unsigned set = 0;
        for (unsigned i = 0; i < size; i++) {
            cells = cellset_or(cells, places[chosen[i]]);
            set |= 1u << digits[chosen[i]];
        }
        if (cellset_count(cells) == size && hidden_subset(f, house, cells, set))
            return true;
    } while (combination_next(size, count, chosen));
    return false;
}

bool find_hidden_subset(const finder *f, unsigned size)
{
    for (unsigned house = 0; house < f->shape->houses; house++)
        if (hidden_subset_in(f, house, size))
            return true;
    return false;
}
