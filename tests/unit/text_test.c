/* SPDX-License-Identifier: MIT */

#include "unit.h"

#include "core/text.h"

#include <float.h>
#include <locale.h>
#include <math.h>

/* ---- Growing ----------------------------------------------------------------------------------- */

static void test_a_new_text_is_empty_and_terminated(void **state)
{
    (void)state;
    text t;
    text_init(&t);
    assert_string_equal(t.data, "");
    assert_int_equal(t.length, 0);
    text_clear(&t);
    text_free(&t);
    assert_string_equal(t.data, "");
}

static void test_everything_that_appends(void **state)
{
    (void)state;
    text t;
    text_init(&t);
    text_char(&t, 'a');
    text_string(&t, "bc");
    text_bytes(&t, "defgh", 2);
    text_repeat(&t, '-', 3);
    text_int(&t, -42);
    text_uint(&t, 7);
    text_printf(&t, "[%s %d]", "x", 5);
    text_string(&t, "");
    assert_string_equal(t.data, "abcde----427[x 5]");
    assert_int_equal(t.length, strlen(t.data));
    assert_false(t.failed);
    text_free(&t);
}

static void test_it_grows_across_every_length(void **state)
{
    (void)state;
    text t;
    text_init(&t);
    for (size_t i = 0; i < 5000; i++) {
        assert_int_equal(t.length, i);
        assert_int_equal(t.data[i], '\0');
        text_char(&t, (char)('a' + i % 26));
    }
    for (size_t i = 0; i < 5000; i++)
        assert_int_equal(t.data[i], 'a' + i % 26);
    text_free(&t);
}

static void test_printf_of_any_length(void **state)
{
    (void)state;
    char words[1001];
    for (int length = 0; length <= 1000; length++) {
        memset(words, 'w', sizeof words);
        words[length] = '\0';
        text t;
        text_init(&t);
        text_printf(&t, "<%s>", words);
        assert_int_equal(t.length, length + 2);
        assert_int_equal(t.data[0], '<');
        assert_int_equal(t.data[length + 1], '>');
        assert_int_equal(t.data[length + 2], '\0');
        text_free(&t);
    }
}

static void test_bytes_may_hold_zeros(void **state)
{
    (void)state;
    text t;
    text_init(&t);
    text_bytes(&t, "a\0b", 3);
    assert_int_equal(t.length, 3);
    assert_memory_equal(t.data, "a\0b", 4);
    text_free(&t);
}

static void test_no_memory_is_remembered_and_the_text_stays_valid(void **state)
{
    (void)state;
    text t;
    text_init(&t);
    text_string(&t, "kept");
    text_repeat(&t, 'x', SIZE_MAX - 3); /* length and count overflow */
    assert_true(t.failed);
    assert_string_equal(t.data, "kept");
    text_string(&t, "dropped");
    text_printf(&t, "dropped");
    assert_string_equal(t.data, "kept");
    assert_int_equal(t.length, 4);
    text_clear(&t);
    assert_false(t.failed);
    text_repeat(&t, 'x', SIZE_MAX / 4); /* no machine has that */
    assert_true(t.failed);
    assert_string_equal(t.data, "");
    text_free(&t);
}

/* ---- Fixed ------------------------------------------------------------------------------------- */

static void test_fixed_keeps_what_fits_and_counts_the_rest(void **state)
{
    (void)state;
    for (size_t size = 1; size <= 14; size++) {
        char buffer[16];
        memset(buffer, '#', sizeof buffer);
        text t;
        text_init_fixed(&t, buffer, size);
        text_string(&t, "abc");
        text_printf(&t, "%d", 4567);
        text_char(&t, '8');
        text_repeat(&t, '9', 3);
        assert_int_equal(t.length, 11);
        assert_false(t.failed);
        size_t kept = size - 1 < 11 ? size - 1 : 11;
        assert_int_equal(strlen(buffer), kept);
        assert_memory_equal(buffer, "abc45678999", kept);
        assert_int_equal(buffer[size], '#'); /* nothing past the end */
        text_free(&t);
    }
}

static void test_fixed_without_a_buffer_only_counts(void **state)
{
    (void)state;
    text t;
    text_init_fixed(&t, NULL, 0);
    text_string(&t, "abc");
    text_printf(&t, "%s", "def");
    text_char(&t, 'g');
    assert_int_equal(t.length, 7);
    assert_string_equal(t.data, "");
    text_clear(&t);
    assert_int_equal(t.length, 0);
}

static void test_fixed_can_be_cleared_and_used_again(void **state)
{
    (void)state;
    char buffer[4];
    text t;
    text_init_fixed(&t, buffer, sizeof buffer);
    text_string(&t, "too long");
    text_clear(&t);
    text_string(&t, "ok");
    assert_string_equal(buffer, "ok");
    assert_int_equal(t.length, 2);
}

