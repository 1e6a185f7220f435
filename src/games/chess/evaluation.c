/* SPDX-License-Identifier: MIT */

#include "games/chess/evaluation.h"

#include <stdlib.h>

/* Hundredths of a pawn, in the middle of the game and at its end. */
typedef struct weight {
    int middle, end;
} weight;

static const weight piece_worth[] = {{0, 0},     {90, 110},  {320, 300}, {335, 320},
                                     {490, 530}, {950, 970}, {0, 0}};
/* For each square that a piece attacks and its own do not stand on. */
static const weight reach_worth[] = {{0, 0}, {0, 0}, {5, 4}, {5, 5}, {3, 5}, {1, 3}, {0, 0}};
/* For each step nearer to the middle of the board. */
static const weight middle_worth[] = {{0, 0}, {4, 0}, {8, 5}, {4, 3}, {1, 0}, {0, 4}, {-14, 12}};
static const weight passed_worth[] = {{0, 0},   {4, 12},   {6, 18},    {12, 35},
                                      {30, 65}, {60, 115}, {100, 190}, {0, 0}};
static const weight doubled = {-8, -18}, isolated = {-12, -10}, shield = {14, 0}, open_file = {18, 6},
                    pair = {25, 45};
static const int to_move = 10;

/* How much of the game is left, in pieces: at PHASE_MOST all of them are there. */
static const int phase_of[] = {0, 0, 1, 1, 2, 4, 0};
enum { PHASE_MOST = 24 };

static void add(weight *sum, weight w, int times)
{
    sum->middle += w.middle * times;
    sum->end += w.end * times;
}

/* 0 in the corners of the board, 6 on its four middle squares. */
static int centrality(unsigned square)
{
    int file = (int)chess_file_of(square), rank = (int)chess_rank_of(square);
    return (file < 4 ? file : 7 - file) + (rank < 4 ? rank : 7 - rank);
}

static int distance(unsigned a, unsigned b)
{
    int files = abs((int)chess_file_of(a) - (int)chess_file_of(b));
    int ranks = abs((int)chess_rank_of(a) - (int)chess_rank_of(b));
    return files > ranks ? files : ranks;
}

static chess_set file_of(unsigned square)
{
    return UINT64_C(0x0101010101010101) << chess_file_of(square);
}

static chess_set files_beside(unsigned square)
{
    return SET_WEST1(file_of(square)) | SET_EAST1(file_of(square));
}

/* The ranks that a pawn of a side on this square has before it. */
static chess_set ranks_before(unsigned square, unsigned side)
{
    unsigned rank = chess_rank_of(square);
    if (side == CHESS_WHITE)
        return rank == 7 ? 0 : ~UINT64_C(0) << 8 * (rank + 1);
    return rank == 0 ? 0 : ~UINT64_C(0) >> 8 * (8 - rank);
}

static void pawns_add(const chess_position *p, unsigned side, weight *sum)
{
    chess_set own = position_set(p, side, CHESS_PAWN), theirs = position_set(p, 1 - side, CHESS_PAWN);
    SET_EACH (square, own) {
        unsigned at = (unsigned)square, rank = chess_rank_of(at), way = side == CHESS_WHITE ? rank : 7 - rank;
        chess_set before = ranks_before(at, side);
        add(sum, doubled, (own & file_of(at) & before) != 0);
        add(sum, isolated, (own & files_beside(at)) == 0);
        if ((theirs & before & (file_of(at) | files_beside(at))) != 0 || (own & file_of(at) & before) != 0)
            continue;
        add(sum, passed_worth[way], 1);
        /* Kings decide the race: ours beside it, theirs far away. */
        unsigned goal = (unsigned)(side == CHESS_WHITE ? at + 8 : at - 8);
        sum->end += (int)way *
                    (2 * distance(position_king(p, 1 - side), goal) - distance(position_king(p, side), goal));
    }
}

