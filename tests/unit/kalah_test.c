/* SPDX-License-Identifier: MIT */

/* The rules, options and notation of kalah, and the columns that its kernel reads. */

#include "game_fixture.h"

#include "core/rng.h"
#include "games/kalah/columns.h"

/* ---- Sowing ------------------------------------------------------------------------------------ */

static void test_seeds_go_one_to_each_pit(void **state)
{
    (void)state;
    holos_edge edge = assert_plays("kalah", "start", "1", "0,5,5,5,5,4,0/4,4,4,4,4,4,0 2");
    assert_int_equal(edge.gain, 0);
    assert_int_equal(edge.flags, 0);
}

static void test_sowing_goes_through_the_own_store_to_the_other_side(void **state)
{
    (void)state;
    holos_edge edge = assert_plays("kalah", "start", "6", "4,4,4,4,4,0,1/5,5,5,4,4,4,0 2");
    assert_int_equal(edge.gain, 1);
    assert_plays("kalah", "4,4,4,4,4,0,1/5,5,5,4,4,4,0 2", "5", "5,5,4,4,4,0,1/5,5,5,4,0,5,1 1");
}

static void test_sowing_passes_over_the_other_store(void **state)
{
    (void)state;
    assert_plays("kalah:3,2", "1,0,5,0/1,1,1,7 1", "3", "2,0,0,1/2,2,2,7 2");
}

static void test_last_seed_in_the_own_store_moves_again(void **state)
{
    (void)state;
    holos_edge edge = assert_plays("kalah", "start", "3", "4,4,0,5,5,5,1/4,4,4,4,4,4,0 1");
    assert_int_equal(edge.flags, HOLOS_EDGE_SAME_SIDE | HOLOS_EDGE_FORCING);
    assert_int_equal(edge.gain, 1);
}

static void test_a_long_sowing_comes_back_to_its_own_pit(void **state)
{
    (void)state;
    /* With 2 pits a side a lap is 5 seeds. 11 are two laps and one: two into every place, the pit they
     * came from included, and one more into the next. */
    holos_edge edge = assert_plays("kalah:2,3", "11,0,0/0,1,0 1", "1", "2,3,2/2,3,0 2");
    assert_int_equal(edge.gain, 2);
}

/* ---- Captures ---------------------------------------------------------------------------------- */

static void test_last_seed_in_an_own_empty_pit_captures(void **state)
{
    (void)state;
    holos_edge edge = assert_plays("kalah:3,2", "1,0,2,0/2,3,2,0 1", "1", "0,0,2,4/2,0,2,0 2");
    assert_int_equal(edge.gain, 4); /* its own seed and the three opposite */
    assert_int_equal(edge.flags, HOLOS_EDGE_FORCING);
}

static void test_capture_needs_seeds_opposite(void **state)
{
    (void)state;
    holos_edge edge = assert_plays("kalah:3,2", "1,0,2,0/2,0,2,0 1", "1", "0,1,2,0/2,0,2,0 2");
    assert_int_equal(edge.gain, 0);
}

static void test_capture_needs_an_own_pit(void **state)
{
    (void)state;
    assert_plays("kalah:3,2", "0,0,2,0/0,3,2,0 1", "3", "0,0,0,1/1,3,2,0 2");
}

static void test_capture_needs_an_empty_pit(void **state)
{
    (void)state;
    assert_plays("kalah:3,2", "1,1,2,0/2,3,2,0 1", "1", "0,2,2,0/2,3,2,0 2");
}

static void test_a_whole_lap_captures_where_it_began(void **state)
{
    (void)state;
    /* 13 seeds with 6 pits a side: the last one falls into the pit they came from, empty by then. The pit
     * opposite has had one, too. */
    holos_edge edge =
        assert_plays("kalah", "0,0,13,0,0,1,10/1,1,0,0,2,1,19 1", "3", "1,1,0,1,1,2,13/2,2,1,0,3,2,19 2");
    assert_int_equal(edge.gain, 3);
    edge = assert_plays("kalah:2,3", "5,0,0/0,1,0 1", "1", "0,1,4/1,0,0 2");
    assert_int_equal(edge.gain, 4); /* the seed on the way, the last one, and two opposite */
}

/* ---- The end ----------------------------------------------------------------------------------- */

static void test_the_game_ends_when_either_side_is_empty(void **state)
{
    (void)state;
    assert_over("kalah:2,2", "0,0,3/1,2,2 1", 3 - 5);
    assert_over("kalah:2,2", "0,0,3/1,2,2 2", 5 - 3);
    assert_over("kalah:2,2", "1,0,3/0,0,4 2", 4 - 4);
    assert_goes_on("kalah:2,2", "1,0,3/0,1,3 1");
}