/* ---- For people -------------------------------------------------------------------------------- */

#define CHECK_FORMAT(call, expected)                                                                         \
    do {                                                                                                     \
        char buffer[64];                                                                                     \
        text t;                                                                                              \
        text_init_fixed(&t, buffer, sizeof buffer);                                                          \
        call;                                                                                                \
        assert_string_equal(buffer, expected);                                                               \
    } while (0)

static void test_numbers_at_their_limits(void **state)
{
    (void)state;
    CHECK_FORMAT(text_int(&t, 0), "0");
    CHECK_FORMAT(text_int(&t, INT64_MIN), "-9223372036854775808");
    CHECK_FORMAT(text_int(&t, INT64_MAX), "9223372036854775807");
    CHECK_FORMAT(text_uint(&t, UINT64_MAX), "18446744073709551615");
}

static void test_count_has_commas_every_three_digits(void **state)
{
    (void)state;
    CHECK_FORMAT(text_count(&t, 0), "0");
    CHECK_FORMAT(text_count(&t, 999), "999");
    CHECK_FORMAT(text_count(&t, 1000), "1,000");
    CHECK_FORMAT(text_count(&t, 1234567), "1,234,567");
    CHECK_FORMAT(text_count(&t, UINT64_MAX), "18,446,744,073,709,551,615");
}

static void test_size_rounds_and_changes_unit_in_time(void **state)
{
    (void)state;
    CHECK_FORMAT(text_size(&t, 0), "0 B");
    CHECK_FORMAT(text_size(&t, 1023), "1023 B");
    CHECK_FORMAT(text_size(&t, 1024), "1.0 KiB");
    CHECK_FORMAT(text_size(&t, 1536), "1.5 KiB");
    CHECK_FORMAT(text_size(&t, 100 * 1024), "100 KiB");
    CHECK_FORMAT(text_size(&t, 1024 * 1024 - 1), "1.0 MiB");
    CHECK_FORMAT(text_size(&t, (uint64_t)2 << 30), "2.0 GiB");
    CHECK_FORMAT(text_size(&t, UINT64_C(3328599654)), "3.1 GiB");
    CHECK_FORMAT(text_size(&t, UINT64_MAX), "16.0 EiB");
}

static void test_rough_is_never_more_than_the_value(void **state)
{
    (void)state;
    CHECK_FORMAT(text_rough(&t, 0), "0");
    CHECK_FORMAT(text_rough(&t, 999), "999");
    CHECK_FORMAT(text_rough(&t, 1000), "1.0 k");
    CHECK_FORMAT(text_rough(&t, 99999), "99.9 k");
    CHECK_FORMAT(text_rough(&t, 999999), "999 k");
    CHECK_FORMAT(text_rough(&t, 1234567), "1.2 M");
    CHECK_FORMAT(text_rough(&t, UINT64_MAX), "18.4 E");
}

static void test_duration_picks_its_unit(void **state)
{
    (void)state;
    CHECK_FORMAT(text_duration(&t, 0), "0 µs");
    CHECK_FORMAT(text_duration(&t, 12.4e-6), "12 µs");
    CHECK_FORMAT(text_duration(&t, 0.0123), "12 ms");
    CHECK_FORMAT(text_duration(&t, 0.99951), "1.0 s");
    CHECK_FORMAT(text_duration(&t, 5.31), "5.3 s");
    CHECK_FORMAT(text_duration(&t, 59.94), "59.9 s");
    CHECK_FORMAT(text_duration(&t, 59.96), "1:00");
    CHECK_FORMAT(text_duration(&t, 75.2), "1:15");
    CHECK_FORMAT(text_duration(&t, 3700), "1:01:40");
    CHECK_FORMAT(text_duration(&t, -2.5), "-2.5 s");
    CHECK_FORMAT(text_duration(&t, -75), "-1:15");
    CHECK_FORMAT(text_duration(&t, INFINITY), "?");
    CHECK_FORMAT(text_duration(&t, NAN), "?");
}

static void test_clock_has_minutes_always(void **state)
{
    (void)state;
    CHECK_FORMAT(text_clock(&t, 0), "0:00");
    CHECK_FORMAT(text_clock(&t, 31.9), "0:31");
    CHECK_FORMAT(text_clock(&t, 3599.9), "59:59");
    CHECK_FORMAT(text_clock(&t, 360000), "100:00:00");
    CHECK_FORMAT(text_clock(&t, 1e300), "?");
}

