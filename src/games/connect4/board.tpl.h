/* SPDX-License-Identifier: MIT */

/* The contract's functions on boards, for the word that rules.h was told to use. The file that includes
 * this defines BOARD(name), what a function is called. */

#include "games/connect4/board.h"

#include <stdlib.h>

/* What a move looks worth before it is searched, best first: a win, a forced reply, the lines it builds,
 * the centre. A move that lets the other side win comes last. */
enum {
    ORDER_WIN = 4000,
    ORDER_BLOCK = 2000,
    ORDER_BLUNDER = -2000,
    ORDER_LINE = 64, /* for each cell where the mover could then make four */
};

static const c4_shape *board_shape(const holos_variant *v)
{
    return v->rules;
}

static c4_board board_load(const holos_position *p)
{
    return *(const c4_board *)p;
}

static void board_save(holos_position *p, c4_board board)
{
    *(c4_board *)p = board;
}

static holos_key word_key(c4_word word)
{
    return (holos_key){.hi = (uint64_t)(word >> 32 >> 32), .lo = (uint64_t)word};
}

static holos_key board_key(const c4_shape *shape, c4_board board)
{
    c4_word packed = c4_pack(shape, board);
    c4_word mirrored = c4_mirror(shape, packed);
    return word_key(packed < mirrored ? packed : mirrored);
}

holos_status BOARD(open)(c4_size size, holos_variant *v, holos_error *err)
{
    c4_shape *shape = malloc(sizeof *shape);
    if (shape == NULL)
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "out of memory");
    *shape = c4_shape_make(size.width, size.height);
    v->rules = shape;
    v->position_size = sizeof(c4_board);
    return HOLOS_OK;
}

void BOARD(start)(const holos_variant *v, holos_position *out)
{
    (void)v;
    board_save(out, (c4_board){0, 0});
}

/* The edge of a move to `cell`, given the cells where each side would make four. Inlined, so that it is written where it
 * belongs: as a value on the stack it was read back before it had been stored, for half of the time this took. */
__attribute__((always_inline)) static inline holos_edge board_edge(const c4_shape *shape, c4_board board,
                                                                   unsigned column, c4_word cell,
                                                                   c4_word my_wins, c4_word their_wins)
{
    if ((cell & my_wins) != 0)
        return (holos_edge){.move = column, .order = ORDER_WIN, .flags = HOLOS_EDGE_FORCING};
    int width = (int)shape->size.width;
    c4_word both = board.both | cell;
    c4_word lines = c4_wins(shape, board.mine | cell, both);
    int order = width - abs(2 * (int)column + 1 - width) + ORDER_LINE * (int)c4_count(lines);
    bool blocks = (cell & their_wins) != 0;
    if (blocks)
        order += ORDER_BLOCK;
    else if ((cell << 1 & their_wins) != 0)
        order += ORDER_BLUNDER;
    c4_word threats = lines & c4_playable(shape, both),
            old_threats = my_wins & c4_playable(shape, board.both);
    bool forcing = blocks || (threats & ~old_threats) != 0;
    return (holos_edge){.move = column, .order = (int16_t)order, .flags = forcing ? HOLOS_EDGE_FORCING : 0};
}

static bool board_is_over(const c4_shape *shape, c4_board board)
{
    return board.both == shape->cells || c4_has_four(shape, c4_theirs(board));
}

/* The positions alone, and which moves lead to them. Nobody can foresee which columns are full, so there is no branch on that: what is written for one that
 * is, the next one overwrites. With the branch, ranks value connect4:5x4 in 1.03 times the time. */
static uint32_t board_children(const c4_shape *shape, c4_board board, c4_board *children, holos_edge *edges)
{
    c4_word moves = c4_playable(shape, board.both);
    uint32_t count = 0;
    for (unsigned column = 0; column < shape->size.width; column++) {
        c4_word cell = moves & c4_column(shape, column);
        children[count] = c4_play(board, cell);
        if (edges != NULL)
            edges[count] = (holos_edge){.move = column};
        count += cell != 0;
    }
    return count;
}

