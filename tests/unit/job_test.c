/* SPDX-License-Identifier: MIT */

#include "unit.h"

#include "core/lock.h"
#include "session/value.h"

#include <sys/stat.h>

typedef struct place {
    holos_settings *settings; /* NULL: there are none */
    holos_variant *v;
    char folder[64], store[80];
    holos_error err;
} place;

static place place_open(const char *game)
{
    place p = {0};
    assert_ok(holos_open(game, &p.v, &p.err), p.err);
    unit_make_folder(p.folder);
    snprintf(p.store, sizeof p.store, "file:%s", p.folder);
    return p;
}

static void place_close(place *p)
{
    holos_settings_free(p->settings);
    unit_remove_folder(p->folder);
    holos_close(p->v);
}

static bool is_there(const char *folder, const char *name)
{
    return access(unit_path(folder, name), F_OK) == 0;
}

static const holos_field *field(const holos_job *job, const char *key)
{
    const holos_field *f = holos_report_find(holos_report_root(holos_job_report(job)), key);
    if (f == NULL)
        fail_msg("the report has no %s", key);
    return f;
}

/* Opens and runs; the caller closes. */
static holos_status run(place *p, const holos_job_options *o, holos_job **job)
{
    assert_ok(holos_job_open(p->v, o, job, &p->err), p->err);
    return holos_job_run(*job, &p->err);
}

/* ---- Requests ---------------------------------------------------------------------------------- */

static void test_null_is_an_error(void **state)
{
    (void)state;
    place p = place_open("kalah:2,2");
    holos_job *job;
    holos_plan plan;
    holos_report *report;
    const char *const words[] = {NULL};
    assert_fails(holos_job_open(NULL, NULL, &job, &p.err), p.err, HOLOS_USAGE, "a game and a place");
    assert_fails(holos_job_open(p.v, NULL, NULL, &p.err), p.err, HOLOS_USAGE, "a game and a place");
    assert_fails(holos_job_open(p.v,
                                &(holos_job_options){.kind = "wave", .operands = words, .operand_count = 1},
                                &job, &p.err),
                 p.err, HOLOS_USAGE, "NULL");
    assert_fails(holos_job_open(p.v, &(holos_job_options){.kind = "wave", .operand_count = 1}, &job, &p.err),
                 p.err, HOLOS_USAGE, "NULL");
    assert_null(job);
    assert_fails(holos_job_plan(NULL, &plan, &p.err), p.err, HOLOS_USAGE, "a job and a place");
    assert_fails(holos_job_run(NULL, &p.err), p.err, HOLOS_USAGE, "no job");
    assert_fails(holos_job_inspect(NULL, &report, &p.err), p.err, HOLOS_USAGE, "place");
    assert_fails(holos_job_inspect(".", NULL, &p.err), p.err, HOLOS_USAGE, "place");
    assert_null(holos_job_report(NULL));
    assert_null(holos_report_root(NULL));
    assert_null(holos_report_find(NULL, "x"));
    assert_null(holos_job_kind_at(NULL, 0));
    assert_false(holos_job_takes(NULL, "wave", "start"));
    holos_job_close(NULL);
    holos_report_close(NULL);
    assert_ok(holos_job_open(p.v, NULL, &job, &p.err), p.err); /* the defaults: a database */
    assert_string_equal(holos_job_name(job), "database");
    holos_job_close(job);
    place_close(&p);
}

static void test_kinds_are_listed_and_say_what_they_take(void **state)
{
    (void)state;
    place p = place_open("chess");
    holos_job *job;
    assert_string_equal(holos_job_kind_at(p.v, 0)->name, "tables");
    size_t count = 0;
    while (holos_job_kind_at(p.v, count) != NULL)
        count++;
    assert_int_equal(count, 11);
    assert_true(holos_job_takes(p.v, "tables", "KQvK"));
    assert_true(holos_job_takes(p.v, "region", "KQvK"));
    assert_false(holos_job_takes(p.v, "region", "start"));
    assert_true(holos_job_takes(p.v, "wave", "start"));
    assert_false(holos_job_takes(p.v, "book", "start"));
    assert_fails(holos_job_open(p.v, &(holos_job_options){.kind = "novel"}, &job, &p.err), p.err, HOLOS_USAGE,
                 "tables, database, graph, book, wave, region, session, training, lambda, ablation, match");
    const char *const word[] = {"KQvK"};
    assert_fails(holos_job_open(p.v,
                                &(holos_job_options){.kind = "graph", .operands = word, .operand_count = 1},
                                &job, &p.err),
                 p.err, HOLOS_USAGE, "unexpected argument 'KQvK'");
    assert_fails(holos_job_open(p.v,
                                &(holos_job_options){
                                    .kind = "region", .operands = word, .operand_count = 1, .store = p.store},
                                &job, &p.err),
                 p.err, HOLOS_USAGE, "leave out --store");
    place_close(&p);
}

