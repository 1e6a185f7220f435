/* SPDX-License-Identifier: MIT */

/* Syzygy's tables read as other programs read them, and as plainly as can be: for tests that want a second opinion. It
 * shares the rules of chess with the library, but no code about tables. Nothing is checked: the files must be sound.
 *
 * There are two ways to ask for DTZ in use, and they look at different places of a file: that of Stockfish, and that of Fathom
 * and python-chess. */

#ifndef HOLOS_TESTS_PLAIN_SYZYGY_H
#define HOLOS_TESTS_PLAIN_SYZYGY_H

#include "games/chess/rules.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PS_STM = 1,
    PS_MAPPED = 2,
    PS_WIN_PLIES = 4,
    PS_LOSS_PLIES = 8,
    PS_WIDE = 16,
    PS_SINGLE = 128,
    PS_PIECES = 7,
};

typedef enum ps_result { PS_FAIL, PS_OK, PS_CHANGE_STM, PS_ZEROING_BEST } ps_result;

/* One sequence of values. */
typedef struct ps_pairs {
    uint8_t flags, min_length, pieces[PS_PIECES];
    uint64_t block_size, span, base[64], group_index[PS_PIECES + 1];
    uint32_t blocks, lengths, sparse_size;
    const uint8_t *lowest, *tree, *sparse, *block_length, *data;
    uint8_t *symbol_length;
    unsigned symbols;
    int group_length[PS_PIECES + 1];
    uint32_t map_at[4];
    uint16_t *values; /* all of them, if the folder is read whole */
} ps_pairs;

typedef struct ps_table {
    char name[16];
    uint64_t key;
    bool dtz, has_pawns, unique, symmetric;
    unsigned pieces, pawns[2]; /* pawns of the leading side, of the other */
    const uint8_t *bytes, *map;
    size_t size;
    ps_pairs pairs[2][4];
    struct ps_table *next;
} ps_table;

typedef struct ps_folder {
    char path[512];
    bool whole; /* decode a table at once: for tests that ask for every position */
    ps_table *tables;
    int16_t *known[2]; /* DTZ of one ending so far, by way of asking: ps_know */
} ps_folder;

static int ps_map_pawns[64], ps_b1h1h7[64], ps_a1d1d4[64], ps_kings[10][64];
static uint64_t ps_binomial[7][64], ps_lead_index[6][64], ps_lead_size[6][4];

static inline int ps_off(int square)
{
    return square / 8 - square % 8;
}

static void ps_init_kings(void)
{
    int code = 0, both[32][2], both_count = 0;
    for (int i = 0; i < 10; i++) {
        for (int s1 = 0; s1 < 28; s1++) {
            if (s1 % 8 > 3 || ps_a1d1d4[s1] != i || (i == 0 && s1 != 1))
                continue;
            for (int s2 = 0; s2 < 64; s2++) {
                if (abs(s1 / 8 - s2 / 8) < 2 && abs(s1 % 8 - s2 % 8) < 2)
                    continue;
                if (ps_off(s1) == 0 && ps_off(s2) > 0)
                    continue;
                if (ps_off(s1) == 0 && ps_off(s2) == 0) {
                    both[both_count][0] = i;
                    both[both_count++][1] = s2;
                } else {
                    ps_kings[i][s2] = code++;
                }
            }
        }
    }
    for (int i = 0; i < both_count; i++)
        ps_kings[both[i][0]][both[i][1]] = code++;
}

