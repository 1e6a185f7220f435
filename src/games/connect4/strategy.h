/* SPDX-License-Identifier: MIT */

/* What a side is sure of without search, because it has a plan that answers every move.
 *
 * The plan is to follow up: whoever answers each stone with one on top of it gets every second cell of
 * every column. Allis (A Knowledge-based Approach of Connect-Four, 1988) calls that claimeven; here it is
 * carried further, so that it applies to every position in which it can work at all:
 *
 * - Of a column with an odd number of empty cells the lowest is left over. Such columns are taken in
 *   pairs: if one side takes the lowest cell of one, the other takes that of the other (a baseinverse), and
 *   from there on the cells above are answered as everywhere.
 * - If the number of such columns is odd, one is left. The plan still works if the side that follows has
 *   a cell in some column where it makes four, and which the shifted order gives to it: then the other side
 *   must not play below that cell, and runs out of moves elsewhere (an odd threat; zugzwang).
 * - Nobody gets past a cell where the following side makes four.
 *
 * So the leader gets at most one half of the empty cells, known beforehand. If these and its own stones do
 * not make four, it cannot win; and if the other half makes four, or a zugzwang is there, it loses. */

#ifndef HOLOS_CONNECT4_STRATEGY_H
#define HOLOS_CONNECT4_STRATEGY_H

#include "games/connect4/rules.h"

/* A position as a search sees it: from the side to move, with the empty cells where a stone makes four. */
typedef struct c4_node {
    c4_word mine, theirs;
    c4_word my_wins, their_wins;
    int stones;
} c4_node;

#define C4_NO_BOUND 1000

/* The same set of rows in every column; bit 0 of `rows` is the lowest. */
static inline c4_word c4_rows(const c4_shape *shape, unsigned rows)
{
    return shape->bottom * (c4_word)(rows & ((1u << shape->size.height) - 1));
}

/* The rows that the follower gets in a column with an even number of empty cells: the highest, and every
 * second one from there. */
static inline c4_word c4_upper_rows(const c4_shape *shape)
{
    return c4_rows(shape, shape->size.height % 2 == 0 ? 0xaaaau : 0x5555u);
}

/* All cells above any of `cells`. */
static inline c4_word c4_above(const c4_shape *shape, c4_word cells)
{
    c4_word above = cells << 1 & shape->cells;
    above |= above << 1 & shape->cells;
    above |= above << 2 & c4_rows(shape, ~3u);
    above |= above << 4 & c4_rows(shape, ~15u);
    if (shape->size.height > 9)
        above |= above << 8 & c4_rows(shape, ~255u);
    return above;
}

/* The column, as far up as the board goes, that a cell is in. */
static inline c4_word c4_column_of(const c4_shape *shape, unsigned cell)
{
    return c4_column(shape, cell / (shape->size.height + 1));
}

/* The index of the lowest bit of a word that is not 0. */
static inline unsigned c4_first(c4_word word)
{
    uint64_t low = (uint64_t)word;
    return (unsigned)(low != 0 ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(word >> 32 >> 32)));
}

/* When only columns with a stop are left (a cell where the follower makes four, in the half that it gets)
 * the leader has to play below one of the stops, and the follower wins there. What is then still empty is
 * `blocked`, the stops with the cells above them and the one below, without two. */
static inline int c4_stopped_score(c4_word blocked)
{
    return -(int)(c4_count(blocked) / 2);
}

/* Whether the follower's stones with the cells that it is sure of make four early enough: if the leader is
 * to lose by `margin` or more, the line's last cell must have 2 * (margin - 1) cells above it. */
static inline bool c4_half_wins(const c4_shape *shape, c4_word stones, c4_word sure, int margin)
{
    int rows = (int)shape->size.height - 2 * (margin - 1);
    return rows > 0 && c4_has_four(shape, stones | (sure & c4_rows(shape, (1u << rows) - 1)));
}

/* An upper bound of the score of the side to move, by the follow-up plan of the other side, or
 * C4_NO_BOUND. The caller wants to know whether the score is less than `beta`: beyond that no work is
 * done. The side to move must not have a win or a forced reply on the board. */
static inline int c4_follow_up(const c4_shape *shape, const c4_node *n, int beta)
{
    c4_word both = n->mine | n->theirs, empty = shape->cells ^ both;
    c4_word playable = c4_playable(shape, both);
    c4_word upper = c4_upper_rows(shape) & empty & ~playable;
    c4_word stops = n->their_wins & upper;
    c4_word above = c4_above(shape, stops);
    c4_word leader = n->mine | (empty & ~upper & ~above);

    if (((int)c4_size_cells(shape->size) - n->stones) % 2 == 0) {
        if (c4_has_four(shape, leader))
            return C4_NO_BOUND;
        if (beta > 0)
            return 0;
        int score = c4_stopped_score(above | stops | stops >> 1);
        if (score >= beta && c4_half_wins(shape, n->theirs, upper, 1 - beta))
            score = beta - 1;
        return score;
    }

    int best = C4_NO_BOUND;
    c4_word threats = n->their_wins & empty & ~upper & ~playable;
    while (threats != 0) {
        c4_word threat = threats & -threats;
        c4_word column = c4_column_of(shape, c4_first(threat));
        threats &= ~column;
        c4_word below = column & empty & (threat - 1);
        if (c4_has_four(shape, (leader & ~(column & empty)) | (below & (upper | playable))))
            continue;
        c4_word blocked = ((above | stops | stops >> 1) & ~column) | (column & ~(threat - 1)) | threat >> 1;
        int score = c4_stopped_score(blocked);
        best = score < best ? score : best;
        if (best < beta)
            break;
    }
    return best;
}

#endif
