/* SPDX-License-Identifier: MIT */

#include "games/chess/symmetry.h"

#include <string.h>

typedef chess_set set_map(chess_set set);

static chess_set set_flip(chess_set set) /* ranks */
{
    return __builtin_bswap64(set);
}

static chess_set set_mirror(chess_set set) /* files */
{
    set = (set >> 1 & UINT64_C(0x5555555555555555)) | (set & UINT64_C(0x5555555555555555)) << 1;
    set = (set >> 2 & UINT64_C(0x3333333333333333)) | (set & UINT64_C(0x3333333333333333)) << 2;
    return (set >> 4 & UINT64_C(0x0F0F0F0F0F0F0F0F)) | (set & UINT64_C(0x0F0F0F0F0F0F0F0F)) << 4;
}

static chess_set set_transpose(chess_set set) /* files for ranks */
{
    static const struct {
        chess_set mask;
        unsigned shift;
    } steps[] = {{UINT64_C(0x0F0F0F0F00000000), 28},
                 {UINT64_C(0x3333000033330000), 14},
                 {UINT64_C(0x5500550055005500), 7}};
    for (size_t i = 0; i < 3; i++) {
        chess_set t = steps[i].mask & (set ^ set << steps[i].shift);
        set ^= t ^ t >> steps[i].shift;
    }
    return set;
}

static chess_position position_map(const chess_position *p, set_map *map)
{
    chess_position image = *p;
    for (unsigned side = 0; side < 2; side++)
        image.sides[side] = map(p->sides[side]);
    for (unsigned kind = CHESS_ANY; kind <= CHESS_KING; kind++)
        image.kinds[kind] = map(p->kinds[kind]);
    if (p->en_passant != 0)
        image.en_passant = (uint8_t)set_first(map(chess_bit(p->en_passant)));
    return image;
}

chess_position position_swap(const chess_position *p)
{
    chess_position image = position_map(p, set_flip);
    chess_set white = image.sides[0];
    image.sides[0] = image.sides[1];
    image.sides[1] = white;
    image.side ^= 1;
    image.castling = (uint8_t)(p->castling >> 2 | (p->castling & 3) << 2);
    return image;
}

unsigned position_images(const chess_position *p, chess_position *out)
{
    unsigned count = 0;
    out[count++] = *p;
    out[count++] = position_swap(p);
    if (p->castling != 0)
        return count;
    set_map *const maps[] = {set_mirror, set_flip, set_transpose};
    unsigned map_count = p->kinds[CHESS_PAWN] == 0 ? 3 : 1;
    for (unsigned i = 0; i < map_count; i++)
        for (unsigned k = 0, before = count; k < before; k++)
            out[count++] = position_map(&out[k], maps[i]);
    return count;
}

/* Where the white king stands decides between images; only on the long diagonal does it leave two. */
chess_position position_canonical(const chess_position *p)
{
    chess_position image = p->side == CHESS_WHITE ? *p : position_swap(p);
    if (p->castling != 0)
        return image;
    unsigned king = position_king(&image, CHESS_WHITE);
    if (chess_file_of(king) > 3)
        image = position_map(&image, set_mirror);
    if (p->kinds[CHESS_PAWN] != 0)
        return image;
    if (chess_rank_of(king) > 3)
        image = position_map(&image, set_flip);
    king = position_king(&image, CHESS_WHITE);
    if (chess_rank_of(king) < chess_file_of(king))
        return image;
    chess_position other = position_map(&image, set_transpose);
    bool diagonal = chess_rank_of(king) == chess_file_of(king);
    return diagonal && memcmp(&image, &other, sizeof image) <= 0 ? image : other;
}
