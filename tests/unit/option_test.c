/* SPDX-License-Identifier: MIT */

/* Options as data: values read by a table, settings, and who takes which. */

#include "unit.h"

#include "core/option.h"

typedef struct sample {
    bool flag;
    int64_t number;
    uint64_t count;
    double time;
    unsigned choice;
    const char *word, *untouched;
} sample;

static const holos_option table[] = {
    {OPTION(FLAG, sample, flag), .name = "flag", .help = "a flag"},
    {OPTION(INT, sample, number), .name = "number", .value = "N", .min = -3, .max = 9, .fallback = "7",
     .help = "n"},
    {OPTION(COUNT, sample, count), .name = "count", .value = "N", .help = "a count"},
    {OPTION(DURATION, sample, time), .name = "time", .value = "TIME", .fallback = "2m", .help = "a time"},
    {OPTION(CHOICE, sample, choice), .name = "choice", .value = "one|two|three", .fallback = "two",
     .help = "c"},
    {OPTION(STRING, sample, word), .name = "word", .value = "WORD", .help = "a word"},
    {0},
};

static void test_a_table_fills_its_struct_with_settings_and_defaults(void **state)
{
    (void)state;
    holos_error err;
    sample s = {.untouched = "kept"};
    holos_settings *settings = holos_settings_new();
    assert_ok(holos_settings_set(settings, "flag", NULL, &err), err);
    assert_ok(holos_settings_set(settings, "count", "20k", &err), err);
    assert_ok(holos_settings_set(settings, "choice", "one", &err), err);
    assert_ok(holos_settings_set(settings, "choice", "three", &err), err); /* the last one wins */
    assert_ok(holos_settings_set(settings, "another", "ignored here", &err), err);
    assert_ok(option_read(table, settings, &s, &err), err);
    assert_true(s.flag);
    assert_int_equal(s.number, 7);
    assert_int_equal(s.count, 20000);
    assert_true(s.time == 120.0);
    assert_int_equal(s.choice, 2);
    assert_null(s.word);
    assert_string_equal(s.untouched, "kept");
    holos_settings_free(settings);
    assert_ok(option_read(table, NULL, &s, &err), err);
    assert_int_equal(s.choice, 1);
    assert_ok(option_read(NULL, NULL, &s, &err), err);
}

static void test_values_that_do_not_fit_are_refused_by_name(void **state)
{
    (void)state;
    static const char *const bad[][3] = {{"flag", "maybe", "--flag takes yes or no, not \"maybe\""},
                                         {"number", "10", "--number takes a number from -3 to 9, not \"10\""},
                                         {"number", "", "--number takes a number"},
                                         {"count", "many", "--count takes a count"},
                                         {"choice", "tw", "--choice takes one|two|three, not \"tw\""}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        holos_error err;
        sample s;
        holos_settings *settings = holos_settings_new();
        assert_ok(holos_settings_set(settings, bad[i][0], bad[i][1], &err), err);
        assert_fails(option_read(table, settings, &s, &err), err, HOLOS_USAGE, bad[i][2]);
        holos_settings_free(settings);
    }
}

static void test_settings_are_kept_in_order_and_can_be_cleared(void **state)
{
    (void)state;
    holos_error err;
    holos_settings *s = holos_settings_new();
    assert_ok(holos_settings_set(s, "b", "1", &err), err);
    assert_ok(holos_settings_set(s, "a", NULL, &err), err);
    assert_ok(holos_settings_set(s, "b", "2", &err), err);
    assert_string_equal(settings_name_at(s, 0), "b");
    assert_string_equal(settings_name_at(s, 1), "a");
    assert_null(settings_name_at(s, 2));
    assert_string_equal(holos_settings_get(s, "b"), "2");
    assert_string_equal(holos_settings_get(s, "a"), "yes");
    assert_null(holos_settings_get(s, "c"));
    holos_settings_clear(s);
    assert_null(settings_name_at(s, 0));
    assert_null(holos_settings_get(s, "b"));
    holos_settings_free(s);
}

