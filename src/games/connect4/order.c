/* SPDX-License-Identifier: MIT */

#include "games/connect4/order.h"

/* A search forward over how high the columns are, with the dead ends that it has met remembered. Nearly
 * every board that has an order shows one with hardly any backtracking; the limit is for those that have
 * none. */
#define ORDER_NODES     20000
#define ORDER_DEAD_ENDS 1024

typedef struct order_search {
    const c4_shape *shape;
    c4_word stones[2]; /* what each player has on the board that is wanted */
    unsigned char *columns;
    unsigned nodes;
    c4_word dead_ends[ORDER_DEAD_ENDS]; /* where a search came to nothing; 0 is an unused entry */
} order_search;

static c4_word *order_dead_end(order_search *s, c4_word played)
{
    uint64_t mixed = ((uint64_t)played ^ (uint64_t)(played >> 64)) * UINT64_C(0x9e3779b97f4a7c15);
    return &s->dead_ends[mixed >> 54];
}
_Static_assert(ORDER_DEAD_ENDS == 1 << (64 - 54), "order_dead_end takes the 10 highest bits");

/* The column to try next: the one with the most stones left, since those are the hardest to get rid of. */
static unsigned order_choose(const order_search *s, c4_word moves, c4_word left)
{
    unsigned best = 0, most = 0;
    for (unsigned column = 0; column < s->shape->size.width; column++) {
        c4_word cells = c4_column(s->shape, column);
        unsigned count = (moves & cells) != 0 ? c4_count(left & cells) : 0;
        if (count > most) {
            best = column;
            most = count;
        }
    }
    return best;
}

static bool order_extend(order_search *s, c4_word played, unsigned ply)
{
    c4_word left = (s->stones[0] | s->stones[1]) & ~played;
    if (left == 0)
        return true;
    c4_word *dead_end = order_dead_end(s, played);
    if ((*dead_end == played && played != 0) || s->nodes++ >= ORDER_NODES)
        return false;
    for (c4_word moves = c4_playable(s->shape, played) & s->stones[ply % 2]; moves != 0;) {
        unsigned column = order_choose(s, moves, left);
        c4_word cell = moves & c4_column(s->shape, column);
        s->columns[ply] = (unsigned char)column;
        if (order_extend(s, played | cell, ply + 1))
            return true;
        moves ^= cell;
    }
    *dead_end = played;
    return false;
}

static bool order_find(const c4_shape *shape, c4_word first, c4_word second, unsigned char *columns)
{
    order_search s = {.shape = shape, .stones = {first, second}, .columns = columns};
    return order_extend(&s, 0, 0);
}

bool c4_find_order(const c4_shape *shape, c4_board board, unsigned char *columns)
{
    unsigned stones = c4_stones(board);
    c4_word mine = board.mine, theirs = c4_theirs(board);
    bool first_to_move = stones % 2 == 0;
    if (!c4_has_four(shape, theirs))
        return first_to_move ? order_find(shape, mine, theirs, columns)
                             : order_find(shape, theirs, mine, columns);

    /* The last stone made the four: without it there is none, so no order comes to one too early. */
    c4_word tops = (board.both + shape->bottom) >> 1 & theirs;
    for (unsigned column = 0; column < shape->size.width; column++) {
        c4_word last = tops & c4_column(shape, column);
        if (last == 0 || c4_has_four(shape, theirs ^ last))
            continue;
        columns[stones - 1] = (unsigned char)column;
        if (first_to_move ? order_find(shape, mine, theirs ^ last, columns)
                          : order_find(shape, theirs ^ last, mine, columns))
            return true;
    }
    return false;
}
