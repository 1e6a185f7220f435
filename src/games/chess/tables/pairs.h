/* SPDX-License-Identifier: MIT */

/* The compressed sequences in Syzygy's files. A symbol stands for one value or for two symbols after each other ("RE-PAIR");
 * the sequence of symbols is coded by a canonical Huffman code, whose longer codes are lower numbers, and cut into blocks
 * of one size, each of which begins with a symbol. A sparse index tells which block an index lies in, about.
 *
 * Whatever the bytes are, reading stays within them: what cannot be right is refused by pairs_read, or if it shows only
 * later, by pairs_get. */

#ifndef HOLOS_CHESS_TABLES_PAIRS_H
#define HOLOS_CHESS_TABLES_PAIRS_H

#include "core/error.h"

enum {
    PAIRS_BLACK = 1,      /* DTZ: black to move is stored */
    PAIRS_MAPPED = 2,     /* DTZ: values are places in a list */
    PAIRS_WIN_PLIES = 4,  /* DTZ: wins count plies, not moves */
    PAIRS_LOSS_PLIES = 8, /* DTZ: losses do */
    PAIRS_WIDE = 16,      /* DTZ: the lists have 16-bit numbers */
    PAIRS_SINGLE = 128,   /* one value only */
    PAIRS_LEAF = 0xFFF,   /* the right half of a symbol that is a value */
    PAIRS_SYMBOLS_MOST = 4095,
    PAIRS_CODE_MOST = 32,      /* bits */
    PAIRS_VALUES_MOST = 65536, /* of a block */
    PAIRS_SYMBOL_VALUES = 256, /* of a symbol */
};

typedef struct pairs {
    uint8_t flags, single; /* single: the value, with PAIRS_SINGLE */
    uint8_t block_bits, span_bits;
    uint8_t code_min, code_most;
    uint64_t size;            /* how many values */
    uint32_t blocks, lengths; /* lengths: entries of `block_lengths`, some more than there are blocks */
    uint32_t sparse_size;
    uint16_t symbols;
    const unsigned char *sparse;        /* u32 block, u16 offset */
    const unsigned char *block_lengths; /* u16: values less one */
    const unsigned char *data, *end;    /* the blocks; reading goes no further than `end` */
    const unsigned char *lowest;        /* u16: the lowest symbol of each length of code */
    const unsigned char *halves;        /* 3 bytes a symbol */
    uint8_t *values;                    /* of each symbol, less one: owned */
    uint64_t base[PAIRS_CODE_MOST + 2]; /* the lowest code of each length, aligned to the left */
    struct spans *spans;                /* what makes probes quick (spans.h), or NULL: owned */
} pairs;

/* A place in a file that is being read. */
typedef struct pairs_cursor {
    const unsigned char *begin, *at, *end;
} pairs_cursor;

/* Whether so many bytes are left. */
static inline bool cursor_has(const pairs_cursor *c, uint64_t bytes)
{
    return (uint64_t)(c->end - c->at) >= bytes;
}

static inline uint16_t read_u16(const unsigned char *b)
{
    return (uint16_t)(b[0] | b[1] << 8);
}

static inline uint32_t read_u32(const unsigned char *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline unsigned half_left(const unsigned char *half)
{
    return (half[1] & 15u) << 8 | half[0];
}

static inline unsigned half_right(const unsigned char *half)
{
    return (unsigned)half[2] << 4 | half[1] >> 4;
}

/* The symbol at the left end of `bits` and the length of its code, which is at least `least`. The symbol may be out of range in a
 * damaged file. */
static inline unsigned pairs_code_find(const pairs *d, uint64_t bits, unsigned least, unsigned *length)
{
    unsigned i = least > d->code_min ? least - d->code_min : 0;
    while (bits < d->base[i]) /* the base of the longest code is 0 */
        i++;
    *length = i + d->code_min;
    return (unsigned)((bits - d->base[i]) >> (64 - *length)) + read_u16(d->lowest + 2 * i);
}

/* The value at an offset within a symbol. */
static inline unsigned pairs_symbol_value(const pairs *d, unsigned symbol, unsigned offset)
{
    while (d->values[symbol] != 0) {
        const unsigned char *half = d->halves + 3 * symbol;
        unsigned left = half_left(half), first = d->values[left] + 1u;
        if (offset < first) {
            symbol = left;
        } else {
            offset -= first;
            symbol = half_right(half);
        }
    }
    return half_left(d->halves + 3 * symbol);
}

/* Reads the head of a sequence of `size` values. NULL, or what is wrong with it. */
const char *pairs_read(pairs *d, pairs_cursor *c, uint64_t size);
void pairs_free(pairs *d);

/* The parts that come later in a file, in this order for all sequences. False: the file is too short. */
bool pairs_place_sparse(pairs *d, pairs_cursor *c);
bool pairs_place_lengths(pairs *d, pairs_cursor *c);
bool pairs_place_blocks(pairs *d, pairs_cursor *c);

/* Lets the processor fetch what pairs_get will look at first. */
void pairs_prefetch(const pairs *d, uint64_t index);
/* The value at an index below d->size, or -1 if the file is damaged. */
int pairs_get(const pairs *d, uint64_t index);
/* All values in order. False: the file is damaged. */
bool pairs_get_all(const pairs *d, uint8_t *out);

#endif
