/* SPDX-License-Identifier: MIT */

#include "games/chess/unmoves.h"

#include "games/chess/checks.h"

#include <string.h>

/* What is the same for all unmoves of a position. */
typedef struct unmover {
    const chess_position *after;
    unsigned us, them;                       /* who made the move, and who is to move now */
    bool may_return[CHESS_KING][CHESS_KING]; /* by what comes back and what was a pawn; CHESS_ANY: nothing */
    bool crowded[2]; /* a side has so many pieces that promotions have to be counted */
    unmove_listener *listener;
    void *context;
    unsigned count;
} unmover;

/* ---- Material ---------------------------------------------------------------------------------- */

/* Which changes of the material lead back to the wanted one, or to any. */
static void filter_make(unmover *u, const chess_material *wanted)
{
    chess_material now = material_of(u->after);
    memset(u->may_return, wanted == NULL, sizeof u->may_return);
    for (unsigned side = 0; side < 2; side++)
        u->crowded[side] = set_count(u->after->sides[side]) >= 9;
    for (unsigned back = CHESS_ANY; wanted != NULL && back < CHESS_KING; back++) {
        now.counts[u->them][back] += back != CHESS_ANY;
        if (memcmp(now.counts[u->them], wanted->counts[u->them], sizeof now.counts[0]) == 0) {
            u->may_return[back][CHESS_ANY] = material_equal(&now, wanted);
            for (unsigned pawn = CHESS_KNIGHT; pawn < CHESS_KING; pawn++) {
                chess_material before = now;
                before.counts[u->us][pawn]--;
                before.counts[u->us][CHESS_PAWN]++;
                u->may_return[back][pawn] = material_equal(&before, wanted);
            }
        }
        now.counts[u->them][back] -= back != CHESS_ANY;
    }
}

/* Which changes of the material lead back to one of those. */
static void filter_make_among(unmover *u, const tb_key *wanted, size_t count)
{
    tb_key now = key_of(u->after);
    for (unsigned side = 0; side < 2; side++)
        u->crowded[side] = set_count(u->after->sides[side]) >= 9;
    for (unsigned back = CHESS_ANY; back < CHESS_KING; back++) {
        for (unsigned pawn = CHESS_ANY; pawn < CHESS_KING; pawn++) {
            if (pawn == CHESS_PAWN || (pawn != CHESS_ANY && key_count(now, u->us, pawn) == 0))
                continue;
            tb_key before = now + (back != CHESS_ANY ? key_one(u->them, back) : 0);
            if (pawn != CHESS_ANY)
                before += key_one(u->us, CHESS_PAWN) - key_one(u->us, pawn);
            u->may_return[back][pawn] = keys_contain(wanted, count, key_canonical(before));
        }
    }
}

/* ---- What the predecessors are ----------------------------------------------------------------- */

static void emit(unmover *u, const chess_position *before, chess_move move)
{
    u->count++;
    if (u->listener != NULL)
        u->listener(u->context, before, move);
}

/* The predecessor itself, and what it would be if a pawn had just gone past: then it could have been taken. */
static void emit_en_passants(unmover *u, chess_position *before, chess_move move)
{
    emit(u, before, move);
    chess_set fourth = u->them == CHESS_WHITE ? chess_rank(3) : chess_rank(4);
    SET_EACH (square, position_set(before, u->them, CHESS_PAWN) & fourth) {
        unsigned passed = square ^ 8;
        chess_set way = chess_bit(passed) | set_forward(chess_bit(passed), u->us);
        if ((before->kinds[CHESS_ANY] & way) != 0 || en_passant_pawns(before, u->us, passed) == 0)
            continue;
        before->en_passant = (uint8_t)passed;
        emit(u, before, move);
    }
    before->en_passant = 0;
}

/* The rights that a position's kings and rooks could have. */
static unsigned rights_possible(const chess_position *p)
{
    unsigned rights = 0;
    for (unsigned side = 0; side < 2; side++) {
        unsigned base = side == CHESS_WHITE ? 0 : 56, shift = side == CHESS_WHITE ? 0 : 2;
        chess_set rooks = position_set(p, side, CHESS_ROOK);
        if ((position_set(p, side, CHESS_KING) & chess_bit(base + 4)) == 0)
            continue;
        rights |= (unsigned)(rooks >> (base + 7) & 1) << shift | (unsigned)(rooks >> base & 1) << (shift + 1);
    }
    return rights;
}

