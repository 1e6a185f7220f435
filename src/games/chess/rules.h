/* SPDX-License-Identifier: MIT */

/* The rules of chess: positions, moves, who is attacked, and all legal moves of a position. Flat structs and inline
 * functions that know nothing of the contract; functions with a parameter `us` are meant to be called with a constant,
 * so that there is one version for each side. fen.h reads and writes positions, notation.h moves, unmoves.h goes back.
 *
 * Pieces have the codes that Syzygy's tables use: white pawn to king 1 … 6, black 9 … 14. */

#ifndef HOLOS_CHESS_RULES_H
#define HOLOS_CHESS_RULES_H

#include "games/chess/bitboard.h"

#include <stdbool.h>
#include <stddef.h>

enum chess_kind { CHESS_ANY, CHESS_PAWN, CHESS_KNIGHT, CHESS_BISHOP, CHESS_ROOK, CHESS_QUEEN, CHESS_KING };
enum { CHESS_WHITE, CHESS_BLACK };
enum { CHESS_WHITE_SHORT = 1, CHESS_WHITE_LONG = 2, CHESS_BLACK_SHORT = 4, CHESS_BLACK_LONG = 8 };
enum { CHESS_A1 = 0, CHESS_E1 = 4, CHESS_H1 = 7, CHESS_A8 = 56, CHESS_E8 = 60, CHESS_H8 = 63 };

#define CHESS_MOVES_MOST 256 /* no position has more than 218 */
#define CHESS_CLOCK_DRAW 100 /* plies without a capture or a pawn's move: fifty moves of each side */

/* A position. Two that are the same are the same bytes. */
typedef struct chess_position {
    chess_set sides[2]; /* what belongs to white, to black */
    chess_set
        kinds[7]; /* where pawns, knights, … kings are, of both sides; kinds[CHESS_ANY] is all of them */
    uint8_t side; /* to move */
    uint8_t castling; /* what may still be done: CHESS_WHITE_SHORT … */
    uint8_t
        en_passant; /* the square where a pawn can be taken in passing, legally, by the side to move; else 0 */
    uint8_t clock;  /* plies since a capture or a pawn's move, up to 255 */
    uint16_t number; /* of the move, from 1: how games are written down */
    uint8_t unused[2];
} chess_position;

/* A move: from, to, what moves, what a pawn becomes. The rest follows from the position. */
typedef uint32_t chess_move;

static inline chess_move move_make(unsigned from, unsigned to, unsigned kind, unsigned promotion)
{
    return from | to << 6 | kind << 12 | promotion << 15;
}

static inline unsigned move_from(chess_move move)
{
    return move & 63;
}

static inline unsigned move_to(chess_move move)
{
    return move >> 6 & 63;
}

static inline unsigned move_kind(chess_move move)
{
    return move >> 12 & 7;
}

static inline unsigned move_promotion(chess_move move) /* CHESS_ANY: none */
{
    return move >> 15 & 7;
}

static inline bool move_is_castling(chess_move move)
{
    unsigned way = move_from(move) ^ move_to(move); /* from the e-file to the g-file, or to the c-file */
    return move_kind(move) == CHESS_KING && (move_from(move) & 7) == 4 && (way == 2 || way == 6);
}

/* ---- Pieces ------------------------------------------------------------------------------------ */

static inline unsigned piece_make(unsigned side, unsigned kind)
{
    return side << 3 | kind;
}

static inline unsigned piece_kind(unsigned piece)
{
    return piece & 7;
}

static inline unsigned piece_side(unsigned piece)
{
    return piece >> 3;
}

static inline unsigned position_kind_at(const chess_position *p, unsigned square)
{
    unsigned kind = CHESS_ANY;
    for (unsigned k = CHESS_PAWN; k <= CHESS_KING; k++)
        kind += (p->kinds[k] >> square & 1) * k;
    return kind;
}

/* The code of what stands on a square, 0 if nothing does. */
static inline unsigned position_piece_at(const chess_position *p, unsigned square)
{
    return position_kind_at(p, square) | (unsigned)(p->sides[CHESS_BLACK] >> square & 1) << 3;
}

static inline void position_put(chess_position *p, unsigned piece, unsigned square)
{
    p->sides[piece_side(piece)] |= chess_bit(square);
    p->kinds[piece_kind(piece)] |= chess_bit(square);
    p->kinds[CHESS_ANY] |= chess_bit(square);
}

