/* SPDX-License-Identifier: MIT */

/* The discs that a move turns, and the moves of a side, four lines at a time: each lane of a vector is one of them. Towards higher
 * cells a carry runs through the other side's discs and stops at the first cell that is none; towards lower ones the highest
 * such cell is found by smearing. Without AVX2 it is the portable way of rules.h.
 *
 * On a board that is full but for one cell, a line of the own discs says how many the last one turns there: a table knows. */

#ifndef HOLOS_REVERSI_RAYS_H
#define HOLOS_REVERSI_RAYS_H

#include "games/reversi/rules.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

/* The cells from one on, along the rank, the file and both diagonals. */
typedef struct reversi_rays {
    _Alignas(32) uint64_t up[64][4];
    _Alignas(32) uint64_t down[64][4];
    uint64_t diagonals[64][2];
    uint64_t around[64];
    uint8_t turned[8][256]; /* by a disc at a place of a line whose other cells are mine, or else theirs */
} reversi_rays;

static inline uint8_t reversi_turned_in_line(unsigned place, unsigned mine)
{
    unsigned count = 0;
    for (int by = -1; by <= 1; by += 2) {
        int at = (int)place + by, run = 0;
        for (; at >= 0 && at < 8 && (mine >> at & 1) == 0; at += by)
            run++;
        if (at >= 0 && at < 8)
            count += (unsigned)run;
    }
    return (uint8_t)count;
}

static inline void reversi_rays_init(reversi_rays *rays)
{
    for (unsigned place = 0; place < 8; place++)
        for (unsigned mine = 0; mine < 256; mine++)
            rays->turned[place][mine] = reversi_turned_in_line(place, mine);
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
    for (int cell = 0; cell < 64; cell++) {
        uint64_t at = UINT64_C(1) << cell,
                 wide = at | (at & ~(REVERSI_FILE_A << 7)) << 1 | (at & ~REVERSI_FILE_A) >> 1;
        rays->around[cell] = (wide | wide << 8 | wide >> 8) & ~at;
        for (int i = 0; i < 2; i++)
            rays->diagonals[cell][i] = rays->up[cell][2 + i] | rays->down[cell][2 + i] | at;
    }
}

/* How many discs the last one turns, on the only cell that is empty; `mine` are those of the side that puts it there. */
static inline unsigned reversi_turned_last(const reversi_rays *rays, uint64_t mine, unsigned cell)
{
    unsigned file = cell % 8, rank = cell / 8;
    unsigned count = rays->turned[file][mine >> 8 * rank & 0xff];
    count += rays->turned[rank][((mine >> file & REVERSI_FILE_A) * UINT64_C(0x0102040810204080)) >> 56];
    count += rays->turned[file][(mine & rays->diagonals[cell][0]) * REVERSI_FILE_A >> 56];
    return count + rays->turned[file][(mine & rays->diagonals[cell][1]) * REVERSI_FILE_A >> 56];
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

/* reversi_moves, the four lines at once. */
static inline uint64_t reversi_moves_fast(reversi_board b, uint64_t cells)
{
    const __m256i step = _mm256_set_epi64x(9, 7, 8, 1), two = _mm256_add_epi64(step, step);
    const __m256i inner =
        _mm256_set_epi64x((long long)REVERSI_INNER, (long long)REVERSI_INNER, -1, (long long)REVERSI_INNER);
    __m256i mine = _mm256_set1_epi64x((long long)b.mine);
    __m256i over = _mm256_and_si256(_mm256_set1_epi64x((long long)b.theirs), inner);
    __m256i up = _mm256_and_si256(over, _mm256_sllv_epi64(mine, step));
    __m256i down = _mm256_and_si256(over, _mm256_srlv_epi64(mine, step));
    up = _mm256_or_si256(up, _mm256_and_si256(over, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(down, _mm256_and_si256(over, _mm256_srlv_epi64(down, step)));
    __m256i over_up = _mm256_and_si256(over, _mm256_sllv_epi64(over, step));
    __m256i over_down = _mm256_srlv_epi64(over_up, step);
    for (int i = 0; i < 2; i++) {
        up = _mm256_or_si256(up, _mm256_and_si256(over_up, _mm256_sllv_epi64(up, two)));
        down = _mm256_or_si256(down, _mm256_and_si256(over_down, _mm256_srlv_epi64(down, two)));
    }
    __m256i behind = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
    __m128i half = _mm_or_si128(_mm256_castsi256_si128(behind), _mm256_extracti128_si256(behind, 1));
    uint64_t all = (uint64_t)_mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half)));
    return all & cells & ~(b.mine | b.theirs);
}
#else
static inline uint64_t reversi_moves_fast(reversi_board b, uint64_t cells)
{
    return reversi_moves(b, cells);
}

static inline uint64_t reversi_turned(const reversi_rays *rays, reversi_board b, unsigned cell)
{
    (void)rays;
    return reversi_turned_portable(b, cell);
}
#endif

#endif
