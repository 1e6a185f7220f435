/* SPDX-License-Identifier: MIT */

/* Sets of cells: a bit for each, up to 256. */

#ifndef HOLOS_SUDOKU_CELLSET_H
#define HOLOS_SUDOKU_CELLSET_H

#include <stdbool.h>
#include <stdint.h>

#define CELLSET_WORDS 4

typedef struct cellset {
    uint64_t words[CELLSET_WORDS];
} cellset;

static inline bool cellset_has(const cellset *s, unsigned cell)
{
    return (s->words[cell / 64] >> cell % 64 & 1) != 0;
}

static inline void cellset_add(cellset *s, unsigned cell)
{
    s->words[cell / 64] |= (uint64_t)1 << cell % 64;
}

static inline void cellset_remove(cellset *s, unsigned cell)
{
    s->words[cell / 64] &= ~((uint64_t)1 << cell % 64);
}

static inline cellset cellset_and(cellset a, cellset b)
{
    for (int i = 0; i < CELLSET_WORDS; i++)
        a.words[i] &= b.words[i];
    return a;
}

static inline cellset cellset_or(cellset a, cellset b)
{
    for (int i = 0; i < CELLSET_WORDS; i++)
        a.words[i] |= b.words[i];
    return a;
}

static inline cellset cellset_minus(cellset a, cellset b)
{
    for (int i = 0; i < CELLSET_WORDS; i++)
        a.words[i] &= ~b.words[i];
    return a;
}

static inline bool cellset_is_empty(cellset a)
{
    return (a.words[0] | a.words[1] | a.words[2] | a.words[3]) == 0;
}

static inline unsigned cellset_count(cellset a)
{
    int count = 0;
    for (int i = 0; i < CELLSET_WORDS; i++)
        count += __builtin_popcountll(a.words[i]);
    return (unsigned)count;
}

/* The first cell; the set is not empty. */
static inline unsigned cellset_first(const cellset *a)
{
    unsigned i = 0;
    while (i < CELLSET_WORDS - 1 && a->words[i] == 0)
        i++;
    return i * 64 + (unsigned)__builtin_ctzll(a->words[i]);
}

/* Takes the first cell out of a set that is not empty. */
static inline unsigned cellset_take(cellset *a)
{
    unsigned cell = cellset_first(a);
    a->words[cell / 64] &= a->words[cell / 64] - 1;
    return cell;
}

/* 0, 1, or 2 for more: cheaper than counting. */
static inline unsigned cellset_few(cellset a)
{
    uint64_t once = 0, twice = 0;
    for (int i = 0; i < CELLSET_WORDS; i++) {
        uint64_t word = a.words[i];
        twice |= (word & (word - 1)) | (once != 0 ? word : 0);
        once |= word;
    }
    return twice != 0 ? 2 : once != 0;
}

/* for (each cell of a set) */
#define CELLSET_EACH(cell, set)                                                                              \
    for (cellset each_##cell = (set); !cellset_is_empty(each_##cell);)                                       \
        for (unsigned cell = cellset_take(&each_##cell), once_##cell = 1; once_##cell != 0; once_##cell = 0)

#endif
