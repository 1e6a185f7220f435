/* SPDX-License-Identifier: MIT */

/* holos: solvers, which find the values of positions. */

#ifndef HOLOS_SOLVE_H
#define HOLOS_SOLVE_H

#include <holos/game.h>
#include <holos/option.h>
#include <holos/progress.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Solving -------------------------------------------------------------------------------- */

typedef struct holos_solver holos_solver;

typedef struct holos_move_value {
    holos_move move;
    holos_value value; /* for the side that makes the move, so the best move has the position's value */
} holos_move_value;

/* Known values, such as those of a database: holos_knowledge_boundary (knowledge.h), or your own. The
 * threads of all solvers that use it may call its functions at once. An error ends the work and becomes its
 * answer; "unknown" is not an error but HOLOS_OK. `err` is never NULL. */
typedef struct holos_boundary {
    void *context;
    /* Looks up a position in which the game is not over. *out comes in as the range of scores with the
     * source "none"; leave it so if the position is unknown. A known value must contain the true score. */
    holos_status (*find)(void *context, const holos_position *position, holos_value *out, holos_error *err);
    /* NULL, or a faster way to look up the score alone, for a boundary that knows exact scores or nothing.
     * *found says whether it knows. */
    holos_status (*score)(void *context, const holos_position *position, int32_t *score, bool *found,
                          holos_error *err);
    /* NULL, or the values of all moves in natural order, for a boundary that knows more about a move than
     * the value of the position it leads to. `out` has room for all of them. */
    holos_status (*moves)(void *context, const holos_position *position, holos_move_value *out, size_t *count,
                          holos_error *err);
    /* NULL, or a guess about a position whose value is unknown. *out comes in as no guess. */
    holos_status (*guess)(void *context, const holos_position *position, holos_guess *out, holos_error *err);
} holos_boundary;

/* What an engine reads of its own search while it thinks, such as how widely its visits are spread. */
typedef struct holos_gauge {
    const char *name;
    double value;
} holos_gauge;

typedef void holos_gauges(void *context, const holos_gauge *gauges, size_t count);

typedef struct holos_solver_options {
    const char *engine; /* NULL: the best one for the game; or "alphabeta", … */
    holos_limits limits;
    bool weak;        /* only the outcome: stop when [lo, hi] is all win, all draw or all loss */
    bool value_only;  /* alphabeta: skip the best move, which may take as long as the value */
    bool moves;       /* also the value of every move */
    bool line;        /* also a line of best play */
    bool distance;    /* the distance, however long it takes; otherwise only if it is cheap */
    unsigned threads; /* 0 means 1 */
    /* NULL, or known values; must outlive the solver. If no engine is named and the boundary alone can
     * answer, it does, and the result's engine is "lookup". */
    const holos_boundary *boundary;
    /* NULL, or options of the engine and the game (HOLOS_USE_SOLVE), such as how many solutions to count or
     * the mode of the wave engine. Must outlive the solver. */
    const holos_settings *settings;
    /* Called from time to time by a working thread of an engine that counts, never by two at once; may be NULL. */
    void (*progress)(void *context, const holos_progress *progress);
    void *progress_context;
    double progress_seconds; /* how often; 0: twice a second */
    /* Called by the thinking thread of an engine that reads its own search, whenever it does; may be NULL. */
    holos_gauges *gauges;
    void *gauges_context;
} holos_solver_options;

/* What one technique of a puzzle's solver did. */
typedef struct holos_work {
    const char *name;
    uint64_t calls, removals,
        conflicts;  /* removals: candidates it ruled out; conflicts: contradictions it found */
    double seconds; /* CPU time, with the option telemetry */
} holos_work;