/* How far a database of kalah goes; freed with the place. */
static const holos_settings *with_seeds(place *p, const char *seeds)
{
    p->settings = holos_settings_new();
    assert_ok(holos_settings_set(p->settings, "seeds", seeds, &p->err), p->err);
    return p->settings;
}

static void test_more_memory_than_there_is_is_refused(void **state)
{
    (void)state;
    place p = place_open("kalah:6,4");
    holos_job *job;
    holos_job_options o = {
        .store = p.store, .limits = {.memory = (size_t)1 << 30}, .settings = with_seeds(&p, "30")};
    assert_fails(run(&p, &o, &job), p.err, HOLOS_NO_MEMORY, "needs 10.4 GiB of memory, limit 1.0 GiB");
    assert_null(holos_job_report(job));
    assert_int_equal(unit_count_names(p.folder), 0);
    holos_job_close(job);
    place_close(&p);
}

/* ---- Plans ------------------------------------------------------------------------------------- */

static holos_plan plan_of(place *p, const holos_job_options *o)
{
    holos_job *job;
    holos_plan plan;
    assert_ok(holos_job_open(p->v, o, &job, &p->err), p->err);
    assert_ok(holos_job_plan(job, &plan, &p->err), p->err);
    assert_true(plan.known && plan.memory > 0 && plan.what[0] != 0);
    assert_non_null(holos_report_find(holos_report_root(plan.report), "basis"));
    holos_job_close(job);
    plan.report = NULL; /* the job's */
    return plan;
}

static void test_a_small_graph_is_counted_for_its_plan(void **state)
{
    (void)state;
    place p = place_open("kalah:3,2");
    holos_plan plan = plan_of(&p, &(holos_job_options){.kind = "graph", .store = p.store});
    assert_int_equal(plan.basis, HOLOS_PLAN_EXACT);
    assert_int_equal(plan.positions, 4001);
    assert_true(plan.memory_least > 0 && plan.memory_least < plan.memory);
    assert_true(plan.fits > plan.positions && plan.disk > 0 && plan.seconds > 0);
    assert_int_equal(unit_count_names(p.folder), 0);
    place_close(&p);
}

static void test_an_estimate_does_not_refuse_a_job(void **state)
{
    (void)state;
    place p = place_open("connect4:4x4");
    holos_job *job;
    holos_job_options o = {.kind = "graph", .limits = {.memory = (size_t)4 << 20}, .threads = 1};
    holos_plan plan = plan_of(&p, &o);
    assert_int_not_equal(plan.basis, HOLOS_PLAN_EXACT);
    assert_true(plan.memory_least <= plan.memory_limit);
    if (plan.basis ==
        HOLOS_PLAN_ESTIMATE) { /* not where a sanitizer slows the count so much that its time ends it */
        assert_true(plan.positions > 161029 / plan.factor && (double)plan.positions < 161029 * plan.factor);
        assert_true(plan.memory > plan.memory_limit);
        assert_string_equal(plan.beyond, "--spill DIR");
    }
    assert_fails(run(&p, &o, &job), p.err, HOLOS_LIMIT, "does not fit into memory");
    holos_job_close(job);
    place_close(&p);
}

static void test_memory_for_what_was_counted_refuses_a_job(void **state)
{
    (void)state;
    place p = place_open("connect4");
    holos_job *job;
    holos_job_options o = {.kind = "graph", .limits = {.memory = (size_t)64 << 10}};
    assert_int_equal(plan_of(&p, &o).basis, HOLOS_PLAN_AT_LEAST);
    assert_fails(run(&p, &o, &job), p.err, HOLOS_NO_MEMORY, "iB of memory, limit 64.0 KiB");
    holos_job_close(job);
    place_close(&p);
}

