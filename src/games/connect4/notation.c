/* SPDX-License-Identifier: MIT */

/* Written for wide words: narrow boards have the same bits in the same places. */

#include "games/connect4/order.h"

#include "core/json.h"
#include "games/connect4/board.h"
#include "games/connect4/notation.h"

#include <string.h>

/* Columns in the order of the board. No letter for a stone is among the first 16. */
static const char column_names[] = "123456789abcdefg";
_Static_assert(sizeof column_names - 1 == C4_MAX_SIDE, "every column has a name");

static c4_shape notation_shape(const holos_variant *v)
{
    c4_size size = c4_variant_size(v);
    return c4_shape_make(size.width, size.height);
}

static c4_board notation_load(const holos_variant *v, const holos_position *p)
{
    if (c4_is_wide(v))
        return *(const c4_board *)p;
    uint64_t words[2];
    memcpy(words, p, sizeof words);
    return (c4_board){.mine = words[0], .both = words[1]};
}

static void notation_save(const holos_variant *v, c4_board board, holos_position *out)
{
    if (c4_is_wide(v)) {
        *(c4_board *)out = board;
        return;
    }
    uint64_t words[2] = {(uint64_t)board.mine, (uint64_t)board.both};
    memcpy(out, words, sizeof words);
}

/* ---- Columns ----------------------------------------------------------------------------------- */

/* Reads the name of a column that takes another stone; `code` is the kind of error. */
static holos_status read_column(const c4_shape *shape, c4_board board, const char *string, int64_t at,
                                holos_status code, unsigned *out, holos_error *err)
{
    char c = string[at], shown[8], last = column_names[shape->size.width - 1];
    const char *name = strchr(column_names, c);
    if (c != '0' && (name == NULL || c == 0))
        return error_set(err, code, at, "'%s' is not a column: the board has columns 1 to %c",
                         text_show_char((unsigned char)c, shown), last);
    if (c == '0' || name > column_names + shape->size.width - 1)
        return error_set(err, code, at, "column %c does not exist: the board has columns 1 to %c", c, last);
    unsigned column = (unsigned)(name - column_names);
    if ((c4_column(shape, column) & ~board.both) == 0)
        return error_set(err, code, at, "column %c is full", c);
    *out = column;
    return HOLOS_OK;
}

static holos_status parse_moves(const c4_shape *shape, const char *string, c4_board *out, holos_error *err)
{
    c4_board board = {0, 0};
    for (int64_t at = 0; string[at] != 0; at++) {
        unsigned column = 0;
        if (c4_has_four(shape, c4_theirs(board)))
            return error_set(err, HOLOS_BAD_POSITION, at, "the game was over after %lld moves",
                             (long long)at);
        if (at == c4_size_cells(shape->size))
            return error_set(err, HOLOS_BAD_POSITION, at, "the board was full after %lld moves",
                             (long long)at);
        holos_status status = read_column(shape, board, string, at, HOLOS_BAD_POSITION, &column, err);
        if (status != HOLOS_OK)
            return status;
        board = c4_play(board, c4_playable(shape, board.both) & c4_column(shape, column));
    }
    *out = board;
    return HOLOS_OK;
}

/* ---- Rows -------------------------------------------------------------------------------------- */

