/* SPDX-License-Identifier: MIT */

#include "games/sudoku/techniques/finder.h"

/* ---- What a step says -------------------------------------------------------------------------- */

static holos_candidate candidate(unsigned cell, unsigned digit)
{
    return (holos_candidate){.cell = (uint16_t)cell, .value = (uint16_t)(digit + 1)};
}

void finder_place(const finder *f, unsigned cell, unsigned digit)
{
    step_place(f->step, candidate(cell, digit));
}

void finder_drop(const finder *f, unsigned cell, unsigned digit)
{
    if (marks_may(f->marks, cell, digit))
        step_drop(f->step, candidate(cell, digit));
}

void finder_drop_all(const finder *f, cellset cells, unsigned digit)
{
    CELLSET_EACH(cell, cellset_and(cells, f->marks->places[digit]))
    finder_drop(f, cell, digit);
}

void finder_mark(const finder *f, unsigned cell, unsigned digit, holos_role role)
{
    step_mark(f->step, candidate(cell, digit), role);
}

void finder_mark_digits(const finder *f, unsigned cell, unsigned digits, holos_role role)
{
    for (digits &= f->marks->candidates[cell]; digits != 0; digits &= digits - 1)
        finder_mark(f, cell, (unsigned)__builtin_ctz(digits), role);
}

/* ---- Words ------------------------------------------------------------------------------------- */

static void say_cells(const finder *f, cellset cells)
{
    unsigned count = cellset_count(cells), index = 0;
    CELLSET_EACH(cell, cells)
    {
        text_string(f->words, say_between(index++, count));
        shape_write_cell(f->shape, cell, f->words);
    }
}

static void say_digits(const finder *f, unsigned digits)
{
    unsigned count = (unsigned)__builtin_popcount(digits), index = 0;
    for (; digits != 0; digits &= digits - 1) {
        text_string(f->words, say_between(index++, count));
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

static void say_one(const void *context, char letter, say_arguments *arguments)
{
    const finder *f = context;
    switch (letter) {
    case 'c':
        shape_write_cell(f->shape, va_arg(arguments->list, unsigned), f->words);
        break;
    case 'C':
        say_cells(f, *va_arg(arguments->list, const cellset *));
        break;
    case 'd':
        text_char(f->words, shape_digit(va_arg(arguments->list, unsigned) + 1));
        break;
    case 'D':
        say_digits(f, va_arg(arguments->list, unsigned));
        break;
    case 'h':
        shape_write_house(f->shape, va_arg(arguments->list, unsigned), f->words);
        break;
    default: /* 'e' */
        say_eliminations(f);
    }
}

void finder_say(const finder *f, const char *format, ...)
{
    if (f->words == NULL)
        return;
    say_arguments arguments;
    va_start(arguments.list, format);
    say_format(f->words, format, &arguments, say_one, f);
    va_end(arguments.list);
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
