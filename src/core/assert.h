/* SPDX-License-Identifier: MIT */

/* Asserts stay on in release builds: a wrong answer is worse than none. They guard against our own
 * mistakes, never against input. HOLOS_SLOW_ASSERT is for checks that cost more than they guard; it
 * is on in debug and sanitizer builds. */

#ifndef HOLOS_CORE_ASSERT_H
#define HOLOS_CORE_ASSERT_H

#undef NDEBUG
#include <assert.h>

#ifdef HOLOS_DEBUG
#define HOLOS_SLOW_ASSERT(condition) assert(condition)
#else
#define HOLOS_SLOW_ASSERT(condition) ((void)0)
#endif

#endif
