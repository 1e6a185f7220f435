/* SPDX-License-Identifier: MIT */

/* Inside the solver: vectors of 16-bit lanes, 16 with AVX2 and 8 without. Comparisons give lanes of all
 * ones or all zeros. */

#ifndef HOLOS_SUDOKU_VEC_H
#define HOLOS_SUDOKU_VEC_H

#include <stdint.h>

#ifdef __AVX2__
#include <immintrin.h>
#define LANES 16
#else
#define LANES 8
#endif

typedef uint16_t vec __attribute__((vector_size(2 * LANES), may_alias));

static inline vec vec_all(uint16_t value)
{
    return value - (vec){0};
}

static inline vec vec_equal(vec a, vec b)
{
    return (vec)(a == b);
}

static inline vec vec_is_zero(vec a)
{
    return vec_equal(a, (vec){0});
}

/* `a` where it is not zero, elsewhere `b`. */
static inline vec vec_first_of(vec a, vec b)
{
#ifdef __AVX2__
    return (vec)_mm256_blendv_epi8((__m256i)a, (__m256i)b, (__m256i)vec_is_zero(a));
#else
    return a | (b & vec_is_zero(a));
#endif
}

/* The smaller one, of lanes below 2^15. */
static inline vec vec_min(vec a, vec b)
{
#ifdef __AVX2__
    return (vec)_mm256_min_epi16((__m256i)a, (__m256i)b);
#else
    vec less = (vec)(a < b);
    return (a & less) | (b & ~less);
#endif
}

/* A bit for each lane of a comparison. */
static inline uint32_t vec_mask(vec comparison)
{
#ifdef __AVX2__
    __m128i low = _mm256_castsi256_si128((__m256i)comparison);
    __m128i high = _mm256_extracti128_si256((__m256i)comparison, 1);
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high));
#else
    uint32_t mask = 0;
    for (unsigned lane = 0; lane < LANES; lane++)
        mask |= (comparison[lane] & 1u) << lane;
    return mask;
#endif
}

/* The lanes without their lowest bit. */
static inline vec vec_drop_lowest(vec a)
{
    return a & (a - 1);
}

#endif
