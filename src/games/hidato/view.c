/* SPDX-License-Identifier: MIT */

#include "core/json.h"
#include "games/hidato/hidato.h"

#include <stdio.h>

static const char *const shapes[] = {[HIDATO_KING] = "king", [HIDATO_ROOK] = "rook", [HIDATO_HEX] = "hex"};

static void scene_board(const holos_variant *v, const holos_position *p, json *out)
{
    const hidato_board *b = hidato_board_of(p);
    unsigned places = (unsigned)b->rows * b->columns;
    json_put_uint(out, "rows", b->rows);
    json_put_uint(out, "columns", b->columns);
    json_put_string(out, "neighbours", shapes[hidato_kind_of(v)]);
    json_put_uint(out, "last", b->cells);
    json_open(out, "cells", '[');
    for (unsigned place = 0; place < places; place++) {
        char number[8] = "#";
        if (b->numbers[place] != HIDATO_HOLE)
            snprintf(number, sizeof number, "%u", b->numbers[place]);
        json_put_string(out, NULL, b->numbers[place] != 0 ? number : "");
    }
    json_close(out);
    json_open(out, "given", '[');
    for (unsigned place = 0; place < places; place++)
        if (hidato_is_given(b, place) && hidato_is_number(b->numbers[place]))
            json_put_uint(out, NULL, place);
    json_close(out);
}

const holos_view hidato_view = {.board = scene_board};
