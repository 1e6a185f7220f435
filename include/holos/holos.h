/* SPDX-License-Identifier: MIT */

/* holos: what positions in games and puzzles are worth.
 *
 * A program opens a variant ("connect4:7x6"), reads positions in the notation that players use, and
 * asks a solver for their exact values. A result says how it is known; what could not be settled
 * within the limits comes back as an honest interval.
 *
 *     holos_variant *v;  holos_error err;
 *     if (holos_open("connect4:5x4", &v, &err) != HOLOS_OK) ...err.message...
 *     holos_position *p = holos_position_new(v);
 *     holos_parse(v, "3344", p, &err);
 *     holos_solver *s;   holos_result r;
 *     holos_solver_open(v, NULL, &s, &err);
 *     holos_solver_solve(s, p, &r, &err);          r.value.lo == r.value.hi: solved
 *     holos_solver_close(s);  holos_position_free(p);  holos_close(v);
 *
 * The library keeps no mutable globals, never prints and never exits. Different variants and solvers
 * may be used from different threads at once; one solver belongs to one caller at a time. A variant is
 * read-only once opened, and may be shared. */

#ifndef HOLOS_HOLOS_H
#define HOLOS_HOLOS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) || defined(__clang__)
#define HOLOS_API __attribute__((visibility("default")))
#else
#define HOLOS_API
#endif

/* The version of this header; holos_version() is the version of the library that was linked. */
#define HOLOS_VERSION_MAJOR 0
#define HOLOS_VERSION_MINOR 1
#define HOLOS_VERSION_PATCH 0

HOLOS_API const char *holos_version(void);

/* ---- Errors ------------------------------------------------------------------------------------ */

/* What became of a call. Every function that can fail returns one, and fills the holos_error that the
 * caller passed (NULL if it does not want to know more). */
typedef enum holos_status {
    HOLOS_OK = 0,
    HOLOS_USAGE,        /* the call itself is wrong: an unknown game, engine or option */
    HOLOS_BAD_VARIANT,  /* the game is known, the variant string is not valid */
    HOLOS_BAD_POSITION, /* a position that does not parse or breaks the rules */
    HOLOS_BAD_MOVE,     /* a move that does not parse or is not legal here */
    HOLOS_BAD_FILE,     /* a file that is not what it should be: wrong kind, version, or damaged */
    HOLOS_UNSUPPORTED,  /* this game or this build has no such capability */
    HOLOS_NO_MEMORY,    /* more memory than the budget or the machine has */
    HOLOS_LIMIT,        /* a limit was reached; what is known so far has been returned */
    HOLOS_INTERRUPTED,  /* the caller asked to stop; what is known so far has been returned */
    HOLOS_IO,           /* the system refused: disk full, no permission, no such file */
} holos_status;

#define HOLOS_NOWHERE (-1)

typedef struct holos_error {
    holos_status code;
    int64_t at;        /* where: the byte offset in the text that was read, or HOLOS_NOWHERE */
    char message[256]; /* what is wrong, where, and what would be right; never empty on failure */
} holos_error;

/* The name of a status as programs see it: "bad-position". Never NULL. */
HOLOS_API const char *holos_status_name(holos_status status);

/* ---- Values ------------------------------------------------------------------------------------ */

#define HOLOS_NO_DISTANCE UINT16_MAX

/* Who says what a position is worth. Up to HOLOS_SOURCE_LOGIC a source is a proof; the rest are
 * guesses, which are shown as guesses and never become a proof or the boundary of one. */
typedef enum holos_source {
    HOLOS_SOURCE_NONE = 0,   /* nothing is known but the range of scores */
    HOLOS_SOURCE_RULES,      /* the game is over */
    HOLOS_SOURCE_TABLE,      /* a database or tablebase */
    HOLOS_SOURCE_SEARCH,     /* the alphabeta engine */
    HOLOS_SOURCE_RETROGRADE, /* the retrograde engine */
    HOLOS_SOURCE_WAVE,       /* the wave engine */
    HOLOS_SOURCE_LOGIC,      /* deductions on a puzzle */
    HOLOS_SOURCE_CONJECTURE, /* a guess: positions alike in their features had this value */
    HOLOS_SOURCE_NETWORK,    /* a guess: a trained network's */
} holos_source;

