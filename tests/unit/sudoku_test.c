/* SPDX-License-Identifier: MIT */

/* The rules, solver and notation of sudoku. */

#include "game_fixture.h"

#include "core/clock.h"

#define GENTLE "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
#define SOLVED "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
#define EMPTY  "................................................................................."
/* 6 and 7 in two rows, two columns and two boxes: they can stand either way around. */
#define DOUBLE "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179"

static holos_puzzle_answer count(const char *position, uint64_t limit, uint64_t nodes, const holos_stop *stop,
                                 char first[82])
{
    fixture f = fixture_open("sudoku", position);
    holos_position *solution = holos_position_new(f.v);
    holos_puzzle_answer answer;
    struct limits limits;
    limits_begin(&limits, &(holos_limits){.nodes = nodes != UINT64_MAX ? nodes : 0, .stop = stop}, NULL);
    f.v->game->puzzle->count(f.v, f.p, limit, &limits, solution, &answer);
    assert_int_equal(limits.nodes, answer.nodes);
    if (answer.solutions > 0 && first != NULL)
        holos_format(f.v, solution, first, 82);
    holos_position_free(solution);
    fixture_close(&f);
    return answer;
}

/* ---- Rules ------------------------------------------------------------------------------------- */

static void test_moves_are_the_candidates_of_empty_cells(void **state)
{
    (void)state;
    fixture f = fixture_open("sudoku", GENTLE);
    holos_move moves[729];
    char written[4][16];
    assert_int_equal(holos_moves(f.v, f.p, moves, 729), 153);
    for (int i = 0; i < 4; i++)
        holos_format_move(f.v, f.p, moves[i], written[i], sizeof written[i]);
    assert_string_equal(written[0], "r1c3=1");
    assert_string_equal(written[1], "r1c3=2");
    assert_string_equal(written[2], "r1c3=4");
    assert_string_equal(written[3], "r1c4=2");
    fixture_close(&f);
}

static void test_a_move_writes_a_digit(void **state)
{
    (void)state;
    fixture f = fixture_open("sudoku", GENTLE);
    holos_edge edge = fixture_play(&f, "r1c3=4");
    char written[82];
    holos_format(f.v, f.p, written, sizeof written);
    assert_memory_equal(written, "534.7....", 9);
    assert_int_equal(edge.flags, HOLOS_EDGE_SAME_SIDE);
    fixture_close(&f);
}

static void test_single_candidates_are_forcing(void **state)
{
    (void)state;
    fixture f = fixture_open("sudoku", GENTLE);
    assert_true((fixture_play(&f, "r5c5=5").flags & HOLOS_EDGE_FORCING) != 0); /* nothing else fits there */
    assert_true((fixture_play(&f, "r8c8=3").flags & HOLOS_EDGE_FORCING) != 0); /* nor does 3 elsewhere */
    fixture_close(&f);
}

static void test_the_end_is_a_full_grid_or_a_cell_without_candidates(void **state)
{
    (void)state;
    assert_over("sudoku", SOLVED, 1);
    assert_over("sudoku", "12345678.........9...............................................................",
                0);
    assert_goes_on("sudoku", GENTLE);
    assert_goes_on("sudoku", EMPTY);
}

static void test_givens_stay_when_the_rest_is_taken_back(void **state)
{
    (void)state;
    fixture f = fixture_open("sudoku", GENTLE);
    holos_edge edges[81];
    assert_int_equal(f.v->game->back->predecessors(f.v, f.p, (holos_edges){.edges = edges}), 0);
    fixture_play(&f, "r1c3=4");
    fixture_play(&f, "r5c5=5");
    assert_int_equal(f.v->game->back->predecessors(f.v, f.p, (holos_edges){.edges = edges}), 2);
    fixture_close(&f);
}

/* ---- Search ------------------------------------------------------------------------------------ */

static uint32_t search_moves(const char *position)
{
    fixture f = fixture_open("sudoku", position);
    holos_edge edges[729];
    uint32_t moves = f.v->game->search->expand(f.v, f.p, (holos_edges){.edges = edges});
    fixture_close(&f);
    return moves;
}

static void test_search_looks_at_one_cell(void **state)
{
    (void)state;
    assert_int_equal(search_moves(EMPTY), 9);
    assert_int_equal(search_moves(GENTLE), 1);
    assert_int_equal(search_moves(DOUBLE), 2);
}

