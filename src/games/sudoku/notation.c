/* SPDX-License-Identifier: MIT */

#include "games/sudoku/sudoku.h"

static const char *const house_kinds[] = {"row", "column", "box"};

/* The first cell that sees `cell` and holds `digit`, looking at its row, its column and its box in turn;
 * SUDOKU_CELLS if there is none. *house is where they meet. */
static unsigned find_conflict(const uint8_t cells[SUDOKU_CELLS], unsigned cell, unsigned digit,
                              unsigned *house)
{
    unsigned houses[] = {sudoku_row(cell), 9 + sudoku_column(cell), 18 + sudoku_box(cell)};
    for (unsigned i = 0; i < 3; i++)
        for (unsigned place = 0; place < 9; place++) {
            unsigned other = sudoku_house_cell(houses[i], place);
            if (other != cell && cells[other] == digit) {
                *house = houses[i];
                return other;
            }
        }
    return SUDOKU_CELLS;
}

/* ---- Positions --------------------------------------------------------------------------------- */

/* Finds the 81 cells in a text that may have spaces, new lines and drawn lines between them. */
static holos_status read_cells(const char *string, uint8_t cells[SUDOKU_CELLS], int64_t at[SUDOKU_CELLS],
                               holos_error *err)
{
    unsigned count = 0;
    const char *s = string;
    for (; *s != 0; s++) {
        char shown[8];
        if (strchr(" \t\r\n|-+", *s) != NULL)
            continue;
        if (*s != '.' && (*s < '0' || *s > '9'))
            return error_set(err, HOLOS_BAD_POSITION, s - string,
                             "'%s' is not a cell: write 1 to 9, and . or 0 for an empty one",
                             text_show_char((unsigned char)*s, shown));
        if (count == SUDOKU_CELLS)
            return error_set(err, HOLOS_BAD_POSITION, s - string, "more than 81 cells");
        at[count] = s - string;
        cells[count++] = (uint8_t)(*s == '.' ? 0 : *s - '0');
    }
    if (count < SUDOKU_CELLS)
        return error_set(err, HOLOS_BAD_POSITION, s - string, "only %u cells: a grid has 81", count);
    return HOLOS_OK;
}

static holos_status conflict_error(unsigned digit, unsigned house, unsigned first, unsigned second,
                                   int64_t at, holos_error *err)
{
    return error_set(err, HOLOS_BAD_POSITION, at, "two %us in %s %u: r%uc%u and r%uc%u", digit,
                     house_kinds[house / 9], house % 9 + 1, sudoku_row(first) + 1, sudoku_column(first) + 1,
                     sudoku_row(second) + 1, sudoku_column(second) + 1);
}

holos_status sudoku_parse(const holos_variant *v, const char *string, holos_position *out, holos_error *err)
{
    (void)v;
    sudoku_board board = {0};
    int64_t at[SUDOKU_CELLS];
    holos_status status = read_cells(string, board.cells, at, err);
    if (status != HOLOS_OK)
        return status;
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++) {
        unsigned digit = board.cells[cell], house;
        if (digit == 0)
            continue;
        unsigned other = find_conflict(board.cells, cell, digit, &house);
        if (other < SUDOKU_CELLS)
            return conflict_error(digit, house, cell, other, at[other], err);
        sudoku_set_given(&board, cell);
    }
    memcpy(out, &board, sizeof board);
    return HOLOS_OK;
}

void sudoku_format(const holos_variant *v, const holos_position *p, text *out)
{
    (void)v;
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
        text_char(out, ".123456789"[sudoku_board_of(p)->cells[cell]]);
}

/* ---- Moves ------------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '1' && c <= '9';
}

holos_status sudoku_parse_move(const holos_variant *v, const holos_position *p, const char *string,
                               holos_move *out, holos_error *err)
{
    const uint8_t *cells = sudoku_board_of(p)->cells;
    int32_t score;
    if (v->game->terminal(v, p, &score))
        return error_set(err, HOLOS_BAD_MOVE, HOLOS_NOWHERE,
                         score > 0 ? "the grid is full" : "there are no moves: a cell has no candidate left");
    if (strlen(string) != 6 || string[0] != 'r' || !is_digit(string[1]) || string[2] != 'c' ||
        !is_digit(string[3]) || string[4] != '=' || !is_digit(string[5]))
        return error_set(err, HOLOS_BAD_MOVE, 0, "'%.40s' is not a move: write row, column and digit, r3c7=5",
                         string);
    unsigned cell = (unsigned)(string[1] - '1') * 9 + (unsigned)(string[3] - '1'), house;
    unsigned digit = (unsigned)(string[5] - '0');
    if (cells[cell] != 0)
        return error_set(err, HOLOS_BAD_MOVE, 0, "r%cc%c holds a %u already", string[1], string[3],
                         cells[cell]);
    unsigned other = find_conflict(cells, cell, digit, &house);
    if (other < SUDOKU_CELLS)
        return error_set(err, HOLOS_BAD_MOVE, 5, "%s %u has a %u already: r%uc%u", house_kinds[house / 9],
                         house % 9 + 1, digit, sudoku_row(other) + 1, sudoku_column(other) + 1);
    *out = sudoku_move(cell, digit);
    return HOLOS_OK;
}

void sudoku_format_move(const holos_variant *v, const holos_position *p, holos_move move, text *out)
{
    (void)v;
    (void)p;
    unsigned cell = sudoku_move_cell(move);
    text_printf(out, "r%uc%u=%u", sudoku_row(cell) + 1, sudoku_column(cell) + 1, sudoku_move_digit(move));
}

/* ---- Drawing ----------------------------------------------------------------------------------- */

void sudoku_draw(const holos_variant *v, const holos_position *p, text *out)
{
    const uint8_t *cells = sudoku_board_of(p)->cells;
    unsigned empty = 0;
    text_string(out, "    1 2 3   4 5 6   7 8 9\n  ┌───────┬───────┬───────┐\n");
    for (unsigned row = 0; row < 9; row++) {
        if (row == 3 || row == 6)
            text_string(out, "  ├───────┼───────┼───────┤\n");
        text_printf(out, "%u ", row + 1);
        for (unsigned column = 0; column < 9; column++) {
            unsigned digit = cells[row * 9 + column];
            empty += digit == 0;
            text_string(out, column % 3 == 0 ? "│ " : "");
            text_char(out, ".123456789"[digit]);
            text_char(out, ' ');
        }
        text_string(out, "│\n");
    }
    text_string(out, "  └───────┴───────┴───────┘\n");
    int32_t score;
    if (!v->game->terminal(v, p, &score))
        text_printf(out, "%u empty %s\n", empty, empty == 1 ? "cell" : "cells");
    else
        text_string(out, score > 0 ? "solved\n" : "no solution: a cell has no candidate left\n");
}