HOLOS_API const char *holos_source_name(holos_source source);
HOLOS_API bool holos_source_is_proof(holos_source source);

/* What is known of a position: its score lies in [lo, hi], seen from the side to move. */
typedef struct holos_value {
    int32_t lo, hi;
    uint16_t distance; /* plies to the end under best play, or HOLOS_NO_DISTANCE */
    uint8_t source;    /* a holos_source */
} holos_value;

static inline bool holos_value_is_solved(holos_value value)
{
    return value.lo == value.hi;
}

/* ---- Games and variants ------------------------------------------------------------------------ */

typedef struct holos_game holos_game;         /* a game: rules and what can be done with them */
typedef struct holos_variant holos_variant;   /* a game opened with its variant: "kalah:4,3" */
typedef struct holos_position holos_position; /* a position: flat, may be copied with memcpy */

/* Traits of a game. */
enum {
    HOLOS_TRAIT_SOLITAIRE = 1 << 0, /* one player: a position is worth what its best move is worth */
    HOLOS_TRAIT_CYCLIC = 1 << 1,    /* a position can come back */
    HOLOS_TRAIT_SAME_SIDE = 1 << 2, /* a move may leave the turn with the mover */
    HOLOS_TRAIT_GAINS = 1 << 3,     /* moves bank points that the rest of the game cannot take back */
    HOLOS_TRAIT_PUZZLE = 1 << 4,    /* positions have solutions: solvable or not, one or many */
};

/* The games that are built in, in the order of the list of games. */
HOLOS_API size_t holos_game_count(void);
HOLOS_API const holos_game *holos_game_at(size_t index); /* NULL past the end */
HOLOS_API const holos_game *holos_game_find(const char *name, size_t length);

HOLOS_API const char *holos_game_name(const holos_game *game);
HOLOS_API const char *holos_game_title(const holos_game *game);
HOLOS_API const char *holos_game_summary(const holos_game *game);       /* one sentence */
HOLOS_API const char *holos_game_variant_help(const holos_game *game);  /* what may follow the colon */
HOLOS_API const char *holos_game_position_help(const holos_game *game); /* how a position is written */
HOLOS_API const char *holos_game_score_help(const holos_game *game);    /* what a score means */
HOLOS_API uint32_t holos_game_traits(const holos_game *game);
/* A few positions of the default variant that are worth looking at; NULL past the end. */
HOLOS_API const char *holos_game_example(const holos_game *game, size_t index);

/* Opens "GAME" or "GAME:VARIANT". The caller closes it. */
HOLOS_API holos_status holos_open(const char *name, holos_variant **out, holos_error *err);
HOLOS_API void holos_close(holos_variant *v);

HOLOS_API const holos_game *holos_variant_game(const holos_variant *v);
HOLOS_API const char *holos_variant_name(const holos_variant *v); /* in full: "connect4:7x6" */
HOLOS_API void holos_score_range(const holos_variant *v, int32_t *min, int32_t *max);
/* What a score is called: "win", "draw", "loss"; of a puzzle "solvable", "unsolvable". */
HOLOS_API const char *holos_outcome(const holos_variant *v, int32_t score);

/* ---- Positions and moves ----------------------------------------------------------------------- */

typedef uint32_t holos_move; /* a game's own encoding; holos_format_move makes it readable */

/* Positions may also be kept in the caller's memory: holos_position_size bytes, aligned to 16. */
HOLOS_API size_t holos_position_size(const holos_variant *v);
/* A position to write to: the start, or all zero where a game has none. NULL: out of memory. */
HOLOS_API holos_position *holos_position_new(const holos_variant *v);
HOLOS_API void holos_position_free(holos_position *position);

/* HOLOS_UNSUPPORTED where the game has no start position (a puzzle). */
HOLOS_API holos_status holos_start(const holos_variant *v, holos_position *out, holos_error *err);

/* Reads a position. "start" is the start position of any game that has one. What is accepted here can
 * be given to every other function without harm. */
