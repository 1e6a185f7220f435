/* SPDX-License-Identifier: MIT */

/* The public functions about games, variants, positions and moves. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <holos/holos.h>
#include <string.h>

static holos_variant *open_or_fail(const char *name)
{
    holos_variant *v;
    holos_error err;
    if (holos_open(name, &v, &err) != HOLOS_OK)
        fail_msg("%s: %s", name, err.message);
    return v;
}

/* ---- Games ------------------------------------------------------------------------------------- */

static void test_games_can_be_listed_and_found(void **state)
{
    (void)state;
    assert_true(holos_game_count() >= 4);
    assert_null(holos_game_at(holos_game_count()));
    for (size_t i = 0; i < holos_game_count(); i++) {
        const holos_game *game = holos_game_at(i);
        const char *name = holos_game_name(game);
        assert_ptr_equal(holos_game_find(name, strlen(name)), game);
    }
    assert_null(holos_game_find("connect4", 7)); /* the length counts */
    assert_null(holos_game_find("", 0));
}

static void test_games_describe_themselves(void **state)
{
    (void)state;
    const holos_game *kalah = holos_game_find("kalah", 5);
    assert_string_equal(holos_game_title(kalah), "Kalah");
    assert_non_null(strstr(holos_game_variant_help(kalah), "empty-capture"));
    assert_non_null(strstr(holos_game_position_help(kalah), "4,4,4,4,4,4,0/4,4,4,4,4,4,0 1"));
    assert_true(strlen(holos_game_summary(kalah)) > 0);
    assert_true(strlen(holos_game_score_help(kalah)) > 0);
    assert_int_equal(holos_game_traits(kalah), HOLOS_TRAIT_SAME_SIDE | HOLOS_TRAIT_GAINS);
}

static void test_examples_are_positions_of_the_default_variant(void **state)
{
    (void)state;
    for (size_t i = 0; i < holos_game_count(); i++) {
        const holos_game *game = holos_game_at(i);
        holos_variant *v = open_or_fail(holos_game_name(game));
        holos_position *p = holos_position_new(v);
        size_t count = 0;
        for (const char *example; (example = holos_game_example(game, count)) != NULL; count++)
            assert_int_equal(holos_parse(v, example, p, NULL), HOLOS_OK);
        assert_true(count >= 3);
        assert_null(holos_game_example(game, count + 1));
        assert_null(holos_game_example(game, SIZE_MAX));
        holos_position_free(p);
        holos_close(v);
    }
}

/* ---- Variants ---------------------------------------------------------------------------------- */

static void test_the_default_variant_has_a_full_name(void **state)
{
    (void)state;
    holos_variant *v = open_or_fail("connect4");
    assert_string_equal(holos_variant_name(v), "connect4:7x6");
    assert_ptr_equal(holos_variant_game(v), holos_game_find("connect4", 8));
    holos_close(v);
    holos_close(NULL);
}

static void test_unknown_games_are_refused_with_the_list(void **state)
{
    (void)state;
    holos_variant *v;
    holos_error err;
    assert_int_equal(holos_open("conect4:7x6", &v, &err), HOLOS_USAGE);
    assert_null(v);
    assert_int_equal(err.code, HOLOS_USAGE);
    assert_non_null(strstr(err.message, "unknown game \"conect4\"; the games are chess, connect4, kalah"));
    assert_int_equal(holos_open("", &v, NULL), HOLOS_USAGE);
}

static void test_variant_errors_point_into_the_whole_name(void **state)
{
    (void)state;
    holos_variant *v;
    holos_error err;
    assert_int_equal(holos_open("connect4:7y6", &v, &err), HOLOS_BAD_VARIANT);
    assert_int_equal(err.at, 10);
    assert_int_equal(holos_open("connect4:", &v, &err), HOLOS_BAD_VARIANT);
    assert_int_equal(err.at, 9);
}

static void test_outcomes_have_names(void **state)
{
    (void)state;
    holos_variant *v = open_or_fail("connect4");
    assert_string_equal(holos_outcome(v, 18), "win");
    assert_string_equal(holos_outcome(v, 0), "draw");
    assert_string_equal(holos_outcome(v, -1), "loss");
    holos_close(v);
    v = open_or_fail("sudoku");
    assert_string_equal(holos_outcome(v, 1), "solvable");
    assert_string_equal(holos_outcome(v, 0), "unsolvable");
    holos_close(v);
}

static void test_sources_have_names_and_only_some_are_proofs(void **state)
{
    (void)state;
    assert_string_equal(holos_source_name(HOLOS_SOURCE_RULES), "rules");
    assert_string_equal(holos_source_name(HOLOS_SOURCE_NETWORK), "network");
    assert_string_equal(holos_source_name((holos_source)99), "unknown");
    for (int source = HOLOS_SOURCE_RULES; source <= HOLOS_SOURCE_LOGIC; source++)
        assert_true(holos_source_is_proof((holos_source)source));
    assert_false(holos_source_is_proof(HOLOS_SOURCE_NONE));
    assert_false(holos_source_is_proof(HOLOS_SOURCE_CONJECTURE));
    assert_false(holos_source_is_proof(HOLOS_SOURCE_NETWORK));
}

