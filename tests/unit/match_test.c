/* SPDX-License-Identifier: MIT */

/* Matches: from scores to ratings, contestants, and what is refused. */

#include "unit.h"

#include <math.h>

/* Pairs of games, counted as games. */
static holos_score score_of(uint64_t lost, uint64_t even, uint64_t won)
{
    return (holos_score){.wins = 2 * won + even, .losses = 2 * lost + even, .pairs = {lost, 0, even, 0, won}};
}

static bool near(double a, double b)
{
    return fabs(a - b) < 0.5;
}

static void test_equal_scores_are_no_difference(void **state)
{
    (void)state;
    holos_score score = score_of(25, 50, 25);
    holos_elo elo = holos_score_elo(&score);
    assert_true(near(elo.elo, 0));
    assert_true(near(elo.low, -elo.high));
    assert_true(fabs(elo.superiority - 0.5) < 1e-9);
    assert_true(fabs(holos_score_likelihood(&score, -10, 10)) < 1e-9);
}

static void test_three_quarters_are_191_elo(void **state)
{
    (void)state;
    holos_score score = score_of(0, 50, 50);
    holos_elo elo = holos_score_elo(&score);
    assert_true(near(elo.elo, 190.85));
    assert_true(elo.low > 140 && elo.low < elo.elo && elo.high > elo.elo && elo.high < 260);
    assert_true(elo.superiority > 0.999);
}

/* Games of a pair that always share the points say more than the same number of games would alone. */
static void test_pairs_make_the_error_smaller(void **state)
{
    (void)state;
    holos_score shared = score_of(1, 98, 1), wild = score_of(50, 0, 50);
    holos_elo a = holos_score_elo(&shared), b = holos_score_elo(&wild);
    assert_true(a.high - a.low < (b.high - b.low) / 3);
}

static void test_a_sweep_has_a_finite_rating(void **state)
{
    (void)state;
    holos_score all = score_of(0, 0, 10), none = score_of(10, 0, 0), nothing = {0};
    holos_elo won = holos_score_elo(&all), lost = holos_score_elo(&none);
    assert_true(won.elo > 400 && won.high < 2000 && won.low > 0);
    assert_true(near(won.elo, -lost.elo) && near(won.low, -lost.high));
    assert_true(holos_score_elo(&nothing).elo == 0 && holos_score_likelihood(&nothing, 0, 10) == 0);
}

static void test_the_sequential_test_decides(void **state)
{
    (void)state;
    holos_score strong = score_of(20, 100, 60), weak = score_of(60, 100, 20);
    assert_true(holos_score_likelihood(&strong, 0, 30) > HOLOS_SPRT_BOUND);
    assert_true(holos_score_likelihood(&weak, 0, 30) < -HOLOS_SPRT_BOUND);
}

/* ---- Contestants ------------------------------------------------------------------------------- */

static void refused(const char *game, const char *name, const char *words)
{
    holos_error err;
    holos_variant *v;
    holos_contestant *c;
    assert_ok(holos_open(game, &v, &err), err);
    holos_status status = holos_contestant_open(v, name, NULL, &c, &err);
    if (status == HOLOS_OK || strstr(err.message, words) == NULL)
        fail_msg("%s: %s", name, status == HOLOS_OK ? "taken" : err.message);
    assert_null(c);
    holos_close(v);
}

static void test_wrong_players_are_refused(void **state)
{
    (void)state;
    refused("nim", "nobody", "unknown player \"nobody\"");
    refused("nim", "random:depth=3", "takes no options");
    refused("nim", "alphabeta:depht=3", "--depht: nim:3,4,5 solved by alphabeta takes no such option");
    refused("nim", "alphabeta:depth", "\"depth\" is no option");
    refused("nim", "alphabeta:depth=0", "depth");
    refused("nim", "alphabeta:depth=3,nodes=5", "leave one of them out");
    refused("nim", "gtp:", "which program?");
    refused("nim", "gtp:/there/is/none", "there is no such program");
    refused("nim", "gtp:echo hello", "does not speak the Go Text Protocol");
    refused("nim", "gtp:true", "has ended");
    refused("sudoku", "random", "is not a game for two");
}

/* Whoever looks far enough ahead wins a won game against chance. */
static void test_contestants_play(void **state)
{
    (void)state;
    holos_error err;
    holos_variant *v;
    holos_contestant *players[2];
    holos_value over;
    assert_ok(holos_open("connect4:4x4", &v, &err), err);
    holos_position *p = holos_position_new(v);
    assert_ok(holos_contestant_open(v, "alphabeta:depth=4", NULL, &players[0], &err), err);
    assert_ok(holos_contestant_open(v, "random", NULL, &players[1], &err), err);
    for (int i = 0; i < 2; i++)
        assert_ok(holos_contestant_begin(players[i], 7, &err), err);
    while (!holos_terminal(v, p, &over)) {
        holos_move move;
        assert_ok(holos_contestant_choose(players[holos_side_to_move(v, p)], &move, &err), err);
        assert_ok(holos_play(v, p, move, p, &err), err);
        for (int i = 0; i < 2; i++)
            assert_ok(holos_contestant_play(players[i], move, &err), err);
    }
    holos_move move;
    assert_int_equal(holos_contestant_choose(players[0], &move, &err), HOLOS_USAGE);
    for (int i = 0; i < 2; i++)
        holos_contestant_close(players[i]);
    holos_position_free(p);
    holos_close(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_scores_are_no_difference),
        cmocka_unit_test(test_three_quarters_are_191_elo),
        cmocka_unit_test(test_pairs_make_the_error_smaller),
        cmocka_unit_test(test_a_sweep_has_a_finite_rating),
        cmocka_unit_test(test_the_sequential_test_decides),
        cmocka_unit_test(test_wrong_players_are_refused),
        cmocka_unit_test(test_contestants_play),
    };
    UNIT_MAIN(tests);
}
