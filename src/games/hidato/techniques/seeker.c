/* SPDX-License-Identifier: MIT */

#include "games/hidato/techniques/seeker.h"

#include <string.h>

enum { SAID_MOST = 8 }; /* cells and numbers in a list; the step itself has them all */

/* ---- What a step says -------------------------------------------------------------------------- */

static holos_candidate candidate(const seeker *f, unsigned number, unsigned site)
{
    unsigned row = site / f->g->stride, column = site % f->g->stride;
    return (holos_candidate){.cell = (uint16_t)(row * HIDATO_SIDE + column), .value = (uint16_t)number};
}

void seeker_place(const seeker *f, unsigned number, unsigned site)
{
    step_place(f->step, candidate(f, number, site));
}

void seeker_drop(const seeker *f, unsigned number, unsigned site)
{
    if (hidato_may(f->d, number, site))
        step_drop(f->step, candidate(f, number, site));
}

void seeker_keep_numbers(const seeker *f, unsigned site, const uint64_t *numbers)
{
    SET_EACH (number, hidato_values(f->d, site), f->d->value_words)
        if (!set_has(numbers, number))
            seeker_drop(f, number, site);
}

void seeker_keep_sites(const seeker *f, unsigned number, const uint64_t *sites)
{
    SET_EACH (site, hidato_places(f->d, number), f->g->words)
        if (!set_has(sites, site))
            seeker_drop(f, number, site);
}

void seeker_mark(const seeker *f, unsigned number, unsigned site, holos_role role)
{
    step_mark(f->step, candidate(f, number, site), role);
}

void seeker_mark_gap(const seeker *f, hidato_gap gap)
{
    for (unsigned number = gap.first - 1u; number <= gap.last + 1u; number += gap.last - gap.first + 2u)
        if (seeker_is_placed(f, number))
            seeker_mark(f, number, f->k->site_of[number], HOLOS_ROLE_PATTERN);
    step_house(f->step, gap.first);
}

void seeker_drop_trail(const seeker *f, size_t mark, seeker_filter *fits, const void *context)
{
    size_t end = f->d->trail_length;
    hidato_undo(f->d, mark);
    for (size_t i = mark; i < end; i++) { /* what was taken back is still there to be read */
        unsigned number = f->d->trail[i] >> 16, site = f->d->trail[i] & 0xFFFF;
        if (fits(context, number, site))
            seeker_drop(f, number, site);
    }
}

/* ---- Words ------------------------------------------------------------------------------------- */

static void say_site(const seeker *f, unsigned site)
{
    hidato_place_name(&f->k->board, hidato_place_of(f->g, site), f->words);
}

/* A list that is too long ends with how many more there are. */
static bool say_rest(const seeker *f, unsigned index, unsigned count)
{
    if (index < SAID_MOST || count <= SAID_MOST + 1)
        return false;
    if (index == SAID_MOST)
        text_printf(f->words, " and %u more", count - SAID_MOST);
    return true;
}

static void say_sites(const seeker *f, const uint64_t *sites)
{
    unsigned count = set_count(sites, f->g->words), index = 0;
    SET_EACH (site, sites, f->g->words) {
        if (!say_rest(f, index, count)) {
            text_string(f->words, say_between(index, count > SAID_MOST + 1 ? UINT32_MAX : count));
            say_site(f, site);
        }
        index++;
    }
}

/* Runs of numbers as 4-7. */
static void say_numbers(const seeker *f, const uint64_t *numbers)
{
    bool first = true;
    for (unsigned number = 1; number <= f->d->last; number++) {
        if (!set_has(numbers, number))
            continue;
        unsigned end = number;
        while (end < f->d->last && set_has(numbers, end + 1))
            end++;
        text_printf(f->words, end > number ? "%s%u-%u" : "%s%u", first ? "" : ", ", number, end);
        first = false;
        number = end;
    }
}

static void say_placed(const seeker *f, unsigned number)
{
    text_printf(f->words, "%u (", number);
    say_site(f, f->k->site_of[number]);
    text_char(f->words, ')');
}

static void say_gap_ends(const seeker *f, hidato_gap gap)
{
    bool low = seeker_is_placed(f, gap.first - 1u), high = seeker_is_placed(f, gap.last + 1u);
    if (low && high) {
        text_string(f->words, "from ");
        say_placed(f, gap.first - 1u);
        text_string(f->words, " to ");
        say_placed(f, gap.last + 1u);
    } else if (low) {
        text_string(f->words, "from ");
        say_placed(f, gap.first - 1u);
        text_printf(f->words, " to the end, %u", gap.last);
    } else {
        text_printf(f->words, "from the start, %u,", gap.first);
        if (high) {
            text_string(f->words, " to ");
            say_placed(f, gap.last + 1u);
        } else {
            text_printf(f->words, " to the end, %u", gap.last);
        }
    }
}