HOLOS_API holos_status holos_parse(const holos_variant *v, const char *text, holos_position *out,
                                   holos_error *err);

/* Like snprintf: writes at most `size` bytes with the final 0, returns the length it would have had. */
HOLOS_API size_t holos_format(const holos_variant *v, const holos_position *position, char *out, size_t size);
/* The position as a board of text, several lines. */
HOLOS_API size_t holos_draw(const holos_variant *v, const holos_position *position, char *out, size_t size);

/* The side to move: 0 for the first player, 1 for the second. */
HOLOS_API unsigned holos_side_to_move(const holos_variant *v, const holos_position *position);

/* True if the game is over here; then *out is its value. */
HOLOS_API bool holos_terminal(const holos_variant *v, const holos_position *position, holos_value *out);

/* The legal moves in the game's natural order: writes at most `capacity`, returns how many there are. */
HOLOS_API size_t holos_moves(const holos_variant *v, const holos_position *position, holos_move *out,
                             size_t capacity);
HOLOS_API holos_status holos_parse_move(const holos_variant *v, const holos_position *position,
                                        const char *text, holos_move *out, holos_error *err);
/* Like holos_format; "?" for a move that is not legal here. */
HOLOS_API size_t holos_format_move(const holos_variant *v, const holos_position *position, holos_move move,
                                   char *out, size_t size);
/* A line of legal moves from a position, as people write it: with numbers where that is usual. Ends before the first
 * move that is not legal. Like snprintf. */
HOLOS_API size_t holos_format_line(const holos_variant *v, const holos_position *position,
                                   const holos_move *line, size_t length, char *out, size_t size);
/* Plays a legal move; `out` may be `position`. HOLOS_BAD_MOVE if the move is not legal here. */
HOLOS_API holos_status holos_play(const holos_variant *v, const holos_position *position, holos_move move,
                                  holos_position *out, holos_error *err);

/* ---- Solving ----------------------------------------------------------------------------------- */

typedef struct holos_solver holos_solver;

/* How far a solver may go. Zero means no limit (for memory: a modest default). */
typedef struct holos_limits {
    double seconds;   /* wall-clock, for each position */
    uint64_t nodes;   /* for each position */
    size_t memory;    /* bytes, for the whole solver */
    const bool *stop; /* NULL, or a flag that a signal handler or another thread may set */
} holos_limits;

/* Values that are known beforehand, such as those of a database. */
typedef struct holos_boundary {
    void *context;
    /* True if the score of the position is known: then *score is what holos_solver_solve would find. Called
     * by the threads of all solvers that have it. */
    bool (*probe)(void *context, const holos_position *position, int32_t *score);
    /* NULL, or the same where less than the score may be known: fills *out if anything is. */
    bool (*bounds)(void *context, const holos_position *position, holos_value *out);
} holos_boundary;

typedef struct holos_solver_options {
    const char *engine; /* NULL: the best one for the game; else "alphabeta", … */
    holos_limits limits;
    bool weak;          /* only the outcome: [lo, hi] is narrowed until it is all win, draw or loss */
    bool value_only;    /* alphabeta: no best move, which may take as long as the value */
    bool moves;         /* the value of every move, too */
    bool line;          /* a line of best play, too */
    bool distance;      /* the distance, however long it takes; otherwise only where it comes cheaply */
    bool no_hot;        /* the generic engine even where the game has a faster one of its own */
    uint64_t solutions; /* puzzles: count solutions up to this many; 0 means 2, enough for uniqueness */
    unsigned threads;   /* 0 means 1 */
    const holos_boundary *boundary; /* NULL, or what need not be searched; outlives the solver */
    const char *mode; /* of the wave engine: "auto" (as NULL), "lightning", "wave", "crystal", "osmosis"; of a
                         puzzle that has several: holos_puzzle_mode_at */
    unsigned depth;   /* puzzles: guesses on top of each other, at most; 0: the mode's own limit */
    bool telemetry;   /* puzzles: the time of each technique, too */
    /* NULL, or a file: what was proved is read from it if it is there, and written to it now and then, and when an
     * answer ends, whether it was found or a limit came first. Not for games with a search of their own, unless
     * no_hot is set. */
    const char *checkpoint;
    double checkpoint_seconds; /* how often; 0 means every minute */
} holos_solver_options;