static inline void position_remove(chess_position *p, unsigned square)
{
    chess_set keep = ~chess_bit(square);
    p->sides[0] &= keep;
    p->sides[1] &= keep;
    for (unsigned k = CHESS_ANY; k <= CHESS_KING; k++)
        p->kinds[k] &= keep;
}

static inline chess_set position_set(const chess_position *p, unsigned side, unsigned kind)
{
    return p->sides[side] & p->kinds[kind];
}

static inline unsigned position_king(const chess_position *p, unsigned side)
{
    return set_first(position_set(p, side, CHESS_KING));
}

static inline chess_set kind_attacks(unsigned kind, unsigned square, chess_set occupied)
{
    switch (kind) {
    case CHESS_KNIGHT:
        return chess_knight_attacks(square);
    case CHESS_BISHOP:
        return chess_bishop_attacks(square, occupied);
    case CHESS_ROOK:
        return chess_rook_attacks(square, occupied);
    case CHESS_QUEEN:
        return chess_queen_attacks(square, occupied);
    case CHESS_KING:
        return chess_king_attacks(square);
    default:
        return 0;
    }
}

/* What of `by` attacks a square, if the occupied squares were these. */
static inline chess_set position_attackers(const chess_position *p, unsigned square, unsigned by,
                                           chess_set occupied)
{
    chess_set straight = p->kinds[CHESS_ROOK] | p->kinds[CHESS_QUEEN];
    chess_set slanting = p->kinds[CHESS_BISHOP] | p->kinds[CHESS_QUEEN];
    chess_set all = (chess_rook_attacks(square, occupied) & straight) |
                    (chess_bishop_attacks(square, occupied) & slanting) |
                    (chess_knight_attacks(square) & p->kinds[CHESS_KNIGHT]) |
                    (chess_king_attacks(square) & p->kinds[CHESS_KING]) |
                    (set_pawn_attacks(chess_bit(square), 1 - by) & p->kinds[CHESS_PAWN]);
    return all & p->sides[by];
}

/* Whether the king of a side is attacked. */
static inline bool position_in_check(const chess_position *p, unsigned side)
{
    return position_attackers(p, position_king(p, side), 1 - side, p->kinds[CHESS_ANY]) != 0;
}

/* ---- En passant -------------------------------------------------------------------------------- */

/* Whether the pawn of `us` on `from` can take in passing on `target` without leaving its king in check. */
static inline bool en_passant_is_legal(const chess_position *p, unsigned us, unsigned from, unsigned target)
{
    chess_set taken = chess_bit(target ^ 8);
    chess_set occupied = (p->kinds[CHESS_ANY] & ~taken & ~chess_bit(from)) | chess_bit(target);
    return (position_attackers(p, position_king(p, us), 1 - us, occupied) & ~taken) == 0;
}

/* The pawns of `us` that can take in passing on `target`, if a pawn has just gone past it. */
static inline chess_set en_passant_pawns(const chess_position *p, unsigned us, unsigned target)
{
    chess_set pawns = set_pawn_attacks(chess_bit(target), 1 - us) & position_set(p, us, CHESS_PAWN);
    SET_EACH (from, pawns)
        if (!en_passant_is_legal(p, us, from, target))
            pawns ^= chess_bit(from);
    return pawns;
}

/* ---- Making a move ----------------------------------------------------------------------------- */

/* The rights that are left when something moves from or to a square. */
static inline unsigned castling_kept(chess_set moved)
{
    unsigned lost = 0;
    if ((moved & (chess_bit(CHESS_E1) | chess_bit(CHESS_H1))) != 0)
        lost |= CHESS_WHITE_SHORT;
    if ((moved & (chess_bit(CHESS_E1) | chess_bit(CHESS_A1))) != 0)
        lost |= CHESS_WHITE_LONG;
    if ((moved & (chess_bit(CHESS_E8) | chess_bit(CHESS_H8))) != 0)
        lost |= CHESS_BLACK_SHORT;
    if ((moved & (chess_bit(CHESS_E8) | chess_bit(CHESS_A8))) != 0)
        lost |= CHESS_BLACK_LONG;
    return ~lost;
}

