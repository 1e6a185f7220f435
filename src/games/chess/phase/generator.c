/* SPDX-License-Identifier: MIT */

#include "games/chess/phase/generator.h"

#include "games/chess/phase/operators.h"

#include <string.h>

#define M        ((int)PHASE_MODULUS)
#define ROW      ((int)PHASE_ROW)
#define COL      ((int)PHASE_COLUMN)
#define NO_PHASE PHASE_MODULUS

/* Shifts: a slider's come first the straight ones, then the slanting ones. */
static const int16_t lines[8] = {ROW, COL, -ROW, -COL, ROW + COL, ROW - COL, -ROW - COL, -ROW + COL};
static const int16_t jumps[8] = {2 * ROW + COL,  2 * ROW - COL,  ROW + 2 * COL,  ROW - 2 * COL,
                                 -2 * ROW - COL, -2 * ROW + COL, -ROW - 2 * COL, -ROW + 2 * COL};

/* The squares by phase, and back: only where positions come in and moves go out. */
static unsigned square_phase(unsigned square)
{
    return (PHASE_ROW * (square >> 3) + PHASE_COLUMN * (square & 7)) % PHASE_MODULUS;
}

/* All phases of squares are below 640, so the quotient is the row: 7 * 7 is less than 67. */
static unsigned phase_square(unsigned phase)
{
    return 8 * (phase / PHASE_ROW) + phase % PHASE_ROW / PHASE_COLUMN;
}

static inline unsigned add(unsigned phase, int shift)
{
    int sum = (int)phase + shift;
    return (unsigned)(sum < 0 ? sum + M : sum >= M ? sum - M : sum);
}

void phase_board_load(phase_board *b, const chess_position *p)
{
    memset(b, 0, sizeof *b);
    memset(b->at, PHASE_WALL, sizeof b->at);
    for (unsigned square = 0; square < 64; square++)
        b->at[square_phase(square)] = (uint8_t)position_piece_at(p, square);
    for (unsigned side = 0; side < 2; side++)
        b->kings[side] = (uint16_t)square_phase(position_king(p, side));
    b->passed = (uint16_t)(p->en_passant != 0 ? square_phase(p->en_passant) : NO_PHASE);
    b->side = p->side;
    b->castling = p->castling;
}

/* ---- Attacks ----------------------------------------------------------------------------------- */

static bool line_attacks_phase(const phase_board *b, unsigned phase, unsigned by, unsigned line)
{
    unsigned slider = piece_make(by, line < 4 ? CHESS_ROOK : CHESS_BISHOP);
    unsigned first = add(phase, lines[line]), at = first;
    while (b->at[at] == 0)
        at = add(at, lines[line]);
    unsigned piece = b->at[at];
    return piece == slider || piece == piece_make(by, CHESS_QUEEN) ||
           (at == first && piece == piece_make(by, CHESS_KING));
}

/* Whether a side attacks a phase: the operators are looked along from there. */
static bool is_attacked(const phase_board *b, unsigned phase, unsigned by)
{
    int back = by == CHESS_WHITE ? -ROW : ROW;
    unsigned pawn = piece_make(by, CHESS_PAWN);
    if (b->at[add(phase, back + COL)] == pawn || b->at[add(phase, back - COL)] == pawn)
        return true;
    for (unsigned i = 0; i < 8; i++)
        if (b->at[add(phase, jumps[i])] == piece_make(by, CHESS_KNIGHT) ||
            line_attacks_phase(b, phase, by, i))
            return true;
    return false;
}

/* ---- Moves on the board ------------------------------------------------------------------------ */

typedef struct phase_move {
    uint16_t from, to;
    uint8_t piece, becomes;
    uint16_t taken_at;           /* differs from `to` in passing */
    uint16_t rook_from, rook_to; /* castling; otherwise both NO_PHASE */
} phase_move;

typedef struct phase_undo {
    uint16_t passed;
    uint8_t taken, castling;
} phase_undo;

