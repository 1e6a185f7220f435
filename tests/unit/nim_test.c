/* SPDX-License-Identifier: MIT */

/* The rules and notation of nim, the template: a test to copy along with it. */

#include "game_fixture.h"

static void test_a_move_takes_from_one_heap(void **state)
{
    (void)state;
    assert_plays("nim", "3,4,5 1", "2-3", "3,1,5 2");
    assert_plays("nim", "3,1,5 2", "3-5", "3,1,0 1");
}

static void test_who_finds_no_counters_has_lost(void **state)
{
    (void)state;
    assert_over("nim:2,2", "0,0 1", -1);
    assert_over("nim:2,2", "0,0 2", -1);
    assert_goes_on("nim:2,2", "0,1 1");
}

static void test_the_order_of_heaps_does_not_matter(void **state)
{
    (void)state;
    assert_true(keys_equal("nim", "3,4,5 1", "5,3,4 1"));
    assert_true(keys_equal("nim", "3,4,5 1", "3,4,5 2")); /* nor who is to move: a value is the mover's */
    assert_false(keys_equal("nim", "3,4,5 1", "3,4,4 1"));
}

static void test_any_heap_may_have_been_larger(void **state)
{
    (void)state;
    assert_true(is_predecessor("nim", "3,4,5 2", "3,1,5 1", "2-3"));
    assert_int_equal(count_predecessors("nim:2,2", "0,1 1"), 3); /* 1,1  2,1  0,2 */
}

static void test_wrong_variants_are_refused(void **state)
{
    (void)state;
    assert_variant_refused("nim:", 4, "nothing follows the colon: name a variant, or write nim alone");
    assert_variant_refused("nim:1,", 6, "expected a heap: heaps are written 3,4,5");
    assert_variant_refused("nim:1,16", 6, "a heap has at most 15 counters");
    assert_variant_refused("nim:1,2,3,4,5", 12, "there are at most 4 heaps");
    assert_variant_refused("nim:1;2", 5, "unexpected text after the heaps");
    assert_variant_refused("nim:0,0", 4, "all heaps are empty: at least one needs counters");
}

static void test_wrong_positions_are_refused(void **state)
{
    (void)state;
    const char *how = "after the heaps, expected a space and who is to move: 1 or 2";
    assert_position_refused("nim", "3,4 1", 3, "2 heaps, but nim:3,4,5 has 3");
    assert_position_refused("nim", "3,4,6 1", 0, "a heap of 6, but the largest of nim:3,4,5 is 5");
    assert_position_refused("nim", "3,4,5", 5, how);
    assert_position_refused("nim", "3,4,5 3", 5, how);
    assert_position_refused("nim", "3,4,5 1 ", 5, how);
}

static void test_wrong_moves_are_answered_with_the_legal_ones(void **state)
{
    (void)state;
    assert_move_refused("nim", "0,1,2 1", "1-1", 0, "'1-1' is not a legal move; legal moves: 2-1 3-1 3-2");
    assert_move_refused(
        "nim:15", "15 1", "x", 0,
        "'x' is not a legal move; legal moves: 1-1 1-2 1-3 1-4 1-5 1-6 1-7 1-8 1-9 1-10 1-11 1-12 …");
    assert_move_refused("nim", "0,0,0 1", "1-1", HOLOS_NOWHERE, "the game is over: there are no moves");
}

static void test_drawing(void **state)
{
    (void)state;
    assert_drawing("nim", "3,0,1 2",
                   "1: o o o\n"
                   "2:\n"
                   "3: o\n"
                   "player 2 to move\n");
    assert_drawing("nim:1", "0 1", "1:\nplayer 1 has lost\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_move_takes_from_one_heap),
        cmocka_unit_test(test_who_finds_no_counters_has_lost),
        cmocka_unit_test(test_the_order_of_heaps_does_not_matter),
        cmocka_unit_test(test_any_heap_may_have_been_larger),
        cmocka_unit_test(test_wrong_variants_are_refused),
        cmocka_unit_test(test_wrong_positions_are_refused),
        cmocka_unit_test(test_wrong_moves_are_answered_with_the_legal_ones),
        cmocka_unit_test(test_drawing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