/* Reads the rows, the highest first, into the stones of the first and the second player. */
static holos_status read_rows(const c4_shape *shape, const char *string, c4_word stones[2], holos_error *err)
{
    unsigned width = shape->size.width, height = shape->size.height;
    int64_t at = 0;
    for (unsigned row = height; row-- > 0;) {
        for (unsigned column = 0; column < width; column++, at++) {
            char shown[8];
            if (string[at] == 0 || string[at] == '/')
                return error_set(err, HOLOS_BAD_POSITION, at, "row %u ends after %u of %u cells",
                                 height - row, column, width);
            if (strchr("xo.", string[at]) == NULL)
                return error_set(err, HOLOS_BAD_POSITION, at, "'%s' is not a cell: write x, o or .",
                                 text_show_char((unsigned char)string[at], shown));
            if (string[at] != '.')
                stones[string[at] == 'o'] |= c4_cell(shape, column, row);
        }
        if (row > 0 && string[at] == 0)
            return error_set(err, HOLOS_BAD_POSITION, at, "only %u of %u rows", height - row, height);
        if (row == 0 && string[at] == '/')
            return error_set(err, HOLOS_BAD_POSITION, at, "more than %u rows", height);
        if (string[at] != (row > 0 ? '/' : 0))
            return error_set(err, HOLOS_BAD_POSITION, at, "row %u has more than %u cells", height - row,
                             width);
        at++;
    }
    return HOLOS_OK;
}

static holos_status check_gravity(const c4_shape *shape, c4_word both, holos_error *err)
{
    unsigned width = shape->size.width, height = shape->size.height;
    for (unsigned column = 0; column < width; column++)
        for (unsigned row = 1; row < height; row++)
            if ((both & c4_cell(shape, column, row)) != 0 && (both & c4_cell(shape, column, row - 1)) == 0)
                return error_set(err, HOLOS_BAD_POSITION, (height - 1 - row) * (width + 1) + column,
                                 "the stone in column %c, row %u from the bottom hangs in the air",
                                 column_names[column], row + 1);
    return HOLOS_OK;
}

/* True if the stones have no four, or got their fours with one last stone. */
static bool four_is_fresh(const c4_shape *shape, c4_word stones, c4_word both)
{
    if (!c4_has_four(shape, stones))
        return true;
    c4_word tops = (both + shape->bottom) >> 1 & stones;
    for (unsigned column = 0; column < shape->size.width; column++) {
        c4_word last = tops & c4_column(shape, column);
        if (last != 0 && !c4_has_four(shape, stones ^ last))
            return true;
    }
    return false;
}

static holos_status parse_rows(const c4_shape *shape, const char *string, c4_board *out, holos_error *err)
{
    c4_word stones[2] = {0, 0};
    holos_status status = read_rows(shape, string, stones, err);
    if (status == HOLOS_OK)
        status = check_gravity(shape, stones[0] | stones[1], err);
    if (status != HOLOS_OK)
        return status;
    unsigned first = c4_count(stones[0]), second = c4_count(stones[1]);
    if (first != second && first != second + 1)
        return error_set(err, HOLOS_BAD_POSITION, HOLOS_NOWHERE,
                         "%u x and %u o: x begins, so there are as many x as o, or one more", first, second);
    unsigned to_move = first != second;
    c4_board board = {.mine = stones[to_move], .both = stones[0] | stones[1]};
    if (c4_has_four(shape, board.mine))
        return error_set(err, HOLOS_BAD_POSITION, HOLOS_NOWHERE, "%c moved after %c had four in a row",
                         "ox"[to_move], "xo"[to_move]);
    if (!four_is_fresh(shape, c4_theirs(board), board.both))
        return error_set(err, HOLOS_BAD_POSITION, HOLOS_NOWHERE, "%c has fours that no single stone can make",
                         "ox"[to_move]);
    *out = board;
    return HOLOS_OK;
}

static void format_rows(const c4_shape *shape, c4_board board, text *out)
{
    unsigned to_move = c4_stones(board) % 2;
    for (unsigned row = shape->size.height; row-- > 0;) {
        for (unsigned column = 0; column < shape->size.width; column++) {
            c4_word cell = c4_cell(shape, column, row);
            unsigned player = (board.mine & cell) != 0 ? to_move : 1 - to_move;
            text_char(out, (board.both & cell) == 0 ? '.' : "xo"[player]);
        }
        if (row > 0)
            text_char(out, '/');
    }
}

/* ---- The contract ------------------------------------------------------------------------------ */