/* The rights that the move must have needed: its own, if it castles. */
static unsigned rights_needed(const unmover *u, chess_move move)
{
    if (!move_is_castling(move))
        return 0;
    unsigned right = chess_file_of(move_to(move)) == 6 ? CHESS_WHITE_SHORT : CHESS_WHITE_LONG;
    return u->us == CHESS_WHITE ? right : right << 2;
}

/* Whether it is a position at all, with the pieces where they are. */
static bool is_position(const unmover *u, const chess_position *before)
{
    if (position_in_check(before, u->them))
        return false;
    if (checks_fault(before) != NULL)
        return false;
    return (!u->crowded[0] || material_fault(before, 0) == NULL) &&
           (!u->crowded[1] || material_fault(before, 1) == NULL);
}

/* All predecessors with these pieces: the move may have cost rights, and some may have been lost before. */
static void emit_all(unmover *u, chess_position *before, chess_move move)
{
    unsigned touched = ~castling_kept(chess_bit(move_from(move)) | chess_bit(move_to(move))) & 15;
    if ((u->after->castling & touched) != 0 || !is_position(u, before))
        return;
    unsigned lost = touched & rights_possible(before), needed = rights_needed(u, move);
    /* All subsets of `lost` that have what was needed. */
    for (unsigned rights = lost;; rights = (rights - 1) & lost) {
        if ((rights & needed) == needed) {
            before->castling = (uint8_t)(u->after->castling | rights);
            if (before->en_passant != 0)
                emit(u, before, move);
            else
                emit_en_passants(u, before, move);
        }
        if (rights == 0)
            break;
    }
}

/* ---- Taking back ------------------------------------------------------------------------------- */

/* The position with a piece of the mover back on `from`; `kind` is what it was there. */
static chess_position lift(const unmover *u, unsigned from, unsigned to, unsigned kind)
{
    chess_position before = *u->after;
    position_remove(&before, to);
    position_put(&before, piece_make(u->us, kind), from);
    before.side = (uint8_t)u->us;
    before.en_passant = 0;
    before.clock = 0;
    before.number = 1;
    return before;
}

/* A move that took nothing. */
static void unmove_quiet(unmover *u, unsigned from, unsigned to, unsigned kind, unsigned promotion)
{
    if (!u->may_return[CHESS_ANY][promotion])
        return;
    chess_position before = lift(u, from, to, kind);
    emit_all(u, &before, move_make(from, to, kind, promotion));
}

/* A move that took something on `to`. */
static void unmove_captures(unmover *u, unsigned from, unsigned to, unsigned kind, unsigned promotion)
{
    bool pawns_may = (chess_bit(to) & (CHESS_RANK_1 | CHESS_RANK_8)) == 0;
    for (unsigned taken = pawns_may ? CHESS_PAWN : CHESS_KNIGHT; taken < CHESS_KING; taken++) {
        if (!u->may_return[taken][promotion])
            continue;
        chess_position before = lift(u, from, to, kind);
        position_put(&before, piece_make(u->them, taken), to);
        emit_all(u, &before, move_make(from, to, kind, promotion));
    }
}

static void unmove_en_passant(unmover *u, unsigned from, unsigned to)
{
    chess_set way = chess_bit(to ^ 8) | set_forward(chess_bit(to), u->us);
    chess_set fifth = u->us == CHESS_WHITE ? chess_rank(4) : chess_rank(3);
    if ((chess_bit(from) & fifth) == 0 || (u->after->kinds[CHESS_ANY] & way) != 0 ||
        !u->may_return[CHESS_PAWN][CHESS_ANY])
        return;
    chess_position before = lift(u, from, to, CHESS_PAWN);
    position_put(&before, piece_make(u->them, CHESS_PAWN), to ^ 8);
    before.en_passant = (uint8_t)to;
    emit_all(u, &before, move_make(from, to, CHESS_PAWN, CHESS_ANY));
}

/* The squares one rank behind, straight and slanting, of a pawn that came to `to` and became `promotion`. */
static void unmove_pawn(unmover *u, unsigned to, unsigned promotion)
{
    chess_set empty = ~u->after->kinds[CHESS_ANY], behind = set_forward(chess_bit(to), u->them);
    chess_set first = CHESS_RANK_1 | CHESS_RANK_8;
    SET_EACH (from, behind & empty & ~first)
        unmove_quiet(u, from, to, CHESS_PAWN, promotion);
    SET_EACH (from, set_pawn_attacks(chess_bit(to), u->them) & empty & ~first) {
        unmove_captures(u, from, to, CHESS_PAWN, promotion);
        if (promotion == CHESS_ANY)
            unmove_en_passant(u, from, to);
    }
}