static void test_bounds_see_a_digit_without_a_place(void **state)
{
    (void)state;
    /* No cell of the first row can hold a 1 any more, though each still has candidates. */
    const char *dead = "..2.........1...........1..1...........................1.........................";
    assert_goes_on("sudoku", dead);
    assert_bounds("sudoku", dead, 0, 0);
    assert_bounds("sudoku", EMPTY, 0, 1);
    assert_bounds("sudoku", SOLVED, 1, 1);
}

/* ---- The solver -------------------------------------------------------------------------------- */

static void test_the_solution_is_found(void **state)
{
    (void)state;
    char first[82];
    holos_puzzle_answer answer = count(GENTLE, 2, UINT64_MAX, NULL, first);
    assert_int_equal(answer.solutions, 1);
    assert_true(answer.complete);
    assert_string_equal(first, SOLVED);
}

static void test_two_solutions_are_two(void **state)
{
    (void)state;
    holos_puzzle_answer answer = count(DOUBLE, 10, UINT64_MAX, NULL, NULL);
    assert_int_equal(answer.solutions, 2);
    assert_true(answer.complete);
}

static void test_counting_stops_at_the_limit(void **state)
{
    (void)state;
    holos_puzzle_answer answer = count(EMPTY, 100, UINT64_MAX, NULL, NULL);
    assert_int_equal(answer.solutions, 100);
    assert_false(answer.complete);
}

static void test_counting_stops_at_the_node_limit(void **state)
{
    (void)state;
    holos_puzzle_answer answer = count(EMPTY, UINT64_MAX, 1000, NULL, NULL);
    assert_int_equal(answer.nodes, 1000);
    assert_false(answer.complete);
}

static void test_counting_stops_when_told(void **state)
{
    (void)state;
    holos_stop stop = {.asked = 1};
    holos_puzzle_answer answer = count(EMPTY, UINT64_MAX, UINT64_MAX, &stop, NULL);
    assert_int_equal(answer.nodes, 0);
    assert_false(answer.complete);
}

static void test_counting_stops_at_the_deadline(void **state)
{
    (void)state;
    fixture f = fixture_open("sudoku", EMPTY);
    holos_position *first = holos_position_new(f.v);
    holos_puzzle_answer answer;
    struct limits limits;
    limits_begin(&limits, &(holos_limits){.seconds = 0.01}, NULL);
    f.v->game->puzzle->count(f.v, f.p, UINT64_MAX, &limits, first, &answer);
    assert_false(answer.complete);
    assert_int_equal(limits.status, HOLOS_LIMIT);
    assert_string_equal(limits.reached, "the time limit");
    holos_position_free(first);
    fixture_close(&f);
}

static void test_a_puzzle_without_solution_has_none(void **state)
{
    (void)state;
    holos_puzzle_answer answer =
        count("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..97", 2,
              UINT64_MAX, NULL, NULL);
    assert_int_equal(answer.solutions, 0);
    assert_true(answer.complete);
}

static void test_a_full_grid_is_its_own_solution(void **state)
{
    (void)state;
    char first[82];
    holos_puzzle_answer answer = count(SOLVED, 1, UINT64_MAX, NULL, first);
    assert_int_equal(answer.solutions, 1);
    assert_true(answer.complete);
    assert_string_equal(first, SOLVED);
}

/* ---- Notation ---------------------------------------------------------------------------------- */

static void test_grids_may_be_drawn(void **state)
{
    (void)state;
    assert_format("sudoku",
                  "5 3 . | . 7 . | . . .\n"
                  "6 . . | 1 9 5 | . . .\n"
                  ". 9 8 | . . . | . 6 .\n"
                  "------+-------+------\n"
                  "8 . . | . 6 . | . . 3\n"
                  "4 . . | 8 . 3 | . . 1\n"
                  "7 . . | . 2 . | . . 6\n"
                  "------+-------+------\n"
                  ". 6 . | . . . | 2 8 .\n"
                  ". . . | 4 1 9 | . . 5\n"
                  ". . . | . 8 . | . 7 9\n",
                  GENTLE);
}

static void test_zero_is_an_empty_cell(void **state)
{
    (void)state;
    assert_format("sudoku",
                  "530070000600195000098000060800060003400803001700020006060000280000419005000080079",
                  GENTLE);
}

