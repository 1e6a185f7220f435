/* SPDX-License-Identifier: MIT */

#include "games/chess/bitboard.h"

/* The diagonals: the long one through a1 and h8 (or a8 and h1), moved up or down. */
#define LONG_DIAGONAL     UINT64_C(0x8040201008040201)
#define LONG_ANTIDIAGONAL UINT64_C(0x0102040810204080)
#define RANK(s)           ((s) / 8)
#define FILE_(s)          ((s) % 8)
#define UP(set, n)        ((n) >= 0 ? (set) << (8 * ((n) >= 0 ? (n) : 0)) : (set) >> (8 * ((n) < 0 ? -(n) : 0)))

#define BIT(s) (UINT64_C(1) << (s))
#define SQUARE(s)                                                                                            \
    {                                                                                                        \
        .knight = SET_KNIGHT(BIT(s)), .king = SET_KING(BIT(s)),                                              \
        .file = (CHESS_FILE_A << FILE_(s)) & ~BIT(s),                                                        \
        .diagonal = UP(LONG_DIAGONAL, RANK(s) - FILE_(s)) & ~BIT(s),                                         \
        .antidiagonal = UP(LONG_ANTIDIAGONAL, RANK(s) + FILE_(s) - 7) & ~BIT(s),                             \
    }
#define ROW(s)                                                                                               \
    SQUARE(s), SQUARE(s + 1), SQUARE(s + 2), SQUARE(s + 3), SQUARE(s + 4), SQUARE(s + 5), SQUARE(s + 6),     \
        SQUARE(s + 7)

const chess_square chess_squares[64] = {ROW(0), ROW(8), ROW(16), ROW(24), ROW(32), ROW(40), ROW(48), ROW(56)};
