/* SPDX-License-Identifier: MIT */

/* The techniques of sudoku: each finds what it should, and what any of them says is true of the solution, over
 * thousands of puzzles. */

#include "unit.h"

#include "games/sudoku/generate.h"
#include "games/sudoku/sudoku.h"

#define EMPTY  "................................................................................."
#define GENTLE "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"

static holos_variant *open_sudoku(void)
{
    holos_variant *v;
    holos_error err;
    assert_ok(holos_open("sudoku", &v, &err), err);
    return v;
}

/* ---- What each technique finds ----------------------------------------------------------------- */

static void write_found(const holos_variant *v, const holos_step *step, text *out)
{
    const holos_deduction *d = v->game->deduction;
    for (unsigned i = 0; i < step->placement_count; i++) {
        text_string(out, i > 0 ? "," : "");
        d->format_candidate(v, step->placements[i], true, out);
    }
    for (unsigned i = 0; i < step->elimination_count; i++) {
        text_string(out, i > 0 ? "," : "");
        d->format_candidate(v, step->eliminations[i], false, out);
    }
}

/* What one technique says of a position; its explanation, too, if it is wanted. */
static bool find_by(const holos_variant *v, const char *name, const char *grid, text *found, text *words)
{
    const holos_deduction *d = v->game->deduction;
    size_t technique = holos_technique_find(v->game, name);
    holos_position *p = holos_position_new(v);
    holos_error err;
    void *state = aligned_alloc(16, (d->state_size(v) + 15) / 16 * 16);
    holos_step step = {0};
    if (technique == SIZE_MAX)
        fail_msg("there is no technique %s", name);
    assert_ok(holos_parse(v, grid, p, &err), err);
    d->begin(v, p, state);
    struct limits limits = limits_none();
    bool any = d->find(v, state, technique, &limits, &step, words);
    if (any && found != NULL)
        write_found(v, &step, found);
    free(state);
    holos_position_free(p);
    return any;
}

static void test_every_technique_finds_its_step(void **state)
{
    (void)state;
    holos_variant *v = open_sudoku();
    FILE *file = fopen(TEST_DATA "/sudoku/steps.txt", "r");
    bool seen[HOLOS_TECHNIQUES_MOST] = {0};
    char name[64], grid[1024], expected[1024];
    assert_non_null(file);
    while (fscanf(file, "%63s %1023s %1023s", name, grid, expected) == 3) {
        text found, words;
        text_init(&found);
        text_init(&words);
        if (!find_by(v, name, grid, &found, &words))
            fail_msg("%s finds nothing in %s", name, grid);
        if (strcmp(found.data, expected) != 0)
            fail_msg("%s finds %s, not %s", name, found.data, expected);
        assert_true(words.length > 20);
        seen[holos_technique_find(v->game, name)] = true;
        text_free(&found);
        text_free(&words);
    }
    fclose(file);
    for (size_t i = 0; holos_technique_at(v->game, i) != NULL; i++)
        if (!seen[i])
            fail_msg("no example of %s", holos_technique_at(v->game, i)->name);
    holos_close(v);
}

static void assert_explained(const char *name, const char *grid, const char *expected)
{
    holos_variant *v = open_sudoku();
    text words;
    text_init(&words);
    assert_true(find_by(v, name, grid, NULL, &words));
    assert_string_equal(words.data, expected);
    text_free(&words);
    holos_close(v);
}

static void assert_finds_nothing(const char *name, const char *grid)
{
    holos_variant *v = open_sudoku();
    assert_false(find_by(v, name, grid, NULL, NULL));
    holos_close(v);
}

static void test_explanations_name_cells_houses_and_digits(void **state)
{
    (void)state;
    assert_explained(
        "hidden-single-box", GENTLE,
        "r1c6 is the only cell of box 2 that can hold 8. The other empty cells see the 8 in r3c3 "
        "and r5c4.");
    assert_explained("naked-single", GENTLE, "r5c5 can only hold 5: it sees every other digit.");
    assert_explained("full-house",
                     "123456.89456789123789123456214365897365897214897214365531642978642978531978531642",
                     "r1c7 is the last empty cell of row 1, and 7 is missing there.");
}

static void test_a_technique_needs_its_pattern(void **state)
{
    (void)state;
    const holos_game *game = holos_game_find("sudoku", 6);
    for (size_t i = 0; holos_technique_at(game, i) != NULL; i++) {
        const char *name = holos_technique_at(game, i)->name;
        if (strcmp(name, "nested-contradiction") != 0) /* would look for very long */
            assert_finds_nothing(name, EMPTY);
    }
    assert_finds_nothing("full-house", GENTLE);
    assert_finds_nothing("bug-plus-one", GENTLE);
}

