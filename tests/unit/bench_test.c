/* SPDX-License-Identifier: MIT */

#include "unit.h"

#include "bench.h"
#include "core/json.h"

/* What a benchmark prints, in memory. */
typedef struct paper {
    char *data;
    size_t size;
    bench_context context;
} paper;

static void paper_open(paper *p, bool as_json)
{
    *p = (paper){.context = {.json = as_json, .quick = true, .threads = 2, .seed = 1, .name = "core"}};
    p->context.out = open_memstream(&p->data, &p->size);
    assert_non_null(p->context.out);
}

static void paper_close(paper *p)
{
    fclose(p->context.out);
    free(p->data);
}

static void test_a_case_as_json(void **state)
{
    (void)state;
    paper p;
    paper_open(&p, true);
    assert_int_equal(bench_report(&p.context, "find", 1000, 0.5, "lookups/s", 0), HOLOS_OK);
    assert_int_equal(bench_report(&p.context, "solve", 10, 4, "positions/s", 77), HOLOS_OK);
    assert_string_equal(p.data, "{\"bench\":\"core\",\"case\":\"find\",\"n\":1000,\"cpu_seconds\":0.5,"
                                "\"rate\":2000,\"unit\":\"lookups/s\"}\n"
                                "{\"bench\":\"core\",\"case\":\"solve\",\"n\":10,\"cpu_seconds\":4,\"rate\":"
                                "2.5,\"unit\":\"positions/s\","
                                "\"nodes\":77}\n");
    paper_close(&p);
}

static void test_a_case_as_a_line(void **state)
{
    (void)state;
    paper p;
    paper_open(&p, false);
    bench_report(&p.context, "find", 5000000, 0.25, "lookups/s", 0);
    bench_report(&p.context, "solve", 10, 4, "positions/s", 77);
    assert_string_equal(
        p.data, "core       find                                    5.0 M     250 ms     20.0 M lookups/s\n"
                "core       solve                                      10      4.0 s        2.5 "
                "positions/s            77 nodes\n");
    paper_close(&p);
}

static void test_no_time_at_all_is_no_division(void **state)
{
    (void)state;
    paper p;
    paper_open(&p, true);
    bench_report(&p.context, "fast", 10, 0, "x/s", 0);
    assert_non_null(strstr(p.data, "\"rate\":0,"));
    paper_close(&p);
}

static void test_every_benchmark_is_listed(void **state)
{
    (void)state;
    size_t count = 0;
    for (; bench_at(count) != NULL; count++) {
        assert_ptr_equal(bench_find(bench_at(count)->name), bench_at(count));
        assert_true(strlen(bench_at(count)->summary) > 0);
    }
    assert_true(count > 0);
    assert_null(bench_find("nonsense"));
}

static void test_an_unknown_name_lists_those_there_are(void **state)
{
    (void)state;
    paper p;
    paper_open(&p, false);
    assert_fails(bench_run(&p.context, "nonsense"), p.context.error, HOLOS_USAGE, "choose from core");
    assert_int_equal(p.size, 0);
    paper_close(&p);
}

static void test_core_reports_every_case(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "table-insert",  "table-find-hit", "table-find-miss", "rng-next",     "table-find-hit-prefetch",
        "hash-bytes-32", "pool-round",     "json-object",     "cache-replace"};
    paper p;
    paper_open(&p, true);
    assert_ok(bench_run(&p.context, "core"), p.context.error);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char words[64];
        snprintf(words, sizeof words, "\"case\":\"%s\"", cases[i]);
        if (strstr(p.data, words) == NULL)
            fail_msg("no case %s", cases[i]);
    }
    for (char *line = strtok(p.data, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        holos_error err;
        json_t *object = json_read(line, strlen(line), &err);
        assert_non_null(object);
        assert_string_equal(json_string_value(json_object_get(object, "bench")), "core");
        assert_true(json_number_value(json_object_get(object, "rate")) > 0);
        json_decref(object);
    }
    paper_close(&p);
}

static void test_too_little_memory_is_an_error(void **state)
{
    (void)state;
    paper p;
    paper_open(&p, true);
    p.context.mem = 1000;
    assert_fails(bench_run(&p.context, "core"), p.context.error, HOLOS_NO_MEMORY, "the limit is 1000 B");
    paper_close(&p);
}

static void test_it_can_be_interrupted(void **state)
{
    (void)state;
    holos_stop stop = {.asked = 1};
    paper p;
    paper_open(&p, true);
    p.context.stop = &stop;
    assert_fails(bench_run(&p.context, NULL), p.context.error, HOLOS_INTERRUPTED,
                 "interrupted after core rng-next");
    assert_null(strstr(p.data, "table"));
    paper_close(&p);
}

static void test_a_full_disk_is_an_error(void **state)
{
    (void)state;
    bench_context c = {.out = fopen("/dev/full", "w"), .quick = true, .threads = 1};
    assert_non_null(c.out);
    assert_fails(bench_run(&c, "core"), c.error, HOLOS_IO, "No space left");
    fclose(c.out);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_case_as_json),
        cmocka_unit_test(test_a_case_as_a_line),
        cmocka_unit_test(test_no_time_at_all_is_no_division),
        cmocka_unit_test(test_every_benchmark_is_listed),
        cmocka_unit_test(test_an_unknown_name_lists_those_there_are),
        cmocka_unit_test(test_core_reports_every_case),
        cmocka_unit_test(test_too_little_memory_is_an_error),
        cmocka_unit_test(test_it_can_be_interrupted),
        cmocka_unit_test(test_a_full_disk_is_an_error),
    };
    UNIT_MAIN(tests);
}
