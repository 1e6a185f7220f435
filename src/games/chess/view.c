/* SPDX-License-Identifier: MIT */

#include "core/json.h"
#include "games/chess/chess.h"
#include "games/chess/fen.h"

/* Squares as white sees them: a8 is the first, h1 the last. */
static unsigned cell_of(unsigned square)
{
    return square ^ 56;
}

static void scene_board(const holos_variant *v, const holos_position *position, json *out)
{
    (void)v;
    const chess_position *p = chess_of(position);
    json_put_uint(out, "rows", 8);
    json_put_uint(out, "columns", 8);
    json_open(out, "cells", '[');
    for (unsigned cell = 0; cell < 64; cell++) {
        unsigned piece = position_piece_at(p, cell_of(cell));
        json_put_string(out, NULL, piece != 0 ? (const char[]){fen_piece_char(piece), 0} : "");
    }
    json_close(out);
    json_open(out, "lit", '[');
    if (position_in_check(p, p->side))
        json_put_uint(out, NULL, cell_of(position_king(p, p->side)));
    json_close(out);
}

static unsigned scene_cells(const holos_variant *v, const holos_position *p, holos_move move,
                            uint16_t out[HOLOS_VIEW_CELLS])
{
    (void)v;
    (void)p;
    out[0] = (uint16_t)cell_of(move_from(move));
    out[1] = (uint16_t)cell_of(move_to(move));
    return 2;
}

const holos_view chess_view = {.board = scene_board, .cells = scene_cells};
