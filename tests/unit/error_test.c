/* SPDX-License-Identifier: MIT */

#include "unit.h"

#include "core/error.h"
#include "core/url.h"

#include <errno.h>

static void test_set_fills_everything_and_returns_the_code(void **state)
{
    (void)state;
    holos_error err;
    assert_int_equal(error_set(&err, HOLOS_BAD_MOVE, 7, "no %s in %d", "stone", 3), HOLOS_BAD_MOVE);
    assert_int_equal(err.code, HOLOS_BAD_MOVE);
    assert_int_equal(err.at, 7);
    assert_string_equal(err.message, "no stone in 3");
}

static void test_set_takes_null_for_nobody_wants_to_know(void **state)
{
    (void)state;
    assert_int_equal(error_set(NULL, HOLOS_LIMIT, 0, "x"), HOLOS_LIMIT);
    errno = ENOMEM;
    assert_int_equal(error_system(NULL, "x"), HOLOS_NO_MEMORY);
}

static void test_a_message_may_quote_the_one_it_replaces(void **state)
{
    (void)state;
    holos_error err;
    error_set(&err, HOLOS_IO, HOLOS_NOWHERE, "inner");
    error_set(&err, err.code, err.at, "outer: %s", err.message);
    assert_string_equal(err.message, "outer: inner");
}

static void test_a_message_that_just_fits_is_kept_whole(void **state)
{
    (void)state;
    char words[256];
    memset(words, 'a', 255);
    words[255] = '\0';
    holos_error err;
    error_set(&err, HOLOS_IO, HOLOS_NOWHERE, "%s", words);
    assert_string_equal(err.message, words);
}

/* Cuts a message of `ascii` letters and then characters of three bytes; all of it must stay UTF-8. */
static void check_cut(size_t ascii)
{
    char words[400] = "";
    memset(words, 'a', ascii);
    for (size_t i = ascii; i + 3 < sizeof words; i += 3)
        memcpy(words + i, "€", 4);
    holos_error err;
    error_set(&err, HOLOS_IO, HOLOS_NOWHERE, "%s", words);
    size_t length = strlen(err.message);
    assert_in_range(length, 250, 255);
    assert_string_equal(err.message + length - 3, "…");
    assert_int_equal((length - 3 - ascii) % 3, 0);
    assert_memory_equal(err.message, words, length - 3);
}

static void test_a_long_message_is_cut_between_characters(void **state)
{
    (void)state;
    for (size_t ascii = 100; ascii < 104; ascii++)
        check_cut(ascii);
}

static void test_system_says_what_and_why(void **state)
{
    (void)state;
    holos_error err;
    errno = ENOENT;
    assert_int_equal(error_system(&err, "cannot open %s", "x.db"), HOLOS_IO);
    assert_string_equal(err.message, "cannot open x.db: No such file or directory");
    assert_int_equal(err.at, HOLOS_NOWHERE);
    errno = ENOMEM;
    assert_int_equal(error_system(&err, "cannot map"), HOLOS_NO_MEMORY);
}

static void test_prefix_puts_words_before(void **state)
{
    (void)state;
    holos_error err;
    error_set(&err, HOLOS_BAD_FILE, 12, "no value");
    assert_int_equal(error_prefix(&err, "line %d: ", 3), HOLOS_BAD_FILE);
    assert_string_equal(err.message, "line 3: no value");
    assert_int_equal(err.at, 12);
}

static void test_prefix_without_an_error_keeps_the_code(void **state)
{
    (void)state;
    assert_int_equal(error_set(NULL, HOLOS_BAD_FILE, HOLOS_NOWHERE, "damaged"), HOLOS_BAD_FILE);
    assert_int_equal(error_prefix(NULL, "line %d: ", 3), HOLOS_BAD_FILE);
}

static void test_prefix_that_is_too_long_is_cut_too(void **state)
{
    (void)state;
    char words[2000];
    memset(words, 'b', sizeof words - 1);
    words[sizeof words - 1] = '\0';
    holos_error err;
    error_set(&err, HOLOS_IO, HOLOS_NOWHERE, "end");
    error_prefix(&err, "%s", words);
    assert_int_equal(strlen(err.message), 255);
    assert_string_equal(err.message + 252, "…");
}

static void test_every_status_has_a_name(void **state)
{
    (void)state;
    for (int i = HOLOS_OK; i <= HOLOS_IO; i++) {
        const char *name = holos_status_name((holos_status)i);
        assert_true(strlen(name) > 1);
        for (int k = HOLOS_OK; k < i; k++)
            assert_string_not_equal(name, holos_status_name((holos_status)k));
    }
    assert_string_equal(holos_status_name(HOLOS_BAD_POSITION), "bad-position");
    assert_string_equal(holos_status_name((holos_status)999), "unknown");
}

static void hide(const char *before, const char *after)
{
    char words[200];
    snprintf(words, sizeof words, "%s", before);
    url_hide_passwords(words);
    assert_string_equal(words, after);
}

static void test_passwords_are_not_shown(void **state)
{
    (void)state;
    hide("postgres://ada:secret@host/db", "postgres://ada:***@host/db");
    hide("build nim --store postgres://ada:se:cr@et@host:5/db?x=1 to postgres://b:pw@h",
         "build nim --store postgres://ada:***@host:5/db?x=1 to postgres://b:**@h");
    hide("postgres://host/db?user=ada&password=secret&schema=x",
         "postgres://host/db?user=ada&password=***&schema=x");
    hide("PGPASSWORD=secret holos", "PGPASSWORD=*** holos");
    hide("postgres://ada@host:5432/db", "postgres://ada@host:5432/db");
    hide("file:a:b@c http://h:1/a@b:c", "file:a:b@c http://h:1/a@b:c");
    hide("postgres://:@h password=", "postgres://:@h password=");
    hide("://", "://");
    holos_error err;
    error_set(&err, HOLOS_IO, HOLOS_NOWHERE, "cannot reach %s", "postgres://ada:secret@host/db");
    assert_string_equal(err.message, "cannot reach postgres://ada:***@host/db");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set_fills_everything_and_returns_the_code),
        cmocka_unit_test(test_set_takes_null_for_nobody_wants_to_know),
        cmocka_unit_test(test_a_message_may_quote_the_one_it_replaces),
        cmocka_unit_test(test_a_message_that_just_fits_is_kept_whole),
        cmocka_unit_test(test_a_long_message_is_cut_between_characters),
        cmocka_unit_test(test_system_says_what_and_why),
        cmocka_unit_test(test_prefix_puts_words_before),
        cmocka_unit_test(test_prefix_without_an_error_keeps_the_code),
        cmocka_unit_test(test_prefix_that_is_too_long_is_cut_too),
        cmocka_unit_test(test_every_status_has_a_name),
        cmocka_unit_test(test_passwords_are_not_shown),
    };
    UNIT_MAIN(tests);
}
