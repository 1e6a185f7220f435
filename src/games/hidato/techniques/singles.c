/* SPDX-License-Identifier: MIT */

/* Cells that can be filled at once. */

#include "games/hidato/techniques/seeker.h"

#include <string.h>

static unsigned free_neighbours(const seeker *f, unsigned site, uint16_t out[HIDATO_DEGREE])
{
    unsigned count = 0;
    for (unsigned i = 0; i < f->g->degree[site]; i++)
        if (set_has(f->k->free, f->g->neighbours[site][i]))
            out[count++] = f->g->neighbours[site][i];
    return count;
}

static unsigned gap_length(hidato_gap gap)
{
    return gap.last - gap.first + 1u;
}

bool seek_gap_of_one(const seeker *f, unsigned size)
{
    (void)size;
    for (unsigned number = 2; number < f->d->last; number++) {
        unsigned before = f->k->site_of[number - 1], after = f->k->site_of[number + 1];
        if (seeker_is_placed(f, number) || before == HIDATO_NOWHERE || after == HIDATO_NOWHERE)
            continue;
        uint16_t near[HIDATO_DEGREE];
        unsigned count = free_neighbours(f, before, near), both = 0, site = 0;
        for (unsigned i = 0; i < count; i++)
            if (hidato_are_neighbours(f->g, near[i], after)) {
                both++;
                site = near[i];
            }
        if (both != 1)
            continue;
        seeker_place(f, number, site);
        seeker_mark_gap(f, seeker_gap(f, number));
        seeker_say(f, "%u goes to %c: it is the only free cell that touches both %u (%c) and %u (%c).",
                   number, site, number - 1, before, number + 1, after);
        return true;
    }
    return false;
}

/* Of the numbers before and after one on the board, one is missing. */
static unsigned missing_beside(const seeker *f, unsigned number)
{
    bool below = number > 1 && !seeker_is_placed(f, number - 1);
    bool above = number < f->d->last && !seeker_is_placed(f, number + 1);
    return below && !above ? number - 1 : above && !below ? number + 1 : 0;
}

bool seek_one_way_out(const seeker *f, unsigned size)
{
    (void)size;
    for (unsigned number = 1; number <= f->d->last; number++) {
        uint16_t near[HIDATO_DEGREE];
        unsigned missing = seeker_is_placed(f, number) ? missing_beside(f, number) : 0;
        if (missing == 0 || free_neighbours(f, f->k->site_of[number], near) != 1)
            continue;
        seeker_place(f, missing, near[0]);
        seeker_mark_gap(f, seeker_gap(f, missing));
        seeker_say(f, "%u goes to %c: that is the last free cell next to %u (%c).", missing, near[0], number,
                   f->k->site_of[number]);
        return true;
    }
    return false;
}

/* The number on the board at the other side of the gap of `missing`, which is next to `number`. */
static unsigned far_end(hidato_gap gap, unsigned number)
{
    return number < gap.first ? gap.last + 1u : gap.first - 1u;
}

static bool near_enough(const seeker *f, unsigned number, unsigned missing)
{
    uint64_t near[HIDATO_WORDS];
    hidato_gap gap = seeker_gap(f, missing);
    unsigned far = far_end(gap, number);
    if (f->d->place_count[missing] != 1 || !seeker_is_placed(f, far))
        return false;
    seeker_near(f, gap, missing, near);
    unsigned site = set_only(near, f->g->words), steps = missing < far ? far - missing : missing - far;
    if (site == HIDATO_NOWHERE)
        return false;
    seeker_place(f, missing, site);
    seeker_mark_gap(f, gap);
    f->step->rating += step_length_rating(gap_length(gap));
    seeker_say(
        f,
        "%u goes to %c: it is next to %u (%c), and no other free cell there is within %u steps of %u (%c).",
        missing, site, number, f->k->site_of[number], steps, far, f->k->site_of[far]);
    return true;
}

bool seek_near_enough(const seeker *f, unsigned size)
{
    (void)size;
    for (unsigned number = 1; number <= f->d->last; number++) {
        if (!seeker_is_placed(f, number))
            continue;
        if (number > 1 && !seeker_is_placed(f, number - 1) && near_enough(f, number, number - 1))
            return true;
        if (number < f->d->last && !seeker_is_placed(f, number + 1) && near_enough(f, number, number + 1))
            return true;
    }
    return false;
}

