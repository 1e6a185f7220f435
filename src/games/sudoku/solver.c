/* SPDX-License-Identifier: MIT */

/* A depth-first search over candidates: cells with one candidate and digits with one place are filled in
 * until there are none; then it guesses on a cell with the fewest candidates. A guess works on a copy of the
 * grid, which is small. */

#include "games/sudoku/solver.h"

#include "core/clock.h"

#define HOUSES 27

typedef struct grid {
    uint16_t candidates[SUDOKU_CELLS];
    uint8_t done[SUDOKU_CELLS]; /* filled in, and struck from the cells it sees */
} grid;

typedef struct search {
    const sudoku_limits *limits;
    uint8_t *first;
    uint64_t solutions, guesses;
    bool stopped;
    bool skipped; /* something was left out because of that */
} search;

static bool is_single(unsigned digits)
{
    return (digits & (digits - 1)) == 0;
}

static bool grid_strike(grid *g, unsigned cell, unsigned from_cell)
{
    if (cell != from_cell)
        g->candidates[cell] = (uint16_t)(g->candidates[cell] & ~g->candidates[from_cell]);
    return g->candidates[cell] != 0;
}

/* Strikes the digit of a cell from all cells it sees. False: one of them has nothing left. */
static bool grid_settle(grid *g, unsigned cell)
{
    unsigned row = sudoku_row(cell), column = sudoku_column(cell), box = sudoku_box(cell);
    g->done[cell] = 1;
    bool alive = true;
    for (unsigned place = 0; place < 9; place++) {
        alive &= grid_strike(g, sudoku_house_cell(row, place), cell);
        alive &= grid_strike(g, sudoku_house_cell(9 + column, place), cell);
        alive &= grid_strike(g, sudoku_house_cell(18 + box, place), cell);
    }
    return alive;
}

/* Settles every cell with one candidate, and those that this leaves with one. */
static bool grid_fill_naked(grid *g)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++) {
            if (g->done[cell] || !is_single(g->candidates[cell]))
                continue;
            if (!grid_settle(g, cell))
                return false;
            changed = true;
        }
    }
    return true;
}

/* Reduces the cells that are a digit's only place in a house to that digit. False: a digit has no place. */
static bool grid_find_hidden(grid *g, bool *found)
{
    *found = false;
    for (unsigned house = 0; house < HOUSES; house++) {
        unsigned once = 0, twice = 0;
        for (unsigned place = 0; place < 9; place++) {
            unsigned digits = g->candidates[sudoku_house_cell(house, place)];
            twice |= once & digits;
            once |= digits;
        }
        if (once != SUDOKU_ALL)
            return false;
        unsigned hidden = once & ~twice;
        for (unsigned place = 0; hidden != 0 && place < 9; place++) {
            unsigned cell = sudoku_house_cell(house, place);
            unsigned digit = g->candidates[cell] & hidden;
            if (digit == 0 || is_single(g->candidates[cell]))
                continue;
            if (!is_single(digit))
                return false;
            g->candidates[cell] = (uint16_t)digit;
            *found = true;
        }
    }
    return true;
}

static bool grid_propagate(grid *g)
{
    for (bool found = true; found;)
        if (!grid_fill_naked(g) || !grid_find_hidden(g, &found))
            return false;
    return true;
}

/* The cell with the fewest candidates, among those with more than one; SUDOKU_CELLS if all are filled. */
static unsigned grid_choose(const grid *g)
{
    unsigned best = SUDOKU_CELLS;
    int fewest = 10;
    for (unsigned cell = 0; cell < SUDOKU_CELLS && fewest > 2; cell++) {
        int count = __builtin_popcount(g->candidates[cell]);
        if (count > 1 && count < fewest) {
            best = cell;
            fewest = count;
        }
    }
    return best;
}

/* Looks at the clock now and then, at the rest always. */
static bool search_must_stop(search *s)
{
    const sudoku_limits *limits = s->limits;
    s->stopped |= limits->guesses != 0 && s->guesses >= limits->guesses;
    s->stopped |= limits->stop != NULL && __atomic_load_n(limits->stop, __ATOMIC_RELAXED);
    if (s->guesses % 256 == 0)
        s->stopped |= clock_wall() >= limits->deadline;
    return s->stopped;
}

static void search_record(search *s, const grid *g)
{
    if (s->solutions++ == 0)
        for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
            s->first[cell] = (uint8_t)(__builtin_ctz(g->candidates[cell]) + 1);
    s->stopped |= s->solutions >= s->limits->solutions;
}

static void search_run(search *s, grid *g)
{
    if (!grid_propagate(g))
        return;
    unsigned cell = grid_choose(g);
    if (cell == SUDOKU_CELLS) {
        search_record(s, g);
        return;
    }
    for (unsigned digits = g->candidates[cell]; digits != 0; digits &= digits - 1) {
        if (s->stopped || search_must_stop(s)) {
            s->skipped = true;
            return;
        }
        s->guesses++;
        grid guess = *g;
        guess.candidates[cell] = (uint16_t)(digits & -digits);
        search_run(s, &guess);
    }
}

uint64_t sudoku_solve(const uint8_t cells[SUDOKU_CELLS], const sudoku_limits *limits,
                      uint8_t first[SUDOKU_CELLS], uint64_t *guesses, bool *complete)
{
    search s = {.limits = limits, .first = first};
    grid g = {0};
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
        g.candidates[cell] = (uint16_t)(cells[cell] != 0 ? 1u << cells[cell] >> 1 : SUDOKU_ALL);
    search_run(&s, &g);
    *guesses = s.guesses;
    *complete = !s.skipped;
    return s.solutions;
}
