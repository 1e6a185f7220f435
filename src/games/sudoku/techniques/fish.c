/* SPDX-License-Identifier: MIT */

/* One digit in several lines: X-wing, swordfish, jellyfish. */

#include "games/sudoku/techniques/finder.h"

/* Lines are counted from the first row or column. */
typedef struct fish_body {
    unsigned digit, size;
    unsigned base, cover; /* the first house of each direction */
    unsigned lines[4];    /* of the base */
    unsigned crossing;    /* of the cover, a bit each */
} fish_body;

static bool fish_strike(const finder *f, const fish_body *fish)
{
    cellset body = {{0}}, covered = {{0}};
    for (unsigned i = 0; i < fish->size; i++)
        body = cellset_or(body, finder_places(f, fish->base + fish->lines[i], fish->digit));
    for (unsigned rest = fish->crossing; rest != 0; rest &= rest - 1)
        covered = cellset_or(covered, f->shape->house_set[fish->cover + (unsigned)__builtin_ctz(rest)]);
    finder_drop_all(f, cellset_minus(covered, body), fish->digit);
    if (!step_found(f->step))
        return false;
    CELLSET_EACH(cell, body)
    finder_mark(f, cell, fish->digit, HOLOS_ROLE_PATTERN);
    finder_say(f, "%d in ", fish->digit);
    for (unsigned i = 0; i < fish->size; i++) {
        step_house(f->step, fish->base + fish->lines[i]);
        finder_say(f, "%s%h", say_between(i, fish->size), fish->base + fish->lines[i]);
    }
    finder_say(f, " can only go in ");
    for (unsigned rest = fish->crossing, i = 0; rest != 0; rest &= rest - 1, i++) {
        unsigned house = fish->cover + (unsigned)__builtin_ctz(rest);
        step_house(f->step, house);
        finder_say(f, "%s%h", say_between(i, fish->size), house);
    }
    finder_say(f, " (%C), one in each. So %e.", &body);
    return true;
}

static bool fish_in(const finder *f, fish_body *fish)
{
    unsigned lines[SHAPE_DIGITS], crossing[SHAPE_DIGITS], count = 0, chosen[4];
    for (unsigned line = 0; line < f->shape->size; line++) {
        unsigned mask = 0;
        CELLSET_EACH(cell, finder_places(f, fish->base + line, fish->digit))
        mask |= 1u << (fish->base == 0 ? shape_column(f->shape, cell) : shape_row(f->shape, cell));
        unsigned room = (unsigned)__builtin_popcount(mask);
        if (room >= 2 && room <= fish->size) {
            lines[count] = line;
            crossing[count++] = mask;
        }
    }
    if (count < fish->size)
        return false;
    combination_first(fish->size, chosen);
    do {
        fish->crossing = 0;
        for (unsigned i = 0; i < fish->size; i++) {
            fish->lines[i] = lines[chosen[i]];
            fish->crossing |= crossing[chosen[i]];
        }
        if ((unsigned)__builtin_popcount(fish->crossing) == fish->size && fish_strike(f, fish))
            return true;
    } while (combination_next(fish->size, count, chosen));
    return false;
}

bool find_fish(const finder *f, unsigned size)
{
    unsigned n = f->shape->size;
    for (unsigned digit = 0; digit < n; digit++) {
        fish_body rows = {.digit = digit, .size = size, .base = 0, .cover = n};
        fish_body columns = {.digit = digit, .size = size, .base = n, .cover = 0};
        if (fish_in(f, &rows) || fish_in(f, &columns))
            return true;
    }
    return false;
}
