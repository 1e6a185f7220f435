/* SPDX-License-Identifier: MIT */

#include "unit.h"

#include "core/log.h"

typedef struct heard {
    int count;
    log_level level;
    char message[2048];
} heard;

static void hear(void *context, log_level level, const char *message)
{
    heard *h = context;
    h->count++;
    h->level = level;
    snprintf(h->message, sizeof h->message, "%s", message);
}

static void test_a_remark_reaches_the_sink(void **state)
{
    (void)state;
    heard h = {0};
    logger l = {.level = LOG_LEVEL_INFO, .write = hear, .context = &h};
    log_write(&l, LOG_LEVEL_WARNING, "tier %d of %s", 3, "7");
    assert_int_equal(h.count, 1);
    assert_int_equal(h.level, LOG_LEVEL_WARNING);
    assert_string_equal(h.message, "tier 3 of 7");
}

static void test_remarks_above_the_level_are_dropped(void **state)
{
    (void)state;
    heard h = {0};
    logger l = {.level = LOG_LEVEL_WARNING, .write = hear, .context = &h};
    log_write(&l, LOG_LEVEL_INFO, "no");
    log_write(&l, LOG_LEVEL_DEBUG, "no");
    assert_int_equal(h.count, 0);
    assert_false(log_wants(&l, LOG_LEVEL_INFO));
    log_write(&l, LOG_LEVEL_WARNING, "yes");
    log_write(&l, LOG_LEVEL_ERROR, "yes");
    assert_int_equal(h.count, 2);
}

static void test_nobody_listens(void **state)
{
    (void)state;
    log_write(NULL, LOG_LEVEL_ERROR, "into the void");
    assert_false(log_wants(NULL, LOG_LEVEL_ERROR));
    logger mute = {.level = LOG_LEVEL_DEBUG};
    log_write(&mute, LOG_LEVEL_ERROR, "into the void");
    assert_false(log_wants(&mute, LOG_LEVEL_ERROR));
}

static void test_a_long_remark_is_cut(void **state)
{
    (void)state;
    char words[3000];
    memset(words, 'w', sizeof words - 1);
    words[sizeof words - 1] = '\0';
    heard h = {0};
    logger l = {.level = LOG_LEVEL_INFO, .write = hear, .context = &h};
    log_write(&l, LOG_LEVEL_INFO, "%s", words);
    assert_int_equal(strlen(h.message), 1023);
}

static void test_levels_have_names(void **state)
{
    (void)state;
    for (int i = LOG_LEVEL_ERROR; i <= LOG_LEVEL_DEBUG; i++) {
        log_level level;
        assert_true(log_level_read(log_level_name((log_level)i), &level));
        assert_int_equal(level, i);
    }
    log_level level;
    assert_false(log_level_read("loud", &level));
    assert_string_equal(log_level_name((log_level)9), "unknown");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_remark_reaches_the_sink),
        cmocka_unit_test(test_remarks_above_the_level_are_dropped),
        cmocka_unit_test(test_nobody_listens),
        cmocka_unit_test(test_a_long_remark_is_cut),
        cmocka_unit_test(test_levels_have_names),
    };
    UNIT_MAIN(tests);
}
