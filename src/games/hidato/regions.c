/* SPDX-License-Identifier: MIT */

/* Regions: the empty cells fall into pieces that no path leads between. A gap, a run of numbers without a place, lies
 * in one piece, and the gaps of a piece fill it to the last cell. */

#include "games/hidato/propagate.h"

#include "core/list.h"

#include <stdlib.h>
#include <string.h>

/* ---- Regions by flood fill --------------------------------------------------------------------------- */

void hidato_regions_free(hidato_state *s)
{
    free(s->regions.sets);
    s->regions.sets = NULL;
}

static uint64_t (*region_new(hidato_regions *r))[HIDATO_WORDS]
{
    if (!LIST_RESERVE(r->sets, r->room, (size_t)r->count + 1))
        return NULL;
    return &r->sets[r->count++];
}

/* Splits a set into regions; false: out of memory. */
static bool regions_flood(const hidato_grid *g, hidato_regions *r, const uint64_t *set)
{
    uint64_t rest[HIDATO_WORDS], near[HIDATO_WORDS];
    memcpy(rest, set, g->words * sizeof *rest);
    for (unsigned word = 0; word < g->words;) {
        if (rest[word] == 0) {
            word++;
            continue;
        }
        uint64_t(*region)[HIDATO_WORDS] = region_new(r);
        if (region == NULL)
            return false;
        memset(*region, 0, sizeof *region);
        (*region)[word] = rest[word] & -rest[word];
        for (bool grows = true; grows;) {
            grows = false;
            hidato_dilate(g, *region, near);
            for (unsigned i = 0; i < g->words; i++) {
                uint64_t more = near[i] & rest[i] & ~(*region)[i];
                (*region)[i] |= more;
                grows |= more != 0;
            }
        }
        for (unsigned i = 0; i < g->words; i++)
            rest[i] &= ~(*region)[i];
    }
    return true;
}

static bool sets_meet(const uint64_t *a, const uint64_t *b, unsigned words)
{
    for (unsigned word = 0; word < words; word++)
        if ((a[word] & b[word]) != 0)
            return true;
    return false;
}

/* Brings the regions up to date. Where cells were only filled, the regions without one of them stay as they are. */
static bool regions_update(hidato_state *s)
{
    hidato_regions *r = &s->regions;
    const hidato_grid *g = &s->d.grid;
    uint64_t empty[HIDATO_WORDS], filled[HIDATO_WORDS], split[HIDATO_WORDS];
    bool grown = false, changed = false;
    hidato_empty(&s->d, empty);
    for (unsigned word = 0; word < g->words; word++) {
        filled[word] = r->empty[word] & ~empty[word];
        grown |= (empty[word] & ~r->empty[word]) != 0;
        changed |= filled[word] != 0;
    }
    if (r->valid && !grown && !changed)
        return true;
    memcpy(r->empty, empty, g->words * sizeof *empty);
    if (!r->valid || grown) {
        r->count = 0;
        r->valid = true;
        return regions_flood(g, r, empty);
    }
    memset(split, 0, sizeof split);
    for (unsigned i = 0; i < r->count;) {
        if (!sets_meet(r->sets[i], filled, g->words)) {
            i++;
            continue;
        }
        for (unsigned word = 0; word < g->words; word++)
            split[word] |= r->sets[i][word] & empty[word];
        memcpy(r->sets[i], r->sets[--r->count], sizeof *r->sets);
    }
    return regions_flood(g, r, split);
}

/* ---- Capacities ---------------------------------------------------------------------------------------- */

typedef struct capacity {
    hidato_gap *gaps;
    unsigned gap_count;
    bool *fits; /* gap i may lie in the region at hand */
} capacity;

static unsigned gap_length(hidato_gap gap)
{
    return gap.last - gap.first + 1u;
}

static unsigned set_size(const uint64_t *set, unsigned words)
{
    unsigned size = 0;
    for (unsigned word = 0; word < words; word++)
        size += (unsigned)__builtin_popcountll(set[word]);
    return size;
}

static bool gap_fits(const hidato_domains *d, hidato_gap gap, const uint64_t *region)
{
    for (unsigned number = gap.first; number <= gap.last; number++)
        if (!sets_meet(hidato_places(d, number), region, d->grid.words))
            return false;
    return true;
}

/* Whether some of the gaps that fit, without gap `without` and with gap `with` for sure, have exactly the length of
 * the region. Sums are bits. */
static bool can_fill(const capacity *c, unsigned size, unsigned with, unsigned without)
{
    uint64_t sums[HIDATO_PLACES / 64 + 1] = {0};
    unsigned base = with < c->gap_count ? gap_length(c->gaps[with]) : 0;
    if (base > size)
        return false;
    unsigned goal = size - base, words = goal / 64 + 1;
    sums[0] = 1;
    for (unsigned i = 0; i < c->gap_count; i++) {
        unsigned by = gap_length(c->gaps[i]), far = by / 64, bits = by % 64;
        if (!c->fits[i] || i == with || i == without || by > goal)
            continue;
        for (unsigned word = words; word-- > far;) {
            uint64_t moved = sums[word - far] << bits;
            if (bits > 0 && word > far)
                moved |= sums[word - far - 1] >> (64 - bits);
            sums[word] |= moved;
        }
    }
    return set_has(sums, goal);
}

/* A gap that would not let the region be filled lies elsewhere; one without which it cannot be filled lies here. */
static bool check_region(hidato_state *s, capacity *c, const uint64_t *region)
{
    hidato_domains *d = &s->d;
    unsigned words = d->grid.words, size = set_size(region, words);
    uint64_t outside[HIDATO_WORDS];
    for (unsigned word = 0; word < words; word++)
        outside[word] = ~region[word];
    for (unsigned i = 0; i < c->gap_count; i++)
        c->fits[i] = gap_fits(d, c->gaps[i], region);
    if (!can_fill(c, size, c->gap_count, c->gap_count)) {
        d->conflict = (hidato_conflict_found){HIDATO_ISLAND, 0, (uint16_t)set_first(region)};
        return false;
    }
    for (unsigned i = 0; i < c->gap_count; i++) {
        bool here = c->fits[i] && can_fill(c, size, i, i);
        bool elsewhere = here ? can_fill(c, size, c->gap_count, i) : true;
        if (here && elsewhere)
            continue;
        for (unsigned number = c->gaps[i].first; number <= c->gaps[i].last; number++)
            if (!hidato_restrict_places(d, number, here ? region : outside))
                return false;
    }
    return true;
}

bool hidato_propagate_islands(hidato_state *s)
{
    hidato_gap gaps[HIDATO_PLACES / 2 + 1];
    bool fits[HIDATO_PLACES / 2 + 1];
    if (s->islands_seen == s->d.removed || !regions_update(s))
        return true;
    s->islands_seen = s->d.removed;
    if (s->regions.count < 2)
        return true;
    capacity c = {gaps, hidato_gaps(&s->d, gaps), fits};
    size_t before = s->d.trail_length;
    for (unsigned i = 0; i < s->regions.count && s->d.trail_length == before; i++)
        if (!check_region(s, &c, s->regions.sets[i]))
            return false;
    return true;
}