uint32_t BOARD(expand)(const holos_variant *v, const holos_position *p, holos_edges out)
{
    const c4_shape *shape = board_shape(v);
    c4_board board = board_load(p);
    if (board_is_over(shape, board))
        return 0;
    if (out.positions != NULL && out.keys == NULL && (out.edges == NULL || out.bare))
        return board_children(shape, board, (c4_board *)out.positions, out.edges);
    c4_word moves = c4_playable(shape, board.both);
    c4_word my_wins = 0, their_wins = 0;
    if (out.edges != NULL && !out.bare) {
        my_wins = c4_wins(shape, board.mine, board.both);
        their_wins = c4_wins(shape, c4_theirs(board), board.both);
    }
    uint32_t count = 0;
    for (unsigned column = 0; column < shape->size.width; column++) {
        c4_word cell = moves & c4_column(shape, column);
        if (cell == 0)
            continue;
        if (out.edges != NULL && out.bare)
            out.edges[count] = (holos_edge){.move = column};
        else if (out.edges != NULL)
            out.edges[count] = board_edge(shape, board, column, cell, my_wins, their_wins);
        c4_board child = c4_play(board, cell);
        if (out.positions != NULL)
            board_save(position_at(v, out.positions, count), child);
        if (out.keys != NULL)
            out.keys[count] = board_key(shape, child);
        count++;
    }
    return count;
}

holos_edge BOARD(play)(const holos_variant *v, const holos_position *p, holos_move move, holos_position *out)
{
    const c4_shape *shape = board_shape(v);
    c4_board board = board_load(p);
    c4_word cell = c4_playable(shape, board.both) & c4_column(shape, move);
    holos_edge edge = board_edge(shape, board, move, cell, c4_wins(shape, board.mine, board.both),
                                 c4_wins(shape, c4_theirs(board), board.both));
    board_save(out, c4_play(board, cell));
    return edge;
}

bool BOARD(terminal)(const holos_variant *v, const holos_position *p, int32_t *score)
{
    const c4_shape *shape = board_shape(v);
    c4_board board = board_load(p);
    if (c4_has_four(shape, c4_theirs(board))) {
        *score = -c4_win_score(shape, c4_stones(board) - 1);
        return true;
    }
    *score = 0;
    return board.both == shape->cells;
}

unsigned BOARD(stones)(const holos_variant *v, const holos_position *p)
{
    (void)v;
    return c4_stones(board_load(p));
}

holos_key BOARD(key)(const holos_variant *v, const holos_position *p)
{
    return board_key(board_shape(v), board_load(p));
}

holos_key BOARD(identity)(const holos_variant *v, const holos_position *p)
{
    return word_key(c4_pack(board_shape(v), board_load(p)));
}

void BOARD(from_identity)(const holos_variant *v, holos_key identity, holos_position *out)
{
    c4_word packed = (c4_word)identity.hi << 32 << 32 | identity.lo;
    board_save(out, c4_unpack(board_shape(v), packed));
}

uint32_t BOARD(symmetries)(const holos_variant *v, const holos_position *p, holos_position *out)
{
    const c4_shape *shape = board_shape(v);
    c4_board board = board_load(p);
    board_save(out, board);
    board_save(position_at(v, out, 1),
               (c4_board){.mine = c4_mirror(shape, board.mine), .both = c4_mirror(shape, board.both)});
    return 2;
}

void BOARD(planes)(const holos_variant *v, const holos_position *p, float *pixels, size_t stride)
{
    const c4_shape *shape = board_shape(v);
    c4_board board = board_load(p);
    c4_word moves = (board.both + shape->bottom) & shape->cells;
    float side = BOARD(stones)(v, p) % 2 == 0 ? 1 : -1;
    for (unsigned row = 0; row < shape->size.height; row++)
        for (unsigned column = 0; column < shape->size.width; column++, pixels += stride) {
            unsigned bit = column * (shape->size.height + 1) + row;
            pixels[0] = (float)(board.mine >> bit & 1);
            pixels[1] = (float)((board.both ^ board.mine) >> bit & 1);
            pixels[2] = (float)(moves >> bit & 1);
            pixels[3] = side;
        }
}

