/* SPDX-License-Identifier: MIT */

/* Tasks that wait for each other: in which order they go out, what a plan says of them, and one rank that does them all. Several
 * ranks: tests/cli/tables_cluster_test.py. */

#include "unit.h"

#include "cluster/model.h"
#include "cluster/tasks.h"

#include <math.h>

#define COUNT 5

/* 0 → 2 → 3 is the longest chain; 1 is the longest task; 4 waits for nothing. */
static job_task list[COUNT] = {{.seconds = 2},
                               {.seconds = 5},
                               {.seconds = 3, .reads = 1000},
                               {.seconds = 4, .reads = 1000},
                               {.seconds = 1}};
static bool waits[COUNT * COUNT] = {[2 * COUNT + 0] = true, [3 * COUNT + 2] = true};
static const job_tasks tasks = {.list = list, .count = COUNT, .waits = waits};
static const model_machine machine = {.bandwidth = 1e9};

static void test_the_longest_chain_goes_first(void **state)
{
    (void)state;
    static const uint32_t expected[COUNT] = {0, 2, 1, 3, 4};
    uint32_t order[COUNT];
    holos_error err;
    assert_ok(tasks_order(&tasks, order, &err), err);
    assert_memory_equal(order, expected, sizeof order);
}

static void assert_seconds(unsigned ranks, unsigned threads, double seconds)
{
    model_plan plan = model_tasks(&tasks, ranks, threads, machine);
    if (fabs(plan.seconds - seconds) > 0.001)
        fail_msg("%u ranks of %u threads: %f s, not %f s", ranks, threads, plan.seconds, seconds);
}

static void test_a_plan_knows_what_waits(void **state)
{
    (void)state;
    assert_seconds(1, 1, 15);
    assert_seconds(2, 1, 9);    /* 0, 2, 3 beside 1, 4 */
    assert_seconds(1000, 1, 9); /* the chain */
    assert_seconds(1000, 2, 4.5);
    assert_int_equal(model_tasks(&tasks, 1, 1, machine).traffic, 0);
    assert_int_equal(model_tasks(&tasks, 2, 1, machine).traffic, 1000);
}

static void test_what_is_done_takes_no_time(void **state)
{
    (void)state;
    list[0].done = list[2].done = true;
    assert_seconds(2, 1, 5);
    list[0].done = list[2].done = false;
}

static void test_ranks_may_be_more_than_cores(void **state)
{
    (void)state;
    model_machine one = {.bandwidth = 1e9, .cores = 1};
    assert_true(fabs(model_tasks(&tasks, 4, 1, one).seconds - 15) < 0.001);
}

typedef struct notes {
    bool made[COUNT], heard[COUNT];
    uint32_t fails; /* the task that does */
} notes;

static holos_status note_make(void *context, uint32_t task, unsigned worker, const holos_stop *stop,
                              void *said, holos_error *err)
{
    notes *n = context;
    (void)stop;
    assert_int_equal(worker, 0);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_true(!waits[task * COUNT + i] || n->made[i]);
    assert_false(n->made[task]);
    n->made[task] = true;
    *(uint32_t *)said = 100 + task;
    return task == n->fails ? error_set(err, HOLOS_IO, HOLOS_NOWHERE, "the disk is full") : HOLOS_OK;
}

static holos_status note_hear(void *context, uint32_t task, const void *said, holos_error *err)
{
    notes *n = context;
    (void)err;
    assert_int_equal(*(const uint32_t *)said, 100 + task);
    n->heard[task] = true;
    return HOLOS_OK;
}

static void test_one_rank_does_them_all(void **state)
{
    (void)state;
    uint64_t word;
    holos_cluster alone = cluster_alone(&word);
    notes n = {.fails = COUNT};
    job_work work = {.context = &n, .make = note_make, .hear = note_hear, .said_size = sizeof(uint32_t)};
    holos_error err;
    holos_stop stop = {0};
    assert_ok(tasks_run(&alone, &tasks, &work, &stop, &err), err);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_true(n.made[i] && n.heard[i]);
}

static void test_a_failure_ends_it(void **state)
{
    (void)state;
    uint64_t word;
    holos_cluster alone = cluster_alone(&word);
    notes n = {.fails = 2};
    job_work work = {.context = &n, .make = note_make, .hear = note_hear, .said_size = sizeof(uint32_t)};
    holos_error err;
    holos_stop stop = {0};
    assert_fails(tasks_run(&alone, &tasks, &work, &stop, &err), err, HOLOS_IO, "the disk is full");
    assert_true(n.heard[0] && !n.heard[2] && !n.made[3]);
}

