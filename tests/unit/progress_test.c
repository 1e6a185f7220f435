/* SPDX-License-Identifier: MIT */

#include "unit.h"

#include "core/clock.h"
#include "core/json.h"
#include "core/pool.h"
#include "core/progress.h"
#include "core/screen.h"

#include <time.h>

/* Where a progress writes in these tests. */
typedef struct paper {
    char *data;
    size_t size;
    FILE *out;
} paper;

static void paper_open(paper *s)
{
    *s = (paper){0};
    s->out = open_memstream(&s->data, &s->size);
    assert_non_null(s->out);
}

static void paper_close(paper *s)
{
    fclose(s->out);
    free(s->data);
}

static size_t count_words(const char *s, const char *word)
{
    size_t count = 0;
    for (; (s = strstr(s, word)) != NULL; s += strlen(word))
        count++;
    return count;
}

static void shown_init(progress *p, screen *on, FILE *out, screen_mode mode, const mem_budget *budget)
{
    screen_init(on, out, mode);
    progress_init(p, mode != SCREEN_NONE ? screen_show : NULL, on, screen_interval(on));
    p->budget = budget;
}

static void shown_free(progress *p, screen *on)
{
    progress_free(p);
    screen_free(on);
}

/* Counts until it has been drawn `times` more. */
static void work_until_drawn(progress *p, paper *s, const char *mark, size_t times)
{
    fflush(s->out);
    size_t enough = count_words(s->data, mark) + times;
    while (count_words(s->data, mark) < enough) {
        progress_add(p, 1);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        fflush(s->out);
    }
}

/* ---- How it looks ------------------------------------------------------------------------------ */

#define CHECK_LINE(expected, ...)                                                                            \
    do {                                                                                                     \
        char buffer[256];                                                                                    \
        text t;                                                                                              \
        text_init_fixed(&t, buffer, sizeof buffer);                                                          \
        holos_progress s = {.label = "explore", .unit = "positions", __VA_ARGS__};                           \
        screen_format_line(&s, &t);                                                                          \
        assert_string_equal(buffer, expected);                                                               \
    } while (0)

static void test_a_line_says_what_is_known(void **state)
{
    (void)state;
    CHECK_LINE("explore: 1.2 M of 5.3 M positions, 22 %, 130 k/s, 0:31 left, 310 MiB", .done = 1200000,
               .total = 5300000, .rate = 130000, .seconds = 9, .memory = 325058560);
    CHECK_LINE("explore: 1.2 M positions, 4.1 M/s, 0:09", .done = 1200000, .rate = 4100000, .seconds = 9);
    CHECK_LINE("explore: 0 of 10 positions, 0 %, 0:00", .total = 10);
    CHECK_LINE("explore: 3 of 10 positions, 30 %, 0.5/s, 0:14 left", .done = 3, .total = 10, .rate = 0.5,
               .seconds = 6);
    CHECK_LINE("explore: 10 of 10 positions, 100 %, 5.0/s, 0:00 left", .done = 10, .total = 10, .rate = 5);
}

static void test_a_wave_says_its_layer_and_its_seed(void **state)
{
    (void)state;
    CHECK_LINE("explore: 1.2 M positions, layer 7, 25 % solved, 130 k/s, 0:31 left, 310 MiB, seed -3..+4",
               .done = 1200000, .rate = 130000, .seconds = 9, .left = 31, .memory = 325058560,
               .is_wave = true, .layer = 7, .solved = 300000, .has_seed = true, .seed_lo = -3, .seed_hi = 4);
    CHECK_LINE("explore: 10 positions, layer 1, 100 % solved, 0:02, seed +0", .done = 10, .seconds = 2,
               .is_wave = true, .layer = 1, .solved = 10, .has_seed = true);
}

static void test_more_than_the_total_has_no_percentage(void **state)
{
    (void)state;
    CHECK_LINE("explore: 12 of 10 positions, 5.0/s, 0:02", .done = 12, .total = 10, .rate = 5, .seconds = 2);
}

static void test_json_leaves_out_what_is_not_known(void **state)
{
    (void)state;
    char buffer[256];
    text t;
    text_init_fixed(&t, buffer, sizeof buffer);
    holos_progress s = {.label = "a \"b\"", .unit = "games", .done = 5, .seconds = 1.5};
    screen_format_json(&s, &t);
    assert_string_equal(buffer,
                        "{\"event\":\"progress\",\"label\":\"a \\\"b\\\"\",\"done\":5,\"unit\":\"games\","
                        "\"seconds\":1.5}");
    text_clear(&t);
    s = (holos_progress){.label = "x",
                         .unit = "u",
                         .done = 5,
                         .total = 10,
                         .rate = 2,
                         .seconds = 1,
                         .memory = 7,
                         .ended = true};
    screen_format_json(&s, &t);
    assert_string_equal(buffer, "{\"event\":\"done\",\"label\":\"x\",\"done\":5,\"total\":10,\"unit\":\"u\","
                                "\"rate\":2,\"seconds\":1,\"left\":2.5,\"memory\":7}");
}

