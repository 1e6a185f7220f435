/* SPDX-License-Identifier: MIT */

/* An engine: a way to narrow the value of a position. Engines know the contract of games, never a
 * game. engines.def lists them; holos_solver_open picks the first that can take the game, unless the
 * caller names one. */

#ifndef HOLOS_ENGINE_H
#define HOLOS_ENGINE_H

#include "core/mem.h"
#include "game/game.h"

/* What an engine sees of a solver. */
typedef struct engine_task {
    const holos_variant *v;
    holos_solver_options options;
    mem_budget *budget;
} engine_task;

typedef struct holos_engine {
    const char *name;
    const char *summary;
    bool checkpoints; /* it heeds options.checkpoint */
    /* HOLOS_OK if it can take this game; otherwise an error that says what is missing. */
    holos_status (*supports)(const holos_variant *v, const holos_solver_options *options, holos_error *err);
    holos_status (*open)(const engine_task *task, void **state, holos_error *err);
    void (*close)(void *state);
    /* Fills what it knows of `result` (value, moves, best, line, solutions, nodes): arrays are the
     * engine's until its next call. Scores include what is banked. `seconds` and `engine` are filled by
     * the caller. HOLOS_LIMIT and HOLOS_INTERRUPTED as in holos_solver_solve. */
    holos_status (*solve)(void *state, const holos_position *p, holos_result *result, holos_error *err);
    /* Whether solve_many is faster than one by one, with the options that it was opened with. NULL: never. */
    bool (*takes_many)(const void *state);
    /* As holos_solver_solve_many; `results` are zeroed. NULL: one by one. */
    void (*solve_many)(void *state, const holos_position *positions, size_t count, holos_result *results,
                       holos_status *statuses);
} holos_engine;

/* Whether a value answers what was asked for: the score, or with `weak` the outcome. */
static inline bool value_is_enough(const holos_variant *v, const holos_solver_options *options,
                                   holos_value value)
{
    return value.lo == value.hi ||
           (options->weak && holos_outcome(v, value.lo) == holos_outcome(v, value.hi));
}

/* A line that was followed as far as asked for: it belongs to the result if it was asked for, and its first move
 * is a best one where not all moves were. `best` has room for a move. */
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

const holos_engine *engine_at(size_t index); /* NULL past the end */

#endif
