/* SPDX-License-Identifier: MIT */

/* The rules of connect four, on bitboards. Everything here is inline and small, so that an engine that
 * includes it gets the whole of the rules in its inner loop; with a shape that is known when the code is
 * compiled, all masks become constants.
 *
 * A column takes height + 1 bits, the lowest row first: the extra bit stays empty and keeps lines from
 * running from one column into the next. Cell (column, row) is bit column * (height + 1) + row.
 *
 * One translation unit uses one type of word: uint64_t, or what it defines as C4_WORD before it includes
 * this file (u128 for boards of more than 64 bits). */

#ifndef HOLOS_CONNECT4_RULES_H
#define HOLOS_CONNECT4_RULES_H

#include "core/wide.h"

#include <stdbool.h>
#include <stdint.h>

#ifndef C4_WORD
#define C4_WORD uint64_t
#ifdef __AVX2__
#define C4_QUADS
#endif
#endif
typedef C4_WORD c4_word;

/* The largest side of a board: three steps along a diagonal must be a valid shift of a 64-bit word. */
#define C4_MAX_SIDE  16
#define C4_MAX_BITS  128
#define C4_MAX_CELLS 120 /* 8x15: no board of 128 bits has more */

typedef struct c4_size {
    unsigned width, height;
} c4_size;

static inline unsigned c4_size_bits(c4_size size)
{
    return size.width * (size.height + 1);
}

static inline unsigned c4_size_cells(c4_size size)
{
    return size.width * size.height;
}

/* A size with the masks that go with it. */
typedef struct c4_shape {
    c4_size size;
    c4_word bottom; /* the lowest cell of each column */
    c4_word cells;  /* all cells */
} c4_shape;

/* Stones of the side to move, and of both. Of both sides' stones the first player has as many as the
 * second, or one more: so the number of stones tells whose turn it is. */
typedef struct c4_board {
    c4_word mine, both;
} c4_board;

static inline c4_shape c4_shape_make(unsigned width, unsigned height)
{
    c4_shape shape = {.size = {width, height}};
    for (unsigned column = 0; column < width; column++)
        shape.bottom |= (c4_word)1 << column * (height + 1);
    shape.cells = shape.bottom * (((c4_word)1 << height) - 1);
    return shape;
}

static inline unsigned c4_count(c4_word word)
{
    /* Two shifts, since one by 64 is not allowed where the word has only 64 bits. */
    return (unsigned)(__builtin_popcountll((uint64_t)word) +
                      __builtin_popcountll((uint64_t)(word >> 32 >> 32)));
}

static inline c4_word c4_cell(const c4_shape *shape, unsigned column, unsigned row)
{
    return (c4_word)1 << (column * (shape->size.height + 1) + row);
}

static inline c4_word c4_column(const c4_shape *shape, unsigned column)
{
    return (((c4_word)1 << shape->size.height) - 1) << column * (shape->size.height + 1);
}

static inline c4_word c4_theirs(c4_board board)
{
    return board.mine ^ board.both;
}

/* The cell a stone falls to, in each column that is not full. */
static inline c4_word c4_playable(const c4_shape *shape, c4_word both)
{
    return (both + shape->bottom) & shape->cells;
}

/* The board after a stone on a playable cell, seen from the other side. */
static inline c4_board c4_play(c4_board board, c4_word cell)
{
    return (c4_board){.mine = c4_theirs(board), .both = board.both | cell};
}

/* Lines run in four directions: a step along one adds 1 (up), height, height + 1 or height + 2 to a cell's
 * bit. What there is along a direction is said once, for one word or for a vector with a word for each
 * direction; C4_LINES puts the four together. */
#ifdef C4_QUADS
typedef uint64_t c4_along __attribute__((vector_size(32)));
typedef c4_along c4_step;
#define C4_LINES(function, shape, word)                                                                      \
    c4_together(function((c4_along){(word), (word), (word), (word)}, c4_steps(shape)))

static inline c4_step c4_steps(const c4_shape *shape)
{
    uint64_t height = shape->size.height;
    return (c4_step){1, height, height + 1, height + 2};
}

static inline c4_word c4_together(c4_along along)
{
    return (along[0] | along[1]) | (along[2] | along[3]);
}
#else
typedef c4_word c4_along;
typedef unsigned c4_step;
#define C4_LINES(function, shape, word)                                                                      \
    (function(word, 1) | function(word, (shape)->size.height) | function(word, (shape)->size.height + 1) |   \
     function(word, (shape)->size.height + 2))
#endif

/* The first cells of the lines of four within `stones`. */
static inline c4_along c4_fours_along(c4_along stones, c4_step step)
{
    c4_along pairs = stones & stones >> step;
    return pairs & pairs >> (step + step);
}

static inline bool c4_has_four(const c4_shape *shape, c4_word stones)
{
    return C4_LINES(c4_fours_along, shape, stones) != 0;
}

/* The cells that make four along a direction, wherever they stand in the line. */
static inline c4_along c4_wins_along(c4_along stones, c4_step step)
{
    c4_step two = step + step, three = two + step;
    c4_along after_two = stones << step & stones << two;
    c4_along before_two = stones >> step & stones >> two;
    return (after_two & (stones << three | stones >> step)) |
           (before_two & (stones >> three | stones << step));
}

/* The empty cells where one more stone makes four, whether or not a stone can fall there yet. */
static inline c4_word c4_wins(const c4_shape *shape, c4_word stones, c4_word both)
{
    return C4_LINES(c4_wins_along, shape, stones) & (shape->cells ^ both);
}

/* The moves that do not lose at once, on a board where the side to move cannot win at once: it answers
 * a threat, and does not play below one. 0: every move loses. */
static inline c4_word c4_safe_moves(const c4_shape *shape, c4_board board)
{
    c4_word moves = c4_playable(shape, board.both);
    c4_word threats = c4_wins(shape, c4_theirs(board), board.both);
    c4_word forced = moves & threats;
    if (forced != 0) {
        if ((forced & (forced - 1)) != 0)
            return 0;
        moves = forced;
    }
    return moves & ~(threats >> 1);
}

static inline unsigned c4_stones(c4_board board)
{
    return c4_count(board.both);
}

/* The score of a win for the side that completes its four on a board with this many stones before: 1
 * with its last stone, 2 with the last but one, and so on. */
static inline int c4_win_score(const c4_shape *shape, unsigned stones)
{
    return (int)(c4_size_cells(shape->size) + 1 - stones) / 2;
}

/* The board in one word, and back: a column reads as a 1 above its highest stone, and below it the
 * stones of the side to move. */
static inline c4_word c4_pack(const c4_shape *shape, c4_board board)
{
    return board.both + shape->bottom + board.mine;
}

static inline c4_board c4_unpack(const c4_shape *shape, c4_word packed)
{
    c4_word below = packed >> 1 & shape->cells;
    for (unsigned row = 1; row < shape->size.height; row++)
        below |= below >> 1 & shape->cells;
    return (c4_board){.mine = packed & below, .both = below};
}

/* The mirror image of any set of bits. */
static inline c4_word c4_mirror(const c4_shape *shape, c4_word word)
{
    unsigned step = shape->size.height + 1, last = shape->size.width - 1;
    c4_word column = ((c4_word)1 << step) - 1, mirrored = 0;
    for (unsigned i = 0; i <= last; i++)
        mirrored |= (word >> i * step & column) << (last - i) * step;
    return mirrored;
}

#endif