/* ---- A terminal -------------------------------------------------------------------------------- */

static void test_a_line_is_drawn_over_and_erased(void **state)
{
    (void)state;
    paper s;
    paper_open(&s);
    mem_budget budget;
    mem_budget_init(&budget, 0);
    void *block = mem_alloc(&budget, 3 << 20);
    progress p;
    screen on;
    shown_init(&p, &on, s.out, SCREEN_LINE, &budget);
    progress_begin(&p, "explore", "positions", 1000);
    work_until_drawn(&p, &s, "explore: ", 2);
    progress_end(&p);
    fflush(s.out);
    assert_null(strchr(s.data, '\n'));
    assert_memory_equal(s.data, "\r\x1b[Kexplore: ", 13);
    assert_non_null(strstr(s.data, " of 1.0 k positions"));
    assert_non_null(strstr(s.data, "3.0 MiB"));
    assert_string_equal(s.data + s.size - 4, "\r\x1b[K");
    size_t size = s.size;
    progress_add(&p, 1); /* after the end nothing is drawn */
    progress_end(&p);
    shown_free(&p, &on);
    fflush(s.out);
    assert_int_equal(s.size, size);
    paper_close(&s);
    mem_free(&budget, block, 3 << 20);
}

static void test_it_is_drawn_ten_times_a_second_at_most(void **state)
{
    (void)state;
    paper s;
    paper_open(&s);
    progress p;
    screen on;
    shown_init(&p, &on, s.out, SCREEN_LINE, NULL);
    progress_begin(&p, "x", "things", 0);
    double begin = clock_wall();
    while (clock_wall() - begin < 0.5)
        progress_add(&p, 1);
    double seconds = clock_wall() - begin;
    fflush(s.out);
    size_t drawn = count_words(s.data, "\r");
    assert_true((double)drawn <= seconds * 10 + 1);
    assert_in_range(drawn, 1, SIZE_MAX);
    shown_free(&p, &on);
    paper_close(&s);
}

static void test_what_is_done_in_no_time_needs_no_line(void **state)
{
    (void)state;
    paper s;
    paper_open(&s);
    progress p;
    screen on;
    shown_init(&p, &on, s.out, SCREEN_LINE, NULL);
    progress_begin(&p, "x", "things", 10);
    progress_add(&p, 10);
    progress_end(&p);
    shown_free(&p, &on);
    fflush(s.out);
    assert_int_equal(s.size, 0);
    paper_close(&s);
}

static void test_a_long_line_is_cut_before_it_wraps(void **state)
{
    (void)state;
    paper s;
    paper_open(&s);
    progress p;
    screen on;
    shown_init(&p, &on, s.out, SCREEN_LINE, NULL);
    progress_begin(&p, "äöüßäöüßäöüßäöüßäöüßäöüß a label that is", "of a unit that is longer", 1000000);
    work_until_drawn(&p, &s, "\r", 1);
    size_t characters = 0;
    for (const char *c = s.data + 4; *c != '\0'; c++)
        characters += ((unsigned char)*c & 0xC0) != 0x80;
    assert_int_equal(characters, 79); /* not a terminal: 80 columns */
    shown_free(&p, &on);
    paper_close(&s);
}

static void test_remarks_stand_above_the_line(void **state)
{
    (void)state;
    paper s;
    paper_open(&s);
    progress p;
    screen on;
    shown_init(&p, &on, s.out, SCREEN_LINE, NULL);
    logger l = {.level = LOG_LEVEL_INFO, .write = screen_log, .context = &on};
    log_write(&l, LOG_LEVEL_INFO, "before");
    progress_begin(&p, "explore", "positions", 0);
    work_until_drawn(&p, &s, "explore: ", 1);
    log_write(&l, LOG_LEVEL_WARNING, "disk is slow");
    work_until_drawn(&p, &s, "explore: ", 1);
    assert_memory_equal(s.data, "before\n", 7);
    assert_non_null(strstr(s.data, "\r\x1b[Kwarning: disk is slow\n\r\x1b[Kexplore: "));
    shown_free(&p, &on);
    paper_close(&s);
}

/* ---- JSON -------------------------------------------------------------------------------------- */

static void test_json_is_one_object_a_line(void **state)
{
    (void)state;
    paper s;
    paper_open(&s);
    progress p;
    screen on;
    shown_init(&p, &on, s.out, SCREEN_JSON, NULL);
    logger l = {.level = LOG_LEVEL_INFO, .write = screen_log, .context = &on};
    progress_begin(&p, "build", "tiers", 3);
    progress_set_total(&p, 4);
    progress_add(&p, 4);
    log_write(&l, LOG_LEVEL_INFO, "tier \"5\"");
    progress_end(&p);
    shown_free(&p, &on);
    fflush(s.out);
    assert_int_equal(count_words(s.data, "\n"), 2);
    char *line = strtok(s.data, "\n");
    assert_string_equal(line, "{\"event\":\"log\",\"level\":\"info\",\"message\":\"tier \\\"5\\\"\"}");
    line = strtok(NULL, "\n");
    holos_error err;
    json_t *done = json_read(line, strlen(line), &err);
    assert_non_null(done);
    assert_string_equal(json_string_value(json_object_get(done, "event")), "done");
    assert_int_equal(json_integer_value(json_object_get(done, "done")), 4);
    assert_int_equal(json_integer_value(json_object_get(done, "total")), 4);
    assert_true(json_number_value(json_object_get(done, "rate")) > 0);
    json_decref(done);
    paper_close(&s);
}

