/* SPDX-License-Identifier: MIT */

/* The puzzle engine: for games that count their own solutions. A position is worth 1 if it has a
 * solution and 0 if it has none; a move is worth what the position after it is. */

#include "core/list.h"
#include "engine/engine.h"

#include <stdlib.h>
#include <string.h>

typedef struct puzzle_settings {
    uint64_t solutions;
} puzzle_settings;

typedef struct puzzle {
    const holos_variant *v;
    holos_solver_options options;
    puzzle_settings settings;
    void *game_settings; /* of the game's own options; may be NULL */
    holos_edges successors;
    holos_position *solution, *here, *next, *spare, *known;
    holos_move_value *moves;
    holos_move *legal, *best, *line;
    size_t line_room;
    holos_move firsts[HOLOS_SOLVE_MANY];
    holos_position *solutions; /* HOLOS_SOLVE_MANY of them, once many were asked for */
    arena memory;
    /* Of the position that is being solved. */
    struct limits limits;
    holos_puzzle_report report; /* of a game that has options */
    holos_work work[HOLOS_PUZZLE_WORK];
    text reason;
} puzzle;

static const holos_option puzzle_options[] = {
    {OPTION(COUNT, puzzle_settings, solutions), .name = "solutions", .letter = 's', .value = "N",
     .fallback = "2", .help = "count solutions up to this many"},
    {0},
};

static holos_status puzzle_supports(const holos_variant *v, const holos_solver_options *options,
                                    holos_error *err)
{
    (void)options;
    if (v->game->puzzle == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "the puzzle engine is for puzzles; %s has no solutions to count", v->name);
    return HOLOS_OK;
}

static void puzzle_close(void *state)
{
    puzzle *s = state;
    if (s == NULL)
        return;
    arena_free(&s->memory);
    text_free(&s->reason);
    free(s->game_settings);
    free(s->line);
    free(s);
}

static holos_status puzzle_open(const engine_task *task, void **state, holos_error *err)
{
    const holos_variant *v = task->v;
    puzzle *s = calloc(1, sizeof *s);
    if (s == NULL)
        return error_system(err, "the puzzle engine");
    text_init(&s->reason);
    s->v = v;
    s->options = task->options;
    arena_init(&s->memory, task->budget, 1 << 16);
    holos_status status = option_read(puzzle_options, s->options.settings, &s->settings, err);
    if (status == HOLOS_OK)
        status = game_settings_new(game_options(v->game, HOLOS_USE_SOLVE, NULL), s->options.settings,
                                   &s->game_settings, err);
    if (status != HOLOS_OK) {
        puzzle_close(s);
        return status;
    }
    if (s->settings.solutions == 0) {
        puzzle_close(s);
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--solutions: count at least one");
    }
    s->successors.edges = arena_alloc(&s->memory, v->max_successors * sizeof *s->successors.edges);
    s->moves = arena_alloc(&s->memory, v->max_successors * sizeof *s->moves);
    s->legal = arena_alloc(&s->memory, v->max_successors * sizeof *s->legal);
    s->best = arena_alloc(&s->memory, v->max_successors * sizeof *s->best);
    s->solution = arena_alloc(&s->memory, 5 * v->position_size);
    if (s->successors.edges == NULL || s->moves == NULL || s->legal == NULL || s->best == NULL ||
        s->solution == NULL) {
        puzzle_close(s);
        return mem_error(err, task->budget, (size_t)1 << 16, "the puzzle engine");
    }
    s->here = position_at(v, s->solution, 1);
    s->next = position_at(v, s->solution, 2);
    s->spare = position_at(v, s->solution, 3);
    s->known = position_at(v, s->solution, 4);
    *state = s;
    return HOLOS_OK;
}

/* Counts within what is left of the limits; s->limits tells if they were reached. */
static holos_puzzle_answer count_within(puzzle *s, const holos_position *p, uint64_t most,
                                        holos_position *first)
{
    const holos_puzzle *game = s->v->game->puzzle;
    holos_puzzle_answer answer = {0};
    s->report = (holos_puzzle_report){0};
    if (game->examine != NULL) {
        const holos_puzzle_question question = {.solutions = most, .settings = s->game_settings};
        game->examine(s->v, p, &question, &s->limits, first, s->known, &s->report);
        answer = s->report.answer;
    } else {
        game->count(s->v, p, most, &s->limits, first, &answer);
    }
    /* A game with modes may have ended for a reason of its own. */
    if (!answer.complete && answer.solutions < most && limits_check(&s->limits))
        limits_stop(&s->limits, HOLOS_LIMIT, s->report.limit != NULL ? s->report.limit : "a limit");
    return answer;
}

