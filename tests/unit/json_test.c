/* SPDX-License-Identifier: MIT */

#include "unit.h"

#include "core/json.h"

#include <float.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* What `writes` put into an object, without its braces. */
#define CHECK_WRITES(writes, expected)                                                                       \
    do {                                                                                                     \
        text t;                                                                                              \
        text_init(&t);                                                                                       \
        json j = json_begin(&t);                                                                             \
        json_open(&j, NULL, '{');                                                                            \
        writes;                                                                                              \
        json_close(&j);                                                                                      \
        assert_string_equal(t.data, "{" expected "}");                                                       \
        holos_error err;                                                                                     \
        json_t *back = json_read(t.data, t.length, &err);                                                    \
        if (back == NULL)                                                                                    \
            fail_msg("%s: %s", t.data, err.message);                                                         \
        json_decref(back);                                                                                   \
        text_free(&t);                                                                                       \
    } while (0)

/* ---- Writing ----------------------------------------------------------------------------------- */

static void test_commas_go_where_they_belong(void **state)
{
    (void)state;
    text t;
    text_init(&t);
    json j = json_begin(&t);
    json_open(&j, NULL, '{');
    json_open(&j, "a", '[');
    json_close(&j);
    json_open(&j, "b", '[');
    json_put_int(&j, NULL, 1);
    json_open(&j, NULL, '{');
    json_close(&j);
    json_open(&j, NULL, '{');
    json_put_bool(&j, "x", true);
    json_put_bool(&j, "y", false);
    json_close(&j);
    json_put_null(&j, NULL);
    json_close(&j);
    json_put_string(&j, "c", "z");
    json_close(&j);
    assert_string_equal(t.data, "{\"a\":[],\"b\":[1,{},{\"x\":true,\"y\":false},null],\"c\":\"z\"}");
    text_free(&t);
}

static void test_a_plain_value_may_stand_at_the_top(void **state)
{
    (void)state;
    text t;
    text_init(&t);
    json j = json_begin(&t);
    json_put_int(&j, NULL, 5);
    assert_string_equal(t.data, "5");
    text_free(&t);
}

static void test_numbers_at_their_limits(void **state)
{
    (void)state;
    CHECK_WRITES(json_put_int(&j, "n", INT64_MIN), "\"n\":-9223372036854775808");
    CHECK_WRITES(json_put_int(&j, "n", INT64_MAX), "\"n\":9223372036854775807");
    text t; /* jansson reads no integers this large, but others do */
    text_init(&t);
    json j = json_begin(&t);
    json_put_uint(&j, NULL, UINT64_MAX);
    assert_string_equal(t.data, "18446744073709551615");
    text_free(&t);
}

static void test_doubles_are_short_and_always_json(void **state)
{
    (void)state;
    CHECK_WRITES(json_put_double(&j, "d", 0.1), "\"d\":0.1");
    CHECK_WRITES(json_put_double(&j, "d", 0), "\"d\":0");
    CHECK_WRITES(json_put_double(&j, "d", 1e6), "\"d\":1e+06");
    CHECK_WRITES(json_put_double(&j, "d", 1.0 / 3), "\"d\":0.333333");
    CHECK_WRITES(json_put_double(&j, "d", -1.5e-12), "\"d\":-1.5e-12");
    CHECK_WRITES(json_put_double(&j, "d", NAN), "\"d\":null");
    CHECK_WRITES(json_put_double(&j, "d", INFINITY), "\"d\":null");
    CHECK_WRITES(json_put_double(&j, "d", -INFINITY), "\"d\":null");
}

static void test_strings_are_escaped(void **state)
{
    (void)state;
    CHECK_WRITES(json_put_string(&j, "s", ""), "\"s\":\"\"");
    CHECK_WRITES(json_put_string(&j, "s", "say \"hi\" \\ /"), "\"s\":\"say \\\"hi\\\" \\\\ /\"");
    CHECK_WRITES(json_put_string(&j, "s", "\b\t\n\f\r"), "\"s\":\"\\b\\t\\n\\f\\r\"");
    CHECK_WRITES(json_put_string(&j, "s", "\x01\x1F\x7F"), "\"s\":\"\\u0001\\u001f\x7F\"");
    CHECK_WRITES(json_put_string(&j, "a \"name\"", "x"), "\"a \\\"name\\\"\":\"x\"");
}

/* Words are looked at eight bytes at a time: every character below 0x80 at every place of words of every length, as a value and as a name. */
static void test_every_character_survives_at_every_place(void **state)
{
    (void)state;
    for (size_t length = 1; length <= 70; length++)
        for (size_t at = 0; at < length; at += length < 20 ? 1 : 7)
            for (int c = 1; c < 0x80; c++) {
                char word[71] = {0};
                memset(word, 'a', length);
                word[at] = (char)c;
                text t;
                text_init(&t);
                json j = json_begin(&t);
                json_open(&j, NULL, '{');
                json_put_int(&j, "first", 1);
                json_put_string(&j, word, word);
                json_close(&j);
                json_t *back = json_read(t.data, t.length, NULL);
                assert_non_null(back);
                assert_string_equal(json_string_value(json_object_get(back, word)), word);
                json_decref(back);
                text_free(&t);
            }
}

static void test_valid_utf8_passes(void **state)
{
    (void)state;
    /* The first and the last of each length, and around the surrogates. */
    CHECK_WRITES(json_put_string(&j, "s", "\xC2\x80\xDF\xBF"), "\"s\":\"\xC2\x80\xDF\xBF\"");
    CHECK_WRITES(json_put_string(&j, "s", "\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBD"),
                 "\"s\":\"\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBD\"");
    CHECK_WRITES(json_put_string(&j, "s", "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"),
                 "\"s\":\"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF\"");
}

