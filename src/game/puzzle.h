/* SPDX-License-Identifier: MIT */

/* Puzzles, which count their own solutions: a capability. A position is solvable (1) or not (0), and may have several
 * solutions. NULL: it is no puzzle. */

#ifndef HOLOS_GAME_PUZZLE_H
#define HOLOS_GAME_PUZZLE_H

#include "game/types.h"

typedef struct holos_puzzle_answer {
    uint64_t solutions; /* at most the limit */
    bool complete;      /* there are no more */
    uint64_t nodes;     /* guesses made */
} holos_puzzle_answer;

/* For puzzles whose solver has options, with a report of what was done. */
typedef struct holos_puzzle_question {
    uint64_t solutions;
    const void *settings; /* the values of the game's options for HOLOS_USE_SOLVE; NULL: the defaults */
} holos_puzzle_question;

#define HOLOS_PUZZLE_WORK 16

typedef struct holos_puzzle_report {
    holos_puzzle_answer answer;
    const char *limit; /* what ended the work early: "the node limit"; NULL: nothing did */
    bool has_known;    /* `known` is what follows for sure, short of a solution */
    unsigned depth;    /* the deepest guess */
    holos_work work[HOLOS_PUZZLE_WORK];
    size_t work_count;
} holos_puzzle_report;

/* What kind of puzzle is wanted. */
typedef struct holos_puzzle_request {
    uint64_t seed;
    bool minimal;   /* no given can be left out; of symmetric ones, none with those it is carried to */
    bool has_level; /* puzzles of this level are looked for: a hint, so that many are */
    holos_level level;
    const void *settings; /* the values of the game's options for HOLOS_USE_GENERATE; NULL: the defaults */
} holos_puzzle_request;

typedef struct holos_puzzle {
    /* Counts the solutions up to `most`, and writes the first one to `first` (not NULL) if there is one. Adds its guesses to
     * `limits` and keeps to them; an answer that they cut short is not complete.
     * Required. */
    void (*count)(const holos_variant *v, const holos_position *p, uint64_t most, struct limits *limits,
                  holos_position *first, holos_puzzle_answer *out);
    /* The same for many positions, which lie one after the other, as do the first solutions; what is left of the node limit
     * is for each of them. NULL: it would not be faster. */
    void (*count_many)(const holos_variant *v, const holos_position *positions, size_t count, uint64_t most,
                       struct limits *limits, holos_position *firsts, holos_puzzle_answer *out);
    /* As `count`, as the game's options have it. NULL: there is only `count`. `known` has room for a position. */
    void (*examine)(const holos_variant *v, const holos_position *p, const holos_puzzle_question *question,
                    struct limits *limits, holos_position *first, holos_position *known,
                    holos_puzzle_report *out);
    /* Why a position has no solution, as a clause that names what conflicts; false if it cannot be told without a
     * search. NULL: it never can. */
    bool (*conflict)(const holos_variant *v, const holos_position *p, text *out);
    /* The first move, in natural order, on the way from p, which is not over, to a solution of it.
     * NULL: whoever needs it tries the moves. */
    holos_move (*toward)(const holos_variant *v, const holos_position *p, const holos_position *solution);
    /* Makes puzzles number `first`, first + 1, … with one solution. A puzzle depends on the request and its number
     * alone. *made of them, the first ones, are there; fewer than `count` only with an error, such as HOLOS_LIMIT.
     * NULL: there are none to be made. */
    holos_status (*generate)(const holos_variant *v, const holos_puzzle_request *request, uint64_t first,
                             size_t count, struct limits *limits, holos_position *out, size_t *made,
                             holos_error *err);
    /* HOLOS_USAGE with the reason if there are no such puzzles. NULL: there always are. */
    holos_status (*check)(const holos_variant *v, const holos_puzzle_request *request, holos_error *err);
} holos_puzzle;

#endif