typedef struct holos_move_value {
    holos_move move;
    holos_value value; /* for the side that makes the move: the best one has the position's value */
} holos_move_value;

/* What one technique of a puzzle's solver did. */
typedef struct holos_work {
    const char *name;
    uint64_t calls, removals, conflicts; /* candidates that it ruled out, contradictions that it found */
    double seconds;                      /* of CPU time, with options.telemetry */
} holos_work;

/* The answer for one position. The arrays belong to the solver, until its next call. */
typedef struct holos_result {
    holos_value value; /* lo == hi: solved */
    const char *engine;
    uint64_t nodes;
    double seconds;

    const holos_move_value *moves; /* with options.moves: every legal move, in natural order */
    size_t move_count;
    const holos_move *best; /* every move known to have the position's value; without options.moves
                               at least one, if the position is solved and the game goes on */
    size_t best_count;
    const holos_move *line; /* with options.line: best play to the end, or as far as it is known */
    size_t line_length;

    uint64_t solutions;             /* puzzles: how many were found, at most options.solutions */
    bool solutions_complete;        /* there are no more than these */
    const holos_position *solution; /* puzzles: the first solution found, or NULL */
    const holos_position *known; /* puzzles: what is certain, where no solution was found within the limits */
    const char *reason;          /* puzzles: why there is no solution, where that can be told; or NULL */
    const char *limit;           /* puzzles: what ended the work early, "the limit of nodes"; or NULL */
    unsigned depth;              /* puzzles: the deepest guess */
    const holos_work *work;      /* puzzles whose solver counts: each technique that it used */
    size_t work_count;
} holos_result;

/* The ways in which a puzzle can be solved, for options.mode: the last one is the default. NULL past the end, and for
 * games that have one way only. */
HOLOS_API const char *holos_puzzle_mode_at(const holos_game *game, size_t index);

/* A solver keeps what it learned for the positions to come. `options` may be NULL. */
HOLOS_API holos_status holos_solver_open(const holos_variant *v, const holos_solver_options *options,
                                         holos_solver **out, holos_error *err);
HOLOS_API void holos_solver_close(holos_solver *solver);

/* HOLOS_OK: the value is exact. HOLOS_LIMIT, HOLOS_INTERRUPTED: `result` holds what is known. */
HOLOS_API holos_status holos_solver_solve(holos_solver *solver, const holos_position *position,
                                          holos_result *result, holos_error *err);

#define HOLOS_SOLVE_MANY 256

/* Whether the solver is several times faster with many positions at once. */
HOLOS_API bool holos_solver_takes_many(const holos_solver *solver);
/* Solves up to HOLOS_SOLVE_MANY positions, which lie one after the other. results[i] is what holos_solver_solve
 * says of the one at i, and statuses[i] what it returns; all arrays belong to the solver until its next call. */
HOLOS_API void holos_solver_solve_many(holos_solver *solver, const holos_position *positions, size_t count,
                                       holos_result *results, holos_status *statuses);

/* ---- Deductions -------------------------------------------------------------------------------- */

/* Puzzles that a person could solve: one small conclusion after another, each by a technique that has a
 * name. So the same machine gives hints, shows the whole way, and tells how hard a puzzle is. */

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
    bool by_uniqueness;  /* relies on there being one solution: used only where that has been shown */
} holos_technique;

#define HOLOS_TECHNIQUES_MOST 64

/* The techniques of a game, the cheapest first; NULL past the end, and for a game that has none. */
HOLOS_API const holos_technique *holos_technique_at(const holos_game *game, size_t index);
/* The index of a technique, or SIZE_MAX. */
HOLOS_API size_t holos_technique_find(const holos_game *game, const char *name);

/* Something that a cell may hold. How cells and values are counted is the game's own affair. */
typedef struct holos_candidate {
    uint16_t cell, value;
} holos_candidate;