holos_status c4_parse(const holos_variant *v, const char *string, holos_position *out, holos_error *err)
{
    c4_shape shape = notation_shape(v);
    c4_board board = {0, 0};
    bool rows = strpbrk(string, "/.xo") != NULL;
    holos_status status =
        rows ? parse_rows(&shape, string, &board, err) : parse_moves(&shape, string, &board, err);
    if (status == HOLOS_OK)
        notation_save(v, board, out);
    return status;
}

void c4_format(const holos_variant *v, const holos_position *p, text *out)
{
    c4_shape shape = notation_shape(v);
    c4_board board = notation_load(v, p);
    unsigned char columns[C4_MAX_CELLS];
    if (!c4_find_order(&shape, board, columns)) {
        format_rows(&shape, board, out);
        return;
    }
    for (unsigned i = 0; i < c4_stones(board); i++)
        text_char(out, column_names[columns[i]]);
}

holos_status c4_parse_move(const holos_variant *v, const holos_position *p, const char *string,
                           holos_move *out, holos_error *err)
{
    c4_shape shape = notation_shape(v);
    c4_board board = notation_load(v, p);
    if (board.both == shape.cells || c4_has_four(&shape, c4_theirs(board)))
        return error_set(err, HOLOS_BAD_MOVE, HOLOS_NOWHERE, "the game is over");
    if (string[0] == 0 || string[1] != 0)
        return error_set(err, HOLOS_BAD_MOVE, string[0] != 0, "a move is one column, 1 to %c",
                         column_names[shape.size.width - 1]);
    return read_column(&shape, board, string, 0, HOLOS_BAD_MOVE, out, err);
}

void c4_format_move(const holos_variant *v, const holos_position *p, holos_move move, text *out)
{
    (void)v;
    (void)p;
    text_char(out, column_names[move]);
}

void c4_draw(const holos_variant *v, const holos_position *p, text *out)
{
    c4_shape shape = notation_shape(v);
    c4_board board = notation_load(v, p);
    unsigned to_move = c4_stones(board) % 2;
    text_char(out, ' ');
    for (unsigned column = 0; column < shape.size.width; column++)
        text_printf(out, " %c", column_names[column]);
    for (unsigned row = shape.size.height; row-- > 0;) {
        text_string(out, "\n│");
        for (unsigned column = 0; column < shape.size.width; column++) {
            c4_word cell = c4_cell(&shape, column, row);
            unsigned player = (board.mine & cell) != 0 ? to_move : 1 - to_move;
            text_printf(out, " %c", (board.both & cell) == 0 ? '.' : "xo"[player]);
        }
        text_string(out, " │");
    }
    text_string(out, "\n└");
    for (unsigned i = 0; i < 2 * shape.size.width + 1; i++)
        text_string(out, "─");
    text_string(out, "┘\n");
    if (c4_has_four(&shape, c4_theirs(board)))
        text_printf(out, "%c has won", "ox"[to_move]);
    else if (board.both == shape.cells)
        text_string(out, "a draw");
    else
        text_printf(out, "%c to move", "xo"[to_move]);
    text_printf(out, ", %u %s\n", c4_stones(board), c4_stones(board) == 1 ? "stone" : "stones");
}

/* ---- A picture --------------------------------------------------------------------------------- */

enum { SIDE = 60, MARGIN = 24 }; /* pixels: of a cell, around the board */

static c4_along cells_of_fours(c4_along stones, c4_step step)
{
    c4_along first = c4_fours_along(stones, step), pairs = first | first << step;
    return pairs | pairs << 2 * step;
}

