/* SPDX-License-Identifier: MIT */

/* Every public function with NULL where a pointer belongs: an error or a harmless result, never a crash. The list comes
 * from the headers (null_calls.py). */

#include "unit.h"

#include <signal.h>
#include <sys/wait.h>

typedef struct null_call {
    const char *name;
    int (*none)(void);  /* NULL for all */
    int (*given)(void); /* a variant and a game where they belong, NULL for the rest */
    bool must_fail;     /* without its arguments it is HOLOS_USAGE */
} null_call;

static holos_variant *variant;
static const holos_game *game;

#include "null_calls.inc"

enum { CALL_COUNT = sizeof calls / sizeof calls[0] };

/* In a process of its own, so that a crash is a result. Returns the status, or minus the signal. */
static int call_apart(int (*function)(void))
{
    fflush(stdout);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        signal(SIGSEGV, SIG_DFL);
        _exit(function());
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static void test_the_headers_were_read(void **state)
{
    (void)state;
    bool found = false;
    for (size_t i = 0; i < CALL_COUNT; i++)
        found |= strcmp(calls[i].name, "holos_solver_solve") == 0;
    assert_true(found);
    assert_true(CALL_COUNT > 80);
}

static void test_nothing_at_all_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < CALL_COUNT; i++) {
        int status = call_apart(calls[i].none);
        if (status < 0)
            fail_msg("%s(NULL…) is killed by signal %d", calls[i].name, -status);
        if (calls[i].must_fail && status != HOLOS_USAGE)
            fail_msg("%s(NULL…) returns %d, not HOLOS_USAGE", calls[i].name, status);
    }
}

static void test_a_variant_alone_does_no_harm(void **state)
{
    (void)state;
    for (size_t i = 0; i < holos_game_count(); i++) {
        holos_error err;
        game = holos_game_at(i);
        assert_ok(holos_open(holos_game_name(game), &variant, &err), err);
        for (size_t k = 0; k < CALL_COUNT; k++) {
            int status = call_apart(calls[k].given);
            if (status < 0)
                fail_msg("%s of %s, the rest NULL, is killed by signal %d", calls[k].name,
                         holos_game_name(game), -status);
        }
        holos_close(variant);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_headers_were_read),
        cmocka_unit_test(test_nothing_at_all_is_refused),
        cmocka_unit_test(test_a_variant_alone_does_no_harm),
    };
    UNIT_MAIN(tests);
}
