/* SPDX-License-Identifier: MIT */

#include "games/chess/tables/compress.h"

#include "core/assert.h"
#include "core/list.h"
#include "games/chess/tables/look.h"
#include "games/chess/tables/pairs.h"

#include <stdlib.h>
#include <string.h>

enum {
    DOUBLINGS = 9,   /* runs of 1, 2, 4 … 256 */
    RUN_USES = 12,   /* a doubled run is worth a symbol from so many uses on */
    PAIR_USES = 10,  /* and a pair */
    BLOCK_LEAST = 5, /* 32 bytes */
    SPAN_BLOCKS = 8, /* blocks for each entry of the sparse index, about */
};

/* ---- Values that may be chosen ----------------------------------------------------------------- */

uint64_t sets_runs(const uint8_t *sets, uint64_t size)
{
    uint64_t runs = 1;
    uint8_t now = 0xFF;
    for (uint64_t i = 0; i < size; i++) {
        uint8_t both = now & sets[i];
        runs += both == 0;
        now = both != 0 ? both : sets[i];
    }
    return runs;
}

static uint8_t set_pick(uint8_t set, uint8_t before)
{
    return before != COMPRESS_ANY && (set >> before & 1) != 0 ? before : (uint8_t)__builtin_ctz(set);
}

void sets_choose(uint8_t *sets, uint64_t size, const struct limits *limits)
{
    uint8_t before = COMPRESS_ANY;
    uint64_t look = 0;
    for (uint64_t begin = 0; begin < size && !look_passed(limits, begin, &look);) {
        uint8_t now = sets[begin];
        uint64_t end = begin + 1;
        while (end < size && (now & sets[end]) != 0)
            now &= sets[end++];
        before = set_pick(now, before);
        memset(sets + begin, before, end - begin);
        begin = end;
    }
}

uint64_t gaps_runs(const uint8_t *values, uint64_t size)
{
    uint64_t runs = 1;
    uint8_t now = COMPRESS_ANY;
    for (uint64_t i = 0; i < size; i++) {
        if (values[i] == COMPRESS_ANY)
            continue;
        runs += now != COMPRESS_ANY && values[i] != now;
        now = values[i];
    }
    return runs;
}

void gaps_fill(uint8_t *values, uint64_t size, const struct limits *limits)
{
    uint64_t first = 0;
    while (first < size && values[first] == COMPRESS_ANY)
        first++;
    uint8_t now = first < size ? values[first] : 0;
    for (uint64_t i = 0, end; (end = look_end(limits, i, size)) > i;)
        for (; i < end; i++) {
            now = values[i] == COMPRESS_ANY ? now : values[i];
            values[i] = now;
        }
}

/* ---- Symbols ----------------------------------------------------------------------------------- */

typedef struct symbol {
    uint16_t left, right; /* right PAIRS_LEAF: the value `left` */
    uint16_t values;
} symbol;

/* A pair of symbols that occurs, in a hash table. */
typedef struct pair_count {
    uint32_t key; /* left << 12 | right; PAIR_NONE: free */
    uint32_t uses;
    uint16_t symbol; /* that it becomes; 0xFFFF: none */
} pair_count;

#define PAIR_NONE  UINT32_MAX
#define PAIR_SLOTS ((size_t)1 << 20)

typedef struct compressor {
    mem_budget *budget;
    symbol symbols[PAIRS_SYMBOLS_MOST];
    unsigned count;
    uint16_t *tokens;
    size_t token_count, token_room;
    pair_count *pairs;
    size_t pair_mask, pair_used;
    uint64_t uses[PAIRS_SYMBOLS_MOST];
    uint8_t bits[PAIRS_SYMBOLS_MOST];    /* of codes */
    uint16_t number[PAIRS_SYMBOLS_MOST]; /* in the file */
    uint32_t code[PAIRS_SYMBOLS_MOST];
    unsigned coded, bits_min, bits_most;  /* coded: symbols that occur */
    uint16_t lowest[PAIRS_CODE_MOST + 1]; /* by length of code */
    const struct limits *limits;
} compressor;

static unsigned symbol_add(compressor *c, unsigned left, unsigned right, unsigned values)
{
    c->symbols[c->count] = (symbol){(uint16_t)left, (uint16_t)right, (uint16_t)values};
    return c->count++;
}

