/* SPDX-License-Identifier: MIT */

/* Tables that two ranks make together, here two threads: each reads what the other has written. With MPI and whole programs:
 * tests/cli/tables_cluster_test.py; there tables are read from files only if they have five pieces, which takes minutes. */

#include "unit.h"

#include "core/file.h"
#include "games/chess/tables/endings.h"
#include "games/chess/tables/material.h"
#include "games/chess/tables/syzygy.h"

#include <pthread.h>
#include <sched.h>

#define RANKS      2
#define TASKS_MOST 64

/* What they have in common. */
typedef struct ranks {
    endings_request request;
    pthread_barrier_t together;
    pthread_mutex_t lock;
    holos_status statuses[RANKS];
    void *shared; /* of the first */
    const job_work *first;
    bool begun[TASKS_MOST], done[TASKS_MOST];
    unsigned counts[RANKS]; /* tasks of each */
    uint32_t left;
} ranks;

typedef struct one_rank {
    ranks *all;
    unsigned number;
    endings_report report;
    holos_status status;
    holos_error err;
} one_rank;

static holos_status ranks_agree(void *context, holos_status status, holos_error *err)
{
    one_rank *r = context;
    (void)err;
    pthread_barrier_wait(&r->all->together);
    r->all->statuses[r->number] = status;
    pthread_barrier_wait(&r->all->together);
    return r->all->statuses[0] != HOLOS_OK ? r->all->statuses[0] : r->all->statuses[1];
}

static void ranks_share(void *context, void *bytes, size_t size)
{
    one_rank *r = context;
    if (r->number == 0)
        r->all->shared = bytes;
    pthread_barrier_wait(&r->all->together);
    if (r->number > 0)
        memcpy(bytes, r->all->shared, size);
    pthread_barrier_wait(&r->all->together);
}

static void ranks_traffic(void *context, uint64_t *bytes, uint64_t *messages)
{
    (void)context;
    *bytes = *messages = 0;
}

/* In turns as far as there is something ready, so that both make some; the last first, to see that each waits for what it needs. */
static bool task_take(one_rank *r, const job_tasks *tasks, uint32_t *out)
{
    ranks *all = r->all;
    bool found = false;
    pthread_mutex_lock(&all->lock);
    for (uint32_t i = tasks->count; i-- > 0 && !found;) {
        bool ready = !all->begun[i] && all->counts[r->number] <= all->counts[1 - r->number];
        for (uint32_t k = 0; k < tasks->count; k++)
            ready = ready && (!tasks->waits[i * tasks->count + k] || all->done[k]);
        if (ready) {
            *out = i;
            all->begun[i] = found = true;
            all->counts[r->number]++;
        }
    }
    pthread_mutex_unlock(&all->lock);
    return found;
}

static holos_status ranks_run(void *context, const job_tasks *tasks, const job_work *work, holos_error *err)
{
    one_rank *r = context;
    ranks *all = r->all;
    unsigned char said[1024];
    holos_status status = HOLOS_OK;
    assert_true(tasks->count <= TASKS_MOST && work->said_size <= sizeof said);
    if (r->number == 0) {
        all->first = work;
        all->left = tasks->count;
        for (uint32_t i = 0; i < tasks->count; i++) {
            all->begun[i] = all->done[i] = tasks->list[i].done;
            all->left -= tasks->list[i].done;
        }
    }
    pthread_barrier_wait(&all->together);
    while (status == HOLOS_OK && __atomic_load_n(&all->left, __ATOMIC_ACQUIRE) > 0) {
        uint32_t task;
        if (!task_take(r, tasks, &task)) {
            sched_yield();
            continue;
        }
        status = work->make(work->context, task, 0, NULL, said, err);
        pthread_mutex_lock(&all->lock);
        all->done[task] = true;
        if (status == HOLOS_OK)
            status = all->first->hear(all->first->context, task, said, err);
        __atomic_fetch_sub(&all->left, 1, __ATOMIC_RELEASE);
        pthread_mutex_unlock(&all->lock);
    }
    return ranks_agree(context, status, err);
}

static void *rank_run(void *context)
{
    one_rank *r = context;
    endings_request request = r->all->request;
    job_company company = {.context = r,
                           .rank = r->number,
                           .ranks = RANKS,
                           .agree = ranks_agree,
                           .share = ranks_share,
                           .run = ranks_run,
                           .traffic = ranks_traffic};
    request.ranks = RANKS;
    request.follows = r->number > 0;
    request.company = &company;
    r->status = endings_make(&request, &r->report, &r->err);
    return NULL;
}

/* The report is the first rank's; the caller frees it. */
static endings_report tables_share(const endings_request *request, unsigned counts[RANKS])
{
    ranks all = {.request = *request};
    one_rank each[RANKS];
    pthread_t threads[RANKS];
    pthread_barrier_init(&all.together, NULL, RANKS);
    pthread_mutex_init(&all.lock, NULL);
    for (unsigned i = 0; i < RANKS; i++) {
        each[i] = (one_rank){.all = &all, .number = i};
        assert_int_equal(pthread_create(&threads[i], NULL, rank_run, &each[i]), 0);
    }
    for (unsigned i = 0; i < RANKS; i++) {
        pthread_join(threads[i], NULL);
        assert_ok(each[i].status, each[i].err);
        counts[i] = all.counts[i];
    }
    free(each[1].report.endings);
    pthread_barrier_destroy(&all.together);
    pthread_mutex_destroy(&all.lock);
    return each[0].report;
}

