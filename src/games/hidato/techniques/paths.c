/* SPDX-License-Identifier: MIT */

/* What follows from a path coming into every cell by one side and leaving it by another. */

#include "games/hidato/techniques/seeker.h"

#include <string.h>

enum { NUMBER_WORDS = HIDATO_PLACES / 64 + 1 };

/* ---- Way through --------------------------------------------------------------------------------- */

/* The neighbours of a site that may hold the number before or the one after; as far as two. */
static unsigned ways_through(const seeker *f, unsigned number, unsigned site, unsigned *only)
{
    unsigned count = 0;
    for (unsigned i = 0; i < f->g->degree[site] && count < 2; i++) {
        unsigned other = f->g->neighbours[site][i];
        if (hidato_may(f->d, number - 1, other) || hidato_may(f->d, number + 1, other)) {
            count++;
            *only = other;
        }
    }
    return count;
}

/* Notes every number of a gap in a cell that has no way through; the first one is said. */
static void drop_blocked(const seeker *f, hidato_gap gap)
{
    for (unsigned number = gap.first; number <= gap.last; number++) {
        if (number == 1 || number == f->d->last)
            continue;
        SET_EACH (site, hidato_places(f->d, number), f->g->words) {
            unsigned only = 0;
            if (ways_through(f, number, site, &only) == 2)
                continue;
            if (!step_found(f->step))
                seeker_say(f, "%u cannot be in %c: there %u and %u would both have to be in %c.", number,
                           site, number - 1, number + 1, only);
            seeker_drop(f, number, site);
        }
    }
}

bool seek_way_through(const seeker *f, unsigned size)
{
    hidato_gap gaps[HIDATO_PLACES / 2 + 1];
    unsigned count = seeker_gaps(f, gaps);
    (void)size;
    for (unsigned i = 0; i < count; i++) {
        drop_blocked(f, gaps[i]);
        if (!step_found(f->step))
            continue;
        seeker_mark_gap(f, gaps[i]);
        if (f->step->elimination_count > 1)
            seeker_say(f, " In the same way: %e.");
        return true;
    }
    return false;
}

/* ---- Dead end ------------------------------------------------------------------------------------ */

/* Numbers one above or one below those of a set. */
static void numbers_beside(const seeker *f, const uint64_t *set, int by, uint64_t *out)
{
    unsigned words = f->d->value_words;
    for (unsigned word = 0; word < words; word++)
        out[word] = by > 0 ? set[word] << 1 | (word > 0 ? set[word - 1] >> 63 : 0)
                           : set[word] >> 1 | (word + 1 < words ? set[word + 1] << 63 : 0);
}

static bool sets_meet(const uint64_t *a, const uint64_t *b, unsigned words)
{
    for (unsigned word = 0; word < words; word++)
        if ((a[word] & b[word]) != 0)
            return true;
    return false;
}

/* The neighbours that the path may come from or go on to; returns how many, as far as three. */
static unsigned open_sides(const seeker *f, unsigned site, const uint64_t *beside, unsigned out[2])
{
    unsigned count = 0;
    for (unsigned i = 0; i < f->g->degree[site] && count < 3; i++) {
        unsigned other = f->g->neighbours[site][i];
        if (!sets_meet(hidato_values(f->d, other), beside, f->d->value_words))
            continue;
        if (count < 2)
            out[count] = other;
        count++;
    }
    return count;
}

/* The numbers of a site between its two sides: one side holds the number before, the other the one after. */
static void numbers_between(const seeker *f, unsigned a, unsigned b, uint64_t *out)
{
    uint64_t up[NUMBER_WORDS], down[NUMBER_WORDS];
    for (unsigned turn = 0; turn < 2; turn++) {
        numbers_beside(f, hidato_values(f->d, turn == 0 ? a : b), 1, up);
        numbers_beside(f, hidato_values(f->d, turn == 0 ? b : a), -1, down);
        for (unsigned word = 0; word < f->d->value_words; word++)
            out[word] = (turn == 0 ? 0 : out[word]) | (up[word] & down[word]);
    }
}

bool seek_dead_end(const seeker *f, unsigned size)
{
    (void)size;
    SET_EACH (site, f->k->free, f->g->words) {
        uint64_t up[NUMBER_WORDS], beside[NUMBER_WORDS], between[NUMBER_WORDS];
        unsigned sides[2] = {0};
        if (hidato_may(f->d, 1, site) || hidato_may(f->d, f->d->last, site))
            continue;
        numbers_beside(f, hidato_values(f->d, site), 1, up);
        numbers_beside(f, hidato_values(f->d, site), -1, beside);
        for (unsigned word = 0; word < f->d->value_words; word++)
            beside[word] |= up[word];
        if (open_sides(f, site, beside, sides) != 2)
            continue;
        numbers_between(f, sides[0], sides[1], between);
        seeker_keep_numbers(f, site, between);
        seeker_keep_numbers(f, sides[0], beside);
        seeker_keep_numbers(f, sides[1], beside);
        if (!step_found(f->step))
            continue;
        for (unsigned i = 0; i < 2; i++)
            seeker_mark(f, set_first(hidato_values(f->d, sides[i])), sides[i], HOLOS_ROLE_PATTERN);
        seeker_say(
            f,
            "%c is no end of the path, and it can only be entered and left by %c and %c: so they are joined "
            "to it. %e.",
            site, sides[0], sides[1]);
        return true;
    }
    return false;
}

