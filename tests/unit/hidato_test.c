/* SPDX-License-Identifier: MIT */

/* Hidato: boards, notation, moves, and what is said of boards that cannot be solved. */

#include "game_fixture.h"
#include "unit.h"

#include "games/hidato/hidato.h"

#define SMALL "1 . ./. . ./. . 9"

/* ---- Variants ------------------------------------------------------------------------------------- */

static void test_variants_are_kinds_of_neighbourhood(void **state)
{
    static const struct {
        const char *name, *full;
    } names[] = {
        {"hidato", "hidato"}, {"hidato:8", "hidato"}, {"hidato:4", "hidato:4"}, {"hidato:hex", "hidato:hex"}};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        fixture f = fixture_open(names[i].name, SMALL);
        assert_string_equal(f.v->name, names[i].full);
        fixture_close(&f);
    }
    assert_variant_refused("hidato:5", 7,
                           "unknown variant hidato:5; use 8 (the same as hidato alone), 4 or hex");
}

static unsigned neighbours_of_middle(const char *variant)
{
    fixture f = fixture_open(variant, ". . ./. . ./. . .");
    uint16_t near[HIDATO_DEGREE];
    unsigned count = hidato_neighbours(hidato_board_of(f.p), hidato_kind_of(f.v), 4, near);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(hidato_distance(hidato_board_of(f.p), hidato_kind_of(f.v), 4, near[i]), 1);
    fixture_close(&f);
    return count;
}

static void test_middle_of_a_board_has_all_neighbours(void **state)
{
    (void)state;
    assert_int_equal(neighbours_of_middle("hidato"), 8);
    assert_int_equal(neighbours_of_middle("hidato:4"), 4);
    assert_int_equal(neighbours_of_middle("hidato:hex"), 6);
}

/* Steps by the definition: layer by layer. Dilation, distances and neighbours must agree with it. */
static void check_distances(const char *variant)
{
    fixture f = fixture_open(variant, ". . . . ./. . . . ./. . . . ./. . . . .");
    const hidato_board *b = hidato_board_of(f.p);
    hidato_grid g;
    hidato_grid_init(&g, b, hidato_kind_of(f.v));
    for (unsigned from = 0; from < 20; from++) {
        uint64_t reached[HIDATO_WORDS] = {0}, near[HIDATO_WORDS];
        set_add(reached, hidato_site_of(&g, from));
        for (unsigned steps = 1; steps < 10; steps++) {
            hidato_dilate(&g, reached, near);
            for (unsigned to = 0; to < 20; to++) {
                bool is_new =
                    set_has(near, hidato_site_of(&g, to)) && !set_has(reached, hidato_site_of(&g, to));
                assert_int_equal(is_new, hidato_distance(b, g.kind, from, to) == steps);
            }
            for (unsigned word = 0; word < g.words; word++)
                reached[word] |= near[word];
        }
    }
    fixture_close(&f);
}

static void test_dilation_goes_as_far_as_the_distance_says(void **state)
{
    (void)state;
    check_distances("hidato");
    check_distances("hidato:4");
    check_distances("hidato:hex");
}

/* ---- Notation -------------------------------------------------------------------------------------- */

