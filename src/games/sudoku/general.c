/* SPDX-License-Identifier: MIT */

/* Sudokus of any shape. Counting solutions: singles are filled in, then the choice with the fewest branches is tried,
 * be it the candidates of a cell or the places of a digit in a house. That is the rule by which Knuth's Algorithm X picks a
 * column of an exact cover, on sets of bits instead of linked lists. */

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
    struct limits *work;
    bool stopped;
} search;

static bool must_stop(search *s)
{
    s->stopped |= s->out->nodes >= s->limits->guesses || !limits_may_count(s->work);
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
        if (i + 1 < choice.count) {
            s->out->nodes++;
            s->work->nodes++;
        }
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
    struct limits none = limits_none();
    search s = {.shape = shape,
                .limits = limits,
                .p = p,
                .first = first,
                .out = out,
                .work = limits->work != NULL ? limits->work : &none};
    marks_begin(shape, sudoku_cells(p), sudoku_erased(shape, p), &marks);
    if (must_stop(&s))
        return;
    search_below(&s, &marks);
    out->complete = !s.stopped;
}

/* ---- Making ------------------------------------------------------------------------------------ */

/* Guesses that a question may take: a given whose need is not clear by then stays, or where each must be needed, the puzzle is
 * given up. */
#define ENOUGH_GUESSES  20000
#define MINIMAL_GUESSES 200000

/* Percent of the cells that a puzzle keeps that need not be minimal: from `fewest` on, one of `vary` more. By size and level, the
 * numbers are those where puzzles of the level are frequent: of 40 puzzles each, singles alone solve 18 of 12x12 with 40 %, 38
 * with 45 %, all with 50 %; of 16x16 it is 5 with 44 %, 33 with 48 %, all with 56 %. */
typedef struct density {
    unsigned fewest, vary;
} density;

typedef struct densities {
    unsigned size; /* up to this one */
    density usual, by_level[HOLOS_LEVEL_COUNT];
} densities;

static const densities all_densities[] = {
    {9, {40, 1}, {{36, 8}, {24, 10}, {0, 30}, {0, 26}, {0, 1}}},
    {12, {38, 10}, {{46, 7}, {39, 6}, {36, 7}, {32, 8}, {32, 6}}},
    {16, {42, 10}, {{50, 9}, {45, 5}, {44, 5}, {42, 5}, {40, 5}}},
};

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
static void fill_at_random(const sudoku_shape *shape, rng *random, struct limits *work, holos_position *p)
{
    const sudoku_limits one = {.solutions = 1, .guesses = ENOUGH_GUESSES, .work = work};
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
    } while (answer.solutions == 0 && limits_check(work));
    memcpy(p, solved, shape->position_size);
}

typedef enum uniqueness { ONE_SOLUTION, SEVERAL_SOLUTIONS, UNCLEAR } uniqueness;

static uniqueness solutions_of(const sudoku_shape *shape, const holos_position *p, uint64_t guesses,
                               struct limits *work)
{
    const sudoku_limits two = {.solutions = 2, .guesses = guesses, .work = work};
    _Alignas(16) unsigned char solved[SUDOKU_POSITION_MOST];
    holos_puzzle_answer answer;
    sudoku_general_count(shape, p, &two, (holos_position *)solved, &answer);
    return answer.solutions > 1 ? SEVERAL_SOLUTIONS : answer.complete ? ONE_SOLUTION : UNCLEAR;
}

/* The same for a puzzle whose one solution has `digit` in an empty cell: is there another with something else there? That
 * leaves out the solution that is known. */