/* What castling does to the rook of the king that goes to `to`: where it was and where it comes to. */
static inline chess_set castling_rook(unsigned to)
{
    unsigned base = to & 56;
    return (to & 7) == 6 ? chess_bit(base + 7) | chess_bit(base + 5) : chess_bit(base) | chess_bit(base + 3);
}

/* The position after a legal move of `us`, the side to move. `out` is not `p`. */
static inline void position_make_for(const chess_position *p, chess_move move, unsigned us,
                                     chess_position *out)
{
    unsigned from = move_from(move), to = move_to(move), kind = move_kind(move), them = 1 - us;
    unsigned promotion = move_promotion(move);
    chess_set source = chess_bit(from), target = chess_bit(to);
    *out = *p;
    out->en_passant = 0;
    out->clock = p->clock == UINT8_MAX ? UINT8_MAX : (uint8_t)(p->clock + 1);
    out->number = (uint16_t)(p->number + (us == CHESS_BLACK && p->number < UINT16_MAX));
    out->side = (uint8_t)them;
    if ((p->sides[them] & target) != 0) {
        out->sides[them] ^= target;
        for (unsigned k = CHESS_PAWN; k < CHESS_KING; k++)
            out->kinds[k] &= ~target;
        out->clock = 0;
    }
    out->sides[us] ^= source | target;
    out->kinds[kind] ^= source;
    out->kinds[promotion != CHESS_ANY ? promotion : kind] |= target;
    if (kind == CHESS_PAWN) {
        out->clock = 0;
        if (to == p->en_passant && p->en_passant != 0) {
            out->sides[them] ^= chess_bit(to ^ 8);
            out->kinds[CHESS_PAWN] ^= chess_bit(to ^ 8);
        }
    } else if (move_is_castling(move)) {
        out->sides[us] ^= castling_rook(to);
        out->kinds[CHESS_ROOK] ^= castling_rook(to);
    }
    if (p->castling != 0)
        out->castling = (uint8_t)(p->castling & castling_kept(source | target));
    out->kinds[CHESS_ANY] = out->sides[0] | out->sides[1];
    if (kind == CHESS_PAWN && (from ^ to) == 16 && en_passant_pawns(out, them, (from + to) / 2) != 0)
        out->en_passant = (uint8_t)((from + to) / 2);
}

static inline void position_make(const chess_position *p, chess_move move, chess_position *out)
{
    if (p->side == CHESS_WHITE)
        position_make_for(p, move, CHESS_WHITE, out);
    else
        position_make_for(p, move, CHESS_BLACK, out);
}

/* ---- All legal moves --------------------------------------------------------------------------- */

/* Where moves go: an array, or with moves == NULL they are only counted. */
typedef struct move_sink {
    chess_move *moves;
    unsigned count;
} move_sink;

/* What a side must know before it moves. */
typedef struct move_view {
    unsigned king;
    chess_set free;     /* where something may go: not on its own; in check, only where that ends it */
    chess_set pinned;   /* its pieces that shield the king */
    chess_set checkers; /* what gives check */
    chess_set danger;   /* where its king would be attacked */
} move_view;

static inline __attribute__((always_inline)) void sink_add(move_sink *s, unsigned from, chess_set targets,
                                                           unsigned kind)
{
    if (s->moves == NULL) {
        s->count += set_count(targets);
        return;
    }
    SET_EACH (to, targets)
        s->moves[s->count++] = move_make(from, to, kind, CHESS_ANY);
}

/* Pawns that come to these squares from `step` squares behind. */
static inline __attribute__((always_inline)) void sink_add_pawns(move_sink *s, chess_set targets, int step)
{
    chess_set last = targets & (CHESS_RANK_1 | CHESS_RANK_8);
    if (s->moves == NULL) {
        s->count += set_count(targets) + 3 * set_count(last);
        return;
    }
    SET_EACH (to, targets & ~last)
        s->moves[s->count++] = move_make(to - (unsigned)step, to, CHESS_PAWN, CHESS_ANY);
    SET_EACH (to, last)
        for (unsigned kind = CHESS_QUEEN; kind >= CHESS_KNIGHT; kind--)
            s->moves[s->count++] = move_make(to - (unsigned)step, to, CHESS_PAWN, kind);
}