/* ---- Corridor ------------------------------------------------------------------------------------ */

static void gap_numbers(const seeker *f, hidato_gap gap, uint64_t *numbers, uint64_t *sites)
{
    memset(numbers, 0, f->d->value_words * sizeof *numbers);
    memset(sites, 0, f->g->words * sizeof *sites);
    for (unsigned number = gap.first; number <= gap.last; number++) {
        set_add(numbers, number);
        for (unsigned word = 0; word < f->g->words; word++)
            sites[word] |= hidato_places(f->d, number)[word];
    }
}

static bool has_others(const seeker *f, unsigned site, const uint64_t *numbers)
{
    const uint64_t *values = hidato_values(f->d, site);
    for (unsigned word = 0; word < f->d->value_words; word++)
        if ((values[word] & ~numbers[word]) != 0)
            return true;
    return false;
}

bool seek_corridor(const seeker *f, unsigned size)
{
    (void)size;
    hidato_gap gaps[HIDATO_PLACES / 2 + 1];
    unsigned count = seeker_gaps(f, gaps);
    for (unsigned i = 0; i < count; i++) {
        uint64_t numbers[NUMBER_WORDS], sites[HIDATO_WORDS];
        if (gaps[i].last - gaps[i].first >= HIDATO_CORRIDOR_MOST)
            continue;
        gap_numbers(f, gaps[i], numbers, sites);
        SET_EACH (site, sites, f->g->words) {
            if (!has_others(f, site, numbers) || hidato_can_avoid(f->d, gaps[i], site))
                continue;
            seeker_keep_numbers(f, site, numbers);
            seeker_mark_gap(f, gaps[i]);
            f->step->rating += step_length_rating(gaps[i].last - gaps[i].first + 1u);
            seeker_say(f, "Every way %g passes %c, so it holds %s%G. %e.", &gaps[i], site,
                       gaps[i].first < gaps[i].last ? "one of " : "", &gaps[i]);
            return true;
        }
    }
    return false;
}

/* ---- Must visit ---------------------------------------------------------------------------------- */

/* Steps over free cells from a site to every other one; UINT16_MAX: there is no way. */
static void measure(const seeker *f, unsigned from, uint16_t *out)
{
    uint16_t list[HIDATO_SITES];
    unsigned count = 0;
    memset(out, 0xFF, f->g->sites * sizeof *out);
    out[from] = 0;
    list[count++] = (uint16_t)from;
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < f->g->degree[list[i]]; k++) {
            unsigned other = f->g->neighbours[list[i]][k];
            if (out[other] != UINT16_MAX || !set_has(f->k->free, other))
                continue;
            out[other] = (uint16_t)(out[list[i]] + 1);
            list[count++] = (uint16_t)other;
        }
}

/* With this number so many steps away from a site, one of the site's numbers can still be there in time. */
static bool in_time(const seeker *f, unsigned site, unsigned number, unsigned steps)
{
    SET_EACH (other, hidato_values(f->d, site), f->d->value_words) {
        unsigned apart = other > number ? other - number : number - other;
        if (other == number ? steps == 0 : steps != 0 && steps <= apart)
            return true;
    }
    return false;
}

static void drop_late(const seeker *f, unsigned site, hidato_gap gap)
{
    uint16_t steps[HIDATO_SITES];
    measure(f, site, steps);
    for (unsigned number = gap.first; number <= gap.last; number++)
        SET_EACH (other, hidato_places(f->d, number), f->g->words)
            if (!in_time(f, site, number, steps[other]))
                seeker_drop(f, number, other);
}

bool seek_must_visit(const seeker *f, unsigned size)
{
    (void)size;
    SET_EACH (site, f->k->free, f->g->words) {
        const uint64_t *numbers = hidato_values(f->d, site);
        hidato_gap gap = seeker_gap(f, set_first(numbers));
        unsigned inside = 0;
        for (unsigned number = gap.first; number <= gap.last; number++)
            inside += set_has(numbers, number);
        if (inside != f->d->value_count[site])
            continue;
        drop_late(f, site, gap);
        if (!step_found(f->step))
            continue;
        seeker_mark_gap(f, gap);
        seeker_say(
            f, "Only the way %g can visit %c, with one of %N there: the rest of it must be near enough. %e.",
            &gap, site, numbers);
        return true;
    }
    return false;
}