/* What a candidate has to do with a step: for pictures. */
typedef enum holos_role {
    HOLOS_ROLE_PATTERN = 0, /* it is part of the pattern */
    HOLOS_ROLE_OTHER,       /* the pattern's other side: the second colour, what is assumed to be false */
} holos_role;

typedef struct holos_mark {
    holos_candidate candidate;
    uint8_t role; /* a holos_role */
} holos_mark;

#define HOLOS_STEP_MOST   256 /* candidates of each kind: what is more is left for later steps */
#define HOLOS_STEP_HOUSES 16

/* One conclusion. */
typedef struct holos_step {
    const holos_technique *technique;
    unsigned rating; /* of this use: a long chain is harder than a short one */
    uint16_t placement_count, elimination_count, mark_count, house_count;
    holos_candidate placements[HOLOS_STEP_MOST];   /* what certain cells hold for sure */
    holos_candidate eliminations[HOLOS_STEP_MOST]; /* what certain cells cannot hold */
    holos_mark marks[HOLOS_STEP_MOST];             /* the pattern that tells so */
    uint16_t houses[HOLOS_STEP_HOUSES];            /* the rows, columns, … that it is about */
    const char
        *explanation; /* in words, one line or several; belongs to the holos_logic until its next step */
} holos_step;

/* A puzzle being solved by deductions. */
typedef struct holos_logic holos_logic;

/* Counts the solutions first (`limits` may be NULL), since some techniques need to know that there is one
 * only. HOLOS_UNSUPPORTED if the game has no techniques. */
HOLOS_API holos_status holos_logic_open(const holos_variant *v, const holos_position *position,
                                        const holos_limits *limits, holos_logic **out, holos_error *err);
HOLOS_API void holos_logic_close(holos_logic *l);
/* Another position of the same variant. */
HOLOS_API holos_status holos_logic_restart(holos_logic *l, const holos_position *position, holos_error *err);

/* 0, 1, or 2 for "several". */
HOLOS_API unsigned holos_logic_solutions(const holos_logic *l);
/* The solution, if there is one. */
HOLOS_API const holos_position *holos_logic_solution(const holos_logic *l);
/* True if every cell is filled. */
HOLOS_API bool holos_logic_is_done(const holos_logic *l);

/* The cheapest step from here. False if no technique finds one: there is no solution, there are several, or
 * the puzzle is done. */
HOLOS_API bool holos_logic_find(holos_logic *l, holos_step *out);
/* Does what a step says. */
HOLOS_API void holos_logic_apply(holos_logic *l, const holos_step *step);
/* The position as it stands, with what has been ruled out. */
HOLOS_API void holos_logic_position(const holos_logic *l, holos_position *out);
/* The name of a candidate ("r3c7=5") and of a house ("row 3"); like snprintf. */
HOLOS_API size_t holos_format_candidate(const holos_variant *v, holos_candidate candidate, bool holds,
                                        char *out, size_t size);
HOLOS_API size_t holos_format_house(const holos_variant *v, unsigned house, char *out, size_t size);

typedef struct holos_rating {
    bool solved;                            /* by deductions, to the end */
    const holos_technique *hardest;         /* NULL if no step was needed */
    unsigned rating;                        /* of the hardest step, times ten */
    unsigned score;                         /* of all steps */
    holos_level level;                      /* by the hardest technique and the score */
    unsigned steps;                         /* how many */
    unsigned counts[HOLOS_TECHNIQUES_MOST]; /* of each technique, by its index */
} holos_rating;

/* Goes on to the end and sums up what it took from the position where it stands. */
HOLOS_API void holos_logic_rate(holos_logic *l, holos_rating *out);

/* From now on, counts what each technique is asked and finds, and how long that takes. */
HOLOS_API void holos_logic_measure(holos_logic *l);
/* What a technique did since then: `removals` counts candidates that it placed or ruled out. */
HOLOS_API holos_work holos_logic_work(const holos_logic *l, size_t technique);

/* Makes puzzles with one solution, one after another. */
typedef struct holos_generator holos_generator;