static void test_techniques_come_cheapest_first(void **state)
{
    (void)state;
    const holos_game *game = holos_game_find("sudoku", 6);
    const holos_technique *before = NULL, *t;
    unsigned unordered = 0;
    for (size_t i = 0; (t = holos_technique_at(game, i)) != NULL; i++, before = t) {
        /* Unique rectangles of type 4 are easier than those of type 3, but are listed by type. */
        unordered += before != NULL && t->rating < before->rating;
        assert_int_equal(holos_technique_find(game, t->name), i);
    }
    assert_int_equal(unordered, 1);
}

/* ---- Truth ------------------------------------------------------------------------------------- */

static void assert_true_of(const uint8_t *solution, const holos_step *step)
{
    for (unsigned i = 0; i < step->placement_count; i++)
        if (solution[step->placements[i].cell] != step->placements[i].value)
            fail_msg("%s places what is wrong: %s", step->technique->name, step->explanation);
    for (unsigned i = 0; i < step->elimination_count; i++)
        if (solution[step->eliminations[i].cell] == step->eliminations[i].value)
            fail_msg("%s strikes what is right: %s", step->technique->name, step->explanation);
}

/* A subset speaks of houses: it strikes nothing outside of those that it names. */
static void assert_within_houses(const sudoku_shape *shape, const holos_step *step)
{
    cellset named = {{0}};
    if (strstr(step->technique->name, "naked-") == NULL || step->placement_count > 0)
        return;
    for (unsigned i = 0; i < step->house_count; i++)
        named = cellset_or(named, shape->house_set[step->houses[i]]);
    for (unsigned i = 0; i < step->elimination_count; i++)
        if (!cellset_has(&named, step->eliminations[i].cell))
            fail_msg("%s strikes outside of its houses: %s", step->technique->name, step->explanation);
}

/* Solves a puzzle by deductions and compares every step with the solution. */
static void check_puzzle(const holos_variant *v, const char *grid)
{
    holos_position *p = holos_position_new(v);
    holos_logic *l;
    holos_error err;
    holos_step step;
    uint8_t solution[SHAPE_CELLS];
    assert_ok(holos_parse(v, grid, p, &err), err);
    assert_ok(holos_logic_open(v, p, NULL, &l, &err), err);
    assert_int_equal(holos_logic_solutions(l), 1);
    memcpy(solution, sudoku_cells(holos_logic_solution(l)), sudoku_shape_of(v)->cells);
    while (holos_logic_find(l, &step)) {
        assert_true_of(solution, &step);
        assert_within_houses(sudoku_shape_of(v), &step);
        holos_logic_apply(l, &step);
    }
    if (!holos_logic_is_done(l))
        fail_msg("deductions do not finish %s", grid);
    holos_logic_position(l, p);
    assert_memory_equal(sudoku_cells(p), solution, sudoku_shape_of(v)->cells);
    holos_logic_close(l);
    holos_position_free(p);
}

static void check_set(const char *path, unsigned most)
{
    holos_variant *v = open_sudoku();
    char grid[128];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (unsigned i = 0; i < most && fscanf(file, "%127s", grid) == 1; i++)
        check_puzzle(v, grid);
    fclose(file);
    holos_close(v);
}

static void test_steps_are_true_of_17_givens(void **state)
{
    (void)state;
    check_set(SUDOKU_DATA "/17clue.txt", 500);
}

static void test_steps_are_true_of_hard_puzzles(void **state)
{
    (void)state;
    check_set(SUDOKU_DATA "/magictour.txt", 500);
}

static void test_steps_are_true_of_the_hardest_puzzles(void **state)
{
    (void)state;
    check_set(SUDOKU_DATA "/hardest-1905.txt", 40);
    check_set(SUDOKU_DATA "/hardest-1106.txt", 25);
}

static void test_steps_are_true_of_puzzles_made(void **state)
{
    (void)state;
    enum { MADE = 1000 };
    holos_variant *v = open_sudoku();
    holos_error err;
    sudoku_puzzle *puzzles = calloc(MADE, sizeof *puzzles);
    assert_non_null(puzzles);
    struct limits limits = limits_none();
    size_t made;
    assert_ok(sudoku_generate(sudoku_solver_choose(cpu_detect()),
                              &(sudoku_recipe){.seed = 7, .minimal = true}, 0, MADE, &limits, puzzles, &made,
                              &err),
              err);
    for (unsigned i = 0; i < MADE; i++) {
        char grid[SUDOKU_CELLS + 1] = {0};
        for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
            grid[cell] = shape_digit(puzzles[i].givens[cell]);
        check_puzzle(v, grid);
    }
    free(puzzles);
    holos_close(v);
}

