/* SPDX-License-Identifier: MIT */

/* The logic engine: solves a puzzle as a person would, always by the cheapest technique that applies. What the
 * techniques are is the game's affair; this is the loop around them, and the sums. */

#include "engine/logic/logic.h"
#include "core/assert.h"
#include "core/clock.h"

#include <stdlib.h>
#include <string.h>

struct holos_logic {
    const holos_variant *v;
    const holos_deduction *deduction;
    holos_limits asked;
    const struct limits *within; /* NULL, or what takes the place of `asked` */
    struct limits limits;        /* of the work on this puzzle */
    double left;                 /* seconds of it, between two calls */
    void *state;
    bool begun; /* there is something in it */
    holos_position *solution, *scratch;
    unsigned solutions; /* up to 2 */
    bool unique;        /* the puzzle has one solution, whatever its owner has ruled out */
    bool silent;        /* nobody reads the explanations */
    text words;
    bool measured; /* `work` is kept */
    holos_work work[HOLOS_TECHNIQUES_MOST];
};

/* ---- Names ------------------------------------------------------------------------------------- */

static const char *const level_names[HOLOS_LEVEL_COUNT] = {
    [HOLOS_LEVEL_EASY] = "easy",     [HOLOS_LEVEL_MEDIUM] = "medium",   [HOLOS_LEVEL_HARD] = "hard",
    [HOLOS_LEVEL_UNFAIR] = "unfair", [HOLOS_LEVEL_EXTREME] = "extreme",
};

const char *holos_level_name(holos_level level)
{
    return (size_t)level < HOLOS_LEVEL_COUNT ? level_names[level] : "unknown";
}

bool holos_level_find(const char *name, holos_level *out)
{
    if (name == NULL || out == NULL)
        return false;
    for (size_t i = 0; i < HOLOS_LEVEL_COUNT; i++) {
        if (strcmp(level_names[i], name) == 0) {
            *out = (holos_level)i;
            return true;
        }
    }
    return false;
}

const holos_technique *holos_technique_at(const holos_game *game, size_t index)
{
    if (game == NULL)
        return NULL;
    const holos_deduction *d = game->deduction;
    return d != NULL && index < d->technique_count ? &d->techniques[index] : NULL;
}

size_t holos_technique_find(const holos_game *game, const char *name)
{
    if (game == NULL || name == NULL)
        return SIZE_MAX;
    const holos_technique *technique;
    for (size_t i = 0; (technique = holos_technique_at(game, i)) != NULL; i++)
        if (strcmp(technique->name, name) == 0)
            return i;
    return SIZE_MAX;
}

size_t holos_format_candidate(const holos_variant *v, holos_candidate candidate, bool holds, char *out,
                              size_t size)
{
    text t;
    text_init_fixed(&t, out, out != NULL ? size : 0);
    if (v != NULL && v->game->deduction != NULL)
        v->game->deduction->format_candidate(v, candidate, holds, &t);
    return t.length;
}

size_t holos_format_house(const holos_variant *v, unsigned house, char *out, size_t size)
{
    text t;
    text_init_fixed(&t, out, out != NULL ? size : 0);
    if (v != NULL && v->game->deduction != NULL)
        v->game->deduction->format_house(v, house, &t);
    return t.length;
}

/* ---- A puzzle ---------------------------------------------------------------------------------- */

/* The limit of time is for the work on a puzzle, whoever calls, and not for what the caller does in between. */
static void work_begin(holos_logic *l)
{
    if (l->left < CLOCK_NEVER)
        l->limits.deadline = clock_wall() + l->left;
}

static void work_end(holos_logic *l)
{
    if (l->left < CLOCK_NEVER)
        l->left = l->limits.deadline - clock_wall();
}