static void test_null_is_an_error_and_no_crash(void **state)
{
    (void)state;
    holos_error err;
    holos_settings *s = holos_settings_new();
    holos_option_group group;
    assert_fails(holos_settings_set(NULL, "a", "b", &err), err, HOLOS_USAGE, "name");
    assert_fails(holos_settings_set(s, NULL, "b", &err), err, HOLOS_USAGE, "name");
    assert_fails(holos_settings_set(s, "", "b", &err), err, HOLOS_USAGE, "name");
    assert_int_equal(holos_settings_set(s, NULL, NULL, NULL), HOLOS_USAGE);
    assert_null(holos_settings_get(NULL, "a"));
    assert_null(holos_settings_get(s, NULL));
    holos_settings_free(s);
    holos_settings_free(NULL);
    holos_settings_clear(NULL);
    assert_false(holos_option_group_at(HOLOS_USE_SOLVE, 0, NULL));
    assert_false(holos_option_group_at((holos_use)99, 0, &group));
    assert_int_equal(holos_option_group_format(NULL, NULL, 0), 0);
    assert_fails(holos_solver_open(NULL, NULL, NULL, &err), err, HOLOS_USAGE, "solver");
    assert_fails(holos_generator_open(NULL, NULL, NULL, &err), err, HOLOS_USAGE, "holos_generator_open");
}

/* ---- Who has which ------------------------------------------------------------------------------- */

static const holos_option *other_of_name(holos_use use, const holos_option *o, size_t *from)
{
    holos_option_group g;
    for (; holos_option_group_at(use, *from, &g); ++*from) {
        const holos_option *other = option_find(g.options, o->name, strlen(o->name));
        if (other != NULL)
            return ++*from, other;
    }
    return NULL;
}

static void test_declared_options_are_complete_and_agree(void **state)
{
    (void)state;
    size_t seen = 0;
    holos_option_group g;
    for (unsigned use = 0; use < HOLOS_USE_COUNT; use++) {
        for (size_t i = 0; holos_option_group_at((holos_use)use, i, &g); i++) {
            assert_int_equal(g.use, use);
            assert_non_null(g.owner);
            for (const holos_option *o = g.options; o->name != NULL; o++, seen++) {
                assert_non_null(o->help);
                assert_int_not_equal(o->help[strlen(o->help) - 1], '.');
                assert_true((o->type == HOLOS_OPTION_FLAG) == (o->value == NULL));
                /* Owners may differ in the words, but not in whether there are any, nor in the letter. */
                const holos_option *other;
                for (size_t from = 0; (other = other_of_name((holos_use)use, o, &from)) != NULL;) {
                    assert_int_equal(option_needs_value(o), option_needs_value(other));
                    assert_int_equal(o->letter, other->letter);
                }
            }
        }
    }
    assert_in_range(seen, 20, 1000);
}

static void test_every_default_can_be_read(void **state)
{
    (void)state;
    holos_option_group g;
    holos_error err;
    for (unsigned use = 0; use < HOLOS_USE_COUNT; use++)
        for (size_t i = 0; holos_option_group_at((holos_use)use, i, &g); i++) {
            _Alignas(16) char room[4096] = {0}; /* more than any owner's struct */
            for (const holos_option *o = g.options; o->name != NULL; o++)
                assert_in_range(o->offset, 0, sizeof room - 16);
            assert_ok(option_read(g.options, NULL, room, &err), err);
        }
}

static void assert_solver(const char *game, const char *engine, const char *name, const char *value,
                          const char *refusal)
{
    holos_variant *v;
    holos_solver *solver;
    holos_error err = {0};
    holos_settings *s = holos_settings_new();
    assert_ok(holos_open(game, &v, &err), err);
    assert_ok(holos_settings_set(s, name, value, &err), err);
    holos_solver_options options = {.engine = engine, .settings = s};
    if (refusal != NULL) {
        assert_fails(holos_solver_open(v, &options, &solver, &err), err, HOLOS_USAGE, refusal);
        assert_null(solver);
    } else {
        assert_ok(holos_solver_open(v, &options, &solver, &err), err);
        holos_solver_close(solver);
    }
    holos_settings_free(s);
    holos_close(v);
}

static void test_a_solver_takes_what_its_engine_and_game_declare(void **state)
{
    (void)state;
    assert_solver("hidato", NULL, "mode", "v2", NULL);
    assert_solver("hidato", NULL, "solutions", "5", NULL);
    assert_solver("nim", "wave", "mode", "osmosis", NULL);
    assert_solver("nim", NULL, "no-hot", NULL, NULL);
    assert_solver("hidato", NULL, "mode", "wave", "--mode takes v1|v2|v3|v3-table|v4, not \"wave\"");
    assert_solver("hidato", "wave", "mode", "v2", "--mode takes auto|");
}

static void test_what_nobody_who_takes_part_declares_is_refused_with_its_owners(void **state)
{
    (void)state;
    assert_solver(
        "nim", NULL, "mode", "bogus",
        "--mode: nim:3,4,5 solved by alphabeta takes no such option; hidato and the wave engine do");
    assert_solver("nim", NULL, "solutions", "3", "the puzzle engine does");
    assert_solver("hidato", "wave", "telemetry", NULL,
                  "--telemetry: hidato solved by wave takes no such option");
    assert_solver("sudoku", NULL, "depth", "3",
                  "--depth: sudoku solved by puzzle takes no such option; hidato does");
    assert_solver("nim", NULL, "invented", "x",
                  "--invented: nim:3,4,5 solved by alphabeta takes no such option");
}

