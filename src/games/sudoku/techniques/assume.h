/* SPDX-License-Identifier: MIT */

/* What follows by singles from a digit in a cell, and why. */

#ifndef HOLOS_SUDOKU_ASSUME_H
#define HOLOS_SUDOKU_ASSUME_H

#include "games/sudoku/techniques/finder.h"

typedef enum fact_reason { FACT_ASSUMED, FACT_LAST_CANDIDATE, FACT_LAST_PLACE } fact_reason;

/* A cell holds a digit. */
typedef struct assume_fact {
    uint16_t cell;
    uint8_t digit, reason;
    uint8_t house; /* of a last place */
} assume_fact;

typedef enum assume_end {
    ASSUME_FINE,         /* nothing more follows */
    ASSUME_NO_CANDIDATE, /* `cell` is left with nothing */
    ASSUME_NO_PLACE,     /* `house` has no place for `digit` */
} assume_end;

typedef struct assumption {
    const sudoku_marks *before;
    sudoku_marks marks; /* with all that follows */
    assume_fact facts[SHAPE_CELLS + 1];
    unsigned count;
    assume_end end;
    unsigned cell, house, digit; /* of a contradiction */
    bool only_digit;             /* look at this one digit alone: nishio */
    uint16_t queued[SHAPE_CELLS];
    uint16_t removed_by[SHAPE_CELLS][SHAPE_DIGITS]; /* the fact that ruled a candidate out */
} assumption;

/* Supposes that a cell holds a digit and follows it to the end, or with `only_digit` only as far as that digit
 * goes. False: it leads to a contradiction. */
bool assume(const sudoku_shape *shape, const sudoku_marks *before, unsigned cell, unsigned digit,
            bool only_digit, assumption *out);

/* The facts that a conclusion rests on: a flag for each, in *needed; returns how many. Of a contradiction, or that a
 * cell does not hold a digit, or that it does. */
typedef bool needed_facts[SHAPE_CELLS + 1];
unsigned assume_why_not(const sudoku_shape *shape, const assumption *a, needed_facts needed);
unsigned assume_why_gone(const sudoku_shape *shape, const assumption *a, unsigned cell, unsigned digit,
                         needed_facts needed);
unsigned assume_why_there(const sudoku_shape *shape, const assumption *a, unsigned cell, needed_facts needed);

/* "r2c3=5 (last place in box 1), r2c7=3 (last candidate)": the facts that are needed, after the first. */
void assume_say(const finder *f, const assumption *a, const needed_facts needed);
/* "box 3 has no place for 4" */
void assume_say_end(const finder *f, const assumption *a);

/* Fills in all singles of the marks. False: there is a contradiction. */
bool settle(const sudoku_shape *shape, sudoku_marks *marks);

#endif