/* The rights that end when a phase is left or reached. */
static unsigned rights_of(unsigned phase)
{
    enum { KING_WHITE = 4 * COL, KING_BLACK = 7 * ROW + 4 * COL };
    switch (phase) {
    case KING_WHITE:
        return CHESS_WHITE_SHORT | CHESS_WHITE_LONG;
    case 7 * COL:
        return CHESS_WHITE_SHORT;
    case 0:
        return CHESS_WHITE_LONG;
    case KING_BLACK:
        return CHESS_BLACK_SHORT | CHESS_BLACK_LONG;
    case 7 * ROW + 7 * COL:
        return CHESS_BLACK_SHORT;
    case 7 * ROW:
        return CHESS_BLACK_LONG;
    default:
        return 0;
    }
}

static phase_undo board_make(phase_board *b, const phase_move *m)
{
    phase_undo undo = {.passed = b->passed, .castling = b->castling, .taken = b->at[m->taken_at]};
    b->at[m->taken_at] = 0;
    b->at[m->from] = 0;
    b->at[m->to] = m->becomes;
    if (m->rook_from != NO_PHASE) {
        b->at[m->rook_from] = 0;
        b->at[m->rook_to] = (uint8_t)piece_make(b->side, CHESS_ROOK);
    }
    if (piece_kind(m->piece) == CHESS_KING)
        b->kings[b->side] = m->to;
    b->castling &= (uint8_t) ~(rights_of(m->from) | rights_of(m->to));
    int step = b->side == CHESS_WHITE ? ROW : -ROW;
    bool twice = piece_kind(m->piece) == CHESS_PAWN && add(m->from, 2 * step) == m->to;
    b->passed = (uint16_t)(twice ? add(m->from, step) : NO_PHASE);
    b->side ^= 1;
    return undo;
}

static void board_undo(phase_board *b, const phase_move *m, phase_undo undo)
{
    b->side ^= 1;
    b->at[m->to] = 0;
    b->at[m->taken_at] = undo.taken;
    b->at[m->from] = m->piece;
    if (m->rook_from != NO_PHASE) {
        b->at[m->rook_to] = 0;
        b->at[m->rook_from] = (uint8_t)piece_make(b->side, CHESS_ROOK);
    }
    if (piece_kind(m->piece) == CHESS_KING)
        b->kings[b->side] = m->from;
    b->castling = undo.castling;
    b->passed = undo.passed;
}

/* ---- Finding them ------------------------------------------------------------------------------ */

typedef struct phase_list {
    phase_move moves[CHESS_MOVES_MOST];
    unsigned count;
} phase_list;

/* Keeps a move if it does not leave its king attacked. */
static void list_add(phase_board *b, phase_list *l, phase_move m)
{
    unsigned us = b->side;
    phase_undo undo = board_make(b, &m);
    bool legal = !is_attacked(b, b->kings[us], 1 - us);
    board_undo(b, &m, undo);
    if (legal)
        l->moves[l->count++] = m;
}

static phase_move plain(const phase_board *b, unsigned from, unsigned to)
{
    return (phase_move){.from = (uint16_t)from,
                        .to = (uint16_t)to,
                        .piece = b->at[from],
                        .becomes = b->at[from],
                        .taken_at = (uint16_t)to,
                        .rook_from = NO_PHASE,
                        .rook_to = NO_PHASE};
}

static bool is_enemy(const phase_board *b, unsigned phase)
{
    unsigned piece = b->at[phase];
    return piece != 0 && piece != PHASE_WALL && piece_side(piece) != b->side;
}

/* A pawn's move; past it there is nothing any more, so it becomes a piece. */
static void add_pawn(phase_board *b, phase_list *l, unsigned from, unsigned to, int step)
{
    phase_move m = plain(b, from, to);
    if (b->at[add(to, step)] != PHASE_WALL) {
        list_add(b, l, m);
        return;
    }
    for (unsigned kind = CHESS_KNIGHT; kind <= CHESS_QUEEN; kind++) {
        m.becomes = (uint8_t)piece_make(b->side, kind);
        list_add(b, l, m);
    }
}