/* What is made here is what the C library writes. */
static void test_real_numbers_are_those_of_printf(void **state)
{
    (void)state;
    static const double edges[] = {
        1e-9,   9.9999999e-10, 1e-5,     9.9999995e-6, 0.0001, 0.00009999995, 0.5,    1,
        999999, 999999.5,      1e6,      123456.5,     2.5,    99999.95,      1e14,   1e15,
        0,      5e-324,        0.000125, 1.5,          12.5,   3.5e-7,        1e-300, 7e22};
    uint64_t random = 1;
    for (unsigned i = 0; i < 200000; i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double value = (double)(random >> 11) * pow(10, (double)(i % 31) - 26.0);
        if (i < sizeof edges / sizeof *edges)
            value = edges[i];
        char expected[64], made[64];
        int digits = 1 + (int)(i % 9);
        text t;
        text_init_fixed(&t, made, sizeof made);
        snprintf(expected, sizeof expected, "%.*g", digits, i % 2 == 0 ? value : -value);
        text_double(&t, i % 2 == 0 ? value : -value, digits);
        assert_string_equal(made, expected);
    }
}

static void test_double_is_short(void **state)
{
    (void)state;
    CHECK_FORMAT(text_double(&t, 0.1, 6), "0.1");
    CHECK_FORMAT(text_double(&t, 123456789, 6), "1.23457e+08");
    CHECK_FORMAT(text_double(&t, -0.5, 17), "-0.5");
    CHECK_FORMAT(text_double(&t, DBL_MAX, 17), "1.7976931348623157e+308");
}

static void test_show_char(void **state)
{
    (void)state;
    char out[8];
    assert_string_equal(text_show_char('a', out), "a");
    assert_string_equal(text_show_char(' ', out), " ");
    assert_string_equal(text_show_char('~', out), "~");
    assert_string_equal(text_show_char('\n', out), "\\x0A");
    assert_string_equal(text_show_char(0x7F, out), "\\x7F");
    assert_string_equal(text_show_char(0xE2, out), "\\xE2");
    assert_string_equal(text_show_char(0, out), "\\x00");
}

/* ---- Reading numbers --------------------------------------------------------------------------- */

static void test_to_int_reads_the_whole_range(void **state)
{
    (void)state;
    int64_t n;
    assert_true(text_to_int("0", 0, 0, &n) && n == 0);
    assert_true(text_to_int("-0", 0, 0, &n) && n == 0);
    assert_true(text_to_int("007", 0, 10, &n) && n == 7);
    assert_true(text_to_int("9223372036854775807", INT64_MIN, INT64_MAX, &n) && n == INT64_MAX);
    assert_true(text_to_int("-9223372036854775808", INT64_MIN, INT64_MAX, &n) && n == INT64_MIN);
}

static void test_to_int_refuses_everything_else(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "-",
                                      "+1",
                                      " 1",
                                      "1 ",
                                      "1x",
                                      "0x1",
                                      "1.0",
                                      "--1",
                                      "9223372036854775808",
                                      "1e3",
                                      "-9223372036854775809",
                                      "99999999999999999999"};
    int64_t n = 77;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(text_to_int(bad[i], INT64_MIN, INT64_MAX, &n));
    assert_false(text_to_int("5", 6, 10, &n));
    assert_false(text_to_int("11", 6, 10, &n));
    assert_int_equal(n, 77); /* untouched */
}

static void test_to_double(void **state)
{
    (void)state;
    static const char *const bad[] = {"",    "-",   ".",    "+1",  " 1", "1 ",     "1,5",
                                      "0x1", "inf", "-inf", "nan", "1e", "1e9999", "infinity"};
    double d = 77;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (text_to_double(bad[i], -DBL_MAX, DBL_MAX, &d))
            fail_msg("\"%s\" was read as %g", bad[i], d);
    assert_true(d == 77);
    assert_true(text_to_double("1.5", 0, 2, &d) && d == 1.5);
    assert_true(text_to_double(".5", 0, 2, &d) && d == 0.5);
    assert_true(text_to_double("-2e-3", -1, 2, &d) && d == -2e-3);
    assert_true(text_to_double("0", 0, 0, &d) && d == 0);
    assert_false(text_to_double("2.1", 0, 2, &d));
    assert_false(text_to_double("-0.1", 0, 2, &d));
}

static void test_numbers_have_a_point_in_every_locale(void **state)
{
    (void)state;
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL && setlocale(LC_ALL, "fr_FR.UTF-8") == NULL)
        return; /* no locale here has a comma */
    double d = 0;
    bool read = text_to_double("1.5", 0, 2, &d);
    char buffer[16];
    text t;
    text_init_fixed(&t, buffer, sizeof buffer);
    text_double(&t, 2.5, 6);
    setlocale(LC_ALL, "C");
    assert_true(read && d == 1.5);
    assert_string_equal(buffer, "2.5");
}