/* Whether p has a solution: 1, 0, or an open question at a limit. */
static holos_value value_of(puzzle *s, const holos_position *p)
{
    int32_t score;
    holos_value value = {.lo = 0,
                         .hi = 1,
                         .distance = HOLOS_NO_DISTANCE,
                         .conversion = HOLOS_NO_DISTANCE,
                         .source = HOLOS_SOURCE_LOGIC};
    if (s->v->game->terminal(s->v, p, &score)) {
        value.lo = value.hi = score;
        value.source = HOLOS_SOURCE_RULES;
    } else if (limits_go_on(&s->limits)) {
        holos_puzzle_answer answer = count_within(s, p, 1, s->spare);
        if (answer.solutions > 0)
            value.lo = 1;
        else if (limits_go_on(&s->limits))
            value.hi = 0;
    }
    return value;
}

static uint32_t moves_list(puzzle *s, const holos_position *p)
{
    uint32_t count = s->v->game->expand(s->v, p, s->successors);
    for (uint32_t i = 0; i < count; i++)
        s->legal[i] = s->successors.edges[i].move;
    return count;
}

static void moves_solve(puzzle *s, const holos_position *p, holos_result *result)
{
    result->moves = s->moves;
    result->move_count = moves_list(s, p);
    result->best = s->best;
    for (size_t i = 0; i < result->move_count; i++) {
        s->v->game->play(s->v, p, s->legal[i], s->next);
        s->moves[i].move = s->legal[i];
        s->moves[i].value = value_of(s, s->next);
        if (s->moves[i].value.lo >= result->value.hi)
            s->best[result->best_count++] = s->legal[i];
    }
}

/* The first move, in natural order, that keeps a solution alive: from s->here to s->next. False if a limit
 * keeps it from being found. */
static bool line_step(puzzle *s, holos_move *out)
{
    const holos_variant *v = s->v;
    if (v->game->puzzle->toward != NULL) {
        *out = v->game->puzzle->toward(v, s->here, s->solution);
        v->game->play(v, s->here, *out, s->next);
        return true;
    }
    uint32_t count = moves_list(s, s->here);
    for (uint32_t i = 0; i < count; i++) {
        *out = s->legal[i];
        v->game->play(v, s->here, *out, s->next);
        if (value_of(s, s->next).lo == 1)
            return true;
    }
    return false;
}

/* The way to a solution: at most `most` moves. */
static size_t line_follow(puzzle *s, const holos_position *p, size_t most)
{
    size_t length = 0;
    int32_t over;
    holos_move move;
    memcpy(s->here, p, s->v->position_size);
    while (length < most && !s->v->game->terminal(s->v, s->here, &over)) {
        if (!line_step(s, &move))
            break;
        if (!LIST_RESERVE(s->line, s->line_room, length + 1))
            break;
        s->line[length++] = move;
        memcpy(s->here, s->next, s->v->position_size);
    }
    return length;
}

/* What a game with options tells of its work, and why there is no solution. */
static void report_fill(puzzle *s, const holos_position *p, holos_result *result)
{
    const holos_puzzle *game = s->v->game->puzzle;
    if (game->examine != NULL) {
        result->known = s->report.has_known ? s->known : NULL;
        result->depth = s->report.depth;
        result->limit = s->report.limit;
        result->work = s->work;
        result->work_count = s->report.work_count;
        memcpy(s->work, s->report.work, sizeof s->work);
    }
    if (result->value.hi == 0 && game->conflict != NULL) {
        text_clear(&s->reason);
        result->reason = game->conflict(s->v, p, &s->reason) ? s->reason.data : NULL;
    }
}

