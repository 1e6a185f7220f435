/* SPDX-License-Identifier: MIT */

/* Chess as simply as can be, for tests that want a second opinion: a board of 64 bytes, and moves tried one by one. No
 * castling. It shares no code with the library. */

#ifndef HOLOS_TESTS_PLAIN_CHESS_H
#define HOLOS_TESTS_PLAIN_CHESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PLAIN_PAWN = 1, PLAIN_KNIGHT, PLAIN_BISHOP, PLAIN_ROOK, PLAIN_QUEEN, PLAIN_KING };

typedef struct plain {
    int8_t at[64]; /* white pieces are positive, black ones negative */
    int8_t side;   /* 1 white, -1 black */
    int8_t passed; /* the square behind a pawn that has just gone two; -1 */
} plain;

typedef struct plain_move {
    int8_t from, to, becomes;
    bool zeroes, passing;
} plain_move;

static inline bool plain_on_board(int file, int rank)
{
    return file >= 0 && file < 8 && rank >= 0 && rank < 8;
}

static const int8_t plain_steps[16][2] = {{1, 0},  {-1, 0},  {0, 1},   {0, -1}, {1, 1},  {1, -1},
                                          {-1, 1}, {-1, -1}, {1, 2},   {2, 1},  {-1, 2}, {-2, 1},
                                          {1, -2}, {2, -1},  {-1, -2}, {-2, -1}};

/* The steps of a kind: from which to which, and whether it slides. */
static inline void plain_kind_steps(int kind, int *first, int *end, bool *slides)
{
    *first = kind == PLAIN_KNIGHT ? 8 : kind == PLAIN_BISHOP ? 4 : 0;
    *end = kind == PLAIN_KNIGHT ? 16 : kind == PLAIN_ROOK ? 4 : 8;
    *slides = kind == PLAIN_BISHOP || kind == PLAIN_ROOK || kind == PLAIN_QUEEN;
}

/* Whether a side attacks a square. */
static inline bool plain_attacks(const plain *p, int side, int square)
{
    int file = square % 8, rank = square / 8;
    for (int i = 0; i < 16; i++) {
        for (int n = 1; n < 8; n++) {
            int f = file + n * plain_steps[i][0], r = rank + n * plain_steps[i][1];
            if (!plain_on_board(f, r) || (i >= 8 && n > 1))
                break;
            int piece = p->at[8 * r + f] * side;
            if (piece == 0 && p->at[8 * r + f] == 0)
                continue;
            if (i >= 8 ? piece == PLAIN_KNIGHT
                       : piece == PLAIN_QUEEN || piece == (i < 4 ? PLAIN_ROOK : PLAIN_BISHOP) ||
                             (n == 1 && piece == PLAIN_KING) ||
                             (n == 1 && i >= 4 && piece == PLAIN_PAWN && r == rank - side))
                return true;
            break;
        }
    }
    return false;
}

static inline bool plain_in_check(const plain *p, int side)
{
    for (int s = 0; s < 64; s++)
        if (p->at[s] == side * PLAIN_KING)
            return plain_attacks(p, -side, s);
    return false;
}

static inline plain plain_play(const plain *p, plain_move m)
{
    plain next = *p;
    next.at[m.to] = m.becomes != 0 ? (int8_t)(m.becomes * p->side) : p->at[m.from];
    next.at[m.from] = 0;
    if (m.passing)
        next.at[m.to - 8 * p->side] = 0;
    next.side = (int8_t)-p->side;
    next.passed = -1;
    if (abs(p->at[m.from]) == PLAIN_PAWN && abs(m.to - m.from) == 16)
        next.passed = (int8_t)((m.to + m.from) / 2);
    return next;
}

static inline int plain_add(const plain *p, plain_move *out, int count, int from, int to, bool passing)
{
    bool pawn = abs(p->at[from]) == PLAIN_PAWN;
    plain_move m = {.from = (int8_t)from, .to = (int8_t)to, .passing = passing};
    m.zeroes = pawn || p->at[to] != 0;
    plain next = plain_play(p, m);
    if (plain_in_check(&next, p->side))
        return count;
    bool last = pawn && (to / 8 == 0 || to / 8 == 7);
    for (int kind = last ? PLAIN_KNIGHT : 0; kind <= (last ? PLAIN_QUEEN : 0); kind++) {
        m.becomes = (int8_t)kind;
        out[count++] = m;
    }
    return count;
}

static inline int plain_pawn_moves(const plain *p, plain_move *out, int count, int from)
{
    int file = from % 8, ahead = from + 8 * p->side, home = p->side > 0 ? 1 : 6;
    if (p->at[ahead] == 0) {
        count = plain_add(p, out, count, from, ahead, false);
        if (from / 8 == home && p->at[ahead + 8 * p->side] == 0)
            count = plain_add(p, out, count, from, ahead + 8 * p->side, false);
    }
    for (int d = -1; d <= 1; d += 2) {
        if (file + d < 0 || file + d > 7)
            continue;
        if (p->at[ahead + d] * p->side < 0 || ahead + d == p->passed)
            count = plain_add(p, out, count, from, ahead + d, ahead + d == p->passed);
    }
    return count;
}

/* All legal moves: at most 256 of them. */
static inline int plain_moves(const plain *p, plain_move *out)
{
    int count = 0;
    for (int from = 0; from < 64; from++) {
        int kind = p->at[from] * p->side, first, end;
        bool slides;
        if (kind <= 0)
            continue;
        if (kind == PLAIN_PAWN) {
            count = plain_pawn_moves(p, out, count, from);
            continue;
        }
        plain_kind_steps(kind, &first, &end, &slides);
        for (int i = first; i < end; i++) {
            for (int n = 1; n < (slides ? 8 : 2); n++) {
                int f = from % 8 + n * plain_steps[i][0], r = from / 8 + n * plain_steps[i][1];
                if (!plain_on_board(f, r) || p->at[8 * r + f] * p->side > 0)
                    break;
                count = plain_add(p, out, count, from, 8 * r + f, false);
                if (p->at[8 * r + f] != 0)
                    break;
            }
        }
    }
    return count;
}

#endif
