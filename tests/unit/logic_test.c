/* SPDX-License-Identifier: MIT */

/* The logic engine, over a toy: a number is taken down to 0. "odd" takes 1 from an odd number, "even" takes 2
 * from one above 6, and "leap", which relies on uniqueness, takes all of an even one. */

#include "unit.h"

#include "game/game.h"

typedef struct toy {
    uint32_t left, solutions, bare, unused;
} toy;

static const toy *toy_of(const void *p)
{
    return p;
}

static const holos_technique toy_techniques[] = {
    {"odd", "Odd", "Odd numbers lose 1.", 10, 100, HOLOS_LEVEL_EASY, false},
    {"even", "Even", "Large numbers lose 2.", 20, 300, HOLOS_LEVEL_MEDIUM, false},
    {"leap", "Leap", "There is one way: to 0.", 30, 700, HOLOS_LEVEL_HARD, true},
};

static size_t toy_state_size(const holos_variant *v)
{
    (void)v;
    return sizeof(toy);
}

static bool toy_begin(const holos_variant *v, const holos_position *p, void *state)
{
    (void)v;
    memcpy(state, p, sizeof(toy));
    return true;
}

static bool toy_find(const holos_variant *v, const void *state, size_t technique, struct limits *limits,
                     holos_step *step, text *words)
{
    (void)v;
    (void)limits;
    uint32_t left = toy_of(state)->left;
    uint32_t taken = technique == 0 ? left % 2 : technique == 1 ? (left > 6 ? 2 : 0) : left;
    if (taken == 0)
        return false;
    step->eliminations[step->elimination_count++] = (holos_candidate){.cell = 0, .value = (uint16_t)taken};
    step->rating += left > 100;
    if (words != NULL)
        text_printf(words, "take %u", taken);
    return true;
}

static void toy_apply(const holos_variant *v, void *state, const holos_step *step)
{
    (void)v;
    ((toy *)state)->left -= step->eliminations[0].value;
}

static bool toy_done(const holos_variant *v, const void *state)
{
    (void)v;
    return toy_of(state)->left == 0;
}

static void toy_bare(const holos_variant *v, const holos_position *p, holos_position *out)
{
    (void)v;
    toy bare = *toy_of(p);
    bare.solutions = bare.bare;
    memcpy(out, &bare, sizeof bare);
}

static void toy_count(const holos_variant *v, const holos_position *p, uint64_t most, struct limits *limits,
                      holos_position *first, holos_puzzle_answer *out)
{
    (void)v;
    (void)most;
    (void)first;
    *out = (holos_puzzle_answer){.solutions = toy_of(p)->solutions, .complete = limits_count(limits)};
}

static unsigned toy_level_score(const holos_variant *v, holos_level level)
{
    static const unsigned scores[] = {800, 1000, 1600, 1800};
    (void)v;
    return scores[level];
}

static const holos_deduction toy_deduction = {.techniques = toy_techniques,
                                              .technique_count = 3,
                                              .level_score = toy_level_score,
                                              .state_size = toy_state_size,
                                              .begin = toy_begin,
                                              .find = toy_find,
                                              .apply = toy_apply,
                                              .done = toy_done,
                                              .bare = toy_bare};
static const holos_puzzle toy_puzzle = {.count = toy_count};
static const holos_game toy_game = {.name = "toy", .puzzle = &toy_puzzle, .deduction = &toy_deduction};
static const holos_game mute_game = {.name = "mute"};
static const holos_variant toy_variant = {.game = &toy_game, .name = "toy", .position_size = sizeof(toy)};
static const holos_variant mute_variant = {.game = &mute_game, .name = "mute", .position_size = 16};

static holos_logic *toy_open(uint32_t left, uint32_t solutions, uint32_t bare)
{
    _Alignas(16) toy p = {.left = left, .solutions = solutions, .bare = bare};
    holos_logic *l;
    holos_error err;
    assert_ok(holos_logic_open(&toy_variant, (const holos_position *)&p, NULL, &l, &err), err);
    return l;
}

static void test_the_cheapest_technique_comes_first(void **state)
{
    (void)state;
    static const char *const names[] = {"odd", "even", "leap"};
    holos_logic *l = toy_open(9, 1, 1);
    holos_step step;
    for (int i = 0; i < 3; i++) {
        assert_true(holos_logic_find(l, &step));
        assert_string_equal(step.technique->name, names[i]);
        holos_logic_apply(l, &step);
    }
    assert_string_equal(step.explanation, "take 6");
    assert_true(holos_logic_is_done(l));
    assert_false(holos_logic_find(l, &step));
    holos_logic_close(l);
}

static void test_finding_changes_nothing(void **state)
{
    (void)state;
    holos_logic *l = toy_open(8, 1, 1);
    holos_step step;
    for (int i = 0; i < 3; i++) {
        assert_true(holos_logic_find(l, &step));
        assert_string_equal(step.explanation, "take 2");
    }
    holos_logic_close(l);
}