static void test_a_plan_can_be_stopped(void **state)
{
    (void)state;
    place p = place_open("connect4");
    holos_stop stop = {0};
    holos_stop_set(&stop);
    holos_plan plan = plan_of(&p, &(holos_job_options){.kind = "wave", .limits = {.stop = &stop}});
    assert_int_equal(plan.basis, HOLOS_PLAN_AT_LEAST);
    assert_int_equal(plan.positions, 1);
    place_close(&p);
}

/* ---- Databases --------------------------------------------------------------------------------- */

static void test_a_database_is_planned_built_and_recorded(void **state)
{
    (void)state;
    place p = place_open("kalah:3,2");
    holos_job *job;
    holos_plan plan;
    holos_job_options o = {.store = p.store, .threads = 2, .command = "a test"};
    assert_ok(holos_job_open(p.v, &o, &job, &p.err), p.err);
    assert_ok(holos_job_plan(job, &plan, &p.err), p.err);
    assert_true(plan.known && plan.positions == 18564 && plan.parts == 49 && plan.memory > 18564);
    assert_null(holos_job_report(job));
    assert_ok(holos_job_run(job, &p.err), p.err);
    assert_int_equal(field(job, "positions")->count, 18564);
    assert_int_equal(holos_report_find(field(job, "start"), "value")->integer, 4);
    assert_string_equal(field(job, "stopped")->text, "finished");
    assert_string_equal(holos_report_find(field(job, "run"), "command")->text, "a test");
    char bytes[16];
    size_t length = holos_report_json(holos_job_report(job), bytes, sizeof bytes);
    assert_true(length > 500);
    assert_string_equal(bytes, "{\"game\":\"kalah:");
    struct stat info;
    assert_int_equal(stat(unit_path(p.folder, "build.json"), &info), 0);
    assert_int_equal(info.st_size, length + 1);
    assert_false(is_there(p.folder, ".holos-lock"));
    assert_fails(holos_job_run(job, &p.err), p.err, HOLOS_USAGE, "once");
    holos_job_close(job);
    /* A job that is refused leaves the record of the one before. */
    assert_fails(run(&p, &o, &job), p.err, HOLOS_USAGE, "finished database");
    assert_null(holos_job_report(job));
    struct stat again;
    assert_int_equal(stat(unit_path(p.folder, "build.json"), &again), 0);
    assert_int_equal(info.st_ino, again.st_ino);
    holos_job_close(job);
    place_close(&p);
}

static void test_the_time_ends_a_build_which_goes_on(void **state)
{
    (void)state;
    place p = place_open("kalah:6,4");
    holos_job *job;
    holos_job_options o = {
        .store = p.store, .threads = 1, .limits = {.seconds = 1e-3}, .settings = with_seeds(&p, "14")};
    assert_fails(run(&p, &o, &job), p.err, HOLOS_LIMIT, "time limit");
    assert_string_equal(field(job, "stopped")->text, "time limit");
    holos_job_close(job);
    o.limits.seconds = 0;
    o.start = HOLOS_JOB_RESUME;
    assert_ok(run(&p, &o, &job), p.err);
    holos_job_close(job);
    place_close(&p);
}

static void test_a_request_to_stop_is_passed_on(void **state)
{
    (void)state;
    place p = place_open("kalah:6,4");
    holos_stop stop = {0};
    holos_job *job;
    holos_job_options o = {
        .store = p.store, .threads = 1, .limits = {.stop = &stop}, .settings = with_seeds(&p, "18")};
    holos_stop_set(&stop);
    assert_fails(run(&p, &o, &job), p.err, HOLOS_INTERRUPTED, "interrupted");
    assert_string_equal(field(job, "stopped")->text, "interrupted");
    holos_job_close(job);
    place_close(&p);
}

/* ---- Locks ------------------------------------------------------------------------------------- */