static void ps_init(void)
{
    int code = 0, left = 47, diagonal[4], diagonals = 0;
    for (int s = 0; s < 64; s++)
        if (ps_off(s) < 0)
            ps_b1h1h7[s] = code++;
    code = 0;
    for (int s = 0; s < 28; s++) {
        if (s % 8 > 3)
            continue;
        if (ps_off(s) < 0)
            ps_a1d1d4[s] = code++;
        else if (ps_off(s) == 0)
            diagonal[diagonals++] = s;
    }
    for (int i = 0; i < diagonals; i++)
        ps_a1d1d4[diagonal[i]] = code++;
    ps_init_kings();
    for (int n = 0; n < 64; n++)
        ps_binomial[0][n] = 1;
    for (int n = 1; n < 64; n++)
        for (int k = 1; k < 7; k++)
            ps_binomial[k][n] =
                k > n ? 0 : ps_binomial[k - 1][n - 1] + (k <= n - 1 ? ps_binomial[k][n - 1] : 0);
    for (int count = 1; count < 6; count++) {
        for (int f = 0; f < 4; f++) {
            uint64_t index = 0;
            for (int r = 1; r < 7; r++) {
                int s = 8 * r + f;
                if (count == 1) {
                    ps_map_pawns[s] = left--;
                    ps_map_pawns[s ^ 7] = left--;
                }
                ps_lead_index[count][s] = index;
                index += ps_binomial[count - 1][ps_map_pawns[s]];
            }
            ps_lead_size[count][f] = index;
        }
    }
}

/* ---- Opening ----------------------------------------------------------------------------------- */

static uint16_t ps_u16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}
static uint32_t ps_u32(const uint8_t *p)
{
    return ps_u16(p) | (uint32_t)ps_u16(p + 2) << 16;
}

static void ps_groups(const ps_table *t, ps_pairs *d, const int order[2], int file)
{
    int n = 0, first = t->has_pawns ? 0 : t->unique ? 3 : 2;
    d->group_length[0] = 1;
    for (unsigned i = 1; i < t->pieces; i++) {
        if (--first > 0 || d->pieces[i] == d->pieces[i - 1])
            d->group_length[n]++;
        else
            d->group_length[++n] = 1;
    }
    d->group_length[++n] = 0;
    bool both = t->has_pawns && t->pawns[1] > 0;
    int next = both ? 2 : 1, squares = 64 - d->group_length[0] - (both ? d->group_length[1] : 0);
    uint64_t index = 1;
    for (int k = 0; next < n || k == order[0] || k == order[1]; k++) {
        if (k == order[0]) {
            d->group_index[0] = index;
            index *= t->has_pawns ? ps_lead_size[d->group_length[0]][file] : t->unique ? 31332 : 462;
        } else if (k == order[1]) {
            d->group_index[1] = index;
            index *= ps_binomial[d->group_length[1]][48 - d->group_length[0]];
        } else {
            d->group_index[next] = index;
            index *= ps_binomial[d->group_length[next]][squares];
            squares -= d->group_length[next++];
        }
    }
    d->group_index[n] = index;
}

static unsigned ps_left(const ps_pairs *d, unsigned s)
{
    return (unsigned)(d->tree[3 * s + 1] & 15) << 8 | d->tree[3 * s];
}

static unsigned ps_right(const ps_pairs *d, unsigned s)
{
    return (unsigned)d->tree[3 * s + 2] << 4 | d->tree[3 * s + 1] >> 4;
}

static unsigned ps_symbol(ps_pairs *d, unsigned s, uint8_t *seen)
{
    if (seen[s] == 0) {
        seen[s] = 1;
        unsigned right = ps_right(d, s);
        d->symbol_length[s] =
            right == 0xFFF ? 0 : (uint8_t)(ps_symbol(d, ps_left(d, s), seen) + ps_symbol(d, right, seen) + 1);
    }
    return d->symbol_length[s];
}