/* Solutions up to two; they are counted within the limits or not at all. */
static holos_status count_solutions(holos_logic *l, const holos_position *p, unsigned *out, holos_error *err)
{
    holos_puzzle_answer answer = {0};
    l->v->game->puzzle->count(l->v, p, 2, &l->limits, l->solution, &answer);
    *out = (unsigned)answer.solutions;
    if (answer.complete || answer.solutions == 2)
        return HOLOS_OK;
    limits_check(&l->limits);
    return error_set(err, l->limits.status == HOLOS_INTERRUPTED ? HOLOS_INTERRUPTED : HOLOS_LIMIT,
                     HOLOS_NOWHERE, "stopped at %s before it was clear how many solutions there are",
                     limits_go_on(&l->limits) ? "a limit" : l->limits.reached);
}

static void state_end(holos_logic *l)
{
    if (l->begun && l->deduction->end != NULL)
        l->deduction->end(l->v, l->state);
    l->begun = false;
}

static holos_status puzzle_begin(holos_logic *l, const holos_position *position, holos_error *err)
{
    l->unique = false;
    if (l->deduction->bare != NULL) {
        unsigned bare;
        l->deduction->bare(l->v, position, l->scratch);
        holos_status status = count_solutions(l, l->scratch, &bare, err);
        if (status != HOLOS_OK)
            return status;
        l->unique = bare == 1;
    }
    holos_status status = count_solutions(l, position, &l->solutions, err);
    if (l->deduction->bare == NULL)
        l->unique = l->solutions == 1;
    state_end(l);
    l->begun = l->deduction->begin(l->v, position, l->state);
    if (!l->begun)
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for a puzzle");
    return status;
}

holos_status holos_logic_restart(holos_logic *l, const holos_position *position, holos_error *err)
{
    if (l == NULL || position == NULL)
        return error_null(err, __func__);
    if (l->within != NULL)
        l->limits = limits_share(l->within, limits_nodes_left(l->within));
    else
        limits_begin(&l->limits, &l->asked, NULL);
    l->left = l->asked.seconds > 0 ? l->asked.seconds : CLOCK_NEVER;
    work_begin(l);
    holos_status status = puzzle_begin(l, position, err);
    work_end(l);
    return status;
}

static holos_status logic_open(const holos_variant *v, const holos_position *position,
                               const holos_limits *asked, const struct limits *within, holos_logic **out,
                               holos_error *err)
{
    const holos_deduction *deduction = v->game->deduction;
    *out = NULL;
    if (deduction == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "%s is not solved by deductions: there are no hints and no ratings for it", v->name);
    assert(deduction->technique_count <= HOLOS_TECHNIQUES_MOST && v->game->puzzle != NULL);
    holos_logic *l = calloc(1, sizeof *l);
    if (l == NULL)
        return error_system(err, "the logic engine");
    l->v = v;
    l->deduction = deduction;
    if (asked != NULL)
        l->asked = *asked;
    l->within = within;
    l->state = aligned_alloc(16, (deduction->state_size(v) + 15) / 16 * 16);
    l->solution = holos_position_new(v);
    l->scratch = holos_position_new(v);
    text_init(&l->words);
    holos_status status = l->state == NULL || l->solution == NULL || l->scratch == NULL
                              ? error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for a puzzle")
                              : holos_logic_restart(l, position, err);
    if (status != HOLOS_OK) {
        holos_logic_close(l);
        return status;
    }
    *out = l;
    return HOLOS_OK;
}

holos_status holos_logic_open(const holos_variant *v, const holos_position *position,
                              const holos_limits *limits, holos_logic **out, holos_error *err)
{
    if (v == NULL || position == NULL || out == NULL)
        return error_null(err, __func__);
    return logic_open(v, position, limits, NULL, out, err);
}

holos_status logic_open_within(const holos_variant *v, const holos_position *position,
                               const struct limits *within, holos_logic **out, holos_error *err)
{
    return logic_open(v, position, NULL, within, out, err);
}

void holos_logic_close(holos_logic *l)
{
    if (l == NULL)
        return;
    state_end(l);
    free(l->state);
    holos_position_free(l->solution);
    holos_position_free(l->scratch);
    text_free(&l->words);
    free(l);
}

unsigned holos_logic_solutions(const holos_logic *l)
{
    if (l == NULL)
        return 0;
    return l->solutions;
}

const holos_position *holos_logic_solution(const holos_logic *l)
{
    if (l == NULL)
        return NULL;
    return l->solutions > 0 ? l->solution : NULL;
}

