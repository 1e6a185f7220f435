/* SPDX-License-Identifier: MIT */

/* Waves as an engine of the solver: the position that is asked about is a seed, and what earlier questions
 * reached is still there for the next one. */

#include "engine/engine.h"

#include "core/list.h"
#include "engine/line.h"
#include "engine/wave/wave.h"

#include <stdlib.h>

typedef struct wave_engine_settings {
    unsigned mode; /* a holos_wave_mode */
    uint64_t seed;
} wave_engine_settings;

static const holos_option engine_options[] = {
    {OPTION(CHOICE, wave_engine_settings, mode), .name = "mode",
     .value = "auto|lightning|wave|crystal|osmosis", .fallback = "auto",
     .help =
         "how to explore: what pays best, deep along forcing moves, layer by layer, around meeting points, "
         "or one position at a time"},
    {OPTION(COUNT, wave_engine_settings, seed), .name = "seed", .value = "N", .fallback = "1",
     .help = "where random choices start: boundary positions found by playing"},
    {0},
};

typedef struct wave_engine_state {
    holos_wave *w;
    holos_solver_options options;
    wave_engine_settings settings;
    arena memory;
    holos_position *here, *next;
    holos_edges successors;
    holos_move_value *moves;
    holos_move *best, *line;
    size_t line_room;
    holos_key *seen;          /* the positions of a line */
    double deadline;          /* of the question */
    uint64_t expanded_before; /* before it */
} wave_engine_state;

static holos_status engine_supports(const holos_variant *v, const holos_solver_options *options,
                                    holos_error *err)
{
    (void)options;
    if (v->score_min < INT16_MIN || v->score_max > INT16_MAX)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "the scores of %s do not fit into the 16 bits that a wave has for them", v->name);
    return HOLOS_OK;
}

static void engine_close(void *state)
{
    wave_engine_state *s = state;
    if (s == NULL)
        return;
    holos_wave_close(s->w);
    arena_free(&s->memory);
    free(s->line);
    free(s);
}

static bool buffers_make(wave_engine_state *s, const holos_variant *v)
{
    size_t count = v->max_successors;
    s->here = arena_alloc(&s->memory, v->position_size);
    s->next = arena_alloc(&s->memory, v->position_size);
    s->moves = arena_alloc(&s->memory, count * sizeof *s->moves);
    s->best = arena_alloc(&s->memory, count * sizeof *s->best);
    s->seen = arena_alloc(&s->memory, (LINE_MOST + 1) * sizeof *s->seen);
    return edges_make(&s->successors, &s->memory, v, count) && s->here != NULL && s->next != NULL &&
           s->moves != NULL && s->best != NULL && s->seen != NULL;
}

static holos_status engine_open(const engine_task *task, void **state, holos_error *err)
{
    wave_engine_state *s = calloc(1, sizeof *s);
    if (s == NULL)
        return error_system(err, "the wave engine");
    s->options = task->options;
    arena_init(&s->memory, task->budget, 1 << 16);
    holos_status status = option_read(engine_options, s->options.settings, &s->settings, err);
    holos_wave_options options = {
        .limits = s->options.limits, .threads = s->options.threads, .seed = s->settings.seed};
    if (status == HOLOS_OK)
        status = wave_open_within(task->v, &options, task->budget, task->known, &s->w, err);
    if (status == HOLOS_OK)
        s->w->by_question = true;
    if (status == HOLOS_OK && !buffers_make(s, task->v))
        status = mem_error(err, task->budget, (size_t)1 << 16, "the wave engine");
    if (status != HOLOS_OK) {
        engine_close(s);
        return status;
    }
    *state = s;
    return HOLOS_OK;
}

/* ---- Solving ----------------------------------------------------------------------------------- */

/* What is left of the limits for one more run. False: nothing. */
static bool limits_left(wave_engine_state *s)
{
    holos_limits left = s->options.limits;
    uint64_t done = wave_expanded(s->w) - s->expanded_before;
    if (left.seconds > 0)
        left.seconds = s->deadline - clock_wall();
    if (left.nodes > 0)
        left.nodes = left.nodes > done ? left.nodes - done : 0;
    if ((s->options.limits.seconds > 0 && left.seconds <= 0) ||
        (s->options.limits.nodes > 0 && left.nodes == 0) || holos_stop_asked(left.stop))
        return false;
    holos_wave_limit(s->w, &left);
    return true;
}

/* Solves these positions; what is known already costs nothing. */
static holos_status engine_run(wave_engine_state *s, const holos_position *first, uint32_t count,
                               holos_error *err)
{
    bool open = false;
    wave_seeds_clear(s->w);
    for (uint32_t i = 0; i < count; i++) {
        const holos_position *p =
            (const holos_position *)((const unsigned char *)first + i * s->w->v->position_size);
        if (value_is_enough(s->w->v, &s->options, holos_wave_query(s->w, p)))
            continue;
        holos_wave_seed seed = {.position = p, .mode = s->settings.mode};
        holos_status status = holos_wave_add(s->w, &seed, err);
        if (status != HOLOS_OK)
            return status;
        open = true;
    }
    if (!open)
        return HOLOS_OK;
    if (!limits_left(s))
        return error_set(err, HOLOS_LIMIT, HOLOS_NOWHERE, "the limit was reached");
    return holos_wave_run(s->w, s->settings.mode, err);
}