/* All squares that a side attacks, if the occupied squares were these. */
static inline chess_set position_attacks(const chess_position *p, unsigned side, chess_set occupied)
{
    chess_set own = p->sides[side];
    chess_set attacked = set_pawn_attacks(own & p->kinds[CHESS_PAWN], side) |
                         SET_KNIGHT(own & p->kinds[CHESS_KNIGHT]) |
                         chess_king_attacks(position_king(p, side));
    SET_EACH (square, own & (p->kinds[CHESS_BISHOP] | p->kinds[CHESS_QUEEN]))
        attacked |= chess_bishop_attacks(square, occupied);
    SET_EACH (square, own & (p->kinds[CHESS_ROOK] | p->kinds[CHESS_QUEEN]))
        attacked |= chess_rook_attacks(square, occupied);
    return attacked;
}

/* Sliders in line with the king: with nothing between they give check, with one piece between they pin it. */
static inline __attribute__((always_inline)) void view_look(const chess_position *p, unsigned us,
                                                            move_view *view)
{
    unsigned them = 1 - us, king = position_king(p, us);
    chess_set occupied = p->kinds[CHESS_ANY], enemies = p->sides[them];
    view->king = king;
    view->pinned = 0;
    view->checkers = (set_pawn_attacks(chess_bit(king), us) & enemies & p->kinds[CHESS_PAWN]) |
                     (chess_knight_attacks(king) & enemies & p->kinds[CHESS_KNIGHT]);
    chess_set snipers =
        enemies & ((chess_rook_attacks(king, enemies) & (p->kinds[CHESS_ROOK] | p->kinds[CHESS_QUEEN])) |
                   (chess_bishop_attacks(king, enemies) & (p->kinds[CHESS_BISHOP] | p->kinds[CHESS_QUEEN])));
    SET_EACH (sniper, snipers) {
        chess_set shield = chess_between(king, sniper) & occupied;
        if (shield == 0)
            view->checkers |= chess_bit(sniper);
        else if ((shield & (shield - 1)) == 0)
            view->pinned |= shield;
    }
    view->danger = position_attacks(p, them, occupied ^ chess_bit(king));
    view->free = ~p->sides[us];
    if (view->checkers != 0)
        view->free = (view->checkers & (view->checkers - 1)) != 0
                         ? 0
                         : view->checkers | chess_between(king, set_first(view->checkers));
}

static inline __attribute__((always_inline)) void moves_of_pawns(const chess_position *p, unsigned us,
                                                                 const move_view *view, move_sink *s)
{
    const int up = us == CHESS_WHITE ? 8 : -8;
    chess_set empty = ~p->kinds[CHESS_ANY], enemies = p->sides[1 - us];
    chess_set pawns = position_set(p, us, CHESS_PAWN), pinned = pawns & view->pinned;
    chess_set third = us == CHESS_WHITE ? chess_rank(2) : chess_rank(5);
    pawns ^= pinned;
    chess_set one = set_forward(pawns, us) & empty, two = set_forward(one & third, us) & empty;
    sink_add_pawns(s, one & view->free, up);
    sink_add_pawns(s, two & view->free, 2 * up);
    sink_add_pawns(s, set_forward(SET_WEST1(pawns), us) & enemies & view->free, up - 1);
    sink_add_pawns(s, set_forward(SET_EAST1(pawns), us) & enemies & view->free, up + 1);
    SET_EACH (from, pinned) {
        chess_set pawn = chess_bit(from), line = chess_line(view->king, from);
        line &= view->free;
        one = set_forward(pawn, us) & empty;
        two = set_forward(one & third, us) & empty;
        sink_add_pawns(s, one & line, up);
        sink_add_pawns(s, two & line, 2 * up);
        sink_add_pawns(s, set_forward(SET_WEST1(pawn), us) & enemies & line, up - 1);
        sink_add_pawns(s, set_forward(SET_EAST1(pawn), us) & enemies & line, up + 1);
    }
    if (p->en_passant != 0)
        SET_EACH (from, en_passant_pawns(p, us, p->en_passant))
            sink_add(s, from, chess_bit(p->en_passant), CHESS_PAWN);
}

