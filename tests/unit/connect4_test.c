/* SPDX-License-Identifier: MIT */

/* The rules, scores and notation of connect four. */

#include "game_fixture.h"

#include "core/rng.h"

/* ---- Rules ------------------------------------------------------------------------------------- */

static void test_stones_fall_to_the_lowest_free_cell(void **state)
{
    (void)state;
    assert_plays("connect4:4x4", "", "2", "..../..../..../.x..");
    assert_plays("connect4:4x4", "2", "2", "..../..../.o../.x..");
    assert_plays("connect4:4x4", "22", "4", "..../..../.o../.x.x");
}

static void test_four_in_any_direction_win(void **state)
{
    (void)state;
    assert_over("connect4", "1212121", -18);     /* up */
    assert_over("connect4", "1122334", -18);     /* along */
    assert_over("connect4", "12233434474", -16); /* rising */
    assert_over("connect4", "76655454414", -16); /* falling */
    assert_over("connect4", "71212121", -18);    /* the second player wins, too */
}

static void test_lines_do_not_run_around_the_edge(void **state)
{
    (void)state;
    assert_goes_on("connect4:4x4", "x.../x.../ox../oxoo"); /* from the top of column 1 into column 2 */
}

static void test_a_full_board_is_a_draw(void **state)
{
    (void)state;
    assert_over("connect4:4x4", "oxox/oxox/xoxo/xoxo", 0);
    assert_over("connect4:3x3", "123123123", 0); /* too small for any four */
}

static void test_five_in_a_row_win_like_four(void **state)
{
    (void)state;
    assert_over("connect4:5x4", "...../...../oo.oo/xxxxx", -6);
}

/* ---- Scores ------------------------------------------------------------------------------------ */

static void test_a_win_counts_the_stones_the_winner_has_left(void **state)
{
    (void)state;
    /* On 4x4 each side has eight stones. A win with the fourth leaves the winner four, and itself counts. */
    assert_over("connect4:4x4", "1212121", -5);
    assert_over("connect4:4x4", "13132343", -5);
    /* With the last stone of all: 1. */
    assert_over("connect4:4x4", "oxxo/xoxo/oxxo/xxoo", -1);
}

static void test_score_gives_the_distance(void **state)
{
    (void)state;
    fixture f = fixture_open("connect4", "121212");
    assert_int_equal(f.v->game->search->distance(f.v, f.p, 18), 1);
    assert_int_equal(f.v->game->search->distance(f.v, f.p, 17), 3);
    assert_int_equal(f.v->game->search->distance(f.v, f.p, -18), 2);
    assert_int_equal(f.v->game->search->distance(f.v, f.p, -17), 4);
    assert_int_equal(f.v->game->search->distance(f.v, f.p, 0), 36);
    fixture_close(&f);
    f = fixture_open("connect4:5x5", ""); /* an odd number of cells: the first player has the last stone */
    assert_int_equal(f.v->game->search->distance(f.v, f.p, 1), 25);
    assert_int_equal(f.v->game->search->distance(f.v, f.p, -1), 24);
    fixture_close(&f);
}

static void test_range_of_scores(void **state)
{
    (void)state;
    int32_t min, max;
    fixture f = fixture_open("connect4", NULL);
    holos_score_range(f.v, &min, &max);
    assert_int_equal(min, -18);
    assert_int_equal(max, 18);
    fixture_close(&f);
}

/* ---- What search is told ----------------------------------------------------------------------- */

static void test_bounds_see_a_win_in_one(void **state)
{
    (void)state;
    assert_bounds("connect4", "121212", 18, 18);
}

static void test_bounds_see_a_loss_in_two(void **state)
{
    (void)state;
    /* Three with two open ends: whatever x plays, o has the other. */
    assert_bounds("connect4", "......./......./......./......./..xxx../..ooo..", -18, -18);
    /* The only column left has a cell where o makes four, right above the one where x must play. */
    assert_bounds("connect4:4x4", "ooo./xxo./xoxx/xoxo", -1, -1);
}

static void test_bounds_see_that_no_line_is_left(void **state)
{
    (void)state;
    assert_bounds("connect4:3x3", "", 0, 0);
    assert_bounds("connect4:8x1", "415", -1, 0); /* o needs four in a row of 2 to 3 or 6 to 8 */
    assert_bounds("connect4:4x4", "", -5, 5);
}

/* The columns whose moves are marked as forcing, as a text. */
static void assert_forcing(const char *position, const char *columns)
{
    fixture f = fixture_open("connect4", position);
    holos_edge edges[7];
    char forcing[8] = "";
    uint32_t count = f.v->game->expand(f.v, f.p, (holos_edges){.edges = edges});
    for (uint32_t i = 0; i < count; i++)
        if ((edges[i].flags & HOLOS_EDGE_FORCING) != 0)
            strncat(forcing, &"1234567"[edges[i].move], 1);
    assert_string_equal(forcing, columns);
    fixture_close(&f);
}