static const uint8_t *ps_sizes(ps_pairs *d, const uint8_t *at)
{
    int last = 0;
    d->flags = *at++;
    if ((d->flags & PS_SINGLE) != 0) {
        d->min_length = *at++;
        return at;
    }
    while (d->group_length[last] != 0)
        last++;
    d->block_size = (uint64_t)1 << *at++;
    d->span = (uint64_t)1 << *at++;
    d->sparse_size = (uint32_t)((d->group_index[last] + d->span - 1) / d->span);
    unsigned padding = *at++;
    d->blocks = ps_u32(at);
    at += 4;
    d->lengths = d->blocks + padding;
    unsigned most = *at++;
    d->min_length = *at++;
    d->lowest = at;
    int count = (int)most - d->min_length + 1;
    memset(d->base, 0, sizeof d->base);
    for (int i = count - 2; i >= 0; i--)
        d->base[i] = (d->base[i + 1] + ps_u16(at + 2 * i) - ps_u16(at + 2 * i + 2)) / 2;
    for (int i = 0; i < count; i++)
        d->base[i] <<= 64 - i - d->min_length;
    at += 2 * count;
    d->symbols = ps_u16(at);
    at += 2;
    d->tree = at;
    d->symbol_length = calloc(d->symbols, 1);
    uint8_t *seen = calloc(d->symbols, 1);
    for (unsigned s = 0; s < d->symbols; s++)
        ps_symbol(d, s, seen);
    free(seen);
    return at + 3 * d->symbols + (d->symbols & 1);
}

static const uint8_t *ps_maps(ps_table *t, const uint8_t *at, unsigned files)
{
    t->map = at;
    for (unsigned f = 0; f < files; f++) {
        ps_pairs *d = &t->pairs[0][f];
        if ((d->flags & PS_MAPPED) == 0)
            continue;
        bool wide = (d->flags & PS_WIDE) != 0;
        if (wide)
            at += (at - t->bytes) & 1;
        for (unsigned i = 0; i < 4; i++) {
            d->map_at[i] = (uint32_t)(at - t->map) + (wide ? 2 : 1);
            at += wide ? 2 * ps_u16(at) + 2 : *at + 1;
        }
    }
    return at + ((at - t->bytes) & 1);
}

static void ps_material(ps_table *t)
{
    unsigned side = 0, counts[2][128] = {{0}};
    for (const char *c = t->name; *c != 0; c++) {
        if (*c == 'v') {
            side = 1;
            continue;
        }
        counts[side][(unsigned char)*c]++;
        t->pieces++;
    }
    t->symmetric = memcmp(counts[0], counts[1], sizeof counts[0]) == 0;
    for (side = 0; side < 2; side++)
        for (const char *c = "QRBNP"; *c != 0; c++)
            t->unique |= counts[side][(unsigned char)*c] == 1;
    unsigned white = counts[0]['P'], black = counts[1]['P'];
    bool leads = black == 0 || (white > 0 && black >= white);
    t->pawns[0] = leads ? white : black;
    t->pawns[1] = leads ? black : white;
    t->has_pawns = white + black > 0;
}