static void assert_same_file(const char *folder, const char *other, const char *name, const char *suffix)
{
    char file[32];
    holos_error err;
    text a, b;
    text_init(&a);
    text_init(&b);
    snprintf(file, sizeof file, "%s%s", name, suffix);
    assert_ok(file_read(unit_path(folder, file), 0, &a, &err), err);
    assert_ok(file_read(unit_path(other, file), 0, &b, &err), err);
    assert_int_equal(a.length, b.length);
    assert_memory_equal(a.data, b.data, a.length);
    text_free(&a);
    text_free(&b);
}

/* The same files and the same report as one process, which keeps everything in memory. */
static void assert_shared(const char *name, unsigned kept_pieces)
{
    char alone[64], shared[64];
    unsigned counts[RANKS];
    holos_error err;
    endings_report one;
    unit_make_folder(alone);
    unit_make_folder(shared);
    endings_request request = {.name = name, .folder = alone, .threads = 1, .kept_pieces = 5};
    assert_ok(endings_make(&request, &one, &err), err);
    request.folder = shared;
    request.kept_pieces = kept_pieces;
    endings_report both = tables_share(&request, counts);
    assert_int_equal(both.count, one.count);
    assert_true(counts[0] > 0 && counts[1] > 0);
    assert_true(both.traffic > 0); /* each has read what the other has made */
    for (size_t i = 0; i < one.count; i++) {
        const ending_report *a = &one.endings[i], *b = &both.endings[i];
        assert_string_equal(b->name, a->name);
        assert_string_equal(b->longest, a->longest);
        assert_memory_equal(b->counts, a->counts, sizeof a->counts);
        assert_int_equal(b->bytes, a->bytes);
        assert_int_equal(b->mate_most, a->mate_most);
        assert_int_equal(b->zeroing_most, a->zeroing_most);
        for (unsigned kind = 0; kind < SYZYGY_KINDS; kind++)
            assert_same_file(alone, shared, a->name, syzygy_suffix(kind));
    }
    free(one.endings);
    free(both.endings);
    unit_remove_folder(alone);
    unit_remove_folder(shared);
}

static void test_tables_read_from_another_rank_are_the_same(void **state)
{
    (void)state;
    bool all = getenv("HOLOS_LONG_TESTS") != NULL;
    assert_shared(all ? "KNvKP" : "KPvK", all ? 3 : 2);
}

static void test_tables_that_are_finished_are_not_made_again(void **state)
{
    (void)state;
    char folder[64];
    unsigned counts[RANKS];
    unit_make_folder(folder);
    endings_request request = {.name = "KPvK", .folder = folder, .threads = 1, .kept_pieces = 2};
    endings_report first = tables_share(&request, counts);
    assert_int_equal(unlink(unit_path(folder, "KPvK.rtbw")), 0);
    endings_report second = tables_share(&request, counts);
    assert_int_equal(counts[0] + counts[1], 1);
    assert_int_equal(second.count, first.count);
    for (size_t i = 0; i < second.count; i++)
        assert_int_equal(second.endings[i].was_there, strcmp(second.endings[i].name, "KPvK") != 0);
    free(first.endings);
    free(second.endings);
    unit_remove_folder(folder);
}

/* Whoever reads a file looks at captures, too. */
static void test_a_table_waits_for_all_that_it_reads_and_what_these_lead_to(void **state)
{
    (void)state;
    static const char *const read[] = {"KQNNvK", "KNNNvK", "KNNvK", "KQNvK", "KQvK"};
    tb_key keys[TASKS_MOST], key;
    holos_error err;
    endings_plan plan;
    endings_request request = {.name = "KNNPvK", .folder = "no such folder", .threads = 1, .ranks = 2};
    assert_ok(endings_plan_make(&request, &plan, &err), err);
    assert_ok(key_parse("KNNPvK", &key, &err), err);
    size_t count = key_closure(key, keys, TASKS_MOST), last = count - 1, found = 0;
    assert_int_equal(plan.tasks.count, count);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++) /* but for those, nothing waits */
            assert_true(i == last || !plan.tasks.waits[i * count + k]);
        for (size_t n = 0; n < sizeof read / sizeof *read; n++) {
            assert_ok(key_parse(read[n], &key, &err), err);
            found += keys[i] == key && plan.tasks.waits[last * count + i];
        }
    }
    assert_int_equal(found, sizeof read / sizeof *read);
    free(plan.tasks.list);
    free(plan.tasks.waits);
}

static void test_a_rank_needs_less_than_it_would_keep(void **state)
{
    (void)state;
    holos_error err;
    endings_plan alone, plan;
    endings_request request = {.pieces = 5, .folder = "no such folder", .threads = 1};
    assert_ok(endings_plan_make(&request, &alone, &err), err);
    request.ranks = 8;
    assert_ok(endings_plan_make(&request, &plan, &err), err);
    assert_true(plan.memory_least < plan.memory);
    assert_true(plan.memory < alone.memory + alone.memory / 4);
    assert_int_equal(plan.positions, alone.positions);
    assert_int_equal(plan.tasks.count, 145);
    free(plan.tasks.list);
    free(plan.tasks.waits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_read_from_another_rank_are_the_same),
        cmocka_unit_test(test_tables_that_are_finished_are_not_made_again),
        cmocka_unit_test(test_a_table_waits_for_all_that_it_reads_and_what_these_lead_to),
        cmocka_unit_test(test_a_rank_needs_less_than_it_would_keep),
    };
    UNIT_MAIN(tests);
}
