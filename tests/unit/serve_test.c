/* SPDX-License-Identifier: MIT */

/* The server without a network: its guard, its requests, and handlers that run at once. */

#include "unit.h"

#include "serve/guard.h"
#include "serve/state.h"

#include <pthread.h>

/* ---- Requests ---------------------------------------------------------------------------------- */

static void test_a_query_is_unescaped(void **state)
{
    (void)state;
    request r = {0};
    holos_error err;
    assert_ok(request_read_query(&r, "game=chess&position=8/8%20w+-&x&=&a=%zz%4", &err), err);
    assert_string_equal(request_get(&r, "position", ""), "8/8 w -");
    assert_string_equal(request_get(&r, "x", ""), "yes");
    assert_true(request_flag(&r, "x"));
    assert_string_equal(request_get(&r, "a", ""), "%zz%4");
    assert_null(request_get(&r, "nothing", NULL));
    request_free(&r);
    assert_fails(request_read_query(&r, "a=%00", &err), err, HOLOS_USAGE, "zero byte");
    request_free(&r);
}

static void test_a_body_is_an_object(void **state)
{
    (void)state;
    request r = {0};
    holos_error err;
    double id;
    static const char good[] = "{\"id\":3,\"quick\":true,\"name\":\"k\",\"operands\":[\"a\"]}";
    assert_ok(request_read_body(&r, good, sizeof good - 1, &err), err);
    assert_ok(request_number(&r, "id", 1, 10, 0, &id, &err), err);
    assert_true(id == 3 && request_flag(&r, "quick"));
    assert_fails(request_number(&r, "name", 1, 10, 0, &id, &err), err, HOLOS_USAGE,
                 "not a number from 1 to 10");
    request_free(&r);
    assert_fails(request_read_body(&r, "[1]", 3, &err), err, HOLOS_USAGE, "a JSON object");
    request_free(&r);
    assert_fails(request_read_body(&r, "{", 1, &err), err, HOLOS_USAGE, "a JSON object");
    request_free(&r);
}

/* ---- Who may ask ------------------------------------------------------------------------------- */