static bool ps_open(ps_table *t, const char *path)
{
    int fd = open(path, O_RDONLY);
    struct stat info;
    if (fd < 0)
        return false;
    fstat(fd, &info);
    t->size = (size_t)info.st_size;
    t->bytes = mmap(NULL, t->size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    const uint8_t *at = t->bytes + 5;
    ps_material(t);
    unsigned files = t->has_pawns ? 4 : 1, sides = !t->dtz && !t->symmetric ? 2 : 1, both = t->pawns[1] > 0;
    for (unsigned f = 0; f < files; f++) {
        int order[2][2] = {{at[0] & 15, both ? at[1] & 15 : 15}, {at[0] >> 4, both ? at[1] >> 4 : 15}};
        at += 1 + both;
        for (unsigned k = 0; k < t->pieces; k++, at++)
            for (unsigned i = 0; i < sides; i++)
                t->pairs[i][f].pieces[k] = i ? *at >> 4 : *at & 15;
        for (unsigned i = 0; i < sides; i++)
            ps_groups(t, &t->pairs[i][f], order[i], (int)f);
    }
    at += (at - t->bytes) & 1;
    for (unsigned f = 0; f < files; f++)
        for (unsigned i = 0; i < sides; i++)
            at = ps_sizes(&t->pairs[i][f], at);
    if (t->dtz)
        at = ps_maps(t, at, files);
    for (unsigned f = 0; f < files; f++)
        for (unsigned i = 0; i < sides; i++, at += 0) {
            t->pairs[i][f].sparse = at;
            at += (size_t)t->pairs[i][f].sparse_size * 6;
        }
    for (unsigned f = 0; f < files; f++)
        for (unsigned i = 0; i < sides; i++) {
            t->pairs[i][f].block_length = at;
            at += (size_t)t->pairs[i][f].lengths * 2;
        }
    for (unsigned f = 0; f < files; f++)
        for (unsigned i = 0; i < sides; i++) {
            at = t->bytes + (((at - t->bytes) + 63) & ~63);
            t->pairs[i][f].data = at;
            at += t->pairs[i][f].blocks * t->pairs[i][f].block_size;
        }
    return true;
}

static void ps_close(ps_folder *folder)
{
    free(folder->known[0]);
    free(folder->known[1]);
    while (folder->tables != NULL) {
        ps_table *t = folder->tables;
        folder->tables = t->next;
        for (unsigned i = 0; i < 8; i++) {
            free(t->pairs[i / 4][i % 4].symbol_length);
            free(t->pairs[i / 4][i % 4].values);
        }
        if (t->bytes != NULL)
            munmap((void *)(uintptr_t)t->bytes, t->size);
        free(t);
    }
}

/* ---- Values in a file -------------------------------------------------------------------------- */

/* The codes of a block. */
typedef struct ps_codes {
    const uint8_t *at;
    uint64_t buffer;
    int bits;
} ps_codes;

static ps_codes ps_block(const ps_pairs *d, uint32_t block)
{
    ps_codes c = {.at = d->data + block * d->block_size, .bits = 64};
    for (int i = 0; i < 8; i++)
        c.buffer = c.buffer << 8 | *c.at++;
    return c;
}

static unsigned ps_next_symbol(const ps_pairs *d, ps_codes *c)
{
    int length = 0;
    while (c->buffer < d->base[length])
        length++;
    unsigned symbol = (unsigned)((c->buffer - d->base[length]) >> (64 - length - d->min_length));
    symbol += ps_u16(d->lowest + 2 * length);
    length += d->min_length;
    c->buffer <<= length;
    c->bits -= length;
    if (c->bits <= 32) {
        c->bits += 32;
        const uint8_t *at = c->at;
        uint32_t more = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
        c->buffer |= (uint64_t)more << (64 - c->bits);
        c->at += 4;
    }
    return symbol;
}

static uint16_t *ps_write_symbol(const ps_pairs *d, unsigned symbol, uint16_t *out)
{
    if (d->symbol_length[symbol] == 0) {
        *out++ = (uint16_t)ps_left(d, symbol);
        return out;
    }
    return ps_write_symbol(d, ps_right(d, symbol), ps_write_symbol(d, ps_left(d, symbol), out));
}

/* All values of a sequence, block by block. The last symbol may go beyond the end: by 256 values, at most. */
static void ps_write_all(ps_pairs *d)
{
    size_t total = 0;
    for (uint32_t block = 0; block < d->blocks; block++)
        total += ps_u16(d->block_length + 2 * (size_t)block) + 1u;
    uint16_t *out = d->values = calloc(total + 256, sizeof *out);
    for (uint32_t block = 0; block < d->blocks; block++) {
        uint16_t *end = out + ps_u16(d->block_length + 2 * (size_t)block) + 1;
        ps_codes c = ps_block(d, block);
        while (out < end)
            out = ps_write_symbol(d, ps_next_symbol(d, &c), out);
        out = end;
    }
}

static int ps_decompress(const ps_pairs *d, uint64_t index)
{
    if ((d->flags & PS_SINGLE) != 0)
        return d->min_length;
    if (d->values != NULL)
        return d->values[index];
    const uint8_t *entry = d->sparse + index / d->span * 6;
    uint32_t block = ps_u32(entry);
    int64_t offset = ps_u16(entry + 4) + (int64_t)(index % d->span) - (int64_t)(d->span / 2);
    while (offset < 0)
        offset += ps_u16(d->block_length + 2 * (size_t)--block) + 1;
    while (offset > ps_u16(d->block_length + 2 * (size_t)block))
        offset -= ps_u16(d->block_length + 2 * (size_t)block++) + 1;
    ps_codes c = ps_block(d, block);
    unsigned symbol;
    while (offset >= d->symbol_length[symbol = ps_next_symbol(d, &c)] + 1)
        offset -= d->symbol_length[symbol] + 1;
    while (d->symbol_length[symbol] != 0) {
        unsigned left = ps_left(d, symbol);
        if (offset < d->symbol_length[left] + 1) {
            symbol = left;
        } else {
            offset -= d->symbol_length[left] + 1;
            symbol = ps_right(d, symbol);
        }
    }
    return (int)ps_left(d, symbol);
}

static void ps_sort(int *squares, int count, const int *by)
{
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0; k--) {
            int a = by != NULL ? by[squares[k - 1]] : squares[k - 1],
                b = by != NULL ? by[squares[k]] : squares[k];
            if (a <= b)
                break;
            int keep = squares[k];
            squares[k] = squares[k - 1];
            squares[k - 1] = keep;
        }
}

