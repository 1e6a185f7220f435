/* SPDX-License-Identifier: MIT */

/* The last resort: suppositions followed to their end. The nested kind goes as deep as it takes, so that every puzzle
 * with one solution can be solved. */

#include "games/sudoku/techniques/assume.h"

#include <string.h>

/* ---- Contradictions ---------------------------------------------------------------------------- */

static void say_contradiction(const finder *f, const assumption *a, const needed_facts needed,
                              unsigned length)
{
    assume_fact first = a->facts[0];
    finder_drop(f, first.cell, first.digit);
    finder_mark(f, first.cell, first.digit, HOLOS_ROLE_OTHER);
    for (unsigned i = 1; i < a->count; i++)
        if (needed[i])
            finder_mark(f, a->facts[i].cell, a->facts[i].digit, HOLOS_ROLE_PATTERN);
    if (a->end == ASSUME_NO_PLACE)
        step_house(f->step, a->house);
    f->step->rating += step_length_rating(length);
    finder_say(f, "Suppose that %c holds %d.", (unsigned)first.cell, (unsigned)first.digit);
    if (length > 1) {
        finder_say(f, " Then ");
        assume_say(f, a, needed);
        finder_say(f, ".");
    }
    finder_say(f, " But then ");
    assume_say_end(f, a);
    finder_say(f, ". So %e.");
}

/* The supposition that fails soonest. */
static bool find_shortest(const finder *f, bool only_digit)
{
    assumption a;
    needed_facts needed;
    unsigned shortest = UINT32_MAX, best_cell = 0, best_digit = 0;
    CELLSET_EACH(cell, f->marks->empty)
    {
        for (unsigned rest = f->marks->candidates[cell]; rest != 0; rest &= rest - 1) {
            unsigned digit = (unsigned)__builtin_ctz(rest);
            if (assume(f->shape, f->marks, cell, digit, only_digit, &a))
                continue;
            unsigned length = assume_why_not(f->shape, &a, needed);
            if (length < shortest) {
                shortest = length;
                best_cell = cell;
                best_digit = digit;
            }
        }
    }
    if (shortest == UINT32_MAX)
        return false;
    assume(f->shape, f->marks, best_cell, best_digit, only_digit, &a);
    assume_why_not(f->shape, &a, needed);
    say_contradiction(f, &a, needed, shortest);
    return true;
}

bool find_nishio(const finder *f, unsigned size)
{
    (void)size;
    return find_shortest(f, true);
}

bool find_contradiction(const finder *f, unsigned size)
{
    (void)size;
    return find_shortest(f, false);
}

/* ---- The same in every case -------------------------------------------------------------------- */

#define CASES_MOST 4

typedef struct cases {
    unsigned count;
    assumption of[CASES_MOST];
} cases;

/* What follows in every case: that a cell holds a digit, or that it does not. */
typedef struct consequence {
    unsigned cell, digit;
    bool holds;
    unsigned length; /* facts that it rests on, in all cases */
} consequence;

static void consequence_weigh(const finder *f, const cases *c, unsigned cell, unsigned digit, bool holds,
                              consequence *best)
{
    needed_facts needed;
    unsigned length = 0;
    for (unsigned i = 0; i < c->count; i++)
        length += holds ? assume_why_there(f->shape, &c->of[i], cell, needed)
                        : assume_why_gone(f->shape, &c->of[i], cell, digit, needed);
    if (holds == best->holds ? length < best->length : holds)
        *best = (consequence){.cell = cell, .digit = digit, .holds = holds, .length = length};
}

/* The shortest consequence; one that fills a cell is worth more. */
static bool find_consequence(const finder *f, const cases *c, consequence *best)
{
    *best = (consequence){.length = UINT32_MAX};
    CELLSET_EACH(cell, f->marks->empty)
    {
        unsigned value = c->of[0].marks.values[cell], gone = f->marks->candidates[cell];
        for (unsigned i = 0; i < c->count; i++) {
            const sudoku_marks *m = &c->of[i].marks;
            value = m->values[cell] == value ? value : 0;
            gone &=
                ~(unsigned)m->candidates[cell] & ~(m->values[cell] != 0 ? 1u << (m->values[cell] - 1) : 0);
        }
        if (value != 0)
            consequence_weigh(f, c, cell, value - 1, true, best);
        for (; gone != 0 && !best->holds; gone &= gone - 1)
            consequence_weigh(f, c, cell, (unsigned)__builtin_ctz(gone), false, best);
    }
    return best->length < UINT32_MAX;
}

static void say_case(const finder *f, const assumption *a, const consequence *result)
{
    needed_facts needed;
    assume_fact first = a->facts[0];
    unsigned length = result->holds ? assume_why_there(f->shape, a, result->cell, needed)
                                    : assume_why_gone(f->shape, a, result->cell, result->digit, needed);
    finder_mark(f, first.cell, first.digit, HOLOS_ROLE_OTHER);
    for (unsigned i = 1; i < a->count; i++)
        if (needed[i])
            finder_mark(f, a->facts[i].cell, a->facts[i].digit, HOLOS_ROLE_PATTERN);
    finder_say(f, "\nIf %c=%d: ", (unsigned)first.cell, (unsigned)first.digit);
    assume_say(f, a, needed);
    if (!result->holds)
        finder_say(f, "%s%c does not hold %d", length > 1 ? ", so " : "", result->cell, result->digit);
    else if (length == 1)
        finder_say(f, "that is it");
    finder_say(f, ".");
}