/* ---- Runs -------------------------------------------------------------------------------------- */

typedef struct run_symbols {
    uint64_t uses[256][DOUBLINGS];
    int symbols[256][DOUBLINGS]; /* -1: none */
} run_symbols;

static uint64_t run_end(const uint8_t *values, uint64_t begin, uint64_t size)
{
    uint64_t end = begin + 1, eight = values[begin] * UINT64_C(0x0101010101010101), word;
    for (; end + 8 <= size; end += 8) {
        memcpy(&word, values + end, 8);
        if (word != eight)
            break;
    }
    while (end < size && values[end] == values[begin])
        end++;
    return end;
}

static void runs_count(const compressor *c, run_symbols *r, const uint8_t *values, uint64_t size)
{
    uint64_t look = 0;
    for (uint64_t begin = 0, end; begin < size && !look_passed(c->limits, begin, &look); begin = end) {
        end = run_end(values, begin, size);
        uint64_t length = end - begin;
        r->uses[values[begin]][DOUBLINGS - 1] += length >> (DOUBLINGS - 1);
        for (unsigned k = 0; k + 1 < DOUBLINGS; k++)
            r->uses[values[begin]][k] += length >> k & 1;
    }
}

/* Longer runs are symbols of shorter ones where there are enough of them. */
static void runs_symbols(compressor *c, run_symbols *r)
{
    for (unsigned v = 0; v < 256; v++) {
        uint64_t total = 0;
        int top = DOUBLINGS - 1;
        for (unsigned k = 0; k < DOUBLINGS; k++) {
            total += r->uses[v][k];
            r->symbols[v][k] = -1;
        }
        if (total == 0)
            continue;
        for (; top > 0 && r->uses[v][top] < RUN_USES; top--)
            r->uses[v][top - 1] += 2 * r->uses[v][top];
        for (int k = 0; k <= top; k++) {
            unsigned half = k > 0 ? (unsigned)r->symbols[v][k - 1] : 0;
            r->symbols[v][k] =
                (int)(k == 0 ? symbol_add(c, v, PAIRS_LEAF, 1) : symbol_add(c, half, half, 1u << k));
        }
    }
}

static bool token_add(compressor *c, unsigned token)
{
    if (!LIST_RESERVE(c->tokens, c->token_room, c->token_count + 1))
        return false;
    c->tokens[c->token_count++] = (uint16_t)token;
    return true;
}

static bool runs_write(compressor *c, const run_symbols *r, const uint8_t *values, uint64_t size)
{
    uint64_t look = 0;
    for (uint64_t begin = 0, end; begin < size && !look_passed(c->limits, begin, &look); begin = end) {
        end = run_end(values, begin, size);
        uint64_t length = end - begin;
        for (int k = DOUBLINGS - 1; k >= 0; k--)
            for (int s = r->symbols[values[begin]][k]; s >= 0 && length >> k > 0; length -= (uint64_t)1 << k)
                if (!token_add(c, (unsigned)s))
                    return false;
    }
    return true;
}

/* ---- Pairs ------------------------------------------------------------------------------------- */

static inline pair_count *pair_find(compressor *c, uint32_t key)
{
    size_t slot = (key * 2654435769u) >> 7 & c->pair_mask;
    while (c->pairs[slot].key != key && c->pairs[slot].key != PAIR_NONE)
        slot = (slot + 1) & c->pair_mask;
    return &c->pairs[slot];
}

/* Counts pairs; of a run of one symbol every second one. */
static void pairs_count(compressor *c)
{
    size_t limit = c->pair_mask - c->pair_mask / 4;
    for (size_t i = 0; i <= c->pair_mask; i++)
        c->pairs[i] = (pair_count){.key = PAIR_NONE, .symbol = UINT16_MAX};
    c->pair_used = 0;
    uint32_t before = PAIR_NONE;
    uint64_t look = 0;
    for (uint64_t i = 0; i + 1 < c->token_count && !look_passed(c->limits, i, &look); i++) {
        uint32_t key = (uint32_t)c->tokens[i] << 12 | c->tokens[i + 1];
        if (key == before && c->tokens[i] == c->tokens[i + 1]) {
            before = PAIR_NONE;
            continue;
        }
        before = key;
        pair_count *p = pair_find(c, key);
        if (p->key == PAIR_NONE) {
            if (c->pair_used >= limit) /* full: rare pairs that come late are not seen */
                continue;
            c->pair_used++;
            p->key = key;
        }
        p->uses++;
    }
}