/* "within 2 steps of 15 (r1c1) and 3 of 20 (r4c4)" */
static void say_distances(const seeker *f, hidato_gap gap, unsigned number)
{
    bool low = seeker_is_placed(f, gap.first - 1u), high = seeker_is_placed(f, gap.last + 1u);
    if (low)
        seeker_say(f, "within %u %s of %u (%c)", number - gap.first + 1u,
                   number == gap.first ? "step" : "steps", gap.first - 1u, f->k->site_of[gap.first - 1u]);
    if (high)
        seeker_say(f, low ? " and %u%s of %u (%c)" : "within %u %s of %u (%c)", gap.last + 1u - number,
                   low                  ? ""
                   : number == gap.last ? "step"
                                        : "steps",
                   gap.last + 1u, f->k->site_of[gap.last + 1u]);
}

bool seek_only_cell(const seeker *f, unsigned size)
{
    (void)size;
    for (unsigned number = 1; number <= f->d->last; number++) {
        uint64_t near[HIDATO_WORDS];
        if (seeker_is_placed(f, number) || f->d->place_count[number] != 1)
            continue;
        hidato_gap gap = seeker_gap(f, number);
        seeker_near(f, gap, number, near);
        unsigned site = set_only(near, f->g->words);
        if (site == HIDATO_NOWHERE)
            continue;
        seeker_place(f, number, site);
        seeker_mark_gap(f, gap);
        f->step->rating += step_length_rating(gap_length(gap));
        seeker_say(f, "%u can only go to %c: the gap %g needs it there, and no other free cell is ", number,
                   site, &gap);
        say_distances(f, gap, number);
        seeker_say(f, ".");
        return true;
    }
    return false;
}

/* Missing numbers that can reach a site by distance: as far as two. */
static unsigned count_near(const seeker *f, unsigned site)
{
    hidato_gap gaps[HIDATO_PLACES / 2 + 1];
    unsigned gap_count = seeker_gaps(f, gaps), count = 0;
    for (unsigned i = 0; i < gap_count; i++)
        for (unsigned number = gaps[i].first; number <= gaps[i].last; number++) {
            uint64_t near[HIDATO_WORDS];
            seeker_near(f, gaps[i], number, near);
            if (set_has(near, site) && ++count == 2)
                return count;
        }
    return count;
}

bool seek_only_number(const seeker *f, unsigned size)
{
    (void)size;
    SET_EACH (site, f->k->free, f->g->words) {
        if (f->d->value_count[site] != 1 || count_near(f, site) != 1)
            continue;
        unsigned number = set_first(hidato_values(f->d, site));
        hidato_gap gap = seeker_gap(f, number);
        seeker_place(f, number, site);
        seeker_mark_gap(f, gap);
        f->step->rating += step_length_rating(gap_length(gap));
        seeker_say(f, "%c can only hold %u, on the way %g: every other missing number is too far away.", site,
                   number, &gap);
        return true;
    }
    return false;
}

bool seek_last_cell(const seeker *f, unsigned size)
{
    (void)size;
    for (unsigned number = 1; number <= f->d->last; number++) {
        if (seeker_is_placed(f, number) || f->d->place_count[number] != 1)
            continue;
        hidato_gap gap = seeker_gap(f, number);
        unsigned site = set_first(hidato_places(f->d, number));
        seeker_place(f, number, site);
        seeker_mark_gap(f, gap);
        f->step->rating += step_length_rating(gap_length(gap));
        seeker_say(f, "%u goes to %c: of the cells on the way %g, the others have been ruled out for it.",
                   number, site, &gap);
        return true;
    }
    return false;
}

bool seek_last_number(const seeker *f, unsigned size)
{
    (void)size;
    SET_EACH (site, f->k->free, f->g->words) {
        if (f->d->value_count[site] != 1)
            continue;
        unsigned number = set_first(hidato_values(f->d, site));
        hidato_gap gap = seeker_gap(f, number);
        seeker_place(f, number, site);
        seeker_mark_gap(f, gap);
        seeker_say(f, "%c holds %u, on the way %g: every other number is too far away or has been ruled out.",
                   site, number, &gap);
        return true;
    }
    return false;
}