/* The answer for one position. The solver owns the arrays, until its next call. */
typedef struct holos_result {
    holos_value value; /* lo == hi: solved; always proved */
    holos_guess guess; /* about an unsolved position, if there is a guess */
    const char *engine;
    uint64_t nodes;
    double seconds;

    const holos_move_value *moves; /* with options.moves: every legal move, in natural order */
    size_t move_count;
    const holos_move *best; /* every move known to have the position's value; without options.moves,
                               at least one if the position is solved and the game is not over */
    size_t best_count;
    const holos_move *line; /* with options.line: best play to the end, or as far as it is known */
    size_t line_length;
    const char *line_end; /* why the line ends before the game does, if known; or NULL */

    uint64_t solutions;             /* puzzles: how many were found, up to the option solutions */
    bool solutions_complete;        /* there are no others */
    const holos_position *solution; /* puzzles: the first solution found, or NULL */
    const holos_position *known; /* puzzles: what is certain, if the limits left no time to find a solution */
    const char *reason;          /* puzzles: why there is no solution, if known; or NULL */
    const char *limit;           /* puzzles: what ended the work early: "the node limit"; or NULL */
    unsigned depth;              /* puzzles: the deepest guess */
    const holos_work *work;      /* puzzles: what each technique did, if the solver counts that */
    size_t work_count;
} holos_result;

/* A solver remembers what it learned from earlier positions. `options` may be NULL. */
HOLOS_API holos_status holos_solver_open(const holos_variant *v, const holos_solver_options *options,
                                         holos_solver **out, holos_error *err);
HOLOS_API void holos_solver_close(holos_solver *solver);

/* What the solver has to do without, in a sentence, such as a file that would make it faster; NULL: nothing. */
HOLOS_API const char *holos_solver_lacks(const holos_solver *solver);

/* HOLOS_OK: the value is exact. HOLOS_LIMIT, HOLOS_INTERRUPTED: `result` is what is known so far. */
HOLOS_API holos_status holos_solver_solve(holos_solver *solver, const holos_position *position,
                                          holos_result *result, holos_error *err);

/* A move without proof: the one that looks best after so many plies of search, and what the position then looks
 * worth (*score may be NULL). HOLOS_UNSUPPORTED if the engine cannot guess in this game. The game must not be over. */
HOLOS_API holos_status holos_solver_guess(holos_solver *solver, const holos_position *position,
                                          unsigned depth, holos_move *move, int32_t *score, holos_error *err);

#define HOLOS_SOLVE_MANY 256

/* Whether the solver is much faster with many positions at once. */
HOLOS_API bool holos_solver_takes_many(const holos_solver *solver);
/* Solves up to HOLOS_SOLVE_MANY consecutive positions. results[i] and statuses[i] are what
 * holos_solver_solve gives for position i. The solver owns the arrays in the results, until its next call. */
HOLOS_API void holos_solver_solve_many(holos_solver *solver, const holos_position *positions, size_t count,
                                       holos_result *results, holos_status *statuses);

/* ---- Engines ----------------------------------------------------------------------------------- */

typedef struct holos_engine holos_engine;

/* The engines, in the order in which a solver tries them. NULL past the end. */
HOLOS_API const holos_engine *holos_engine_at(size_t index);
HOLOS_API const holos_engine *holos_engine_find(const char *name);
HOLOS_API const char *holos_engine_name(const holos_engine *engine);
HOLOS_API const char *holos_engine_summary(const holos_engine *engine);
/* HOLOS_OK if the engine can solve the variant; otherwise the error says what is missing. */
HOLOS_API holos_status holos_engine_supports(const holos_engine *engine, const holos_variant *v,
                                             holos_error *err);

/* The kinds around a kind of positions: where play can lead from it, and where it comes from. */
typedef struct holos_surroundings {
    holos_kind *known;   /* kinds that play can reach, if the boundary knows them */
    holos_kind *unknown; /* and if not */
    holos_kind *parents; /* kinds from which one move leads here */
    size_t known_count, unknown_count, parent_count;
} holos_surroundings;

/* `boundary` may be NULL. The caller frees the lists, even after an error. */
HOLOS_API holos_status holos_surroundings_find(const holos_variant *v, holos_kind kind,
                                               const holos_boundary *boundary, holos_surroundings *out,
                                               holos_error *err);
HOLOS_API void holos_surroundings_free(holos_surroundings *s);

#ifdef __cplusplus
}
#endif

#endif
