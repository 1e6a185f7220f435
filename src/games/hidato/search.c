/* SPDX-License-Identifier: MIT */

/* v3: depth first, with propagation after every guess. A guess is a candidate of the number or cell with the fewest; where
 * several have as few, of the one whose candidate constrains the others least, then of one next to the path, then the
 * first by row and column. What a guess refutes is removed, so the rest of the node is propagated, too. */

#include "games/hidato/solver.h"

#include "core/hash.h"

#include <stdlib.h>
#include <string.h>

enum { TABLE_BITS = 14 };

typedef struct search {
    hidato_state *s;
    hidato_run *run;
    unsigned depth;
    uint64_t *dead; /* keys of states without a solution, by their low bits; NULL: none are kept */
} search;

/* ---- Where to guess ----------------------------------------------------------------------------------- */

typedef struct guess {
    unsigned count; /* candidates of the number or cell */
    unsigned harm;  /* candidates that the guess takes from others */
    unsigned off_path;
    unsigned site, number;
} guess;

static bool guess_better(const guess *a, const guess *b)
{
    if (a->count != b->count)
        return a->count < b->count;
    if (a->harm != b->harm)
        return a->harm < b->harm;
    if (a->off_path != b->off_path)
        return a->off_path < b->off_path;
    return a->site != b->site ? a->site < b->site : a->number < b->number;
}

static bool is_next_to_path(const hidato_domains *d, unsigned number)
{
    return (number > 1 && d->place_count[number - 1] == 1) ||
           (number < d->last && d->place_count[number + 1] == 1);
}

static void guess_consider(const hidato_domains *d, guess *best, unsigned count, unsigned number,
                           unsigned site)
{
    guess g = {count, d->value_count[site] + d->place_count[number], !is_next_to_path(d, number), site,
               number};
    if (guess_better(&g, best))
        *best = g;
}

static guess guess_choose(const hidato_domains *d)
{
    guess best = {.count = UINT32_MAX};
    for (unsigned number = 1; number <= d->last; number++) {
        unsigned count = d->place_count[number];
        if (count == 1 || count > best.count)
            continue;
        SET_EACH (site, hidato_places(d, number), d->grid.words)
            guess_consider(d, &best, count, number, site);
    }
    SET_EACH (site, d->grid.mask, d->grid.words) {
        unsigned count = d->value_count[site];
        if (count == 1 || count > best.count)
            continue;
        SET_EACH (number, hidato_values(d, site), d->value_words)
            guess_consider(d, &best, count, number, site);
    }
    return best;
}

/* ---- Dead ends ---------------------------------------------------------------------------------------- */

static bool is_dead(const search *k)
{
    uint64_t hash = k->s->d.hash;
    return k->dead != NULL && hash != 0 && k->dead[hash >> (64 - TABLE_BITS)] == hash;
}

static void note_dead(search *k, uint64_t hash)
{
    if (k->dead != NULL)
        k->dead[hash >> (64 - TABLE_BITS)] = hash;
}

/* ---- The search --------------------------------------------------------------------------------------- */

static bool search_node(search *k);

/* Goes down one guess; false if the search has to end. */
static bool search_guess(search *k, const guess *g)
{
    hidato_domains *d = &k->s->d;
    size_t mark = d->trail_length;
    bool goes_on = true;
    if (k->depth == k->run->depth_limit) {
        k->run->answer->limit = "the depth limit";
        return false;
    }
    k->run->limits.nodes++;
    if (++k->depth > k->run->answer->depth)
        k->run->answer->depth = k->depth;
    if (hidato_assign(d, g->number, g->site) && hidato_propagate(k->s))
        goes_on = search_node(k);
    k->depth--;
    hidato_undo(d, mark);
    return goes_on;
}

static bool solution_found(search *k)
{
    hidato_board solution;
    hidato_domains_board(&k->s->d, k->run->board, &solution);
    return !hidato_run_found(k->run, &solution);
}

/* Everything below a propagated state; false if the search has to end. */
static bool search_node(search *k)
{
    hidato_domains *d = &k->s->d;
    size_t mark = d->trail_length;
    uint64_t hash = d->hash, solutions = k->run->answer->solutions;
    if (hidato_is_solved(d))
        return solution_found(k);
    if (is_dead(k))
        return true;
    for (bool alive = true; alive;) {
        if (!limits_may_count(&k->run->limits))
            return false;
        guess g = guess_choose(d);
        if (!search_guess(k, &g))
            return false;
        alive = hidato_remove(d, g.number, g.site) && hidato_propagate(k->s);
        if (alive && hidato_is_solved(d)) {
            if (!solution_found(k))
                return false;
            alive = false;
        }
    }
    hidato_undo(d, mark);
    if (k->run->answer->solutions == solutions)
        note_dead(k, hash);
    return true;
}

bool hidato_search(hidato_state *s, hidato_run *run)
{
    search k = {.s = s, .run = run};
    if (run->request->mode->table)
        k.dead = calloc((size_t)1 << TABLE_BITS, sizeof *k.dead); /* without memory, none are kept */
    bool all = search_node(&k);
    free(k.dead);
    return all;
}