static void test_wrong_grids_are_refused(void **state)
{
    (void)state;
    assert_position_refused("sudoku", "53..7", 5, "only 5 cells: a grid has 81");
    assert_position_refused("sudoku", EMPTY ".", 81,
                            "more than 81 cells, and not the 729 characters or 81 words of a candidate grid");
    assert_position_refused("sudoku", "5x", 1,
                            "'x' is not a cell: write 1 to 9, and . or 0 for an empty one");
    assert_position_refused("sudoku", "\x80", 0,
                            "'\\x80' is not a cell: write 1 to 9, and . or 0 for an empty one");
}

static void test_givens_that_meet_are_refused_by_name(void **state)
{
    (void)state;
    char grid[82] = EMPTY;
    grid[1] = grid[6] = '5';
    assert_position_refused("sudoku", grid, 6, "two 5s in row 1: r1c2 and r1c7");
    grid[6] = '.';
    grid[1 + 8 * 9] = '5';
    assert_position_refused("sudoku", grid, 73, "two 5s in column 2: r1c2 and r9c2");
    grid[1 + 8 * 9] = '.';
    grid[2 * 9] = '5';
    assert_position_refused("sudoku", grid, 18, "two 5s in box 1: r1c2 and r3c1");
}

static void test_wrong_moves_are_refused_with_the_reason(void **state)
{
    (void)state;
    assert_move_refused("sudoku", GENTLE, "r1c1=5", 0, "r1c1 already holds a 5");
    assert_move_refused("sudoku", GENTLE, "r1c3=7", 5, "row 1 already has a 7: r1c5");
    assert_move_refused("sudoku", GENTLE, "r1c4=8", 5, "column 4 already has a 8: r5c4");
    assert_move_refused("sudoku", GENTLE, "r1c3=6", 5, "box 1 already has a 6: r2c1");
    assert_move_refused("sudoku", GENTLE, "r1c0=6", 0,
                        "'r1c0=6' is not a move: write row, column and digit, r3c7=5");
    assert_move_refused("sudoku", SOLVED, "r1c1=5", HOLOS_NOWHERE, "the grid is full");
    assert_move_refused("sudoku",
                        "12345678.........9...............................................................",
                        "r9c9=1", HOLOS_NOWHERE, "there are no moves: a cell has no candidate left");
}

static void test_unknown_variants_and_start_are_refused(void **state)
{
    (void)state;
    assert_variant_refused("sudoku:9", 7,
                           "unknown variant sudoku:9; use x, windoku, 4x4, 6x6, 9x9, 12x12 or 16x16");
    fixture f = fixture_open("sudoku", NULL);
    assert_int_equal(holos_parse(f.v, "start", f.p, &f.err), HOLOS_UNSUPPORTED);
    assert_error(&f.err, HOLOS_NOWHERE, "sudoku has no start position: give it a puzzle");
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves_are_the_candidates_of_empty_cells),
        cmocka_unit_test(test_a_move_writes_a_digit),
        cmocka_unit_test(test_single_candidates_are_forcing),
        cmocka_unit_test(test_the_end_is_a_full_grid_or_a_cell_without_candidates),
        cmocka_unit_test(test_givens_stay_when_the_rest_is_taken_back),
        cmocka_unit_test(test_search_looks_at_one_cell),
        cmocka_unit_test(test_bounds_see_a_digit_without_a_place),
        cmocka_unit_test(test_the_solution_is_found),
        cmocka_unit_test(test_two_solutions_are_two),
        cmocka_unit_test(test_counting_stops_at_the_limit),
        cmocka_unit_test(test_counting_stops_at_the_node_limit),
        cmocka_unit_test(test_counting_stops_when_told),
        cmocka_unit_test(test_counting_stops_at_the_deadline),
        cmocka_unit_test(test_a_puzzle_without_solution_has_none),
        cmocka_unit_test(test_a_full_grid_is_its_own_solution),
        cmocka_unit_test(test_grids_may_be_drawn),
        cmocka_unit_test(test_zero_is_an_empty_cell),
        cmocka_unit_test(test_wrong_grids_are_refused),
        cmocka_unit_test(test_givens_that_meet_are_refused_by_name),
        cmocka_unit_test(test_wrong_moves_are_refused_with_the_reason),
        cmocka_unit_test(test_unknown_variants_and_start_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
