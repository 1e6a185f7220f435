/* SPDX-License-Identifier: MIT */

#include "games/sudoku/techniques/assume.h"

#include <string.h>

static bool fail_cell(assumption *a, unsigned cell)
{
    a->end = ASSUME_NO_CANDIDATE;
    a->cell = cell;
    return false;
}

static bool fail_house(assumption *a, unsigned house, unsigned digit)
{
    a->end = ASSUME_NO_PLACE;
    a->house = house;
    a->digit = digit;
    return false;
}

static void conclude(assumption *a, unsigned cell, unsigned digit, fact_reason reason, unsigned house)
{
    if (a->queued[cell] != 0)
        return; /* the same, or what contradicts it will show */
    a->queued[cell] = (uint16_t)(digit + 1);
    a->facts[a->count++] = (assume_fact){
        .cell = (uint16_t)cell, .digit = (uint8_t)digit, .reason = (uint8_t)reason, .house = (uint8_t)house};
}

/* What the places of a digit in some houses show. */
static bool look_at_houses(const sudoku_shape *shape, assumption *a, uint64_t houses, unsigned digit)
{
    for (; houses != 0; houses &= houses - 1) {
        unsigned house = (unsigned)__builtin_ctzll(houses);
        if ((a->marks.placed[house] >> digit & 1) != 0)
            continue;
        cellset places = cellset_and(a->marks.places[digit], shape->house_set[house]);
        unsigned few = cellset_few(places);
        if (few == 0)
            return fail_house(a, house, digit);
        if (few == 1)
            conclude(a, cellset_first(&places), digit, FACT_LAST_PLACE, house);
    }
    return true;
}

/* The digit leaves the cells that see it. */
static bool follow_digit(const sudoku_shape *shape, assumption *a, unsigned index)
{
    unsigned digit = a->facts[index].digit;
    uint64_t touched = 0;
    CELLSET_EACH(peer, cellset_and(shape->peers[a->facts[index].cell], a->marks.places[digit]))
    {
        marks_drop(&a->marks, peer, digit);
        a->removed_by[peer][digit] = (uint16_t)index;
        touched |= shape->houses_of[peer];
        unsigned left = a->marks.candidates[peer];
        if (a->only_digit)
            continue;
        if (left == 0)
            return fail_cell(a, peer);
        if ((left & (left - 1)) == 0)
            conclude(a, peer, (unsigned)__builtin_ctz(left), FACT_LAST_CANDIDATE, 0);
    }
    return look_at_houses(shape, a, touched, digit);
}

/* The other digits leave the cell. */
static bool follow_cell(const sudoku_shape *shape, assumption *a, unsigned index, unsigned others)
{
    unsigned cell = a->facts[index].cell;
    for (; others != 0; others &= others - 1) {
        unsigned digit = (unsigned)__builtin_ctz(others);
        a->removed_by[cell][digit] = (uint16_t)index;
        if (!a->only_digit && !look_at_houses(shape, a, shape->houses_of[cell], digit))
            return false;
    }
    return true;
}

static bool follow(const sudoku_shape *shape, assumption *a, unsigned index)
{
    assume_fact fact = a->facts[index];
    if (!marks_may(&a->marks, fact.cell, fact.digit)) /* it was when this was concluded */
        return fact.reason == FACT_LAST_PLACE ? fail_house(a, fact.house, fact.digit)
                                              : fail_cell(a, fact.cell);
    unsigned others = a->marks.candidates[fact.cell] & ~(1u << fact.digit);
    for (unsigned rest = a->marks.candidates[fact.cell]; rest != 0; rest &= rest - 1)
        cellset_remove(&a->marks.places[__builtin_ctz(rest)], fact.cell);
    a->marks.candidates[fact.cell] = 0;
    a->marks.values[fact.cell] = (uint8_t)(fact.digit + 1);
    cellset_remove(&a->marks.empty, fact.cell);
    for (uint64_t houses = shape->houses_of[fact.cell]; houses != 0; houses &= houses - 1)
        a->marks.placed[__builtin_ctzll(houses)] |= (uint16_t)(1u << fact.digit);
    return follow_digit(shape, a, index) && follow_cell(shape, a, index, others);
}

bool assume(const sudoku_shape *shape, const sudoku_marks *before, unsigned cell, unsigned digit,
            bool only_digit, assumption *out)
{
    out->before = before;
    out->marks = *before;
    out->count = 0;
    out->end = ASSUME_FINE;
    out->only_digit = only_digit;
    memset(out->queued, 0, sizeof out->queued);
    conclude(out, cell, digit, FACT_ASSUMED, 0);
    for (unsigned i = 0; i < out->count; i++)
        if (!follow(shape, out, i))
            return false;
    return true;
}

/* ---- Why --------------------------------------------------------------------------------------- */

