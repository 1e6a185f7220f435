/* SPDX-License-Identifier: MIT */

/* An engine: a way to narrow the value of a position. Engines know the contract of games, never a
 * game. engines.def lists them; holos_solver_open picks the first that can take the game, unless the
 * caller names one. */

#ifndef HOLOS_ENGINE_H
#define HOLOS_ENGINE_H

#include "core/mem.h"
#include "core/progress.h"
#include "engine/boundary.h"
#include "game/game.h"

/* What an engine sees of a solver. */
typedef struct engine_task {
    const holos_variant *v;
    holos_solver_options options;
    boundary_guard *known; /* options.boundary, or NULL; an error that it meets becomes the answer */
    mem_budget *budget;
    progress *progress; /* where an engine that takes long counts what it does */
} engine_task;

/* Where an engine says how long a game will last. */
enum {
    ENGINE_DISTANCE_BY_SCORE = 1 << 0, /* where the score tells it: search->distance */
    ENGINE_DISTANCE_SEARCHED = 1 << 1, /* in games without gains, by searching for it */
};

struct holos_engine {
    const char *name;
    const char *summary;
    uint32_t distances;          /* ENGINE_DISTANCE_…; 0: nowhere */
    const holos_option *options; /* for HOLOS_USE_SOLVE, ended by {0}; `open` reads them. NULL: none */
    bool asks_game;              /* it lets the game read its own options for HOLOS_USE_SOLVE */
    bool asks_hot; /* the same where the game has a search of its own (game/hot.h) and it is used */
    /* HOLOS_OK if it can take this game; otherwise an error that says what is missing. */
    holos_status (*supports)(const holos_variant *v, const holos_solver_options *options, holos_error *err);
    holos_status (*open)(const engine_task *task, void **state, holos_error *err);
    void (*close)(void *state);
    /* Fills what it knows of `result` (value, moves, best, line, solutions, nodes): arrays are the
     * engine's until its next call. The value comes in as the range of scores. Scores include what is banked. `seconds` and `engine` are filled by
     * the caller. HOLOS_LIMIT and HOLOS_INTERRUPTED as in holos_solver_solve. */
    holos_status (*solve)(void *state, const holos_position *p, holos_result *result, holos_error *err);
    /* Whether solve_many is faster than one by one, with the options that it was opened with. NULL: never. */
    bool (*takes_many)(const void *state);
    /* As holos_solver_solve_many; `results` are zeroed. NULL: one by one. */
    void (*solve_many)(void *state, const holos_position *positions, size_t count, holos_result *results,
                       holos_status *statuses);
    /* A move to play within its limits, proved or not, for a player that names this engine. The game is not over. NULL: it only
     * proves, and the player guesses. */
    holos_status (*choose)(void *state, const holos_position *p, holos_choice *out, holos_error *err);
    /* As holos_hot.guess and .lacks. NULL: it has no guesses, and lacks nothing. */
    bool (*guess)(void *state, const holos_position *p, unsigned depth, int32_t *score, holos_move *move);
    const char *(*lacks)(const void *state);
};

/* The engine's own move; *can is false if it has none. For players. (solver.c) */
holos_status solver_choose(holos_solver *solver, const holos_position *p, holos_choice *out, bool *can,
                           holos_error *err);

/* Whether a value answers what was asked for: the score, or with `weak` who wins. */
static inline bool value_is_enough(const holos_variant *v, const holos_solver_options *options,
                                   holos_value value)
{
    (void)v;
    return value.lo == value.hi ||
           (options->weak && ((value.lo > 0) - (value.lo < 0)) == ((value.hi > 0) - (value.hi < 0)));
}

/* What is known of a position before anything is. */
static inline holos_value value_unknown(const holos_variant *v)
{
    return (holos_value){.lo = v->score_min, .hi = v->score_max, .distance = HOLOS_NO_DISTANCE};
}

/* A line that was followed as far as asked for: it belongs to the result if it was asked for, and its first move
 * is a best one where not all moves were. `best` has room for a move. */
#define LINE_CUT "a limit was reached before the rest was found" /* holos_result.line_end */

static inline void result_take_line(holos_result *result, const holos_solver_options *options,
                                    const holos_move *line, size_t length, holos_move *best)
{
    if (options->line) {
        result->line = line;
        result->line_length = length;
    }
    if (!options->moves && length > 0) {
        best[0] = line[0];
        result->best = best;
        result->best_count = 1;
    }
}

/* The moves that are known to be worth as much as the position. `best` has room for all of them. */
static inline void result_take_best(holos_result *result, const holos_move_value *moves, size_t count,
                                    holos_move *best)
{
    result->best = best;
    for (size_t i = 0; i < count; i++)
        if (moves[i].value.lo >= result->value.hi)
            best[result->best_count++] = moves[i].move;
}

/* Room for the edges and positions of `count` neighbours, and none for keys. False: no memory, and *out is empty. */
static inline bool edges_make(holos_edges *out, arena *memory, const holos_variant *v, size_t count)
{
    *out = (holos_edges){.edges = arena_alloc(memory, count * sizeof *out->edges),
                         .positions = arena_alloc(memory, count * v->position_size)};
    if (out->edges != NULL && out->positions != NULL)
        return true;
    *out = (holos_edges){0};
    return false;
}

/* The groups of options for solving: those of games, then those of engines. For making puzzles: those of games. */
bool solve_option_group_at(size_t index, holos_option_group *out);
bool generate_option_group_at(size_t index, holos_option_group *out);
/* For playing: those of engines that choose moves. */
bool play_option_group_at(size_t index, holos_option_group *out);

#endif
