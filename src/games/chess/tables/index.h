/* SPDX-License-Identifier: MIT */

/* How Syzygy's tables number positions (the format is Ronald de Man's). The pieces stand in an order that the file
 * gives. They fall into groups: the leading one (all pawns of one side; or without pawns the first three pieces, of
 * which two may be kings, or only the kings), then the other side's pawns, then equal pieces together. The leading
 * group is turned and mirrored to one of its symmetric images; each other group is a choice among the squares that the
 * groups before it left. A number is made of the groups' numbers in an order that the file gives, too. */

#ifndef HOLOS_CHESS_TABLES_INDEX_H
#define HOLOS_CHESS_TABLES_INDEX_H

#include "games/chess/tables/material.h"

#define INDEX_UNIQUE_LEADS 31332 /* three different pieces, up to symmetry */
#define INDEX_KING_LEADS   462   /* two kings, up to symmetry */
#define INDEX_TRIANGLE     10    /* squares of the triangle a1, d1, d4 */

/* Small tables of the arithmetic. Made once by index_maps_init and never changed. */
typedef struct index_maps {
    uint8_t triangle[64]; /* b1 c1 d1 c2 d2 d3, then the diagonal a1 b2 c3 d4: 0 … 9 */
    uint8_t below[64];    /* squares below the diagonal a1 h8: 0 … 27 */
    uint16_t kings[INDEX_TRIANGLE][64];
    uint8_t pawn[64]; /* the higher, the nearer to leading: 47 for a2, 46 for h2, … */
    uint32_t choose[7][64];
    uint32_t lead_first[6][64]; /* by number of leading pawns: the first number with this one in front */
    uint32_t lead_size[6][4];   /* by file of the pawn in front: how many numbers */
    uint8_t turned[8][64];      /* squares under the symmetries of the board: see square_turn */
    uint8_t into_triangle[64];  /* which of them brings a square into the triangle */
} index_maps;

void index_maps_init(index_maps *m);

/* Symmetries are three bits: 1 mirrors left and right, 2 up and down, then 4 exchanges files and ranks. */
static inline unsigned square_turn(unsigned square, unsigned symmetry)
{
    square ^= (symmetry & 1) * 7 ^ (symmetry & 2) * 28;
    return (symmetry & 4) != 0 ? (square >> 3 | square << 3) & 63 : square;
}

typedef struct index_group {
    uint8_t first, length; /* its pieces */
    uint64_t factor, size; /* of its numbers */
} index_group;

/* How one table, or with pawns the part of a table for one file of the leading pawn, numbers its positions. */
typedef struct index_encoding {
    uint64_t size; /* how many numbers */
    index_group groups[TB_PIECES_MOST];
    uint8_t group_count, piece_count;
    uint8_t pieces[TB_PIECES_MOST]; /* codes in order */
    uint8_t file;                   /* of the leading pawn, 0 … 3 */
    uint8_t leading_pawns;
    bool has_pawns, both_pawns, unique; /* unique: three pieces lead */
} index_encoding;

/* What a material says of its encodings. */
typedef struct index_shape {
    uint8_t pieces, leading_pawns, other_pawns;
    uint8_t leading_side; /* whose pawns lead */
    bool unique;          /* a piece that is no king and no pawn's equal stands alone */
} index_shape;

index_shape index_shape_of(tb_key key);

/* Completes an encoding whose piece_count, pieces and file are set. `order` says where in the number the leading group
 * and the other side's pawns come. False if the pieces cannot be those of such a table, or the order is impossible. */
bool index_encode_init(index_encoding *e, const index_maps *m, const index_shape *shape, unsigned order_lead,
                       unsigned order_pawns);

/* The number of a position: squares[i] is where e->pieces[i] stands, with the leading pawn (the one with the highest
 * `pawn`) first. The squares are turned and sorted on the way. */
uint64_t index_rank(const index_encoding *e, const index_maps *m, uint8_t *squares);
/* The squares of a number. False if the number stands for no position: several of the 31332 do. */
bool index_unrank(const index_encoding *e, const index_maps *m, uint64_t number, uint8_t *squares);

/* The leading groups in the order of their numbers: a number's squares. `lead` is below groups[0].size. */
bool index_unrank_lead(const index_encoding *e, const index_maps *m, uint64_t lead, uint8_t *squares);

#endif