static uint64_t ps_index_pieces(const ps_table *t, const ps_pairs *d, int *squares, int size)
{
    if (squares[0] / 8 > 3)
        for (int i = 0; i < size; i++)
            squares[i] ^= 56;
    for (int i = 0; i < d->group_length[0]; i++) {
        if (ps_off(squares[i]) == 0)
            continue;
        bool above = ps_off(squares[i]) > 0;
        for (int k = i; above && k < size; k++)
            squares[k] = (squares[k] >> 3 | squares[k] << 3) & 63;
        break;
    }
    const int *s = squares;
    if (!t->unique)
        return (uint64_t)ps_kings[ps_a1d1d4[s[0]]][s[1]];
    int adjust1 = s[1] > s[0], adjust2 = (s[2] > s[0]) + (s[2] > s[1]);
    if (ps_off(s[0]) != 0)
        return (uint64_t)((ps_a1d1d4[s[0]] * 63 + s[1] - adjust1) * 62 + s[2] - adjust2);
    if (ps_off(s[1]) != 0)
        return (uint64_t)((6 * 63 + s[0] / 8 * 28 + ps_b1h1h7[s[1]]) * 62 + s[2] - adjust2);
    if (ps_off(s[2]) != 0)
        return (uint64_t)(6 * 63 * 62 + 4 * 28 * 62 + s[0] / 8 * 7 * 28 + (s[1] / 8 - adjust1) * 28 +
                          ps_b1h1h7[s[2]]);
    return (uint64_t)(6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28 + s[0] / 8 * 7 * 6 + (s[1] / 8 - adjust1) * 6 +
                      (s[2] / 8 - adjust2));
}