static int pair_compare(const void *a, const void *b)
{
    const pair_count *x = *(pair_count *const *)a, *y = *(pair_count *const *)b;
    return x->uses != y->uses ? (x->uses > y->uses ? -1 : 1) : (x->key > y->key) - (x->key < y->key);
}

/* Gives symbols to the most frequent pairs of which none ends as another begins. Returns how many. */
static unsigned pairs_pick(compressor *c, pair_count **list, size_t room)
{
    bool begins[PAIRS_SYMBOLS_MOST] = {false}, ends[PAIRS_SYMBOLS_MOST] = {false};
    uint32_t top = 0;
    size_t found = 0;
    unsigned picked = 0, most = c->count / 8 + 16;
    for (size_t i = 0; i <= c->pair_mask; i++)
        if (c->pairs[i].key != PAIR_NONE && c->pairs[i].uses > top &&
            c->symbols[c->pairs[i].key >> 12].values + c->symbols[c->pairs[i].key & 0xFFF].values <=
                PAIRS_SYMBOL_VALUES)
            top = c->pairs[i].uses;
    uint32_t least = top / 3 > PAIR_USES ? top / 3 : PAIR_USES;
    for (size_t i = 0; i <= c->pair_mask && found < room; i++)
        if (c->pairs[i].key != PAIR_NONE && c->pairs[i].uses >= least)
            list[found++] = &c->pairs[i];
    qsort(list, found, sizeof *list, pair_compare);
    for (size_t i = 0; i < found && picked < most && c->count < PAIRS_SYMBOLS_MOST; i++) {
        unsigned left = list[i]->key >> 12, right = list[i]->key & 0xFFF;
        unsigned values = c->symbols[left].values + c->symbols[right].values;
        if (values > PAIRS_SYMBOL_VALUES || ends[left] || begins[right] || (left == right && begins[left]))
            continue;
        begins[left] = ends[right] = true;
        list[i]->symbol = (uint16_t)symbol_add(c, left, right, values);
        picked++;
    }
    return picked;
}

static void pairs_replace(compressor *c, unsigned since)
{
    bool begins[PAIRS_SYMBOLS_MOST] = {false};
    uint64_t out = 0, look = 0;
    for (unsigned s = since; s < c->count; s++)
        begins[c->symbols[s].left] = true;
    for (uint64_t i = 0; i < c->token_count && !look_passed(c->limits, i, &look); i++) {
        unsigned token = c->tokens[i];
        if (begins[token] && i + 1 < c->token_count) {
            const pair_count *p = pair_find(c, token << 12 | c->tokens[i + 1]);
            if (p->key != PAIR_NONE && p->symbol != UINT16_MAX) {
                token = p->symbol;
                i++;
            }
        }
        c->tokens[out++] = (uint16_t)token;
    }
    c->token_count = out;
}

/* Slots enough for all pairs that there can be, up to a size that caches still help with. */
static void pairs_resize(compressor *c)
{
    uint64_t most = (uint64_t)c->count * c->count;
    most = most < c->token_count ? most : c->token_count;
    c->pair_mask = 1023;
    while (c->pair_mask < 2 * most && c->pair_mask + 1 < PAIR_SLOTS)
        c->pair_mask = 2 * c->pair_mask + 1;
}

static holos_status interrupted(const compressor *c, holos_error *err)
{
    return limits_passed(c->limits)
               ? error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted while compressing a table")
               : HOLOS_OK;
}

