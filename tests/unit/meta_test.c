/* SPDX-License-Identifier: MIT */

/* Searches as games: what seeds cover, tactics, sets of seeds, and the choice of modes. */

#include "game_fixture.h"
#include "meta/selector.h"
#include "meta/strategy.h"
#include "meta/tactics.h"

#include <math.h>
#include <stdlib.h>

typedef struct place {
    holos_variant *v;
    holos_position *p;
} place;

static place place_open(const char *game, const char *position)
{
    place a;
    holos_error err;
    assert_int_equal(holos_open(game, &a.v, &err), HOLOS_OK);
    a.p = holos_position_new(a.v);
    assert_int_equal(holos_parse(a.v, position, a.p, &err), HOLOS_OK);
    return a;
}

static void place_close(place *a)
{
    holos_position_free(a->p);
    holos_close(a->v);
}

/* ---- Covers ------------------------------------------------------------------------------------ */

static void test_a_cover_counts_what_is_reached_and_what_reaches_it(void **state)
{
    (void)state;
    place a = place_open("nim:2,2", "1,1 1");
    holos_tactic t = {.depth = 1, .mode = HOLOS_WAVE_WAVE, .direction = HOLOS_TACTIC_BOTH};
    assert_int_equal(holos_tactic_measure(a.v, a.p, NULL, &t, NULL), HOLOS_OK);
    assert_int_equal(t.measure.forward, 1);  /* 0,1 */
    assert_int_equal(t.measure.backward, 1); /* 1,2 */
    assert_int_equal(t.measure.cost, 2);
    t.depth = 3;
    assert_int_equal(holos_tactic_measure(a.v, a.p, NULL, &t, NULL), HOLOS_OK);
    assert_int_equal(t.measure.forward, 2);  /* 0,1  0,0 */
    assert_int_equal(t.measure.backward, 2); /* 1,2  2,2 */
    place_close(&a);
}

static void test_a_tactic_out_of_range_is_refused(void **state)
{
    (void)state;
    place a = place_open("nim", "start");
    holos_tactic t = {.depth = 7, .mode = HOLOS_WAVE_WAVE};
    assert_int_equal(holos_tactic_measure(a.v, a.p, NULL, &t, NULL), HOLOS_USAGE);
    t = (holos_tactic){.depth = 2, .mode = HOLOS_WAVE_AUTO};
    assert_int_equal(holos_tactic_measure(a.v, a.p, NULL, &t, NULL), HOLOS_USAGE);
    place_close(&a);
}

/* ---- Tactics ----------------------------------------------------------------------------------- */

static void test_the_wave_finds_the_best_of_all_tactics(void **state)
{
    static const char *const games[][2] = {
        {"nim:3,4,5", "3,4,5 1"}, {"connect4:4x4", "12"}, {"kalah:3,2", "start"}};
    (void)state;
    for (size_t g = 0; g < 3; g++) {
        place a = place_open(games[g][0], games[g][1]);
        holos_tactic best;
        unsigned measured;
        double most = 0;
        assert_int_equal(holos_seed_optimize(a.v, a.p, NULL, &best, &measured, NULL), HOLOS_OK);
        assert_int_equal(measured, 72);
        for (unsigned i = 0; i < 72; i++) {
            holos_tactic t = {.depth = 1 + i / 12,
                              .mode = (holos_wave_mode)(HOLOS_WAVE_LIGHTNING + i / 3 % 4),
                              .direction = (holos_tactic_direction)(i % 3)};
            assert_int_equal(holos_tactic_measure(a.v, a.p, NULL, &t, NULL), HOLOS_OK);
            most = fmax(most, holos_measure_efficiency(&t.measure));
        }
        assert_true(fabs(most - holos_measure_efficiency(&best.measure)) < 1.0 / TACTICS_SCALE);
        place_close(&a);
    }
}

/* ---- Sets of seeds ----------------------------------------------------------------------------- */

/* A pool of covers that are lists of numbers. */
static void pool_fill(strategy_pool *p, const char *const *covers)
{
    strategy_pool_init(p);
    for (; covers[p->count] != NULL; p->count++) {
        cover *c = &p->covers[p->count];
        c->count = strlen(covers[p->count]);
        c->keys = calloc(c->count + 1, sizeof *c->keys);
        for (size_t i = 0; i < c->count; i++)
            c->keys[i].lo = (uint64_t)covers[p->count][i];
        c->measure.cost = c->count;
    }
    assert_int_equal(strategy_pool_count(p, NULL, 0, NULL), HOLOS_OK);
}

static uint64_t best_by_trying(const strategy_pool *p, size_t most)
{
    uint64_t best = 0;
    for (uint64_t set = 0; set < UINT64_C(1) << p->count; set++)
        if ((size_t)__builtin_popcountll(set) <= most && strategy_covered(p, set) > best)
            best = strategy_covered(p, set);
    return best;
}