static inline __attribute__((always_inline)) void
moves_of_pieces(const chess_position *p, unsigned us, const move_view *view, unsigned kind, move_sink *s)
{
    SET_EACH (from, position_set(p, us, kind) & ~view->pinned)
        sink_add(s, from, kind_attacks(kind, from, p->kinds[CHESS_ANY]) & view->free, kind);
    if (kind == CHESS_KNIGHT) /* a pinned knight never moves */
        return;
    SET_EACH (from, position_set(p, us, kind) & view->pinned)
        sink_add(s, from,
                 kind_attacks(kind, from, p->kinds[CHESS_ANY]) & view->free & chess_line(view->king, from),
                 kind);
}

/* The king's target if castling is possible now. `path` is where nothing may stand, `safe` what may not be attacked. */
static inline __attribute__((always_inline)) chess_set castling_target(const chess_position *p,
                                                                       const move_view *view, unsigned right,
                                                                       chess_set path, chess_set safe,
                                                                       unsigned to)
{
    bool may = (p->castling & right) != 0 && (p->kinds[CHESS_ANY] & path) == 0 && (view->danger & safe) == 0;
    return may ? chess_bit(to) : 0;
}

static inline __attribute__((always_inline)) void moves_of_king(const chess_position *p, unsigned us,
                                                                const move_view *view, move_sink *s)
{
    chess_set targets = chess_king_attacks(view->king) & ~p->sides[us] & ~view->danger;
    unsigned shift = us == CHESS_WHITE ? 0 : 56, rights = us == CHESS_WHITE ? 1 : 4;
    if ((p->castling & (rights * 3)) != 0) {
        targets |=
            castling_target(p, view, rights, UINT64_C(0x60) << shift, UINT64_C(0x70) << shift, 6 + shift);
        targets |=
            castling_target(p, view, rights * 2, UINT64_C(0x0E) << shift, UINT64_C(0x1C) << shift, 2 + shift);
    }
    sink_add(s, view->king, targets, CHESS_KING);
}

static inline __attribute__((always_inline)) void moves_find(const chess_position *p, unsigned us,
                                                             move_sink *s)
{
    move_view view;
    view_look(p, us, &view);
    if (view.free != 0) {
        moves_of_pawns(p, us, &view, s);
        moves_of_pieces(p, us, &view, CHESS_KNIGHT, s);
        moves_of_pieces(p, us, &view, CHESS_BISHOP, s);
        moves_of_pieces(p, us, &view, CHESS_ROOK, s);
        moves_of_pieces(p, us, &view, CHESS_QUEEN, s);
    }
    moves_of_king(p, us, &view, s);
}

/* Writes all legal moves: pawns first, the king last. `out` has room for CHESS_MOVES_MOST. */
static inline unsigned position_moves(const chess_position *p, chess_move *out)
{
    move_sink sink = {.moves = out};
    if (p->side == CHESS_WHITE)
        moves_find(p, CHESS_WHITE, &sink);
    else
        moves_find(p, CHESS_BLACK, &sink);
    return sink.count;
}

/* How many there are. */
static inline unsigned position_count_moves(const chess_position *p)
{
    move_sink sink = {.moves = NULL};
    if (p->side == CHESS_WHITE)
        moves_find(p, CHESS_WHITE, &sink);
    else
        moves_find(p, CHESS_BLACK, &sink);
    return sink.count;
}

/* ---- The end ----------------------------------------------------------------------------------- */

/* Neither side can ever give mate, whatever is played: kings alone, or with one knight or bishop, or with bishops that
 * all go on squares of one colour. */
static inline bool position_is_dead(const chess_position *p)
{
    const chess_set light = UINT64_C(0x55AA55AA55AA55AA);
    chess_set others = p->kinds[CHESS_ANY] & ~p->kinds[CHESS_KING];
    if ((p->kinds[CHESS_PAWN] | p->kinds[CHESS_ROOK] | p->kinds[CHESS_QUEEN]) != 0)
        return false;
    if ((others & (others - 1)) == 0)
        return true;
    return others == p->kinds[CHESS_BISHOP] && ((others & light) == 0 || (others & ~light) == 0);
}

/* A legal move with a clock: what resets it can never be taken back. */
static inline bool move_is_zeroing(const chess_position *p, chess_move move)
{
    return move_kind(move) == CHESS_PAWN || (p->sides[1 - p->side] & chess_bit(move_to(move))) != 0;
}

#endif
