/* SPDX-License-Identifier: MIT */

/* The sudoku solver, in every version that this processor has, against a plain backtracking search that
 * shares nothing with it; and the puzzles made with it. */

#include "core/clock.h"
#include "core/rng.h"
#include "games/sudoku/generate.h"
#include "games/sudoku/solver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- The plain search -------------------------------------------------------------------------- */

typedef struct plain {
    uint8_t cells[81];
    const uint16_t *allowed;                /* digits for each cell, or NULL */
    unsigned rows[9], columns[9], boxes[9]; /* digits used */
    uint64_t limit, solutions;
} plain;

static unsigned plain_free(const plain *s, unsigned cell)
{
    unsigned r = cell / 9, c = cell % 9;
    unsigned allowed = s->allowed != NULL ? s->allowed[cell] : 0x1ff;
    return allowed & ~(s->rows[r] | s->columns[c] | s->boxes[r / 3 * 3 + c / 3]);
}

static void plain_flip(plain *s, unsigned cell, unsigned bit)
{
    unsigned r = cell / 9, c = cell % 9;
    s->rows[r] ^= bit;
    s->columns[c] ^= bit;
    s->boxes[r / 3 * 3 + c / 3] ^= bit;
}

static void plain_search(plain *s)
{
    unsigned best = 81, fewest = 10;
    for (unsigned cell = 0; cell < 81; cell++) {
        if (s->cells[cell] != 0)
            continue;
        unsigned count = (unsigned)__builtin_popcount(plain_free(s, cell));
        if (count < fewest) {
            fewest = count;
            best = cell;
        }
    }
    if (best == 81) {
        s->solutions++;
        return;
    }
    for (unsigned digit = 1; digit <= 9 && s->solutions < s->limit; digit++) {
        unsigned bit = 1u << (digit - 1);
        if ((plain_free(s, best) & bit) == 0)
            continue;
        plain_flip(s, best, bit);
        s->cells[best] = (uint8_t)digit;
        plain_search(s);
        s->cells[best] = 0;
        plain_flip(s, best, bit);
    }
}

static uint64_t plain_count(const uint8_t cells[81], uint64_t limit)
{
    plain s = {.limit = limit};
    for (unsigned cell = 0; cell < 81; cell++) {
        if (cells[cell] == 0)
            continue;
        unsigned bit = 1u << (cells[cell] - 1);
        if ((plain_free(&s, cell) & bit) == 0)
            return 0;
        plain_flip(&s, cell, bit);
        s.cells[cell] = cells[cell];
    }
    plain_search(&s);
    return s.solutions;
}

/* ---- Help -------------------------------------------------------------------------------------- */

#define MOST 500

/* A list of grids, as the solver and as the plain search see them. */
typedef struct list {
    size_t count;
    uint8_t cells[MOST][81];
    sudoku_grid grids[MOST];
    sudoku_answer answers[MOST];
} list;

static list *list_new(void)
{
    list *l = calloc(1, sizeof *l);
    assert_non_null(l);
    return l;
}

static void list_add_cells(list *l, const uint8_t cells[81])
{
    assert_true(l->count < MOST);
    memcpy(l->cells[l->count], cells, 81);
    sudoku_grid_from_cells(cells, &l->grids[l->count++]);
}

static void list_add(list *l, const char *line)
{
    uint8_t cells[81];
    for (unsigned cell = 0; cell < 81; cell++)
        cells[cell] = (uint8_t)(line[cell] >= '1' && line[cell] <= '9' ? line[cell] - '0' : 0);
    list_add_cells(l, cells);
}

static list *list_read(const char *set)
{
    list *l = list_new();
    char path[512], line[128];
    snprintf(path, sizeof path, "%s/%s.txt", SUDOKU_DATA, set);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        list_add(l, line);
    fclose(file);
    return l;
}

static sudoku_limits up_to(uint64_t solutions)
{
    return (sudoku_limits){.solutions = solutions, .guesses = UINT64_MAX};
}

static void list_solve(list *l, const sudoku_solver *solver, sudoku_limits limits)
{
    memset(l->answers, 0xa5, sizeof l->answers);
    solver->solve(l->grids, l->count, &limits, l->answers);
}

static sudoku_answer solve_one(const sudoku_solver *solver, const char *line, sudoku_limits limits)
{
    list *l = list_new();
    list_add(l, line);
    list_solve(l, solver, limits);
    sudoku_answer answer = l->answers[0];
    free(l);
    return answer;
}

