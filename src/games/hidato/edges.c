/* SPDX-License-Identifier: MIT */

/* The edge layer: for each cell, the directions in which its next and its previous number may lie.
 *
 * A direction is open while some number of the cell and the next one of the neighbour are both possible. Every cell but
 * the ends has one next and one previous cell, and no two cells share one: so a cell with one open way out takes that
 * neighbour's way in from all others, and numbers that have no open way are none. */

#include "games/hidato/propagate.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER_WORDS = HIDATO_PLACES / 64 + 1 };

bool hidato_edges_init(hidato_state *s)
{
    const hidato_grid *g = &s->d.grid;
    hidato_edges *e = &s->edges;
    const hidato_step *steps;
    unsigned count = hidato_steps(g->kind, &steps);
    e->next = calloc(g->sites, sizeof *e->next);
    e->previous = calloc(g->sites, sizeof *e->previous);
    e->beside = calloc(g->sites, sizeof *e->beside);
    if (e->next == NULL || e->previous == NULL || e->beside == NULL)
        return false;
    SET_EACH (site, g->mask, g->words) {
        for (unsigned i = 0; i < count; i++) {
            unsigned row = site / g->stride + (unsigned)steps[i].row;
            unsigned column = site % g->stride + (unsigned)steps[i].column;
            unsigned other = row * g->stride + column;
            bool inside = row < g->rows && column < g->columns && set_has(g->mask, other);
            e->beside[site][i] = (uint16_t)(inside ? other : site);
            if (inside)
                e->next[site] = e->previous[site] = (uint8_t)(e->next[site] | 1u << i);
        }
    }
    return true;
}

void hidato_edges_free(hidato_state *s)
{
    free(s->edges.next);
    free(s->edges.previous);
    free(s->edges.beside);
    memset(&s->edges, 0, sizeof s->edges);
}

/* Directions are listed so that the opposite one is as far from the end as this one is from the beginning. */
static unsigned opposite(const hidato_grid *g, unsigned direction)
{
    static const unsigned counts[] = {[HIDATO_KING] = 8, [HIDATO_ROOK] = 4, [HIDATO_HEX] = 6};
    return counts[g->kind] - 1 - direction;
}

/* The path does not go from the site in this direction. */
static void close_next(hidato_state *s, unsigned site, unsigned direction)
{
    hidato_edges *e = &s->edges;
    unsigned other = e->beside[site][direction];
    e->next[site] = (uint8_t)(e->next[site] & ~(1u << direction));
    e->previous[other] = (uint8_t)(e->previous[other] & ~(1u << opposite(&s->d.grid, direction)));
    hidato_changes_add(&s->d.later_sites, site);
    hidato_changes_add(&s->d.later_sites, other);
}

static void close_previous(hidato_state *s, unsigned site, unsigned direction)
{
    close_next(s, s->edges.beside[site][direction], opposite(&s->d.grid, direction));
}

/* A word of the set of numbers one above those of a set, and one below. */
static inline uint64_t set_up(const uint64_t *set, unsigned word)
{
    return set[word] << 1 | (word > 0 ? set[word - 1] >> 63 : 0);
}

static inline uint64_t set_down(const uint64_t *set, unsigned word, unsigned words)
{
    return set[word] >> 1 | (word + 1 < words ? set[word + 1] << 63 : 0);
}

/* Some number of `from` is followed by one of `to`. */
static bool can_follow(const hidato_domains *d, unsigned from, unsigned to)
{
    const uint64_t *a = hidato_values(d, from), *b = hidato_values(d, to);
    for (unsigned word = 0; word < d->value_words; word++)
        if (b[word] != 0 && (set_up(a, word) & b[word]) != 0)
            return true;
    return false;
}

/* Ways out alone: a way in is the way out of a neighbour, which is looked at in the same round. */
static void close_dead(hidato_state *s, unsigned site)
{
    const hidato_edges *e = &s->edges;
    for (unsigned open = e->next[site]; open != 0; open &= open - 1) {
        unsigned direction = (unsigned)__builtin_ctz(open);
        if (!can_follow(&s->d, site, e->beside[site][direction]))
            close_next(s, site, direction);
    }
}

static bool is_single(unsigned set)
{
    return set != 0 && (set & (set - 1)) == 0;
}

