/* SPDX-License-Identifier: MIT */

/* Moves backwards. Whoever does not move now has put down one of its discs last, and turned some of those beside it: in each direction
 * as many as stand in a row there, but for one that held the other end. */

#include "games/reversi/reversi.h"

static const int directions[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};

/* Cells from one on, in a direction, to the edge. */
typedef struct ray {
    uint64_t cells[8];
    unsigned length;
} ray;

static ray ray_from(unsigned cell, const int direction[2], unsigned size)
{
    ray r = {.length = 0};
    int file = (int)(cell % 8) + direction[0], rank = (int)(cell / 8) + direction[1];
    while (file >= 0 && rank >= 0 && file < (int)size && rank < (int)size) {
        r.cells[r.length++] = UINT64_C(1) << (8 * rank + file);
        file += direction[0];
        rank += direction[1];
    }
    return r;
}

/* In a ray of n cells, from none to n - 1 discs may have been turned. */
uint32_t reversi_most_predecessors(unsigned size)
{
    uint32_t sum = 1; /* a pass */
    for (unsigned cell = 0; cell < 64; cell++) {
        uint32_t product = 1;
        if (cell % 8 >= size || cell / 8 >= size)
            continue;
        for (unsigned d = 0; d < 8; d++) {
            ray r = ray_from(cell, directions[d], size);
            product *= r.length > 1 ? r.length : 1;
        }
        sum += product - 1;
    }
    return sum;
}

/* The ways in which discs around the last one can have been turned. */
typedef struct turnings {
    uint64_t in[8][7]; /* [direction][how many - 1]: those turned */
    unsigned most[8];
} turnings;

/* False if the disc cannot have been the last: it would have turned discs that are still the other's. */
static bool turnings_find(reversi_board b, unsigned cell, unsigned size, turnings *out)
{
    for (unsigned d = 0; d < 8; d++) {
        ray r = ray_from(cell, directions[d], size);
        unsigned own = 0, other = 0;
        while (own < r.length && (b.theirs & r.cells[own]) != 0)
            own++;
        while (other < r.length && (b.mine & r.cells[other]) != 0)
            other++;
        if (other > 0 && other < r.length && (b.theirs & r.cells[other]) != 0)
            return false;
        out->most[d] = own > 0 ? own - 1 : 0;
        uint64_t turned = 0;
        for (unsigned i = 0; i + 1 < own; i++)
            out->in[d][i] = turned |= r.cells[i];
    }
    return true;
}

/* The position before, as the side that made the move saw it. */
static void before_put(const holos_variant *v, const reversi_position *p, reversi_board board,
                       holos_move move, holos_edges out, uint32_t *count)
{
    reversi_position before = {.board = board, .side = 1 - p->side};
    reversi_put(v, out, (*count)++, move, p->board, &before);
}

static void cell_retract(const holos_variant *v, const reversi_position *p, unsigned cell, holos_edges out,
                         uint32_t *count)
{
    turnings t;
    unsigned chosen[8] = {0};
    if (!turnings_find(p->board, cell, reversi_rules_of(v)->size, &t))
        return;
    for (;;) {
        unsigned d = 0;
        while (d < 8 && chosen[d] == t.most[d])
            chosen[d++] = 0;
        if (d == 8)
            return;
        chosen[d]++;
        uint64_t turned = 0;
        for (unsigned i = 0; i < 8; i++)
            turned |= chosen[i] > 0 ? t.in[i][chosen[i] - 1] : 0;
        reversi_board before = {.mine = p->board.theirs ^ turned ^ UINT64_C(1) << cell,
                                .theirs = p->board.mine ^ turned};
        before_put(v, p, before, cell, out, count);
    }
}

uint32_t reversi_predecessors(const holos_variant *v, const holos_position *position, holos_edges out)
{
    const reversi_position *p = reversi_of(position);
    uint64_t cells = reversi_rules_of(v)->cells;
    uint32_t count = 0;
    if (reversi_moves(p->board, cells) != 0 && reversi_moves(reversi_pass(p->board), cells) == 0)
        before_put(v, p, reversi_pass(p->board), REVERSI_PASS, out, &count);
    for (uint64_t left = p->board.theirs & ~reversi_rules_of(v)->middle; left != 0; left &= left - 1)
        cell_retract(v, p, reversi_first(left), out, &count);
    return count;
}