static void test_forcing_moves_are_marked(void **state)
{
    (void)state;
    assert_forcing("", "");
    assert_forcing("445566", "37"); /* they win */
    assert_forcing("12121", "12");  /* 1 answers a threat, 2 makes one */
    assert_forcing("4151", "2367"); /* all make three with a way to the fourth */
}

static void test_moves_that_look_better_come_with_higher_order(void **state)
{
    (void)state;
    fixture f = fixture_open("connect4", "12121"); /* o must answer on 1 */
    holos_edge edges[7];
    f.v->game->expand(f.v, f.p, (holos_edges){.edges = edges});
    for (int i = 1; i < 7; i++)
        assert_true(edges[0].order > edges[i].order);
    fixture_parse(&f, "445566"); /* x wins on 3 and 7; on row 2, so does o */
    f.v->game->expand(f.v, f.p, (holos_edges){.edges = edges});
    assert_true(edges[2].order > edges[3].order && edges[6].order > edges[3].order);
    assert_true(edges[3].order > edges[0].order); /* the centre, rather than the edge */
    fixture_close(&f);
}

/* ---- The way back ------------------------------------------------------------------------------ */

static void test_only_the_last_mover_takes_a_stone_back(void **state)
{
    (void)state;
    assert_int_equal(count_predecessors("connect4", ""), 0);
    assert_true(is_predecessor("connect4", "44", "445", "5"));
    assert_int_equal(count_predecessors("connect4", "445"), 1); /* the x in column 4 lies under an o */
}

static void test_a_game_that_was_over_did_not_go_on(void **state)
{
    (void)state;
    /* The last stone made the four on column 1; it was not the one on 7, after which x had its four. */
    assert_int_equal(count_predecessors("connect4", "721212131"), 1);
    assert_true(is_predecessor("connect4", "72121213", "721212131", "1"));
}

static void test_mirror_images_share_a_key(void **state)
{
    (void)state;
    assert_true(keys_equal("connect4", "4453", "4435"));
    assert_true(keys_equal("connect4", "1", "7"));
    assert_false(keys_equal("connect4", "1", "6"));
    assert_true(keys_equal("connect4:8x8", "1", "8"));
}

/* ---- Notation ---------------------------------------------------------------------------------- */

static void test_both_notations_mean_the_same(void **state)
{
    (void)state;
    fixture moves = fixture_open("connect4", "4453");
    fixture rows = fixture_open("connect4", "......./......./......./......./...o.../..oxx..");
    assert_memory_equal(moves.p, rows.p, moves.v->position_size);
    fixture_close(&moves);
    fixture_close(&rows);
}

static void test_the_empty_board_has_three_names(void **state)
{
    (void)state;
    assert_format("connect4", "", "");
    assert_format("connect4", "start", "");
    assert_format("connect4", "......./......./......./......./......./.......", "");
}

static void test_a_board_that_play_cannot_reach_is_written_in_rows(void **state)
{
    (void)state;
    /* Both lowest stones are o's: nobody can have begun. */
    assert_format("connect4:4x4", "..../..../xx../oo..", "..../..../xx../oo..");
}

/* Whatever play leads to has a text of moves, on narrow and wide boards. */
static void test_every_board_that_play_reaches_is_written_as_moves(void **state)
{
    (void)state;
    const char *variants[] = {"connect4", "connect4:8x8", "connect4:16x7", "connect4:8x15"};
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        fixture f = fixture_open(variants[i], "");
        rng random;
        rng_init(&random, 7, i);
        for (int games = 0; games < 100; games++) {
            holos_move moves[16];
            char written[256];
            fixture_parse(&f, "");
            for (size_t n; (n = holos_moves(f.v, f.p, moves, 16)) > 0;) {
                assert_int_equal(holos_play(f.v, f.p, moves[rng_below(&random, n)], f.p, NULL), HOLOS_OK);
                holos_format(f.v, f.p, written, sizeof written);
                assert_null(strpbrk(written, "./xo"));
            }
        }
        fixture_close(&f);
    }
}

static void test_columns_past_nine_are_letters(void **state)
{
    (void)state;
    assert_plays("connect4:16x7", "9ab", "g", "9abg");
    assert_format("connect4:16x7", "g", "g");
    assert_move_refused("connect4:12x4", "", "d", 0, "column d does not exist: the board has columns 1 to c");
}

static void test_wrong_moves_are_refused_with_the_reason(void **state)
{
    (void)state;
    assert_position_refused("connect4", "448", 2, "column 8 does not exist: the board has columns 1 to 7");
    assert_position_refused("connect4", "0", 0, "column 0 does not exist: the board has columns 1 to 7");
    assert_position_refused("connect4", "44?", 2, "'?' is not a column: the board has columns 1 to 7");
    assert_position_refused("connect4", "4444444", 6, "column 4 is full");
    assert_position_refused("connect4", "121212133", 7, "the game was over after 7 moves");
    assert_position_refused("connect4:3x3", "1231231231", 9, "the board was full after 9 moves");
    assert_move_refused("connect4", "444444", "4", 0, "column 4 is full");
    assert_move_refused("connect4", "", "8", 0, "column 8 does not exist: the board has columns 1 to 7");
    assert_move_refused("connect4", "", "12", 1, "a move is one column, 1 to 7");
    assert_move_refused("connect4", "", "", 0, "a move is one column, 1 to 7");
    assert_move_refused("connect4", "1212121", "3", HOLOS_NOWHERE, "the game is over");
}