/* Whether `solution` is a full grid by the rules that keeps the givens. */
static void assert_solves(const uint8_t solution[81], const uint8_t givens[81])
{
    for (unsigned cell = 0; cell < 81; cell++) {
        assert_in_range(solution[cell], 1, 9);
        if (givens[cell] != 0)
            assert_int_equal(solution[cell], givens[cell]);
    }
    assert_int_equal(plain_count(solution, 2), 1);
}

/* The versions to test: one or two. */
static unsigned versions(const sudoku_solver *out[2])
{
    out[0] = sudoku_solver_choose((cpu_features){0});
    out[1] = sudoku_solver_choose(cpu_detect());
    assert_string_equal(out[0]->name, "portable");
    return out[0] == out[1] ? 1 : 2;
}

#define FOR_EACH_VERSION(solver)                                                                             \
    const sudoku_solver *versions_[2];                                                                       \
    for (unsigned v_ = 0, n_ = versions(versions_); v_ < n_; v_++)                                           \
        for (const sudoku_solver *solver = versions_[v_]; solver != NULL; solver = NULL)

static const char empty_grid[] =
    ".................................................................................";
static const char hard_grid[] =
    "98.7..6..7.5.8.4.......3.8.6..4..9.......5.4.........21....6.94.76...1.....1.....";

/* ---- Counting ---------------------------------------------------------------------------------- */

/* Every set whole, by every version; the plain search checks as many of each as it can do in a moment. */
static void check_set(const char *set, size_t plain_grids, uint64_t expected)
{
    list *l = list_read(set);
    assert_true(l->count >= 100);
    for (size_t i = 0; i < plain_grids; i++)
        assert_int_equal(plain_count(l->cells[i], 2), expected);
    FOR_EACH_VERSION(solver)
    {
        list_solve(l, solver, up_to(2));
        for (size_t i = 0; i < l->count; i++) {
            assert_int_equal(l->answers[i].solutions, expected);
            assert_int_equal(l->answers[i].complete, expected == 1);
            assert_solves(l->answers[i].first, l->cells[i]);
        }
    }
    free(l);
}

static void test_17_givens_have_one_solution(void **state)
{
    (void)state;
    check_set("17clue", 5, 1);
}

static void test_hard_grids_have_one_solution(void **state)
{
    (void)state;
    check_set("magictour", 50, 1);
    check_set("hardest-1905", 15, 1);
    check_set("hardest-1106", 15, 1);
}

static void test_search_ends_at_the_second_solution(void **state)
{
    (void)state;
    check_set("serg-multi", 500, 2);
}

static void test_contradicting_givens_have_no_solution(void **state)
{
    (void)state;
    static const uint8_t pairs[][2] = {{0, 8}, {0, 1}, {4, 76}, {4, 13}, {0, 10}, {60, 80}};
    list *l = list_new();
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        uint8_t cells[81] = {0};
        cells[pairs[i][0]] = cells[pairs[i][1]] = 5;
        list_add_cells(l, cells);
    }
    FOR_EACH_VERSION(solver)
    {
        list_solve(l, solver, up_to(2));
        for (size_t i = 0; i < l->count; i++) {
            assert_int_equal(l->answers[i].solutions, 0);
            assert_true(l->answers[i].complete);
        }
    }
    free(l);
}

static void test_grids_without_conflict_may_have_no_solution(void **state)
{
    (void)state;
    /* The first box has no place for a 1. */
    static const char no_place[] =
        "234.........1...........1........................................................";
    list *l = list_read("hardest-1106");
    FOR_EACH_VERSION(solver)
    {
        assert_int_equal(solve_one(solver, no_place, up_to(2)).solutions, 0);
        /* Hard grids in which a cell may hold anything but what it does in the solution. */
        list_solve(l, solver, up_to(1));
        list *wrong = list_new();
        for (size_t i = 0; i < 60; i++) {
            unsigned cell = (unsigned)(i * 7 % 81);
            while (l->cells[i][cell] != 0)
                cell = (cell + 1) % 81;
            sudoku_grid grid = l->grids[i];
            grid.candidates[cell] = (uint16_t)(0x1ff & ~(1u << (l->answers[i].first[cell] - 1)));
            wrong->grids[wrong->count++] = grid;
        }
        list_solve(wrong, solver, up_to(1));
        for (size_t i = 0; i < wrong->count; i++) {
            assert_int_equal(wrong->answers[i].solutions, 0);
            assert_true(wrong->answers[i].complete);
        }
        free(wrong);
    }
    free(l);
}

