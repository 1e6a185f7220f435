/* SPDX-License-Identifier: MIT */

/* Sets of squares as 64 bits, and which squares a piece attacks. Square 0 is a1, 7 is h1, 63 is h8; the rows of
 * a set are ranks. Everything here is a constant or a function of its arguments: nothing has to be set up.
 *
 * Sliding pieces: on files and diagonals the squares that a slider sees upwards are occupied ^ (occupied - 2 * slider),
 * and downwards the same with the bytes reversed ("hyperbola quintessence", Gerd Isenberg); on ranks, where reversed bytes
 * do not help, the next blocker below is found by counting zeros. */

#ifndef HOLOS_CHESS_BITBOARD_H
#define HOLOS_CHESS_BITBOARD_H

#include <stdint.h>

typedef uint64_t chess_set;

#define CHESS_FILE_A UINT64_C(0x0101010101010101)
#define CHESS_FILE_H UINT64_C(0x8080808080808080)
#define CHESS_RANK_1 UINT64_C(0x00000000000000FF)
#define CHESS_RANK_8 UINT64_C(0xFF00000000000000)

static inline chess_set chess_bit(unsigned square)
{
    return UINT64_C(1) << square;
}

static inline unsigned chess_rank_of(unsigned square)
{
    return square >> 3;
}

static inline unsigned chess_file_of(unsigned square)
{
    return square & 7;
}

static inline chess_set chess_rank(unsigned rank)
{
    return CHESS_RANK_1 << (8 * rank);
}

/* The lowest square of a set that is not empty. */
static inline unsigned set_first(chess_set set)
{
    return (unsigned)__builtin_ctzll(set);
}

static inline unsigned set_count(chess_set set)
{
#ifdef __POPCNT__
    return (unsigned)__builtin_popcountll(set);
#else
    /* Sums of 2, 4, 8 bits, then all bytes: faster than the compiler's call. */
    set -= set >> 1 & UINT64_C(0x5555555555555555);
    set = (set & UINT64_C(0x3333333333333333)) + (set >> 2 & UINT64_C(0x3333333333333333));
    set = (set + (set >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (unsigned)(set * CHESS_FILE_A >> 56);
#endif
}

/* Takes the lowest square out of a set that is not empty. */
static inline unsigned set_take(chess_set *set)
{
    unsigned square = set_first(*set);
    *set &= *set - 1;
    return square;
}

/* Every square of a set, lowest first. */
#define SET_EACH(square, set)                                                                                \
    for (chess_set left_##square = (set); left_##square != 0; left_##square = 0)                             \
        for (unsigned square; left_##square != 0 && (square = set_take(&left_##square), 1);)

/* A set moved by files (east is positive) and ranks; what leaves the board is lost. Usable in constants. */
#define SET_EAST1(set)  (((set) & ~CHESS_FILE_H) << 1)
#define SET_WEST1(set)  (((set) & ~CHESS_FILE_A) >> 1)
#define SET_EAST2(set)  SET_EAST1(SET_EAST1(set))
#define SET_WEST2(set)  SET_WEST1(SET_WEST1(set))
#define SET_SIDES1(set) (SET_EAST1(set) | SET_WEST1(set))
#define SET_SIDES2(set) (SET_EAST2(set) | SET_WEST2(set))
#define SET_KNIGHT(set)                                                                                      \
    (SET_SIDES2(set) << 8 | SET_SIDES2(set) >> 8 | SET_SIDES1(set) << 16 | SET_SIDES1(set) >> 16)
#define SET_ROW3(set) ((set) | SET_SIDES1(set))
#define SET_KING(set) (SET_ROW3(set) << 8 | SET_ROW3(set) >> 8 | SET_SIDES1(set))

/* The squares that pawns of a side (0 white, 1 black) attack. */
static inline chess_set set_pawn_attacks(chess_set pawns, unsigned side)
{
    return side == 0 ? SET_SIDES1(pawns) << 8 : SET_SIDES1(pawns) >> 8;
}

/* A set moved one rank forward, as a side sees it. */
static inline chess_set set_forward(chess_set set, unsigned side)
{
    return side == 0 ? set << 8 : set >> 8;
}

/* What holds of single squares, as tables. */
typedef struct chess_square {
    chess_set knight, king;
    chess_set file, diagonal, antidiagonal; /* the lines through a square, without it */
} chess_square;

extern const chess_square chess_squares[64];

static inline chess_set chess_knight_attacks(unsigned square)
{
    return chess_squares[square].knight;
}

static inline chess_set chess_king_attacks(unsigned square)
{
    return chess_squares[square].king;
}

/* What a slider sees along a line whose squares lie in different ranks. */
static inline chess_set line_attacks(chess_set slider, chess_set line, chess_set occupied)
{
    chess_set up = occupied & line, down = __builtin_bswap64(up);
    up -= slider;
    down -= __builtin_bswap64(slider);
    return (up ^ __builtin_bswap64(down)) & line;
}

static inline chess_set rank_attacks(unsigned square, chess_set occupied)
{
    chess_set slider = chess_bit(square), rank = CHESS_RANK_1 << (square & 56);
    /* Below: down to the next blocker, at most to the first square of the rank. */
    chess_set below = (occupied & rank & (slider - 1)) | chess_bit(square & 56);
    chess_set west = slider - (UINT64_C(1) << (63 - __builtin_clzll(below)));
    chess_set east = (occupied ^ (occupied - 2 * slider)) & rank;
    return east | west;
}

#ifdef CHESS_PEXT
#include "games/chess/sliders.h"
#else
static inline chess_set chess_bishop_attacks(unsigned square, chess_set occupied)
{
    const chess_square *s = &chess_squares[square];
    return line_attacks(chess_bit(square), s->diagonal, occupied) |
           line_attacks(chess_bit(square), s->antidiagonal, occupied);
}

static inline chess_set chess_rook_attacks(unsigned square, chess_set occupied)
{
    return line_attacks(chess_bit(square), chess_squares[square].file, occupied) |
           rank_attacks(square, occupied);
}
#endif

static inline chess_set chess_queen_attacks(unsigned square, chess_set occupied)
{
    return chess_bishop_attacks(square, occupied) | chess_rook_attacks(square, occupied);
}

/* The whole line through two squares, without them, if there is one; and what lies strictly between. */
static inline chess_set chess_line(unsigned a, unsigned b)
{
    const chess_square *s = &chess_squares[a];
    chess_set other = chess_bit(b), rank = CHESS_RANK_1 << (a & 56);
    chess_set line = (s->file & other)           ? s->file
                     : (s->diagonal & other)     ? s->diagonal
                     : (s->antidiagonal & other) ? s->antidiagonal
                     : (rank & other)            ? rank
                                                 : 0;
    return line & ~other & ~chess_bit(a);
}

static inline chess_set chess_between(unsigned a, unsigned b)
{
    chess_set low = chess_bit(a < b ? a : b), high = chess_bit(a < b ? b : a);
    return chess_line(a, b) & (high - low) & ~low;
}

#endif