typedef struct holos_generator_options {
    uint64_t seed;    /* the same seed makes the same puzzles, for any number of threads */
    unsigned threads; /* 0 means 1 */
    const char
        *symmetry; /* how the givens are arranged: a name that the game knows; NULL: as chance has it */
    const char
        *difficulty; /* NULL: any; a level ("hard"), or the hardest technique that it takes ("x-wing") */
    bool minimal;    /* no given can be left out */
    unsigned rows, columns; /* of a game whose boards come in sizes; 0: the usual one */
    const char *shape;      /* a name that the game knows; NULL: the usual one */
    unsigned holes;         /* percent of the cells that are left out */
    uint64_t expected;      /* how many will be asked for, if that is known: not many more are made */
    holos_limits limits;    /* seconds, for all of them; stop */
} holos_generator_options;

HOLOS_API holos_status holos_generator_open(const holos_variant *v, const holos_generator_options *options,
                                            holos_generator **out, holos_error *err);
HOLOS_API void holos_generator_close(holos_generator *g);
/* The next puzzle, and its rating unless `rating` is NULL. */
HOLOS_API holos_status holos_generator_next(holos_generator *g, holos_position *out, holos_rating *rating,
                                            holos_error *err);
/* How a game's puzzles may be arranged; NULL past the end. */
HOLOS_API const char *holos_symmetry_at(const holos_game *game, size_t index);
/* The shapes of a game's boards; NULL past the end, and for a game whose variants say it all. */
HOLOS_API const char *holos_shape_at(const holos_game *game, size_t index);

/* ---- Waves ------------------------------------------------------------------------------------- */

/* Waves run forward from the positions that are asked about (seeds) and backward from positions whose value
 * is known; where they meet, values flow. A wave keeps everything it has reached, so it can be run again
 * and goes on where it was. Stopped anywhere, each interval that it has still contains the true value. */
typedef struct holos_wave holos_wave;

typedef enum holos_wave_mode {
    HOLOS_WAVE_AUTO = 0,  /* chooses among the others, and changes, by what pays */
    HOLOS_WAVE_LIGHTNING, /* depth first along forcing moves */
    HOLOS_WAVE_WAVE,      /* layer by layer, breadth first */
    HOLOS_WAVE_CRYSTAL,   /* around the places where waves met, and along the front of what is solved */
    HOLOS_WAVE_OSMOSIS,   /* one position at a time, always the one of greatest certainty */
} holos_wave_mode;

HOLOS_API const char *holos_wave_mode_name(holos_wave_mode mode); /* "auto", "lightning", … */
HOLOS_API bool holos_wave_mode_find(const char *name, holos_wave_mode *out);

typedef enum holos_wave_direction {
    HOLOS_WAVE_FORWARD = 0,
    HOLOS_WAVE_BACKWARD,
} holos_wave_direction;

/* Zero is the default everywhere. */
typedef struct holos_wave_options {
    holos_limits limits; /* seconds and nodes of each run; memory of the whole wave, which stops at 90 % */
    unsigned threads;    /* 0 means 1; results do not depend on it */
    uint64_t seed;       /* of what is random: boundary positions that are looked for by playing */

    uint64_t frontier;        /* positions of a layer; what is more waits. 0: no limit */
    unsigned forward_depth;   /* steps from a seed. 0: no limit */
    unsigned backward_depth;  /* steps back from the boundary. 0: no limit */
    uint64_t class_size;      /* positions that an equivalence class counts. 0: 10,000 */
    uint64_t boundary_seeds;  /* boundary positions to begin from where none are given. 0: 64 */
    unsigned lightning_depth; /* steps of a probe. 0: 64 */
    uint64_t lightning_nodes; /* positions of a probe. 0: 1,000 */
    unsigned crystal_points;  /* the last so many meeting points. 0: 10 */
    unsigned crystal_layers;  /* layers around each. 0: 3 */
    const char *const *goals; /* signatures that boundary positions must have; NULL: any */
    size_t goal_count;
    bool goal_stops;     /* the value of a boundary position that no goal asks for is not used */
    bool spine_boundary; /* positions on solved spines begin backward waves too */
    bool no_backward;    /* forward only */
    bool no_classes;     /* no equivalence classes, no conjectures */
    bool graph;          /* only the graph: every position is reached and counted, none is valued */
    bool unfolded;       /* symmetric positions are told apart */
    bool all_moves;      /* every move, even where the game knows which ones are enough */
    const char *spill;   /* a folder for what does not fit into memory; NULL: stop at the limit */
    const holos_boundary *boundary; /* NULL, or values that are known beforehand; outlives the wave */
} holos_wave_options;

