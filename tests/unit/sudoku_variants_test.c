/* SPDX-License-Identifier: MIT */

/* Sudokus of other sizes and with further houses, and the solver that takes any shape. */

#include "unit.h"

#include "core/clock.h"
#include "games/sudoku/sudoku.h"

static const char *const variants[] = {"sudoku:4x4",     "sudoku:6x6",   "sudoku:x",
                                       "sudoku:windoku", "sudoku:12x12", "sudoku:16x16"};

static holos_variant *open_variant(const char *name)
{
    holos_variant *v;
    holos_error err;
    assert_ok(holos_open(name, &v, &err), err);
    return v;
}

static holos_puzzle_answer count_general(const char *variant, const char *grid, sudoku_limits limits)
{
    holos_variant *v = open_variant(variant);
    holos_position *p = holos_position_new(v), *first = holos_position_new(v);
    holos_error err;
    holos_puzzle_answer answer;
    if (grid != NULL)
        assert_ok(holos_parse(v, grid, p, &err), err);
    sudoku_general_count(sudoku_shape_of(v), p, &limits, first, &answer);
    holos_position_free(p);
    holos_position_free(first);
    holos_close(v);
    return answer;
}

static const sudoku_limits all = {.solutions = UINT64_MAX, .guesses = UINT64_MAX};

static void test_there_are_288_grids_of_4x4(void **state)
{
    (void)state;
    holos_puzzle_answer answer = count_general("sudoku:4x4", NULL, all);
    assert_int_equal(answer.solutions, 288);
    assert_true(answer.complete);
}

static void test_counting_stops_at_its_limits(void **state)
{
    (void)state;
    holos_stop stop = {.asked = 1};
    sudoku_limits solutions = all, guesses = all, stopped = all;
    solutions.solutions = 10;
    guesses.guesses = 100;
    struct limits asked;
    limits_begin(&asked, &(holos_limits){.stop = &stop}, NULL);
    stopped.work = &asked;
    assert_int_equal(count_general("sudoku:16x16", NULL, solutions).solutions, 10);
    assert_false(count_general("sudoku:16x16", NULL, solutions).complete);
    assert_int_equal(count_general("sudoku:x", NULL, guesses).nodes, 100);
    assert_false(count_general("sudoku:x", NULL, guesses).complete);
    assert_int_equal(count_general("sudoku:x", NULL, stopped).nodes, 0);
}

/* The general solver gives the answers of the fast one. */
static void test_both_solvers_agree(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        unsigned solutions;
    } sets[] = {{SUDOKU_DATA "/17clue.txt", 1},
                {SUDOKU_DATA "/magictour.txt", 1},
                {SUDOKU_DATA "/serg-multi.txt", 2}};
    for (unsigned i = 0; i < 3; i++) {
        char grid[128];
        FILE *file = fopen(sets[i].path, "r");
        assert_non_null(file);
        for (unsigned line = 0; line < 60 && fscanf(file, "%127s", grid) == 1; line++) {
            sudoku_limits two = all;
            two.solutions = 2;
            holos_puzzle_answer answer = count_general("sudoku", grid, two);
            assert_int_equal(answer.solutions, sets[i].solutions);
            assert_true(answer.complete || answer.solutions == 2);
        }
        fclose(file);
    }
}

static void assert_solved(const holos_variant *v, const holos_position *p)
{
    const sudoku_shape *shape = sudoku_shape_of(v);
    for (unsigned house = 0; house < shape->houses; house++) {
        unsigned held = 0;
        for (unsigned place = 0; place < shape->size; place++)
            held |= 1u << sudoku_cells(p)[shape->house_cells[house][place]] >> 1;
        assert_int_equal(held, shape->all);
    }
}

/* Makes puzzles of each variant: they have one solution, deductions find it, and every step is true of it. */
static void test_puzzles_of_every_variant_are_solved_by_deductions(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof variants / sizeof *variants; i++) {
        enum { MADE = 10 };
        holos_variant *v = open_variant(variants[i]);
        size_t made = v->position_size > 500 ? 2 : MADE;
        holos_position *puzzles = aligned_alloc(16, MADE * v->position_size);
        holos_puzzle_request request = {.seed = 3, .minimal = i % 2 == 0};
        holos_error err;
        assert_non_null(puzzles);
        struct limits limits = limits_none();
        assert_ok(v->game->puzzle->generate(v, &request, 0, made, &limits, puzzles, &made, &err), err);
        for (size_t k = 0; k < made; k++) {
            holos_logic *l;
            holos_step step;
            assert_ok(holos_logic_open(v, position_in(v, puzzles, k), NULL, &l, &err), err);
            assert_int_equal(holos_logic_solutions(l), 1);
            assert_solved(v, holos_logic_solution(l));
            const uint8_t *solution = sudoku_cells(holos_logic_solution(l));
            while (holos_logic_find(l, &step)) {
                for (unsigned n = 0; n < step.placement_count; n++)
                    assert_int_equal(solution[step.placements[n].cell], step.placements[n].value);
                for (unsigned n = 0; n < step.elimination_count; n++)
                    assert_int_not_equal(solution[step.eliminations[n].cell], step.eliminations[n].value);
                holos_logic_apply(l, &step);
            }
            assert_true(holos_logic_is_done(l));
            holos_logic_close(l);
        }
        free(puzzles);
        holos_close(v);
    }
}

static void test_conflicts_in_further_houses_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *variant, *message;
        unsigned first, second;
    } cases[] = {{"sudoku:x", "two 7s in diagonal 1: r1c1 and r9c9", 0, 80},
                 {"sudoku:x", "two 7s in diagonal 2: r1c9 and r9c1", 8, 72},
                 {"sudoku:windoku", "two 7s in window 1: r2c2 and r4c4", 10, 30}};
    for (unsigned i = 0; i < 3; i++) {
        holos_variant *v = open_variant(cases[i].variant);
        holos_position *p = holos_position_new(v);
        holos_error err;
        char grid[82];
        memset(grid, '.', 81);
        grid[81] = 0;
        grid[cases[i].first] = grid[cases[i].second] = '7';
        assert_fails(holos_parse(v, grid, p, &err), err, HOLOS_BAD_POSITION, cases[i].message);
        holos_position_free(p);
        holos_close(v);
    }
}

static void test_digits_above_nine_are_letters(void **state)
{
    (void)state;
    holos_variant *v = open_variant("sudoku:16x16");
    holos_position *p = holos_position_new(v);
    holos_error err;
    holos_move move;
    char grid[257], written[257];
    memset(grid, '.', 256);
    grid[256] = 0;
    memcpy(grid, "123456789ABCDEF", 15);
    assert_ok(holos_parse(v, grid, p, &err), err);
    assert_ok(holos_parse_move(v, p, "r1c16=G", &move, &err), err);
    assert_ok(holos_play(v, p, move, p, &err), err);
    holos_format(v, p, written, sizeof written);
    assert_memory_equal(written, "123456789ABCDEFG.", 17);
    holos_position_free(p);
    holos_close(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_are_288_grids_of_4x4),
        cmocka_unit_test(test_counting_stops_at_its_limits),
        cmocka_unit_test(test_both_solvers_agree),
        cmocka_unit_test(test_puzzles_of_every_variant_are_solved_by_deductions),
        cmocka_unit_test(test_conflicts_in_further_houses_are_named),
        cmocka_unit_test(test_digits_above_nine_are_letters),
    };
    UNIT_MAIN(tests);
}
