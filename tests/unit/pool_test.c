/* SPDX-License-Identifier: MIT */

#include "unit.h"

#include "core/clock.h"
#include "core/pool.h"
#include "core/rng.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { THREADS_MOST = 8 };

static pool *open_pool(unsigned threads)
{
    pool *p;
    holos_error err;
    assert_ok(pool_open(threads, &p, &err), err);
    return p;
}

/* ---- Every index once -------------------------------------------------------------------------- */

typedef struct tally {
    _Atomic uint8_t *seen;
    _Atomic uint32_t worker_mask;
} tally;

static void count_index(void *context, uint64_t index, unsigned worker)
{
    tally *t = context;
    atomic_fetch_add(&t->seen[index], 1);
    atomic_fetch_or(&t->worker_mask, 1u << worker);
}

static void test_every_index_runs_once(void **state)
{
    (void)state;
    static const uint64_t counts[] = {0, 1, 2, 3, 7, 8, 9, 64, 1000, 4096, 300001};
    for (unsigned threads = 1; threads <= THREADS_MOST; threads++) {
        pool *p = open_pool(threads);
        assert_int_equal(pool_threads(p), threads);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            tally t = {.seen = calloc(counts[i] + 1, 1)};
            pool_run(p, counts[i], count_index, &t);
            for (uint64_t k = 0; k < counts[i]; k++)
                assert_int_equal(t.seen[k], 1);
            assert_true(t.worker_mask >> threads == 0);
            free(t.seen);
        }
        pool_close(p);
    }
}

static void sum_plainly(void *context, uint64_t index, unsigned worker)
{
    uint64_t *sums = context; /* one for each worker, and a line apart: no atomics needed */
    sums[8 * worker] += index;
}

static void test_workers_have_scratch_space_of_their_own(void **state)
{
    (void)state;
    pool *p = open_pool(4);
    uint64_t sums[8 * 4] = {0}, total = 0;
    pool_run(p, 100000, sum_plainly, sums);
    for (unsigned w = 0; w < 4; w++)
        total += sums[8 * w];
    assert_int_equal(total, UINT64_C(100000) * 99999 / 2);
    pool_close(p);
}

static void wait_for_the_others(void *context, uint64_t index, unsigned worker)
{
    (void)index;
    (void)worker;
    atomic_int *waiting = context;
    atomic_fetch_sub(waiting, 1);
    while (atomic_load(waiting) > 0)
        sched_yield();
}

static void test_all_threads_work_at_once(void **state)
{
    (void)state;
    pool *p = open_pool(THREADS_MOST);
    atomic_int waiting = THREADS_MOST;
    pool_run(p, THREADS_MOST, wait_for_the_others, &waiting); /* or it never ends */
    assert_int_equal(waiting, 0);
    pool_close(p);
}

static void test_a_pool_can_be_used_again_and_again(void **state)
{
    (void)state;
    pool *p = open_pool(3);
    uint64_t sums[8 * 3] = {0};
    for (int i = 0; i < 3000; i++)
        pool_run(p, 4, sum_plainly, sums);
    assert_int_equal(sums[0] + sums[8] + sums[16], 3000 * 6);
    pool_close(p);
}

/* ---- Results that do not depend on the threads ------------------------------------------------- */

static void draw_number(void *context, uint64_t index, unsigned worker)
{
    (void)worker;
    uint64_t *out = context;
    rng r;
    rng_init(&r, 42, index);
    for (uint64_t i = 0; i <= index % 100; i++)
        out[index] = rng_next(&r);
}

static void test_results_do_not_depend_on_the_number_of_threads(void **state)
{
    (void)state;
    enum { JOBS = 5000 };
    uint64_t *first = calloc(JOBS, sizeof *first), *other = calloc(JOBS, sizeof *other);
    for (unsigned threads = 1; threads <= THREADS_MOST; threads++) {
        pool *p = open_pool(threads);
        pool_run(p, JOBS, draw_number, threads == 1 ? first : other);
        pool_close(p);
        if (threads > 1)
            assert_memory_equal(first, other, JOBS * sizeof *first);
        memset(other, 0, JOBS * sizeof *other);
    }
    free(first);
    free(other);
}