static void test_what_is_left_is_not_banked_before_the_end(void **state)
{
    (void)state;
    fixture f = fixture_open("kalah:2,2", "0,0,3/1,2,2 1");
    int32_t left;
    assert_int_equal(f.v->game->banked(f.v, f.p), 1);
    assert_true(f.v->game->terminal(f.v, f.p, &left));
    assert_int_equal(left, -3);
    fixture_close(&f);
}

static void test_an_extra_turn_without_seeds_ends_the_game(void **state)
{
    (void)state;
    holos_edge edge = assert_plays("kalah:2,2", "0,1,3/2,0,2 1", "2", "0,0,4/2,0,2 1");
    assert_int_equal(edge.flags & HOLOS_EDGE_SAME_SIDE, HOLOS_EDGE_SAME_SIDE);
    assert_over("kalah:2,2", "0,0,4/2,0,2 1", 0);
}

/* ---- Options ----------------------------------------------------------------------------------- */

static void test_empty_capture_banks_the_last_seed_alone(void **state)
{
    (void)state;
    holos_edge edge = assert_plays("kalah:3,2,empty-capture", "1,0,2,0/2,0,2,0 1", "1", "0,0,2,1/2,0,2,0 2");
    assert_int_equal(edge.gain, 1);
}

static void test_majority_stop_ends_the_game_early(void **state)
{
    (void)state;
    /* 7 of 13 seeds: more than half. What is left stays with its owners. */
    assert_over("kalah:2,3,majority-stop", "1,1,7/2,1,1 1", 7 + 2 - 1 - 3);
    assert_over("kalah:2,3,majority-stop", "1,1,7/2,1,1 2", 1 + 3 - 7 - 2);
    assert_goes_on("kalah:2,3,majority-stop", "1,1,6/2,1,1 1"); /* 6 of 12: half */
    assert_goes_on("kalah:2,3", "1,1,7/2,1,1 1");
}

static void test_majority_stop_tells_positions_with_other_stores_apart(void **state)
{
    (void)state;
    assert_false(keys_equal("kalah:2,3,majority-stop", "1,1,5/2,1,1 1", "1,1,1/2,1,5 1"));
    assert_true(keys_equal("kalah:2,3,majority-stop", "1,1,5/2,1,1 1", "1,1,6/2,1,2 1"));
}

static void test_mover_end_goes_on_while_the_mover_has_seeds(void **state)
{
    (void)state;
    assert_goes_on("kalah:2,2,mover-end", "1,0,3/0,0,4 1");
    assert_over("kalah:2,2,mover-end", "1,0,3/0,0,4 2", 0);
}

static void test_options_come_in_any_order(void **state)
{
    (void)state;
    fixture f = fixture_open("kalah:3,2,mover-end,empty-capture,majority-stop", NULL);
    assert_string_equal(f.v->name, "kalah:3,2,empty-capture,majority-stop,mover-end");
    fixture_close(&f);
}

static void test_wrong_variants_are_refused(void **state)
{
    (void)state;
    const char *how = "a variant begins with pits a side and seeds a pit, such as kalah:6,4";
    assert_variant_refused("kalah:6", 6, how);
    assert_variant_refused("kalah:,4", 6, how);
    assert_variant_refused("kalah:6,", 6, how);
    assert_variant_refused("kalah:0,4", 6, "0 pits a side: there can be 1 to 8");
    assert_variant_refused("kalah:9,4", 6, "9 pits a side: there can be 1 to 8");
    assert_variant_refused("kalah:6,11", 6, "11 seeds a pit: with 6 pits a side there can be 1 to 10");
    assert_variant_refused("kalah:6,0", 6, "0 seeds a pit: with 6 pits a side there can be 1 to 10");
    assert_variant_refused("kalah:6,4 ", 9, "expected a comma and an option, or the end");
    assert_variant_refused("kalah:6,4,mover-end,mover-end", 20, "mover-end is given twice");
    assert_variant_refused("kalah:6,4,pie", 10,
                           "'pie' is not an option; there are empty-capture, majority-stop and mover-end");
}

/* ---- Values ------------------------------------------------------------------------------------ */

static void test_stores_do_not_change_the_key(void **state)
{
    (void)state;
    assert_true(keys_equal("kalah:2,2", "1,0,3/0,1,3 1", "1,0,0/0,1,9 1"));
    assert_true(
        keys_equal("kalah:2,2", "1,0,3/0,2,3 1", "0,2,3/1,0,3 2")); /* the same, seen from the mover */
    assert_false(keys_equal("kalah:2,2", "1,0,3/0,2,3 1", "1,0,3/0,2,3 2"));
}

