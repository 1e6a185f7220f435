/* SPDX-License-Identifier: MIT */

/* Time. Wall-clock for limits and progress, CPU time for measurements. */

#ifndef HOLOS_CORE_CLOCK_H
#define HOLOS_CORE_CLOCK_H

#include <stdbool.h>
#include <time.h>

static inline double clock_read(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double clock_wall(void) /* seconds since some moment; never goes back */
{
    return clock_read(CLOCK_MONOTONIC);
}

static inline double clock_cpu(void) /* of all threads of this process */
{
    return clock_read(CLOCK_PROCESS_CPUTIME_ID);
}

#define CLOCK_NEVER 1e300 /* a deadline that does not come */

/* When so many seconds will have passed; 0: never. */
static inline double deadline_after(double seconds)
{
    return seconds > 0 ? clock_wall() + seconds : CLOCK_NEVER;
}

static inline bool deadline_passed(double deadline)
{
    return deadline < CLOCK_NEVER && clock_wall() >= deadline;
}

#endif