static holos_status puzzle_solve(void *state, const holos_position *p, holos_result *result, holos_error *err)
{
    puzzle *s = state;
    limits_begin(&s->limits, &s->options.limits, s->memory.budget);
    holos_puzzle_answer answer = count_within(s, p, s->settings.solutions, s->solution);
    result->solutions = answer.solutions;
    result->solutions_complete = answer.complete;
    result->value = (holos_value){.lo = answer.solutions > 0,
                                  .hi = answer.solutions > 0 || !limits_go_on(&s->limits),
                                  .distance = HOLOS_NO_DISTANCE,
                                  .conversion = HOLOS_NO_DISTANCE,
                                  .source = HOLOS_SOURCE_LOGIC};
    if (answer.solutions > 0)
        result->solution = s->solution;
    bool known = limits_go_on(&s->limits);
    report_fill(s, p, result);
    if (known && s->options.moves)
        moves_solve(s, p, result);
    if (known && result->value.lo == 1) {
        size_t length = line_follow(s, p, s->options.line ? SIZE_MAX : 1);
        result->line = s->options.line ? s->line : NULL;
        result->line_length = s->options.line ? length : 0;
        if (!s->options.moves && length > 0) {
            s->best[0] = s->line[0];
            result->best = s->best;
            result->best_count = 1;
        }
    }
    result->nodes = s->limits.nodes;
    return known ? HOLOS_OK : limits_error(&s->limits, "guesses", err);
}

/* ---- Many -------------------------------------------------------------------------------------- */

/* A limit of time is for each position: then they are solved one by one. */
static bool puzzle_takes_many(const void *state)
{
    const puzzle *s = state;
    return s->v->game->puzzle->count_many != NULL && s->v->game->puzzle->toward != NULL &&
           !s->options.moves && !s->options.line && !(s->options.limits.seconds > 0);
}

static holos_status many_result(puzzle *s, const holos_position *p, size_t index,
                                const holos_puzzle_answer *answer, holos_result *result)
{
    bool cut = !answer->complete && answer->solutions < s->settings.solutions;
    result->solutions = answer->solutions;
    result->solutions_complete = answer->complete;
    result->nodes = answer->nodes;
    result->value = (holos_value){.lo = answer->solutions > 0,
                                  .hi = answer->solutions > 0 || cut,
                                  .distance = HOLOS_NO_DISTANCE,
                                  .conversion = HOLOS_NO_DISTANCE,
                                  .source = HOLOS_SOURCE_LOGIC};
    if (answer->solutions > 0)
        result->solution = position_at(s->v, s->solutions, index);
    if (cut)
        return s->limits.status == HOLOS_INTERRUPTED ? HOLOS_INTERRUPTED : HOLOS_LIMIT;
    if (answer->solutions > 0 && memcmp(p, result->solution, s->v->position_size) != 0) {
        s->firsts[index] = s->v->game->puzzle->toward(s->v, p, result->solution);
        result->best = &s->firsts[index];
        result->best_count = 1;
    }
    return HOLOS_OK;
}

static void puzzle_solve_many(void *state, const holos_position *positions, size_t count,
                              holos_result *results, holos_status *statuses)
{
    puzzle *s = state;
    const holos_variant *v = s->v;
    holos_puzzle_answer answers[HOLOS_SOLVE_MANY];
    if (s->solutions == NULL)
        s->solutions = arena_alloc(&s->memory, HOLOS_SOLVE_MANY * v->position_size);
    if (s->solutions == NULL) {
        for (size_t i = 0; i < count; i++)
            statuses[i] = HOLOS_NO_MEMORY;
        return;
    }
    limits_begin(&s->limits, &s->options.limits, s->memory.budget);
    v->game->puzzle->count_many(v, positions, count, s->settings.solutions, &s->limits, s->solutions,
                                answers);
    for (size_t i = 0; i < count; i++)
        statuses[i] = many_result(s, position_in(v, positions, i), i, &answers[i], &results[i]);
}

const holos_engine puzzle_engine = {
    .name = "puzzle",
    .summary = "counts the solutions of a puzzle with the game's own solver",
    .options = puzzle_options,
    .asks_game = true,
    .supports = puzzle_supports,
    .open = puzzle_open,
    .close = puzzle_close,
    .solve = puzzle_solve,
    .takes_many = puzzle_takes_many,
    .solve_many = puzzle_solve_many,
};