/* What a wave did. Every number but the times is the same for any number of threads. */
#define HOLOS_WAVE_COUNTERS(X)                                                                               \
    X(positions)         /* reached, in all */                                                               \
    X(solved)            /* with an exact value */                                                           \
    X(forward_expanded)  /* whose successors were made */                                                    \
    X(backward_expanded) /* whose predecessors were made */                                                  \
    X(generated)         /* successors and predecessors made, again and again the same ones */               \
    X(boundary)          /* whose value the rules or a table gave */                                         \
    X(connections)       /* where a forward and a backward wave met */                                       \
    X(lightning_probes)                                                                                      \
    X(spines_found)                                                                                          \
    X(crystallized) /* solved around meeting points and along the front */                                   \
    X(osmosis_steps)                                                                                         \
    X(minimax_solved) /* solved by the values of their successors */                                         \
    X(sweeps)         /* passes over the layers to let values flow */                                        \
    X(recomputed)     /* positions whose value was computed from their successors' */                        \
    X(equiv_tracked)  /* solved positions that a class counted */                                            \
    X(equiv_classes)                                                                                         \
    X(equiv_broken)     /* classes whose positions disagree */                                               \
    X(equiv_propagated) /* positions that a class said something of: conjectures */                          \
    X(equiv_confirmed)  /* conjectures that a proof confirmed later */                                       \
    X(equiv_refuted)    /* conjectures that a proof refuted later */                                         \
    X(equiv_shortcuts)  /* times a class decided where to look next */                                       \
    X(goal_filtered)    /* boundary positions that no goal asked for */                                      \
    X(frontier_capped)  /* positions that had to wait since a layer was full */                              \
    X(depth_limited)    /* positions not followed, since they are too far away */                            \
    X(class_capped)     /* positions not counted, since their class was full */                              \
    X(memory_limited)   /* times the wave stopped or spilled at the limit of memory */                       \
    X(spilled)          /* positions moved to disk */

typedef struct holos_wave_statistics {
#define HOLOS_WAVE_MEMBER(name) uint64_t name;
    HOLOS_WAVE_COUNTERS(HOLOS_WAVE_MEMBER)
#undef HOLOS_WAVE_MEMBER
    double lightning_seconds, wave_seconds, crystal_seconds, osmosis_seconds, propagation_seconds;
    uint64_t bytes; /* in memory, at the most */
    bool closed;    /* everything that can be reached from the seeds has been expanded */
} holos_wave_statistics;

/* A layer of the forward wave. */
typedef struct holos_wave_layer {
    uint64_t positions;  /* first reached at this depth */
    uint64_t expanded;   /* of them, so far */
    uint64_t generated;  /* successors of those */
    uint64_t duplicates; /* among the successors: reached before */
} holos_wave_layer;

/* `options` may be NULL. HOLOS_UNSUPPORTED with the reason if the game cannot be explored so. */
HOLOS_API holos_status holos_wave_open(const holos_variant *v, const holos_wave_options *options,
                                       holos_wave **out, holos_error *err);
HOLOS_API void holos_wave_close(holos_wave *w);
/* Forgets everything that was reached. */
HOLOS_API void holos_wave_reset(holos_wave *w);

typedef struct holos_wave_seed {
    const holos_position *position;
    holos_wave_direction direction;
    holos_wave_mode mode; /* what a run in auto mode begins with */
    int32_t priority;     /* higher ones are probed first */
    /* Steps from this seed; 0: the wave's limit. In a wave without a limit either all seeds have a depth of their own or
     * none has. Layers are counted from the seed that goes farthest: others begin at later ones. */
    unsigned depth;
} holos_wave_seed;