static void test_the_guard_lets_only_this_machine_pass(void **state)
{
    (void)state;
    static const char token[] = "0123456789abcdef0123456789abcdef";
    static const struct {
        guard_papers papers;
        const char *method;
        bool costs, passes;
    } cases[] = {
        {{.host = "127.0.0.1:4650"}, "GET", false, true},
        {{.host = "LOCALHOST:4650", .origin = "http://localhost:4650"}, "GET", false, true},
        {{.host = NULL}, "GET", false, false},
        {{.host = "127.0.0.1"}, "GET", false, false},
        {{.host = "127.0.0.1:4651"}, "GET", false, false},
        {{.host = "127.0.0.1:46500"}, "GET", false, false},
        {{.host = "evil.example:4650"}, "GET", false, false},
        {{.host = "127.0.0.1:4650", .origin = "http://evil.example"}, "GET", false, false},
        {{.host = "127.0.0.1:4650", .origin = "null"}, "GET", false, false},
        {{.host = "127.0.0.1:4650", .type = "application/json"}, "POST", true, false},
        {{.host = "127.0.0.1:4650", .type = "application/json", .token = "0123"}, "POST", true, false},
        {{.host = "127.0.0.1:4650", .type = "text/plain", .token = token}, "POST", true, false},
        {{.host = "127.0.0.1:4650", .type = "application/json", .token = token, .site = "cross-site"},
         "POST",
         true,
         false},
        {{.host = "127.0.0.1:4650", .type = "application/json", .token = token, .site = "same-origin"},
         "POST",
         true,
         true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        reply out;
        reply_init(&out);
        if (guard_passes(&cases[i].papers, cases[i].method, cases[i].costs, 4650, token, &out) !=
            cases[i].passes)
            fail_msg("case %zu: %s", i, out.body.data);
        assert_true(cases[i].passes || (out.status >= 400 && out.body.length > 0));
        reply_free(&out);
    }
}

static void test_tokens_differ(void **state)
{
    (void)state;
    char a[GUARD_TOKEN_SIZE], b[GUARD_TOKEN_SIZE];
    assert_ok(guard_make_token(a, NULL), (holos_error){0});
    assert_ok(guard_make_token(b, NULL), (holos_error){0});
    assert_int_equal(strlen(a), GUARD_TOKEN_SIZE - 1);
    assert_string_not_equal(a, b);
}

static void test_names_stay_in_the_folder(void **state)
{
    (void)state;
    static const char *const bad[] = {"",    ".",    "..", ".x", "a/b",     "/a",
                                      "a b", "a\nb", "-x", "_x", "\xc3\xa4"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(jobs_is_name(bad[i]));
    assert_true(jobs_is_name("kalah-4_3.db"));
    const jobs j = {.folder = "/tmp"};
    assert_null(jobs_path(&j, "../etc"));
}

/* ---- At once ----------------------------------------------------------------------------------- */

typedef struct place {
    serve_state state;
    char folder[64];
} place;

static void place_open(place *p)
{
    holos_error err;
    unit_make_folder(p->folder);
    const serve_options options = {.folder = p->folder, .threads = 2, .memory = 128 << 20, .no_book = true};
    assert_ok(serve_state_open(&p->state, &options, &err), err);
}

static void place_close(place *p)
{
    serve_state_close(&p->state);
    unit_remove_folder(p->folder);
}

/* The reply to a GET; the caller frees it. */
static reply ask(place *p, const char *path, const char *query)
{
    holos_error err;
    request r = {.method = "GET", .path = path};
    reply out;
    reply_init(&out);
    assert_ok(request_read_query(&r, query, &err), err);
    const route *at = route_find(&r, &out);
    assert_non_null(at);
    at->handler(&p->state, &r, &out);
    request_free(&r);
    return out;
}

static const char *const questions[][2] = {
    {"/api/solve", "game=connect4:4x4&position=12&seconds=30"},
    {"/api/solve", "game=kalah:2,2&seconds=30"},
    {"/api/solve", "game=nim&seconds=30"},
    {"/api/position", "game=chess"},
    {"/api/choose", "game=connect4:4x4&level=perfect"},
};
enum { QUESTIONS = sizeof questions / sizeof *questions, ASKERS = 6 };

static void *asker(void *context)
{
    for (size_t i = 0; i < QUESTIONS; i++) {
        reply out = ask(context, questions[i][0], questions[i][1]);
        bool good = out.status == 200 && strstr(out.body.data, "\"bounded\"") == NULL;
        reply_free(&out);
        if (!good)
            return context;
    }
    return NULL;
}

static void test_many_ask_at_once(void **state)
{
    (void)state;
    place p;
    pthread_t threads[ASKERS];
    place_open(&p);
    for (size_t i = 0; i < ASKERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, asker, &p), 0);
    for (size_t i = 0; i < ASKERS; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    place_close(&p);
}

static void test_a_stream_ends_when_nobody_waits(void **state)
{
    (void)state;
    place p;
    place_open(&p);
    reply out = ask(&p, "/api/solve/events", "game=connect4:9x8&seconds=60");
    holos_stop stop = {0};
    text events;
    text_init(&events);
    assert_non_null(out.events);
    assert_true(out.events->next(out.events, &stop, &events));
    assert_non_null(strstr(events.data, "event: answer"));
    holos_stop_set(&stop);
    assert_false(out.events->next(out.events, &stop, &events));
    text_free(&events);
    reply_free(&out);
    place_close(&p);
}

static void test_jobs_run_and_are_stopped(void **state)
{
    (void)state;
    place p;
    holos_error err;
    unsigned big, small;
    place_open(&p);
    jobs *j = &p.state.jobs;
    job_wish wish = {.game = "kalah:6,2",
                     .kind = "database",
                     .name = "big",
                     .threads = 2,
                     .settings = holos_settings_new()};
    assert_ok(jobs_start(j, &wish, &big, &err), err);
    wish = (job_wish){.game = "nim:2,2", .kind = "graph", .name = "big", .settings = holos_settings_new()};
    assert_fails(jobs_start(j, &wish, &small, &err), err, HOLOS_USAGE, "already");
    wish = (job_wish){.game = "nim:2,2", .kind = "graph", .name = "small", .settings = holos_settings_new()};
    assert_ok(jobs_start(j, &wish, &small, &err), err);
    assert_ok(jobs_stop(j, big, &err), err);
    while (jobs_running(j) > 0)
        jobs_wait(j, jobs_version(j), 0.1);
    reply out = ask(&p, "/api/jobs", "");
    assert_non_null(strstr(out.body.data, "\"state\":\"stopped\""));
    assert_non_null(strstr(out.body.data, "\"state\":\"done\""));
    reply_free(&out);
    place_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_query_is_unescaped),
        cmocka_unit_test(test_a_body_is_an_object),
        cmocka_unit_test(test_the_guard_lets_only_this_machine_pass),
        cmocka_unit_test(test_tokens_differ),
        cmocka_unit_test(test_names_stay_in_the_folder),
        cmocka_unit_test(test_many_ask_at_once),
        cmocka_unit_test(test_a_stream_ends_when_nobody_waits),
        cmocka_unit_test(test_jobs_run_and_are_stopped),
    };
    UNIT_MAIN(tests);
}
