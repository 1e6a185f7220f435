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

static holos_status note_make(void *context, uint32_t task, const holos_stop *stop, void *said,
                              holos_error *err)
{
    notes *n = context;
    (void)stop;
    for (uint32_t i = 0; i < COUNT; i++)
        assert_true(!waits[task * COUNT + i] || n->made[i]);
    assert_false(n->made[task]);
    n->made[task] = true;
    *(uint32_t *)said = 100 + task;
    return task == n->fails ? error_set(err, HOLOS_IO, HOLOS_NOWHERE, "the disk is full") : HOLOS_OK;
}

static void note_hear(void *context, uint32_t task, const void *said)
{
    notes *n = context;
    assert_int_equal(*(const uint32_t *)said, 100 + task);
    n->heard[task] = true;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_longest_chain_goes_first),
        cmocka_unit_test(test_a_plan_knows_what_waits),
        cmocka_unit_test(test_what_is_done_takes_no_time),
        cmocka_unit_test(test_ranks_may_be_more_than_cores),
        cmocka_unit_test(test_one_rank_does_them_all),
        cmocka_unit_test(test_a_failure_ends_it),
    };
    UNIT_MAIN(tests);
}
