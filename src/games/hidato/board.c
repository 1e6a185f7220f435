/* SPDX-License-Identifier: MIT */

#include "games/hidato/board.h"

#include "core/wide.h"

#include <stdlib.h>
#include <string.h>

/* ---- Positions --------------------------------------------------------------------------------- */

bool hidato_board_init(hidato_board *b, unsigned rows, unsigned columns)
{
    memset(b, 0, sizeof *b);
    if (rows == 0 || columns == 0 || rows > HIDATO_SIDE || columns > HIDATO_SIDE ||
        rows * columns > HIDATO_PLACES)
        return false;
    b->rows = (uint16_t)rows;
    b->columns = (uint16_t)columns;
    return true;
}

void hidato_board_count(hidato_board *b)
{
    b->cells = b->filled = 0;
    memset(b->given, 0, sizeof b->given);
    for (unsigned place = 0; place < (unsigned)b->rows * b->columns; place++) {
        b->cells += b->numbers[place] != HIDATO_HOLE;
        if (hidato_is_number(b->numbers[place])) {
            b->filled++;
            b->given[place / 8] = (uint8_t)(b->given[place / 8] | 1u << place % 8);
        }
    }
}

void hidato_board_write(hidato_board *b, unsigned place, unsigned number)
{
    b->filled = (uint16_t)(b->filled + (number != 0) - (b->numbers[place] != 0));
    b->numbers[place] = (uint16_t)number;
}

void hidato_place_name(const hidato_board *b, unsigned place, text *out)
{
    text_printf(out, "r%uc%u", place / b->columns + 1, place % b->columns + 1);
}

void hidato_place_names(const hidato_board *b, unsigned place, char out[16])
{
    text t;
    text_init_fixed(&t, out, 16);
    hidato_place_name(b, place, &t);
}

/* ---- Geometry of places ------------------------------------------------------------------------ */

static const hidato_step king_steps[] = {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1},
                                         {0, 1},   {1, -1}, {1, 0},  {1, 1}};
static const hidato_step rook_steps[] = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}};
static const hidato_step hex_steps[] = {{-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}};

unsigned hidato_steps(hidato_kind kind, const hidato_step **out)
{
    static const struct {
        const hidato_step *steps;
        unsigned count;
    } kinds[] = {
        [HIDATO_KING] = {king_steps, 8}, [HIDATO_ROOK] = {rook_steps, 4}, [HIDATO_HEX] = {hex_steps, 6}};
    *out = kinds[kind].steps;
    return kinds[kind].count;
}

unsigned hidato_neighbours(const hidato_board *b, hidato_kind kind, unsigned place,
                           uint16_t out[HIDATO_DEGREE])
{
    const hidato_step *steps;
    unsigned count = 0, most = hidato_steps(kind, &steps);
    for (unsigned i = 0; i < most; i++) {
        unsigned row = place / b->columns + (unsigned)steps[i].row;
        unsigned column = place % b->columns + (unsigned)steps[i].column;
        if (row >= b->rows || column >= b->columns)
            continue;
        unsigned other = row * b->columns + column;
        if (b->numbers[other] != HIDATO_HOLE)
            out[count++] = (uint16_t)other;
    }
    return count;
}

unsigned hidato_reach(const hidato_board *b, hidato_kind kind, unsigned *first, bool reached[HIDATO_PLACES])
{
    uint16_t list[HIDATO_PLACES], near[HIDATO_DEGREE];
    unsigned count = 0;
    for (*first = 0; b->numbers[*first] == HIDATO_HOLE;)
        ++*first;
    list[count++] = (uint16_t)*first;
    reached[*first] = true;
    for (unsigned i = 0; i < count; i++) {
        unsigned degree = hidato_neighbours(b, kind, list[i], near);
        for (unsigned k = 0; k < degree; k++)
            if (!reached[near[k]]) {
                reached[near[k]] = true;
                list[count++] = near[k];
            }
    }
    return count;
}

unsigned hidato_distance(const hidato_board *b, hidato_kind kind, unsigned from, unsigned to)
{
    int rows = (int)(to / b->columns) - (int)(from / b->columns);
    int columns = (int)(to % b->columns) - (int)(from % b->columns);
    unsigned down = (unsigned)abs(rows), across = (unsigned)abs(columns),
             larger = down > across ? down : across;
    if (kind == HIDATO_ROOK)
        return down + across;
    if (kind == HIDATO_HEX && (rows > 0) == (columns > 0))
        return down + across; /* no step goes down and right at once */
    return larger;
}

/* ---- Grids ------------------------------------------------------------------------------------- */

void hidato_grid_init(hidato_grid *g, const hidato_board *b, hidato_kind kind)
{
    g->kind = kind;
    g->rows = b->rows;
    g->columns = b->columns;
    g->stride = g->columns + 1u;
    g->cells = b->cells;
    g->sites = g->rows * g->stride;
    g->words = (g->sites + 63) / 64;
    memset(g->mask, 0, sizeof g->mask);
    for (unsigned place = 0; place < g->rows * g->columns; place++) {
        if (b->numbers[place] == HIDATO_HOLE)
            continue;
        unsigned site = hidato_site_of(g, place);
        set_add(g->mask, site);
        g->degree[site] = (uint8_t)hidato_neighbours(b, kind, place, g->neighbours[site]);
        for (unsigned i = 0; i < g->degree[site]; i++)
            g->neighbours[site][i] = (uint16_t)hidato_site_of(g, g->neighbours[site][i]);
    }
}