/* The value of a move, for the side that makes it. */
static holos_value move_value(const wave_engine_state *s, const holos_position *p, uint32_t index)
{
    const holos_variant *v = s->w->v;
    const holos_position *child = position_at(v, s->successors.positions, index);
    holos_value value = holos_wave_query(s->w, child);
    bool same = (s->successors.edges[index].flags & HOLOS_EDGE_SAME_SIDE) != 0;
    (void)p;
    int32_t lo = same ? value.lo : -value.hi, hi = same ? value.hi : -value.lo;
    value.lo = lo;
    value.hi = hi;
    if (value.distance != HOLOS_NO_DISTANCE)
        value.distance++;
    if (value.source == HOLOS_SOURCE_RULES)
        value.source = HOLOS_SOURCE_WAVE;
    return value;
}

static uint32_t successors_list(wave_engine_state *s, const holos_position *p)
{
    return s->w->v->game->expand(s->w->v, p, s->successors);
}

static holos_status moves_solve(wave_engine_state *s, const holos_position *p, holos_result *result,
                                holos_error *err)
{
    uint32_t count = successors_list(s, p);
    holos_status status = engine_run(s, s->successors.positions, count, err);
    result->moves = s->moves;
    result->move_count = count;
    for (uint32_t i = 0; i < count; i++)
        s->moves[i] = (holos_move_value){.move = s->successors.edges[i].move, .value = move_value(s, p, i)};
    return status;
}

/* A move that keeps the value; UINT32_MAX: none is known. If need be, the successors are solved for it. */
static uint32_t move_best(wave_engine_state *s, const holos_position *p, int32_t score, holos_error *err)
{
    for (unsigned attempt = 0; attempt < 2; attempt++) {
        uint32_t count = successors_list(s, p);
        for (uint32_t i = 0; i < count; i++)
            if (move_value(s, p, i).lo >= score)
                return i;
        if (attempt == 0 && engine_run(s, s->successors.positions, count, err) != HOLOS_OK)
            break;
    }
    return UINT32_MAX;
}

static bool line_append(wave_engine_state *s, size_t length, holos_move move)
{
    if (!LIST_RESERVE(s->line, s->line_room, length + 1))
        return false;
    s->line[length] = move;
    return true;
}

/* At most `most` moves of best play; s->here is the position after them. *why is NULL, or why it ends before the game. */
static size_t line_follow(wave_engine_state *s, const holos_position *p, size_t most, const char **why,
                          holos_error *err)
{
    const holos_variant *v = s->w->v;
    size_t length = 0;
    int32_t over;
    memcpy(s->here, p, v->position_size);
    for (*why = NULL; length < most && !v->game->terminal(v, s->here, &over);) {
        holos_value value = holos_wave_query(s->w, s->here);
        *why = most > 1 ? line_stops(v, value, s->seen, length, s->here) : NULL;
        if (*why != NULL)
            break;
        uint32_t index = move_best(s, s->here, value.lo, err);
        if (index == UINT32_MAX)
            *why = "the move that keeps the value was not found within the limits";
        if (index == UINT32_MAX || !line_append(s, length, s->successors.edges[index].move))
            break;
        length++;
        memcpy(s->here, position_at(v, s->successors.positions, index), v->position_size);
    }
    return length;
}

/* The line, one best move where not all moves were asked for, and of a puzzle the solution at its end. */
static void line_solve(wave_engine_state *s, const holos_position *p, holos_result *result, holos_error *err)
{
    const holos_variant *v = s->w->v;
    bool puzzle = v->game->puzzle != NULL && result->value.lo == 1;
    bool whole = s->options.line || puzzle;
    const char *why;
    size_t length = line_follow(s, p, whole ? SIZE_MAX : 1, &why, err);
    int32_t score;
    if (length == 0 && whole && !s->options.moves) { /* a line may end where a best move is known */
        const char *ignored;
        size_t first = line_follow(s, p, 1, &ignored, err);
        result_take_line(result, &s->options, s->line, first, s->best);
    }
    result_take_line(result, &s->options, s->line, length, s->best);
    result->line_end = s->options.line ? why : NULL;
    if (puzzle && v->game->terminal(v, s->here, &score) && score == 1) {
        result->solution = s->here;
        result->solutions = 1; /* at least: waves do not count them */
    }
}

static holos_status engine_solve(void *state, const holos_position *p, holos_result *result, holos_error *err)
{
    wave_engine_state *s = state;
    holos_error ignored;
    s->expanded_before = wave_expanded(s->w);
    s->deadline = clock_wall() + s->options.limits.seconds;
    holos_status status = engine_run(s, p, 1, err);
    int32_t over;
    if (status == HOLOS_OK && s->options.moves && !s->w->v->game->terminal(s->w->v, p, &over))
        status = moves_solve(s, p, result, err);
    result->value = holos_wave_query(s->w, p);
    holos_wave_guess(s->w, p, &result->guess);
    if (result->moves != NULL && holos_value_is_solved(result->value))
        result_take_best(result, s->moves, result->move_count, s->best);
    if (holos_value_is_solved(result->value) && status == HOLOS_OK)
        line_solve(s, p, result, &ignored);
    result->nodes = wave_expanded(s->w) - s->expanded_before;
    if (status == HOLOS_OK && !value_is_enough(s->w->v, &s->options, result->value))
        return error_set(err, HOLOS_LIMIT, HOLOS_NOWHERE,
                         "the waves have ended, and the position is not solved");
    return value_is_enough(s->w->v, &s->options, result->value) && result->moves == NULL ? HOLOS_OK : status;
}

const holos_engine wave_engine = {
    .name = "wave",
    .summary = "waves from the position and from the boundary; where they meet, values flow",
    .distances = ENGINE_DISTANCE_BY_SCORE,
    .options = engine_options,
    .supports = engine_supports,
    .open = engine_open,
    .close = engine_close,
    .solve = engine_solve,
};