static void test_a_store_that_is_locked_is_left_alone(void **state)
{
    (void)state;
    place p = place_open("kalah:2,2");
    file_lock lock;
    holos_job *job;
    holos_report *report;
    holos_job_options o = {.store = p.store};
    const char *path = unit_path(p.folder, ".holos-lock");
    assert_ok(lock_take(&lock, path, "it", &p.err), p.err);
    lock_write(&lock,
               "{\"pid\":123,\"command\":\"holos build chess\",\"kind\":\"tables\",\"game\":\"chess\"}");
    assert_fails(run(&p, &o, &job), p.err, HOLOS_IO, "is locked by process 123 (holos build chess)");
    holos_job_close(job);
    assert_int_equal(unit_count_names(p.folder), 1);
    assert_ok(holos_job_inspect(p.folder, &report, &p.err), p.err);
    const holos_field *jobs = holos_report_find(holos_report_root(report), "jobs");
    assert_string_equal(holos_report_find(jobs->first, "state")->text, "running");
    assert_int_equal(holos_report_find(jobs->first, "pid")->integer, 123);
    holos_report_close(report);
    lock_release(&lock);
    assert_int_equal(unit_count_names(p.folder), 0);
    place_close(&p);
}

static void test_what_a_killed_run_left_is_taken_over(void **state)
{
    (void)state;
    place p = place_open("kalah:2,2");
    holos_job *job;
    holos_report *report;
    static const char lock[] = "{\"pid\":123,\"since\":\"2026-03-01T12:03:00Z\"}";
    unit_write_file(unit_path(p.folder, ".holos-lock"), lock, sizeof lock - 1);
    unit_write_file(unit_path(p.folder, ".001-000.part.0123456789abcdef.tmp"), "", 0);
    unit_write_file(unit_path(p.folder, ".build.json.0123456789abcdef.tmp"), "", 0);
    assert_ok(holos_job_inspect(p.folder, &report, &p.err), p.err);
    const holos_field *jobs = holos_report_find(holos_report_root(report), "jobs");
    assert_string_equal(holos_report_find(jobs->first, "state")->text, "killed");
    holos_report_close(report);
    assert_ok(run(&p, &(holos_job_options){.store = p.store}, &job), p.err);
    holos_job_close(job);
    assert_false(is_there(p.folder, ".holos-lock"));
    assert_false(is_there(p.folder, ".001-000.part.0123456789abcdef.tmp"));
    assert_false(is_there(p.folder, ".build.json.0123456789abcdef.tmp"));
    assert_ok(holos_job_inspect(p.folder, &report, &p.err), p.err);
    jobs = holos_report_find(holos_report_root(report), "jobs");
    assert_string_equal(holos_report_find(jobs->first, "state")->text, "finished");
    holos_report_close(report);
    place_close(&p);
}

/* ---- Explorations ------------------------------------------------------------------------------ */

static const holos_field *seed_of(const holos_job *job)
{
    const holos_field *seeds = field(job, "seeds");
    assert_int_equal(seeds->count, 1);
    return seeds->first;
}

static void test_an_exploration_goes_on_and_knows_its_seeds(void **state)
{
    (void)state;
    place p = place_open("connect4:4x4");
    holos_job *job;
    const char *const word[] = {"22"};
    holos_job_options o = {
        .kind = "wave", .store = p.store, .operands = word, .operand_count = 1, .limits = {.nodes = 300}};
    assert_fails(run(&p, &o, &job), p.err, HOLOS_LIMIT, "");
    assert_string_equal(field(job, "stopped")->text, "node limit");
    assert_string_equal(holos_report_find(seed_of(job), "status")->text, "bounded");
    holos_job_close(job);
    /* Nothing is said of the position any more, and it is known nevertheless. */
    o = (holos_job_options){.kind = "wave", .store = p.store, .start = HOLOS_JOB_RESUME};
    assert_ok(run(&p, &o, &job), p.err);
    assert_string_equal(field(job, "stopped")->text, "solved");
    assert_string_equal(holos_report_find(seed_of(job), "status")->text, "solved");
    assert_string_equal(holos_report_find(seed_of(job), "position")->text, "22");
    holos_job_close(job);
    /* Asked again, it is still one seed. */
    o.operands = word;
    o.operand_count = 1;
    assert_ok(run(&p, &o, &job), p.err);
    assert_int_equal(holos_report_find(seed_of(job), "lo")->integer, 0);
    holos_job_close(job);
    assert_true(is_there(p.folder, "explore.json"));
    place_close(&p);
}