/* A double step, whose successor has the en passant square exactly if a pawn can take there. */
static void unmove_double_step(unmover *u, unsigned to)
{
    chess_set empty = ~u->after->kinds[CHESS_ANY],
              fourth = u->us == CHESS_WHITE ? chess_rank(3) : chess_rank(4);
    unsigned passed = to ^ 8;
    unsigned from = u->us == CHESS_WHITE ? to - 16 : to + 16;
    if ((chess_bit(to) & fourth) == 0 || (empty >> passed & empty >> from & 1) == 0)
        return;
    unsigned mark = en_passant_pawns(u->after, u->them, passed) != 0 ? passed : 0;
    if (mark == u->after->en_passant)
        unmove_quiet(u, from, to, CHESS_PAWN, CHESS_ANY);
}

static void unmove_castling(unmover *u, unsigned to)
{
    chess_set rook = castling_rook(to), empty = ~u->after->kinds[CHESS_ANY];
    unsigned base = to & 56, corner = (to & 7) == 6 ? base + 7 : base;
    chess_set way = (to & 7) == 6 ? 0 : chess_bit(base + 1);
    chess_set home = chess_bit(base + 4) | chess_bit(corner) | way;
    chess_set landed = rook & ~chess_bit(corner);
    if ((position_set(u->after, u->us, CHESS_ROOK) & landed) == 0 || (empty & home) != home ||
        !u->may_return[CHESS_ANY][CHESS_ANY])
        return;
    chess_position before = lift(u, base + 4, to, CHESS_KING);
    before.sides[u->us] ^= rook;
    before.kinds[CHESS_ROOK] ^= rook;
    before.kinds[CHESS_ANY] ^= rook;
    /* Not out of check, nor through it: the square that the king passed is where the rook is now. */
    if (position_in_check(&before, u->us) ||
        position_attackers(&before, set_first(landed), u->them, before.kinds[CHESS_ANY]) != 0)
        return;
    emit_all(u, &before, move_make(base + 4, to, CHESS_KING, CHESS_ANY));
}

static void unmove_piece(unmover *u, unsigned to, unsigned kind)
{
    chess_set occupied = u->after->kinds[CHESS_ANY];
    SET_EACH (from, kind_attacks(kind, to, occupied) & ~occupied) {
        unmove_quiet(u, from, to, kind, CHESS_ANY);
        unmove_captures(u, from, to, kind, CHESS_ANY);
    }
}

static unsigned unmoves_all(unmover *u)
{
    const chess_position *p = u->after;
    unsigned home = u->us == CHESS_WHITE ? 0 : 56;
    if (p->en_passant != 0) { /* it says what the last move was */
        unmove_double_step(u, p->en_passant ^ 8);
        return u->count;
    }
    SET_EACH (to, position_set(p, u->us, CHESS_PAWN)) {
        unmove_pawn(u, to, CHESS_ANY);
        unmove_double_step(u, to);
    }
    for (unsigned kind = CHESS_KNIGHT; kind <= CHESS_KING; kind++)
        SET_EACH (to, position_set(p, u->us, kind)) {
            unmove_piece(u, to, kind);
            if (kind != CHESS_KING && (to & 56) == (home ^ 56))
                unmove_pawn(u, to, kind);
            if (kind == CHESS_KING && (to == home + 6 || to == home + 2))
                unmove_castling(u, to);
        }
    return u->count;
}

static unmover unmover_make(const chess_position *p, unmove_listener *listener, void *context)
{
    return (unmover){
        .after = p, .us = 1u - p->side, .them = p->side, .listener = listener, .context = context};
}

unsigned position_unmoves(const chess_position *p, const chess_material *wanted, unmove_listener *listener,
                          void *context)
{
    unmover u = unmover_make(p, listener, context);
    filter_make(&u, wanted);
    return unmoves_all(&u);
}

unsigned position_unmoves_among(const chess_position *p, const tb_key *wanted, size_t count,
                                unmove_listener *listener, void *context)
{
    unmover u = unmover_make(p, listener, context);
    filter_make_among(&u, wanted, count);
    return unmoves_all(&u);
}
