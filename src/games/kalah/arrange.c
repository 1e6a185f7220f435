/* SPDX-License-Identifier: MIT */

#include "games/kalah/arrange.h"

#include "core/assert.h"

#include <string.h>

void arrange_init(arrange *a, unsigned pits, unsigned seeds)
{
    assert(pits >= 1 && pits <= ARRANGE_PITS);
    memset(a, 0, sizeof *a);
    a->pits = pits;
    if (seeds > ARRANGE_SEEDS)
        seeds = ARRANGE_SEEDS;
    for (unsigned n = 0; n <= seeds; n++) {
        uint64_t most = 0;
        for (unsigned q = 0; q < pits; q++) {
            uint64_t ways = n == 0 || q == 0 ? 1 : (uint64_t)a->ways[q][n - 1] + a->ways[q - 1][n];
            a->ways[q][n] = (uint32_t)ways;
            most = ways;
        }
        if (most > ARRANGE_MOST)
            break;
        a->seeds = n;
    }
}

void arrange_unrank(const arrange *a, uint32_t rank, unsigned seeds, uint8_t *pits)
{
    for (unsigned p = 0; p + 1 < a->pits; p++) {
        const uint32_t *ways = a->ways[a->pits - 1 - p];
        unsigned rest = seeds;
        while (rest > 0 && ways[seeds] - ways[rest - 1] <= rank)
            rest--;
        rank -= ways[seeds] - ways[rest];
        pits[p] = (uint8_t)(seeds - rest);
        seeds = rest;
    }
    pits[a->pits - 1] = (uint8_t)seeds;
}

void arrange_first(const arrange *a, unsigned seeds, uint8_t *pits)
{
    memset(pits, 0, a->pits);
    pits[a->pits - 1] = (uint8_t)seeds;
}

bool arrange_next(const arrange *a, uint8_t *pits)
{
    /* One seed moves a pit away from the store; what lay between goes back to the store's end. */
    unsigned last = a->pits - 1;
    unsigned p = last;
    while (p > 0 && pits[p] == 0)
        p--;
    if (p == 0) {
        uint8_t all = pits[0];
        pits[0] = 0;
        pits[last] = all;
        return false;
    }
    uint8_t rest = (uint8_t)(pits[p] - 1);
    pits[p] = 0;
    pits[p - 1]++;
    pits[last] = rest;
    return true;
}
