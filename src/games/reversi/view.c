/* SPDX-License-Identifier: MIT */

#include "core/json.h"
#include "games/reversi/reversi.h"

/* Boards lie in the corner of 8 x 8. */
static uint64_t cell_bit(const reversi_rules *rules, unsigned cell)
{
    return UINT64_C(1) << (cell / rules->size * 8 + cell % rules->size);
}

static void scene_board(const holos_variant *v, const holos_position *p, json *out)
{
    const reversi_rules *rules = reversi_rules_of(v);
    const reversi_position *position = reversi_of(p);
    uint64_t first = position->side == 0 ? position->board.mine : position->board.theirs;
    uint64_t both = position->board.mine | position->board.theirs;
    json_put_uint(out, "rows", rules->size);
    json_put_uint(out, "columns", rules->size);
    json_open(out, "cells", '[');
    for (unsigned i = 0; i < rules->size * rules->size; i++) {
        uint64_t bit = cell_bit(rules, i);
        json_put_string(out, NULL, (both & bit) == 0 ? "" : (first & bit) != 0 ? "x" : "o");
    }
    json_close(out);
    json_open(out, "discs", '[');
    json_put_uint(out, NULL, reversi_count(first));
    json_put_uint(out, NULL, reversi_count(both & ~first));
    json_close(out);
}

static unsigned scene_cells(const holos_variant *v, const holos_position *p, holos_move move,
                            uint16_t out[HOLOS_VIEW_CELLS])
{
    (void)p;
    out[0] = (uint16_t)(move / 8 * reversi_rules_of(v)->size + move % 8);
    return move == REVERSI_PASS ? 0 : 1;
}

const holos_view reversi_view = {.board = scene_board, .cells = scene_cells};