/* The stones that the other side may have played last: on top of a column, and such that the game was
 * not over before. */
uint32_t BOARD(predecessors)(const holos_variant *v, const holos_position *p, holos_edges out)
{
    const c4_shape *shape = board_shape(v);
    c4_board board = board_load(p);
    c4_word theirs = c4_theirs(board);
    c4_word tops = (board.both + shape->bottom) >> 1 & theirs;
    uint32_t count = 0;
    for (unsigned column = 0; column < shape->size.width; column++) {
        c4_word cell = tops & c4_column(shape, column);
        if (cell == 0 || c4_has_four(shape, theirs ^ cell))
            continue;
        c4_board before = {.mine = theirs ^ cell, .both = board.both ^ cell};
        if (out.edges != NULL)
            out.edges[count] =
                board_edge(shape, before, column, cell, c4_wins(shape, before.mine, before.both),
                           c4_wins(shape, c4_theirs(before), before.both));
        if (out.positions != NULL)
            board_save(position_at(v, out.positions, count), before);
        if (out.keys != NULL)
            out.keys[count] = board_key(shape, before);
        count++;
    }
    return count;
}

/* How many stones there are, and for each side how many cells would make four at once, and how many more
 * stand open in odd and in even rows: what the fight is about. */
uint64_t BOARD(features)(const holos_variant *v, const holos_position *p)
{
    const c4_shape *shape = board_shape(v);
    c4_board board = board_load(p);
    c4_word playable = c4_playable(shape, board.both), even = 0;
    for (unsigned row = 1; row < shape->size.height; row += 2)
        even |= shape->bottom << row;
    uint64_t features = c4_stones(board);
    for (unsigned side = 0; side < 2; side++) {
        c4_word wins = c4_wins(shape, side == 0 ? board.mine : c4_theirs(board), board.both);
        features = features << 8 | c4_count(wins & playable);
        features = features << 8 | c4_count(wins & ~playable & even);
        features = features << 8 | c4_count(wins & ~playable & ~even);
    }
    return features;
}

static void bounds_narrow(int32_t *lo, int32_t *hi, int new_lo, int new_hi)
{
    if (*lo < new_lo)
        *lo = new_lo;
    if (*hi > new_hi)
        *hi = new_hi;
}

/* What the board shows without search: a win or a loss within two moves exactly; otherwise how soon
 * either side could win at the earliest, and whether it has a line left to win with at all. */
void BOARD(bounds)(const holos_variant *v, const holos_position *p, int32_t *lo, int32_t *hi)
{
    const c4_shape *shape = board_shape(v);
    c4_board board = board_load(p);
    c4_word empty = shape->cells ^ board.both;
    unsigned stones = c4_stones(board);
    int32_t score = 0;
    if (BOARD(terminal)(v, p, &score)) {
        bounds_narrow(lo, hi, score, score);
        return;
    }
    if ((c4_wins(shape, board.mine, board.both) & c4_playable(shape, board.both)) != 0) {
        score = c4_win_score(shape, stones);
        bounds_narrow(lo, hi, score, score);
        return;
    }
    if (c4_safe_moves(shape, board) == 0) {
        score = -c4_win_score(shape, stones + 1);
        bounds_narrow(lo, hi, score, score);
        return;
    }
    bounds_narrow(lo, hi, -c4_win_score(shape, stones + 3), c4_win_score(shape, stones + 2));
    if (!c4_has_four(shape, c4_theirs(board) | empty))
        bounds_narrow(lo, hi, 0, *hi);
    if (!c4_has_four(shape, board.mine | empty))
        bounds_narrow(lo, hi, *lo, 0);
}

#undef BOARD
