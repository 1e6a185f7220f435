/* SPDX-License-Identifier: MIT */

/* Givens are taken away in units: a cell, or all cells that a symmetry carries into each other. At first many units go
 * with one question to the solver, then fewer, then one at a time. */

#include "games/hidato/generate.h"

#include "games/hidato/hidato.h"
#include "games/hidato/solver.h"

#include <string.h>

enum {
    BOARD_TRIES = 200, /* boards in a row without a path through them */
    NODES = 2000,      /* guesses that a question may take; a given whose need is not clear by then stays, */
    NODES_MINIMAL = 100000, /* or where it must be needed, the puzzle is given up */
};

/* Percent of the givens that a puzzle keeps that need not be minimal: from `fewest` on, one of `vary` more. By level,
 * the numbers are those where most puzzles of 8x8 have it. */
typedef struct density {
    unsigned fewest, vary;
} density;

static const density usual = {22, 24};
static const density by_level[HOLOS_LEVEL_COUNT] = {
    [HOLOS_LEVEL_EASY] = {45, 25},  [HOLOS_LEVEL_MEDIUM] = {36, 20}, [HOLOS_LEVEL_HARD] = {22, 24},
    [HOLOS_LEVEL_UNFAIR] = {0, 30}, [HOLOS_LEVEL_EXTREME] = {0, 1},
};

typedef struct maker {
    const hidato_plan *plan;
    bool minimal;
    density density;
    rng random;
    hidato_board solution, puzzle;
    uint16_t order[HIDATO_PLACES];      /* the cells, those of a unit next to each other */
    uint16_t starts[HIDATO_PLACES + 1]; /* where each unit begins */
    unsigned units;
    unsigned givens, enough;
    struct limits *limits;
    bool unclear; /* a question was not answered */
    bool failed;  /* out of memory */
} maker;

/* ---- Order ---------------------------------------------------------------------------------------- */

/* An end of the path stays, unless the puzzle is to be minimal: people like to know where it begins. */
static bool may_go(const maker *m, unsigned place)
{
    unsigned number = m->solution.numbers[place];
    return number != HIDATO_HOLE && (m->minimal || (number != 1 && number != m->solution.cells));
}

static void order_units(maker *m)
{
    bool taken[HIDATO_PLACES] = {false};
    uint16_t places[HIDATO_PLACES] = {0};
    unsigned all = (unsigned)m->solution.rows * m->solution.columns, count = 0;
    for (unsigned i = 0; i < all; i++) {
        unsigned j = (unsigned)rng_below(&m->random, i + 1);
        places[i] = places[j];
        places[j] = (uint16_t)i;
    }
    m->units = 0;
    for (unsigned i = 0; i < all; i++) {
        if (taken[places[i]] || m->solution.numbers[places[i]] == HIDATO_HOLE)
            continue;
        unsigned begin = count;
        for (unsigned at = places[i]; !taken[at]; at = hidato_carry(m->plan->symmetry, &m->solution, at)) {
            taken[at] = true;
            m->order[count++] = (uint16_t)at;
        }
        bool whole = true;
        for (unsigned k = begin; k < count; k++)
            whole = whole && may_go(m, m->order[k]);
        if (whole)
            m->starts[m->units++] = (uint16_t)begin;
        else
            count = begin;
    }
    m->starts[m->units] = (uint16_t)count;
}

/* ---- Questions ------------------------------------------------------------------------------------ */

static bool is_unique(maker *m, const hidato_board *b)
{
    const hidato_request request = {.mode = hidato_mode_find(NULL), .solutions = 2};
    struct limits limits = limits_share(m->limits, m->minimal ? NODES_MINIMAL : NODES);
    hidato_answer answer;
    holos_status status = hidato_solve(b, m->plan->kind, &request, &limits, &answer);
    limits_join(m->limits, &limits);
    if (status != HOLOS_OK)
        m->failed = true;
    if (status != HOLOS_OK || !limits_go_on(m->limits))
        return false;
    if (answer.solutions == 1 && !answer.complete)
        m->unclear = true;
    return answer.solutions == 1 && answer.complete;
}

