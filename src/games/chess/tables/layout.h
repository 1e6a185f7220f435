/* SPDX-License-Identifier: MIT */

/* A table in memory, not compressed: every position of one material, both sides to move, at an address that is found by
 * shifts. What the generator works on, what searches probe.
 *
 * A slice is one placement of the pawns (without pawns there is one slice). In it a row is one placement of the white king
 * and of the other pieces ("movers"); in a row come the 64 squares of the black king. So moves of the black king stay
 * within a row, and sets of positions are 64-bit boards of the black king. Symmetry: without pawns the white king stands in
 * the triangle a1 d1 d4; with pawns, the leading pawn on the files a to d. A position that is its own image's neighbour
 * (the white king on the diagonal, two equal movers) has several addresses with one value.
 *
 * A mate distance is kept in one byte: 0 no such position; 1 + n mated in n moves (0 … 126); 128 draw; 256 - n mate in
 * n moves (1 … 127). So of two values the greater one is better for the side to move. */

#ifndef HOLOS_CHESS_TABLES_LAYOUT_H
#define HOLOS_CHESS_TABLES_LAYOUT_H

#include "core/mem.h"
#include "games/chess/tables/index.h"

enum {
    LAYOUT_PIECES_MOST = 5,
    LAYOUT_EXTRAS_MOST = LAYOUT_PIECES_MOST - 2, /* pieces that are no kings */

    MATE_NONE = 0, /* no position */
    MATE_DRAW = 128,
    MATE_LOSS_MOST = 126,
    MATE_WIN_MOST = 127,
    MATE_SOME_LOSS = 2, /* where nobody asks how far a mate is */
    MATE_SOME_WIN = 255,

    /* Classes: WDL + 3, so that 0 is "none". */
    CLASS_NONE = 0,
    CLASS_LOSS = 1,
    CLASS_BLESSED = 2,
    CLASS_DRAW = 3,
    CLASS_CURSED = 4,
    CLASS_WIN = 5,

    ZEROING_STALEMATE = 0x80,
    DISTANCE_RULE = 100, /* plies: beyond, the fifty-move rule spoils a result */
};

typedef struct tb_layout {
    tb_key key; /* canonical */
    uint8_t piece_count, mover_count, pawn_count;
    uint8_t movers[LAYOUT_EXTRAS_MOST]; /* codes */
    uint8_t pawns[LAYOUT_EXTRAS_MOST];  /* codes, the leading side's first */
    uint8_t leading_pawns;
    uint8_t kings; /* places of the white king: 10 or 64 */
    uint32_t slices;
    uint32_t rows;          /* of a slice */
    uint32_t file_first[5]; /* slices by file of the leading pawn */
    uint32_t rest;          /* placements of the other side's pawns for each of the leading ones */
} tb_layout;

/* False if the material has too many pieces. */
bool layout_init(tb_layout *l, const index_maps *m, tb_key key);

/* Where the pieces stand: kings, then movers and pawns as the layout has them. */
typedef struct tb_placement {
    uint8_t king[2]; /* by side */
    uint8_t movers[LAYOUT_EXTRAS_MOST], pawns[LAYOUT_EXTRAS_MOST];
} tb_placement;

/* The slice of pawns that may stand in any order and on any side of the board; *mirrored if the board has to be. */
uint32_t layout_slice(const tb_layout *l, const index_maps *m, const uint8_t *pawns, bool *mirrored);
/* The squares of a slice's pawns. */
void layout_slice_pawns(const tb_layout *l, const index_maps *m, uint32_t slice, uint8_t *pawns);
/* The row of a placement of everything but the black king, counted over all slices, and how the board is turned on the
 * way there: the black king's square is to be turned, too. */
static inline uint64_t layout_row(const tb_layout *l, const index_maps *m, const tb_placement *at,
                                  unsigned *turn)
{
    unsigned king = at->king[CHESS_WHITE], place;
    uint64_t slice = 0;
    if (l->pawn_count == 0) {
        *turn = m->into_triangle[king];
        place = m->triangle[m->turned[*turn][king]];
    } else {
        bool mirrored;
        slice = layout_slice(l, m, at->pawns, &mirrored);
        *turn = mirrored ? 1 : 0;
        place = m->turned[*turn][king];
    }
    uint64_t row = slice * l->kings + place;
    for (unsigned i = 0; i < l->mover_count; i++)
        row = row << 6 | m->turned[*turn][at->movers[i]];
    return row;
}

/* Where the pieces of a position stand, with the colours exchanged if `colour` is 1. */
static inline void layout_place(const tb_layout *l, const chess_position *p, unsigned colour,
                                tb_placement *out)
{
    unsigned flip = colour * 56;
    for (unsigned side = 0; side < 2; side++)
        out->king[side] = (uint8_t)(position_king(p, side ^ colour) ^ flip);
    for (unsigned i = 0; i < l->mover_count;)
        SET_EACH (s, position_set(p, piece_side(l->movers[i]) ^ colour, piece_kind(l->movers[i])))
            out->movers[i++] = (uint8_t)(s ^ flip);
    for (unsigned i = 0; i < l->pawn_count;)
        SET_EACH (s, position_set(p, piece_side(l->pawns[i]) ^ colour, CHESS_PAWN))
            out->pawns[i++] = (uint8_t)(s ^ flip);
}

/* The address of a placement. */
static inline uint64_t layout_index(const tb_layout *l, const index_maps *m, const tb_placement *at)
{
    unsigned turn;
    uint64_t row = layout_row(l, m, at, &turn);
    return row << 6 | m->turned[turn][at->king[CHESS_BLACK]];
}

typedef struct tb_table {
    tb_layout layout;
    uint64_t size;        /* addresses, for each side to move */
    uint8_t *mate[2];     /* by side to move: a mate distance; NULL if not kept */
    uint8_t *distance[2]; /* plies to the next zeroing move or mate; 0 for draws */
    uint8_t
        *zeroing[2];    /* the class of the best capture; << 4: of the best zeroing move; ZEROING_STALEMATE */
    bool without_mates; /* wins and losses are MATE_SOME_…, whatever their distance */
    /* Not NULL: the table is finished, nothing of it is in memory, and rows are read from its files. */
    struct tablebase *files;
} tb_table;

static inline unsigned mate_negate(unsigned mate)
{
    return mate == MATE_NONE ? MATE_NONE : mate <= MATE_DRAW ? 256 - mate : 257 - mate;
}

static inline bool mate_is_win(unsigned mate)
{
    return mate > MATE_DRAW;
}

static inline bool mate_is_loss(unsigned mate)
{
    return mate != MATE_NONE && mate < MATE_DRAW;
}

/* Plies to mate; 0 of a draw. */
static inline unsigned mate_plies(unsigned mate)
{
    return mate_is_win(mate) ? 2 * (256 - mate) - 1 : mate_is_loss(mate) ? 2 * (mate - 1) : 0;
}

static inline unsigned class_of(unsigned mate, unsigned distance)
{
    if (mate == MATE_NONE || mate == MATE_DRAW)
        return mate == MATE_NONE ? CLASS_NONE : CLASS_DRAW;
    if (mate_is_win(mate))
        return distance > DISTANCE_RULE ? CLASS_CURSED : CLASS_WIN;
    return distance > DISTANCE_RULE ? CLASS_BLESSED : CLASS_LOSS;
}

#endif