static void test_to_size(void **state)
{
    (void)state;
    uint64_t n;
    assert_true(text_to_size("0", &n) && n == 0);
    assert_true(text_to_size("4096", &n) && n == 4096);
    assert_true(text_to_size("4096B", &n) && n == 4096);
    assert_true(text_to_size("1k", &n) && n == 1024);
    assert_true(text_to_size("512M", &n) && n == (uint64_t)512 << 20);
    assert_true(text_to_size("2GiB", &n) && n == (uint64_t)2 << 30);
    assert_true(text_to_size("2GB", &n) && n == (uint64_t)2 << 30);
    assert_true(text_to_size("1.5g", &n) && n == (uint64_t)3 << 29);
    assert_true(text_to_size("0.1k", &n) && n == 102);
    assert_true(text_to_size("15.9E", &n) && n == UINT64_C(18331451923248866918));
    assert_true(text_to_size("18446744073709551615", &n) && n == UINT64_MAX);
}

static void test_to_size_refuses_what_is_no_size(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "M",
                                      "-1",
                                      "1.5",
                                      "1X",
                                      "1 M",
                                      "1Mi",
                                      "1MiBs",
                                      "1iB",
                                      "1.M",
                                      ".5M",
                                      "16E",
                                      "1e3",
                                      "1Bk",
                                      "1BB",
                                      "18446744073709551616",
                                      "1.99999999999999999999999G"};
    uint64_t n;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (text_to_size(bad[i], &n))
            fail_msg("\"%s\" was read as %llu", bad[i], (unsigned long long)n);
}

static void test_to_count(void **state)
{
    (void)state;
    uint64_t n;
    assert_true(text_to_count("0", &n) && n == 0);
    assert_true(text_to_count("10k", &n) && n == 10000);
    assert_true(text_to_count("20M", &n) && n == 20000000);
    assert_true(text_to_count("1.5G", &n) && n == 1500000000);
    assert_true(text_to_count("18446744073709551615", &n) && n == UINT64_MAX);
    static const char *const bad[] = {"", "k", "-1", "1.5", "1.2345k", "1kB", "19E", "1,000"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (text_to_count(bad[i], &n))
            fail_msg("\"%s\" was read as %llu", bad[i], (unsigned long long)n);
}

static void test_to_duration(void **state)
{
    (void)state;
    double d;
    assert_true(text_to_duration("90", &d) && d == 90);
    assert_true(text_to_duration("1.5", &d) && d == 1.5);
    assert_true(text_to_duration("90s", &d) && d == 90);
    assert_true(text_to_duration("5m", &d) && d == 300);
    assert_true(text_to_duration("2h", &d) && d == 7200);
    assert_true(text_to_duration("1d", &d) && d == 86400);
    assert_true(text_to_duration("250ms", &d) && d == 0.25);
    static const char *const bad[] = {"", "s", "-1", "-0", "5 m", "5x", "5mm", "inf", "nan", "1e999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (text_to_duration(bad[i], &d))
            fail_msg("\"%s\" was read as %g", bad[i], d);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_new_text_is_empty_and_terminated),
        cmocka_unit_test(test_everything_that_appends),
        cmocka_unit_test(test_it_grows_across_every_length),
        cmocka_unit_test(test_printf_of_any_length),
        cmocka_unit_test(test_bytes_may_hold_zeros),
        cmocka_unit_test(test_no_memory_is_remembered_and_the_text_stays_valid),
        cmocka_unit_test(test_fixed_keeps_what_fits_and_counts_the_rest),
        cmocka_unit_test(test_fixed_without_a_buffer_only_counts),
        cmocka_unit_test(test_fixed_can_be_cleared_and_used_again),
        cmocka_unit_test(test_numbers_at_their_limits),
        cmocka_unit_test(test_count_has_commas_every_three_digits),
        cmocka_unit_test(test_size_rounds_and_changes_unit_in_time),
        cmocka_unit_test(test_rough_is_never_more_than_the_value),
        cmocka_unit_test(test_duration_picks_its_unit),
        cmocka_unit_test(test_clock_has_minutes_always),
        cmocka_unit_test(test_real_numbers_are_those_of_printf),
        cmocka_unit_test(test_double_is_short),
        cmocka_unit_test(test_show_char),
        cmocka_unit_test(test_to_int_reads_the_whole_range),
        cmocka_unit_test(test_to_int_refuses_everything_else),
        cmocka_unit_test(test_to_double),
        cmocka_unit_test(test_numbers_have_a_point_in_every_locale),
        cmocka_unit_test(test_to_size),
        cmocka_unit_test(test_to_size_refuses_what_is_no_size),
        cmocka_unit_test(test_to_count),
        cmocka_unit_test(test_to_duration),
    };
    UNIT_MAIN(tests);
}
