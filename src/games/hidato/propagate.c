/* SPDX-License-Identifier: MIT */

/* The order of propagation, and the propagators that every mode has: two-ended sweeps and singles. */

#include "games/hidato/propagate.h"

#include "core/clock.h"

#include <string.h>

/* ---- Sweeps and singles --------------------------------------------------------------------------- */

/* Places of `to` that no place of `from` is next to are none. */
static bool sweep(hidato_domains *d, unsigned from, unsigned to)
{
    uint64_t near[HIDATO_WORDS];
    hidato_dilate(&d->grid, hidato_places(d, from), near);
    return hidato_restrict_places(d, to, near);
}

static bool sweep_both(hidato_domains *d, unsigned number)
{
    return (number == 1 || sweep(d, number, number - 1)) &&
           (number == d->last || sweep(d, number, number + 1));
}

/* The number has one place: so the site has no other number. */
static bool single_place(hidato_domains *d, unsigned number)
{
    uint64_t one[HIDATO_PLACES / 64 + 1] = {0};
    unsigned site = set_first(hidato_places(d, number));
    if (d->value_count[site] == 1)
        return true;
    set_add(one, number);
    return hidato_restrict_values(d, site, one);
}

static bool single_value(hidato_domains *d, unsigned site)
{
    uint64_t only[HIDATO_WORDS] = {0};
    unsigned number = set_first(hidato_values(d, site));
    if (d->place_count[number] == 1)
        return true;
    set_add(only, site);
    return hidato_restrict_places(d, number, only);
}

/* ---- Telemetry ------------------------------------------------------------------------------------- */

static void measure_begin(hidato_domains *d)
{
    d->measured_from = d->trail_length;
    if (d->clock)
        d->measured_since = clock_cpu();
}

static bool measure_end(hidato_domains *d, hidato_propagator which, bool holds)
{
    hidato_work *w = &d->work[which];
    w->calls++;
    w->removals += d->trail_length - d->measured_from;
    w->conflicts += !holds;
    if (d->clock)
        w->seconds += clock_cpu() - d->measured_since;
    return holds;
}

#define MEASURED(d, which, call) (measure_begin(d), measure_end((d), (which), (call)))

/* ---- The order ------------------------------------------------------------------------------------- */

bool hidato_propagate_v1(hidato_domains *d)
{
    if (d->conflict.kind != HIDATO_NO_CONFLICT)
        return false;
    while (d->numbers.count > 0 || d->sites.count > 0) {
        while (d->sites.count > 0) {
            unsigned site = hidato_changes_take(&d->sites);
            if (d->value_count[site] == 1 && !MEASURED(d, HIDATO_BY_SINGLE_VALUE, single_value(d, site)))
                return false;
        }
        if (d->numbers.count == 0)
            break;
        unsigned number = hidato_changes_take(&d->numbers);
        if (d->place_count[number] == 1 && !MEASURED(d, HIDATO_BY_SINGLE_PLACE, single_place(d, number)))
            return false;
        if (!MEASURED(d, HIDATO_BY_SWEEP, sweep_both(d, number)))
            return false;
    }
    return true;
}

bool hidato_propagate_sweeps(hidato_domains *d)
{
    while (d->numbers.count > 0)
        if (!sweep_both(d, hidato_changes_take(&d->numbers)))
            return false;
    return true;
}

/* Runs one of the dearer propagators; *again if it found something, so that the cheap ones go first again. */
#define RUN(which, call)                                                                                     \
    do {                                                                                                     \
        size_t before_ = d->trail_length;                                                                    \
        if (!MEASURED(d, which, call))                                                                       \
            return false;                                                                                    \
        if (d->trail_length != before_)                                                                      \
            goto again;                                                                                      \
    } while (0)

bool hidato_propagate(hidato_state *s)
{
    hidato_domains *d = &s->d;
again:
    if (!hidato_propagate_v1(d))
        return false;
    if (s->mode < 2 || hidato_is_solved(d))
        return true;
    RUN(HIDATO_BY_DEGREE, hidato_propagate_degree(d));
    if (s->mode < 4)
        RUN(HIDATO_BY_NUDGE, hidato_propagate_nudge(d));
    else
        RUN(HIDATO_BY_EDGE, hidato_propagate_edges(s));
    RUN(HIDATO_BY_ISLAND, hidato_propagate_islands(s));
    RUN(HIDATO_BY_CORRIDOR, hidato_propagate_corridors(s));
    if (s->mode >= 4)
        RUN(HIDATO_BY_MATCHING, hidato_propagate_matching(s));
    return true;
}

/* ---- State ----------------------------------------------------------------------------------------- */

bool hidato_state_init(hidato_state *s, const hidato_board *b, hidato_kind kind, unsigned mode)
{
    memset(s, 0, sizeof *s);
    s->mode = mode;
    if (!hidato_domains_init(&s->d, b, kind))
        return false;
    s->islands_seen = s->corridors_seen = UINT64_MAX;
    if (mode >= 4 && !(hidato_edges_init(s) && hidato_matching_init(s))) {
        hidato_state_free(s);
        return false;
    }
    return true;
}

void hidato_state_free(hidato_state *s)
{
    hidato_edges_free(s);
    hidato_matching_free(s);
    hidato_regions_free(s);
    hidato_domains_free(&s->d);
}

unsigned hidato_gaps(const hidato_domains *d, hidato_gap *out)
{
    unsigned count = 0;
    for (unsigned number = 1; number <= d->last; number++) {
        if (d->place_count[number] == 1)
            continue;
        unsigned first = number;
        while (number < d->last && d->place_count[number + 1] != 1)
            number++;
        out[count++] = (hidato_gap){(uint16_t)first, (uint16_t)number};
    }
    return count;
}

void hidato_empty(const hidato_domains *d, uint64_t *out)
{
    memcpy(out, d->grid.mask, d->grid.words * sizeof *out);
    for (unsigned number = 1; number <= d->last; number++)
        if (d->place_count[number] == 1)
            set_remove(out, set_first(hidato_places(d, number)));
}