bool holos_logic_is_done(const holos_logic *l)
{
    if (l == NULL)
        return false;
    return l->deduction->done(l->v, l->state);
}

void holos_logic_position(const holos_logic *l, holos_position *out)
{
    if (l == NULL || out == NULL)
        return;
    l->deduction->position(l->v, l->state, out);
}

/* ---- Steps ------------------------------------------------------------------------------------- */

void holos_logic_measure(holos_logic *l)
{
    if (l == NULL)
        return;
    l->measured = true;
    memset(l->work, 0, sizeof l->work);
}

holos_work holos_logic_work(const holos_logic *l, size_t technique)
{
    if (l == NULL || technique >= l->deduction->technique_count)
        return (holos_work){0};
    holos_work work = l->work[technique];
    work.name = l->deduction->techniques[technique].name;
    return work;
}

static bool ask(holos_logic *l, size_t technique, holos_step *out)
{
    double since = l->measured ? clock_cpu() : 0;
    bool found = l->deduction->find(l->v, l->state, technique, &l->limits, out, l->silent ? NULL : &l->words);
    if (l->measured) {
        holos_work *work = &l->work[technique];
        work->calls++;
        work->removals += found ? out->placement_count + (uint64_t)out->elimination_count : 0;
        work->seconds += clock_cpu() - since;
    }
    return found;
}

holos_status holos_logic_status(const holos_logic *l, holos_error *err)
{
    if (l == NULL)
        return error_null(err, __func__);
    return limits_go_on(&l->limits) ? HOLOS_OK : limits_error(&l->limits, "guesses", err);
}

static bool step_find(holos_logic *l, holos_step *out)
{
    if (l->solutions == 0 || holos_logic_is_done(l))
        return false;
    text_clear(&l->words);
    for (size_t i = 0; i < l->deduction->technique_count && limits_check(&l->limits); i++) {
        const holos_technique *technique = &l->deduction->techniques[i];
        if (technique->by_uniqueness && !l->unique)
            continue;
        out->technique = technique;
        out->rating = technique->rating;
        out->placement_count = out->elimination_count = out->mark_count = out->house_count = 0;
        out->explanation = "";
        if (ask(l, i, out)) {
            assert(out->placement_count + out->elimination_count > 0);
            out->explanation = l->silent ? "" : l->words.data;
            return true;
        }
    }
    return false;
}

bool holos_logic_find(holos_logic *l, holos_step *out)
{
    if (l == NULL || out == NULL)
        return false;
    work_begin(l);
    bool found = step_find(l, out);
    work_end(l);
    return found;
}

void holos_logic_apply(holos_logic *l, const holos_step *step)
{
    if (l == NULL || step == NULL)
        return;
    l->deduction->apply(l->v, l->state, step);
}

/* ---- Ratings ----------------------------------------------------------------------------------- */

static holos_level level_of_score(const holos_logic *l, unsigned score)
{
    const holos_deduction *d = l->deduction;
    unsigned level = HOLOS_LEVEL_EASY;
    while (d->level_score != NULL && level < HOLOS_LEVEL_COUNT - 1 &&
           score > d->level_score(l->v, (holos_level)level))
        level++;
    return (holos_level)level;
}

holos_status holos_logic_rate(holos_logic *l, holos_rating *out)
{
    if (l == NULL || out == NULL)
        return HOLOS_USAGE;
    holos_step step;
    memset(out, 0, sizeof *out);
    l->silent = true;
    while (holos_logic_find(l, &step)) {
        size_t index = (size_t)(step.technique - l->deduction->techniques);
        out->counts[index]++;
        out->steps++;
        out->score += step.technique->score;
        if (step.technique->level > out->level)
            out->level = step.technique->level;
        if (step.rating > out->rating || out->hardest == NULL) {
            out->rating = step.rating;
            out->hardest = step.technique;
        }
        holos_logic_apply(l, &step);
    }
    l->silent = false;
    out->solved = holos_logic_is_done(l);
    if (level_of_score(l, out->score) > out->level)
        out->level = level_of_score(l, out->score);
    return l->limits.status;
}