static void test_rows_may_be_lines_and_cells_may_be_drawn(void **state)
{
    static const char *const texts[] = {
        "1 . ./. # ./. . 8", "1 . .\n. # .\n. . 8\n",     " 1 _ _ \r\n_ # _\r\n_ _ 8",
        "1,0,0/0,x,0/0,0,8", "\n1 ? ?\n\n? * ?\n? ? 8\n", "| 1 | - | - |\n| - | # | - |\n| - | - | 8 |"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_format("hidato", texts[i], "1 . ./. # ./. . 8");
}

static void assert_written(const char *variant, const char *position, const char *notation,
                           const char *expected)
{
    fixture f = fixture_open(variant, position);
    const holos_notation *n = f.v->game->notations;
    while (n->name != NULL && strcmp(n->name, notation) != 0)
        n++;
    assert_non_null(n->name);
    text t;
    text_init(&t);
    n->write(f.v, f.p, &t);
    assert_string_equal(t.data, expected);
    holos_position *again = holos_position_new(f.v);
    assert_ok(holos_parse(f.v, t.data, again, &f.err), f.err);
    assert_memory_equal(hidato_board_of(again)->numbers, hidato_board_of(f.p)->numbers,
                        hidato_board_of(again)->columns == hidato_board_of(f.p)->columns ? 3200u : 0u);
    text_free(&t);
    holos_position_free(again);
    fixture_close(&f);
}

static void test_every_notation_reads_back(void **state)
{
    (void)state;
    assert_written("hidato", "1 . ./. # ./. . 8", "line", "1 . ./. # ./. . 8\n");
    assert_written("hidato", "1 . . ./. # 10 ./. . . .", "grid", " 1  .  .  .\n .  # 10  .\n .  .  .  .\n");
    assert_written("hidato:hex", "1 . ./. # ./. . 8", "grid", "1 . .\n . # .\n  . . 8\n");
    assert_written("hidato", "1 . ./. # ./. 7 8", "ascent", "3x3mR:1cAb7_8\n");
    assert_written("hidato:4", "1 . ./. # ./. . 8", "ascent", "3x3mO:1cAc8\n");
    assert_written("hidato:hex", "1 . ./. . ./. . 9", "ascent", "2x3mC:1g9\n");
    assert_written("hidato:hex", "1/./.", "ascent", "2x3mC:1BaBaB\n");
    assert_written("hidato:4", "1 ./# 3", "json",
                   "{\"game\":\"hidato:4\",\"rows\":2,\"columns\":2,\"grid\":[[1,null],[\"#\",3]]}\n");
}

static void test_long_runs_in_game_ids(void **state)
{
    (void)state;
    assert_written("hidato", "1 . . . . . . . . . . . . . . . . . . . . . . . . . . . . 30", "ascent",
                   "30x1mR:1zb30\n");
    assert_format("hidato", "6x5mRdn:1zb30", "1 . . . . ./. . . . . ./. . . . . ./. . . . . ./. . . . . 30");
}

static void test_json_may_be_the_grid_alone(void **state)
{
    (void)state;
    assert_format("hidato", " [[1, \".\", 0], [\"\", \"#\", null]]", "1 . ./. # .");
}

static void test_game_ids_with_options_are_read(void **state)
{
    (void)state;
    assert_format("hidato", "3x2:1d6", "1 . ./. . 6");
    assert_format("hidato", "3x2mREdhS:1d6", "1 . ./. . 6");
    assert_format("hidato:hex", "2x3mH:1d6", "1 ./. ./. 6");
}

/* ---- Bad boards ------------------------------------------------------------------------------------- */

static void test_bad_boards_are_refused_with_a_reason(void **state)
{
    static const struct {
        const char *variant, *board;
        int64_t at;
        const char *message;
    } cases[] = {
        {"hidato", "", 0, "no board: write rows joined by /, such as 1 . ./. # ./. . 8"},
        {"hidato", "1 2/3", 5, "row 2 has 1 cells, row 1 has 2: all must be equal"},
        {"hidato", "1 a/. .", 2,
         "'a' is not part of a cell: write a number, . for an empty cell, # for a hole"},
        {"hidato", "1 . ./. 1 .", 8, "1 stands twice, in r1c1 and in r2c2: every number has one cell"},
        {"hidato", "1 ./# 4", 6, "4 in r2c2 is too large: this board has 3 cells, so its numbers are 1 to 3"},
        {"hidato", "1 99999", 2, "99999 is too large: no board has more than 1600 numbers"},
        {"hidato", "# #", 0, "the board has no cells, only holes"},
        {"hidato", "1 # .", 4, "the holes cut the board in pieces: no path leads from r1c1 to r1c3"},
        {"hidato:4", "1 #/# 2", 6, "the holes cut the board in pieces: no path leads from r1c1 to r2c2"},
        {"hidato:hex", "1 #/# 2", 6, "the holes cut the board in pieces: no path leads from r1c1 to r2c2"},
        {"hidato", "3x3mR:1f9", 9, "only 8 of the board's 9 cells"},
        {"hidato", "3x3mR:1h9", 8, "more cells than the 9 that the board has"},
        {"hidato", "3x3mR:1!", 7,
         "'!' is not part of a game ID: numbers, a to z for empty cells, A to Z for holes"},
        {"hidato", "3x3mR:0h", 6, "0 is not on this board: its numbers are 1 to 9"},
        {"hidato", "3x3mO:1g9", 0, "this game ID is one of hidato:4, not of hidato"},
        {"hidato", "3x3mE:1g9", 0, "the mode Edges, with its givens around the board, is not supported"},
        {"hidato", "3x3mQ:1g9", 0, "no such mode: m is followed by O, R, H or C in a game ID"},
        {"hidato", "3x3mR", 5, "expected a colon and the cells, as in 3x3mR:1g9"},
        {"hidato", "3x3mR#123", 5,
         "a random seed names a puzzle only to the program that made it; give the game ID, with a colon and "
         "the cells"},
        {"hidato", "0x3mR:a", 0,
         "a board of 3 rows and 0 columns: there may be 1 to 64 of each, and 1600 cells in all"},
        {"hidato", "50x50mR:a", 0,
         "a board of 50 rows and 50 columns: there may be 1 to 64 of each, and 1600 cells in all"},
        {"hidato", "{}", HOLOS_NOWHERE, "expected \"grid\": an array of rows, such as [[1,null],[\"#\",3]]"},
        {"hidato", "[[1,2],[3]]", HOLOS_NOWHERE, "row 2 has 1 cells, row 1 has 2: all must be equal"},
        {"hidato", "[[1,true]]", HOLOS_NOWHERE,
         "row 1, column 2: a cell is a number from 1, null if it is empty, or \"#\" for a hole"},
        {"hidato", "{\"game\":\"hidato:4\",\"grid\":[[1]]}", HOLOS_NOWHERE,
         "this board is one of hidato:4, not of hidato"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_position_refused(cases[i].variant, cases[i].board, cases[i].at, cases[i].message);
}

static void test_unsolvable_boards_name_the_conflict(void **state)
{
    static const struct {
        const char *variant, *board, *reason;
    } cases[] = {
        {"hidato", "1 . 2/. . ./. . .", "1 in r1c1 and 2 in r1c3 are not neighbours"},
        {"hidato:4", "1 ./. 2", "1 in r1c1 and 2 in r2c2 are not neighbours"},
        {"hidato", "1 . . . 4",
         "1 in r1c1 and 4 in r1c5 are too far apart: the shortest way takes 4 steps, and there are 3"},
        {"hidato", "1 5 . . 3", "1 in r1c1 and 3 in r1c5 are cut off from each other by what is filled"},
        {"hidato", "2 . . .", "no number is left for r1c4"},
        {"hidato:4", ". 5 ./. 4 ./. 3 .", "no cell is left for 8"},
        {"hidato:4", "1 . ./. . ./. 9 .", "no cell is left for 9"},
        {"hidato:4", "1 5 ./. 6 ./. . 4",
         "1 in r1c1 and 4 in r3c3 are too far apart: the shortest way takes 4 steps, and there are 3"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f = fixture_open(cases[i].variant, cases[i].board);
        text t;
        text_init(&t);
        assert_true(hidato_conflict(f.v, f.p, &t));
        assert_string_equal(t.data, cases[i].reason);
        text_free(&t);
        fixture_close(&f);
    }
}

static void test_solvable_boards_have_no_conflict(void **state)
{
    fixture f = fixture_open("hidato", SMALL);
    text t;
    (void)state;
    text_init(&t);
    assert_false(hidato_conflict(f.v, f.p, &t));
    assert_int_equal(t.length, 0);
    text_free(&t);
    fixture_close(&f);
}

/* ---- Moves ------------------------------------------------------------------------------------------ */

static void assert_writes(const char *variant, const char *from, const char *move, const char *to)
{
    fixture f = fixture_open(variant, from);
    char got[128];
    fixture_play(&f, move);
    holos_format(f.v, f.p, got, sizeof got);
    assert_string_equal(got, to);
    fixture_close(&f);
}

static void test_numbers_are_written_next_to_each_other(void **state)
{
    (void)state;
    assert_writes("hidato", SMALL, "r2c2=2", "1 . ./. 2 ./. . 9");
    assert_writes("hidato", SMALL, "r2c2=8", "1 . ./. 8 ./. . 9");
    assert_writes("hidato", ". ./. .", "r2c1=1", ". ./1 .");
    assert_move_refused("hidato", SMALL, "r3c1=2", 0,
                        "r3c1=2: not next to the number before it and the one after it");
    assert_move_refused("hidato", SMALL, "r2c2=5", 0,
                        "r2c2=5: a number is written next to the one before it or after it");
    assert_move_refused("hidato", SMALL, "r1c1=2", 0, "r1c1=2: the cell is filled");
    assert_move_refused("hidato", "1 # ./. . .", "r1c2=2", 0, "r1c2=2: a hole");
    assert_move_refused("hidato", SMALL, "r2c2=10", 0, "r2c2=10: this board has no such number");
    assert_move_refused("hidato", SMALL, "r2c2=9", 0, "r2c2=9: the number stands elsewhere");
    assert_move_refused("hidato", ". ./. .", "r1c1=2", 0, "r1c1=2: an empty board begins with a 1");
    assert_move_refused("hidato", "1 . 2/. . .", "r2c2=3", 0,
                        "r2c2=3: the board is lost: a number has no place left");
    assert_move_refused("hidato", SMALL, "r4c1=2", 0, "there is no r4c1 on a board of 3 rows and 3 columns");
    assert_move_refused("hidato", SMALL, "2", 0, "a move is a cell and a number, such as r3c7=12");
}

static void test_game_ends_full_or_stuck(void **state)
{
    (void)state;
    assert_over("hidato", "1 2/4 3", 1);
    assert_over("hidato:4", "1 2/3 4", 0);
    assert_over("hidato", "1 4 . 3 .", 0);
    assert_goes_on("hidato", SMALL);
    assert_bounds("hidato", "1 . . . 4", 0, 0);
    assert_bounds("hidato", SMALL, 0, 1);
    assert_bounds("hidato", "1 2/4 3", 1, 1);
}

static void test_only_what_was_written_is_taken_back(void **state)
{
    fixture f = fixture_open("hidato", SMALL);
    (void)state;
    assert_int_equal(count_predecessors("hidato", "1 2 3/. . ./. . ."), 0);
    fixture_play(&f, "r2c2=2");
    holos_edge *edges = malloc(f.v->max_predecessors * sizeof *edges);
    assert_non_null(edges);
    assert_int_equal(f.v->game->back->predecessors(f.v, f.p, (holos_edges){.edges = edges}), 1);
    assert_int_equal(edges[0].move, hidato_move(4, 2));
    free(edges);
    fixture_close(&f);
}

/* The bound of game.c, met as nearly as a board can: every third number is written. */
static void test_moves_of_the_largest_board_fit(void **state)
{
    fixture f = fixture_open("hidato", NULL);
    hidato_board *b = hidato_board_mutable(f.p);
    (void)state;
    assert_true(hidato_board_init(b, 40, 40));
    for (unsigned number = 2, place = 0; number < 1600; number += 3) {
        b->numbers[place] = (uint16_t)number;
        place += place % 40 < 38 ? 2 : 42;
        if (place >= 1600)
            break;
    }
    hidato_board_count(b);
    assert_true(holos_moves(f.v, f.p, NULL, 0) <= f.v->max_successors);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variants_are_kinds_of_neighbourhood),
        cmocka_unit_test(test_middle_of_a_board_has_all_neighbours),
        cmocka_unit_test(test_dilation_goes_as_far_as_the_distance_says),
        cmocka_unit_test(test_rows_may_be_lines_and_cells_may_be_drawn),
        cmocka_unit_test(test_every_notation_reads_back),
        cmocka_unit_test(test_long_runs_in_game_ids),
        cmocka_unit_test(test_json_may_be_the_grid_alone),
        cmocka_unit_test(test_game_ids_with_options_are_read),
        cmocka_unit_test(test_bad_boards_are_refused_with_a_reason),
        cmocka_unit_test(test_unsolvable_boards_name_the_conflict),
        cmocka_unit_test(test_solvable_boards_have_no_conflict),
        cmocka_unit_test(test_numbers_are_written_next_to_each_other),
        cmocka_unit_test(test_game_ends_full_or_stuck),
        cmocka_unit_test(test_only_what_was_written_is_taken_back),
        cmocka_unit_test(test_moves_of_the_largest_board_fit),
    };
    UNIT_MAIN(tests);
}