/* What a table stores of a position. */
static ps_result ps_stored(const ps_table *t, const chess_position *p, bool swapped, int wdl, int *out)
{
    int squares[PS_PIECES] = {0}, pieces[PS_PIECES], size = 0, lead = 0;
    bool black_first = (t->symmetric && p->side == 1) || swapped;
    int colour = black_first ? 8 : 0, flip = black_first ? 56 : 0;
    unsigned side = (black_first ? 1u : 0u) ^ p->side, file = 0;
    uint64_t leads = 0;
    if (t->has_pawns) {
        int piece = t->pairs[0][0].pieces[0] ^ colour;
        leads = p->kinds[CHESS_PAWN] & p->sides[piece >> 3];
        SET_EACH (s, leads)
            squares[size++] = (int)s ^ flip;
        lead = size;
        int best = 0;
        for (int i = 1; i < lead; i++)
            if (ps_map_pawns[squares[i]] > ps_map_pawns[squares[best]])
                best = i;
        int keep = squares[0];
        squares[0] = squares[best];
        squares[best] = keep;
        file = (unsigned)(squares[0] % 8 > 3 ? 7 - squares[0] % 8 : squares[0] % 8);
    }
    const ps_pairs *d = &t->pairs[!t->dtz && !t->symmetric ? side : 0][file];
    if (t->dtz && (d->flags & PS_STM) != side && !(t->symmetric && !t->has_pawns))
        return PS_CHANGE_STM;
    for (int i = 0; i < lead; i++)
        pieces[i] = t->pairs[0][0].pieces[0];
    SET_EACH (s, p->kinds[CHESS_ANY] & ~leads) {
        int kind = CHESS_PAWN;
        while ((p->kinds[kind] >> s & 1) == 0)
            kind++;
        squares[size] = (int)s ^ flip;
        pieces[size++] = (kind | ((p->sides[1] >> s & 1) != 0 ? 8 : 0)) ^ colour;
    }
    for (int i = lead; i < size; i++)
        for (int k = i; k < size; k++)
            if (d->pieces[i] == pieces[k]) {
                int piece = pieces[i], square = squares[i];
                pieces[i] = pieces[k];
                squares[i] = squares[k];
                pieces[k] = piece;
                squares[k] = square;
                break;
            }
    if (squares[0] % 8 > 3)
        for (int i = 0; i < size; i++)
            squares[i] ^= 7;
    uint64_t index;
    if (t->has_pawns) {
        index = ps_lead_index[lead][squares[0]];
        ps_sort(squares + 1, lead - 1, ps_map_pawns);
        for (int i = 1; i < lead; i++)
            index += ps_binomial[i][ps_map_pawns[squares[i]]];
    } else {
        index = ps_index_pieces(t, d, squares, size);
    }
    index *= d->group_index[0];
    bool rest = t->has_pawns && t->pawns[1] > 0;
    int *group = squares + d->group_length[0];
    for (int next = 1; d->group_length[next] != 0; next++) {
        uint64_t n = 0;
        ps_sort(group, d->group_length[next], NULL);
        for (int i = 0; i < d->group_length[next]; i++) {
            int adjust = 0;
            for (const int *s = squares; s < group; s++)
                adjust += group[i] > *s;
            n += ps_binomial[i + 1][group[i] - adjust - (rest ? 8 : 0)];
        }
        rest = false;
        index += n * d->group_index[next];
        group += d->group_length[next];
    }
    int value = ps_decompress(d, index);
    if (!t->dtz) {
        *out = value - 2;
        return PS_OK;
    }
    static const int map_of[] = {1, 3, 0, 2, 0};
    if ((d->flags & PS_MAPPED) != 0) {
        const uint8_t *map = t->map + d->map_at[map_of[wdl + 2]];
        value = (d->flags & PS_WIDE) != 0 ? ps_u16(map + 2 * value) : map[value];
    }
    if ((wdl == 2 && (d->flags & PS_WIN_PLIES) == 0) || (wdl == -2 && (d->flags & PS_LOSS_PLIES) == 0) ||
        wdl == 1 || wdl == -1)
        value *= 2;
    *out = value + 1;
    return PS_OK;
}

/* How many there are of each piece, white's first or black's. */
static uint64_t ps_key(const chess_position *p, unsigned first)
{
    uint64_t key = 0;
    for (unsigned i = 0; i < 2; i++)
        for (unsigned kind = CHESS_PAWN; kind <= CHESS_QUEEN; kind++)
            key = key << 4 | (uint64_t)__builtin_popcountll(p->kinds[kind] & p->sides[i ^ first]);
    return key;
}

static void ps_name(const chess_position *p, unsigned first, char out[16])
{
    for (unsigned i = 0; i < 2; i++) {
        if (i == 1)
            *out++ = 'v';
        *out++ = 'K';
        for (unsigned kind = CHESS_QUEEN; kind >= CHESS_PAWN; kind--)
            for (int n = __builtin_popcountll(p->kinds[kind] & p->sides[i ^ first]); n > 0; n--)
                *out++ = " PNBRQK"[kind];
    }
    *out = 0;
}

