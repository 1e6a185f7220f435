/* SPDX-License-Identifier: MIT */

/* The thread pool. One thread means no threads at all: jobs run in the caller, so a debugger and a
 * profiler see a plain program. */

#ifndef HOLOS_CORE_POOL_H
#define HOLOS_CORE_POOL_H

#include "core/error.h"

typedef struct pool pool;

#define POOL_THREADS_MOST 1024

/* threads 0: as many as the machine has processors to run on. The threads take no signals. */
holos_status pool_open(unsigned threads, pool **out, holos_error *err);
void pool_close(pool *p); /* may be NULL */
unsigned pool_threads(const pool *p);

/* Runs job(context, index, worker) for every index in [0, count), in any order, on all threads, the
 * caller among them; returns when all are done. `worker` in [0, pool_threads) says whose scratch space
 * to use; the caller is 0. What a job wrote can be read by the caller afterwards. One caller at a time,
 * and jobs do not call pool_run on the same pool. */
void pool_run(pool *p, uint64_t count, void (*job)(void *context, uint64_t index, unsigned worker),
              void *context);

/* How many processors this process may use. */
unsigned pool_processors(void);

#endif