/* All that keeps a cell from holding anything but `digit` (from anything at all: SHAPE_DIGITS). */
static void need_cell(const assumption *a, unsigned cell, unsigned digit, needed_facts needed)
{
    for (unsigned rest = a->before->candidates[cell]; rest != 0; rest &= rest - 1) {
        unsigned other = (unsigned)__builtin_ctz(rest);
        if (other != digit)
            needed[a->removed_by[cell][other]] = true;
    }
}

/* All that keeps a digit from the places of a house but `cell` (from all: SHAPE_CELLS). */
static void need_house(const sudoku_shape *shape, const assumption *a, unsigned house, unsigned digit,
                       unsigned cell, needed_facts needed)
{
    CELLSET_EACH(place, cellset_and(a->before->places[digit], shape->house_set[house]))
    if (place != cell)
        needed[a->removed_by[place][digit]] = true;
}

/* Adds what the facts that are needed rest on; a fact rests on earlier ones. */
static unsigned need_all(const sudoku_shape *shape, const assumption *a, needed_facts needed)
{
    unsigned count = 0;
    for (unsigned i = a->count; i-- > 0;) {
        const assume_fact *fact = &a->facts[i];
        if (!needed[i])
            continue;
        count++;
        if (fact->reason == FACT_LAST_CANDIDATE)
            need_cell(a, fact->cell, fact->digit, needed);
        else if (fact->reason == FACT_LAST_PLACE)
            need_house(shape, a, fact->house, fact->digit, fact->cell, needed);
    }
    return count;
}

unsigned assume_why_not(const sudoku_shape *shape, const assumption *a, needed_facts needed)
{
    memset(needed, 0, sizeof(needed_facts));
    if (a->end == ASSUME_NO_CANDIDATE)
        need_cell(a, a->cell, SHAPE_DIGITS, needed);
    else
        need_house(shape, a, a->house, a->digit, SHAPE_CELLS, needed);
    return need_all(shape, a, needed);
}

unsigned assume_why_gone(const sudoku_shape *shape, const assumption *a, unsigned cell, unsigned digit,
                         needed_facts needed)
{
    memset(needed, 0, sizeof(needed_facts));
    needed[a->removed_by[cell][digit]] = true;
    return need_all(shape, a, needed);
}

unsigned assume_why_there(const sudoku_shape *shape, const assumption *a, unsigned cell, needed_facts needed)
{
    memset(needed, 0, sizeof(needed_facts));
    for (unsigned i = 0; i < a->count; i++)
        needed[i] = a->facts[i].cell == cell;
    return need_all(shape, a, needed);
}

void assume_say(const finder *f, const assumption *a, const needed_facts needed)
{
    bool first = true;
    for (unsigned i = 1; i < a->count; i++) {
        const assume_fact *fact = &a->facts[i];
        if (!needed[i])
            continue;
        finder_say(f, "%s%c=%d", first ? "" : ", ", (unsigned)fact->cell, (unsigned)fact->digit);
        if (fact->reason == FACT_LAST_PLACE)
            finder_say(f, " (last place in %h)", (unsigned)fact->house);
        else
            finder_say(f, " (last candidate)");
        first = false;
    }
}

void assume_say_end(const finder *f, const assumption *a)
{
    if (a->end == ASSUME_NO_CANDIDATE)
        finder_say(f, "%c has no candidate left", a->cell);
    else
        finder_say(f, "%h has no place for %d", a->house, a->digit);
}

/* ---- Singles ----------------------------------------------------------------------------------- */

/* Fills in the singles it sees in one pass; *changed tells if there were any. */
static bool settle_pass(const sudoku_shape *shape, sudoku_marks *m, bool *changed)
{
    CELLSET_EACH(cell, m->empty)
    {
        unsigned left = m->candidates[cell];
        if (left == 0)
            return false;
        if ((left & (left - 1)) == 0) {
            marks_place(shape, m, cell, (unsigned)__builtin_ctz(left));
            *changed = true;
        }
    }
    for (unsigned house = 0; house < shape->houses; house++) {
        for (unsigned rest = shape->all & ~(unsigned)m->placed[house]; rest != 0; rest &= rest - 1) {
            unsigned digit = (unsigned)__builtin_ctz(rest);
            cellset places = cellset_and(m->places[digit], shape->house_set[house]);
            unsigned few = cellset_few(places);
            if (few == 0)
                return false;
            if (few == 1) {
                marks_place(shape, m, cellset_first(&places), digit);
                *changed = true;
            }
        }
    }
    return true;
}

bool settle(const sudoku_shape *shape, sudoku_marks *marks)
{
    bool changed = true;
    while (changed) {
        changed = false;
        if (!settle_pass(shape, marks, &changed))
            return false;
    }
    return true;
}
