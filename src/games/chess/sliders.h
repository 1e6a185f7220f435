/* SPDX-License-Identifier: MIT */

/* Sliding attacks for processors with a fast pext: the blockers on a piece's lines, as an index, give the squares that
 * it sees, as bits of its lines. Included by bitboard.h where CHESS_PEXT is defined.
 *
 * Perft with this is 1.5 times as fast as with the formulas. Whole sets instead of 16 bits an entry would make it
 * 1.7 times, with 841 KiB of tables instead of 210. */

#ifndef HOLOS_CHESS_SLIDERS_H
#define HOLOS_CHESS_SLIDERS_H

#include "games/chess/bitboard.h"

#include <immintrin.h>

typedef struct chess_slider {
    chess_set lines;      /* what it sees on an empty board */
    chess_set inner;      /* of these, where a blocker makes a difference */
    const uint16_t *seen; /* by the blockers */
} chess_slider;

/* Made by sliders.py. */
extern const chess_slider chess_rook_sliders[64], chess_bishop_sliders[64];

static inline chess_set slider_attacks(const chess_slider *s, chess_set occupied)
{
    return _pdep_u64(s->seen[_pext_u64(occupied, s->inner)], s->lines);
}

static inline chess_set chess_bishop_attacks(unsigned square, chess_set occupied)
{
    return slider_attacks(&chess_bishop_sliders[square], occupied);
}

static inline chess_set chess_rook_attacks(unsigned square, chess_set occupied)
{
    return slider_attacks(&chess_rook_sliders[square], occupied);
}

#endif