static void picture_cell(const c4_shape *shape, c4_board board, unsigned column, unsigned row, text *out)
{
    unsigned to_move = c4_stones(board) % 2;
    c4_word cell = c4_cell(shape, column, row);
    const char *look = (board.both & cell) == 0                                  ? "e"
                       : ((board.mine & cell) != 0 ? to_move : 1 - to_move) == 0 ? "x"
                                                                                 : "o";
    unsigned x = MARGIN + SIDE * column + SIDE / 2;
    unsigned y = MARGIN + SIDE * (shape->size.height - 1 - row) + SIDE / 2;
    text_printf(out, "<circle class=\"%s%s\" cx=\"%u\" cy=\"%u\" r=\"%d\"/>\n", look,
                (C4_LINES(cells_of_fours, shape, c4_theirs(board)) & cell) != 0 ? " w" : "", x, y,
                SIDE * 2 / 5);
}

void c4_picture(const holos_variant *v, const holos_position *p, const holos_step *step, text *out)
{
    (void)step; /* there are no deductions */
    c4_shape shape = notation_shape(v);
    c4_board board = notation_load(v, p);
    unsigned width = SIDE * shape.size.width, height = SIDE * shape.size.height;
    text_printf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
                "viewBox=\"0 0 %u %u\">\n"
                "<style>\n"
                "text{font-family:sans-serif;font-size:14px;text-anchor:middle;fill:#777}\n"
                ".e{fill:#fff}.x{fill:#f4c430}.o{fill:#c8322b}.w{stroke:#fff;stroke-width:5}\n"
                "</style>\n"
                "<rect width=\"%u\" height=\"%u\" fill=\"#fff\"/>\n"
                "<rect x=\"%d\" y=\"%d\" width=\"%u\" height=\"%u\" rx=\"10\" fill=\"#1656b0\"/>\n",
                width + 2 * MARGIN, height + 2 * MARGIN, width + 2 * MARGIN, height + 2 * MARGIN,
                width + 2 * MARGIN, height + 2 * MARGIN, MARGIN, MARGIN, width, height);
    for (unsigned column = 0; column < shape.size.width; column++) {
        text_printf(out, "<text x=\"%u\" y=\"%d\">%c</text>\n", MARGIN + SIDE * column + SIDE / 2,
                    MARGIN * 3 / 4, column_names[column]);
        for (unsigned row = 0; row < shape.size.height; row++)
            picture_cell(&shape, board, column, row, out);
    }
    text_string(out, "</svg>\n");
}

/* ---- A scene ----------------------------------------------------------------------------------- */

static void scene_board(const holos_variant *v, const holos_position *p, json *out)
{
    c4_shape shape = notation_shape(v);
    c4_board board = notation_load(v, p);
    unsigned to_move = c4_stones(board) % 2, width = shape.size.width, height = shape.size.height;
    c4_word fours = C4_LINES(cells_of_fours, &shape, c4_theirs(board));
    json_put_uint(out, "rows", height);
    json_put_uint(out, "columns", width);
    json_open(out, "cells", '[');
    for (unsigned row = height; row-- > 0;)
        for (unsigned column = 0; column < width; column++) {
            c4_word cell = c4_cell(&shape, column, row);
            unsigned player = (board.mine & cell) != 0 ? to_move : 1 - to_move;
            json_put_string(out, NULL, (board.both & cell) == 0 ? "" : player == 0 ? "x" : "o");
        }
    json_close(out);
    json_open(out, "lit", '[');
    for (unsigned i = 0; i < width * height; i++)
        if ((fours & c4_cell(&shape, i % width, height - 1 - i / width)) != 0)
            json_put_uint(out, NULL, i);
    json_close(out);
}

static unsigned scene_cells(const holos_variant *v, const holos_position *p, holos_move move,
                            uint16_t out[HOLOS_VIEW_CELLS])
{
    c4_shape shape = notation_shape(v);
    c4_board board = notation_load(v, p);
    unsigned row = c4_count(board.both & c4_column(&shape, move));
    out[0] = (uint16_t)((shape.size.height - 1 - row) * shape.size.width + move);
    return 1;
}

const holos_view c4_view = {.board = scene_board, .cells = scene_cells};
