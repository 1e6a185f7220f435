/* SPDX-License-Identifier: MIT */

/* The discs that a move turns, four lines at a time: each lane of a vector is one of them. Towards higher cells a carry runs through
 * the other side's discs and stops at the first cell that is none; towards lower ones the highest such cell is found by smearing.
 * Without AVX2 it is the portable way of rules.h. */

#ifndef HOLOS_REVERSI_RAYS_H
#define HOLOS_REVERSI_RAYS_H

#include "games/reversi/rules.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

/* The cells from one on, along the file, the rank and both diagonals. */
typedef struct reversi_rays {
    _Alignas(32) uint64_t up[64][4];
    _Alignas(32) uint64_t down[64][4];
} reversi_rays;

static inline void reversi_rays_init(reversi_rays *rays)
{
    static const int steps[4][2] = {{1, 0}, {0, 1}, {-1, 1}, {1, 1}};
    for (int cell = 0; cell < 64; cell++)
        for (int line = 0; line < 4; line++)
            for (int way = 0; way < 2; way++) {
                int by = way == 0 ? 1 : -1, file = cell % 8, rank = cell / 8;
                uint64_t ray = 0;
                while ((file += by * steps[line][0]) >= 0 && file < 8 && (rank += by * steps[line][1]) >= 0 &&
                       rank < 8)
                    ray |= UINT64_C(1) << (8 * rank + file);
                (way == 0 ? rays->up : rays->down)[cell][line] = ray;
            }
}

#ifdef __AVX2__
static inline uint64_t reversi_turned(const reversi_rays *rays, reversi_board b, unsigned cell)
{
    const __m256i zero = _mm256_setzero_si256(), ones = _mm256_set1_epi64x(-1);
    const __m256i step = _mm256_set_epi64x(9, 7, 8, 1);
    __m256i mine = _mm256_set1_epi64x((long long)b.mine), theirs = _mm256_set1_epi64x((long long)b.theirs);
    __m256i up = _mm256_load_si256((const __m256i *)rays->up[cell]);
    __m256i down = _mm256_load_si256((const __m256i *)rays->down[cell]);

    __m256i carried = _mm256_sub_epi64(_mm256_or_si256(theirs, _mm256_xor_si256(up, ones)), ones);
    __m256i end = _mm256_and_si256(_mm256_and_si256(carried, mine), up);
    __m256i none = _mm256_cmpeq_epi64(end, zero);
    __m256i turned = _mm256_and_si256(_mm256_add_epi64(end, _mm256_xor_si256(none, ones)), up);
    turned = _mm256_andnot_si256(none, turned);

    __m256i blocked = _mm256_andnot_si256(theirs, down);
    blocked = _mm256_or_si256(blocked, _mm256_srlv_epi64(blocked, step));
    blocked = _mm256_or_si256(blocked, _mm256_srlv_epi64(blocked, _mm256_add_epi64(step, step)));
    __m256i four = _mm256_slli_epi64(step, 2);
    blocked = _mm256_and_si256(_mm256_or_si256(blocked, _mm256_srlv_epi64(blocked, four)), down);
    end = _mm256_andnot_si256(_mm256_srlv_epi64(blocked, step), _mm256_and_si256(blocked, mine));
    none = _mm256_cmpeq_epi64(end, zero);
    turned = _mm256_or_si256(turned, _mm256_andnot_si256(none, _mm256_andnot_si256(blocked, down)));

    __m128i half = _mm_or_si128(_mm256_castsi256_si128(turned), _mm256_extracti128_si256(turned, 1));
    return (uint64_t)_mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half)));
}
#else
static inline uint64_t reversi_turned(const reversi_rays *rays, reversi_board b, unsigned cell)
{
    (void)rays;
    return reversi_turned_portable(b, cell);
}
#endif

#endif
