/* SPDX-License-Identifier: MIT */

/* Components: open numbers that follow each other or may take the same cell depend on each other; those that no such
 * chain connects do not. So the parts of a board that propagation has cut apart are solved one by one, and the numbers
 * of their solutions are multiplied. */

#include "games/hidato/clauses.h"

#include <string.h>

static unsigned find(uint16_t *parent, unsigned number)
{
    while (parent[number] != number)
        number = parent[number] = parent[parent[number]];
    return number;
}

/* The smaller number stands for both, so that the order is that of the numbers. */
static void unite(uint16_t *parent, unsigned a, unsigned b)
{
    a = find(parent, a);
    b = find(parent, b);
    if (a < b)
        parent[b] = (uint16_t)a;
    else
        parent[a] = (uint16_t)b;
}

unsigned hidato_components(const hidato_domains *d, uint16_t *of)
{
    uint16_t parent[HIDATO_PLACES + 2];
    unsigned count = 0;
    for (unsigned number = 0; number <= d->last; number++)
        parent[number] = (uint16_t)number;
    for (unsigned number = 1; number < d->last; number++)
        if (d->place_count[number] > 1 && d->place_count[number + 1] > 1)
            unite(parent, number, number + 1);
    SET_EACH (site, d->grid.mask, d->grid.words) {
        if (d->value_count[site] < 2)
            continue;
        unsigned first = set_first(hidato_values(d, site));
        SET_EACH (number, hidato_values(d, site), d->value_words)
            unite(parent, first, number);
    }
    for (unsigned number = 1; number <= d->last; number++) {
        if (d->place_count[number] == 1)
            of[number] = HIDATO_NO_COMPONENT;
        else
            of[number] = find(parent, number) == number ? (uint16_t)count++ : of[find(parent, number)];
    }
    return count;
}

/* How many more solutions of the next component are needed: the rest may have one each. */
static uint64_t solutions_wanted(uint64_t limit, uint64_t product)
{
    return product >= limit ? 1 : (limit + product - 1) / product;
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

bool hidato_solve_components(hidato_state *s, hidato_run *run)
{
    hidato_domains *d = &s->d;
    hidato_answer *answer = run->answer;
    uint16_t component_of[HIDATO_PLACES + 2], sites[HIDATO_PLACES + 2] = {0};
    uint64_t product = 1, limit = run->request->solutions;
    bool exhausted = true;
    unsigned count = hidato_components(d, component_of);
    for (unsigned i = 0; i < count && product > 0; i++) {
        hidato_part part = {
            .state = s, .run = run, .component_of = component_of, .component = i, .sites = sites};
        hidato_solve_part(&part, solutions_wanted(limit, product));
        if (!limits_go_on(&run->limits) && part.solutions == 0)
            return false; /* nothing is known of this one, so nothing of the whole */
        product = multiply(product, part.solutions);
        exhausted = exhausted && part.exhausted;
    }
    answer->solutions = product < limit ? product : limit;
    if (product > 0) {
        answer->first = *run->board;
        for (unsigned number = 1; number <= d->last; number++) {
            unsigned site = d->place_count[number] == 1 ? set_first(hidato_places(d, number)) : sites[number];
            unsigned place = hidato_place_of(&d->grid, site);
            if (answer->first.numbers[place] == 0)
                hidato_board_write(&answer->first, place, number);
        }
    }
    return product == 0 || (exhausted && product <= limit);
}
