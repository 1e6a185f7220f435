/* SPDX-License-Identifier: MIT */

/* Positions, moves and values in words, for every verb that shows them. */

#ifndef HOLOS_CLI_WORDS_H
#define HOLOS_CLI_WORDS_H

#include "cli/output.h"

#include <holos/holos.h>

void words_position(text *t, const holos_variant *v, const holos_position *position);
void words_drawing(text *t, const holos_variant *v, const holos_position *position);
void words_move(text *t, const holos_variant *v, const holos_position *position, holos_move move);
/* Moves of one position: "3, 4, 5". */
void words_moves(text *t, const holos_variant *v, const holos_position *position, const holos_move *moves,
                 size_t count);

/* A line of play, move by move: each is named in the position in which it is made. */
void words_play(text *t, const holos_variant *v, const holos_position *position, const holos_move *line,
                size_t length);

/* "win in 5 plies (score +3)", "between loss (score -2) and win (score +3)"; of a puzzle "solvable". */
void words_value(text *t, const holos_variant *v, holos_value value);
/* The same in a table: "+3", "-2..+3", "solvable"; with `weak` the outcome where it is known. */
void words_value_short(text *t, const holos_variant *v, holos_value value, bool weak);

/* Moves and their values, the best marked with a star, in rows of at most 80 columns. */
void words_move_table(text *t, const holos_variant *v, const holos_position *position, const holos_result *r,
                      bool weak, bool color);

#endif