/* Adds a seed; a backward seed must have a value that the rules or a table give. */
HOLOS_API holos_status holos_wave_add(holos_wave *w, const holos_wave_seed *seed, holos_error *err);

/* Runs until all forward seeds are solved (with options.graph: until everything is reached), nothing is
 * left to do, or a limit is reached: HOLOS_LIMIT, HOLOS_INTERRUPTED, and the next run goes on from there. */
HOLOS_API holos_status holos_wave_run(holos_wave *w, holos_wave_mode mode, holos_error *err);

/* What is known of a position: of one that was never reached, at least the range of scores. A value is a
 * proof, or with nothing proved about it a conjecture: then the source says so. */
HOLOS_API holos_value holos_wave_query(const holos_wave *w, const holos_position *position);
HOLOS_API void holos_wave_statistics_get(const holos_wave *w, holos_wave_statistics *out);
/* Calls `visit` for every position that a forward wave has reached, layer by layer; it returns false to end
 * the visit. False: it did. */
typedef bool holos_wave_visitor(void *context, const holos_position *position, size_t depth);
HOLOS_API bool holos_wave_visit(const holos_wave *w, holos_wave_visitor *visit, void *context);
HOLOS_API size_t holos_wave_depth(const holos_wave *w); /* how many layers there are */
HOLOS_API holos_wave_layer holos_wave_layer_at(const holos_wave *w, size_t depth);

/* ---- Holograms --------------------------------------------------------------------------------- */

/* What a wave found, as a file: values by key, spines, meeting points, classes, and from which seeds it came.
 * A hologram is opened without reading it; a question reads one small block. It belongs to one caller at a
 * time. */
typedef struct holos_hologram holos_hologram;

typedef struct holos_hologram_summary {
    uint64_t entries, solved;
    uint64_t spines, meetings, classes, seeds, mappings;
    uint64_t bytes;                   /* of the file */
    holos_wave_statistics statistics; /* the counters of the waves that it came from */
} holos_hologram_summary;

/* The file appears whole or not at all. */
HOLOS_API holos_status holos_wave_save(const holos_wave *w, const char *path, holos_error *err);
/* Forgets what the wave has reached and goes on from what a hologram holds. */
HOLOS_API holos_status holos_wave_load(holos_wave *w, const char *path, holos_error *err);

/* HOLOS_BAD_FILE with the reason if it is something else, damaged, or of another version. */
HOLOS_API holos_status holos_hologram_open(const char *path, holos_hologram **out, holos_error *err);
HOLOS_API void holos_hologram_close(holos_hologram *h);
HOLOS_API const holos_variant *holos_hologram_variant(const holos_hologram *h);
HOLOS_API void holos_hologram_summary_get(const holos_hologram *h, holos_hologram_summary *out);
/* Reads all of it and compares the checksums. */
HOLOS_API holos_status holos_hologram_verify(holos_hologram *h, holos_error *err);

/* What is known of a position; of one that is not in it, the range of scores and the source "none". */
HOLOS_API holos_status holos_hologram_query(holos_hologram *h, const holos_position *position,
                                            holos_value *out, holos_error *err);
/* A move that keeps the value of the position, or if none is known to, the one of a spine through it. */
HOLOS_API holos_status holos_hologram_best(holos_hologram *h, const holos_position *position, holos_move *out,
                                           bool *found, holos_error *err);
/* The moves of a spine from a position on it to its end: writes at most `most`, returns how many there are. */
HOLOS_API size_t holos_hologram_spine(holos_hologram *h, const holos_position *position, holos_move *out,
                                      size_t most);
/* Makes one hologram of two. It has all that either has; in which order several are merged makes no
 * difference. HOLOS_BAD_FILE with the key if they contradict each other. */
HOLOS_API holos_status holos_hologram_merge(const char *a, const char *b, const char *path, holos_error *err);
/* A frontier that the hologram knows by its seeds: makes it again, as a wave whose last layer it is, and checks
 * that it is the same. The wave uses the hologram's variant. */
HOLOS_API holos_status holos_hologram_frontier(holos_hologram *h, uint64_t mapping, holos_wave **out,
                                               holos_error *err);

#ifdef __cplusplus
}
#endif

#endif