static void say_cases(const finder *f, const cases *c, const consequence *result)
{
    for (unsigned i = 0; i < c->count; i++)
        say_case(f, &c->of[i], result);
    if (result->holds)
        finder_place(f, result->cell, result->digit);
    else
        finder_drop(f, result->cell, result->digit);
    f->step->rating += step_length_rating(result->length);
    if (result->holds)
        finder_say(f, "\nSo %c holds %d in every case.", result->cell, result->digit);
    else
        finder_say(f, "\nSo in every case %e.");
}

/* Adds a case; false if it contradicts itself, which is for another technique to say. */
static bool cases_add(const finder *f, cases *c, unsigned cell, unsigned digit)
{
    return assume(f->shape, f->marks, cell, digit, false, &c->of[c->count++]);
}

static bool try_cell(const finder *f, cases *c, unsigned cell)
{
    consequence result;
    c->count = 0;
    for (unsigned rest = f->marks->candidates[cell]; rest != 0; rest &= rest - 1)
        if (!cases_add(f, c, cell, (unsigned)__builtin_ctz(rest)))
            return false;
    if (!find_consequence(f, c, &result))
        return false;
    finder_say(f, "%c holds one of %D.", cell, (unsigned)f->marks->candidates[cell]);
    say_cases(f, c, &result);
    return true;
}

bool find_cell_forcing(const finder *f, unsigned size)
{
    cases c;
    for (size = 2; size <= CASES_MOST; size++)
        CELLSET_EACH(cell, f->marks->empty)
    if (finder_candidate_count(f, cell) == size && try_cell(f, &c, cell))
        return true;
    return false;
}

static bool try_house(const finder *f, cases *c, unsigned house, unsigned digit, cellset places)
{
    consequence result;
    c->count = 0;
    CELLSET_EACH(cell, places)
    if (!cases_add(f, c, cell, digit))
        return false;
    if (!find_consequence(f, c, &result))
        return false;
    step_house(f->step, house);
    finder_say(f, "In %h, %d goes in one of %C.", house, digit, &places);
    say_cases(f, c, &result);
    return true;
}

bool find_house_forcing(const finder *f, unsigned size)
{
    cases c;
    for (size = 2; size <= CASES_MOST; size++) {
        for (unsigned house = 0; house < f->shape->houses; house++) {
            for (unsigned digit = 0; digit < f->shape->size; digit++) {
                cellset places = finder_places(f, house, digit);
                if (cellset_count(places) == size && try_house(f, &c, house, digit, places))
                    return true;
            }
        }
    }
    return false;
}

/* ---- Contradictions within contradictions ------------------------------------------------------ */

#define NESTED_DEPTH 8

/* The candidates that a nested search ruled out under its supposition. */
typedef struct struck {
    assume_fact list[SHAPE_CELLS * SHAPE_DIGITS];
    unsigned count;
} struck;

static bool refute(const finder *f, const sudoku_marks *before, unsigned cell, unsigned digit, unsigned depth,
                   struck *out);

/* Rules out what it can by suppositions of less depth. True: nothing can be right. */
static bool refute_all(const finder *f, sudoku_marks *m, unsigned depth, struck *out)
{
    const sudoku_shape *shape = f->shape;
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned size = 2; size <= shape->size && !changed; size++) {
            CELLSET_EACH(cell, m->empty)
            {
                if ((unsigned)__builtin_popcount(m->candidates[cell]) != size)
                    continue;
                for (unsigned rest = m->candidates[cell]; rest != 0; rest &= rest - 1) {
                    unsigned digit = (unsigned)__builtin_ctz(rest);
                    if (!marks_may(m, cell, digit) || !refute(f, m, cell, digit, depth, NULL))
                        continue;
                    if (out != NULL)
                        out->list[out->count++] =
                            (assume_fact){.cell = (uint16_t)cell, .digit = (uint8_t)digit};
                    marks_drop(m, cell, digit);
                    changed = true;
                    if (!settle(shape, m))
                        return true;
                }
            }
        }
    }
    return false;
}

static bool refute(const finder *f, const sudoku_marks *before, unsigned cell, unsigned digit, unsigned depth,
                   struck *out)
{
    sudoku_marks m = *before;
    if (!limits_check(f->limits))
        return false;
    marks_place(f->shape, &m, cell, digit);
    if (!settle(f->shape, &m))
        return true;
    return depth > 0 && refute_all(f, &m, depth - 1, out);
}

static void say_nested(const finder *f, unsigned cell, unsigned digit, const struck *out)
{
    finder_drop(f, cell, digit);
    finder_mark(f, cell, digit, HOLOS_ROLE_OTHER);
    finder_say(f,
               "Suppose that %c holds %d. Then each of these in turn fails by itself and is struck: ", cell,
               digit);
    for (unsigned i = 0; i < out->count; i++) {
        finder_mark(f, out->list[i].cell, out->list[i].digit, HOLOS_ROLE_OTHER);
        finder_say(f, "%s%c=%d", i > 0 ? ", " : "", (unsigned)out->list[i].cell,
                   (unsigned)out->list[i].digit);
    }
    finder_say(f, ". What is left contradicts itself. So %e.");
}

bool find_nested(const finder *f, unsigned size)
{
    struck out;
    for (unsigned depth = 1; depth <= NESTED_DEPTH; depth++) {
        for (size = 2; size <= f->shape->size; size++) {
            CELLSET_EACH(cell, f->marks->empty)
            {
                if (finder_candidate_count(f, cell) != size)
                    continue;
                for (unsigned rest = f->marks->candidates[cell]; rest != 0; rest &= rest - 1) {
                    unsigned digit = (unsigned)__builtin_ctz(rest);
                    out.count = 0;
                    if (!refute(f, f->marks, cell, digit, depth, &out))
                        continue;
                    f->step->rating += 5 * (depth - 1) + step_length_rating(out.count);
                    say_nested(f, cell, digit, &out);
                    return true;
                }
            }
        }
    }
    return false;
}