static void test_cell_without_candidates_has_no_solution(void **state)
{
    (void)state;
    FOR_EACH_VERSION(solver)
    {
        list *l = list_new();
        list_add(l, empty_grid);
        l->grids[0].candidates[40] = 0;
        list_solve(l, solver, up_to(2));
        assert_int_equal(l->answers[0].solutions, 0);
        assert_true(l->answers[0].complete);
        free(l);
    }
}

static void test_empty_grid_has_solutions_up_to_any_limit(void **state)
{
    (void)state;
    static const uint8_t none[81];
    FOR_EACH_VERSION(solver)
    {
        sudoku_answer answer = solve_one(solver, empty_grid, up_to(5000));
        assert_int_equal(answer.solutions, 5000);
        assert_false(answer.complete);
        assert_solves(answer.first, none);
    }
}

/* A full grid with random cells taken away until it has at least `least` solutions. */
static void open_grid(rng *random, const uint8_t solution[81], uint64_t least, uint8_t out[81])
{
    memcpy(out, solution, 81);
    while (plain_count(out, least) < least)
        out[rng_below(random, 81)] = 0;
}

static void test_many_solutions_are_counted_to_the_last(void **state)
{
    (void)state;
    list *full = list_read("17clue"), *l = list_new();
    list_solve(full, sudoku_solver_choose((cpu_features){0}), up_to(1));
    rng random;
    rng_init(&random, 5, 0);
    uint64_t expected[60];
    for (size_t i = 0; i < 60; i++) {
        uint8_t cells[81];
        open_grid(&random, full->answers[i].first, 1 + 8 * i, cells);
        list_add_cells(l, cells);
        expected[i] = plain_count(cells, UINT64_MAX);
    }
    FOR_EACH_VERSION(solver)
    {
        list_solve(l, solver, up_to(UINT64_MAX));
        for (size_t i = 0; i < l->count; i++) {
            assert_int_equal(l->answers[i].solutions, expected[i]);
            assert_true(l->answers[i].complete);
            assert_solves(l->answers[i].first, l->cells[i]);
        }
    }
    free(full);
    free(l);
}

/* Random givens without a conflict: most such grids have no solution, or many. */
static void random_givens(rng *random, unsigned count, uint8_t out[81])
{
    plain s = {0};
    while (count > 0) {
        unsigned cell = (unsigned)rng_below(random, 81), digit = 1 + (unsigned)rng_below(random, 9);
        if (s.cells[cell] != 0 || (plain_free(&s, cell) >> (digit - 1) & 1) == 0)
            continue;
        plain_flip(&s, cell, 1u << (digit - 1));
        s.cells[cell] = (uint8_t)digit;
        count--;
    }
    memcpy(out, s.cells, 81);
}

static void test_random_givens_are_counted_like_the_plain_search(void **state)
{
    (void)state;
    list *l = list_new();
    rng random;
    rng_init(&random, 6, 0);
    size_t solvable = 0;
    uint64_t expected[400];
    for (unsigned i = 0; i < 400; i++) {
        uint8_t cells[81];
        random_givens(&random, 20 + i % 10, cells);
        list_add_cells(l, cells);
        expected[i] = plain_count(cells, 20);
        solvable += expected[i] > 0;
    }
    assert_in_range(solvable, 20, 380); /* of both kinds */
    FOR_EACH_VERSION(solver)
    {
        list_solve(l, solver, up_to(20));
        for (size_t i = 0; i < l->count; i++)
            assert_int_equal(l->answers[i].solutions, expected[i]);
    }
    free(l);
}