/* Takes away the givens of some units if the solution stays the only one. */
static bool take_away(maker *m, unsigned unit, unsigned count)
{
    hidato_board before = m->puzzle;
    unsigned first = m->starts[unit], end = m->starts[unit + count];
    for (unsigned i = first; i < end; i++)
        m->puzzle.numbers[m->order[i]] = 0;
    hidato_board_count(&m->puzzle);
    if (is_unique(m, &m->puzzle)) {
        m->givens -= end - first;
        return true;
    }
    m->puzzle = before;
    return false;
}

static void carve(maker *m)
{
    unsigned chunk = m->units / 4 + 1;
    for (unsigned at = 0; at < m->units && m->givens > m->enough && !m->failed && limits_check(m->limits);) {
        if (chunk > m->units - at)
            chunk = m->units - at;
        while (chunk > 1 && m->givens < m->enough + m->starts[at + chunk] - m->starts[at])
            chunk /= 2;
        bool unclear = m->unclear, gone = take_away(m, at, chunk);
        if (gone || chunk == 1)
            at += chunk;
        else
            m->unclear = unclear; /* it is asked again, in smaller parts */
        if (!gone)
            chunk = chunk > 1 ? chunk / 2 : 1;
    }
}

/* ---- Puzzles -------------------------------------------------------------------------------------- */

static holos_status solution_draw(maker *m, holos_error *err)
{
    for (unsigned tries = 0; tries < BOARD_TRIES && limits_check(m->limits); tries++)
        if (hidato_plan_draw(m->plan, &m->random, &m->solution) &&
            hidato_draw_path(&m->solution, m->plan->kind, &m->random)) {
            hidato_board_count(&m->solution);
            return HOLOS_OK;
        }
    if (!limits_go_on(m->limits))
        return limits_error(m->limits, "guesses", err);
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                     "no path through such a board was found in %u tries: take fewer holes, or another size",
                     BOARD_TRIES);
}

static holos_status puzzle_make(maker *m, holos_error *err)
{
    do {
        holos_status status = solution_draw(m, err);
        if (status != HOLOS_OK)
            return status;
        m->puzzle = m->solution;
        m->unclear = false;
        m->givens = m->solution.cells;
        unsigned percent = m->density.fewest + (unsigned)rng_below(&m->random, m->density.vary);
        m->enough = m->minimal ? 0 : m->givens * percent / 100;
        order_units(m);
        carve(m);
        if (m->failed)
            return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory to make puzzles");
        if (!limits_check(m->limits))
            return limits_error(m->limits, "guesses", err);
    } while (m->minimal && m->unclear);
    return HOLOS_OK;
}

holos_status hidato_check_request(const holos_variant *v, const holos_puzzle_request *request,
                                  holos_error *err)
{
    hidato_plan plan;
    return hidato_plan_make(hidato_kind_of(v), request, &plan, err);
}

holos_status hidato_generate(const holos_variant *v, const holos_puzzle_request *request, uint64_t first,
                             size_t count, struct limits *limits, holos_position *out, size_t *made,
                             holos_error *err)
{
    hidato_plan plan;
    maker m = {.plan = &plan,
               .limits = limits,
               .minimal = request->minimal,
               .density = request->has_level ? by_level[request->level] : usual};
    holos_status status = hidato_plan_make(hidato_kind_of(v), request, &plan, err);
    *made = 0;
    for (size_t i = 0; i < count && status == HOLOS_OK; i++) {
        rng_init(&m.random, request->seed, first + i);
        status = puzzle_make(&m, err);
        if (status == HOLOS_OK)
            memcpy(position_at(v, out, (*made)++), &m.puzzle, v->position_size);
    }
    return status;
}