static void test_questions_without_an_answer_are_refused(void **state)
{
    (void)state;
    holos_variant *v;
    holos_solver *solver;
    holos_error err;
    assert_ok(holos_open("sudoku", &v, &err), err);
    assert_fails(holos_solver_open(v, &(holos_solver_options){.weak = true}, &solver, &err), err, HOLOS_USAGE,
                 "--weak: sudoku is a puzzle");
    assert_fails(holos_solver_open(v, &(holos_solver_options){.distance = true}, &solver, &err), err,
                 HOLOS_USAGE, "--distance: sudoku solved by puzzle has no distances");
    holos_close(v);
}

static void test_a_generator_takes_what_its_game_declares(void **state)
{
    (void)state;
    holos_variant *v;
    holos_generator *g;
    holos_error err;
    holos_settings *s = holos_settings_new();
    holos_generator_options options = {.settings = s};
    assert_ok(holos_settings_set(s, "size", "5x4", &err), err);
    assert_ok(holos_open("hidato", &v, &err), err);
    assert_ok(holos_generator_open(v, &options, &g, &err), err);
    holos_generator_close(g);
    holos_close(v);
    assert_ok(holos_open("sudoku", &v, &err), err);
    assert_fails(holos_generator_open(v, &options, &g, &err), err, HOLOS_USAGE,
                 "--size: making puzzles of sudoku takes no such option; hidato does");
    assert_null(g);
    assert_ok(holos_generator_open(v, NULL, &g, &err), err);
    holos_generator_close(g);
    holos_settings_free(s);
    holos_close(v);
}

static void test_an_experiment_takes_its_own_options(void **state)
{
    (void)state;
    holos_error err;
    holos_experiment_result result = {0};
    const holos_experiment *e = holos_experiment_find("phase");
    assert_non_null(e);
    size_t at = 0;
    while (holos_experiment_at(at) != NULL && holos_experiment_at(at) != e)
        at++;
    assert_ptr_equal(holos_experiment_at(at), e);
    assert_null(holos_experiment_at(1000));
    assert_null(holos_experiment_find(NULL));
    assert_null(holos_experiment_name(NULL));
    assert_null(holos_experiment_summary(NULL));
    assert_fails(holos_experiment_run(NULL, NULL, &result, &err), err, HOLOS_USAGE, "experiment");
    assert_fails(holos_experiment_run(e, NULL, NULL, &err), err, HOLOS_USAGE, "experiment");
    holos_settings *s = holos_settings_new();
    assert_ok(holos_settings_set(s, "modulus", "64", &err), err);
    assert_ok(holos_settings_set(s, "row", "8", &err), err);
    assert_ok(holos_settings_set(s, "column", "1", &err), err);
    const holos_experiment_options options = {.settings = s, .quick = true};
    assert_ok(holos_experiment_run(e, &options, &result, &err), err);
    assert_int_equal(result.compared, 416);
    assert_in_range(result.mismatches, 1, 416);
    assert_non_null(strstr(result.text, "pairs equivalent"));
    holos_experiment_result_free(&result);
    holos_experiment_result_free(NULL);
    assert_ok(holos_settings_set(s, "mode", "v1", &err), err);
    assert_fails(holos_experiment_run(e, &options, &result, &err), err, HOLOS_USAGE,
                 "--mode: the experiment phase takes no such option");
    holos_settings_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_table_fills_its_struct_with_settings_and_defaults),
        cmocka_unit_test(test_values_that_do_not_fit_are_refused_by_name),
        cmocka_unit_test(test_settings_are_kept_in_order_and_can_be_cleared),
        cmocka_unit_test(test_null_is_an_error_and_no_crash),
        cmocka_unit_test(test_declared_options_are_complete_and_agree),
        cmocka_unit_test(test_every_default_can_be_read),
        cmocka_unit_test(test_a_solver_takes_what_its_engine_and_game_declare),
        cmocka_unit_test(test_what_nobody_who_takes_part_declares_is_refused_with_its_owners),
        cmocka_unit_test(test_questions_without_an_answer_are_refused),
        cmocka_unit_test(test_a_generator_takes_what_its_game_declares),
        cmocka_unit_test(test_an_experiment_takes_its_own_options),
    };
    UNIT_MAIN(tests);
}
