/* SPDX-License-Identifier: MIT */

/* Random paths through all cells, by backbite (Mansfield 1982): a path grows at either end while there is a cell to grow
 * into; where there is none, the end bites into a neighbour on the path, and the piece behind it turns around. Once the
 * path is whole, more bites mix it. */

#include "games/hidato/generate.h"

#include <string.h>

enum {
    GROW_STEPS = 400, /* for each cell; what is not whole by then hardly ever will be */
    MIX_STEPS = 8,    /* for each cell */
};

typedef struct snake {
    const hidato_grid *g;
    rng *random;
    uint16_t buffer[2 * HIDATO_PLACES]; /* the path lies in the middle, so that it can grow at either end */
    uint16_t index[HIDATO_SITES];       /* of a site in the buffer; 0xFFFF: not on the path */
    unsigned begin, end;
} snake;

static void snake_turn(snake *s, unsigned from, unsigned to)
{
    for (; from + 1 < to; from++) {
        uint16_t site = s->buffer[from];
        s->buffer[from] = s->buffer[--to];
        s->buffer[to] = site;
        s->index[s->buffer[from]] = (uint16_t)from;
        s->index[site] = (uint16_t)to;
    }
}

static bool snake_grow(snake *s, bool at_end)
{
    unsigned head = s->buffer[at_end ? s->end - 1 : s->begin], count = 0;
    uint16_t free[HIDATO_DEGREE];
    for (unsigned i = 0; i < s->g->degree[head]; i++)
        if (s->index[s->g->neighbours[head][i]] == 0xFFFF)
            free[count++] = s->g->neighbours[head][i];
    if (count == 0)
        return false;
    unsigned next = free[rng_below(s->random, count)], at = at_end ? s->end++ : --s->begin;
    s->buffer[at] = (uint16_t)next;
    s->index[next] = (uint16_t)at;
    return true;
}

/* Every neighbour of the end is on the path. */
static void snake_bite(snake *s, bool at_end)
{
    unsigned head = s->buffer[at_end ? s->end - 1 : s->begin];
    unsigned bitten = s->g->neighbours[head][rng_below(s->random, s->g->degree[head])];
    unsigned at = s->index[bitten];
    if (at_end)
        snake_turn(s, at + 1, s->end);
    else
        snake_turn(s, s->begin, at);
}

bool hidato_draw_path(hidato_board *b, hidato_kind kind, rng *random)
{
    hidato_grid g;
    snake s = {.g = &g, .random = random, .begin = HIDATO_PLACES, .end = HIDATO_PLACES + 1};
    unsigned steps = GROW_STEPS * b->cells, place;
    if (b->cells == 1) {
        place = 0;
        while (b->numbers[place] == HIDATO_HOLE)
            place++;
        b->numbers[place] = 1;
        return true;
    }
    hidato_grid_init(&g, b, kind);
    memset(s.index, 0xFF, sizeof s.index);
    do
        place = (unsigned)rng_below(random, (uint64_t)b->rows * b->columns);
    while (b->numbers[place] == HIDATO_HOLE);
    s.buffer[s.begin] = (uint16_t)hidato_site_of(&g, place);
    s.index[s.buffer[s.begin]] = (uint16_t)s.begin;
    for (; s.end - s.begin < b->cells && steps > 0; steps--) {
        bool at_end = (rng_next(random) >> 32 & 1) != 0;
        if (!snake_grow(&s, at_end))
            snake_bite(&s, at_end);
    }
    if (s.end - s.begin < b->cells)
        return false;
    for (unsigned i = 0; i < MIX_STEPS * b->cells; i++)
        snake_bite(&s, (rng_next(random) >> 32 & 1) != 0);
    for (unsigned i = s.begin; i < s.end; i++)
        b->numbers[hidato_place_of(&g, s.buffer[i])] = (uint16_t)(i - s.begin + 1);
    return true;
}
