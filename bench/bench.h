/* SPDX-License-Identifier: MIT */

/* Benchmarks: what `holos bench` runs. A benchmark is a line in benches.def and a function that measures
 * and reports its cases:
 *
 *     holos_status bench_connect4(bench_context *c)
 *     {
 *         double begin = clock_cpu();
 *         ...solve 1000 positions...
 *         bench_report(c, "begin-hard", 1000, clock_cpu() - begin, "positions/s", nodes);
 *         return HOLOS_OK;
 *     }
 *
 * CPU time, not wall time, because a machine is rarely idle. Compare rates only within one run. */

#ifndef HOLOS_BENCH_H
#define HOLOS_BENCH_H

#include "core/error.h"

#include <holos/holos.h>

#include <stdio.h>

typedef struct bench_context {
    /* Set by the caller. */
    FILE *out;
    bool json; /* one object per line: {"bench":…,"case":…,"n":…,"cpu_seconds":…,"rate":…,"unit":…} */
    bool quick;             /* small sizes, to see that it works; a case that has no small size is left out */
    unsigned threads;       /* 0: one for each processor */
    size_t mem;             /* 0: no limit */
    uint64_t seed;          /* for all random choices */
    const holos_stop *stop; /* NULL, or a flag that interrupts it */
    holos_cluster *cluster; /* NULL: this process alone */
    const char *plot;       /* NULL, or where to write a chart (SVG), for a benchmark that has one */
    /* Set by the benchmark: why it failed. */
    holos_error error;
    /* Set by bench_run. */
    const char *name;
} bench_context;

/* What a benchmark heeds of what it is told. */
enum {
    BENCH_SEED = 1 << 0,
    BENCH_THREADS = 1 << 1,
    BENCH_MEM = 1 << 2,
    BENCH_PLOT = 1 << 3,
    BENCH_CLUSTER = 1 << 4
};

typedef struct bench {
    const char *name;
    const char *summary;
    unsigned takes; /* BENCH_… */
    /* If it does not return HOLOS_OK, the reason is in c->error. */
    holos_status (*run)(bench_context *c);
} bench;

const bench *bench_at(size_t index);       /* NULL past the end */
const bench *bench_find(const char *name); /* NULL if there is none */

/* Runs one benchmark, or all of them if `name` is NULL, and prints each case when it is done. An unknown name
 * is HOLOS_USAGE; the message lists the names. */
holos_status bench_run(bench_context *c, const char *name);

/* `n` things took `cpu_seconds`; `unit` is the unit of the rate, "positions/s". `nodes` is 0 if nothing was
 * searched. Returns HOLOS_INTERRUPTED once *stop is set; the benchmark should then return it, too. */
holos_status bench_report(bench_context *c, const char *name, uint64_t n, double cpu_seconds,
                          const char *unit, uint64_t nodes);

/* A figure that is not a rate of CPU time: bytes per position, positions per second of wall time. */
holos_status bench_figure(bench_context *c, const char *name, uint64_t n, double figure, const char *unit);

/* Times of many puzzles: how many were solved, the median and the worst. */
typedef struct bench_times {
    uint64_t n, solved, nodes;
    double cpu_seconds, median, worst; /* seconds */
} bench_times;

holos_status bench_spread(bench_context *c, const char *name, const bench_times *times);

#define BENCH(name, summary, takes) holos_status bench_##name(bench_context *c);
#include "benches.def"
#undef BENCH

#endif
