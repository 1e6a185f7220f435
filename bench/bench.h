/* SPDX-License-Identifier: MIT */

/* Benchmarks: what `holos bench` runs. A benchmark is a line in benches.def and a function that measures
 * its cases and reports each one:
 *
 *     holos_status bench_connect4(bench_context *c)
 *     {
 *         double begin = clock_cpu();
 *         ...solve 1000 positions...
 *         bench_report(c, "begin-hard", 1000, clock_cpu() - begin, "positions/s", nodes);
 *         return HOLOS_OK;
 *     }
 *
 * CPU time, not wall time: a machine is rarely alone. Speeds are compared within one run. */

#ifndef HOLOS_BENCH_H
#define HOLOS_BENCH_H

#include "core/error.h"

#include <stdio.h>

typedef struct bench_context {
    /* From the caller. */
    FILE *out;
    bool json; /* one object a line: {"bench":…,"case":…,"n":…,"cpu_seconds":…,"rate":…,"unit":…} */
    bool quick;       /* smaller sizes: to see that it runs, not how fast */
    unsigned threads; /* 0: as many as there are processors */
    size_t mem;       /* 0: no limit */
    uint64_t seed;    /* of everything that is drawn at random */
    const bool *stop; /* NULL, or a flag that is set to interrupt it */
    const char *plot; /* NULL, or where to write a picture (SVG), for a benchmark that has one */
    /* To the caller: why a benchmark failed. */
    holos_error error;
    /* Of bench_run. */
    const char *name;
} bench_context;

typedef struct bench {
    const char *name;
    const char *summary;
    /* What it returns besides HOLOS_OK is in c->error. */
    holos_status (*run)(bench_context *c);
} bench;

const bench *bench_at(size_t index);       /* NULL past the end */
const bench *bench_find(const char *name); /* NULL if there is none */

/* Runs one benchmark, or all of them (name NULL), and prints the cases as they come. An unknown name is
 * HOLOS_USAGE, with the names that there are. */
holos_status bench_run(bench_context *c, const char *name);

/* `n` things were done in `cpu_seconds`; `unit` is that of their rate, "positions/s". `nodes` is 0 where
 * nothing is searched. HOLOS_INTERRUPTED once *stop is set, then the benchmark should return it. */
holos_status bench_report(bench_context *c, const char *name, uint64_t n, double cpu_seconds,
                          const char *unit, uint64_t nodes);

/* A figure that is not a rate of CPU time: bytes a position, positions a second on the wall. */
holos_status bench_figure(bench_context *c, const char *name, uint64_t n, double figure, const char *unit);

/* Times of many things of one kind: some were solved, the median and the worst of all. */
typedef struct bench_times {
    uint64_t n, solved, nodes;
    double cpu_seconds, median, worst; /* seconds */
} bench_times;

holos_status bench_spread(bench_context *c, const char *name, const bench_times *times);

#define BENCH(name, summary) holos_status bench_##name(bench_context *c);
#include "benches.def"
#undef BENCH

#endif
