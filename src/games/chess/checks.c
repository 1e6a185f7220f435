/* SPDX-License-Identifier: MIT */

#include "games/chess/checks.h"

/* A double check, seen from the king. */
typedef struct double_check {
    const chess_position *p;
    unsigned king, by; /* by: the side that moved */
    int forward;       /* how its pawns go */
} double_check;

static bool is_slider(unsigned kind)
{
    return kind == CHESS_BISHOP || kind == CHESS_ROOK || kind == CHESS_QUEEN;
}

static bool is_diagonal(unsigned a, unsigned b)
{
    return chess_file_of(a) != chess_file_of(b) && chess_rank_of(a) != chess_rank_of(b);
}

/* Where a pawn of the side that moved came from, if it stands on `to` now, or stood there before it became something else. */
static chess_set pawn_origins(const double_check *d, unsigned to)
{
    unsigned rank = chess_rank_of(to);
    chess_set from = set_pawn_attacks(chess_bit(to), 1 - d->by);
    unsigned behind = (unsigned)((int)to - d->forward);
    if (rank == (d->by == CHESS_WHITE ? 0u : 7u))
        return 0;
    from |= chess_bit(behind);
    if (rank == (d->by == CHESS_WHITE ? 3u : 4u) && (d->p->kinds[CHESS_ANY] >> behind & 1) == 0)
        from |= chess_bit((unsigned)((int)behind - d->forward));
    from &= ~d->p->kinds[CHESS_ANY];
    /* On its old square it did not give check. */
    return from & ~(CHESS_RANK_1 | CHESS_RANK_8) & ~set_pawn_attacks(chess_bit(d->king), 1 - d->by);
}

/* Where the piece on `square` may have come from, so that it gave no check there; `lines` are the squares between the king and
 * the other piece that gives check, along a diagonal or not. */
static chess_set origins(const double_check *d, unsigned square, chess_set lines, bool diagonal)
{
    unsigned kind = position_kind_at(d->p, square);
    chess_set free_squares = ~d->p->kinds[CHESS_ANY], from = 0;
    if (kind == CHESS_PAWN)
        return pawn_origins(d, square) & lines;
    if (kind == CHESS_KNIGHT)
        from = chess_knight_attacks(square) & ~chess_knight_attacks(d->king);
    else if ((kind == CHESS_BISHOP && !diagonal) || (kind == CHESS_ROOK && diagonal))
        from = kind_attacks(kind, square, d->p->kinds[CHESS_ANY]);
    if (chess_rank_of(square) == (d->by == CHESS_WHITE ? 7u : 0u)) /* it may have been a pawn */
        from |= pawn_origins(d, square);
    return from & free_squares & lines;
}

/* Whether the piece on `moved` uncovered the one on `other`. */
static bool uncovered(const double_check *d, unsigned moved, unsigned other)
{
    if (!is_slider(position_kind_at(d->p, other)))
        return false;
    return origins(d, moved, chess_between(d->king, other), is_diagonal(d->king, other)) != 0;
}

/* Whether taking in passing gave both checks: the pawn that took, the one that was taken, or both, were in the way. */
static bool passing_uncovered(const double_check *d, unsigned a, unsigned b)
{
    chess_set pawns = position_set(d->p, d->by, CHESS_PAWN);
    chess_set occupied = d->p->kinds[CHESS_ANY];
    SET_EACH (to, pawns & (d->by == CHESS_WHITE ? CHESS_RANK_1 << 40 : CHESS_RANK_1 << 16)) {
        unsigned taken = (unsigned)((int)to - d->forward), home = (unsigned)((int)to + d->forward);
        if (((occupied >> taken | occupied >> home) & 1) != 0)
            continue;
        SET_EACH (from, set_pawn_attacks(chess_bit((unsigned)to), 1 - d->by) & ~occupied) {
            chess_set gone = chess_bit(taken) | chess_bit((unsigned)from);
            bool by_a = is_slider(position_kind_at(d->p, a)) && (chess_between(d->king, a) & gone) != 0;
            bool by_b = is_slider(position_kind_at(d->p, b)) && (chess_between(d->king, b) & gone) != 0;
            if ((by_a || a == (unsigned)to) && (by_b || b == (unsigned)to))
                return true;
        }
    }
    return false;
}

const char *checks_fault(const chess_position *p)
{
    double_check d = {.p = p, .king = position_king(p, p->side), .by = 1u - p->side};
    d.forward = d.by == CHESS_WHITE ? 8 : -8;
    chess_set checkers = position_attackers(p, d.king, d.by, p->kinds[CHESS_ANY]);
    if (set_count(checkers) < 2)
        return NULL;
    if (set_count(checkers) > 2)
        return "three pieces give check, which no move can do";
    unsigned a = set_first(checkers), b = set_first(checkers & (checkers - 1));
    if (uncovered(&d, a, b) || uncovered(&d, b, a) || passing_uncovered(&d, a, b))
        return NULL;
    return "these two pieces give check, which no move can do";
}