static void test_a_log_gets_a_line_now_and_then(void **state)
{
    (void)state;
    paper s;
    screen on;
    progress p;
    paper_open(&s);
    shown_init(&p, &on, s.out, SCREEN_LOG, NULL);
    progress_begin(&p, "build", "tiers", 4);
    progress_add(&p, 1);
    progress_end(&p); /* in no time */
    fflush(s.out);
    assert_int_equal(count_words(s.data, "\n"), 0);
    const double passed[] = {1, 100, 1e6}, pause[] = {0.5, 50, 600};
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) {
        on.next = on.begun = clock_wall() - passed[i];
        progress_begin(&p, "build", "tiers", 4);
        progress_add(&p, 1);
        progress_end(&p);
        progress_begin(&p, "store", "rows", 4); /* not due */
        progress_end(&p);
        fflush(s.out);
        assert_int_equal(count_words(s.data, "\n"), i + 1);
        assert_int_equal(count_words(s.data, "build: 1 of 4 tiers, 25 %"), i + 1);
        double next = on.next - on.begun - passed[i];
        assert_true(next >= pause[i] && next < pause[i] + 60);
    }
    assert_int_equal(count_words(s.data, "\r") + count_words(s.data, "\x1b"), 0);
    shown_free(&p, &on);
    paper_close(&s);
}

static void test_json_reports_while_it_works(void **state)
{
    (void)state;
    paper s;
    paper_open(&s);
    progress p;
    screen on;
    shown_init(&p, &on, s.out, SCREEN_JSON, NULL);
    progress_begin(&p, "build", "tiers", 1000000);
    work_until_drawn(&p, &s, "\"event\":\"progress\"", 1);
    shown_free(&p, &on); /* ends it, too */
    fflush(s.out);
    assert_int_equal(count_words(s.data, "\"event\":\"done\""), 1);
    paper_close(&s);
}

/* ---- Nobody looks ------------------------------------------------------------------------------ */

static void test_nobody_looks(void **state)
{
    (void)state;
    progress_begin(NULL, "x", "y", 1);
    progress_set_total(NULL, 2);
    progress_add(NULL, 1);
    progress_tick(NULL);
    progress_end(NULL);
    paper s;
    paper_open(&s);
    progress p;
    screen on;
    shown_init(&p, &on, s.out, SCREEN_NONE, NULL);
    progress_begin(&p, "x", "y", 1);
    progress_add(&p, 1);
    progress_tick(&p);
    screen_log(&on, LOG_LEVEL_ERROR, "heard");
    shown_free(&p, &on);
    fflush(s.out);
    assert_string_equal(s.data, "error: heard\n"); /* remarks are not progress */
    paper_close(&s);
}

/* ---- Threads ----------------------------------------------------------------------------------- */

static void add_and_remark(void *context, uint64_t index, unsigned worker)
{
    progress *p = context;
    (void)worker;
    progress_add(p, 1);
    if (index % 20000 == 0)
        screen_log(p->context, LOG_LEVEL_INFO, "remark");
}

static void test_threads_count_together(void **state)
{
    (void)state;
    paper s;
    paper_open(&s);
    progress p;
    screen on;
    shown_init(&p, &on, s.out, SCREEN_LINE, NULL);
    progress_begin(&p, "x", "things", 200000);
    pool *workers;
    holos_error err;
    assert_ok(pool_open(4, &workers, &err), err);
    pool_run(workers, 200000, add_and_remark, &p);
    pool_close(workers);
    assert_int_equal(p.done, 200000);
    shown_free(&p, &on);
    fflush(s.out);
    assert_int_equal(count_words(s.data, "remark\n"), 10);
    paper_close(&s);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_line_says_what_is_known),
        cmocka_unit_test(test_a_wave_says_its_layer_and_its_seed),
        cmocka_unit_test(test_more_than_the_total_has_no_percentage),
        cmocka_unit_test(test_json_leaves_out_what_is_not_known),
        cmocka_unit_test(test_a_line_is_drawn_over_and_erased),
        cmocka_unit_test(test_it_is_drawn_ten_times_a_second_at_most),
        cmocka_unit_test(test_what_is_done_in_no_time_needs_no_line),
        cmocka_unit_test(test_a_long_line_is_cut_before_it_wraps),
        cmocka_unit_test(test_remarks_stand_above_the_line),
        cmocka_unit_test(test_a_log_gets_a_line_now_and_then),
        cmocka_unit_test(test_json_is_one_object_a_line),
        cmocka_unit_test(test_json_reports_while_it_works),
        cmocka_unit_test(test_nobody_looks),
        cmocka_unit_test(test_threads_count_together),
    };
    UNIT_MAIN(tests);
}