static void test_wrong_rows_are_refused_with_the_reason(void **state)
{
    (void)state;
    assert_position_refused("connect4:4x4", "..../..../.../....", 13, "row 3 ends after 3 of 4 cells");
    assert_position_refused("connect4:4x4", "..../..../...", 13, "row 3 ends after 3 of 4 cells");
    assert_position_refused("connect4:4x4", "..../..../....", 14, "only 3 of 4 rows");
    assert_position_refused("connect4:4x4", "..../....x/..../....", 9, "row 2 has more than 4 cells");
    assert_position_refused("connect4:4x4", "..../..../..../..../....", 19, "more than 4 rows");
    assert_position_refused("connect4:4x4", "..../..../..../..X.", 17, "'X' is not a cell: write x, o or .");
    assert_position_refused("connect4:4x4", "..../..../x.../....", 10,
                            "the stone in column 1, row 2 from the bottom hangs in the air");
    assert_position_refused("connect4:4x4", "..../..../..../oo..", HOLOS_NOWHERE,
                            "0 x and 2 o: x begins, so there are as many x as o, or one more");
    assert_position_refused("connect4:5x4", "...../o..../oo.../xxxxo", HOLOS_NOWHERE,
                            "o moved after x had four in a row");
    assert_position_refused("connect4", "......./......./......./xxxx.../oooo.../xxxxooo", HOLOS_NOWHERE,
                            "x moved after o had four in a row");
    assert_position_refused("connect4", "......./xxxx.../oxoo.../ooox.../xxxxoo./oooxxxo", HOLOS_NOWHERE,
                            "x has fours that no single stone can make");
}

static void test_wrong_sizes_are_refused(void **state)
{
    (void)state;
    const char *how = "a board is written WIDTHxHEIGHT, such as connect4:7x6";
    assert_variant_refused("connect4:7", 10, how);
    assert_variant_refused("connect4:7x", 11, how);
    assert_variant_refused("connect4:7x6x5", 12, how);
    assert_variant_refused("connect4:x6", 9, how);
    assert_variant_refused(
        "connect4:0x6", 9,
        "a board of 0x6 is too small: sides are 1 to 16, and width * (height + 1) is at most 128");
    assert_variant_refused(
        "connect4:16x16", 9,
        "a board of 16x16 is too large: sides are 1 to 16, and width * (height + 1) is at most 128");
}

static void test_drawing(void **state)
{
    (void)state;
    assert_drawing("connect4:4x4", "2233",
                   "  1 2 3 4\n"
                   "│ . . . . │\n"
                   "│ . . . . │\n"
                   "│ . o o . │\n"
                   "│ . x x . │\n"
                   "└─────────┘\n"
                   "x to move, 4 stones\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stones_fall_to_the_lowest_free_cell),
        cmocka_unit_test(test_four_in_any_direction_win),
        cmocka_unit_test(test_lines_do_not_run_around_the_edge),
        cmocka_unit_test(test_a_full_board_is_a_draw),
        cmocka_unit_test(test_five_in_a_row_win_like_four),
        cmocka_unit_test(test_a_win_counts_the_stones_the_winner_has_left),
        cmocka_unit_test(test_score_gives_the_distance),
        cmocka_unit_test(test_range_of_scores),
        cmocka_unit_test(test_bounds_see_a_win_in_one),
        cmocka_unit_test(test_bounds_see_a_loss_in_two),
        cmocka_unit_test(test_bounds_see_that_no_line_is_left),
        cmocka_unit_test(test_forcing_moves_are_marked),
        cmocka_unit_test(test_moves_that_look_better_come_with_higher_order),
        cmocka_unit_test(test_only_the_last_mover_takes_a_stone_back),
        cmocka_unit_test(test_a_game_that_was_over_did_not_go_on),
        cmocka_unit_test(test_mirror_images_share_a_key),
        cmocka_unit_test(test_both_notations_mean_the_same),
        cmocka_unit_test(test_the_empty_board_has_three_names),
        cmocka_unit_test(test_a_board_that_play_cannot_reach_is_written_in_rows),
        cmocka_unit_test(test_every_board_that_play_reaches_is_written_as_moves),
        cmocka_unit_test(test_columns_past_nine_are_letters),
        cmocka_unit_test(test_wrong_moves_are_refused_with_the_reason),
        cmocka_unit_test(test_wrong_rows_are_refused_with_the_reason),
        cmocka_unit_test(test_wrong_sizes_are_refused),
        cmocka_unit_test(test_drawing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
