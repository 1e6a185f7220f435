/* SPDX-License-Identifier: MIT */

/* Givens are taken away in units: a cell, or all cells that a symmetry carries into each other.
 *
 * A puzzle is made in two stages: a random full grid is filled in, then givens are taken away in random
 * order while the solution stays the only one. Each stage is a row of questions to the solver; many puzzles
 * are made side by side, so that their questions fill its lanes. */

#include "games/sudoku/generate.h"

#include "core/rng.h"

#include <stdlib.h>

/* Puzzles made side by side. 64: 0.7 of the speed, 256: 0.85; more than 512: no faster. */
#define MAKERS 512

/* Cells that get a random digit, besides the three boxes on the diagonal which do not see each other,
 * before the solver fills in the rest. About 140,000 grids share three such boxes; each cell leaves a third
 * of them. */
#define RANDOM_CELLS 8

/* How many givens are taken away with one question at first; halved when that was too many. */
#define FIRST_CHUNK 24

typedef enum maker_stage {
    MAKER_START, /* is waiting for a solution of the three boxes */
    MAKER_FILL,  /* is waiting whether a digit in a random cell has a solution */
    MAKER_CARVE, /* is waiting whether a chunk of givens may go */
    MAKER_CHECK, /* is waiting whether a single given could go: a symmetric puzzle need not be minimal */
    MAKER_DONE,
} maker_stage;

typedef struct maker {
    maker_stage stage;
    rng random;
    size_t index; /* of the puzzle in the caller's array */
    sudoku_grid grid;
    uint8_t solution[SUDOKU_CELLS];
    uint8_t order[SUDOKU_CELLS];      /* of filling, then of carving */
    uint8_t starts[SUDOKU_CELLS + 1]; /* CARVE: where each unit begins in `order` */
    unsigned units;
    unsigned at;      /* how far along `order`; CARVE: along the units */
    unsigned untried; /* FILL: digits for the cell at order[at] */
    uint16_t digit;   /* FILL: the one in question */
    unsigned chunk;   /* CARVE: units */
    unsigned givens;  /* CARVE: how many are left */
    unsigned enough;  /* CARVE: stop with so many */
    const sudoku_recipe *recipe;
} maker;

static void shuffle(rng *random, uint8_t *items, unsigned count)
{
    for (unsigned i = count - 1; i > 0; i--) {
        unsigned j = (unsigned)rng_below(random, i + 1);
        uint8_t item = items[i];
        items[i] = items[j];
        items[j] = item;
    }
}

static void shuffle_cells(maker *m)
{
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
        m->order[cell] = (uint8_t)cell;
    shuffle(&m->random, m->order, SUDOKU_CELLS);
    m->at = 0;
}