bool hidato_are_neighbours(const hidato_grid *g, unsigned a, unsigned b)
{
    for (unsigned i = 0; i < g->degree[a]; i++)
        if (g->neighbours[a][i] == b)
            return true;
    return false;
}

/* ---- Dilation ---------------------------------------------------------------------------------- */

/* A word of the set moved up by at most one word and a bit, or down. Words outside are empty. */
static inline uint64_t word_up(const uint64_t *set, unsigned word, unsigned by)
{
    unsigned far = by / 64, bits = by % 64;
    uint64_t here = word >= far ? set[word - far] : 0;
    if (bits == 0)
        return here;
    return here << bits | (word >= far + 1 ? set[word - far - 1] >> (64 - bits) : 0);
}

static inline uint64_t word_down(const uint64_t *set, unsigned words, unsigned word, unsigned by)
{
    unsigned far = by / 64, bits = by % 64;
    uint64_t here = word + far < words ? set[word + far] : 0;
    if (bits == 0)
        return here;
    return here >> bits | (word + far + 1 < words ? set[word + far + 1] << (64 - bits) : 0);
}

/* What is one step to the left or to the right of each site; the padding column keeps rows apart. */
static void spread_sideways(const uint64_t *set, unsigned words, uint64_t *out)
{
    for (unsigned word = 0; word < words; word++)
        out[word] = word_up(set, word, 1) | word_down(set, words, word, 1);
}

/* Up to 128 sites fit into one number: 3 times as fast, and all boards up to 10 x 10 are so small. */
static void dilate_narrow(const hidato_grid *g, const uint64_t *set, uint64_t *out)
{
    unsigned stride = g->stride;
    u128 here = g->words == 1 ? set[0] : (u128)set[1] << 64 | set[0];
    u128 sideways = here << 1 | here >> 1, wide = g->kind == HIDATO_KING ? here | sideways : here;
    u128 all = sideways | wide << stride | wide >> stride;
    if (g->kind == HIDATO_HEX)
        all |= here << (stride - 1) | here >> (stride - 1);
    out[0] = (uint64_t)all & g->mask[0];
    if (g->words > 1)
        out[1] = (uint64_t)(all >> 64) & g->mask[1];
}

void hidato_dilate(const hidato_grid *g, const uint64_t *set, uint64_t *out)
{
    unsigned words = g->words, stride = g->stride;
    if (words <= 2) {
        dilate_narrow(g, set, out);
        return;
    }
    uint64_t wide[HIDATO_WORDS];
    spread_sideways(set, words, out);
    if (g->kind == HIDATO_KING) {
        for (unsigned word = 0; word < words; word++)
            wide[word] = set[word] | out[word];
        for (unsigned word = 0; word < words; word++)
            out[word] |= word_up(wide, word, stride) | word_down(wide, words, word, stride);
    } else {
        for (unsigned word = 0; word < words; word++)
            out[word] |= word_up(set, word, stride) | word_down(set, words, word, stride);
    }
    if (g->kind == HIDATO_HEX && stride > 1) /* up and right, down and left */
        for (unsigned word = 0; word < words; word++)
            out[word] |= word_up(set, word, stride - 1) | word_down(set, words, word, stride - 1);
    for (unsigned word = 0; word < words; word++)
        out[word] &= g->mask[word];
}

static void dilate_twice_narrow(const hidato_grid *g, const hidato_step *steps, unsigned count,
                                const uint64_t *set, uint64_t *out)
{
    u128 here = g->words == 1 ? set[0] : (u128)set[1] << 64 | set[0], once = 0, twice = 0;
    for (unsigned i = 0; i < count; i++) {
        int by = steps[i].row * (int)g->stride + steps[i].column;
        u128 moved = by > 0 ? here << by : here >> -by;
        twice |= once & moved;
        once |= moved;
    }
    out[0] = (uint64_t)twice & g->mask[0];
    if (g->words > 1)
        out[1] = (uint64_t)(twice >> 64) & g->mask[1];
}

/* Of the moved copies of the set, one for each direction, some two meet there. */
void hidato_dilate_twice(const hidato_grid *g, const uint64_t *set, uint64_t *out)
{
    const hidato_step *steps;
    unsigned count = hidato_steps(g->kind, &steps);
    if (g->words <= 2) {
        dilate_twice_narrow(g, steps, count, set, out);
        return;
    }
    for (unsigned word = 0; word < g->words; word++) {
        uint64_t once = 0, twice = 0;
        for (unsigned i = 0; i < count; i++) {
            int by = steps[i].row * (int)g->stride + steps[i].column;
            uint64_t moved =
                by > 0 ? word_up(set, word, (unsigned)by) : word_down(set, g->words, word, (unsigned)-by);
            twice |= once & moved;
            once |= moved;
        }
        out[word] = twice & g->mask[word];
    }
}