static void test_bounds_have_the_parity_of_the_seeds_in_play(void **state)
{
    (void)state;
    assert_bounds("kalah:2,2", "1,0,3/0,2,3 1", -3, 3);
    assert_bounds("kalah:2,2", "0,0,3/1,2,3 1", -3, -3);
    fixture f = fixture_open("kalah:2,2", "1,0,3/0,2,3 1");
    int32_t lo = -2, hi = 2; /* known from elsewhere: then the value is -1 or 1 */
    f.v->game->search->bounds(f.v, f.p, &lo, &hi);
    assert_int_equal(lo, -1);
    assert_int_equal(hi, 1);
    fixture_close(&f);
}

/* ---- The way back ------------------------------------------------------------------------------ */

static void test_back_from_a_plain_sowing(void **state)
{
    (void)state;
    assert_true(is_predecessor("kalah", "start", "0,5,5,5,5,4,0/4,4,4,4,4,4,0 2", "1"));
    assert_int_equal(count_predecessors("kalah", "start"), 0);
}

static void test_back_from_an_extra_turn(void **state)
{
    (void)state;
    assert_true(is_predecessor("kalah", "start", "4,4,0,5,5,5,1/4,4,4,4,4,4,0 1", "3"));
}

static void test_back_from_a_capture(void **state)
{
    (void)state;
    assert_true(is_predecessor("kalah:3,2", "1,0,2,0/2,3,2,0 1", "0,0,2,4/2,0,2,0 2", "1"));
    /* Around the board, and then a capture. */
    assert_true(is_predecessor("kalah:3,2", "0,0,5,0/1,3,2,0 1", "0,0,0,5/2,4,0,0 2", "3"));
}

static void test_back_from_laps(void **state)
{
    (void)state;
    assert_true(is_predecessor("kalah:2,3", "11,0,0/0,1,0 1", "2,3,2/2,3,0 2", "1"));
    assert_true(is_predecessor("kalah:2,3", "5,0,0/0,1,0 1", "0,1,4/1,0,0 2", "1"));
    assert_true(is_predecessor("kalah:2,3", "10,0,0/0,1,0 1", "2,2,2/2,3,0 2", "1"));
}

/* ---- Notation ---------------------------------------------------------------------------------- */

static void test_positions_are_written_for_both_players(void **state)
{
    (void)state;
    assert_format("kalah", "start", "4,4,4,4,4,4,0/4,4,4,4,4,4,0 1");
    assert_format("kalah:2,2", "1,2,3/4,5,6 2", "1,2,3/4,5,6 2");
}

static void test_any_number_of_seeds_up_to_127(void **state)
{
    (void)state;
    assert_goes_on("kalah:2,2", "100,0,0/0,27,0 1");
    assert_position_refused("kalah:2,2", "100,0,0/0,28,0 1", 10, "more than 127 seeds on the board");
    assert_position_refused("kalah:2,2", "1000,0,0/0,28,0 1", 0, "more than 127 seeds on the board");
}

static void test_wrong_positions_are_refused(void **state)
{
    (void)state;
    assert_position_refused("kalah:2,2", "1,2/1,2,3 1", 3,
                            "expected a comma: a player has 2 pits and a store");
    assert_position_refused("kalah:2,2", "1,,3/1,2,3 1", 2, "expected a number of seeds");
    assert_position_refused("kalah:2,2", "1,2,3,4/1,2,3 1", 5,
                            "expected / after the 2 pits and the store of player 1");
    assert_position_refused("kalah:2,2", "1,2,3/1,2,3", 11,
                            "after both halves comes a space and who is to move, 1 or 2");
    assert_position_refused("kalah:2,2", "1,2,3/1,2,3 3", 11,
                            "after both halves comes a space and who is to move, 1 or 2");
}

static void test_wrong_moves_are_refused(void **state)
{
    (void)state;
    assert_move_refused("kalah", "start", "7", 0, "'7' is not a pit: a move is one of 1 to 6");
    assert_move_refused("kalah", "start", "0", 0, "'0' is not a pit: a move is one of 1 to 6");
    assert_move_refused("kalah", "start", "11", 0, "'11' is not a pit: a move is one of 1 to 6");
    assert_move_refused("kalah", "0,5,5,5,5,4,0/4,4,4,4,4,4,0 1", "1", 0, "pit 1 is empty");
    assert_move_refused("kalah:2,2", "0,0,3/1,2,2 2", "1", HOLOS_NOWHERE, "the game is over");
}

