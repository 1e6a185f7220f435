/* SPDX-License-Identifier: MIT */

/* Going through a table of five pieces takes up to a second, and work is to end sooner than that when it is asked to. So whoever
 * does goes a piece at a time, with a look at the limits before each. What is left undone then means nothing: callers look, too. */

#ifndef HOLOS_CHESS_TABLES_LOOK_H
#define HOLOS_CHESS_TABLES_LOOK_H

#include "core/limits.h"

#define LOOK_VALUES ((uint64_t)1 << 20) /* between two looks: a few milliseconds */

/* The end of the piece from `begin` on; `begin` itself at the end, or when a limit has been passed:
 *     for (uint64_t i = 0, end; (end = look_end(limits, i, size)) > i;)
 *         for (; i < end; i++) … */
static inline uint64_t look_end(const struct limits *l, uint64_t begin, uint64_t size)
{
    if (begin >= size || limits_passed(l))
        return begin;
    return size - begin < LOOK_VALUES ? size : begin + LOOK_VALUES;
}

/* For steps of different lengths: whether a limit has been passed, with a look when `at` comes to *next (0 at first). */
static inline bool look_passed(const struct limits *l, uint64_t at, uint64_t *next)
{
    if (at < *next)
        return false;
    *next = at + LOOK_VALUES;
    return limits_passed(l);
}

#endif