static void maker_begin(maker *m)
{
    uint8_t cells[SUDOKU_CELLS] = {0};
    for (unsigned box = 0; box < 9; box += 4) {
        uint8_t digits[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
        shuffle(&m->random, digits, 9);
        for (unsigned place = 0; place < 9; place++)
            cells[sudoku_house_cell(18 + box, place)] = digits[place];
    }
    sudoku_grid_from_cells(cells, &m->grid);
    shuffle_cells(m);
    m->stage = MAKER_START;
}

static void maker_start(maker *m, const sudoku_recipe *recipe, uint64_t number, size_t index)
{
    rng_init(&m->random, recipe->seed, number);
    m->recipe = recipe;
    m->index = index;
    maker_begin(m);
}

static uint16_t random_digit(rng *random, unsigned set)
{
    unsigned skip = (unsigned)rng_below(random, (uint64_t)__builtin_popcount(set));
    while (skip-- > 0)
        set &= set - 1;
    return (uint16_t)(set & -set);
}

/* ---- Symmetries -------------------------------------------------------------------------------- */

unsigned sudoku_carry(unsigned symmetry, unsigned size, unsigned cell)
{
    unsigned row = cell / size, column = cell % size, last = size - 1;
    switch (symmetry) {
    case 1:
        return (last - row) * size + last - column;
    case 2:
        return column * size + last - row;
    case 3:
        return row * size + last - column;
    case 4:
        return (last - row) * size + column;
    case 5:
        return column * size + row;
    default:
        return cell;
    }
}

/* Puts the cells that belong together next to each other, in the order of the first of them. */
static void order_units(maker *m)
{
    uint8_t cells[SUDOKU_CELLS];
    bool taken[SUDOKU_CELLS] = {0};
    unsigned count = 0;
    memcpy(cells, m->order, sizeof cells);
    m->units = 0;
    for (unsigned i = 0; i < SUDOKU_CELLS; i++) {
        if (taken[cells[i]])
            continue;
        m->starts[m->units++] = (uint8_t)count;
        for (unsigned cell = cells[i]; !taken[cell]; cell = sudoku_carry(m->recipe->symmetry, 9, cell)) {
            taken[cell] = true;
            m->order[count++] = (uint8_t)cell;
        }
    }
    m->starts[m->units] = SUDOKU_CELLS;
}

/* ---- Questions and answers --------------------------------------------------------------------- */

/* How many givens a puzzle keeps that need not be minimal: from FEWEST on, one of so many numbers. */
#define FEWEST_GIVENS 24
#define GIVENS_VARY   10

static void maker_carve(maker *m)
{
    m->stage = MAKER_CARVE;
    sudoku_grid_from_cells(m->solution, &m->grid);
    shuffle_cells(m);
    order_units(m);
    m->givens = SUDOKU_CELLS;
    m->enough = m->recipe->minimal ? 0 : FEWEST_GIVENS + (unsigned)rng_below(&m->random, GIVENS_VARY);
    m->chunk = FIRST_CHUNK * m->units / SUDOKU_CELLS;
}

/* The cells of the units in question. */
static unsigned chunk_cells(const maker *m)
{
    return m->starts[m->at + m->chunk] - (unsigned)m->starts[m->at];
}

/* Goes on to the next digit that needs a question. Those of the solution at hand do not. */
static void maker_fill(maker *m)
{
    for (;;) {
        if (m->untried == 0) {
            if (m->at == RANDOM_CELLS) {
                maker_carve(m);
                return;
            }
            m->untried = m->grid.candidates[m->order[m->at]];
        }
        unsigned cell = m->order[m->at];
        m->digit = random_digit(&m->random, m->untried);
        if (m->digit != 1u << (m->solution[cell] - 1))
            return;
        m->grid.candidates[cell] = m->digit;
        m->untried = 0;
        m->at++;
    }
}

/* The grid that the maker wants to know about. The question is if it has a solution at all, or with a
 * chunk of several givens, if it has a second one; true for the latter. */
static bool maker_ask(const maker *m, sudoku_grid *grid)
{
    *grid = m->grid;
    unsigned cell = m->order[m->at];
    if (m->stage == MAKER_FILL)
        grid->candidates[cell] = m->digit;
    if (m->stage == MAKER_CHECK)
        grid->candidates[cell] = (uint16_t)(SUDOKU_ALL & ~m->grid.candidates[cell]);
    if (m->stage != MAKER_CARVE)
        return false;
    unsigned first = m->starts[m->at], count = chunk_cells(m);
    for (unsigned i = first; i < first + count; i++)
        grid->candidates[m->order[i]] = SUDOKU_ALL;
    /* One given may go if the cell can hold nothing else. */
    if (count == 1)
        grid->candidates[m->order[first]] = (uint16_t)(SUDOKU_ALL & ~m->grid.candidates[m->order[first]]);
    return count > 1;
}

static void maker_hear_filled(maker *m, const sudoku_answer *answer)
{
    unsigned cell = m->order[m->at];
    if (answer->solutions > 0) {
        memcpy(m->solution, answer->first, sizeof m->solution);
        m->grid.candidates[cell] = m->digit;
        m->untried = 0;
        m->at++;
    } else {
        m->untried &= ~(unsigned)m->digit;
        m->grid.candidates[cell] = (uint16_t)m->untried;
    }
    maker_fill(m);
}

/* Goes on to the next given whose need is to be checked, in MAKER_CHECK. */
static void maker_check(maker *m)
{
    m->stage = MAKER_CHECK;
    while (m->at < SUDOKU_CELLS && m->grid.candidates[m->order[m->at]] == SUDOKU_ALL)
        m->at++;
    if (m->at == SUDOKU_CELLS)
        m->stage = MAKER_DONE;
}

static void maker_hear_carved(maker *m, const sudoku_answer *answer)
{
    unsigned first = m->starts[m->at], count = chunk_cells(m);
    bool unique = answer->solutions == (count > 1 ? 1 : 0);
    if (unique) {
        for (unsigned i = first; i < first + count; i++)
            m->grid.candidates[m->order[i]] = SUDOKU_ALL;
        m->givens -= count;
    }
    if (unique || m->chunk == 1)
        m->at += m->chunk;
    if (!unique)
        m->chunk = m->chunk > 1 ? m->chunk / 2 : 1;
    if (m->at + m->chunk > m->units)
        m->chunk = m->units - m->at;
    while (m->chunk > 1 && m->givens < m->enough + chunk_cells(m))
        m->chunk /= 2;
    if (m->at < m->units && m->givens > m->enough)
        return;
    m->stage = MAKER_DONE;
    if (m->recipe->minimal && m->units < SUDOKU_CELLS) {
        m->at = 0;
        maker_check(m);
    }
}

/* A puzzle with a given too many: the maker begins anew. */
static void maker_hear_checked(maker *m, const sudoku_answer *answer)
{
    if (answer->solutions == 0) {
        maker_begin(m);
        return;
    }
    m->at++;
    maker_check(m);
}

static void maker_hear(maker *m, const sudoku_answer *answer)
{
    if (m->stage == MAKER_START) {
        memcpy(m->solution, answer->first, sizeof m->solution);
        m->stage = MAKER_FILL;
        m->untried = 0;
        maker_fill(m);
    } else if (m->stage == MAKER_FILL) {
        maker_hear_filled(m, answer);
    } else if (m->stage == MAKER_CARVE) {
        maker_hear_carved(m, answer);
    } else {
        maker_hear_checked(m, answer);
    }
}

static void maker_finish(const maker *m, sudoku_puzzle *out)
{
    memcpy(out->solution, m->solution, sizeof out->solution);
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
        out->givens[cell] = m->grid.candidates[cell] == SUDOKU_ALL ? 0 : m->solution[cell];
}

/* Makers and their questions: those that want to know of a second solution are asked apart, as one is
 * enough for the others. */
typedef struct workshop {
    maker makers[MAKERS];
    sudoku_grid grids[2][MAKERS];
    maker *askers[2][MAKERS];
    sudoku_answer answers[MAKERS];
} workshop;

/* Answers that were cut short mean nothing: then *work says so. */
static void workshop_round(workshop *w, const sudoku_solver *solver, struct limits *work, size_t busy)
{
    size_t asked[2] = {0};
    for (size_t i = 0; i < busy; i++) {
        sudoku_grid grid;
        bool second = maker_ask(&w->makers[i], &grid);
        w->grids[second][asked[second]] = grid;
        w->askers[second][asked[second]++] = &w->makers[i];
    }
    for (unsigned second = 0; second < 2; second++) {
        /* Most answers are found at once, so help from idle lanes is wasted: 2.1 times as fast without. */
        sudoku_limits limits = {.solutions = 1 + second, .guesses = UINT64_MAX, .work = work, .alone = true};
        solver->solve(w->grids[second], asked[second], &limits, w->answers);
        if (!limits_go_on(work))
            return;
        for (size_t i = 0; i < asked[second]; i++)
            maker_hear(w->askers[second][i], &w->answers[i]);
    }
}

holos_status sudoku_generate(const sudoku_solver *solver, const sudoku_recipe *recipe, uint64_t first,
                             size_t count, struct limits *work, sudoku_puzzle *out, size_t *made,
                             holos_error *err)
{
    workshop *w = malloc(sizeof *w);
    *made = 0;
    if (w == NULL)
        return error_system(err, "making sudokus");
    size_t started = 0, busy = 0;
    *made = count;
    for (;;) {
        for (; busy < MAKERS && started < count; busy++, started++)
            maker_start(&w->makers[busy], recipe, first + started, started);
        if (busy == 0)
            break;
        workshop_round(w, solver, work, busy);
        if (!limits_go_on(work)) {
            for (size_t i = 0; i < busy; i++)
                *made = w->makers[i].index < *made ? w->makers[i].index : *made;
            *made = started < *made ? started : *made;
            break;
        }
        for (size_t i = 0; i < busy;) {
            if (w->makers[i].stage == MAKER_DONE) {
                maker_finish(&w->makers[i], &out[w->makers[i].index]);
                w->makers[i] = w->makers[--busy];
            } else {
                i++;
            }
        }
    }
    free(w);
    return limits_go_on(work) ? HOLOS_OK : limits_error(work, "guesses", err);
}