static void test_steps_are_true_with_diagonals_and_windows(void **state)
{
    (void)state;
    static const char *const names[] = {"sudoku:x", "sudoku:windoku", "sudoku:6x6"};
    for (unsigned i = 0; i < 3; i++) {
        holos_variant *v;
        holos_generator *g;
        holos_error err;
        char grid[256];
        assert_ok(holos_open(names[i], &v, &err), err);
        holos_position *p = holos_position_new(v);
        assert_ok(holos_generator_open(v, &(holos_generator_options){.seed = 3, .minimal = true}, &g, &err),
                  err);
        for (unsigned k = 0; k < 40; k++) {
            assert_ok(holos_generator_next(g, p, NULL, &err), err);
            holos_format(v, p, grid, sizeof grid);
            check_puzzle(v, grid);
        }
        holos_generator_close(g);
        holos_position_free(p);
        holos_close(v);
    }
}

/* Both ends of a diagonal see the corner between them, though they share only that one house. */
static void test_a_cell_may_see_all_places_without_a_second_house(void **state)
{
    (void)state;
    holos_variant *v;
    holos_error err;
    text found, words;
    text_init(&found);
    text_init(&words);
    assert_ok(holos_open("sudoku:x", &v, &err), err);
    char marks[SUDOKU_CELLS * 9 +
               1]; /* everything is possible, but 5 on the first diagonal only at its ends */
    for (unsigned i = 0; i < SUDOKU_CELLS * 9; i++) {
        unsigned cell = i / 9;
        bool inner = cell / 9 == cell % 9 && cell != 0 && cell != SUDOKU_CELLS - 1;
        marks[i] = (char)(inner && i % 9 == 4 ? '.' : '1' + i % 9);
    }
    marks[SUDOKU_CELLS * 9] = 0;
    assert_true(find_by(v, "pointing", marks, &found, &words));
    assert_string_equal(found.data, "r1c9<>5,r9c1<>5");
    assert_non_null(strstr(words.data, "5 can only go in r1c1 and r9c9, and r1c9 and r9c1 see all of them."));
    text_free(&found);
    text_free(&words);
    holos_close(v);
}

/* With several solutions, what is said must be true of all of them: so of any one. */
static void test_steps_are_true_where_there_are_several_solutions(void **state)
{
    (void)state;
    holos_variant *v = open_sudoku();
    holos_position *p = holos_position_new(v);
    holos_error err;
    char grid[128];
    FILE *file = fopen(SUDOKU_DATA "/serg-multi.txt", "r");
    assert_non_null(file);
    for (unsigned i = 0; i < 100 && fscanf(file, "%127s", grid) == 1; i++) {
        holos_logic *l;
        holos_step step;
        assert_ok(holos_parse(v, grid, p, &err), err);
        assert_ok(holos_logic_open(v, p, NULL, &l, &err), err);
        assert_int_equal(holos_logic_solutions(l), 2);
        while (holos_logic_find(l, &step)) {
            assert_false(step.technique->by_uniqueness);
            assert_true_of(sudoku_cells(holos_logic_solution(l)), &step);
            holos_logic_apply(l, &step);
        }
        assert_false(holos_logic_is_done(l));
        holos_logic_close(l);
    }
    fclose(file);
    holos_position_free(p);
    holos_close(v);
}

/* ---- Pencil marks ------------------------------------------------------------------------------ */

static void test_pencil_marks_survive_writing_and_reading(void **state)
{
    (void)state;
    holos_variant *v = open_sudoku();
    holos_position *p = holos_position_new(v), *again = holos_position_new(v);
    holos_error err;
    holos_logic *l;
    holos_step step;
    char written[1024];
    assert_ok(holos_parse(v,
                          "................12..3..4........5.....4.36....1.....78....1......98..3...7....6..",
                          p, &err),
              err);
    assert_ok(holos_logic_open(v, p, NULL, &l, &err), err);
    while (holos_logic_find(l, &step)) {
        bool strikes = step.elimination_count > 0;
        holos_logic_apply(l, &step);
        holos_logic_position(l, p);
        holos_format(v, p, written, sizeof written);
        assert_ok(holos_parse(v, written, again, &err), err);
        if (strikes)
            assert_int_equal(strlen(written), 729);
        assert_memory_equal(p, again, sudoku_shape_of(v)->given_at);
    }
    holos_logic_close(l);
    holos_position_free(p);
    holos_position_free(again);
    holos_close(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_technique_finds_its_step),
        cmocka_unit_test(test_explanations_name_cells_houses_and_digits),
        cmocka_unit_test(test_a_technique_needs_its_pattern),
        cmocka_unit_test(test_techniques_come_cheapest_first),
        cmocka_unit_test(test_steps_are_true_of_17_givens),
        cmocka_unit_test(test_steps_are_true_of_hard_puzzles),
        cmocka_unit_test(test_steps_are_true_of_the_hardest_puzzles),
        cmocka_unit_test(test_steps_are_true_of_puzzles_made),
        cmocka_unit_test(test_steps_are_true_with_diagonals_and_windows),
        cmocka_unit_test(test_a_cell_may_see_all_places_without_a_second_house),
        cmocka_unit_test(test_steps_are_true_where_there_are_several_solutions),
        cmocka_unit_test(test_pencil_marks_survive_writing_and_reading),
    };
    UNIT_MAIN(tests);
}
