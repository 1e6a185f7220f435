/* SPDX-License-Identifier: MIT */

/* Material: which pieces are on the board, wherever they stand. A key counts them, four bits a kind: pawns, knights,
 * bishops, rooks, queens of white, then of black; the kings are always there. A table is about one material and about
 * the same with the colours exchanged; its name has the stronger side first, "KQvKR", as Syzygy's files have it. */

#ifndef HOLOS_CHESS_TABLES_MATERIAL_H
#define HOLOS_CHESS_TABLES_MATERIAL_H

#include "core/error.h"
#include "core/text.h"
#include "games/chess/rules.h"

typedef uint64_t tb_key;

#define TB_PIECES_MOST 7    /* that are read, kings among them */
#define TB_NAME_SIZE   16   /* of a name, with the final 0 */
#define TB_SIDE_BITS   20   /* of a key, for each side */
#define TB_BARE_KINGS  0    /* the key of two kings alone: a draw that no table is about */
#define TB_TABLES_MOST 2048 /* all materials of up to seven pieces are 1,510 */

static inline unsigned key_shift(unsigned side, unsigned kind)
{
    return side * TB_SIDE_BITS + (kind - CHESS_PAWN) * 4;
}

/* How many pieces of a kind (pawn to queen) a side has. */
static inline unsigned key_count(tb_key key, unsigned side, unsigned kind)
{
    return (unsigned)(key >> key_shift(side, kind) & 15);
}

static inline tb_key key_one(unsigned side, unsigned kind)
{
    return (tb_key)1 << key_shift(side, kind);
}

/* Piece by piece: few are on the board, and not every processor counts bits fast. */
static inline tb_key key_of(const chess_position *p)
{
    tb_key key = 0;
    for (unsigned kind = CHESS_PAWN; kind <= CHESS_QUEEN; kind++)
        for (chess_set set = p->kinds[kind]; set != 0; set &= set - 1)
            key += (tb_key)1 << ((p->sides[CHESS_BLACK] & set & -set) != 0 ? TB_SIDE_BITS : 0)
                             << (kind - CHESS_PAWN) * 4;
    return key;
}

/* The colours exchanged. */
static inline tb_key key_flip(tb_key key)
{
    const tb_key low = ((tb_key)1 << TB_SIDE_BITS) - 1;
    return (key & low) << TB_SIDE_BITS | key >> TB_SIDE_BITS;
}

unsigned key_pieces(tb_key key); /* with the kings */
unsigned key_pawns(tb_key key);  /* of both sides */
/* With the stronger side as white: more pieces, or as many and a better first one that differs. */
tb_key key_canonical(tb_key key);
static inline bool key_is_canonical(tb_key key)
{
    return key_canonical(key) == key;
}
static inline bool key_is_symmetric(tb_key key)
{
    return key_flip(key) == key;
}

/* The name of a material of at most TB_PIECES_MOST pieces. Returns `out`. */
const char *key_name(tb_key key, char out[TB_NAME_SIZE]);
/* Reads "KQvKR", also "kqkr", "KRvKQ" or "QvR". HOLOS_USAGE with the reason. The key is canonical. */
holos_status key_parse(const char *name, tb_key *out, holos_error *err);

/* The materials that a capture or a promotion leads to, canonical, without bare kings. Returns how many; `out` has
 * room for KEY_SUCCESSORS_MOST: for each side five pieces to take, four to promote to, and both at once. */
#define KEY_SUCCESSORS_MOST (2 * (5 + 4 + 4 * 5))
unsigned key_successors(tb_key key, tb_key *out);
/* A material and all that play from it may come to, canonical, each after those that it depends on. Returns how many
 * there are; writes at most `most`. */
size_t key_closure(tb_key key, tb_key *out, size_t most);
/* The materials from which a capture or a promotion leads to this one, canonical, in that order, without those of
 * more than `pieces` pieces. Returns how many; `out` has room for KEY_PARENTS_MOST. */
#define KEY_PARENTS_MOST 64
unsigned key_parents(tb_key key, unsigned pieces, tb_key *out);
/* Whether a key is among some in ascending order. */
bool keys_contain(const tb_key *keys, size_t count, tb_key key);
/* All canonical materials of 3 to `pieces` pieces, each after those that it depends on. */
size_t key_all(unsigned pieces, tb_key *out, size_t most);

#endif
