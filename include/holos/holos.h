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
HOLOS_API holos_position *holos_position_new(const holos_variant *v); /* NULL: out of memory */
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
} holos_boundary;

typedef struct holos_solver_options {
    const char *engine; /* NULL: the best one for the game; else "alphabeta", … */
    holos_limits limits;
    bool weak;          /* only the outcome: [lo, hi] is narrowed until it is all win, draw or loss */
    bool moves;         /* the value of every move, too */
    bool line;          /* a line of best play, too */
    bool distance;      /* the distance, however long it takes; otherwise only where it comes cheaply */
    bool no_hot;        /* the generic engine even where the game has a faster one of its own */
    uint64_t solutions; /* puzzles: count solutions up to this many; 0 means 2, enough for uniqueness */
    unsigned threads;   /* 0 means 1 */
    const holos_boundary *boundary; /* NULL, or what need not be searched; outlives the solver */
} holos_solver_options;

typedef struct holos_move_value {
    holos_move move;
    holos_value value; /* for the side that makes the move: the best one has the position's value */
} holos_move_value;

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
} holos_result;

/* A solver keeps what it learned for the positions to come. `options` may be NULL. */
HOLOS_API holos_status holos_solver_open(const holos_variant *v, const holos_solver_options *options,
                                         holos_solver **out, holos_error *err);
HOLOS_API void holos_solver_close(holos_solver *solver);

/* HOLOS_OK: the value is exact. HOLOS_LIMIT, HOLOS_INTERRUPTED: `result` holds what is known. */
HOLOS_API holos_status holos_solver_solve(holos_solver *solver, const holos_position *position,
                                          holos_result *result, holos_error *err);

#ifdef __cplusplus
}
#endif

#endif
