/* SPDX-License-Identifier: MIT */

/* The rules of reversi on bitboards. Cell a1 is bit 0, h1 bit 7, a2 bit 8. Smaller boards lie in the corner at a1: what is
 * outside is always empty, so that rays end there without anybody looking. */

#ifndef HOLOS_REVERSI_RULES_H
#define HOLOS_REVERSI_RULES_H

#include <stdbool.h>
#include <stdint.h>

#define REVERSI_INNER                                                                                        \
    UINT64_C(0x7e7e7e7e7e7e7e7e) /* without the files a and h: what rays sideways may cross */

#define REVERSI_FILE_A UINT64_C(0x0101010101010101)

/* A position as the side to move sees it. */
typedef struct reversi_board {
    uint64_t mine, theirs;
} reversi_board;

/* All cells of a board with `size` files and ranks. */
static inline uint64_t reversi_cells(unsigned size)
{
    uint64_t rank = (UINT64_C(1) << size) - 1, cells = 0;
    for (unsigned i = 0; i < size; i++)
        cells |= rank << 8 * i;
    return cells;
}

static inline unsigned reversi_count(uint64_t cells)
{
    return (unsigned)__builtin_popcountll(cells);
}

static inline unsigned reversi_first(uint64_t cells)
{
    return (unsigned)__builtin_ctzll(cells);
}

/* ---- Where one may move ------------------------------------------------------------------------ */

/* Cells behind a run of `over` that begins beside a disc of `mine`, both ways along a line. Runs double with each step. */
static inline uint64_t reversi_behind(uint64_t mine, uint64_t over, unsigned step)
{
    uint64_t up = over & mine << step, down = over & mine >> step;
    up |= over & up << step;
    down |= over & down >> step;
    uint64_t over_up = over & over << step, over_down = over & over >> step;
    up |= over_up & up << 2 * step;
    down |= over_down & down >> 2 * step;
    up |= over_up & up << 2 * step;
    down |= over_down & down >> 2 * step;
    return up << step | down >> step;
}

/* Cells where the side to move may put a disc. */
static inline uint64_t reversi_moves(reversi_board b, uint64_t cells)
{
    uint64_t inner = b.theirs & REVERSI_INNER;
    uint64_t behind = reversi_behind(b.mine, inner, 1) | reversi_behind(b.mine, inner, 7) |
                      reversi_behind(b.mine, inner, 9) | reversi_behind(b.mine, b.theirs, 8);
    return behind & cells & ~(b.mine | b.theirs);
}

/* ---- What a move turns ------------------------------------------------------------------------- */

static inline uint64_t reversi_turned_up(uint64_t mine, uint64_t over, uint64_t cell, unsigned step)
{
    uint64_t run = over & cell << step;
    run |= over & run << step;
    uint64_t twice = over & over << step;
    run |= twice & run << 2 * step;
    run |= twice & run << 2 * step;
    return (run << step & mine) != 0 ? run : 0;
}

static inline uint64_t reversi_turned_down(uint64_t mine, uint64_t over, uint64_t cell, unsigned step)
{
    uint64_t run = over & cell >> step;
    run |= over & run >> step;
    uint64_t twice = over & over >> step;
    run |= twice & run >> 2 * step;
    run |= twice & run >> 2 * step;
    return (run >> step & mine) != 0 ? run : 0;
}

/* The discs that a disc on an empty cell turns; 0: it may not go there. */
static inline uint64_t reversi_turned_portable(reversi_board b, unsigned cell)
{
    uint64_t inner = b.theirs & REVERSI_INNER, at = UINT64_C(1) << cell, turned = 0;
    turned |= reversi_turned_up(b.mine, inner, at, 1) | reversi_turned_down(b.mine, inner, at, 1);
    turned |= reversi_turned_up(b.mine, inner, at, 7) | reversi_turned_down(b.mine, inner, at, 7);
    turned |= reversi_turned_up(b.mine, inner, at, 9) | reversi_turned_down(b.mine, inner, at, 9);
    turned |= reversi_turned_up(b.mine, b.theirs, at, 8) | reversi_turned_down(b.mine, b.theirs, at, 8);
    return turned;
}

/* After a move, as the other side sees it. */
static inline reversi_board reversi_after(reversi_board b, unsigned cell, uint64_t turned)
{
    return (reversi_board){.mine = b.theirs ^ turned, .theirs = b.mine ^ turned ^ UINT64_C(1) << cell};
}

static inline reversi_board reversi_pass(reversi_board b)
{
    return (reversi_board){.mine = b.theirs, .theirs = b.mine};
}

static inline bool reversi_is_over(reversi_board b, uint64_t cells)
{
    return reversi_moves(b, cells) == 0 && reversi_moves(reversi_pass(b), cells) == 0;
}

/* The score of a game that is over: discs, and what is empty goes to the winner. */
static inline int reversi_final(reversi_board b, uint64_t cells)
{
    int mine = (int)reversi_count(b.mine), theirs = (int)reversi_count(b.theirs);
    int empty = (int)reversi_count(cells) - mine - theirs;
    return mine - theirs + (mine > theirs ? empty : mine < theirs ? -empty : 0);
}

/* ---- Symmetries -------------------------------------------------------------------------------- */

/* The files in reverse order, then shifted so that the board lies at a1 again. */
static inline uint64_t reversi_mirror(uint64_t cells, unsigned size)
{
    cells = (cells >> 1 & UINT64_C(0x5555555555555555)) | (cells & UINT64_C(0x5555555555555555)) << 1;
    cells = (cells >> 2 & UINT64_C(0x3333333333333333)) | (cells & UINT64_C(0x3333333333333333)) << 2;
    cells = (cells >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (cells & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
    return cells >> (8 - size);
}

/* The ranks in reverse order. */
static inline uint64_t reversi_flip(uint64_t cells, unsigned size)
{
    return __builtin_bswap64(cells) >> 8 * (8 - size);
}

/* Files become ranks. */
static inline uint64_t reversi_transpose(uint64_t cells)
{
    uint64_t t = (cells ^ cells >> 7) & UINT64_C(0x00aa00aa00aa00aa);
    cells ^= t ^ t << 7;
    t = (cells ^ cells >> 14) & UINT64_C(0x0000cccc0000cccc);
    cells ^= t ^ t << 14;
    t = (cells ^ cells >> 28) & UINT64_C(0x00000000f0f0f0f0);
    return cells ^ t ^ t << 28;
}

#define REVERSI_SYMMETRIES 8

/* Image 0 is the board itself. */
static inline reversi_board reversi_image(reversi_board b, unsigned which, unsigned size)
{
    if ((which & 1) != 0)
        b = (reversi_board){reversi_mirror(b.mine, size), reversi_mirror(b.theirs, size)};
    if ((which & 2) != 0)
        b = (reversi_board){reversi_flip(b.mine, size), reversi_flip(b.theirs, size)};
    if ((which & 4) != 0)
        b = (reversi_board){reversi_transpose(b.mine), reversi_transpose(b.theirs)};
    return b;
}

/* The image that comes first in some order, the same for all images of a board; *which: the one that it is. */
static inline reversi_board reversi_least_image(reversi_board b, unsigned size, unsigned *which)
{
    reversi_board least = b;
    *which = 0;
    for (unsigned i = 1; i < REVERSI_SYMMETRIES; i++) {
        reversi_board image = reversi_image(b, i, size);
        if (image.mine < least.mine || (image.mine == least.mine && image.theirs < least.theirs)) {
            least = image;
            *which = i;
        }
    }
    return least;
}

#endif