static void test_candidates_may_be_any_sets(void **state)
{
    (void)state;
    list *full = list_read("17clue"), *l = list_new();
    list_solve(full, sudoku_solver_choose((cpu_features){0}), up_to(1));
    rng random;
    rng_init(&random, 7, 0);
    uint64_t expected[300];
    size_t kinds[3] = {0};
    for (size_t i = 0; i < 300; i++) {
        sudoku_grid *grid = &l->grids[l->count++];
        for (unsigned cell = 0; cell < 81; cell++) {
            /* A quarter of the digits, or three eighths: few solutions, or many. */
            uint64_t other = rng_next(&random) | (i % 2 == 0 ? rng_next(&random) : 0);
            unsigned set = (unsigned)(rng_next(&random) & other) & 0x1ff;
            bool keep = i % 3 != 0 || rng_below(&random, 50) != 0; /* else it may have no solution */
            grid->candidates[cell] = (uint16_t)(keep ? set | 1u << (full->answers[i].first[cell] - 1) : set);
        }
        plain s = {.allowed = grid->candidates, .limit = 50};
        plain_search(&s);
        expected[i] = s.solutions;
        kinds[s.solutions > 2 ? 2 : s.solutions]++;
    }
    assert_true(kinds[0] > 10 && kinds[1] > 10 && kinds[2] > 10);
    FOR_EACH_VERSION(solver)
    {
        list_solve(l, solver, up_to(50));
        for (size_t i = 0; i < l->count; i++)
            assert_int_equal(l->answers[i].solutions, expected[i]);
    }
    free(full);
    free(l);
}

/* ---- Limits ------------------------------------------------------------------------------------ */

static void test_count_at_the_limit_is_complete_if_nothing_was_left(void **state)
{
    (void)state;
    list *l = list_read("17clue");
    FOR_EACH_VERSION(solver)
    {
        list_solve(l, solver, up_to(1));
        size_t complete = 0;
        for (size_t i = 0; i < l->count; i++) {
            assert_int_equal(l->answers[i].solutions, 1);
            /* No guess, no other branch. */
            assert_true(l->answers[i].complete || l->answers[i].guesses > 0);
            complete += l->answers[i].complete;
        }
        assert_in_range(complete, 1, l->count - 1);
    }
    free(l);
}

static void test_search_ends_at_the_limit_of_guesses(void **state)
{
    (void)state;
    FOR_EACH_VERSION(solver)
    {
        uint64_t all = solve_one(solver, hard_grid, up_to(2)).guesses;
        assert_true(all > 20);
        sudoku_limits limits = up_to(2);
        limits.guesses = 10;
        sudoku_answer answer = solve_one(solver, hard_grid, limits);
        assert_false(answer.complete);
        assert_int_equal(answer.guesses, 10);
        limits.guesses = all;
        assert_true(solve_one(solver, hard_grid, limits).complete);
        limits.guesses = 0;
        assert_false(solve_one(solver, hard_grid, limits).complete);
    }
}

static void test_search_ends_when_told_to(void **state)
{
    (void)state;
    const holos_stop stop = {.asked = 1};
    struct limits asked, passed, short_time;
    sudoku_limits stopped = up_to(UINT64_MAX), late = up_to(UINT64_MAX), soon = up_to(UINT64_MAX);
    stopped.work = &asked;
    late.work = &passed;
    soon.work = &short_time;
    FOR_EACH_VERSION(solver)
    {
        limits_begin(&asked, &(holos_limits){.stop = &stop}, NULL);
        limits_begin(&passed, NULL, NULL);
        passed.deadline = clock_wall() - 1;
        assert_false(solve_one(solver, empty_grid, stopped).complete);
        assert_false(solve_one(solver, empty_grid, late).complete);
        limits_begin(&short_time, &(holos_limits){.seconds = 0.02}, NULL);
        sudoku_answer answer = solve_one(solver, empty_grid, soon);
        assert_false(answer.complete);
        assert_true(answer.solutions > 0);
        /* In a list, too, every answer is filled in. */
        list *l = list_read("hardest-1106");
        list_solve(l, solver, stopped);
        for (size_t i = 0; i < l->count; i++) {
            assert_false(l->answers[i].complete);
            assert_int_equal(l->answers[i].solutions, 0);
        }
        free(l);
    }
}

static void test_empty_list_is_no_work(void **state)
{
    (void)state;
    FOR_EACH_VERSION(solver)
    {
        sudoku_limits limits = up_to(2);
        solver->solve(NULL, 0, &limits, NULL);
    }
}

/* ---- The same answers in any company ------------------------------------------------------------ */

