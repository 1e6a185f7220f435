/* SPDX-License-Identifier: MIT */

/* Making puzzles with one solution: a board of some shape, a random path through all of its cells, and as few of its
 * numbers as are wanted. */

#ifndef HOLOS_HIDATO_GENERATE_H
#define HOLOS_HIDATO_GENERATE_H

#include "core/rng.h"
#include "games/hidato/board.h"

extern const char *const hidato_symmetries[]; /* "none" first, ended by NULL */
extern const char *const hidato_shapes[];     /* "rectangle" first, ended by NULL */

/* The place that a symmetry carries a place to. */
unsigned hidato_carry(unsigned symmetry, const hidato_board *b, unsigned place);

/* ---- shapes.c: boards without numbers ------------------------------------------------------------ */

/* What a request asks for, with its default size filled in. */
typedef struct hidato_plan {
    hidato_kind kind;
    unsigned rows, columns, shape, symmetry;
    unsigned holes; /* percent of the cells that the shape has */
} hidato_plan;

/* HOLOS_USAGE with the reason if there is no such board. */
holos_status hidato_plan_make(hidato_kind kind, const holos_puzzle_request *request, hidato_plan *out,
                              holos_error *err);
/* A board of this plan, with holes in random places, as symmetric as the plan is; false if there was no place for so
 * many. */
bool hidato_plan_draw(const hidato_plan *plan, rng *random, hidato_board *out);

/* ---- backbite.c----------------------------------------------------------------------------------- */

/* Numbers the cells of a board along a random path; false if none was found. */
bool hidato_draw_path(hidato_board *b, hidato_kind kind, rng *random);

/* ---- generate.c ---------------------------------------------------------------------------------- */

holos_status hidato_check_request(const holos_variant *v, const holos_puzzle_request *request,
                                  holos_error *err);
holos_status hidato_generate(const holos_variant *v, const holos_puzzle_request *request, uint64_t first,
                             size_t count, struct limits *limits, holos_position *out, size_t *made,
                             holos_error *err);

#endif
