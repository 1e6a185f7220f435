/* SPDX-License-Identifier: MIT */

/* Rows of 64 bytes as sets: which of them have a value. SSE2 is part of every x86-64; elsewhere the compiler gets plain
 * loops. */

#ifndef HOLOS_CHESS_TABLES_LANES_H
#define HOLOS_CHESS_TABLES_LANES_H

#include "games/chess/bitboard.h"

#ifdef __SSE2__
#include <emmintrin.h>

static inline chess_set lanes_equal(const uint8_t *row, uint8_t value)
{
    const __m128i wanted = _mm_set1_epi8((char)value);
    chess_set set = 0;
    for (unsigned i = 0; i < 4; i++) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(row + 16 * i));
        set |= (chess_set)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, wanted)) << 16 * i;
    }
    return set;
}

/* Where a byte is at least `least`. */
static inline chess_set lanes_from(const uint8_t *row, uint8_t least)
{
    const __m128i wanted = _mm_set1_epi8((char)least);
    chess_set set = 0;
    for (unsigned i = 0; i < 4; i++) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(row + 16 * i));
        __m128i is = _mm_cmpeq_epi8(_mm_max_epu8(bytes, wanted), bytes);
        set |= (chess_set)(unsigned)_mm_movemask_epi8(is) << 16 * i;
    }
    return set;
}
#else
static inline chess_set lanes_equal(const uint8_t *row, uint8_t value)
{
    chess_set set = 0;
    for (unsigned i = 0; i < 64; i++)
        set |= (chess_set)(row[i] == value) << i;
    return set;
}

static inline chess_set lanes_from(const uint8_t *row, uint8_t least)
{
    chess_set set = 0;
    for (unsigned i = 0; i < 64; i++)
        set |= (chess_set)(row[i] >= least) << i;
    return set;
}
#endif

static inline void lanes_max(uint8_t *row, const uint8_t *other)
{
    for (unsigned i = 0; i < 64; i++)
        row[i] = row[i] > other[i] ? row[i] : other[i];
}

static inline void lanes_clear(uint8_t *row, chess_set lanes)
{
    SET_EACH (i, lanes)
        row[i] = 0;
}

#endif
