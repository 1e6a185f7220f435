/* SPDX-License-Identifier: MIT */

#include "games/chess/tables/pairs.h"

#include "games/chess/tables/spans.h"

#include <stdlib.h>
#include <string.h>

/* ---- Reading the head -------------------------------------------------------------------------- */

/* How many values each symbol stands for: a symbol of two needs both halves known. Halves may come in any order, so
 * whoever is not known yet waits; a pass without progress is a circle. */
static const char *values_count(pairs *d)
{
    unsigned left = d->symbols, before;
    bool *known = calloc(d->symbols + 1u, 1);
    if (known == NULL)
        return "no memory for its symbols";
    do {
        before = left;
        for (unsigned i = 0; i < d->symbols; i++) {
            const unsigned char *half = d->halves + 3 * i;
            unsigned l = half_left(half), r = half_right(half);
            if (known[i])
                continue;
            if (r == PAIRS_LEAF) {
                d->values[i] = 0;
            } else if (l >= d->symbols || r >= d->symbols || !known[l] || !known[r] ||
                       d->values[l] + d->values[r] + 1 > 255) {
                continue;
            } else {
                d->values[i] = (uint8_t)(d->values[l] + d->values[r] + 1);
            }
            known[i] = true;
            left--;
        }
    } while (left > 0 && left < before);
    free(known);
    return left == 0 ? NULL : "its pairs of symbols make no sense";
}

static const char *codes_read(pairs *d)
{
    unsigned lengths = d->code_most - d->code_min + 1u;
    uint64_t code = 0;
    d->base[lengths - 1] = 0;
    for (unsigned i = lengths - 1; i-- > 0;) {
        unsigned low = read_u16(d->lowest + 2 * i), longer = read_u16(d->lowest + 2 * i + 2);
        if (low < longer || low > d->symbols)
            return "its code makes no sense";
        code = (code + low - longer) / 2;
        if (code >> (i + d->code_min) != 0)
            return "its code makes no sense";
        d->base[i] = code;
    }
    for (unsigned i = 0; i < lengths; i++)
        d->base[i] <<= 64 - i - d->code_min;
    return NULL;
}

static const char *symbols_read(pairs *d, pairs_cursor *c)
{
    unsigned lengths = d->code_most - d->code_min + 1u;
    if (!cursor_has(c, 2 * lengths + 2))
        return "it ends too early";
    d->lowest = c->at;
    c->at += 2 * lengths;
    d->symbols = read_u16(c->at);
    c->at += 2;
    if (d->symbols == 0 || d->symbols > PAIRS_SYMBOLS_MOST)
        return "it has an impossible number of symbols";
    if (!cursor_has(c, 3u * d->symbols + (d->symbols & 1)))
        return "it ends too early";
    d->halves = c->at;
    c->at += 3u * d->symbols + (d->symbols & 1);
    d->values = calloc(d->symbols, 1);
    if (d->values == NULL)
        return "no memory for its symbols";
    const char *wrong = values_count(d);
    return wrong != NULL ? wrong : codes_read(d);
}

const char *pairs_read(pairs *d, pairs_cursor *c, uint64_t size)
{
    *d = (pairs){.size = size};
    if (!cursor_has(c, 2))
        return "it ends too early";
    d->flags = *c->at++;
    if ((d->flags & PAIRS_SINGLE) != 0) {
        d->single = *c->at++;
        return NULL;
    }
    if (!cursor_has(c, 9))
        return "it ends too early";
    d->block_bits = c->at[0];
    d->span_bits = c->at[1];
    d->blocks = read_u32(c->at + 3);
    d->lengths = d->blocks + c->at[2];
    d->code_most = c->at[7];
    d->code_min = c->at[8];
    if (d->block_bits < 3 || d->block_bits > 16 || d->span_bits > 40 || d->blocks == 0 ||
        d->blocks > UINT32_MAX - 255 || d->code_min == 0 || d->code_most < d->code_min ||
        d->code_most > PAIRS_CODE_MOST)
        return "its head makes no sense";
    uint64_t sparse = (size + ((uint64_t)1 << d->span_bits) - 1) >> d->span_bits;
    if (sparse > UINT32_MAX)
        return "its head makes no sense";
    d->sparse_size = (uint32_t)sparse;
    c->at += 9;
    return symbols_read(d, c);
}

void pairs_free(pairs *d)
{
    free(d->values);
    spans_free(d->spans);
    d->values = NULL;
    d->spans = NULL;
}

/* ---- Symbols ----------------------------------------------------------------------------------- */

/* Bits of a block from the left. Past the end of the file come zeros. */
typedef struct bit_reader {
    uint64_t bits;
    unsigned left; /* of `bits`, at least 32 */
    const unsigned char *at, *end;
} bit_reader;

static inline uint32_t next_word(bit_reader *r)
{
    uint32_t word = 0;
    if (r->end - r->at >= 4) {
        memcpy(&word, r->at, 4);
        word = __builtin_bswap32(word);
    }
    r->at += 4;
    return word;
}

static inline bit_reader bits_begin(const unsigned char *at, const unsigned char *end)
{
    bit_reader r = {.at = at, .end = end, .left = 64};
    r.bits = (uint64_t)next_word(&r) << 32;
    r.bits |= next_word(&r);
    return r;
}

static inline void bits_skip(bit_reader *r, unsigned count)
{
    r->bits <<= count;
    r->left -= count;
    if (r->left <= 32) {
        r->bits |= (uint64_t)next_word(r) << (32 - r->left);
        r->left += 32;
    }
}

