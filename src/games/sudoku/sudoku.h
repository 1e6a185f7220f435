/* SPDX-License-Identifier: MIT */

/* Inside sudoku: what the files of the game share. */

#ifndef HOLOS_SUDOKU_SUDOKU_H
#define HOLOS_SUDOKU_SUDOKU_H

#include "game/game.h"
#include "games/sudoku/rules.h"

static inline const sudoku_board *sudoku_board_of(const holos_position *p)
{
    return (const sudoku_board *)p;
}

/* A move is a cell and a digit from 1. */
static inline holos_move sudoku_move(unsigned cell, unsigned digit)
{
    return cell * 9 + digit - 1;
}

static inline unsigned sudoku_move_cell(holos_move move)
{
    return move / 9;
}

static inline unsigned sudoku_move_digit(holos_move move)
{
    return move % 9 + 1;
}

/* notation.c */
holos_status sudoku_parse(const holos_variant *v, const char *string, holos_position *out, holos_error *err);
void sudoku_format(const holos_variant *v, const holos_position *p, text *out);
holos_status sudoku_parse_move(const holos_variant *v, const holos_position *p, const char *string,
                               holos_move *out, holos_error *err);
void sudoku_format_move(const holos_variant *v, const holos_position *p, holos_move move, text *out);
void sudoku_draw(const holos_variant *v, const holos_position *p, text *out);

#endif
