/* SPDX-License-Identifier: MIT */

/* Inside sudoku: what the files of the game share.
 *
 * A position is three arrays, one after the other: what each cell holds (a byte, 0: nothing), which candidates somebody
 * has erased (a set of digits for each empty cell), and which cells are givens (a bit each). Only candidates that the
 * filled cells leave open count as erased, so that equal positions are equal bytes. */

#ifndef HOLOS_SUDOKU_SUDOKU_H
#define HOLOS_SUDOKU_SUDOKU_H

#include "game/game.h"
#include "games/sudoku/shape.h"
#include "games/sudoku/solver.h"

#include <string.h>

/* What a variant keeps. */
typedef struct sudoku_rules {
    sudoku_shape shape;
    const sudoku_solver *solver; /* for the usual 9 x 9; NULL for other shapes */
} sudoku_rules;

static inline const sudoku_rules *sudoku_rules_of(const holos_variant *v)
{
    return v->rules;
}

static inline const sudoku_shape *sudoku_shape_of(const holos_variant *v)
{
    return &sudoku_rules_of(v)->shape;
}

#define SUDOKU_POSITION_MOST (SHAPE_CELLS + 2 * SHAPE_CELLS + SHAPE_CELLS / 8) /* bytes, of any shape */

/* ---- Positions --------------------------------------------------------------------------------- */

static inline const uint8_t *sudoku_cells(const holos_position *p)
{
    return (const uint8_t *)p;
}

static inline uint8_t *sudoku_cells_mutable(holos_position *p)
{
    return (uint8_t *)p;
}

static inline const uint8_t *sudoku_given(const sudoku_shape *shape, const holos_position *p)
{
    return (const uint8_t *)p + shape->given_at;
}

static inline uint8_t *sudoku_given_mutable(const sudoku_shape *shape, holos_position *p)
{
    return (uint8_t *)p + shape->given_at;
}

static inline const uint16_t *sudoku_erased(const sudoku_shape *shape, const holos_position *p)
{
    return (const uint16_t *)(const void *)((const uint8_t *)p + shape->erased_at);
}

static inline uint16_t *sudoku_erased_mutable(const sudoku_shape *shape, holos_position *p)
{
    return (uint16_t *)(void *)((uint8_t *)p + shape->erased_at);
}

static inline bool sudoku_is_given(const sudoku_shape *shape, const holos_position *p, unsigned cell)
{
    return (sudoku_given(shape, p)[cell / 8] >> cell % 8 & 1) != 0;
}

static inline void sudoku_set_given(const sudoku_shape *shape, holos_position *p, unsigned cell)
{
    uint8_t *given = sudoku_given_mutable(shape, p);
    given[cell / 8] = (uint8_t)(given[cell / 8] | 1u << cell % 8);
}

/* The candidates of each empty cell, 0 for the others: what the filled cells leave open and nobody erased. */
void sudoku_candidates_of(const sudoku_shape *shape, const holos_position *p, uint16_t out[SHAPE_CELLS]);
/* Whether somebody has erased a candidate. */
bool sudoku_has_erased(const sudoku_shape *shape, const holos_position *p);
/* Writes a digit (from 1) that the cell may hold. */
void sudoku_write(const sudoku_shape *shape, holos_position *p, unsigned cell, unsigned digit);

/* The position as the solver for 9 x 9 takes it. */
void sudoku_grid_from_position(const sudoku_shape *shape, const holos_position *p, sudoku_grid *out);
/* The position with all its cells filled in. */
void sudoku_fill(const sudoku_shape *shape, const holos_position *p, const uint8_t *solution,
                 holos_position *out);

/* ---- Moves: a cell and a digit from 1 ---------------------------------------------------------- */

static inline holos_move sudoku_move(const sudoku_shape *shape, unsigned cell, unsigned digit)
{
    return cell * shape->size + digit - 1;
}

static inline unsigned sudoku_move_cell(const sudoku_shape *shape, holos_move move)
{
    return move / shape->size;
}

static inline unsigned sudoku_move_digit(const sudoku_shape *shape, holos_move move)
{
    return move % shape->size + 1;
}

/* notation.c */
void sudoku_write_line(const holos_variant *v, const holos_position *p, text *out);
void sudoku_write_candidates(const holos_variant *v, const holos_position *p, text *out);
holos_status sudoku_parse(const holos_variant *v, const char *string, holos_position *out, holos_error *err);
void sudoku_format(const holos_variant *v, const holos_position *p, text *out);
holos_status sudoku_parse_move(const holos_variant *v, const holos_position *p, const char *string,
                               holos_move *out, holos_error *err);
void sudoku_format_move(const holos_variant *v, const holos_position *p, holos_move move, text *out);
void sudoku_draw(const holos_variant *v, const holos_position *p, text *out);

extern const holos_notation sudoku_notations[];

/* general.c: counts the solutions of a position of any shape, as holos_puzzle.count does. */
void sudoku_general_count(const sudoku_shape *shape, const holos_position *p, const sudoku_limits *limits,
                          holos_position *first, holos_puzzle_answer *out);

/* The values of sudoku's options for making puzzles. */
typedef struct sudoku_make_settings {
    unsigned symmetry;
} sudoku_make_settings;

/* The symmetry that a request asks for, as sudoku_carry counts them. */
unsigned sudoku_symmetry_of(const holos_puzzle_request *request);

/* general.c: makes puzzles of any shape, as holos_puzzle.generate does. */
holos_status sudoku_general_make(const sudoku_shape *shape, const holos_puzzle_request *request,
                                 uint64_t first, size_t count, struct limits *work, holos_position *out,
                                 size_t *made, holos_error *err);

/* picture.c */
void sudoku_picture(const holos_variant *v, const holos_position *p, const holos_step *step, text *out);

/* view.c */
extern const holos_view sudoku_scenes;

/* techniques/techniques.c */
extern const holos_deduction sudoku_deduction;

#endif