static void test_first_solution_does_not_depend_on_the_list(void **state)
{
    (void)state;
    list *together = list_read("serg-multi"), *apart = list_read("serg-multi");
    list_solve(together, sudoku_solver_choose((cpu_features){0}), up_to(2));
    FOR_EACH_VERSION(solver)
    {
        sudoku_limits limits = up_to(2);
        for (size_t i = 0; i < apart->count; i++) {
            limits.alone = i % 2 == 0;
            solver->solve(&apart->grids[i], 1, &limits, &apart->answers[i]);
            assert_memory_equal(apart->answers[i].first, together->answers[i].first, 81);
        }
    }
    free(together);
    free(apart);
}

/* ---- Making puzzles ---------------------------------------------------------------------------- */

static void assert_minimal(const sudoku_puzzle *puzzle)
{
    uint8_t cells[81];
    memcpy(cells, puzzle->givens, sizeof cells);
    assert_solves(puzzle->solution, cells);
    assert_int_equal(plain_count(cells, 2), 1);
    for (unsigned cell = 0; cell < 81; cell++) {
        if (puzzle->givens[cell] == 0)
            continue;
        cells[cell] = 0;
        assert_int_equal(plain_count(cells, 2), 2);
        cells[cell] = puzzle->givens[cell];
    }
}

static void test_made_puzzles_are_minimal(void **state)
{
    (void)state;
    sudoku_puzzle puzzles[20];
    struct limits limits = limits_none();
    size_t made;
    FOR_EACH_VERSION(solver)
    {
        assert_int_equal(sudoku_generate(solver, &(sudoku_recipe){.seed = 1, .minimal = true}, 0, 20, &limits,
                                         puzzles, &made, NULL),
                         HOLOS_OK);
        for (size_t i = 0; i < 20; i++)
            assert_minimal(&puzzles[i]);
    }
}

static void test_puzzle_depends_on_seed_and_number_alone(void **state)
{
    (void)state;
    enum { COUNT = 600 }; /* more than are made side by side */
    sudoku_puzzle *all = calloc(COUNT, sizeof *all), some[7], other[1];
    struct limits limits = limits_none();
    size_t made;
    assert_non_null(all);
    assert_int_equal(sudoku_generate(sudoku_solver_choose(cpu_detect()),
                                     &(sudoku_recipe){.seed = 3, .minimal = true}, 100, COUNT, &limits, all,
                                     &made, NULL),
                     HOLOS_OK);
    FOR_EACH_VERSION(solver)
    {
        assert_int_equal(sudoku_generate(solver, &(sudoku_recipe){.seed = 3, .minimal = true}, 690, 7,
                                         &limits, some, &made, NULL),
                         HOLOS_OK);
        assert_memory_equal(some, &all[590], sizeof some);
        assert_int_equal(sudoku_generate(solver, &(sudoku_recipe){.seed = 4, .minimal = true}, 690, 1,
                                         &limits, other, &made, NULL),
                         HOLOS_OK);
        assert_memory_not_equal(other, some, sizeof other);
    }
    for (size_t i = 1; i < COUNT; i++)
        assert_memory_not_equal(all[i].solution, all[0].solution, 81);
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_17_givens_have_one_solution),
        cmocka_unit_test(test_hard_grids_have_one_solution),
        cmocka_unit_test(test_search_ends_at_the_second_solution),
        cmocka_unit_test(test_contradicting_givens_have_no_solution),
        cmocka_unit_test(test_grids_without_conflict_may_have_no_solution),
        cmocka_unit_test(test_cell_without_candidates_has_no_solution),
        cmocka_unit_test(test_empty_grid_has_solutions_up_to_any_limit),
        cmocka_unit_test(test_many_solutions_are_counted_to_the_last),
        cmocka_unit_test(test_random_givens_are_counted_like_the_plain_search),
        cmocka_unit_test(test_candidates_may_be_any_sets),
        cmocka_unit_test(test_count_at_the_limit_is_complete_if_nothing_was_left),
        cmocka_unit_test(test_search_ends_at_the_limit_of_guesses),
        cmocka_unit_test(test_search_ends_when_told_to),
        cmocka_unit_test(test_empty_list_is_no_work),
        cmocka_unit_test(test_first_solution_does_not_depend_on_the_list),
        cmocka_unit_test(test_made_puzzles_are_minimal),
        cmocka_unit_test(test_puzzle_depends_on_seed_and_number_alone),
    };
    return cmocka_run_group_tests_name("sudoku_solver", tests, NULL, NULL);
}