/* "17 cannot be in r1c2 and r3c4, 18 not in r2c2", for the first few numbers; or "r2c4 cannot hold 5, 37-41". */
static void say_eliminations(const seeker *f)
{
    const holos_step *step = f->step;
    uint64_t numbers[HIDATO_PLACES / 64 + 1] = {0};
    bool one_cell = true;
    for (unsigned i = 0; i < step->elimination_count; i++) {
        set_add(numbers, step->eliminations[i].value);
        one_cell = one_cell && step->eliminations[i].cell == step->eliminations[0].cell;
    }
    if (one_cell && step->elimination_count > 1) {
        unsigned cell = step->eliminations[0].cell;
        say_site(f, cell / HIDATO_SIDE * f->g->stride + cell % HIDATO_SIDE);
        text_string(f->words, " cannot hold ");
        say_numbers(f, numbers);
        return;
    }
    unsigned count = set_count(numbers, f->d->value_words), index = 0;
    SET_EACH (number, numbers, f->d->value_words) {
        uint64_t sites[HIDATO_WORDS] = {0};
        for (unsigned i = 0; i < step->elimination_count; i++)
            if (step->eliminations[i].value == number)
                set_add(sites, step->eliminations[i].cell / HIDATO_SIDE * f->g->stride +
                                   step->eliminations[i].cell % HIDATO_SIDE);
        if (!say_rest(f, index, count)) {
            text_printf(f->words, index > 0 ? ", %u not in " : "%u cannot be in ", number);
            say_sites(f, sites);
        }
        index++;
    }
}

static void say_one(const void *context, char letter, say_arguments *arguments)
{
    const seeker *f = context;
    switch (letter) {
    case 'c':
        say_site(f, va_arg(arguments->list, unsigned));
        break;
    case 'C':
        say_sites(f, va_arg(arguments->list, const uint64_t *));
        break;
    case 'g':
        say_gap_ends(f, *va_arg(arguments->list, const hidato_gap *));
        break;
    case 'G': {
        const hidato_gap *gap = va_arg(arguments->list, const hidato_gap *);
        text_printf(f->words, gap->first < gap->last ? "%u-%u" : "%u", gap->first, gap->last);
        break;
    }
    case 'N':
        say_numbers(f, va_arg(arguments->list, const uint64_t *));
        break;
    default: /* 'e' */
        say_eliminations(f);
    }
}

void seeker_say(const seeker *f, const char *format, ...)
{
    if (f->words == NULL)
        return;
    say_arguments arguments;
    va_start(arguments.list, format);
    say_format(f->words, format, &arguments, say_one, f);
    va_end(arguments.list);
}

/* ---- Looking around ---------------------------------------------------------------------------- */

hidato_gap seeker_gap(const seeker *f, unsigned number)
{
    hidato_gap gap = {(uint16_t)number, (uint16_t)number};
    while (gap.first > 1 && !seeker_is_placed(f, gap.first - 1u))
        gap.first--;
    while (gap.last < f->d->last && !seeker_is_placed(f, gap.last + 1u))
        gap.last++;
    return gap;
}

unsigned seeker_gaps(const seeker *f, hidato_gap *out)
{
    unsigned count = 0;
    for (unsigned number = 1; number <= f->d->last; number++)
        if (!seeker_is_placed(f, number)) {
            out[count] = seeker_gap(f, number);
            number = out[count++].last;
        }
    return count;
}

bool seeker_spread(const seeker *f, uint64_t *set)
{
    uint64_t near[HIDATO_WORDS];
    bool grows = false;
    hidato_dilate(f->g, set, near);
    for (unsigned word = 0; word < f->g->words; word++) {
        uint64_t more = near[word] & f->k->free[word] & ~set[word];
        set[word] |= more;
        grows |= more != 0;
    }
    return grows;
}

/* The free sites that at most so many steps over free cells lead to. */
static void grow(const seeker *f, unsigned from, unsigned steps, uint64_t *out)
{
    uint64_t start[HIDATO_WORDS] = {0};
    set_add(start, from);
    hidato_dilate(f->g, start, out);
    for (unsigned word = 0; word < f->g->words; word++)
        out[word] &= f->k->free[word];
    while (--steps > 0 && seeker_spread(f, out))
        continue;
}

void seeker_near(const seeker *f, hidato_gap gap, unsigned number, uint64_t *out)
{
    uint64_t other[HIDATO_WORDS];
    unsigned words = f->g->words;
    memcpy(out, f->k->free, words * sizeof *out);
    if (seeker_is_placed(f, gap.first - 1u))
        grow(f, f->k->site_of[gap.first - 1u], number - gap.first + 1u, out);
    if (!seeker_is_placed(f, gap.last + 1u))
        return;
    grow(f, f->k->site_of[gap.last + 1u], gap.last + 1u - number, other);
    for (unsigned word = 0; word < words; word++)
        out[word] &= other[word];
}
