/* SPDX-License-Identifier: MIT */

/* Sudokus of any shape. Counting solutions: singles are filled in, then the choice with the fewest branches is tried,
 * be it the candidates of a cell or the places of a digit in a house. That is the rule by which Knuth's Algorithm X picks a
 * column of an exact cover, on sets of bits instead of linked lists. */

#include "core/clock.h"
#include "core/rng.h"
#include "games/sudoku/generate.h"
#include "games/sudoku/sudoku.h"
#include "games/sudoku/techniques/assume.h"

#include <stdlib.h>

typedef struct search {
    const sudoku_shape *shape;
    const sudoku_limits *limits;
    const holos_position *p;
    holos_position *first;
    holos_puzzle_answer *out;
    bool stopped;
} search;

static bool must_stop(search *s)
{
    const sudoku_limits *limits = s->limits;
    if (s->out->nodes >= limits->guesses || stop_asked(limits->stop) ||
        (s->out->nodes % 64 == 0 && deadline_passed(limits->deadline)))
        s->stopped = true;
    return s->stopped;
}

/* Candidates of which exactly one is right. */
typedef struct branches {
    unsigned count;
    uint16_t cells[SHAPE_DIGITS];
    uint8_t digits[SHAPE_DIGITS];
} branches;

static void branch_on_cell(const sudoku_marks *m, unsigned cell, branches *out)
{
    out->count = 0;
    for (unsigned rest = m->candidates[cell]; rest != 0; rest &= rest - 1) {
        out->cells[out->count] = (uint16_t)cell;
        out->digits[out->count++] = (uint8_t)__builtin_ctz(rest);
    }
}

static void branch_on_house(cellset places, unsigned digit, branches *out)
{
    out->count = 0;
    CELLSET_EACH(cell, places)
    {
        out->cells[out->count] = (uint16_t)cell;
        out->digits[out->count++] = (uint8_t)digit;
    }
}

static void choose(const sudoku_shape *shape, const sudoku_marks *m, branches *out)
{
    unsigned fewest = SHAPE_DIGITS + 1;
    CELLSET_EACH(cell, m->empty)
    {
        unsigned count = (unsigned)__builtin_popcount(m->candidates[cell]);
        if (count < fewest) {
            fewest = count;
            branch_on_cell(m, cell, out);
        }
    }
    for (unsigned house = 0; house < shape->houses && fewest > 2; house++) {
        for (unsigned rest = shape->all & ~(unsigned)m->placed[house]; rest != 0; rest &= rest - 1) {
            unsigned digit = (unsigned)__builtin_ctz(rest);
            cellset places = cellset_and(m->places[digit], shape->house_set[house]);
            unsigned count = cellset_count(places);
            if (count < fewest) {
                fewest = count;
                branch_on_house(places, digit, out);
            }
        }
    }
}

/* Everything below the marks. False: enough has been found, or a limit was reached. */
static bool search_below(search *s, sudoku_marks *m)
{
    branches choice = {0};
    if (!settle(s->shape, m))
        return true;
    if (cellset_is_empty(m->empty)) {
        if (s->out->solutions++ == 0)
            sudoku_fill(s->shape, s->p, m->values, s->first);
        return s->out->solutions < s->limits->solutions;
    }
    choose(s->shape, m, &choice);
    for (unsigned i = 0; i < choice.count; i++) {
        sudoku_marks next = *m;
        if (i + 1 < choice.count && must_stop(s)) /* the last branch is no guess */
            return false;
        s->out->nodes += i + 1 < choice.count;
        marks_place(s->shape, &next, choice.cells[i], choice.digits[i]);
        if (!search_below(s, &next)) {
            s->stopped |= i + 1 < choice.count; /* something is left */
            return false;
        }
        if (i + 1 < choice.count)
            marks_drop(m, choice.cells[i], choice.digits[i]);
    }
    return true;
}

void sudoku_general_count(const sudoku_shape *shape, const holos_position *p, const sudoku_limits *limits,
                          holos_position *first, holos_puzzle_answer *out)
{
    sudoku_marks marks;
    *out = (holos_puzzle_answer){0};
    search s = {.shape = shape, .limits = limits, .p = p, .first = first, .out = out};
    marks_begin(shape, sudoku_cells(p), sudoku_erased(shape, p), &marks);
    if (must_stop(&s))
        return;
    search_below(&s, &marks);
    out->complete = !s.stopped;
}

/* ---- Making ------------------------------------------------------------------------------------ */

/* Guesses that a question may take: one that takes more is answered with no. */
#define ENOUGH_GUESSES 20000

/* The largest grid on which a symmetric puzzle that is minimal turns up in a while. */
#define MINIMAL_SYMMETRIC_MOST 9

static void shuffle(rng *random, uint16_t *items, unsigned count)
{
    for (unsigned i = count - 1; i > 0; i--) {
        unsigned j = (unsigned)rng_below(random, i + 1);
        uint16_t item = items[i];
        items[i] = items[j];
        items[j] = item;
    }
}

/* All cells in random order. */
static void shuffle_cells(const sudoku_shape *shape, rng *random, uint16_t order[SHAPE_CELLS])
{
    for (unsigned cell = 0; cell < SHAPE_CELLS; cell++)
        order[cell] = (uint16_t)cell;
    shuffle(random, order, shape->cells);
}

