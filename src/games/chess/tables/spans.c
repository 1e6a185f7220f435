/* SPDX-License-Identifier: MIT */

#include "games/chess/tables/spans.h"

#include <stdlib.h>

/* ---- Symbols ----------------------------------------------------------------------------------- */

/* The place of a value in the palette, where it is added if it is new; SPANS_PALETTE if there is no room. */
static unsigned palette_place(spans *s, unsigned value)
{
    unsigned place = 0;
    while (place < s->palette_size && s->palette[place] != value)
        place++;
    if (place < s->palette_size)
        return place;
    if (place == SPANS_PALETTE || value > UINT8_MAX)
        return SPANS_PALETTE;
    s->palette[s->palette_size++] = (uint8_t)value;
    return place;
}

static inline unsigned written_place(const spans *s, unsigned symbol, unsigned offset)
{
    uint32_t at = s->written_at[symbol] + offset;
    return s->written[at / 2] >> at % 2 * 4 & 15;
}

/* Writes a symbol's values out. False: they are too many different ones. */
static bool symbol_write(spans *s, const pairs *d, unsigned symbol)
{
    uint32_t at = s->written_at[symbol];
    bool same = true;
    for (unsigned i = 0; i <= d->values[symbol]; i++) {
        unsigned place = palette_place(s, pairs_symbol_value(d, symbol, i));
        if (place == SPANS_PALETTE)
            return false;
        s->written[(at + i) / 2] |= (uint8_t)(place << (at + i) % 2 * 4);
        same &= place == written_place(s, symbol, 0);
    }
    s->same[symbol] = (uint8_t)(same ? written_place(s, symbol, 0) + 1 : 0);
    return true;
}

/* With too many different values, as in DTZ, symbols are read as trees. */
static bool symbols_write(spans *s, const pairs *d)
{
    uint32_t room = 0;
    s->same = calloc(d->symbols, 1);
    s->written_at = calloc(d->symbols, sizeof *s->written_at);
    if (s->same == NULL || s->written_at == NULL)
        return false;
    for (unsigned i = 0; i < d->symbols; i++) {
        s->written_at[i] = room;
        room += d->values[i] + 1u;
    }
    s->written = calloc(room / 2 + 1, 1);
    for (unsigned i = 0; s->written != NULL && i < d->symbols; i++) {
        if (symbol_write(s, d, i))
            continue;
        memset(s->same, 0, d->symbols);
        free(s->written);
        s->written = NULL;
        return true;
    }
    return s->written != NULL;
}

static inline spans_glance glance_of(const spans *s, const pairs *d, unsigned symbol, unsigned length)
{
    return (spans_glance){(uint16_t)(symbol | (unsigned)s->same[symbol] << 12), d->values[symbol],
                          (uint8_t)length};
}

static void glances_make(spans *s, const pairs *d)
{
    for (unsigned i = 0; i < 1u << SPANS_PEEK; i++) {
        unsigned length, symbol = pairs_code_find(d, (uint64_t)i << (64 - SPANS_PEEK), 0, &length);
        if (length <= SPANS_PEEK && symbol < d->symbols)
            s->glance[i] = glance_of(s, d, symbol, length);
    }
}

/* ---- The look at all of it --------------------------------------------------------------------- */

typedef struct spans_walk {
    spans *s;
    const pairs *d;
    uint64_t index, bit; /* how many values and bits came before */
    uint64_t room;       /* for bits */
    uint64_t span;       /* the first one that is not known yet */
    uint64_t closed;     /* the first one that may still turn out to be of one value */
    uint64_t same_since; /* index */
    unsigned same;       /* the value since then, as a place in the palette + 1; 0: none */
} spans_walk;

/* Notes the spans that begin in the next symbol. False: its bits cannot be written. */
static bool walk_begin_spans(spans_walk *w, uint64_t until)
{
    spans *s = w->s;
    for (; w->span << s->span_bits < until; w->span++) {
        if (w->span % (1 << SPANS_PAGE) == 0)
            s->pages[w->span >> SPANS_PAGE] = w->bit;
        uint64_t bits = w->bit - s->pages[w->span >> SPANS_PAGE];
        if (bits >= SPANS_SAME >> SPANS_BACK)
            return false;
        s->starts[w->span] = (uint32_t)(bits << SPANS_BACK | ((w->span << s->span_bits) - w->index));
    }
    return true;
}

/* Notes the spans that end with the next symbol, if they are of one value. */
static void walk_end_spans(spans_walk *w, unsigned same, uint64_t until)
{
    spans *s = w->s;
    if (same != w->same)
        w->same_since = w->index;
    w->same = same;
    for (; (w->closed + 1) << s->span_bits <= until; w->closed++)
        if (same != 0 && w->same_since <= w->closed << s->span_bits)
            s->starts[w->closed] = SPANS_SAME | s->palette[same - 1];
}

/* `code` begins with the highest bit. */
static void stream_append(spans_walk *w, uint64_t code, unsigned length)
{
    code = code >> (64 - length) << (64 - length) >> w->bit % 8;
    for (unsigned char *to = w->s->stream + w->bit / 8; code != 0; code <<= 8)
        *to++ |= (unsigned char)(code >> 56);
    w->bit += length;
}

/* The next symbol, whose code this is. False: there is no room for it, as in a damaged file. */
static bool walk_symbol(spans_walk *w, unsigned symbol, uint64_t code, unsigned length)
{
    uint64_t until = w->index + w->d->values[symbol] + 1u;
    if (w->bit > w->room || until > w->d->size || !walk_begin_spans(w, until))
        return false;
    walk_end_spans(w, w->s->same[symbol], until);
    stream_append(w, code, length);
    w->index = until;
    return true;
}

