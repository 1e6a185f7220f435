/* SPDX-License-Identifier: MIT */

#include "games/sudoku/techniques/finder.h"

#include <stdarg.h>

/* ---- What a step says -------------------------------------------------------------------------- */

static holos_candidate candidate(unsigned cell, unsigned digit)
{
    return (holos_candidate){.cell = (uint16_t)cell, .value = (uint16_t)(digit + 1)};
}

void finder_place(const finder *f, unsigned cell, unsigned digit)
{
    if (f->step->placement_count < HOLOS_STEP_MOST)
        f->step->placements[f->step->placement_count++] = candidate(cell, digit);
}

void finder_drop(const finder *f, unsigned cell, unsigned digit)
{
    holos_step *step = f->step;
    if (!marks_may(f->marks, cell, digit) || step->elimination_count == HOLOS_STEP_MOST)
        return;
    for (unsigned i = 0; i < step->elimination_count; i++)
        if (step->eliminations[i].cell == cell && step->eliminations[i].value == digit + 1)
            return;
    step->eliminations[step->elimination_count++] = candidate(cell, digit);
}

void finder_drop_all(const finder *f, cellset cells, unsigned digit)
{
    CELLSET_EACH(cell, cellset_and(cells, f->marks->places[digit]))
    finder_drop(f, cell, digit);
}

void finder_mark(const finder *f, unsigned cell, unsigned digit, holos_role role)
{
    if (f->step->mark_count < HOLOS_STEP_MOST)
        f->step->marks[f->step->mark_count++] =
            (holos_mark){.candidate = candidate(cell, digit), .role = (uint8_t)role};
}

void finder_mark_digits(const finder *f, unsigned cell, unsigned digits, holos_role role)
{
    for (digits &= f->marks->candidates[cell]; digits != 0; digits &= digits - 1)
        finder_mark(f, cell, (unsigned)__builtin_ctz(digits), role);
}

void finder_house(const finder *f, unsigned house)
{
    if (f->step->house_count < HOLOS_STEP_HOUSES)
        f->step->houses[f->step->house_count++] = (uint16_t)house;
}

/* ---- Words ------------------------------------------------------------------------------------- */

static void say_between(text *t, unsigned index, unsigned count)
{
    if (index > 0)
        text_string(t, index + 1 == count ? " and " : ", ");
}

static void say_cells(const finder *f, cellset cells)
{
    unsigned count = cellset_count(cells), index = 0;
    CELLSET_EACH(cell, cells)
    {
        say_between(f->words, index++, count);
        shape_write_cell(f->shape, cell, f->words);
    }
}

static void say_digits(const finder *f, unsigned digits)
{
    unsigned count = (unsigned)__builtin_popcount(digits), index = 0;
    for (; digits != 0; digits &= digits - 1) {
        say_between(f->words, index++, count);
        text_char(f->words, shape_digit((unsigned)__builtin_ctz(digits) + 1));
    }
}

/* "5 can be struck from r1c2 and r3c4, 7 from r2c2" */
static void say_eliminations(const finder *f)
{
    bool first = true;
    for (unsigned digit = 0; digit < f->shape->size; digit++) {
        cellset cells = {{0}};
        for (unsigned i = 0; i < f->step->elimination_count; i++)
            if (f->step->eliminations[i].value == digit + 1)
                cellset_add(&cells, f->step->eliminations[i].cell);
        if (cellset_is_empty(cells))
            continue;
        text_printf(f->words, "%s%c%s from ", first ? "" : ", ", shape_digit(digit + 1),
                    first ? " can be struck" : "");
        say_cells(f, cells);
        first = false;
    }
}

void finder_say(const finder *f, const char *format, ...)
{
    if (f->words == NULL)
        return;
    va_list args;
    va_start(args, format);
    for (const char *s = format; *s != 0; s++) {
        if (*s != '%') {
            text_char(f->words, *s);
            continue;
        }
        switch (*++s) {
        case 'c':
            shape_write_cell(f->shape, va_arg(args, unsigned), f->words);
            break;
        case 'C':
            say_cells(f, *va_arg(args, const cellset *));
            break;
        case 'd':
            text_char(f->words, shape_digit(va_arg(args, unsigned) + 1));
            break;
        case 'D':
            say_digits(f, va_arg(args, unsigned));
            break;
        case 'h':
            shape_write_house(f->shape, va_arg(args, unsigned), f->words);
            break;
        case 'u':
            text_uint(f->words, va_arg(args, unsigned));
            break;
        case 's':
            text_string(f->words, va_arg(args, const char *));
            break;
        default: /* 'e' */
            say_eliminations(f);
        }
    }
    va_end(args);
}

/* ---- Looking around ---------------------------------------------------------------------------- */

cellset finder_common_peers(const finder *f, cellset cells)
{
    cellset common = f->shape->peers[cellset_take(&cells)];
    CELLSET_EACH(cell, cells)
    common = cellset_and(common, f->shape->peers[cell]);
    return common;
}

cellset finder_pairs(const finder *f)
{
    cellset pairs = {{0}};
    CELLSET_EACH(cell, f->marks->empty)
    {
        unsigned rest = f->marks->candidates[cell] & (f->marks->candidates[cell] - 1u);
        if (rest != 0 && (rest & (rest - 1)) == 0)
            cellset_add(&pairs, cell);
    }
    return pairs;
}

bool combination_next(unsigned size, unsigned count, unsigned chosen[])
{
    unsigned i = size;
    while (i > 0 && chosen[i - 1] == count - size + i - 1)
        i--;
    if (i == 0)
        return false;
    chosen[i - 1]++;
    for (; i < size; i++)
        chosen[i] = chosen[i - 1] + 1;
    return true;
}

unsigned finder_length_rating(unsigned length)
{
    static const unsigned steps[] = {4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256};
    unsigned harder = 0;
    while (harder < sizeof steps / sizeof *steps && length > steps[harder])
        harder++;
    return harder;
}