static void pieces_add(const chess_position *p, unsigned side, weight *sum, int *phase)
{
    for (unsigned kind = CHESS_PAWN; kind <= CHESS_KING; kind++)
        SET_EACH (square, position_set(p, side, kind)) {
            unsigned at = (unsigned)square;
            chess_set reach = kind_attacks(kind, at, p->kinds[CHESS_ANY]) & ~p->sides[side];
            add(sum, piece_worth[kind], 1);
            add(sum, middle_worth[kind], centrality(at));
            add(sum, reach_worth[kind], (int)set_count(reach));
            *phase += phase_of[kind];
            if (kind == CHESS_ROOK)
                add(sum, open_file, (file_of(at) & p->kinds[CHESS_PAWN]) == 0);
        }
    add(sum, pair, set_count(position_set(p, side, CHESS_BISHOP)) >= 2);
}

/* Pawns before a king that stands at home. */
static void king_add(const chess_position *p, unsigned side, weight *sum)
{
    unsigned king = position_king(p, side);
    chess_set before =
        (chess_king_attacks(king) | set_forward(chess_king_attacks(king), side)) & ranks_before(king, side);
    unsigned near = set_count(before & position_set(p, side, CHESS_PAWN));
    add(sum, shield, (int)(near < 3 ? near : 3));
}

/* A win against a king that has nothing left: drive it to the edge (with bishop and knight into a corner of the bishop's colour), come
 * near with the own king. */
static int drive(const chess_position *p, unsigned winner)
{
    const chess_set light = UINT64_C(0x55AA55AA55AA55AA);
    unsigned king = position_king(p, 1 - winner), own = position_king(p, winner);
    int score = 12 * (6 - centrality(king)) + 6 * (7 - distance(king, own));
    chess_set bishops = position_set(p, winner, CHESS_BISHOP);
    bool alone = (p->sides[winner] & ~p->kinds[CHESS_KING] & ~p->kinds[CHESS_KNIGHT]) == bishops;
    if (alone && set_count(bishops) == 1) {
        unsigned one = (bishops & light) != 0 ? 7 : 0, other = 63 - one;
        int a = distance(king, one), b = distance(king, other);
        score += 25 * (7 - (a < b ? a : b));
    }
    return score;
}

/* Without pawns, a small advantage does not win. */
static bool cannot_win(const chess_position *p, unsigned side, int ahead)
{
    return position_set(p, side, CHESS_PAWN) == 0 && ahead < 380;
}

static int material_of_side(const chess_position *p, unsigned side)
{
    int sum = 0;
    for (unsigned kind = CHESS_PAWN; kind < CHESS_KING; kind++)
        sum += piece_worth[kind].end * (int)set_count(position_set(p, side, kind));
    return sum;
}

static int32_t chess_looks(const holos_variant *v, const holos_position *position)
{
    (void)v;
    const chess_position *p = chess_of(position);
    weight sums[2] = {{0, 0}, {0, 0}};
    int phase = 0;
    for (unsigned side = 0; side < 2; side++) {
        pieces_add(p, side, &sums[side], &phase);
        pawns_add(p, side, &sums[side]);
        king_add(p, side, &sums[side]);
    }
    unsigned us = p->side, them = 1 - us;
    phase = phase < PHASE_MOST ? phase : PHASE_MOST;
    int score = ((sums[us].middle - sums[them].middle) * phase +
                 (sums[us].end - sums[them].end) * (PHASE_MOST - phase)) /
                PHASE_MOST;
    int ahead = material_of_side(p, us) - material_of_side(p, them);
    unsigned winner = score > 0 ? us : them;
    if (cannot_win(p, winner, score > 0 ? ahead : -ahead))
        score /= 8;
    else if ((p->sides[1 - winner] & ~p->kinds[CHESS_KING]) == 0)
        score += winner == us ? drive(p, winner) : -drive(p, winner);
    return score + to_move;
}

static bool chess_is_loud(const holos_variant *v, const holos_position *position, holos_move move)
{
    (void)v;
    const chess_position *p = chess_of(position);
    bool takes = (p->sides[1 - p->side] & chess_bit(move_to(move))) != 0 ||
                 (move_kind(move) == CHESS_PAWN && p->en_passant != 0 && move_to(move) == p->en_passant);
    return takes || move_promotion(move) == CHESS_QUEEN;
}

static bool chess_is_tense(const holos_variant *v, const holos_position *position)
{
    (void)v;
    return position_in_check(chess_of(position), chess_of(position)->side);
}

const holos_evaluation chess_evaluation = {
    .looks = chess_looks, .is_loud = chess_is_loud, .is_tense = chess_is_tense};
