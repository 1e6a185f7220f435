/* SPDX-License-Identifier: MIT */

/* The techniques of sudoku, as the logic engine asks for them. */

#include "games/sudoku/sudoku.h"
#include "games/sudoku/techniques/finder.h"

static const holos_technique techniques[] = {
#define TECHNIQUE(find, size, name, title, rating, score, level, by_uniqueness, summary)                     \
    {name, title, summary, rating, score, HOLOS_LEVEL_##level, by_uniqueness},
#include "games/sudoku/techniques/techniques.def"
#undef TECHNIQUE
};

#define TECHNIQUE_COUNT (sizeof techniques / sizeof *techniques)

static const struct {
    finder_function *find;
    unsigned size;
} finders[] = {
#define TECHNIQUE(find, size, ...) {find, size},
#include "games/sudoku/techniques/techniques.def"
#undef TECHNIQUE
};

/* What is known, and where it began: a position must say which cells were given. */
typedef struct deduction_state {
    sudoku_marks marks;
    uint8_t given[SHAPE_CELLS / 8];
} deduction_state;

static size_t deduction_size(const holos_variant *v)
{
    (void)v;
    return sizeof(deduction_state);
}

static bool deduction_begin(const holos_variant *v, const holos_position *p, void *state)
{
    const sudoku_shape *shape = sudoku_shape_of(v);
    deduction_state *s = state;
    memset(s, 0, sizeof *s);
    marks_begin(shape, sudoku_cells(p), sudoku_erased(shape, p), &s->marks);
    memcpy(s->given, sudoku_given(shape, p), (shape->cells + 7) / 8);
    return true;
}

static bool deduction_find(const holos_variant *v, const void *state, size_t technique, struct limits *limits,
                           holos_step *step, text *words)
{
    finder f = {.shape = sudoku_shape_of(v),
                .marks = &((const deduction_state *)state)->marks,
                .limits = limits,
                .step = step,
                .words = words};
    return finders[technique].find(&f, finders[technique].size);
}

static void deduction_apply(const holos_variant *v, void *state, const holos_step *step)
{
    sudoku_marks *m = &((deduction_state *)state)->marks;
    for (unsigned i = 0; i < step->placement_count; i++)
        marks_place(sudoku_shape_of(v), m, step->placements[i].cell, step->placements[i].value - 1u);
    for (unsigned i = 0; i < step->elimination_count; i++)
        marks_drop(m, step->eliminations[i].cell, step->eliminations[i].value - 1u);
}

static bool deduction_done(const holos_variant *v, const void *state)
{
    (void)v;
    return cellset_is_empty(((const deduction_state *)state)->marks.empty);
}

/* What has been ruled out is what the filled cells leave open but the marks do not. */
static void deduction_position(const holos_variant *v, const void *state, holos_position *out)
{
    const sudoku_shape *shape = sudoku_shape_of(v);
    const deduction_state *s = state;
    static const uint16_t nothing_erased[SHAPE_CELLS];
    sudoku_marks plain;
    marks_begin(shape, s->marks.values, nothing_erased, &plain);
    memset(out, 0, v->position_size);
    memcpy(sudoku_cells_mutable(out), s->marks.values, shape->cells);
    memcpy(sudoku_given_mutable(shape, out), s->given, (shape->cells + 7) / 8);
    for (unsigned cell = 0; cell < shape->cells; cell++)
        sudoku_erased_mutable(shape, out)[cell] =
            (uint16_t)(plain.candidates[cell] & ~s->marks.candidates[cell]);
}

static void deduction_bare(const holos_variant *v, const holos_position *p, holos_position *out)
{
    const sudoku_shape *shape = sudoku_shape_of(v);
    memcpy(out, p, v->position_size);
    memset(sudoku_erased_mutable(shape, out), 0, 2 * shape->cells);
}

static void write_candidate(const holos_variant *v, holos_candidate candidate, bool holds, text *out)
{
    shape_write_cell(sudoku_shape_of(v), candidate.cell, out);
    text_string(out, holds ? "=" : "<>");
    text_char(out, shape_digit(candidate.value));
}

static void write_house(const holos_variant *v, unsigned house, text *out)
{
    shape_write_house(sudoku_shape_of(v), house, out);
}

/* Those of HoDoKu for 9x9, by the number of cells for other sizes: a score adds up steps, and what a puzzle of singles takes for
 * each cell is nearly the same on all of them (medians of 514 on 9x9, 928 on 12x12, 1,500 on 16x16). */
static unsigned level_score(const holos_variant *v, holos_level level)
{
    static const unsigned scores[HOLOS_LEVEL_COUNT - 1] = {800, 1000, 1600, 1800};
    return scores[level] * sudoku_shape_of(v)->cells / SUDOKU_CELLS;
}

const holos_deduction sudoku_deduction = {
    .techniques = techniques,
    .technique_count = TECHNIQUE_COUNT,
    .level_score = level_score,
    .state_size = deduction_size,
    .begin = deduction_begin,
    .find = deduction_find,
    .apply = deduction_apply,
    .done = deduction_done,
    .position = deduction_position,
    .bare = deduction_bare,
    .format_candidate = write_candidate,
    .format_house = write_house,
};