/* ---- One thread, no threads -------------------------------------------------------------------- */

typedef struct caller_note {
    pthread_t caller;
    bool same;
} caller_note;

static void note_caller(void *context, uint64_t index, unsigned worker)
{
    (void)index;
    caller_note *note = context;
    note->same = worker == 0 && pthread_equal(note->caller, pthread_self());
}

static void test_one_thread_is_the_caller(void **state)
{
    (void)state;
    caller_note note = {.caller = pthread_self()};
    pool *p = open_pool(1);
    pool_run(p, 1, note_caller, &note);
    assert_true(note.same);
    pool_close(p);
}

/* ---- Errors ------------------------------------------------------------------------------------ */

static void test_too_many_threads_are_refused(void **state)
{
    (void)state;
    pool *p;
    holos_error err;
    assert_fails(pool_open(POOL_THREADS_MOST + 1, &p, &err), err, HOLOS_USAGE, "at most 1024");
}

static void test_threads_that_cannot_be_started_are_an_error(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) { /* as nobody, who may have no more threads: root may always */
        struct rlimit none = {1, 1};
        pool *p;
        holos_error err = {0};
        if (setuid(65534) != 0 || setrlimit(RLIMIT_NPROC, &none) != 0)
            _exit(77);
        holos_status status = pool_open(3, &p, &err);
        _exit(status == HOLOS_IO && strstr(err.message, "cannot start thread 2 of 3") != NULL ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 77));
}

static void test_zero_threads_means_all_processors(void **state)
{
    (void)state;
    assert_in_range(pool_processors(), 1, 1 << 20);
    pool *p = open_pool(0);
    assert_int_equal(pool_threads(p), pool_processors());
    pool_close(p);
    pool_close(NULL);
}

typedef struct signal_note {
    atomic_int of_worker[2]; /* 0: has not come, 1: takes signals, 2: does not */
} signal_note;

static void note_signals(void *context, uint64_t index, unsigned worker)
{
    (void)index;
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    signal_note *note = context;
    atomic_store(&note->of_worker[worker], 1 + (sigismember(&mask, SIGINT) != 0));
    double until = clock_wall() + 0.001; /* long enough for the others to come */
    while (clock_wall() < until)
        sched_yield();
}

static void test_signals_stay_with_the_caller(void **state)
{
    (void)state;
    pool *p = open_pool(2);
    signal_note note = {{0, 0}};
    for (int i = 0; i < 1000 && (note.of_worker[0] == 0 || note.of_worker[1] == 0); i++)
        pool_run(p, 4, note_signals, &note);
    assert_int_equal(note.of_worker[0], 1);
    assert_int_equal(note.of_worker[1], 2);
    pool_close(p);
}

/* ---- Time -------------------------------------------------------------------------------------- */

static void test_clocks_go_forward(void **state)
{
    (void)state;
    double wall = clock_wall(), cpu = clock_cpu();
    volatile uint64_t work = 0;
    while (clock_cpu() - cpu < 0.01)
        work = work + 1;
    assert_true(clock_wall() > wall);
    assert_true(clock_cpu() > cpu);
    assert_true(clock_wall() < CLOCK_NEVER);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_index_runs_once),
        cmocka_unit_test(test_workers_have_scratch_space_of_their_own),
        cmocka_unit_test(test_all_threads_work_at_once),
        cmocka_unit_test(test_a_pool_can_be_used_again_and_again),
        cmocka_unit_test(test_results_do_not_depend_on_the_number_of_threads),
        cmocka_unit_test(test_one_thread_is_the_caller),
        cmocka_unit_test(test_too_many_threads_are_refused),
        cmocka_unit_test(test_threads_that_cannot_be_started_are_an_error),
        cmocka_unit_test(test_zero_threads_means_all_processors),
        cmocka_unit_test(test_signals_stay_with_the_caller),
        cmocka_unit_test(test_clocks_go_forward),
    };
    UNIT_MAIN(tests);
}
