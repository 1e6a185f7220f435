/* SPDX-License-Identifier: MIT */

/* Corridors: the ways across a gap are chains of places, one for each of its numbers. The sweeps keep only places that
 * lie on one. A cell that every chain passes, sooner or later, is needed by the gap: no number of another gap can
 * stand there. */

#include "games/hidato/propagate.h"

#include <string.h>

bool hidato_can_avoid(const hidato_domains *d, hidato_gap gap, unsigned site)
{
    uint64_t front[HIDATO_WORDS], near[HIDATO_WORDS];
    unsigned words = d->grid.words;
    bool from_start = gap.first == 1;
    if (!from_start)
        memcpy(front, hidato_places(d, gap.first - 1u), words * sizeof *front);
    for (unsigned number = gap.first; number <= gap.last; number++) {
        const uint64_t *places = hidato_places(d, number);
        uint64_t left = 0;
        if (from_start && number == 1)
            memset(near, 0xFF, words * sizeof *near);
        else
            hidato_dilate(&d->grid, front, near);
        for (unsigned word = 0; word < words; word++)
            front[word] = near[word] & places[word];
        set_remove(front, site);
        for (unsigned word = 0; word < words; word++)
            left |= front[word];
        if (left == 0)
            return false;
    }
    if (gap.last == d->last)
        return true;
    hidato_dilate(&d->grid, front, near);
    return set_has(near, set_first(hidato_places(d, gap.last + 1u)));
}

/* The numbers of the gap as a set, and the sites that all of them together may take. */
static void gap_sets(const hidato_domains *d, hidato_gap gap, uint64_t *numbers, uint64_t *sites)
{
    memset(numbers, 0, d->value_words * sizeof *numbers);
    memset(sites, 0, d->grid.words * sizeof *sites);
    for (unsigned number = gap.first; number <= gap.last; number++) {
        set_add(numbers, number);
        for (unsigned word = 0; word < d->grid.words; word++)
            sites[word] |= hidato_places(d, number)[word];
    }
}

static bool is_shared(const hidato_domains *d, unsigned site, const uint64_t *numbers)
{
    const uint64_t *values = hidato_values(d, site);
    for (unsigned word = 0; word < d->value_words; word++)
        if ((values[word] & ~numbers[word]) != 0)
            return true;
    return false;
}

static bool check_gap(hidato_domains *d, hidato_gap gap)
{
    uint64_t numbers[HIDATO_PLACES / 64 + 1], sites[HIDATO_WORDS];
    if (gap.last - gap.first >= HIDATO_CORRIDOR_MOST)
        return true;
    gap_sets(d, gap, numbers, sites);
    SET_EACH(site, sites, d->grid.words)
    if (is_shared(d, site, numbers) && !hidato_can_avoid(d, gap, site) &&
        !hidato_restrict_values(d, site, numbers))
        return false;
    return true;
}

bool hidato_propagate_corridors(hidato_state *s)
{
    hidato_gap gaps[HIDATO_PLACES / 2 + 1];
    if (s->corridors_seen == s->d.removed)
        return true;
    s->corridors_seen = s->d.removed;
    unsigned count = hidato_gaps(&s->d, gaps);
    for (unsigned i = 0; i < count; i++)
        if (!check_gap(&s->d, gaps[i]))
            return false;
    return true;
}
