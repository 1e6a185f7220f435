/* SPDX-License-Identifier: MIT */

#include "games/chess/tables/layout.h"

#include <string.h>

static void layout_pieces(tb_layout *l, const index_shape *shape)
{
    for (unsigned i = 0; i < 2; i++) {
        unsigned side = i == 0 ? shape->leading_side : 1u - shape->leading_side;
        for (unsigned n = key_count(l->key, side, CHESS_PAWN); n > 0 && l->pawn_count < LAYOUT_EXTRAS_MOST;
             n--)
            l->pawns[l->pawn_count++] = (uint8_t)piece_make(side, CHESS_PAWN);
    }
    for (unsigned side = 0; side < 2; side++)
        for (unsigned kind = CHESS_QUEEN; kind > CHESS_PAWN; kind--)
            for (unsigned n = key_count(l->key, side, kind); n > 0 && l->mover_count < LAYOUT_EXTRAS_MOST;
                 n--)
                l->movers[l->mover_count++] = (uint8_t)piece_make(side, kind);
}

bool layout_init(tb_layout *l, const index_maps *m, tb_key key)
{
    index_shape shape = index_shape_of(key);
    *l = (tb_layout){.key = key, .piece_count = shape.pieces, .leading_pawns = shape.leading_pawns};
    if (shape.pieces > LAYOUT_PIECES_MOST)
        return false;
    layout_pieces(l, &shape);
    l->kings = l->pawn_count > 0 ? 64 : INDEX_TRIANGLE;
    l->rest = m->choose[shape.other_pawns][48 - shape.leading_pawns];
    l->slices = 1;
    if (l->pawn_count > 0) {
        for (unsigned file = 0; file < 4; file++)
            l->file_first[file + 1] = l->file_first[file] + m->lead_size[shape.leading_pawns][file] * l->rest;
        l->slices = l->file_first[4];
    }
    l->rows = (uint32_t)l->kings << 6 * l->mover_count;
    return true;
}

static void sort_squares(uint8_t *squares, unsigned count, const uint8_t *weight)
{
    for (unsigned i = 1; i < count; i++)
        for (unsigned k = i; k > 0; k--) {
            bool wrong =
                weight != NULL ? weight[squares[k]] < weight[squares[k - 1]] : squares[k] < squares[k - 1];
            if (!wrong)
                break;
            uint8_t s = squares[k];
            squares[k] = squares[k - 1];
            squares[k - 1] = s;
        }
}

uint32_t layout_slice(const tb_layout *l, const index_maps *m, const uint8_t *pawns, bool *mirrored)
{
    uint8_t s[LAYOUT_EXTRAS_MOST] = {0};
    unsigned lead = l->leading_pawns;
    *mirrored = false;
    if (l->pawn_count == 0)
        return 0;
    memcpy(s, pawns, l->pawn_count);
    sort_squares(s, lead, m->pawn); /* the leading one last */
    unsigned front = s[lead - 1];
    *mirrored = chess_file_of(front) > 3;
    if (*mirrored) {
        for (unsigned i = 0; i < l->pawn_count; i++)
            s[i] ^= 7;
        front ^= 7;
        sort_squares(s, lead, m->pawn);
    }
    uint32_t number = m->lead_first[lead][front], rest = 0;
    for (unsigned i = 0; i + 1 < lead; i++)
        number += m->choose[i + 1][m->pawn[s[i]]];
    sort_squares(s + lead, l->pawn_count - lead, NULL);
    for (unsigned i = lead; i < l->pawn_count; i++) {
        unsigned square = s[i] - 8u;
        for (unsigned k = 0; k < lead; k++)
            square -= s[i] > s[k];
        rest += m->choose[i - lead + 1][square];
    }
    return l->file_first[chess_file_of(front)] + number * l->rest + rest;
}

void layout_slice_pawns(const tb_layout *l, const index_maps *m, uint32_t slice, uint8_t *pawns)
{
    if (l->pawn_count == 0)
        return;
    index_encoding e = {.has_pawns = true, .leading_pawns = l->leading_pawns, .both_pawns = true};
    while (slice >= l->file_first[e.file + 1])
        e.file++;
    slice -= l->file_first[e.file];
    e.groups[0] = (index_group){0, l->leading_pawns, l->rest, m->lead_size[l->leading_pawns][e.file]};
    e.groups[1] = (index_group){l->leading_pawns, (uint8_t)(l->pawn_count - l->leading_pawns), 1, l->rest};
    e.group_count = l->pawn_count > l->leading_pawns ? 2 : 1;
    index_unrank(&e, m, slice, pawns);
}

uint64_t layout_row(const tb_layout *l, const index_maps *m, const tb_placement *at, unsigned *turn)
{
    bool mirrored;
    uint32_t slice = layout_slice(l, m, at->pawns, &mirrored);
    unsigned king = at->king[CHESS_WHITE];
    *turn = l->pawn_count == 0 ? m->into_triangle[king] : mirrored ? 1 : 0;
    const uint8_t *turned = m->turned[*turn];
    king = l->pawn_count == 0 ? m->triangle[turned[king]] : turned[king];
    uint64_t row = (uint64_t)slice * l->kings + king;
    for (unsigned i = 0; i < l->mover_count; i++)
        row = row << 6 | turned[at->movers[i]];
    return row;
}

uint64_t layout_index(const tb_layout *l, const index_maps *m, const tb_placement *at)
{
    unsigned turn;
    uint64_t row = layout_row(l, m, at, &turn);
    return row << 6 | m->turned[turn][at->king[CHESS_BLACK]];
}
