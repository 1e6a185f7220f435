/* SPDX-License-Identifier: MIT */

/* Where waves back may begin: mates with the pieces of a position, or with fewer. They are found by placing pieces at
 * random, the king that is to be mated at the edge. */

#include "games/chess/seeds.h"

#include "core/rng.h"
#include "games/chess/fen.h"

/* Among placements of a queen or rook about one in a thousand is a mate. */
#define TRIES_EACH 4000

/* Puts a piece on a random empty square that it may stand on. */
static void put_somewhere(chess_position *p, unsigned piece, chess_set where, rng *r)
{
    where &= ~p->kinds[CHESS_ANY];
    if (piece_kind(piece) == CHESS_PAWN)
        where &= ~(CHESS_RANK_1 | CHESS_RANK_8);
    if (where == 0)
        return;
    for (uint64_t skip = rng_below(r, set_count(where)); skip > 0; skip--)
        where &= where - 1;
    position_put(p, piece, set_first(where));
}

/* One try with these pieces; `loser` is to move. */
static bool try_mate(const chess_material *m, unsigned loser, rng *r, chess_position *p)
{
    static const chess_set edge = CHESS_RANK_1 | CHESS_RANK_8 | CHESS_FILE_A | CHESS_FILE_H;
    *p = (chess_position){.side = (uint8_t)loser, .number = 1};
    put_somewhere(p, piece_make(loser, CHESS_KING), edge, r);
    unsigned king = position_king(p, loser);
    /* The other king two files or ranks away guards the way out. */
    chess_set near = SET_KING(chess_king_attacks(king)) & ~chess_king_attacks(king);
    put_somewhere(p, piece_make(1 - loser, CHESS_KING), rng_below(r, 4) > 0 ? near : ~UINT64_C(0), r);
    for (unsigned side = 0; side < 2; side++)
        for (unsigned kind = CHESS_PAWN; kind < CHESS_KING; kind++)
            for (unsigned i = 0; i < m->counts[side][kind]; i++)
                put_somewhere(p, piece_make(side, kind), ~UINT64_C(0), r);
    return position_in_check(p, loser) && position_count_moves(p) == 0 && position_fault(p) == NULL;
}

unsigned chess_find_mates(const chess_material *m, uint64_t seed, unsigned most, chess_position *out)
{
    rng r;
    unsigned found = 0;
    rng_init(&r, seed, 0);
    for (unsigned i = 0; i < TRIES_EACH * (uint64_t)most && found < most; i++)
        found += try_mate(m, i % 2, &r, &out[found]);
    return found;
}
