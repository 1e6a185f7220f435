/* SPDX-License-Identifier: MIT */

/* holos: puzzles. Hints, ratings, and new puzzles. */

#ifndef HOLOS_PUZZLE_H
#define HOLOS_PUZZLE_H

#include <holos/solve.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Deductions ----------------------------------------------------------------------------- */

/* Solving as a person would: one small conclusion after another, each by a technique with a name. The same
 * code gives hints, shows the whole solution path, and rates a puzzle. */

typedef enum holos_level {
    HOLOS_LEVEL_EASY = 0,
    HOLOS_LEVEL_MEDIUM,
    HOLOS_LEVEL_HARD,
    HOLOS_LEVEL_UNFAIR,
    HOLOS_LEVEL_EXTREME,
} holos_level;

#define HOLOS_LEVEL_COUNT 5

HOLOS_API const char *holos_level_name(holos_level level); /* "easy", … Never NULL. */
HOLOS_API bool holos_level_find(const char *name, holos_level *out);

typedef struct holos_technique {
    const char *name;    /* what programs and options call it: "naked-pair" */
    const char *title;   /* what people call it: "Naked pair" */
    const char *summary; /* why it is right, in a sentence */
    unsigned rating;     /* ten times its difficulty on the scale of Sudoku Explainer: 12 is 1.2 */
    unsigned score;      /* what each use adds to the score, on the scale of HoDoKu */
    holos_level level;   /* the easiest level that may need it */
    bool by_uniqueness;  /* relies on a unique solution; used only once that is proved */
} holos_technique;

#define HOLOS_TECHNIQUES_MOST 64

/* The techniques of a game, the cheapest first; NULL past the end, and for a game that has none. */
HOLOS_API const holos_technique *holos_technique_at(const holos_game *game, size_t index);
/* The index of a technique, or SIZE_MAX. */
HOLOS_API size_t holos_technique_find(const holos_game *game, const char *name);

/* A value that a cell may hold. The game decides how cells and values are numbered. */
typedef struct holos_candidate {
    uint16_t cell, value;
} holos_candidate;

/* The part a candidate plays in a step, for pictures. */
typedef enum holos_role {
    HOLOS_ROLE_PATTERN = 0, /* it is part of the pattern */
    HOLOS_ROLE_OTHER,       /* the pattern's other side: the second colour, what is assumed to be false */
} holos_role;

typedef struct holos_mark {
    holos_candidate candidate;
    uint8_t role; /* a holos_role */
} holos_mark;

#define HOLOS_STEP_MOST   256 /* candidates of each kind; later steps take the rest */
#define HOLOS_STEP_HOUSES 16

/* One conclusion. */
typedef struct holos_step {
    const holos_technique *technique;
    unsigned rating; /* of this step: a long chain is harder than a short one */
    uint16_t placement_count, elimination_count, mark_count, house_count;
    holos_candidate placements[HOLOS_STEP_MOST];   /* what cells must hold */
    holos_candidate eliminations[HOLOS_STEP_MOST]; /* what cells cannot hold */
    holos_mark marks[HOLOS_STEP_MOST];             /* the pattern that proves it */
    uint16_t houses[HOLOS_STEP_HOUSES];            /* the rows, columns, … that it uses */
    const char
        *explanation; /* in words, one or more lines; owned by the holos_logic, valid until its next step */
} holos_step;

/* A puzzle that is being solved by deduction. */
typedef struct holos_logic holos_logic;

/* Counts the solutions first, within the limits (NULL: none), because some techniques rely on a unique
 * solution. HOLOS_UNSUPPORTED if the game has no techniques. */
HOLOS_API holos_status holos_logic_open(const holos_variant *v, const holos_position *position,
                                        const holos_limits *limits, holos_logic **out, holos_error *err);
HOLOS_API void holos_logic_close(holos_logic *l);
/* Starts over with another position of the same variant. */
HOLOS_API holos_status holos_logic_restart(holos_logic *l, const holos_position *position, holos_error *err);

/* 0, 1, or 2 for "several". */
HOLOS_API unsigned holos_logic_solutions(const holos_logic *l);
/* The solution, if there is one. */
HOLOS_API const holos_position *holos_logic_solution(const holos_logic *l);
/* True if every cell is filled. */
HOLOS_API bool holos_logic_is_done(const holos_logic *l);

/* Finds the cheapest next step. False if no technique finds one (there is no solution, there are several, or
 * the puzzle is done), or if a limit came first: see holos_logic_status. */
HOLOS_API bool holos_logic_find(holos_logic *l, holos_step *out);
/* HOLOS_LIMIT or HOLOS_INTERRUPTED once a limit has stopped the work on this puzzle. Only the time spent in
 * these functions counts. */
HOLOS_API holos_status holos_logic_status(const holos_logic *l, holos_error *err);
/* Applies a step. */
HOLOS_API void holos_logic_apply(holos_logic *l, const holos_step *step);
/* The current position, including what has been ruled out. */
HOLOS_API void holos_logic_position(const holos_logic *l, holos_position *out);
/* The name of a candidate ("r3c7=5") and of a house ("row 3"); like snprintf. */
HOLOS_API size_t holos_format_candidate(const holos_variant *v, holos_candidate candidate, bool holds,
                                        char *out, size_t size);
HOLOS_API size_t holos_format_house(const holos_variant *v, unsigned house, char *out, size_t size);

typedef struct holos_rating {
    bool solved;                            /* deductions alone reached the end */
    const holos_technique *hardest;         /* NULL if no step was needed */
    unsigned rating;                        /* of the hardest step, times ten */
    unsigned score;                         /* of all steps */
    holos_level level;                      /* by the hardest technique and the score */
    unsigned steps;                         /* how many */
    unsigned counts[HOLOS_TECHNIQUES_MOST]; /* uses of each technique, by index */
} holos_rating;

/* Solves the rest of the puzzle and sums up the steps. At a limit, the rating covers the steps so far, and
 * the status is that of holos_logic_status. */
HOLOS_API holos_status holos_logic_rate(holos_logic *l, holos_rating *out);

/* Starts counting the calls of each technique, what it finds, and how long it takes. */
HOLOS_API void holos_logic_measure(holos_logic *l);
/* What a technique has done since then; `removals` counts candidates that it placed or ruled out. */
HOLOS_API holos_work holos_logic_work(const holos_logic *l, size_t technique);

/* Generates puzzles with one solution, one after another. */
typedef struct holos_generator holos_generator;

typedef struct holos_generator_options {
    uint64_t seed;          /* the same seed makes the same puzzles, for any number of threads */
    unsigned threads;       /* 0 means 1 */
    const char *difficulty; /* NULL: any; a level ("hard"), or the hardest technique it needs ("x-wing") */
    bool minimal;           /* no given can be removed */
    /* NULL, or the game's options (HOLOS_USE_GENERATE), such as the size of the board. Must outlive the generator. */
    const holos_settings *settings;
    uint64_t expected;   /* how many you will ask for, if known; it makes few more than that */
    holos_limits limits; /* seconds, for all puzzles together, and stop */
} holos_generator_options;

HOLOS_API holos_status holos_generator_open(const holos_variant *v, const holos_generator_options *options,
                                            holos_generator **out, holos_error *err);
HOLOS_API void holos_generator_close(holos_generator *g);
/* The next puzzle, and its rating unless `rating` is NULL. */
HOLOS_API holos_status holos_generator_next(holos_generator *g, holos_position *out, holos_rating *rating,
                                            holos_error *err);

#ifdef __cplusplus
}
#endif

#endif