static holos_status pairs_make(compressor *c, holos_error *err)
{
    const size_t list_room = 1 << 16, size = PAIR_SLOTS * sizeof *c->pairs;
    c->pairs = mem_alloc(c->budget, size);
    pair_count **list = calloc(list_room, sizeof(pair_count *));
    if (c->pairs == NULL || list == NULL) {
        mem_free(c->budget, c->pairs, size);
        free(list);
        return mem_error(err, c->budget, size, "compressing a table");
    }
    while (!limits_passed(c->limits)) {
        unsigned since = c->count;
        pairs_resize(c);
        pairs_count(c);
        if (pairs_pick(c, list, list_room) == 0)
            break;
        pairs_replace(c, since);
    }
    mem_free(c->budget, c->pairs, size);
    free(list);
    c->pairs = NULL;
    return interrupted(c, err);
}

/* ---- The code ---------------------------------------------------------------------------------- */

typedef struct tree_node {
    uint64_t uses;
    uint16_t parent;
} tree_node;

/* Sorted by uses, the rarest first; by merging halves. */
static void symbols_sort(const compressor *c, uint16_t *order, unsigned count, uint16_t *scratch)
{
    if (count < 2)
        return;
    unsigned half = count / 2, a = 0, b = half;
    symbols_sort(c, order, half, scratch);
    symbols_sort(c, order + half, count - half, scratch);
    for (unsigned i = 0; i < count; i++) {
        bool first = b == count || (a < half && c->uses[order[a]] <= c->uses[order[b]]);
        scratch[i] = order[first ? a++ : b++];
    }
    memcpy(order, scratch, count * sizeof *order);
}

/* Lengths of an optimal code; returns the longest. Two queues: leaves by uses, and nodes in the order they were made. */
static unsigned code_lengths(compressor *c, const uint16_t *order, unsigned count, unsigned flatten)
{
    tree_node nodes[2 * PAIRS_SYMBOLS_MOST];
    assert(count > 0 && count <= PAIRS_SYMBOLS_MOST);
    unsigned leaf = 0, node = count, made = count, longest = 0;
    for (unsigned i = 0; i < count; i++)
        nodes[i].uses = (c->uses[order[i]] >> flatten) + 1;
    while (made < 2 * count - 1) {
        uint64_t sum = 0;
        for (unsigned k = 0; k < 2; k++) {
            bool take_leaf = leaf < count && (node == made || nodes[leaf].uses <= nodes[node].uses);
            unsigned pick = take_leaf ? leaf++ : node++;
            assert(pick < made); /* two that were made before are always left */
            sum += nodes[pick].uses;
            nodes[pick].parent = (uint16_t)made;
        }
        nodes[made++].uses = sum;
    }
    uint8_t depth[2 * PAIRS_SYMBOLS_MOST];
    depth[made - 1] = 0;
    for (unsigned i = made - 1; i-- > 0;)
        depth[i] = (uint8_t)(depth[nodes[i].parent] + 1);
    for (unsigned i = 0; i < count; i++) {
        c->bits[order[i]] = count == 1 ? 1 : depth[i];
        longest = c->bits[order[i]] > longest ? c->bits[order[i]] : longest;
    }
    return longest;
}

/* Codes by length, longer ones with lower numbers; symbols that do not occur by themselves come last. */
static void code_make(compressor *c)
{
    uint16_t order[PAIRS_SYMBOLS_MOST], scratch[PAIRS_SYMBOLS_MOST];
    unsigned flatten = 0, next = 0;
    memset(c->uses, 0, sizeof c->uses);
    for (uint64_t i = 0; i < c->token_count; i++)
        c->uses[c->tokens[i]]++;
    c->coded = 0;
    for (unsigned i = 0; i < c->count; i++)
        if (c->uses[i] > 0)
            order[c->coded++] = (uint16_t)i;
    symbols_sort(c, order, c->coded, scratch);
    while (code_lengths(c, order, c->coded, flatten) > PAIRS_CODE_MOST)
        flatten++;
    c->bits_most = c->bits[order[0]];
    c->bits_min = c->bits[order[c->coded - 1]];
    uint64_t code = 0;
    for (unsigned length = c->bits_most; length >= c->bits_min; length--) {
        c->lowest[length] = (uint16_t)next;
        for (unsigned i = 0; i < c->coded; i++)
            if (c->bits[order[i]] == length) {
                c->code[order[i]] = (uint32_t)code++;
                c->number[order[i]] = (uint16_t)next++;
            }
        code >>= 1;
    }
    for (unsigned i = 0; i < c->count; i++)
        if (c->uses[i] == 0)
            c->number[i] = (uint16_t)next++;
}

