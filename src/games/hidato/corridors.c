/* SPDX-License-Identifier: MIT */

/* Corridors: the ways across a gap are chains of places, one for each of its numbers. The sweeps keep only places that
 * lie on one. A cell that every chain passes, sooner or later, is needed by the gap: no number of another gap can
 * stand there. */

#include "games/hidato/propagate.h"

#include <string.h>

/* The ways across a gap, number by number: what can be reached from its lower end. */
typedef struct corridor {
    const hidato_domains *d;
    hidato_gap gap;
    uint64_t fronts[HIDATO_CORRIDOR_MOST][HIDATO_WORDS];
} corridor;

/* Fills the fronts without the site `avoid` (a hole: all of them); false if the gap cannot be crossed then. */
static bool corridor_fill(corridor *c, unsigned avoid)
{
    const hidato_domains *d = c->d;
    uint64_t near[HIDATO_WORDS];
    unsigned words = d->grid.words, count = c->gap.last - c->gap.first + 1u;
    for (unsigned i = 0; i < count; i++) {
        unsigned number = c->gap.first + i;
        uint64_t left = 0;
        if (number == 1)
            memset(near, 0xFF, words * sizeof *near);
        else
            hidato_dilate(&d->grid, i > 0 ? c->fronts[i - 1] : hidato_places(d, number - 1), near);
        for (unsigned word = 0; word < words; word++)
            c->fronts[i][word] = near[word] & hidato_places(d, number)[word];
        set_remove(c->fronts[i], avoid);
        for (unsigned word = 0; word < words; word++)
            left |= c->fronts[i][word];
        if (left == 0)
            return false;
    }
    return true;
}

/* The first member of the set next to the site; HIDATO_SITES if there is none. */
static unsigned find_beside(const hidato_grid *g, const uint64_t *set, unsigned site)
{
    for (unsigned i = 0; i < g->degree[site]; i++)
        if (set_has(set, g->neighbours[site][i]))
            return g->neighbours[site][i];
    return HIDATO_SITES;
}

/* One way that avoids the site, as a set of sites; false if there is none. */
static bool corridor_cross(corridor *c, unsigned avoid, uint64_t *way)
{
    const hidato_domains *d = c->d;
    unsigned count = c->gap.last - c->gap.first + 1u;
    if (!corridor_fill(c, avoid))
        return false;
    unsigned at = c->gap.last == d->last ? set_first(c->fronts[count - 1])
                                         : find_beside(&d->grid, c->fronts[count - 1],
                                                       set_first(hidato_places(d, c->gap.last + 1u)));
    if (at == HIDATO_SITES)
        return false;
    memset(way, 0, d->grid.words * sizeof *way);
    set_add(way, at);
    while (--count > 0) {
        at = find_beside(&d->grid, c->fronts[count - 1], at);
        set_add(way, at);
    }
    return true;
}

static bool is_shared(const hidato_domains *d, unsigned site, hidato_gap gap)
{
    const uint64_t *values = hidato_values(d, site);
    unsigned own = 0;
    for (unsigned number = gap.first; number <= gap.last; number++)
        own += set_has(values, number);
    return own < d->value_count[site];
}

static bool give_to_gap(hidato_domains *d, unsigned site, hidato_gap gap)
{
    uint64_t numbers[HIDATO_PLACES / 64 + 1] = {0};
    for (unsigned number = gap.first; number <= gap.last; number++)
        set_add(numbers, number);
    return hidato_restrict_values(d, site, numbers);
}

/* Only the cells of one way can lie on all of them; and every way that avoids one of them rules out others, too. */
static bool check_gap(hidato_domains *d, hidato_gap gap)
{
    corridor c;
    uint64_t on_all[HIDATO_WORDS], other[HIDATO_WORDS];
    if (gap.last - gap.first >= HIDATO_CORRIDOR_MOST)
        return true;
    c.d = d;
    c.gap = gap;
    if (!corridor_cross(&c, d->grid.columns, on_all))
        return true; /* the sweeps are not done yet; they will find out */
    for (unsigned word = 0; word < d->grid.words; word++)
        while (on_all[word] != 0) {
            unsigned site = word * 64 + (unsigned)__builtin_ctzll(on_all[word]);
            set_remove(on_all, site);
            if (!is_shared(d, site, gap))
                continue;
            if (!corridor_cross(&c, site, other)) {
                if (!give_to_gap(d, site, gap))
                    return false;
                continue;
            }
            for (unsigned i = word; i < d->grid.words; i++)
                on_all[i] &= other[i];
        }
    return true;
}

bool hidato_can_avoid(const hidato_domains *d, hidato_gap gap, unsigned site)
{
    corridor c;
    uint64_t way[HIDATO_WORDS];
    c.d = d;
    c.gap = gap;
    return corridor_cross(&c, site, way);
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
