/* SPDX-License-Identifier: MIT */

/* Benchmarks: what `holos bench` runs. Each is a list of cases that report one by one, so that a table
 * appears as it is measured. A benchmark checks what it computes: a wrong answer is an error, not a
 * fast time. benches.def lists them. */

#ifndef HOLOS_BENCH_H
#define HOLOS_BENCH_H

#include "core/error.h"

typedef struct bench_result {
    const char *name;   /* of the case */
    uint64_t n;         /* how many positions, puzzles, … */
    double cpu_seconds; /* of all threads */
    double rate;        /* units a second */
    const char *unit;   /* "positions/s" */
    uint64_t nodes;
} bench_result;

/* One run of a benchmark. */
typedef struct bench_run {
    bool quick;       /* a small part of every case, none that takes long */
    const char *only; /* the case to run; NULL: all */
    size_t memory;    /* bytes for tables; 0: the default of the solver */
    unsigned threads; /* for one position; 0: one */
    const bool *stop; /* as in holos_limits */
    void (*report)(void *context, const bench_result *result);
    void *context;
} bench_run;

typedef struct bench {
    const char *name, *summary;
    const char *const *cases; /* ended by NULL */
    holos_status (*run)(const bench_run *run, holos_error *err);
} bench;

const bench *bench_at(size_t index); /* NULL past the end */

#endif
