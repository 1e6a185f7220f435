/* SPDX-License-Identifier: MIT */

/* Degrees: a path that passes a cell comes in by one neighbour and goes out by another.
 *
 * Of a number, seen from its places: the one before and the one after must be able to stand on different neighbours
 * (degree). Of a cell, seen from its sides: one that only two neighbours can be passed to is passed by both (nudge). Both
 * hold for every cell but the two ends of the path. */

#include "games/hidato/propagate.h"

#include <string.h>

/* A number's place needs two different neighbours for the numbers before and after it. Each has one at least, by the
 * sweeps; so it is enough that they have two between them. */
static bool check_number(hidato_domains *d, unsigned number)
{
    uint64_t around[HIDATO_WORDS], twice[HIDATO_WORDS];
    if (number <= 1 || number >= d->last || d->place_count[number] == 1)
        return true;
    const uint64_t *before = hidato_places(d, number - 1), *after = hidato_places(d, number + 1);
    for (unsigned word = 0; word < d->grid.words; word++)
        around[word] = before[word] | after[word];
    hidato_dilate_twice(&d->grid, around, twice);
    return hidato_restrict_places(d, number, twice);
}

bool hidato_propagate_degree(hidato_domains *d)
{
    while (d->later_numbers.count > 0) {
        unsigned number = hidato_changes_take(&d->later_numbers);
        if (!check_number(d, number - 1) || !check_number(d, number + 1))
            return false;
    }
    return true;
}

/* ---- Nudges ----------------------------------------------------------------------------------------- */

/* Numbers one above, and one below, those of a set. */
static void numbers_up(const hidato_domains *d, const uint64_t *set, uint64_t *out)
{
    uint64_t carry = 0;
    for (unsigned word = 0; word < d->value_words; word++) {
        out[word] = set[word] << 1 | carry;
        carry = set[word] >> 63;
    }
}

static void numbers_down(const hidato_domains *d, const uint64_t *set, uint64_t *out)
{
    for (unsigned word = 0; word < d->value_words; word++)
        out[word] = set[word] >> 1 | (word + 1 < d->value_words ? set[word + 1] << 63 : 0);
}

typedef struct sides {
    unsigned count;
    uint16_t sites[2];
} sides;

/* The neighbours that hold a number next to one of the site's, as far as two. */
static void sides_find(const hidato_domains *d, unsigned site, const uint64_t *up, const uint64_t *down,
                       sides *out)
{
    out->count = 0;
    for (unsigned i = 0; i < d->grid.degree[site]; i++) {
        const uint64_t *other = hidato_values(d, d->grid.neighbours[site][i]);
        uint64_t meet = 0;
        for (unsigned word = 0; word < d->value_words; word++)
            meet |= other[word] & (up[word] | down[word]);
        if (meet == 0)
            continue;
        if (out->count == 2) {
            out->count = 3;
            return;
        }
        out->sites[out->count++] = d->grid.neighbours[site][i];
    }
}

static void allow_ends(const hidato_domains *d, unsigned site, uint64_t *allowed)
{
    if (hidato_may(d, 1, site))
        set_add(allowed, 1);
    if (hidato_may(d, d->last, site))
        set_add(allowed, d->last);
}

static bool check_site(hidato_domains *d, unsigned site)
{
    enum { NUMBER_WORDS = HIDATO_PLACES / 64 + 1 };
    uint64_t up[NUMBER_WORDS], down[NUMBER_WORDS], allowed[NUMBER_WORDS];
    uint64_t up_a[NUMBER_WORDS], down_a[NUMBER_WORDS], up_b[NUMBER_WORDS], down_b[NUMBER_WORDS];
    sides s;
    if (d->last <= 2)
        return true;
    numbers_up(d, hidato_values(d, site), up);
    numbers_down(d, hidato_values(d, site), down);
    sides_find(d, site, up, down, &s);
    if (s.count > 2)
        return true;
    memset(allowed, 0, sizeof allowed);
    bool may_end = hidato_may(d, 1, site) || hidato_may(d, d->last, site);
    allow_ends(d, site, allowed);
    if (s.count == 2) {
        numbers_up(d, hidato_values(d, s.sites[0]), up_a);
        numbers_down(d, hidato_values(d, s.sites[0]), down_a);
        numbers_up(d, hidato_values(d, s.sites[1]), up_b);
        numbers_down(d, hidato_values(d, s.sites[1]), down_b);
        for (unsigned word = 0; word < d->value_words; word++)
            allowed[word] |= (up_a[word] & down_b[word]) | (down_a[word] & up_b[word]);
    }
    if (!hidato_restrict_values(d, site, allowed))
        return false;
    if (may_end || s.count < 2)
        return true;
    numbers_up(d, hidato_values(d, site), up);
    numbers_down(d, hidato_values(d, site), down);
    for (unsigned word = 0; word < d->value_words; word++)
        allowed[word] = up[word] | down[word];
    return hidato_restrict_values(d, s.sites[0], allowed) && hidato_restrict_values(d, s.sites[1], allowed);
}

/* Looks at the sites that have changed and those beside them, each once, until nothing changes. */
bool hidato_propagate_nudge(hidato_domains *d)
{
    unsigned words = d->grid.words;
    while (d->later_sites.count > 0) {
        uint64_t near[HIDATO_WORDS];
        hidato_later_around(d, near);
        SET_EACH (site, near, words)
            if (!check_site(d, site))
                return false;
    }
    return true;
}