static uniqueness solutions_without(const sudoku_shape *shape, holos_position *p, unsigned cell,
                                    unsigned digit, uint64_t guesses, struct limits *work)
{
    const sudoku_limits one = {.solutions = 1, .guesses = guesses, .work = work};
    _Alignas(16) unsigned char solved[SUDOKU_POSITION_MOST];
    holos_puzzle_answer answer;
    uint16_t *erased = &sudoku_erased_mutable(shape, p)[cell], bit = (uint16_t)(1u << (digit - 1));
    *erased |= bit;
    sudoku_general_count(shape, p, &one, (holos_position *)solved, &answer);
    *erased &= (uint16_t)~bit;
    return answer.solutions > 0 ? SEVERAL_SOLUTIONS : answer.complete ? ONE_SOLUTION : UNCLEAR;
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

/* A puzzle that is being made. */
typedef struct carving {
    const sudoku_shape *shape;
    const holos_puzzle_request *request;
    struct limits *work;
    bool unclear; /* whether a given was needed could not be decided */
} carving;

/* Takes the givens of an orbit away if the solution stays the only one. Returns how many went. */
static unsigned take_away(carving *c, holos_position *p, const uint16_t *orbit, unsigned count)
{
    uint8_t *cells = sudoku_cells_mutable(p), digits[4];
    uint64_t guesses = c->request->minimal ? MINIMAL_GUESSES : ENOUGH_GUESSES;
    for (unsigned i = 0; i < count; i++) {
        digits[i] = cells[orbit[i]];
        cells[orbit[i]] = 0;
    }
    uniqueness found = count == 1 ? solutions_without(c->shape, p, orbit[0], digits[0], guesses, c->work)
                                  : solutions_of(c->shape, p, guesses, c->work);
    if (found == ONE_SOLUTION)
        return count;
    c->unclear = c->unclear || found == UNCLEAR;
    for (unsigned i = 0; i < count; i++)
        cells[orbit[i]] = digits[i];
    return 0;
}

/* How many givens are enough. */
static unsigned givens_wanted(const carving *c, rng *random)
{
    const densities *d = all_densities;
    if (c->request->minimal)
        return 0;
    while (d->size < c->shape->size)
        d++;
    density wanted = c->request->has_level ? d->by_level[c->request->level] : d->usual;
    unsigned percent = wanted.fewest + (wanted.vary > 1 ? (unsigned)rng_below(random, wanted.vary) : 0);
    return c->shape->cells * percent / 100;
}

/* Takes givens away in random order while the solution stays the only one. Where every given must be needed, it ends with the
 * first of which that is not clear: the puzzle will not do. */
static void carve(carving *c, rng *random, holos_position *p)
{
    const sudoku_shape *shape = c->shape;
    uint16_t order[SHAPE_CELLS], together[4];
    unsigned left = shape->cells, enough = givens_wanted(c, random);
    shuffle_cells(shape, random, order);
    for (unsigned i = 0; i < shape->cells && left > enough && limits_check(c->work); i++) {
        if (sudoku_cells(p)[order[i]] != 0)
            left -=
                take_away(c, p, together, orbit(shape, sudoku_symmetry_of(c->request), order[i], together));
        if (c->request->minimal && c->unclear)
            return;
    }
}

/* Whether no single given can go: a puzzle whose givens only go together may have one too many. */
static bool is_minimal(carving *c, const holos_position *p)
{
    _Alignas(16) unsigned char trial[SUDOKU_POSITION_MOST];
    memcpy(trial, p, c->shape->position_size);
    for (uint16_t cell = 0; cell < c->shape->cells; cell++)
        if (sudoku_cells(p)[cell] != 0 && take_away(c, (holos_position *)trial, &cell, 1) > 0)
            return false;
    return !c->unclear;
}

/* A puzzle as it was asked for; false: it came out otherwise, and another is to be tried. */
static bool make_one(carving *c, rng *random, holos_position *p)
{
    c->unclear = false;
    fill_at_random(c->shape, random, c->work, p);
    carve(c, random, p);
    if (!c->request->minimal)
        return true;
    return !c->unclear && (sudoku_symmetry_of(c->request) == 0 || is_minimal(c, p));
}

holos_status sudoku_general_make(const sudoku_shape *shape, const holos_puzzle_request *request,
                                 uint64_t first, size_t count, struct limits *work, holos_position *out,
                                 size_t *made, holos_error *err)
{
    bool symmetric = sudoku_symmetry_of(request) > 0;
    *made = 0;
    if (symmetric && request->minimal && shape->size > MINIMAL_SYMMETRIC_MOST)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "hardly any symmetric puzzle of this size is minimal: choose one of the two");
    for (size_t i = 0; i < count; i++) {
        holos_position *p = (holos_position *)((unsigned char *)out + i * shape->position_size);
        rng random;
        rng_init(&random, request->seed, first + i);
        carving c = {.shape = shape, .request = request, .work = work};
        while (!make_one(&c, &random, p) && limits_check(work))
            continue;
        if (!limits_check(work))
            return limits_error(work, "guesses", err);
        for (unsigned cell = 0; cell < shape->cells; cell++)
            if (sudoku_cells(p)[cell] != 0)
                sudoku_set_given(shape, p, cell);
        *made = i + 1;
    }
    return HOLOS_OK;
}
