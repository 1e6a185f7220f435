/* SPDX-License-Identifier: MIT */

/* Boards of hidato: how a position is kept, and the geometry that follows from it.
 *
 * A position (hidato_board) knows its own size: rows and columns, what each place holds (0: empty, a number, or
 * HIDATO_HOLE), and which numbers are givens. The numbers run from 1 to the count of places that are not holes.
 *
 * A grid (hidato_grid) is what solvers work on. Its sites are the places with one column of holes to the right of
 * each row, so that sets of sites are bitsets in which neighbours are shifts, and no shift wraps from one row to
 * the next. All kinds of board are the same grid with other shifts: hex cells lie in axial coordinates, so they
 * have all eight neighbours but the upper left and the lower right one. */

#ifndef HOLOS_HIDATO_BOARD_H
#define HOLOS_HIDATO_BOARD_H

#include "game/game.h"

enum {
    HIDATO_PLACES = 1600, /* rows times columns, at most */
    HIDATO_SIDE = 64,     /* rows, and columns, at most */
    HIDATO_HOLE = 0xFFFF,
    HIDATO_DEGREE = 8,
    HIDATO_SITES = HIDATO_PLACES + HIDATO_SIDE,
    HIDATO_WORDS = HIDATO_SITES / 64,
};

typedef enum hidato_kind {
    HIDATO_KING = 0, /* eight neighbours */
    HIDATO_ROOK,     /* four: Numbrix */
    HIDATO_HEX,      /* six */
} hidato_kind;

/* ---- Positions --------------------------------------------------------------------------------- */

typedef struct hidato_board {
    uint16_t rows, columns;
    uint16_t cells; /* places that are not holes: the numbers are 1 to this */
    uint16_t filled;
    uint8_t unused[8];
    uint16_t numbers[HIDATO_PLACES];  /* row by row; 0 past the last row */
    uint8_t given[HIDATO_PLACES / 8]; /* a bit for each place */
    uint8_t also_unused[8];
} hidato_board;

_Static_assert(sizeof(hidato_board) % 16 == 0, "positions lie one after the other, aligned to 16");

static inline const hidato_board *hidato_board_of(const holos_position *p)
{
    return (const hidato_board *)p;
}

static inline hidato_board *hidato_board_mutable(holos_position *p)
{
    return (hidato_board *)p;
}

static inline bool hidato_is_given(const hidato_board *b, unsigned place)
{
    return (b->given[place / 8] >> place % 8 & 1) != 0;
}

static inline bool hidato_is_number(uint16_t held)
{
    return held != 0 && held != HIDATO_HOLE;
}

/* Begins an empty board; false if it would be too large. */
bool hidato_board_init(hidato_board *b, unsigned rows, unsigned columns);
/* Fills in `cells` and `filled`, and makes every number a given: what every reader ends with. */
void hidato_board_count(hidato_board *b);
/* Writes a number into an empty place, or takes one away (0). */
void hidato_board_write(hidato_board *b, unsigned place, unsigned number);

/* The name of a place: "r3c7". */
void hidato_place_name(const hidato_board *b, unsigned place, text *out);
void hidato_place_names(const hidato_board *b, unsigned place, char out[16]);

/* ---- Geometry of places ------------------------------------------------------------------------ */

typedef struct hidato_step {
    int8_t row, column;
} hidato_step;

/* The steps to a neighbour, upper left first; returns how many there are. */
unsigned hidato_steps(hidato_kind kind, const hidato_step **out);
/* The neighbours of a place that are not holes, row by row; returns how many. */
unsigned hidato_neighbours(const hidato_board *b, hidato_kind kind, unsigned place,
                           uint16_t out[HIDATO_DEGREE]);
/* Walks from the first place that is not a hole, which *first tells, to all that hang together with it; `reached`
 * comes all false. Returns how many they are. */
unsigned hidato_reach(const hidato_board *b, hidato_kind kind, unsigned *first, bool reached[HIDATO_PLACES]);
/* Steps from one place to the other on a board without holes: no path is shorter. */
unsigned hidato_distance(const hidato_board *b, hidato_kind kind, unsigned from, unsigned to);

/* ---- Grids ------------------------------------------------------------------------------------- */

typedef struct hidato_grid {
    hidato_kind kind;
    unsigned rows, columns;
    unsigned stride; /* from a site to the one below */
    unsigned cells;  /* the numbers are 1 to this */
    unsigned sites, words;
    uint64_t mask[HIDATO_WORDS]; /* sites that are not holes */
    uint8_t degree[HIDATO_SITES];
    uint16_t neighbours[HIDATO_SITES][HIDATO_DEGREE];
} hidato_grid;

void hidato_grid_init(hidato_grid *g, const hidato_board *b, hidato_kind kind);

static inline unsigned hidato_site_of(const hidato_grid *g, unsigned place)
{
    return place / g->columns * g->stride + place % g->columns;
}

static inline unsigned hidato_place_of(const hidato_grid *g, unsigned site)
{
    return site / g->stride * g->columns + site % g->stride;
}

bool hidato_are_neighbours(const hidato_grid *g, unsigned a, unsigned b);

/* The sites that have a neighbour in `set`. `out` is not `set`. */
void hidato_dilate(const hidato_grid *g, const uint64_t *set, uint64_t *out);
/* The sites that have two neighbours in `set`, or more. */
void hidato_dilate_twice(const hidato_grid *g, const uint64_t *set, uint64_t *out);

/* ---- Sets -------------------------------------------------------------------------------------- */

static inline bool set_has(const uint64_t *set, unsigned i)
{
    return (set[i / 64] >> i % 64 & 1) != 0;
}

static inline void set_add(uint64_t *set, unsigned i)
{
    set[i / 64] |= UINT64_C(1) << i % 64;
}

static inline void set_remove(uint64_t *set, unsigned i)
{
    set[i / 64] &= ~(UINT64_C(1) << i % 64);
}

/* The members of a set, in order: SET_EACH(site, set, words) { … } */
#define SET_EACH(i, set, words)                                                                              \
    for (unsigned i##_word = 0; i##_word < (words); i##_word++)                                              \
        for (uint64_t i##_rest = (set)[i##_word]; i##_rest != 0; i##_rest &= i##_rest - 1)                   \
            for (unsigned i = i##_word * 64 + (unsigned)__builtin_ctzll(i##_rest), i##_once = 1;             \
                 i##_once != 0; i##_once = 0)

#endif
