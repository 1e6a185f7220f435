/* SPDX-License-Identifier: MIT */

/* A chart of times or of rates: a row for each set, a dot for the median of each series, and a line from it to the worst, on a
 * logarithmic scale. */

#ifndef HOLOS_BENCH_CHART_H
#define HOLOS_BENCH_CHART_H

#include "core/error.h"

enum { CHART_SERIES = 8 };

typedef struct chart_mark {
    double median, worst; /* milliseconds */
    bool there, all;      /* it was measured; the whole set was solved (otherwise the dot is hollow) */
} chart_mark;

typedef struct chart_row {
    const char *name;
    chart_mark marks[CHART_SERIES];
} chart_row;

typedef struct chart {
    const char *title;
    const char *const *series; /* ended by NULL; at most CHART_SERIES */
    const chart_row *rows;
    size_t row_count;
    bool rates; /* of things per second, not of milliseconds */
} chart;

/* Writes an SVG document; the file appears whole or not at all. */
holos_status chart_write(const chart *c, const char *path, holos_error *err);

#endif