/* ---- Tasks that do not wait ---------------------------------------------------------------------- */

/* A matrix of so many would have 40 GB, and looking at every other task for each would take minutes. */
#define MANY    200000
#define THREADS 3

typedef struct many {
    job_task *list;
    _Atomic uint32_t made, busy[THREADS];
    uint32_t heard;
    uint32_t fails; /* the task whose news cannot be taken */
} many;

static job_tasks many_open(many *m)
{
    *m = (many){.list = calloc(MANY, sizeof *m->list), .fails = MANY};
    assert_non_null(m->list);
    for (uint32_t i = 0; i < MANY; i++)
        m->list[i] = (job_task){.seconds = 1, .done = i % 4 == 0};
    return (job_tasks){.list = m->list, .count = MANY};
}

static holos_status many_make(void *context, uint32_t task, unsigned worker, const holos_stop *stop,
                              void *said, holos_error *err)
{
    many *m = context;
    assert_true(worker < THREADS && m->busy[worker]++ == 0); /* its scratch space is its own */
    assert_false(m->list[task].done);
    *(uint32_t *)said = 100 + task;
    m->made++;
    m->busy[worker]--;
    return holos_stop_asked(stop) ? error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted")
                                  : HOLOS_OK;
}

static holos_status many_hear(void *context, uint32_t task, const void *said, holos_error *err)
{
    many *m = context;
    assert_int_equal(*(const uint32_t *)said, 100 + task);
    assert_false(m->list[task].done);
    m->list[task].done = true;
    m->heard++;
    return task == m->fails ? error_set(err, HOLOS_IO, HOLOS_NOWHERE, "the disk is full") : HOLOS_OK;
}

static holos_status many_run(many *m, const job_tasks *t, holos_error *err)
{
    uint64_t word;
    holos_cluster alone = cluster_alone(&word);
    holos_stop stop = {0};
    job_work work = {.context = m, .make = many_make, .hear = many_hear, .said_size = sizeof(uint32_t)};
    assert_ok(pool_open(THREADS, &work.threads, err), *err);
    holos_status status = tasks_run(&alone, t, &work, &stop, err);
    pool_close(work.threads);
    return status;
}

static void test_many_tasks_that_do_not_wait(void **state)
{
    (void)state;
    many m;
    holos_error err;
    job_tasks t = many_open(&m);
    assert_ok(many_run(&m, &t, &err), err);
    assert_int_equal(m.made, MANY / 4 * 3);
    assert_int_equal(m.heard, MANY / 4 * 3);
    free(m.list);
}

static void test_news_that_cannot_be_taken_end_it(void **state)
{
    (void)state;
    many m;
    holos_error err;
    job_tasks t = many_open(&m);
    m.fails = 5;
    assert_fails(many_run(&m, &t, &err), err, HOLOS_IO, "the disk is full");
    assert_true(m.made < MANY / 2);
    free(m.list);
}

static void test_a_plan_of_tasks_that_do_not_wait(void **state)
{
    (void)state;
    many m;
    job_tasks t = many_open(&m);
    double all = MANY / 4.0 * 3;
    assert_true(fabs(model_tasks(&t, 1, 1, machine).seconds - all) < 0.001);
    assert_true(fabs(model_tasks(&t, 8, 1, machine).seconds - all / 8) < 0.001);
    assert_true(fabs(model_tasks(&t, 8, 2, machine).seconds - all / 16) < 0.001);
    t.count = 3; /* fewer than there are ranks, and one is done */
    t.list[1].seconds = 5;
    assert_true(fabs(model_tasks(&t, 8, 1, machine).seconds - 5) < 0.001);
    free(m.list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_longest_chain_goes_first),
        cmocka_unit_test(test_a_plan_knows_what_waits),
        cmocka_unit_test(test_what_is_done_takes_no_time),
        cmocka_unit_test(test_ranks_may_be_more_than_cores),
        cmocka_unit_test(test_one_rank_does_them_all),
        cmocka_unit_test(test_a_failure_ends_it),
        cmocka_unit_test(test_many_tasks_that_do_not_wait),
        cmocka_unit_test(test_news_that_cannot_be_taken_end_it),
        cmocka_unit_test(test_a_plan_of_tasks_that_do_not_wait),
    };
    UNIT_MAIN(tests);
}