static ps_result ps_probe_table(ps_folder *folder, const chess_position *p, bool dtz, int wdl, int *out)
{
    uint64_t keys[2] = {ps_key(p, 0), ps_key(p, 1)};
    char path[600];
    *out = 0;
    if (p->kinds[CHESS_ANY] == p->kinds[CHESS_KING])
        return PS_OK;
    for (ps_table *t = folder->tables; t != NULL; t = t->next)
        if (t->dtz == dtz && (t->key == keys[0] || t->key == keys[1]))
            return ps_stored(t, p, t->key != keys[0], wdl, out);
    for (unsigned i = 0; i < 2; i++) {
        ps_table *t = calloc(1, sizeof *t);
        t->dtz = dtz;
        t->key = keys[i];
        ps_name(p, i, t->name);
        snprintf(path, sizeof path, "%s/%s.rtb%c", folder->path, t->name, dtz ? 'z' : 'w');
        if (ps_open(t, path)) {
            for (unsigned k = 0; folder->whole && k < 8; k++)
                if (t->pairs[k / 4][k % 4].blocks > 0)
                    ps_write_all(&t->pairs[k / 4][k % 4]);
            t->next = folder->tables;
            folder->tables = t;
            return ps_stored(t, p, i == 1, wdl, out);
        }
        free(t);
    }
    return PS_FAIL;
}

/* ---- Stockfish's way --------------------------------------------------------------------------- */

static bool ps_is_capture(const chess_position *p, chess_move m)
{
    return (p->kinds[CHESS_ANY] >> move_to(m) & 1) != 0 ||
           (move_kind(m) == CHESS_PAWN && p->en_passant != 0 && move_to(m) == p->en_passant);
}

static int ps_search(ps_folder *folder, const chess_position *p, bool zeroing, ps_result *result)
{
    chess_move moves[CHESS_MOVES_MOST];
    unsigned total = position_moves(p, moves), count = 0;
    int best = -2, value;
    for (unsigned i = 0; i < total; i++) {
        chess_position next;
        if (!ps_is_capture(p, moves[i]) && (!zeroing || move_kind(moves[i]) != CHESS_PAWN))
            continue;
        count++;
        position_make(p, moves[i], &next);
        value = -ps_search(folder, &next, false, result);
        if (*result == PS_FAIL)
            return 0;
        if (value > best) {
            best = value;
            if (value >= 2) {
                *result = PS_ZEROING_BEST;
                return value;
            }
        }
    }
    bool no_more = count > 0 && count == total;
    if (no_more) {
        value = best;
    } else {
        *result = ps_probe_table(folder, p, false, 0, &value);
        if (*result == PS_FAIL)
            return 0;
    }
    if (best >= value) {
        *result = best > 0 || no_more ? PS_ZEROING_BEST : PS_OK;
        return best;
    }
    *result = PS_OK;
    return value;
}

static int ps_before_zeroing(int wdl)
{
    static const int plies[] = {-1, -101, 0, 101, 1};
    return plies[wdl + 2];
}

static int ps_sign(int x)
{
    return (x > 0) - (x < 0);
}

static bool ps_is_mate(const chess_position *p)
{
    return position_in_check(p, p->side) && position_count_moves(p) == 0;
}

typedef int ps_way(ps_folder *folder, const chess_position *p, ps_result *result);

static int ps_dtz(ps_folder *folder, const chess_position *p, ps_result *result);
static int ps_other_dtz(ps_folder *folder, const chess_position *p, ps_result *result);

/* DTZ of positions of an ending of four pieces are asked for many times, from each of their predecessors: from here on they
 * are remembered. Call it again for each ending. */
static void ps_know(ps_folder *folder)
{
    for (unsigned i = 0; i < 2; i++) {
        free(folder->known[i]);
        folder->known[i] = calloc((size_t)1 << 25, sizeof(int16_t));
    }
}

/* DTZ of a position of that ending where nothing can be taken in passing. */
static int ps_known_dtz(ps_folder *folder, const chess_position *p, ps_way *way, ps_result *result)
{
    int16_t *known = folder->known[way == ps_dtz ? 0 : 1];
    if (known == NULL)
        return way(folder, p, result);
    uint32_t place = p->side;
    for (unsigned side = 0; side < 2; side++)
        for (unsigned kind = CHESS_PAWN; kind <= CHESS_KING; kind++)
            SET_EACH (s, p->kinds[kind] & p->sides[side])
                place = place << 6 | s;
    *result = PS_OK;
    if (known[place] == 0) {
        int dtz = way(folder, p, result);
        if (*result != PS_FAIL)
            known[place] = (int16_t)(dtz + 1000);
        return dtz;
    }
    return known[place] - 1000;
}

