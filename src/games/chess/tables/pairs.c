/* SPDX-License-Identifier: MIT */

#include "games/chess/tables/pairs.h"

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

/* The symbol at the left end of `bits`; its code's length. The symbol may be out of range in a damaged file. */
static inline unsigned code_find(const pairs *d, uint64_t bits, unsigned *length)
{
    unsigned i = 0;
    while (bits < d->base[i]) /* the base of the longest code is 0 */
        i++;
    *length = i + d->code_min;
    return (unsigned)((bits - d->base[i]) >> (64 - *length)) + read_u16(d->lowest + 2 * i);
}

static const char *glances_make(pairs *d)
{
    d->glance = calloc((size_t)1 << PAIRS_PEEK, sizeof *d->glance);
    if (d->glance == NULL)
        return "no memory for its code";
    for (unsigned i = 0; i < 1u << PAIRS_PEEK; i++) {
        unsigned length, symbol = code_find(d, (uint64_t)i << (64 - PAIRS_PEEK), &length);
        if (length <= PAIRS_PEEK && symbol < d->symbols)
            d->glance[i] = (pairs_glance){(uint16_t)symbol, d->values[symbol], (uint8_t)length};
    }
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
    if (wrong == NULL)
        wrong = codes_read(d);
    return wrong != NULL ? wrong : glances_make(d);
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
    free(d->glance);
    d->values = NULL;
    d->glance = NULL;
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

/* The next symbol; false: there is no such. */
static inline bool symbol_next(const pairs *d, const bit_reader *r, pairs_glance *out)
{
    *out = d->glance[r->bits >> (64 - PAIRS_PEEK)];
    if (__builtin_expect(out->bits != 0, 1))
        return true;
    unsigned length, symbol = code_find(d, r->bits, &length);
    if (symbol >= d->symbols)
        return false;
    *out = (pairs_glance){(uint16_t)symbol, d->values[symbol], (uint8_t)length};
    return true;
}

/* The value at an offset within a symbol. */
static inline unsigned symbol_value(const pairs *d, unsigned symbol, unsigned offset)
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

int pairs_get(const pairs *d, uint64_t index)
{
    uint32_t block, offset;
    if ((d->flags & PAIRS_SINGLE) != 0)
        return d->single;
    if (index >= d->size || !block_find(d, index, &block, &offset))
        return -1;
    const unsigned char *begin = d->data + ((uint64_t)block << d->block_bits);
    bit_reader r = bits_begin(begin, d->end);
    const unsigned char *limit = begin + ((uint64_t)1 << d->block_bits) + 8;
    while (r.at <= limit) {
        pairs_glance next;
        if (!symbol_next(d, &r, &next))
            return -1;
        if (offset <= next.values)
            return (int)symbol_value(d, next.symbol, offset);
        offset -= next.values + 1u;
        bits_skip(&r, next.bits);
    }
    return -1;
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
            pairs_glance next;
            if (r.at > limit || !symbol_next(d, &r, &next))
                return false;
            unsigned count = symbol_expand(d, next.symbol, out + done, d->size - done);
            done += count;
            left -= count < left ? count : left;
            bits_skip(&r, next.bits);
        }
    }
    return done == d->size;
}