typedef struct watcher {
    holos_stop stop;
    const char *path;
    unsigned calls;
    bool saved, is_wave;
} watcher;

/* Asks to stop as soon as a checkpoint is there. */
static void watch(void *context, const holos_progress *progress)
{
    watcher *w = context;
    w->calls++;
    w->is_wave |= progress->is_wave && progress->has_seed && progress->memory > 0;
    if (access(w->path, F_OK) == 0) {
        w->saved = true;
        holos_stop_set(&w->stop);
    }
}

static void test_checkpoints_are_kept_while_a_wave_runs(void **state)
{
    (void)state;
    place p = place_open("connect4");
    watcher w = {.path = unit_path(p.folder, "hologram")};
    holos_job *job;
    holos_job_options o = {.kind = "wave",
                           .store = p.store,
                           .checkpoint_seconds = 0.05,
                           .limits = {.stop = &w.stop},
                           .progress = watch,
                           .progress_context = &w,
                           .progress_seconds = 0.01};
    assert_fails(run(&p, &o, &job), p.err, HOLOS_INTERRUPTED, "");
    assert_true(w.saved && w.is_wave && w.calls > 1);
    uint64_t positions = field(job, "positions")->count;
    holos_job_close(job);
    holos_hologram *h;
    holos_hologram_summary summary;
    assert_ok(holos_hologram_open(w.path, &h, &p.err), p.err);
    holos_hologram_summary_get(h, &summary);
    assert_int_equal(summary.entries, positions); /* the last one, made when it was stopped */
    holos_hologram_close(h);
    place_close(&p);
}

static void test_a_guess_stands_apart_from_what_is_proved(void **state)
{
    (void)state;
    place p = place_open("connect4");
    holos_position *start = holos_position_new(p.v);
    holos_report *r = report_new();
    report_value(r, p.v, start, (holos_value){.lo = -18, .hi = 18},
                 &(holos_guess){.value = 3, .source = HOLOS_SOURCE_CONJECTURE, .confirmed = 3, .refuted = 1});
    report_value(r, p.v, start, (holos_value){.lo = 3, .hi = 3, .source = HOLOS_SOURCE_WAVE}, NULL);
    const holos_field *guessed = holos_report_root(r)->first, *proved = guessed->next;
    assert_int_equal(holos_report_find(guessed, "lo")->integer, -18);
    assert_int_equal(holos_report_find(guessed, "hi")->integer, 18);
    assert_string_equal(holos_report_find(guessed, "status")->text, "bounded");
    assert_string_equal(holos_report_find(guessed, "source")->text, "none");
    const holos_field *guess = holos_report_find(guessed, "guess");
    assert_int_equal(holos_report_find(guess, "value")->integer, 3);
    assert_string_equal(holos_report_find(guess, "by")->text, "conjecture");
    assert_true(holos_report_find(guess, "precision")->real == 0.75);
    assert_string_equal(holos_report_find(proved, "status")->text, "solved");
    assert_null(holos_report_find(proved, "guess"));
    holos_report_close(r);
    holos_position_free(start);
    place_close(&p);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_null_is_an_error),
        cmocka_unit_test(test_kinds_are_listed_and_say_what_they_take),
        cmocka_unit_test(test_more_memory_than_there_is_is_refused),
        cmocka_unit_test(test_a_small_graph_is_counted_for_its_plan),
        cmocka_unit_test(test_an_estimate_does_not_refuse_a_job),
        cmocka_unit_test(test_memory_for_what_was_counted_refuses_a_job),
        cmocka_unit_test(test_a_plan_can_be_stopped),
        cmocka_unit_test(test_a_database_is_planned_built_and_recorded),
        cmocka_unit_test(test_the_time_ends_a_build_which_goes_on),
        cmocka_unit_test(test_a_request_to_stop_is_passed_on),
        cmocka_unit_test(test_a_store_that_is_locked_is_left_alone),
        cmocka_unit_test(test_what_a_killed_run_left_is_taken_over),
        cmocka_unit_test(test_an_exploration_goes_on_and_knows_its_seeds),
        cmocka_unit_test(test_checkpoints_are_kept_while_a_wave_runs),
        cmocka_unit_test(test_a_guess_stands_apart_from_what_is_proved),
    };
    UNIT_MAIN(tests);
}