static void test_drawing(void **state)
{
    (void)state;
    assert_drawing("kalah:3,2", "0,1,2,3/4,5,6,7 2",
                   "pit        3   2   1\n"
                   "player 2   6   5   4\n"
                   "   [  7]              [  3]\n"
                   "player 1   0   1   2\n"
                   "pit        1   2   3\n"
                   "player 2 to move\n");
}

static void test_every_position_has_its_own_key(void **state)
{
    (void)state;
    /* One word of fields, of fields too small for so many seeds, and two words. */
    static const char *const cases[][2] = {{"kalah:3,2", "127,0,0,0/0,0,0,0 2"},
                                           {"kalah:4,3", "0,63,0,0,0/1,0,63,0,0 1"},
                                           {"kalah:4,3", "0,64,0,0,0/1,0,62,0,0 2"},
                                           {"kalah:4,3", "0,0,0,0,0/0,0,0,0,127 1"},
                                           {"kalah:4,3", "15,15,15,15,7/7,7,15,15,16 2"},
                                           {"kalah:4,3,majority-stop", "64,0,0,1,0/0,0,0,0,62 2"},
                                           {"kalah:5,1", "0,0,0,0,100,1/2,3,4,5,6,6 2"},
                                           {"kalah:8,1", "0,0,0,0,0,0,0,100,1/2,3,4,5,6,6,0,0,0 1"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f = fixture_open(cases[i][0], cases[i][1]);
        holos_position *back = holos_position_new(f.v);
        holos_key identity = f.v->game->identity(f.v, f.p), key = f.v->game->key(f.v, f.p);
        f.v->game->from_identity(f.v, identity, back);
        assert_memory_equal(f.p, back, f.v->position_size);
        f.v->game->from_key(f.v, key, back);
        assert_true(holos_key_equal(key, f.v->game->key(f.v, back)));
        if (f.v->key_bits > 0) {
            assert_true(identity.hi == 0 && identity.lo >> f.v->key_bits == 0);
            assert_true(key.hi == 0 && key.lo >> f.v->key_bits == 0);
        }
        holos_position_free(back);
        fixture_close(&f);
    }
}

/* ---- Columns ----------------------------------------------------------------------------------- */

/* A table of so many rows, `stride` bytes apart; the first `width` bytes of each are its columns, and the last row ends with them. */
typedef struct plain_table {
    uint8_t *bytes;
    size_t count, width, stride;
} plain_table;

static plain_table table_make(size_t count, size_t width, size_t stride, rng *random)
{
    size_t size = (count - 1) * stride + width;
    plain_table t = {malloc(size), count, width, stride};
    assert_non_null(t.bytes);
    for (size_t i = 0; i < size; i++)
        t.bytes[i] = (uint8_t)rng_next(random);
    return t;
}

static const uint8_t *table_column(columns *c, const plain_table *t, size_t at)
{
    const uint8_t *row = columns_row(c, t->bytes, t->stride, t->width, t->count, at);
    for (size_t i = 0; row != NULL && i < t->count; i++)
        assert_int_equal(row[i], t->bytes[i * t->stride + at]);
    return row;
}

static void test_a_column_is_a_row_when_it_is_asked_for_again(void **state)
{
    (void)state;
    rng random;
    rng_init(&random, 1, 0);
    void *memory = malloc(columns_size(100));
    columns *c = columns_begin(memory, 100);
    plain_table t = table_make(100, 40, 80, &random);
    assert_null(table_column(c, &t, 3));
    assert_non_null(table_column(c, &t, 3));
    assert_non_null(table_column(c, &t, 15)); /* of the same strip */
    assert_null(table_column(c, &t, 16));
    c = columns_begin(memory, 100);
    assert_null(table_column(c, &t, 3));
    plain_table narrow = table_make(100, 15, 30, &random);
    assert_null(table_column(c, &narrow, 3));
    assert_null(table_column(c, &narrow, 3));
    free(narrow.bytes);
    free(t.bytes);
    free(memory);
}

/* So many columns of so many tables that most of what was kept is gone when it is asked for again. */
static void test_columns_are_those_of_their_tables(void **state)
{
    (void)state;
    enum { TABLES = 12, LONGEST = 9000 };
    static const size_t counts[] = {1, 2, 15, 16, 17, 100, 1001, 8999, LONGEST};
    static const size_t widths[] = {1, 16, 17, 31, 32, 100, 126};
    rng random;
    rng_init(&random, 2, 0);
    plain_table tables[TABLES];
    void *memory = malloc(columns_size(LONGEST));
    columns *c = columns_begin(memory, LONGEST);
    unsigned turned = 0;
    for (unsigned i = 0; i < TABLES; i++) {
        size_t width = widths[rng_below(&random, sizeof widths / sizeof *widths)];
        size_t count = i < 3 ? LONGEST : counts[rng_below(&random, sizeof counts / sizeof *counts)];
        tables[i] = table_make(count, width, width * (1 + i % 2), &random);
    }
    for (unsigned i = 0; i < 4000; i++) {
        const plain_table *t = &tables[rng_below(&random, TABLES)];
        size_t at = rng_below(&random, t->width);
        for (unsigned again = 0; again < 2; again++)
            turned += table_column(c, t, at) != NULL;
    }
    assert_true(turned > 4000);
    for (unsigned i = 0; i < TABLES; i++)
        free(tables[i].bytes);
    free(memory);
}

static void test_rows_become_columns(void **state)
{
    (void)state;
    enum { SIZE = 75 };
    static const size_t firsts[] = {0, 1, 16, 59, 60, 74, SIZE};
    rng random;
    rng_init(&random, 3, 0);
    plain_table rows = table_make(COLUMNS_STRIP, SIZE, SIZE, &random);
    for (size_t count = 1; count <= COLUMNS_STRIP; count++) {
        for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
            plain_table t = table_make(SIZE, SIZE, SIZE, &random);
            uint8_t before[SIZE * SIZE];
            memcpy(before, t.bytes, sizeof before);
            size_t at = rng_below(&random, SIZE - count + 1);
            columns_write(t.bytes + at, SIZE, firsts[i], rows.bytes, count);
            for (size_t y = 0; y < SIZE; y++)
                for (size_t x = 0; x < SIZE; x++) {
                    bool written = y >= firsts[i] && x >= at && x < at + count;
                    assert_int_equal(t.bytes[y * SIZE + x],
                                     written ? rows.bytes[(x - at) * SIZE + y] : before[y * SIZE + x]);
                }
            free(t.bytes);
        }
    }
    free(rows.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seeds_go_one_to_each_pit),
        cmocka_unit_test(test_sowing_goes_through_the_own_store_to_the_other_side),
        cmocka_unit_test(test_sowing_passes_over_the_other_store),
        cmocka_unit_test(test_last_seed_in_the_own_store_moves_again),
        cmocka_unit_test(test_a_long_sowing_comes_back_to_its_own_pit),
        cmocka_unit_test(test_last_seed_in_an_own_empty_pit_captures),
        cmocka_unit_test(test_capture_needs_seeds_opposite),
        cmocka_unit_test(test_capture_needs_an_own_pit),
        cmocka_unit_test(test_capture_needs_an_empty_pit),
        cmocka_unit_test(test_a_whole_lap_captures_where_it_began),
        cmocka_unit_test(test_the_game_ends_when_either_side_is_empty),
        cmocka_unit_test(test_what_is_left_is_not_banked_before_the_end),
        cmocka_unit_test(test_an_extra_turn_without_seeds_ends_the_game),
        cmocka_unit_test(test_empty_capture_banks_the_last_seed_alone),
        cmocka_unit_test(test_majority_stop_ends_the_game_early),
        cmocka_unit_test(test_majority_stop_tells_positions_with_other_stores_apart),
        cmocka_unit_test(test_mover_end_goes_on_while_the_mover_has_seeds),
        cmocka_unit_test(test_options_come_in_any_order),
        cmocka_unit_test(test_wrong_variants_are_refused),
        cmocka_unit_test(test_stores_do_not_change_the_key),
        cmocka_unit_test(test_bounds_have_the_parity_of_the_seeds_in_play),
        cmocka_unit_test(test_back_from_a_plain_sowing),
        cmocka_unit_test(test_back_from_an_extra_turn),
        cmocka_unit_test(test_back_from_a_capture),
        cmocka_unit_test(test_back_from_laps),
        cmocka_unit_test(test_positions_are_written_for_both_players),
        cmocka_unit_test(test_any_number_of_seeds_up_to_127),
        cmocka_unit_test(test_wrong_positions_are_refused),
        cmocka_unit_test(test_wrong_moves_are_refused),
        cmocka_unit_test(test_drawing),
        cmocka_unit_test(test_every_position_has_its_own_key),
        cmocka_unit_test(test_a_column_is_a_row_when_it_is_asked_for_again),
        cmocka_unit_test(test_columns_are_those_of_their_tables),
        cmocka_unit_test(test_rows_become_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