static int ps_dtz(ps_folder *folder, const chess_position *p, ps_result *result)
{
    chess_move moves[CHESS_MOVES_MOST];
    int wdl = ps_search(folder, p, true, result), dtz, least = 0xFFFF;
    if (*result == PS_FAIL || wdl == 0)
        return 0;
    if (*result == PS_ZEROING_BEST)
        return ps_before_zeroing(wdl);
    *result = ps_probe_table(folder, p, true, wdl, &dtz);
    if (*result == PS_FAIL)
        return 0;
    if (*result != PS_CHANGE_STM)
        return (dtz + (wdl == -1 || wdl == 1 ? 100 : 0)) * ps_sign(wdl);
    unsigned count = position_moves(p, moves);
    for (unsigned i = 0; i < count; i++) {
        bool zeroes = ps_is_capture(p, moves[i]) || move_kind(moves[i]) == CHESS_PAWN;
        chess_position next;
        position_make(p, moves[i], &next);
        dtz = zeroes ? -ps_before_zeroing(ps_search(folder, &next, false, result))
                     : -ps_known_dtz(folder, &next, ps_dtz, result);
        if (dtz == 1 && ps_is_mate(&next))
            least = 1;
        if (!zeroes)
            dtz += ps_sign(dtz);
        if (dtz < least && ps_sign(dtz) == ps_sign(wdl))
            least = dtz;
        if (*result == PS_FAIL)
            return 0;
    }
    *result = PS_OK;
    return least == 0xFFFF ? -1 : least;
}

/* ---- Fathom's and python-chess's way, without en passant ------------------------------------------ */

static int ps_other_dtz(ps_folder *folder, const chess_position *p, ps_result *result)
{
    chess_move moves[CHESS_MOVES_MOST];
    unsigned count = position_moves(p, moves);
    int wdl = ps_search(folder, p, false, result), dtz, best;
    if (*result == PS_FAIL || wdl == 0)
        return 0;
    if (*result == PS_ZEROING_BEST && wdl > 0)
        return ps_before_zeroing(wdl);
    for (unsigned i = 0; wdl > 0 && i < count; i++) {
        chess_position next;
        if (move_kind(moves[i]) != CHESS_PAWN || ps_is_capture(p, moves[i]))
            continue;
        position_make(p, moves[i], &next);
        if (-ps_search(folder, &next, false, result) == wdl)
            return wdl == 2 ? 1 : 101;
    }
    *result = ps_probe_table(folder, p, true, wdl, &dtz);
    if (*result == PS_FAIL)
        return 0;
    if (*result != PS_CHANGE_STM)
        return (dtz + (wdl == -1 || wdl == 1 ? 100 : 0)) * ps_sign(wdl);
    best = wdl > 0 ? 0xFFFF : -1;
    for (unsigned i = 0; i < count; i++) {
        chess_position next;
        bool zeroes = ps_is_capture(p, moves[i]) || move_kind(moves[i]) == CHESS_PAWN;
        int value;
        position_make(p, moves[i], &next);
        if (wdl > 0) {
            if (zeroes)
                continue;
            value = -ps_known_dtz(folder, &next, ps_other_dtz, result);
            if (value == 1 && ps_is_mate(&next))
                best = 1;
            else if (value > 0 && value + 1 < best)
                best = value + 1;
            continue;
        }
        if (zeroes)
            value = wdl == -2 ? -1 : -ps_search(folder, &next, false, result) == -2 ? 0 : -101;
        else
            value = -ps_known_dtz(folder, &next, ps_other_dtz, result) - 1;
        best = value < best ? value : best;
    }
    *result = PS_OK;
    return best;
}

#endif