/* ---- Blocks ------------------------------------------------------------------------------------ */

static uint64_t blocks_count(const compressor *c, unsigned block_bits)
{
    uint64_t blocks = 0, room = (uint64_t)8 << block_bits, bits = room, values = 0;
    for (uint64_t i = 0; i < c->token_count; i++) {
        unsigned s = c->tokens[i];
        if (bits + c->bits[s] > room || values + c->symbols[s].values > PAIRS_VALUES_MOST) {
            blocks++;
            bits = values = 0;
        }
        bits += c->bits[s];
        values += c->symbols[s].values;
    }
    return blocks;
}

/* The size of blocks that gives the smallest file. */
static unsigned block_choose(const compressor *c, unsigned most, uint64_t *blocks)
{
    unsigned best = BLOCK_LEAST;
    uint64_t best_size = UINT64_MAX;
    for (unsigned bits = BLOCK_LEAST; bits <= most && (bits == BLOCK_LEAST || !limits_passed(c->limits));
         bits++) {
        uint64_t count = blocks_count(c, bits), size = (count << bits) + 2 * count + 6 * count / SPAN_BLOCKS;
        if (size < best_size) {
            best_size = size;
            best = bits;
            *blocks = count;
        }
    }
    return best;
}

/* Puts the lowest `count` bits of `code` behind the `at` bits that a block has. */
static inline void bits_put(unsigned char *block, uint64_t at, uint32_t code, unsigned count)
{
    while (count > 0) {
        unsigned room = 8 - (at & 7), now = count < room ? count : room;
        unsigned part = code >> (count - now) & ((1u << now) - 1);
        block[at >> 3] |= (unsigned char)(part << (room - now));
        at += now;
        count -= now;
    }
}

static void blocks_write(const compressor *c, unsigned block_bits, unsigned char *data,
                         unsigned char *lengths)
{
    uint64_t room = (uint64_t)8 << block_bits, bits = 0, values = 0, look = 0;
    unsigned char *block = data;
    for (uint64_t i = 0; i < c->token_count && !look_passed(c->limits, i, &look); i++) {
        unsigned s = c->tokens[i];
        if (bits + c->bits[s] > room || values + c->symbols[s].values > PAIRS_VALUES_MOST) {
            block += (size_t)1 << block_bits;
            lengths += 2;
            bits = values = 0;
        }
        bits_put(block, bits, c->code[s], c->bits[s]);
        bits += c->bits[s];
        values += c->symbols[s].values;
        lengths[0] = (unsigned char)(values - 1);
        lengths[1] = (unsigned char)((values - 1) >> 8);
    }
}

static void put_u32(unsigned char *at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> 8 * i);
}

/* Points to the middle of each span, past the end too: there blocks follow that only have a length. */
static void sparse_write(const unsigned char *lengths, uint64_t spans, unsigned span_bits,
                         unsigned char *sparse)
{
    uint64_t block = 0, begin = 0;
    for (uint64_t k = 0; k < spans; k++, sparse += 6) {
        uint64_t middle = (k << span_bits) + ((uint64_t)1 << span_bits) / 2;
        while (middle - begin > read_u16(lengths + 2 * block))
            begin += read_u16(lengths + 2 * block++) + 1u;
        put_u32(sparse, (uint32_t)block);
        sparse[4] = (unsigned char)(middle - begin);
        sparse[5] = (unsigned char)((middle - begin) >> 8);
    }
}

