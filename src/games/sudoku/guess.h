/* SPDX-License-Identifier: MIT */

/* Inside the solver: where to guess.
 *
 * Best is a cell with two candidates, and among those the one whose digits the cells it sees could hold
 * most: a right guess settles more of them, a wrong one fails sooner. Seen cells with few candidates count
 * more (4 for two candidates, 2 for three, 1 for more), and those in its own triads not at all. That makes
 * 97 guesses a grid of hardest-1106, where the first such cell makes 255; counting the own triads makes 112,
 * and weights of 2, 1, 1 or 8, 3, 1 or products instead of sums are within 5 %.
 *
 * The nine digits' weights are 7-bit fields of a word, so that one addition serves them all. */

#ifndef HOLOS_SUDOKU_GUESS_H
#define HOLOS_SUDOKU_GUESS_H

#include "games/sudoku/rules.h"
#include "games/sudoku/vec.h"

#include <stddef.h>

#define GUESS_FIELD  7
#define GUESS_PADDED 96 /* cells, filled up to whole vectors */

/* Below this many open cells the first cell with two candidates does: 3 % more guesses on hardest-1106, but
 * serg-multi, whose grids have many solutions and shallow trees, is 1.2 times as fast. */
#define GUESS_FEW_OPEN 32

typedef struct guess_node {
    _Alignas(64) uint16_t cells[GUESS_PADDED]; /* behind the last cell: 0 */
} guess_node;

typedef struct guess {
    unsigned cell;
    uint16_t digit; /* one bit */
} guess;

/* A set of digits spread to the fields, times its weight. */
#define GUESS_BIT(set, d) ((uint64_t)((set) >> (d)&1) << (GUESS_FIELD * (d)))
#define GUESS_BITS(set)                                                                                      \
    ((set & 1) + (set >> 1 & 1) + (set >> 2 & 1) + (set >> 3 & 1) + (set >> 4 & 1) + (set >> 5 & 1) +        \
     (set >> 6 & 1) + (set >> 7 & 1) + (set >> 8 & 1))
#define GUESS_SPREAD(set)                                                                                    \
    (GUESS_BIT(set, 0) | GUESS_BIT(set, 1) | GUESS_BIT(set, 2) | GUESS_BIT(set, 3) | GUESS_BIT(set, 4) |     \
     GUESS_BIT(set, 5) | GUESS_BIT(set, 6) | GUESS_BIT(set, 7) | GUESS_BIT(set, 8))
#define GUESS_WEIGHT(set)                                                                                    \
    (GUESS_SPREAD(set) * (GUESS_BITS(set) < 2 ? 0 : GUESS_BITS(set) == 2 ? 4 : GUESS_BITS(set) == 3 ? 2 : 1))
#define GUESS_WEIGHTS_8(s)                                                                                   \
    GUESS_WEIGHT((s)), GUESS_WEIGHT((s + 1)), GUESS_WEIGHT((s + 2)), GUESS_WEIGHT((s + 3)),                  \
        GUESS_WEIGHT((s + 4)), GUESS_WEIGHT((s + 5)), GUESS_WEIGHT((s + 6)), GUESS_WEIGHT((s + 7))
#define GUESS_WEIGHTS_64(s)                                                                                  \
    GUESS_WEIGHTS_8(s), GUESS_WEIGHTS_8(s + 8), GUESS_WEIGHTS_8(s + 16), GUESS_WEIGHTS_8(s + 24),            \
        GUESS_WEIGHTS_8(s + 32), GUESS_WEIGHTS_8(s + 40), GUESS_WEIGHTS_8(s + 48), GUESS_WEIGHTS_8(s + 56)

static const uint64_t guess_weights[512] = {
    GUESS_WEIGHTS_64(0),   GUESS_WEIGHTS_64(64),  GUESS_WEIGHTS_64(128), GUESS_WEIGHTS_64(192),
    GUESS_WEIGHTS_64(256), GUESS_WEIGHTS_64(320), GUESS_WEIGHTS_64(384), GUESS_WEIGHTS_64(448),
};

/* The triads of each cell, counted along the rows and along the columns. */
#define GUESS_ROW(r)   r, r, r, r + 1, r + 1, r + 1, r + 2, r + 2, r + 2
#define GUESS_STACK(c) c, c + 1, c + 2, c + 3, c + 4, c + 5, c + 6, c + 7, c + 8
static const uint8_t guess_row_triad[SUDOKU_CELLS] = {GUESS_ROW(0),  GUESS_ROW(3),  GUESS_ROW(6),
                                                      GUESS_ROW(9),  GUESS_ROW(12), GUESS_ROW(15),
                                                      GUESS_ROW(18), GUESS_ROW(21), GUESS_ROW(24)};
