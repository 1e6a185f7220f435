/* SPDX-License-Identifier: MIT */

/* Errors are values: a function that can fail returns a holos_status and fills the caller's
 * holos_error, with a message that says what is wrong, where, and what would be right. */

#ifndef HOLOS_CORE_ERROR_H
#define HOLOS_CORE_ERROR_H

#include "core/assert.h"

#include <holos/base.h>

/* Fills *err (which may be NULL) and returns `code`, so that callers can write
 * `return error_set(err, HOLOS_IO, HOLOS_NOWHERE, "cannot open %s: %s", path, strerror(errno));`
 * A message that is too long is cut at a character border and ends in "…". */
__attribute__((format(printf, 4, 5))) holos_status error_set(holos_error *err, holos_status code, int64_t at,
                                                             const char *format, ...);

/* The error for a failed system call: the message is "WHAT: strerror(errno)". ENOMEM becomes
 * HOLOS_NO_MEMORY, everything else HOLOS_IO. */
__attribute__((format(printf, 2, 3))) holos_status error_system(holos_error *err, const char *what, ...);

/* Puts words before the message: "line 3: …". Returns err->code, or that of the last error if err is NULL. */
__attribute__((format(printf, 2, 3))) holos_status error_prefix(holos_error *err, const char *format, ...);

/* An error is never HOLOS_OK. Said where compilers and analyzers see it, so that they do not follow a failure
 * as if it had been none. */
static inline holos_status error_certain(holos_status status)
{
    assert(status != HOLOS_OK);
    return status;
}
#define error_set(...)    error_certain(error_set(__VA_ARGS__))
#define error_system(...) error_certain(error_system(__VA_ARGS__))
#define error_prefix(...) error_certain(error_prefix(__VA_ARGS__))

/* HOLOS_USAGE: somebody passed NULL to a public function (__func__) that needs something there. */
holos_status error_null(holos_error *err, const char *function);

#endif
