/* SPDX-License-Identifier: MIT */

/* Inside hidato: what the files of the contract share. The solver has a header of its own, solver.h. */

#ifndef HOLOS_HIDATO_HIDATO_H
#define HOLOS_HIDATO_HIDATO_H

#include "games/hidato/board.h"

/* What a variant keeps. */
typedef struct hidato_rules {
    hidato_kind kind;
} hidato_rules;

static inline hidato_kind hidato_kind_of(const holos_variant *v)
{
    return ((const hidato_rules *)v->rules)->kind;
}

const char *hidato_kind_name(hidato_kind kind); /* as users type it: "hidato:4" */

/* ---- Moves: a place and the number that is written into it -------------------------------------- */

enum { HIDATO_MOVE_NUMBERS = 2048 };

static inline holos_move hidato_move(unsigned place, unsigned number)
{
    return place * HIDATO_MOVE_NUMBERS + number;
}

static inline unsigned hidato_move_place(holos_move move)
{
    return move / HIDATO_MOVE_NUMBERS;
}

static inline unsigned hidato_move_number(holos_move move)
{
    return move % HIDATO_MOVE_NUMBERS;
}

/* ---- notation.c --------------------------------------------------------------------------------- */

/* A board on its way in: what stands where, and at which byte of the text. */
typedef struct hidato_reading {
    hidato_board board;
    int64_t at[HIDATO_PLACES];
} hidato_reading;

/* The board of a reading that is too large: the error that says so. */
holos_status hidato_size_error(uint64_t rows, uint64_t columns, int64_t at, holos_error *err);

holos_status hidato_parse(const holos_variant *v, const char *string, holos_position *out, holos_error *err);
void hidato_format(const holos_variant *v, const holos_position *p, text *out);
holos_status hidato_parse_move(const holos_variant *v, const holos_position *p, const char *string,
                               holos_move *out, holos_error *err);
void hidato_format_move(const holos_variant *v, const holos_position *p, holos_move move, text *out);
void hidato_draw(const holos_variant *v, const holos_position *p, text *out);
extern const holos_notation hidato_notations[];

/* ---- ascent.c: game IDs of the puzzle "Ascent" ---------------------------------------------------- */

/* Whether a text looks like a game ID: "7x6mR:…". */
bool hidato_is_ascent(const char *string);
holos_status hidato_read_ascent(hidato_kind kind, const char *string, hidato_reading *out, holos_error *err);
void hidato_write_ascent(const holos_variant *v, const holos_position *p, text *out);

/* ---- record.c: JSON ------------------------------------------------------------------------------ */

holos_status hidato_read_json(hidato_kind kind, const char *string, hidato_reading *out, holos_error *err);
void hidato_write_json(const holos_variant *v, const holos_position *p, text *out);

/* ---- moves.c ------------------------------------------------------------------------------------- */

uint32_t hidato_expand(const holos_variant *v, const holos_position *p, holos_edges out);
uint32_t hidato_search_expand(const holos_variant *v, const holos_position *p, holos_edges out);
uint32_t hidato_predecessors(const holos_variant *v, const holos_position *p, holos_edges out);
holos_edge hidato_play(const holos_variant *v, const holos_position *p, holos_move move, holos_position *out);
bool hidato_terminal(const holos_variant *v, const holos_position *p, int32_t *score);
holos_key hidato_key(const holos_variant *v, const holos_position *p);
void hidato_bounds(const holos_variant *v, const holos_position *p, int32_t *lo, int32_t *hi);
uint64_t hidato_features(const holos_variant *v, const holos_position *p);
void hidato_signature(const holos_variant *v, const holos_position *p, text *out);
/* HOLOS_OK if the move is legal; otherwise why it is not. */
holos_status hidato_check_move(const holos_variant *v, const holos_position *p, unsigned place,
                               unsigned number, holos_error *err);
holos_move hidato_toward(const holos_variant *v, const holos_position *p, const holos_position *solution);

/* ---- picture.c ----------------------------------------------------------------------------------- */

void hidato_picture(const holos_variant *v, const holos_position *p, const holos_step *step, text *out);

/* ---- view.c ------------------------------------------------------------------------------------- */

extern const holos_view hidato_view;

/* ---- techniques/ --------------------------------------------------------------------------------- */

extern const holos_deduction hidato_deduction;

/* ---- conflict.c ---------------------------------------------------------------------------------- */

/* Why a board has no solution, where that can be seen without a search: two numbers too far apart, a cell that
 * cannot be passed. Writes a clause such as "4 in r1c1 and 6 in r5c5 are 4 steps apart, but only 2 numbers"; false
 * if there is nothing to see. */
bool hidato_conflict(const holos_variant *v, const holos_position *p, text *out);

#endif