/* The code of a symbol; false if it has none. */
static bool symbol_code(const pairs *d, unsigned symbol, uint64_t *code, unsigned *length)
{
    unsigned i = 0, last = (unsigned)d->code_most - d->code_min;
    while (i < last && read_u16(d->lowest + 2 * i) > symbol)
        i++;
    *code = d->base[i] + ((uint64_t)(symbol - read_u16(d->lowest + 2 * i)) << (64 - i - d->code_min));
    return pairs_code_find(d, *code, 0, length) == symbol;
}

/* A symbol of which only the first values are meant, as there may be at the end of a block: the smaller ones that it is
 * made of take its place. */
static bool walk_cut(spans_walk *w, unsigned symbol, unsigned count)
{
    const pairs *d = w->d;
    while (count > 0) {
        const unsigned char *half = d->halves + 3 * symbol;
        unsigned left = half_left(half), first = d->values[symbol] > 0 ? d->values[left] + 1u : 1, length;
        uint64_t code;
        if (count < first) {
            symbol = left;
            continue;
        }
        unsigned whole = d->values[symbol] < count ? symbol : left;
        if (!symbol_code(d, whole, &code, &length) || !walk_symbol(w, whole, code, length))
            return false;
        count -= d->values[whole] + 1u;
        symbol = whole == symbol ? symbol : half_right(half);
    }
    return true;
}

static bool walk_block(spans_walk *w, uint64_t block)
{
    const pairs *d = w->d;
    uint64_t bits = 0, room = (uint64_t)8 << d->block_bits;
    const unsigned char *begin = d->data + (block << d->block_bits);
    uint32_t left = read_u16(d->block_lengths + 2 * block) + 1u;
    while (left > 0) {
        uint64_t code = 0;
        for (unsigned i = 0; i < 5; i++) /* 32 bits and what comes before them in their byte */
            code |= (uint64_t)(bits / 8 + i < room / 8 ? begin[bits / 8 + i] : 0) << (56 - 8 * i);
        code <<= bits % 8;
        unsigned length, symbol = pairs_code_find(d, code, 0, &length);
        if (symbol >= d->symbols || bits + length > room)
            return false;
        if (d->values[symbol] >= left)
            return walk_cut(w, symbol, left);
        if (!walk_symbol(w, symbol, code, length))
            return false;
        left -= d->values[symbol] + 1u;
        bits += length;
    }
    return true;
}

spans *spans_make(const pairs *d)
{
    uint64_t bytes = (uint64_t)d->blocks << d->block_bits,
             room = bytes + bytes / 8; /* for symbols that are cut */
    spans *s = bytes > SPANS_DATA_MOST ? NULL : calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    for (s->span_bits = 4; (d->size >> s->span_bits) * sizeof *s->starts > bytes;)
        s->span_bits++;
    uint64_t count = (d->size >> s->span_bits) + 1;
    s->starts = calloc(count, sizeof *s->starts);
    s->pages = calloc((count >> SPANS_PAGE) + 1, sizeof *s->pages);
    s->stream = calloc(room + 16, 1);
    bool fine = s->starts != NULL && s->pages != NULL && s->stream != NULL && symbols_write(s, d);
    if (fine)
        glances_make(s, d);
    spans_walk walk = {.s = s, .d = d, .room = 8 * room};
    for (uint64_t block = 0; fine && block < d->blocks; block++)
        fine = walk_block(&walk, block);
    if (fine && walk.index == d->size)
        return s;
    spans_free(s);
    return NULL;
}

void spans_free(spans *s)
{
    if (s == NULL)
        return;
    free(s->starts);
    free(s->pages);
    free(s->stream);
    free(s->written);
    free(s->written_at);
    free(s->same);
    free(s);
}

/* ---- Values ------------------------------------------------------------------------------------ */

static inline uint64_t stream_read(const spans *s, uint64_t bit)
{
    uint64_t bits;
    memcpy(&bits, s->stream + bit / 8, sizeof bits);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    bits = __builtin_bswap64(bits);
#endif
    return bits << bit % 8;
}

static __attribute__((noinline)) spans_glance glance_long(const spans *s, const pairs *d, uint64_t bits)
{
    unsigned length, symbol = pairs_code_find(d, bits, SPANS_PEEK + 1, &length);
    return glance_of(s, d, symbol, length);
}

int spans_get(const spans *s, const pairs *d, uint64_t index)
{
    uint64_t span = index >> s->span_bits;
    uint32_t start = s->starts[span];
    if (start >= SPANS_SAME)
        return (int)(start - SPANS_SAME);
    uint64_t bit = s->pages[span >> SPANS_PAGE] + (start >> SPANS_BACK);
    uint64_t offset = index - (span << s->span_bits) + start % (1u << SPANS_BACK);
    uint64_t bits = stream_read(s, bit);
    for (unsigned left = 56;;) { /* of `bits`, at least */
        spans_glance next = s->glance[bits >> (64 - SPANS_PEEK)];
        if (__builtin_expect(next.bits == 0, 0))
            next = glance_long(s, d, bits);
        if (offset <= next.values) {
            unsigned symbol = next.symbol & PAIRS_LEAF, same = next.symbol >> 12;
            if (same != 0)
                return s->palette[same - 1];
            if (s->written == NULL)
                return (int)pairs_symbol_value(d, symbol, (unsigned)offset);
            return s->palette[written_place(s, symbol, (unsigned)offset)];
        }
        offset -= next.values + 1u;
        bits <<= next.bits;
        bit += next.bits;
        left -= next.bits;
        if (left < PAIRS_CODE_MOST) {
            bits = stream_read(s, bit);
            left = 56;
        }
    }
}
