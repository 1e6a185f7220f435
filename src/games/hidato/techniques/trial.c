/* SPDX-License-Identifier: MIT */

/* The last resort: suppose a number in a cell, and see that it cannot be. */

#include "games/hidato/solver.h"
#include "games/hidato/techniques/seeker.h"

#include <string.h>

enum {
    SAID_MOST = 10,     /* numbers of a trial that are told one by one */
    TRIALS_MOST = 1024, /* on a large board, enough to look for a short one */
    SHORT = 4,          /* forced numbers that are easy enough to keep in mind */
};

/* What a supposition forces, in order. */
typedef struct trial {
    unsigned number, site;
    unsigned count;
    uint32_t forced[HIDATO_PLACES]; /* number << 16 | site */
    hidato_conflict_found conflict;
} trial;

/* Supposes a number in a cell; true if that leads to a contradiction. Takes everything back, but the trail can still
 * be read: returns its length then. */
static bool suppose(const seeker *f, bool deep, unsigned number, unsigned site, size_t *end,
                    hidato_conflict_found *conflict)
{
    size_t mark = f->d->trail_length;
    bool holds =
        hidato_assign(f->d, number, site) && (deep ? hidato_propagate(f->k->s) : hidato_propagate_v1(f->d));
    *end = f->d->trail_length;
    *conflict = f->d->conflict;
    hidato_undo(f->d, mark);
    return !holds;
}

/* Reads off the trail which numbers were left with one place, and when. */
static void trial_read(const seeker *f, size_t end, trial *t)
{
    uint16_t left[HIDATO_PLACES + 2];
    uint64_t sites[HIDATO_WORDS];
    size_t mark = f->d->trail_length;
    memcpy(left, f->d->place_count, (f->d->last + 1u) * sizeof *left);
    t->count = 0;
    for (size_t i = mark; i < end; i++) {
        unsigned number = f->d->trail[i] >> 16;
        if (--left[number] != 1 || number == t->number ||
            (t->conflict.kind == HIDATO_NO_PLACE && number == t->conflict.number))
            continue;
        memcpy(sites, hidato_places(f->d, number), f->g->words * sizeof *sites);
        for (size_t j = mark; j <= i; j++)
            if (f->d->trail[j] >> 16 == number)
                set_remove(sites, f->d->trail[j] & 0xFFFF);
        t->forced[t->count++] = number << 16 | set_first(sites);
    }
}

static void say_end(const seeker *f, const hidato_conflict_found *c)
{
    switch (c->kind) {
    case HIDATO_NO_PLACE:
        seeker_say(f, "no cell would be left for %u", c->number);
        break;
    case HIDATO_NO_NUMBER:
        seeker_say(f, "no number would be left for %c", c->site);
        break;
    case HIDATO_ISLAND:
        seeker_say(f, "no gaps would fill the free cells around %c", c->site);
        break;
    case HIDATO_MATCHING:
    case HIDATO_NO_CONFLICT:
        seeker_say(f, "there would be fewer cells than numbers");
    }
}

static void say_trial(const seeker *f, const trial *t)
{
    seeker_say(f, "Suppose %u in %c", t->number, t->site);
    for (unsigned i = 0; i < t->count && i < SAID_MOST; i++)
        seeker_say(f, i == 0 ? ": then %u is in %c" : ", %u in %c", t->forced[i] >> 16,
                   t->forced[i] & 0xFFFF);
    if (t->count > SAID_MOST)
        seeker_say(f, ", %u more", t->count - SAID_MOST);
    seeker_say(f, t->count > 0 ? ", and " : ": then ");
    say_end(f, &t->conflict);
    seeker_say(f, ". So %u is not in %c.", t->number, t->site);
}

/* The first short contradiction, or else the shortest of those that were tried. */
static bool find_contradiction(const seeker *f, bool deep, trial *best)
{
    trial t;
    unsigned tried = 0;
    best->count = UINT32_MAX;
    best->number = best->site = 0;
    best->conflict = (hidato_conflict_found){0};
    for (unsigned number = 1; number <= f->d->last; number++) {
        if (seeker_is_placed(f, number))
            continue;
        SET_EACH (site, hidato_places(f->d, number), f->g->words) {
            size_t end;
            tried++;
            if (!limits_check(f->limits))
                return false;
            if (!suppose(f, deep, number, site, &end, &t.conflict))
                continue;
            t.number = number;
            t.site = site;
            trial_read(f, end, &t);
            if (t.count < best->count)
                *best = t;
            if (t.count <= SHORT)
                return true;
        }
        if (tried >= TRIALS_MOST && best->count < UINT32_MAX)
            return true;
    }
    return best->count < UINT32_MAX;
}

/* `size` 1: by all techniques. */
bool seek_trial(const seeker *f, unsigned size)
{
    trial t;
    if (!find_contradiction(f, size == 1, &t))
        return false;
    seeker_drop(f, t.number, t.site);
    seeker_mark(f, t.number, t.site, HOLOS_ROLE_OTHER);
    for (unsigned i = 0; i < t.count; i++)
        seeker_mark(f, t.forced[i] >> 16, t.forced[i] & 0xFFFF, HOLOS_ROLE_PATTERN);
    f->step->rating += step_length_rating(t.count);
    say_trial(f, &t);
    return true;
}

/* ---- Search ---------------------------------------------------------------------------------------- */

/* Whether a number in a cell has no solution, and how many guesses that takes to see. */
static bool is_refuted(const seeker *f, unsigned number, unsigned site, uint64_t *nodes)
{
    const hidato_request request = {.mode = hidato_mode_find(NULL), .solutions = 1};
    hidato_board b = f->k->board;
    hidato_answer answer;
    hidato_board_write(&b, hidato_place_of(f->g, site), number);
    if (hidato_solve(&b, f->g->kind, &request, f->limits, &answer) != HOLOS_OK)
        return false;
    *nodes = answer.nodes;
    return answer.complete && answer.solutions == 0;
}

/* Of the numbers with the fewest places, the place that is refuted with the fewest guesses. */
bool seek_search(const seeker *f, unsigned size)
{
    uint64_t fewest = UINT64_MAX;
    unsigned best = 0, where = 0, places = UINT32_MAX;
    (void)size;
    for (unsigned number = 1; number <= f->d->last; number++)
        if (!seeker_is_placed(f, number) && f->d->place_count[number] < places)
            places = f->d->place_count[number];
    for (unsigned number = 1; number <= f->d->last; number++) {
        if (seeker_is_placed(f, number) || f->d->place_count[number] != places)
            continue;
        SET_EACH (site, hidato_places(f->d, number), f->g->words) {
            uint64_t nodes;
            if (!limits_check(f->limits))
                return false;
            if (!is_refuted(f, number, site, &nodes) || nodes >= fewest)
                continue;
            fewest = nodes;
            best = number;
            where = site;
        }
        if (best != 0)
            break;
    }
    if (best == 0)
        return false;
    seeker_drop(f, best, where);
    seeker_mark(f, best, where, HOLOS_ROLE_OTHER);
    f->step->rating += step_length_rating((unsigned)(fewest < UINT32_MAX ? fewest : UINT32_MAX));
    seeker_say(f, "Suppose %u in %c: whatever is tried then ends in a contradiction. So %u is not in %c.",
               best, where, best, where);
    return true;
}
