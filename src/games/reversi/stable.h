/* SPDX-License-Identifier: MIT */

/* Discs that can never be turned: a bound of what the other side can still get. Some of them: those of full lines in all four directions, and
 * those that lean on the edge or on others of their kind in each direction. */

#ifndef HOLOS_REVERSI_STABLE_H
#define HOLOS_REVERSI_STABLE_H

#include "games/reversi/rules.h"

#define REVERSI_BORDER_FILES UINT64_C(0x8181818181818181)
#define REVERSI_BORDER_RANKS UINT64_C(0xff000000000000ff)

/* Cells on full lines of the file's direction. */
static inline uint64_t full_files(uint64_t full)
{
    full &= full >> 8 | full << 56;
    full &= full >> 16 | full << 48;
    return full & (full >> 32 | full << 32);
}

static inline uint64_t full_ranks(uint64_t full)
{
    full &= full >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f);
    full &= full >> 2 & UINT64_C(0x0303030303030303);
    full &= full >> 1 & UINT64_C(0x0101010101010101);
    return full * 0xff;
}

/* Along a diagonal: what is not full spreads both ways until the edge. */
static inline uint64_t full_diagonal(uint64_t full, unsigned step, uint64_t not_below, uint64_t not_above)
{
    uint64_t open = ~full;
    for (unsigned i = 0; i < 7; i++)
        open |= (open & not_above) << step | (open & not_below) >> step;
    return ~open;
}

/* Discs of `mine` that are stable, at least. */
static inline uint64_t reversi_stable(uint64_t mine, uint64_t theirs)
{
    uint64_t full = mine | theirs;
    const uint64_t file_a = UINT64_C(0x0101010101010101), file_h = file_a << 7;
    uint64_t ranks = full_ranks(full) | REVERSI_BORDER_FILES;
    uint64_t files = full_files(full) | REVERSI_BORDER_RANKS;
    uint64_t border = REVERSI_BORDER_FILES | REVERSI_BORDER_RANKS;
    uint64_t rising = full_diagonal(full, 9, ~file_a, ~file_h) | border;
    uint64_t falling = full_diagonal(full, 7, ~file_h, ~file_a) | border;
    uint64_t stable = mine & ranks & files & rising & falling, last;
    if (stable == 0)
        return 0;
    do {
        last = stable;
        uint64_t h = (stable & ~file_h) << 1 | (stable & ~file_a) >> 1 | ranks;
        uint64_t v = stable << 8 | stable >> 8 | files;
        uint64_t r = (stable & ~file_h) << 9 | (stable & ~file_a) >> 9 | rising;
        uint64_t f = (stable & ~file_a) << 7 | (stable & ~file_h) >> 7 | falling;
        stable |= mine & h & v & r & f;
    } while (stable != last);
    return stable;
}

#endif