static const uint8_t guess_column_triad[SUDOKU_CELLS] = {GUESS_STACK(0),  GUESS_STACK(0),  GUESS_STACK(0),
                                                         GUESS_STACK(9),  GUESS_STACK(9),  GUESS_STACK(9),
                                                         GUESS_STACK(18), GUESS_STACK(18), GUESS_STACK(18)};

/* What a cell sees is the sum of two words: one of its row triad, one of its column triad. */
typedef struct guess_scores {
    uint64_t row[27];    /* by row and box: the rest of the row, less the triad once more for the box */
    uint64_t column[27]; /* by band and column: the rest of the column, and the box less the triad */
} guess_scores;

static inline void guess_score_cells(const guess_node *node, guess_scores *scores)
{
    uint64_t columns[9] = {0};
    for (int band = 0; band < 3; band++) {
        uint64_t triads[9] = {0}, boxes[3] = {0};
        for (int r = 0; r < 3; r++) {
            const uint16_t *cells = node->cells + 27 * band + 9 * r;
            uint64_t weights[9], row[3];
            for (int c = 0; c < 9; c++) {
                weights[c] = guess_weights[cells[c]];
                triads[c] += weights[c];
            }
            for (int b = 0; b < 3; b++) {
                row[b] = weights[3 * b] + weights[3 * b + 1] + weights[3 * b + 2];
                boxes[b] += row[b];
            }
            uint64_t whole = row[0] + row[1] + row[2];
            for (int b = 0; b < 3; b++)
                scores->row[9 * band + 3 * r + b] = whole - 2 * row[b];
        }
        for (int c = 0; c < 9; c++) {
            scores->column[9 * band + c] = boxes[c / 3] - 2 * triads[c];
            columns[c] += triads[c];
        }
    }
    for (int band = 0; band < 3; band++)
        for (int c = 0; c < 9; c++)
            scores->column[9 * band + c] += columns[c];
}

/* The cell's own weight was taken off once too often. */
static inline unsigned guess_score(const guess_scores *scores, unsigned cell, unsigned set)
{
    uint64_t fields =
        scores->row[guess_row_triad[cell]] + scores->column[guess_column_triad[cell]] + guess_weights[set];
    unsigned score = 0;
    for (; set != 0; set &= set - 1)
        score += (unsigned)(fields >> (GUESS_FIELD * (unsigned)__builtin_ctz(set))) & 127;
    return score;
}

/* Marks the cells with two candidates; returns how many have two or more. */
static inline unsigned guess_find_pairs(const guess_node *node, uint64_t pairs[2])
{
    unsigned open = 0;
    pairs[0] = pairs[1] = 0;
    for (unsigned cell = 0; cell < GUESS_PADDED; cell += LANES) {
        vec rest = vec_drop_lowest(*(const vec *)(node->cells + cell));
        vec none = vec_is_zero(rest);
        open += LANES - (unsigned)__builtin_popcount(vec_mask(none));
        uint64_t two = vec_mask(vec_is_zero(vec_drop_lowest(rest)) & ~none);
        pairs[cell / 64] |= two << cell % 64;
    }
    return open;
}

/* A cell with the fewest candidates where none has two. */
static inline unsigned guess_fewest(const guess_node *node, const guess_scores *scores)
{
    unsigned best = 0, best_count = 10, best_score = 0;
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++) {
        unsigned set = node->cells[cell], count = (unsigned)__builtin_popcount(set);
        if (count < 2 || count > best_count)
            continue;
        unsigned score = guess_score(scores, cell, set);
        if (count < best_count || score > best_score) {
            best = cell;
            best_count = count;
            best_score = score;
        }
    }
    return best;
}

static inline unsigned guess_best_pair(const guess_node *node, const guess_scores *scores,
                                       const uint64_t pairs[2])
{
    unsigned best = 0;
    int best_score = -1;
    for (unsigned half = 0; half < 2; half++) {
        for (uint64_t left = pairs[half]; left != 0; left &= left - 1) {
            unsigned cell = 64 * half + (unsigned)__builtin_ctzll(left), set = node->cells[cell];
            int score = (int)guess_score(scores, cell, set);
            best = score > best_score ? cell : best;
            best_score = score > best_score ? score : best_score;
        }
    }
    return best;
}

/* Chooses a guess in a grid where some cell is open and none is empty. */
static inline guess guess_choose(const guess_node *node)
{
    uint64_t pairs[2];
    unsigned cell, open = guess_find_pairs(node, pairs);
    bool any = (pairs[0] | pairs[1]) != 0;
    if (any && open < GUESS_FEW_OPEN) {
        cell = pairs[0] != 0 ? (unsigned)__builtin_ctzll(pairs[0]) : 64 + (unsigned)__builtin_ctzll(pairs[1]);
    } else {
        guess_scores scores;
        guess_score_cells(node, &scores);
        cell = any ? guess_best_pair(node, &scores, pairs) : guess_fewest(node, &scores);
    }
    return (guess){cell, (uint16_t)(node->cells[cell] & -node->cells[cell])};
}

#endif