static bool head_write(const compressor *c, unsigned flags, unsigned block_bits, unsigned span_bits,
                       unsigned padding, uint64_t blocks, compressed *out)
{
    unsigned lengths = c->bits_most - c->bits_min + 1;
    out->head_size = 1 + 9 + 2 * lengths + 2 + 3 * c->count + (c->count & 1);
    unsigned char *at = out->head = calloc(out->head_size, 1);
    if (at == NULL)
        return false;
    const unsigned char start[] = {(unsigned char)flags, (unsigned char)block_bits, (unsigned char)span_bits,
                                   (unsigned char)padding};
    memcpy(at, start, 4);
    put_u32(at + 4, (uint32_t)blocks);
    at[8] = (unsigned char)c->bits_most;
    at[9] = (unsigned char)c->bits_min;
    at += 10;
    for (unsigned length = c->bits_min; length <= c->bits_most; length++, at += 2) {
        at[0] = (unsigned char)c->lowest[length];
        at[1] = (unsigned char)(c->lowest[length] >> 8);
    }
    at[0] = (unsigned char)c->count;
    at[1] = (unsigned char)(c->count >> 8);
    at += 2;
    for (unsigned i = 0; i < c->count; i++) {
        const symbol *s = &c->symbols[i];
        unsigned left = s->right == PAIRS_LEAF ? s->left : c->number[s->left];
        unsigned right = s->right == PAIRS_LEAF ? PAIRS_LEAF : c->number[s->right];
        unsigned char *half = at + 3 * c->number[i];
        half[0] = (unsigned char)left;
        half[1] = (unsigned char)(left >> 8 | right << 4);
        half[2] = (unsigned char)(right >> 4);
    }
    return true;
}

static bool parts_write(const compressor *c, uint64_t size, unsigned flags, unsigned block_most,
                        compressed *out)
{
    uint64_t blocks = 0;
    unsigned block_bits = block_choose(c, block_most, &blocks), span_bits = 6;
    assert(size > 0 && blocks > 0); /* a table has values, and values a block */
    while (span_bits < 24 && (uint64_t)1 << (span_bits + 1) <= SPAN_BLOCKS * (size / blocks + 1))
        span_bits++;
    uint64_t spans = (size + ((uint64_t)1 << span_bits) - 1) >> span_bits;
    uint64_t reach = spans << span_bits;
    unsigned padding = (unsigned)((reach - size) / PAIRS_VALUES_MOST) + 1;
    out->sparse_size = 6 * spans;
    out->lengths_size = 2 * (blocks + padding);
    out->blocks_size = blocks << block_bits;
    out->sparse = calloc(out->sparse_size, 1);
    out->lengths = malloc(out->lengths_size);
    out->blocks = calloc(out->blocks_size, 1);
    if (out->sparse == NULL || out->lengths == NULL || out->blocks == NULL ||
        !head_write(c, flags, block_bits, span_bits, padding, blocks, out))
        return false;
    memset(out->lengths, 0xFF, out->lengths_size);
    blocks_write(c, block_bits, out->blocks, out->lengths);
    if (!limits_passed(c->limits)) /* what is not all there cannot be found, either */
        sparse_write(out->lengths, spans, span_bits, out->sparse);
    return true;
}

/* One value only. */
static bool single_write(uint8_t value, unsigned flags, compressed *out)
{
    out->head = malloc(2);
    out->head_size = 2;
    if (out->head != NULL) {
        out->head[0] = (unsigned char)(flags | PAIRS_SINGLE);
        out->head[1] = value;
    }
    return out->head != NULL;
}

holos_status compress(const uint8_t *values, uint64_t size, unsigned flags, unsigned block_most,
                      mem_budget *budget, const struct limits *limits, compressed *out, holos_error *err)
{
    *out = (compressed){0};
    if (run_end(values, 0, size) == size)
        return single_write(values[0], flags, out) ? HOLOS_OK : error_system(err, "compressing a table");
    compressor *c = calloc(1, sizeof *c);
    run_symbols *runs = calloc(1, sizeof *runs);
    bool fine = c != NULL && runs != NULL;
    holos_status status = HOLOS_OK;
    if (fine) {
        c->budget = budget;
        c->limits = limits;
        runs_count(c, runs, values, size);
        runs_symbols(c, runs);
        fine = runs_write(c, runs, values, size);
    }
    if (fine) {
        status = pairs_make(c, err);
        if (status == HOLOS_OK) {
            code_make(c);
            fine = parts_write(c, size, flags, block_most, out);
            status = interrupted(c, err);
        }
    }
    if (c != NULL)
        free(c->tokens);
    free(c);
    free(runs);
    if (!fine || status != HOLOS_OK)
        compressed_free(out);
    return !fine ? error_system(err, "compressing a table") : status;
}

void compressed_free(compressed *c)
{
    free(c->head);
    free(c->sparse);
    free(c->lengths);
    free(c->blocks);
    *c = (compressed){0};
}