/* The next symbol and the length of its code; false: there is no such. */
static inline bool symbol_next(const pairs *d, const bit_reader *r, unsigned *symbol, unsigned *length)
{
    *symbol = pairs_code_find(d, r->bits, 0, length);
    return *symbol < d->symbols;
}

/* ---- What lies behind the heads ---------------------------------------------------------------- */

static const unsigned char *cursor_take(pairs_cursor *c, uint64_t bytes)
{
    if (!cursor_has(c, bytes))
        return NULL;
    const unsigned char *at = c->at;
    c->at += bytes;
    return at;
}

bool pairs_place_sparse(pairs *d, pairs_cursor *c)
{
    d->sparse = cursor_take(c, 6 * (uint64_t)d->sparse_size);
    return d->sparse != NULL;
}

bool pairs_place_lengths(pairs *d, pairs_cursor *c)
{
    d->block_lengths = cursor_take(c, 2 * (uint64_t)d->lengths);
    return d->block_lengths != NULL;
}

bool pairs_place_blocks(pairs *d, pairs_cursor *c)
{
    uint64_t aligned = ((uint64_t)(c->at - c->begin) + 63) & ~(uint64_t)63;
    if (aligned > (uint64_t)(c->end - c->begin))
        return false;
    c->at = c->begin + aligned;
    d->data = cursor_take(c, (uint64_t)d->blocks << d->block_bits);
    d->end = c->end;
    if (d->data != NULL)
        d->spans = spans_make(d);
    return d->data != NULL;
}

/* ---- Values ------------------------------------------------------------------------------------ */

/* Finds the block of an index, and where in it. False: damaged. */
static bool block_find(const pairs *d, uint64_t index, uint32_t *block, uint32_t *offset)
{
    uint64_t entry = index >> d->span_bits;
    const unsigned char *sparse = d->sparse + 6 * entry;
    int64_t span = (int64_t)1 << d->span_bits;
    int64_t at = (int64_t)(index & (uint64_t)(span - 1)) - span / 2 + read_u16(sparse + 4);
    uint64_t b = read_u32(sparse);
    if (b >= d->lengths)
        return false;
    while (at < 0) {
        if (b-- == 0)
            return false;
        at += read_u16(d->block_lengths + 2 * b) + 1;
    }
    while (at > read_u16(d->block_lengths + 2 * b)) {
        at -= read_u16(d->block_lengths + 2 * b) + 1;
        if (++b >= d->blocks)
            return false;
    }
    if (b >= d->blocks)
        return false;
    *block = (uint32_t)b;
    *offset = (uint32_t)at;
    return true;
}

/* By what is in the file alone: half a block is decoded. */
static int plain_get(const pairs *d, uint64_t index)
{
    uint32_t block, offset;
    if (!block_find(d, index, &block, &offset))
        return -1;
    const unsigned char *begin = d->data + ((uint64_t)block << d->block_bits);
    const unsigned char *limit = begin + ((uint64_t)1 << d->block_bits) + 8;
    bit_reader r = bits_begin(begin, d->end);
    while (r.at <= limit) {
        unsigned symbol, length;
        if (!symbol_next(d, &r, &symbol, &length))
            return -1;
        if (offset <= d->values[symbol])
            return (int)pairs_symbol_value(d, symbol, offset);
        offset -= d->values[symbol] + 1u;
        bits_skip(&r, length);
    }
    return -1;
}

void pairs_prefetch(const pairs *d, uint64_t index)
{
    if (d->spans != NULL && index < d->size)
        __builtin_prefetch(&d->spans->starts[index >> d->spans->span_bits]);
}

int pairs_get(const pairs *d, uint64_t index)
{
    if ((d->flags & PAIRS_SINGLE) != 0)
        return d->single;
    if (index >= d->size)
        return -1;
    return d->spans != NULL ? spans_get(d->spans, d, index) : plain_get(d, index);
}

/* Writes the values of a symbol, at most `room`; returns how many. */
static unsigned symbol_expand(const pairs *d, unsigned symbol, uint8_t *out, uint64_t room)
{
    uint16_t stack[PAIRS_SYMBOL_VALUES + 1];
    unsigned depth = 0, count = 0;
    stack[depth++] = (uint16_t)symbol;
    while (depth > 0 && count < room) {
        symbol = stack[--depth];
        const unsigned char *half = d->halves + 3 * symbol;
        if (d->values[symbol] == 0) {
            out[count++] = (uint8_t)half_left(half);
            continue;
        }
        stack[depth++] = (uint16_t)half_right(half);
        stack[depth++] = (uint16_t)half_left(half);
    }
    return count;
}

bool pairs_get_all(const pairs *d, uint8_t *out)
{
    uint64_t done = 0;
    if ((d->flags & PAIRS_SINGLE) != 0) {
        memset(out, d->single, d->size);
        return true;
    }
    for (uint32_t b = 0; b < d->blocks && done < d->size; b++) {
        const unsigned char *begin = d->data + ((uint64_t)b << d->block_bits);
        const unsigned char *limit = begin + ((uint64_t)1 << d->block_bits) + 8;
        uint32_t left = read_u16(d->block_lengths + 2 * (uint64_t)b) + 1u;
        bit_reader r = bits_begin(begin, d->end);
        while (left > 0 && done < d->size) {
            unsigned symbol, length;
            if (r.at > limit || !symbol_next(d, &r, &symbol, &length))
                return false;
            unsigned count = symbol_expand(d, symbol, out + done, d->size - done);
            done += count;
            left -= count < left ? count : left;
            bits_skip(&r, length);
        }
    }
    return done == d->size;
}