#define FFFD "\xEF\xBF\xBD"

static void test_broken_utf8_becomes_a_replacement_character(void **state)
{
    (void)state;
    CHECK_WRITES(json_put_string(&j, "s", "a\x80z"), "\"s\":\"a" FFFD "z\"");      /* alone */
    CHECK_WRITES(json_put_string(&j, "s", "a\xFFz"), "\"s\":\"a" FFFD "z\"");      /* no such byte */
    CHECK_WRITES(json_put_string(&j, "s", "\xC3"), "\"s\":\"" FFFD "\"");          /* cut off */
    CHECK_WRITES(json_put_string(&j, "s", "\xE2\x82z"), "\"s\":\"" FFFD "z\"");    /* cut off */
    CHECK_WRITES(json_put_string(&j, "s", "\xF0\x9F\x98"), "\"s\":\"" FFFD "\"");  /* cut off */
    CHECK_WRITES(json_put_string(&j, "s", "\xC0\xAF"), "\"s\":\"" FFFD FFFD "\""); /* overlong */
    CHECK_WRITES(json_put_string(&j, "s", "\xE0\x80\x80"), "\"s\":\"" FFFD FFFD FFFD "\"");
    CHECK_WRITES(json_put_string(&j, "s", "\xED\xA0\x80"), "\"s\":\"" FFFD FFFD FFFD "\""); /* surrogate */
    CHECK_WRITES(json_put_string(&j, "s", "\xF4\x90\x80\x80"), "\"s\":\"" FFFD FFFD FFFD FFFD "\"");
    CHECK_WRITES(json_put_string(&j, "s", "\xF5\x80"), "\"s\":\"" FFFD FFFD "\"");
}

/* A program that writes wrong JSON stops rather than writes it. */
static void check_aborts(void (*mistake)(json *j))
{
    pid_t child = fork();
    if (child == 0) {
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        signal(SIGABRT, SIG_DFL);
        fclose(stderr);
        text t;
        text_init(&t);
        json j = json_begin(&t);
        mistake(&j);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void mistake_no_name(json *j)
{
    json_open(j, NULL, '{');
    json_put_int(j, NULL, 1);
}

static void mistake_name_in_array(json *j)
{
    json_open(j, NULL, '[');
    json_put_int(j, "n", 1);
}

static void mistake_close_nothing(json *j)
{
    json_close(j);
}

static void mistake_too_deep(json *j)
{
    for (;;)
        json_open(j, NULL, '[');
}

static void test_mistakes_of_the_writer_stop_the_program(void **state)
{
    (void)state;
    check_aborts(mistake_no_name);
    check_aborts(mistake_name_in_array);
    check_aborts(mistake_close_nothing);
    check_aborts(mistake_too_deep);
}

/* ---- Reading ----------------------------------------------------------------------------------- */

static void test_reads_one_value(void **state)
{
    (void)state;
    holos_error err;
    const char *s = "{\"game\": \"nim\", \"lo\": -1, \"list\": [1, 2.5, true, null]}";
    json_t *value = json_read(s, strlen(s), &err);
    assert_non_null(value);
    assert_string_equal(json_string_value(json_object_get(value, "game")), "nim");
    assert_int_equal(json_integer_value(json_object_get(value, "lo")), -1);
    assert_int_equal(json_array_size(json_object_get(value, "list")), 4);
    json_decref(value);
    value = json_read("17", 2, &err); /* not only objects */
    assert_int_equal(json_integer_value(value), 17);
    json_decref(value);
}

static void check_refused(const char *s, size_t length, const char *words)
{
    holos_error err = {0};
    assert_null(json_read(s, length, &err));
    assert_int_equal(err.code, HOLOS_BAD_FILE);
    assert_in_range(err.at, 0, length);
    if (strstr(err.message, words) == NULL)
        fail_msg("\"%s\" lacks \"%s\"", err.message, words);
}

static void test_refuses_what_is_not_json_and_says_where(void **state)
{
    (void)state;
    check_refused("", 0, "not JSON");
    check_refused("{", 1, "line 1");
    check_refused("{\"a\":\n 1,,}", 11, "line 2, column 4");
    check_refused("1 2", 3, "end of file expected");
    check_refused("{\"a\":1,\"a\":2}", 13, "duplicate");
    check_refused("\"\xFF\"", 3, "byte 0xff");
    check_refused("[1e999]", 7, "real number overflow");
    check_refused("[99999999999999999999]", 22, "too big");
    check_refused("nan", 3, "invalid token");
    holos_error err;
    assert_null(json_read("[1,\n2,\n!]", 9, &err));
    assert_int_equal(err.at, 8);
    assert_null(json_read("[", 1, NULL));
}

static void test_deep_nesting_is_refused_not_a_crash(void **state)
{
    (void)state;
    char deep[100000];
    memset(deep, '[', sizeof deep);
    check_refused(deep, sizeof deep, "maximum parsing depth");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commas_go_where_they_belong),
        cmocka_unit_test(test_a_plain_value_may_stand_at_the_top),
        cmocka_unit_test(test_numbers_at_their_limits),
        cmocka_unit_test(test_doubles_are_short_and_always_json),
        cmocka_unit_test(test_strings_are_escaped),
        cmocka_unit_test(test_every_character_survives_at_every_place),
        cmocka_unit_test(test_valid_utf8_passes),
        cmocka_unit_test(test_broken_utf8_becomes_a_replacement_character),
        cmocka_unit_test(test_mistakes_of_the_writer_stop_the_program),
        cmocka_unit_test(test_reads_one_value),
        cmocka_unit_test(test_refuses_what_is_not_json_and_says_where),
        cmocka_unit_test(test_deep_nesting_is_refused_not_a_crash),
    };
    UNIT_MAIN(tests);
}