static void find_pawn(phase_board *b, phase_list *l, unsigned from)
{
    int step = b->side == CHESS_WHITE ? ROW : -ROW;
    unsigned one = add(from, step), two = add(one, step);
    if (b->at[one] == 0) {
        add_pawn(b, l, from, one, step);
        bool first = b->at[add(from, -2 * step)] == PHASE_WALL;
        if (first && b->at[two] == 0)
            list_add(b, l, plain(b, from, two));
    }
    for (int side = -COL; side <= COL; side += 2 * COL) {
        unsigned to = add(one, side);
        if (is_enemy(b, to)) {
            add_pawn(b, l, from, to, step);
        } else if (to == b->passed) {
            phase_move m = plain(b, from, to);
            m.taken_at = (uint16_t)add(to, -step);
            list_add(b, l, m);
        }
    }
}

static void find_steps(phase_board *b, phase_list *l, unsigned from, const int16_t shifts[8])
{
    for (unsigned i = 0; i < 8; i++) {
        unsigned to = add(from, shifts[i]);
        if (b->at[to] == 0 || is_enemy(b, to))
            list_add(b, l, plain(b, from, to));
    }
}

static void find_lines(phase_board *b, phase_list *l, unsigned from, unsigned first, unsigned end)
{
    for (unsigned i = first; i < end; i++) {
        unsigned to = add(from, lines[i]);
        for (; b->at[to] == 0; to = add(to, lines[i]))
            list_add(b, l, plain(b, from, to));
        if (is_enemy(b, to))
            list_add(b, l, plain(b, from, to));
    }
}

/* Towards the rook in the direction `way`: what is between must be empty, and the king's way not attacked. */
static void find_castling(phase_board *b, phase_list *l, unsigned right, int way)
{
    unsigned king = b->kings[b->side], passed = add(king, way), to = add(passed, way), rook = to;
    unsigned them = 1u - b->side;
    if ((b->castling & (b->side == CHESS_WHITE ? right : right << 2)) == 0)
        return;
    for (unsigned phase = passed; b->at[phase] == 0; phase = add(phase, way))
        rook = add(phase, way);
    if (b->at[rook] != piece_make(b->side, CHESS_ROOK) || b->at[add(rook, way)] != PHASE_WALL ||
        is_attacked(b, king, them) || is_attacked(b, passed, them))
        return;
    phase_move m = plain(b, king, to);
    m.rook_from = (uint16_t)rook;
    m.rook_to = (uint16_t)passed;
    list_add(b, l, m);
}

static void find_piece(phase_board *b, phase_list *l, unsigned from)
{
    switch (piece_kind(b->at[from])) {
    case CHESS_PAWN:
        find_pawn(b, l, from);
        break;
    case CHESS_KNIGHT:
        find_steps(b, l, from, jumps);
        break;
    case CHESS_BISHOP:
        find_lines(b, l, from, 4, 8);
        break;
    case CHESS_ROOK:
        find_lines(b, l, from, 0, 4);
        break;
    case CHESS_QUEEN:
        find_lines(b, l, from, 0, 8);
        break;
    default:
        find_steps(b, l, from, lines);
        find_castling(b, l, CHESS_WHITE_SHORT, COL);
        find_castling(b, l, CHESS_WHITE_LONG, -COL);
    }
}

static void list_find(phase_board *b, phase_list *l)
{
    l->count = 0;
    for (unsigned row = 0; row <= 7u * ROW; row += ROW)
        for (unsigned phase = row; phase <= row + 7u * COL; phase += COL)
            if (b->at[phase] != 0 && piece_side(b->at[phase]) == b->side)
                find_piece(b, l, phase);
}

unsigned phase_moves(phase_board *b, chess_move *out)
{
    phase_list l;
    list_find(b, &l);
    for (unsigned i = 0; i < l.count; i++) {
        const phase_move *m = &l.moves[i];
        unsigned becomes = m->becomes != m->piece ? piece_kind(m->becomes) : CHESS_ANY;
        out[i] = move_make(phase_square(m->from), phase_square(m->to), piece_kind(m->piece), becomes);
    }
    return l.count;
}

uint64_t phase_perft(phase_board *b, unsigned depth)
{
    phase_list l;
    if (depth == 0)
        return 1;
    list_find(b, &l);
    uint64_t found = depth == 1 ? l.count : 0;
    for (unsigned i = 0; depth > 1 && i < l.count; i++) {
        phase_undo undo = board_make(b, &l.moves[i]);
        found += phase_perft(b, depth - 1);
        board_undo(b, &l.moves[i], undo);
    }
    return found;
}
