/* SPDX-License-Identifier: MIT */

/* What every unit test starts from: cmocka with the headers it wants first, and a few helpers. */

#ifndef HOLOS_TESTS_UNIT_H
#define HOLOS_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <holos/holos.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define UNIT_MAIN(tests) return cmocka_run_group_tests(tests, NULL, NULL)

/* A call that should work; its error is shown if it does not. */
#define assert_ok(call, err)                                                                                 \
    do {                                                                                                     \
        if ((call) != HOLOS_OK)                                                                              \
            fail_msg("%s: %s", #call, (err).message);                                                        \
    } while (0)

/* A call that should fail: with this status, and a message that has these words in it. */
#define assert_fails(call, err, status, words)                                                               \
    do {                                                                                                     \
        assert_int_equal(call, status);                                                                      \
        assert_int_equal((err).code, status);                                                                \
        if (strstr((err).message, words) == NULL)                                                            \
            fail_msg("\"%s\" lacks \"%s\"", (err).message, words);                                           \
    } while (0)

/* A folder of this test's own, empty; unit_remove_folder takes it away with the files in it. */
void unit_make_folder(char out[64]);
void unit_remove_folder(const char *folder);
/* How many names there are in a folder. */
size_t unit_count_names(const char *folder);
/* "FOLDER/NAME", valid until the 4th next call in this thread. */
const char *unit_path(const char *folder, const char *name);
void unit_write_file(const char *path, const void *bytes, size_t size);

#endif
