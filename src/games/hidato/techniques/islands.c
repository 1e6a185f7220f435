/* SPDX-License-Identifier: MIT */

/* Islands: free cells that are cut off from the others. The solver's propagator finds where a gap must or cannot lie;
 * here one of its conclusions is told apart and explained. */

#include "games/hidato/techniques/seeker.h"

#include <string.h>

/* The free cells that hang together with a site. */
static void island_around(const seeker *f, unsigned site, uint64_t *out)
{
    memset(out, 0, f->g->words * sizeof *out);
    set_add(out, site);
    while (seeker_spread(f, out))
        continue;
}

typedef struct gap_elsewhere {
    hidato_gap gap;
    const uint64_t *island;
    bool inside; /* the gap leaves the island; otherwise it leaves everything else */
} gap_elsewhere;

static bool is_of_gap(const void *context, unsigned number, unsigned site)
{
    const gap_elsewhere *e = context;
    return number >= e->gap.first && number <= e->gap.last && set_has(e->island, site) == e->inside;
}

/* The gap keeps a place in the island of a removed candidate: then it was the whole island that it left. */
static bool leaves_island(const seeker *f, hidato_gap gap, const uint64_t *island)
{
    for (unsigned number = gap.first; number <= gap.last; number++)
        SET_EACH (site, hidato_places(f->d, number), f->g->words)
            if (set_has(island, site))
                return false;
    return true;
}

bool seek_island(const seeker *f, unsigned size)
{
    (void)size;
    uint64_t island[HIDATO_WORDS];
    size_t mark = f->d->trail_length;
    f->k->s->islands_seen = UINT64_MAX;
    hidato_propagate_islands(f->k->s);
    if (f->d->trail_length == mark) {
        hidato_undo(f->d, mark);
        return false;
    }
    unsigned removed = f->d->trail[mark];
    gap_elsewhere e = {.gap = seeker_gap(f, removed >> 16), .island = island};
    island_around(f, removed & 0xFFFF, island);
    e.inside = leaves_island(f, e.gap, island);
    unsigned count = set_count(island, f->g->words);
    seeker_drop_trail(f, mark, is_of_gap, &e);
    seeker_mark_gap(f, e.gap);
    seeker_say(f,
               "The free cells %C are cut off from the others, and whole gaps must fill all %u of them. With "
               "the way "
               "%g among those they could not: so %e.",
               island, count, &e.gap);
    return step_found(f->step);
}