/* ---- Positions and moves ----------------------------------------------------------------------- */

static void test_a_new_position_is_the_start(void **state)
{
    (void)state;
    holos_variant *v = open_or_fail("kalah:3,2");
    holos_position *p = holos_position_new(v), *start = holos_position_new(v);
    assert_int_equal(holos_start(v, start, NULL), HOLOS_OK);
    assert_memory_equal(p, start, holos_position_size(v));
    assert_int_equal(holos_parse(v, "start", p, NULL), HOLOS_OK);
    assert_memory_equal(p, start, holos_position_size(v));
    holos_position_free(p);
    holos_position_free(start);
    holos_close(v);
}

static void test_a_refused_text_leaves_the_position_alone(void **state)
{
    (void)state;
    const char *names[] = {"connect4", "kalah", "sudoku", "nim"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        holos_variant *v = open_or_fail(names[i]);
        holos_position *p = holos_position_new(v), *before = holos_position_new(v);
        holos_error err;
        assert_int_equal(holos_parse(v, "1,?", p, &err), HOLOS_BAD_POSITION);
        assert_memory_equal(p, before, holos_position_size(v));
        holos_position_free(p);
        holos_position_free(before);
        holos_close(v);
    }
}

static void test_a_game_can_be_played_to_its_end(void **state)
{
    (void)state;
    holos_variant *v = open_or_fail("connect4");
    holos_position *p = holos_position_new(v);
    holos_value value;
    const char *columns = "1212121";
    for (unsigned ply = 0; columns[ply] != 0; ply++) {
        const char text[] = {columns[ply], 0};
        holos_move move;
        assert_int_equal(holos_side_to_move(v, p), ply % 2);
        assert_false(holos_terminal(v, p, &value));
        assert_int_equal(holos_parse_move(v, p, text, &move, NULL), HOLOS_OK);
        assert_int_equal(holos_play(v, p, move, p, NULL), HOLOS_OK);
    }
    assert_true(holos_terminal(v, p, &value));
    assert_int_equal(value.lo, -18);
    assert_int_equal(holos_moves(v, p, NULL, 0), 0);
    holos_position_free(p);
    holos_close(v);
}

static void test_terminal_scores_include_what_is_banked(void **state)
{
    (void)state;
    holos_variant *v = open_or_fail("kalah:2,2");
    holos_position *p = holos_position_new(v);
    holos_value value;
    assert_int_equal(holos_parse(v, "0,0,3/1,2,2 1", p, NULL), HOLOS_OK);
    assert_true(holos_terminal(v, p, &value));
    assert_int_equal(value.lo, -2);
    holos_position_free(p);
    holos_close(v);
}

static void test_moves_are_counted_beyond_the_capacity(void **state)
{
    (void)state;
    holos_variant *v = open_or_fail("connect4");
    holos_position *p = holos_position_new(v);
    holos_move moves[3] = {99, 99, 99};
    assert_int_equal(holos_moves(v, p, moves, 2), 7);
    assert_int_equal(moves[0], 0);
    assert_int_equal(moves[1], 1);
    assert_int_equal(moves[2], 99);
    holos_position_free(p);
    holos_close(v);
}

static void test_illegal_moves_change_nothing(void **state)
{
    (void)state;
    holos_variant *v = open_or_fail("connect4");
    holos_position *p = holos_position_new(v), *before = holos_position_new(v);
    holos_error err;
    char buffer[8];
    assert_int_equal(holos_play(v, p, 7, p, &err), HOLOS_BAD_MOVE);
    assert_true(strlen(err.message) > 0);
    assert_memory_equal(p, before, holos_position_size(v));
    assert_int_equal(holos_format_move(v, p, 7, buffer, sizeof buffer), 1);
    assert_string_equal(buffer, "?");
    holos_position_free(p);
    holos_position_free(before);
    holos_close(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games_can_be_listed_and_found),
        cmocka_unit_test(test_games_describe_themselves),
        cmocka_unit_test(test_examples_are_positions_of_the_default_variant),
        cmocka_unit_test(test_the_default_variant_has_a_full_name),
        cmocka_unit_test(test_unknown_games_are_refused_with_the_list),
        cmocka_unit_test(test_variant_errors_point_into_the_whole_name),
        cmocka_unit_test(test_outcomes_have_names),
        cmocka_unit_test(test_sources_have_names_and_only_some_are_proofs),
        cmocka_unit_test(test_a_new_position_is_the_start),
        cmocka_unit_test(test_a_refused_text_leaves_the_position_alone),
        cmocka_unit_test(test_a_game_can_be_played_to_its_end),
        cmocka_unit_test(test_terminal_scores_include_what_is_banked),
        cmocka_unit_test(test_moves_are_counted_beyond_the_capacity),
        cmocka_unit_test(test_illegal_moves_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