static void test_uniqueness_is_used_only_where_it_was_shown(void **state)
{
    (void)state;
    holos_step step;
    holos_logic *several = toy_open(6, 2, 2), *by_notes = toy_open(6, 1, 2), *one = toy_open(6, 1, 1);
    assert_false(holos_logic_find(several, &step));
    assert_false(holos_logic_find(by_notes, &step)); /* one solution only because of what was ruled out */
    assert_true(holos_logic_find(one, &step));
    holos_logic_close(several);
    holos_logic_close(by_notes);
    holos_logic_close(one);
}

static void test_a_puzzle_without_solution_has_no_steps(void **state)
{
    (void)state;
    holos_step step;
    holos_logic *l = toy_open(9, 0, 0);
    assert_int_equal(holos_logic_solutions(l), 0);
    assert_null(holos_logic_solution(l));
    assert_false(holos_logic_find(l, &step));
    holos_logic_close(l);
}

static holos_rating rate(uint32_t left, uint32_t solutions)
{
    holos_rating rating;
    holos_logic *l = toy_open(left, solutions, solutions);
    holos_logic_rate(l, &rating);
    holos_logic_close(l);
    return rating;
}

static void test_a_rating_sums_up(void **state)
{
    (void)state;
    holos_rating rating = rate(9, 1);
    assert_true(rating.solved);
    assert_string_equal(rating.hardest->name, "leap");
    assert_int_equal(rating.rating, 30);
    assert_int_equal(rating.score, 100 + 300 + 700);
    assert_int_equal(rating.level, HOLOS_LEVEL_HARD);
    assert_int_equal(rating.steps, 3);
    assert_int_equal(rating.counts[0], 1);
    assert_int_equal(rating.counts[2], 1);
}

static void test_the_level_follows_the_score_where_that_is_higher(void **state)
{
    (void)state;
    assert_int_equal(rate(1, 1).level, HOLOS_LEVEL_EASY);
    assert_int_equal(rate(8, 2).level, HOLOS_LEVEL_MEDIUM);
    assert_false(rate(8, 2).solved);
    assert_int_equal(rate(16, 2).level, HOLOS_LEVEL_HARD);    /* 1,500 */
    assert_int_equal(rate(18, 2).level, HOLOS_LEVEL_UNFAIR);  /* 1,800 */
    assert_int_equal(rate(20, 2).level, HOLOS_LEVEL_EXTREME); /* 2,100 */
}

static void test_a_use_can_be_harder_than_its_technique(void **state)
{
    (void)state;
    assert_int_equal(rate(102, 2).rating, 21);
}

static void test_an_easy_rating_needs_no_steps(void **state)
{
    (void)state;
    holos_rating rating = rate(0, 1);
    assert_true(rating.solved);
    assert_null(rating.hardest);
    assert_int_equal(rating.level, HOLOS_LEVEL_EASY);
}

static void test_limits_hold_for_counting(void **state)
{
    (void)state;
    _Alignas(16) toy p = {.left = 9, .solutions = 1, .bare = 1};
    holos_logic *l;
    holos_error err;
    holos_limits limits = {.nodes = 1};
    assert_fails(holos_logic_open(&toy_variant, (const holos_position *)&p, &limits, &l, &err), err,
                 HOLOS_LIMIT, "before it was clear how many solutions");
    assert_null(l);
}

static void test_a_game_without_techniques_says_so(void **state)
{
    (void)state;
    _Alignas(16) toy p = {0};
    holos_logic *l;
    holos_error err;
    assert_fails(holos_logic_open(&mute_variant, (const holos_position *)&p, NULL, &l, &err), err,
                 HOLOS_UNSUPPORTED, "mute is not solved by deductions");
    assert_null(holos_technique_at(&mute_game, 0));
}

static void test_names(void **state)
{
    (void)state;
    holos_level level;
    assert_true(holos_level_find("unfair", &level));
    assert_int_equal(level, HOLOS_LEVEL_UNFAIR);
    assert_false(holos_level_find("nice", &level));
    assert_string_equal(holos_level_name(HOLOS_LEVEL_EXTREME), "extreme");
    assert_int_equal(holos_technique_find(&toy_game, "leap"), 2);
    assert_true(holos_technique_find(&toy_game, "hop") == SIZE_MAX);
    assert_null(holos_technique_at(&toy_game, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_cheapest_technique_comes_first),
        cmocka_unit_test(test_finding_changes_nothing),
        cmocka_unit_test(test_uniqueness_is_used_only_where_it_was_shown),
        cmocka_unit_test(test_a_puzzle_without_solution_has_no_steps),
        cmocka_unit_test(test_a_rating_sums_up),
        cmocka_unit_test(test_the_level_follows_the_score_where_that_is_higher),
        cmocka_unit_test(test_a_use_can_be_harder_than_its_technique),
        cmocka_unit_test(test_an_easy_rating_needs_no_steps),
        cmocka_unit_test(test_limits_hold_for_counting),
        cmocka_unit_test(test_a_game_without_techniques_says_so),
        cmocka_unit_test(test_names),
    };
    UNIT_MAIN(tests);
}
