/* SPDX-License-Identifier: MIT */

/* Quick access to a compressed sequence (pairs.h), made by one look at all of it. The sequence is cut into spans of equally
 * many values; of each it is known where the symbol begins that its first value lies in, or that all its values are the
 * same. So a probe is a look at its span, at the bits there and at one symbol for each code before the one that it wants,
 * where a file by itself asks for its sparse index, the lengths of blocks, and half a block.
 *
 * The codes stand in a copy, without the gaps between blocks. Symbols have their values side by side, not as trees. */

#ifndef HOLOS_CHESS_TABLES_SPANS_H
#define HOLOS_CHESS_TABLES_SPANS_H

#include "games/chess/tables/pairs.h"

#include <string.h>

enum {
    SPANS_PEEK = 9,             /* bits that are decoded by one look */
    SPANS_BACK = 8,             /* bits of a start that tell how far into its symbol a span begins */
    SPANS_PAGE = 12,            /* spans, as a power of two, whose bits are counted from one place */
    SPANS_DATA_MOST = 32 << 20, /* bytes: of larger sequences one look takes too long */
    SPANS_PALETTE = 15,         /* different values of a sequence whose symbols are written out */
};

#define SPANS_SAME                                                                                           \
    (UINT32_MAX << SPANS_BACK) /* a span of one value, which stands in the bits of SPANS_BACK */

/* What one look at the next bits tells. */
typedef struct spans_glance {
    uint16_t
        symbol; /* and above its 12 bits, if all its values are the same, their place in the palette + 1 */
    uint8_t values; /* less one */
    uint8_t bits;   /* 0: the code is longer */
} spans_glance;

typedef struct spans {
    uint32_t *starts;      /* bits from the page's first one on, and how far into the symbol */
    uint64_t *pages;       /* the first bit of every 1 << SPANS_PAGE spans */
    unsigned char *stream; /* the codes, and some bytes behind them */
    uint8_t *same;         /* of each symbol: the place of its value in the palette + 1 if it has only one */
    uint8_t
        *written; /* the values of symbols, as places in the palette, two a byte; NULL: they are too many */
    uint32_t *written_at; /* where those of each symbol begin */
    uint8_t span_bits;
    uint8_t palette_size;
    uint8_t palette[SPANS_PALETTE];
    spans_glance glance[1 << SPANS_PEEK];
} spans;

/* NULL if the sequence is damaged or too large, or there is no memory: then it is read without. */
spans *spans_make(const pairs *d);
void spans_free(spans *s); /* may be NULL */

/* The value at an index below d->size. */
int spans_get(const spans *s, const pairs *d, uint64_t index);

#endif