static void test_the_wave_finds_the_best_set_and_bounds_hold(void **state)
{
    /* The greedy choice takes the first, and then needs two more for what two alone cover. */
    static const char *const covers[] = {"abcdefg", "abcdhijk", "efglmno", "ahl", "ko", NULL};
    strategy_pool p;
    holos_strategy_step steps[8];
    (void)state;
    pool_fill(&p, covers);
    assert_int_equal(p.universe, 15);
    for (size_t most = 1; most <= 3; most++) {
        uint64_t least = 0, best = 0, true_best = best_by_trying(&p, most);
        size_t count = strategy_greedy(&p, most, 0, false, steps);
        assert_int_equal(count, most);
        assert_true(steps[count - 1].bound >= true_best);
        assert_true((double)steps[count - 1].covered >= (1 - exp(-1)) * (double)true_best);
        assert_int_equal(
            strategy_optimum(&p, most, 0, 100000, steps[count - 1].bound, NULL, &least, &best, NULL),
            HOLOS_OK);
        assert_int_equal(least, true_best);
        assert_int_equal(best, true_best);
    }
    strategy_pool_free(&p);
}

static void test_a_budget_is_kept_to(void **state)
{
    static const char *const covers[] = {"abcdef", "gh", "ij", NULL};
    strategy_pool p;
    holos_strategy_step steps[8];
    uint64_t least = 0, best = 0;
    (void)state;
    pool_fill(&p, covers);
    assert_int_equal(strategy_greedy(&p, 3, 5, true, steps), 2);
    assert_int_equal(steps[1].covered, 4);
    assert_int_equal(strategy_optimum(&p, 3, 5, 1000, 10, NULL, &least, &best, NULL), HOLOS_OK);
    assert_int_equal(best, 4);
    strategy_pool_free(&p);
}

/* ---- Modes ------------------------------------------------------------------------------------- */

static void test_the_selector_prefers_what_has_paid(void **state)
{
    static const holos_wave_mode allowed[] = {HOLOS_WAVE_WAVE, HOLOS_WAVE_OSMOSIS};
    wave_history h = {0};
    (void)state;
    selector s = selector_of(&h);
    assert_int_equal(selector_choose(&s, 1, allowed, 2), HOLOS_WAVE_WAVE);
    assert_true(wave_history_add_outcome(
        &h,
        (hologram_outcome){.features = 1, .mode = HOLOS_WAVE_WAVE, .tries = 20, .gain = 10, .cost = 1000}));
    s = selector_of(&h);
    assert_int_equal(selector_choose(&s, 1, allowed, 2), HOLOS_WAVE_OSMOSIS); /* never tried */
    assert_true(wave_history_add_outcome(
        &h, (hologram_outcome){
                .features = 1, .mode = HOLOS_WAVE_OSMOSIS, .tries = 20, .gain = 900, .cost = 1000}));
    assert_true(wave_history_add_outcome(
        &h, (hologram_outcome){
                .features = 2, .mode = HOLOS_WAVE_OSMOSIS, .tries = 20, .gain = 0, .cost = 100000}));
    s = selector_of(&h);
    assert_int_equal(selector_choose(&s, 1, allowed, 2), HOLOS_WAVE_OSMOSIS);
    assert_int_equal(selector_choose(&s, 2, allowed, 2), HOLOS_WAVE_WAVE);
    wave_history_clear(&h);
}

/* ---- Seeds as lines ---------------------------------------------------------------------------- */

static void test_seeds_are_read_as_they_are_written(void **state)
{
    (void)state;
    const holos_game *game;
    for (size_t g = 0; (game = holos_game_at(g)) != NULL; g++)
        for (size_t i = 0; holos_game_example(game, i) != NULL; i++) {
            place a = place_open(holos_game_name(game), holos_game_example(game, i));
            holos_wave_seed seed = {.position = a.p,
                                    .depth = 3,
                                    .mode = HOLOS_WAVE_OSMOSIS,
                                    .direction = HOLOS_WAVE_BACKWARD},
                            back;
            char line[4096], again[4096];
            holos_position *p = holos_position_new(a.v);
            assert_true(holos_seed_format(a.v, &seed, line, sizeof line) < sizeof line);
            assert_int_equal(holos_seed_parse(a.v, line, p, &back, NULL), HOLOS_OK);
            assert_int_equal(back.depth, 3);
            assert_int_equal(back.mode, HOLOS_WAVE_OSMOSIS);
            assert_int_equal(back.direction, HOLOS_WAVE_BACKWARD);
            holos_seed_format(a.v, &back, again, sizeof again);
            assert_string_equal(line, again);
            holos_position_free(p);
            place_close(&a);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_cover_counts_what_is_reached_and_what_reaches_it),
        cmocka_unit_test(test_a_tactic_out_of_range_is_refused),
        cmocka_unit_test(test_the_wave_finds_the_best_of_all_tactics),
        cmocka_unit_test(test_the_wave_finds_the_best_set_and_bounds_hold),
        cmocka_unit_test(test_a_budget_is_kept_to),
        cmocka_unit_test(test_the_selector_prefers_what_has_paid),
        cmocka_unit_test(test_seeds_are_read_as_they_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
