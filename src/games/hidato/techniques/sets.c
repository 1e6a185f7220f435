/* SPDX-License-Identifier: MIT */

/* Sets of numbers that need all of a set of cells. The solver's matching gives every number a cell of its own; if a
 * number n may stand where m stands in it, n points to m. All numbers that m leads to have, together, only the cells
 * they stand in: nothing that does not belong to them fits there. All numbers that lead to n are, together, the only
 * ones for the cells they stand in: they fit nowhere else. */

#include "games/hidato/techniques/seeker.h"

#include <string.h>

enum { NUMBER_WORDS = HIDATO_PLACES / 64 + 1 };

typedef struct crowd {
    uint64_t numbers[NUMBER_WORDS];
    uint64_t sites[HIDATO_WORDS];
    unsigned count;
    bool of_cells; /* the cells have no other numbers; otherwise the numbers have no other cells */
} crowd;

static bool crowd_add(const seeker *f, crowd *c, unsigned number)
{
    if (set_has(c->numbers, number))
        return false;
    set_add(c->numbers, number);
    set_add(c->sites, f->k->s->site_of[number]);
    c->count++;
    return true;
}

/* Everything that a number leads to, or that leads to it. */
static void crowd_gather(const seeker *f, unsigned from, bool backward, crowd *out)
{
    uint16_t list[HIDATO_PLACES + 1];
    unsigned count = 0;
    memset(out, 0, sizeof *out);
    out->of_cells = backward;
    crowd_add(f, out, from);
    list[count++] = (uint16_t)from;
    for (unsigned i = 0; i < count; i++) {
        if (backward) {
            SET_EACH (number, hidato_values(f->d, f->k->s->site_of[list[i]]), f->d->value_words)
                if (crowd_add(f, out, number))
                    list[count++] = (uint16_t)number;
        } else {
            SET_EACH (site, hidato_places(f->d, list[i]), f->g->words)
                if (crowd_add(f, out, f->k->s->number_at[site]))
                    list[count++] = f->k->s->number_at[site];
        }
    }
}

/* The smallest crowd that explains one of the removals; one alone is a single, and no affair of ours. */
static void crowd_find(const seeker *f, const uint32_t *removed, size_t count, crowd *best)
{
    best->count = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        crowd c;
        crowd_gather(f, f->k->s->number_at[removed[i] & 0xFFFF], false, &c);
        if (c.count > 1 && c.count < best->count)
            *best = c;
        crowd_gather(f, removed[i] >> 16, true, &c);
        if (c.count > 1 && c.count < best->count)
            *best = c;
    }
}

static void crowd_drop(const seeker *f, const crowd *c)
{
    if (c->of_cells) {
        SET_EACH (number, c->numbers, f->d->value_words)
            seeker_keep_sites(f, number, c->sites);
    } else {
        SET_EACH (site, c->sites, f->g->words)
            seeker_keep_numbers(f, site, c->numbers);
    }
}

static void crowd_mark(const seeker *f, const crowd *c)
{
    SET_EACH (site, c->sites, f->g->words)
        SET_EACH (number, hidato_values(f->d, site), f->d->value_words)
            if (set_has(c->numbers, number))
                seeker_mark(f, number, site, HOLOS_ROLE_PATTERN);
}

/* `size` is the largest crowd wanted; 0: any. */
bool seek_sets(const seeker *f, unsigned size)
{
    enum { REMOVALS_MOST = 64 };
    uint32_t removed[REMOVALS_MOST];
    crowd c;
    size_t mark = f->d->trail_length;
    hidato_propagate_matching(f->k->s);
    size_t count = f->d->trail_length - mark;
    count = count < REMOVALS_MOST ? count : REMOVALS_MOST;
    memcpy(removed, f->d->trail + mark, count * sizeof *removed);
    hidato_undo(f->d, mark);
    if (count == 0)
        return false;
    crowd_find(f, removed, count, &c);
    if (c.count == UINT32_MAX || (size != 0 && c.count > size))
        return false;
    crowd_drop(f, &c);
    crowd_mark(f, &c);
    f->step->rating += size == 0 ? step_length_rating(c.count) : 0;
    seeker_say(f,
               c.of_cells
                   ? "The %u cells %C have only the numbers %N between them, so those fit nowhere else. %e."
                   : "The %u cells %C are the only ones for the numbers %N, so nothing else fits there. %e.",
               c.count, c.sites, c.numbers);
    return step_found(f->step);
}