/* A full grid: digits at random, as long as there is a solution. The first solution fills in the rest. */
static void fill_at_random(const sudoku_shape *shape, rng *random, holos_position *p)
{
    const sudoku_limits one = {.solutions = 1, .guesses = ENOUGH_GUESSES, .deadline = CLOCK_NEVER};
    uint16_t order[SHAPE_CELLS], candidates[SHAPE_CELLS];
    holos_puzzle_answer answer;
    _Alignas(16) unsigned char trial[SUDOKU_POSITION_MOST], solved[SUDOKU_POSITION_MOST];
    do {
        memset(p, 0, shape->position_size);
        shuffle_cells(shape, random, order);
        for (unsigned i = 0; i < 2 * shape->size; i++) {
            sudoku_candidates_of(shape, p, candidates);
            unsigned left = candidates[order[i]];
            if (left == 0)
                break;
            for (unsigned skip = (unsigned)rng_below(random, (uint64_t)__builtin_popcount(left)); skip > 0;
                 skip--)
                left &= left - 1;
            memcpy(trial, p, shape->position_size);
            sudoku_write(shape, (holos_position *)trial, order[i], (unsigned)__builtin_ctz(left) + 1);
            sudoku_general_count(shape, (holos_position *)trial, &one, (holos_position *)solved, &answer);
            if (answer.solutions > 0)
                memcpy(p, trial, shape->position_size);
        }
        sudoku_general_count(shape, p, &one, (holos_position *)solved, &answer);
    } while (answer.solutions == 0);
    memcpy(p, solved, shape->position_size);
}

static const sudoku_limits two = {.solutions = 2, .guesses = ENOUGH_GUESSES, .deadline = CLOCK_NEVER};

static bool has_one_solution(const sudoku_shape *shape, const holos_position *p)
{
    _Alignas(16) unsigned char solved[SUDOKU_POSITION_MOST];
    holos_puzzle_answer answer;
    sudoku_general_count(shape, p, &two, (holos_position *)solved, &answer);
    return answer.solutions == 1 && answer.complete;
}

/* The cells that a symmetry carries a cell to, itself first; at most four. */
static unsigned orbit(const sudoku_shape *shape, unsigned symmetry, unsigned cell, uint16_t *out)
{
    unsigned count = 0, here = cell;
    do {
        out[count++] = (uint16_t)here;
        here = sudoku_carry(symmetry, shape->size, here);
    } while (here != cell);
    return count;
}

/* Takes the givens of an orbit away if the solution stays the only one. Returns how many went. */
static unsigned take_away(const sudoku_shape *shape, holos_position *p, const uint16_t *orbit, unsigned count)
{
    uint8_t *cells = sudoku_cells_mutable(p), digits[4];
    for (unsigned i = 0; i < count; i++) {
        digits[i] = cells[orbit[i]];
        cells[orbit[i]] = 0;
    }
    if (has_one_solution(shape, p))
        return count;
    for (unsigned i = 0; i < count; i++)
        cells[orbit[i]] = digits[i];
    return 0;
}

/* Takes givens away in random order while the solution stays the only one. */
static void carve(const sudoku_shape *shape, rng *random, const holos_puzzle_request *request,
                  holos_position *p)
{
    uint16_t order[SHAPE_CELLS], together[4];
    unsigned left = shape->cells, enough = request->minimal ? 0 : shape->cells * 2 / 5;
    shuffle_cells(shape, random, order);
    for (unsigned i = 0; i < shape->cells && left > enough; i++)
        if (sudoku_cells(p)[order[i]] != 0)
            left -= take_away(shape, p, together, orbit(shape, request->symmetry, order[i], together));
}

/* Whether no single given can go: a puzzle whose givens only go together may have one too many. */
static bool is_minimal(const sudoku_shape *shape, const holos_position *p)
{
    _Alignas(16) unsigned char trial[SUDOKU_POSITION_MOST];
    memcpy(trial, p, shape->position_size);
    for (uint16_t cell = 0; cell < shape->cells; cell++)
        if (sudoku_cells(p)[cell] != 0 && take_away(shape, (holos_position *)trial, &cell, 1) > 0)
            return false;
    return true;
}

holos_status sudoku_general_make(const sudoku_shape *shape, const holos_puzzle_request *request,
                                 uint64_t first, size_t count, holos_position *out, holos_error *err)
{
    bool symmetric = request->symmetry > 0;
    if (symmetric && request->minimal && shape->size > MINIMAL_SYMMETRIC_MOST)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "on this grid hardly any symmetric puzzle is minimal: ask for one of the two");
    for (size_t i = 0; i < count; i++) {
        holos_position *p = (holos_position *)((unsigned char *)out + i * shape->position_size);
        rng random;
        rng_init(&random, request->seed, first + i);
        do {
            fill_at_random(shape, &random, p);
            carve(shape, &random, request, p);
        } while (symmetric && request->minimal && !is_minimal(shape, p));
        for (unsigned cell = 0; cell < shape->cells; cell++)
            if (sudoku_cells(p)[cell] != 0)
                sudoku_set_given(shape, p, cell);
    }
    return HOLOS_OK;
}