/* The only way out of a site is nobody else's way into the neighbour, and not a way back; the same for ways in. */
static void close_taken(hidato_state *s, unsigned site)
{
    const hidato_domains *d = &s->d;
    const hidato_edges *e = &s->edges;
    if (is_single(e->next[site]) && !hidato_may(d, d->last, site)) {
        unsigned direction = (unsigned)__builtin_ctz(e->next[site]), to = e->beside[site][direction];
        unsigned own = 1u << opposite(&d->grid, direction);
        for (unsigned other = e->previous[to] & ~own; other != 0; other &= other - 1)
            close_previous(s, to, (unsigned)__builtin_ctz(other));
        if ((e->previous[site] >> direction & 1) != 0)
            close_previous(s, site, direction);
    }
    if (is_single(e->previous[site]) && !hidato_may(d, 1, site)) {
        unsigned direction = (unsigned)__builtin_ctz(e->previous[site]), from = e->beside[site][direction];
        unsigned own = 1u << opposite(&d->grid, direction);
        for (unsigned other = e->next[from] & ~own; other != 0; other &= other - 1)
            close_next(s, from, (unsigned)__builtin_ctz(other));
        if ((e->next[site] >> direction & 1) != 0)
            close_next(s, site, direction);
    }
}

/* Two ways in opposite directions between the same cells count as one side. A cell that may be passed by two sides
 * only is passed by both. */
static bool passes_both(const hidato_state *s, unsigned site)
{
    const hidato_edges *e = &s->edges;
    return __builtin_popcount(e->next[site] | e->previous[site]) == 2 && !hidato_may(&s->d, 1, site) &&
           !hidato_may(&s->d, s->d.last, site);
}

/* Numbers of the site with a way in and a way out. Most sets have few words that are not empty. */
static bool keep_open(hidato_state *s, unsigned site)
{
    hidato_domains *d = &s->d;
    const hidato_edges *e = &s->edges;
    const uint64_t *own = hidato_values(d, site);
    uint64_t allowed[NUMBER_WORDS] = {0};
    for (unsigned word = 0; word < d->value_words; word++) {
        if (own[word] == 0)
            continue;
        uint64_t in = word == 0 ? 2 : 0, out = word == d->last / 64 ? UINT64_C(1) << d->last % 64 : 0;
        for (unsigned open = e->previous[site]; open != 0; open &= open - 1)
            in |= set_up(hidato_values(d, e->beside[site][__builtin_ctz(open)]), word);
        for (unsigned open = e->next[site]; open != 0; open &= open - 1)
            out |= set_down(hidato_values(d, e->beside[site][__builtin_ctz(open)]), word, d->value_words);
        allowed[word] = in & out;
    }
    return hidato_restrict_values(d, site, allowed);
}

/* Of a cell that is passed by both its sides: the numbers go up from one to the other, or down. Then the neighbours hold
 * a number next to one of the cell's. */
static bool keep_passing(hidato_state *s, unsigned site)
{
    hidato_domains *d = &s->d;
    const hidato_edges *e = &s->edges;
    unsigned sides = e->next[site] | e->previous[site];
    unsigned a = e->beside[site][__builtin_ctz(sides)], b = e->beside[site][31 - __builtin_clz(sides)];
    const uint64_t *va = hidato_values(d, a), *vb = hidato_values(d, b), *own = hidato_values(d, site);
    uint64_t allowed[NUMBER_WORDS] = {0}, beside[NUMBER_WORDS] = {0};
    unsigned words = d->value_words;
    for (unsigned word = 0; word < words; word++)
        if (own[word] != 0)
            allowed[word] = (set_up(va, word) & set_down(vb, word, words)) |
                            (set_down(va, word, words) & set_up(vb, word));
    if (!hidato_restrict_values(d, site, allowed))
        return false;
    for (unsigned word = 0; word < words; word++)
        beside[word] = set_up(own, word) | set_down(own, word, words);
    return hidato_restrict_values(d, a, beside) && hidato_restrict_values(d, b, beside);
}

/* Of a filled cell, the sweeps know as much as its numbers. */
static bool check_site(hidato_state *s, unsigned site)
{
    close_taken(s, site);
    return s->d.value_count[site] == 1 ||
           (keep_open(s, site) && (!passes_both(s, site) || keep_passing(s, site)));
}

/* Looks at the sites that have changed and those beside them, each once, until nothing changes. */
bool hidato_propagate_edges(hidato_state *s)
{
    hidato_domains *d = &s->d;
    unsigned words = d->grid.words;
    while (d->later_sites.count > 0 && d->last > 2) {
        uint64_t near[HIDATO_WORDS];
        hidato_later_around(d, near);
        SET_EACH (site, near, words)
            close_dead(s, site);
        SET_EACH (site, near, words)
            if (!check_site(s, site))
                return false;
    }
    return true;
}
