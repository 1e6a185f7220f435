/* SPDX-License-Identifier: MIT */

#include "bench.h"

#include "core/json.h"
#include "core/text.h"

#include <string.h>

static const bench benches[] = {
#define BENCH(name, summary, takes) {#name, summary, takes, bench_##name},
#include "benches.def"
#undef BENCH
};

#define BENCHES (sizeof benches / sizeof *benches)

const bench *bench_at(size_t index)
{
    return index < BENCHES ? &benches[index] : NULL;
}

const bench *bench_find(const char *name)
{
    for (size_t i = 0; i < BENCHES; i++)
        if (strcmp(name, benches[i].name) == 0)
            return &benches[i];
    return NULL;
}

/* ---- Printing a case --------------------------------------------------------------------------- */

typedef struct bench_case {
    const char *bench, *name, *unit;
    uint64_t n, nodes;
    double cpu_seconds, rate;
    bool timed;               /* false: a figure that is not a rate of CPU time */
    const bench_times *times; /* NULL: there is only the rate */
} bench_case;

static void case_format_json(const bench_case *k, text *out)
{
    json j = json_begin(out);
    json_open(&j, NULL, '{');
    json_put_string(&j, "bench", k->bench);
    json_put_string(&j, "case", k->name);
    json_put_uint(&j, "n", k->n);
    json_put_double(&j, "cpu_seconds", k->cpu_seconds);
    json_put_double(&j, "rate", k->rate);
    json_put_string(&j, "unit", k->unit);
    if (k->nodes > 0)
        json_put_uint(&j, "nodes", k->nodes);
    if (k->times != NULL) {
        json_put_uint(&j, "solved", k->times->solved);
        json_put_double(&j, "median_ms", 1e3 * k->times->median);
        json_put_double(&j, "worst_ms", 1e3 * k->times->worst);
    }
    json_close(&j);
}

#define CASE_WIDTHS "%-10s %-36s %8s %*s %10s %-14s"
#define TIME_WIDTH  10

/* printf counts bytes; "µs" has one more than it has characters. */
static int time_width(const char *seconds)
{
    int width = TIME_WIDTH;
    for (; *seconds != '\0'; seconds++)
        width += ((unsigned char)*seconds & 0xC0) == 0x80;
    return width;
}

/* "10 of 10 solved, median 0.81 ms, worst 2.05 ms" */
static void times_format(const bench_times *times, text *out)
{
    text_printf(out, " %3llu of %llu solved, median %.3f ms, worst %.3f ms",
                (unsigned long long)times->solved, (unsigned long long)times->n, 1e3 * times->median,
                1e3 * times->worst);
}

static void case_format_line(const bench_case *k, text *out)
{
    char cells[4][32];
    text n, seconds, rate, nodes;
    text_init_fixed(&n, cells[0], sizeof cells[0]);
    text_init_fixed(&seconds, cells[1], sizeof cells[1]);
    text_init_fixed(&rate, cells[2], sizeof cells[2]);
    text_init_fixed(&nodes, cells[3], sizeof cells[3]);
    text_rough(&n, k->n);
    if (k->timed)
        text_duration(&seconds, k->cpu_seconds);
    else
        text_string(&seconds, "-");
    if (k->rate < 100)
        text_double(&rate, k->rate, 3);
    else
        text_rough(&rate, (uint64_t)k->rate);
    text_printf(out, CASE_WIDTHS, k->bench, k->name, cells[0], time_width(cells[1]), cells[1], cells[2],
                k->unit);
    if (k->times != NULL) {
        times_format(k->times, out);
    } else if (k->nodes > 0) {
        text_rough(&nodes, k->nodes);
        text_printf(out, " %10s nodes", cells[3]);
    }
    while (out->length > 0 && out->data[out->length - 1] == ' ')
        out->data[--out->length] = '\0';
}

static holos_status bench_put(bench_context *c, const text *line)
{
    if (line->failed)
        return error_set(&c->error, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "out of memory for a line of output");
    fprintf(c->out, "%s\n", line->data);
    if (fflush(c->out) != 0)
        return error_system(&c->error, "cannot write the results");
    return HOLOS_OK;
}

static holos_status case_put(bench_context *c, const bench_case *k)
{
    text line;
    text_init(&line);
    if (c->json)
        case_format_json(k, &line);
    else
        case_format_line(k, &line);
    holos_status status = bench_put(c, &line);
    text_free(&line);
    if (status == HOLOS_OK && holos_stop_asked(c->stop))
        return error_set(&c->error, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted after %s %s", c->name,
                         k->name);
    return status;
}

holos_status bench_report(bench_context *c, const char *name, uint64_t n, double cpu_seconds,
                          const char *unit, uint64_t nodes)
{
    return case_put(c, &(bench_case){.bench = c->name,
                                     .name = name,
                                     .unit = unit,
                                     .n = n,
                                     .nodes = nodes,
                                     .cpu_seconds = cpu_seconds,
                                     .timed = true,
                                     .rate = cpu_seconds > 0 ? (double)n / cpu_seconds : 0});
}

holos_status bench_figure(bench_context *c, const char *name, uint64_t n, double figure, const char *unit)
{
    return case_put(c, &(bench_case){.bench = c->name, .name = name, .unit = unit, .n = n, .rate = figure});
}

holos_status bench_spread(bench_context *c, const char *name, const bench_times *times)
{
    double seconds = times->cpu_seconds;
    return case_put(c, &(bench_case){.bench = c->name,
                                     .name = name,
                                     .unit = "puzzles/s",
                                     .n = times->n,
                                     .nodes = times->nodes,
                                     .cpu_seconds = seconds,
                                     .timed = true,
                                     .rate = seconds > 0 ? (double)times->n / seconds : 0,
                                     .times = times});
}

/* ---- Running ----------------------------------------------------------------------------------- */

static holos_status bench_unknown(bench_context *c, const char *name)
{
    text names;
    text_init(&names);
    for (size_t i = 0; i < BENCHES; i++)
        text_printf(&names, "%s%s", i > 0 ? ", " : "", benches[i].name);
    holos_status status = error_set(&c->error, HOLOS_USAGE, HOLOS_NOWHERE,
                                    "unknown benchmark \"%s\"; choose from %s", name, names.data);
    text_free(&names);
    return status;
}

static holos_status bench_put_header(bench_context *c)
{
    text line;
    text_init(&line);
    text_printf(&line, CASE_WIDTHS, "bench", "case", "n", TIME_WIDTH, "CPU time", "rate", "");
    while (line.length > 0 && line.data[line.length - 1] == ' ')
        line.data[--line.length] = '\0';
    holos_status status = bench_put(c, &line);
    text_free(&line);
    return status;
}

holos_status bench_run(bench_context *c, const char *name)
{
    const bench *only = name != NULL ? bench_find(name) : NULL;
    if (name != NULL && only == NULL)
        return bench_unknown(c, name);
    holos_status status = c->json ? HOLOS_OK : bench_put_header(c);
    for (size_t i = 0; i < BENCHES && status == HOLOS_OK; i++) {
        if (only != NULL && only != &benches[i])
            continue;
        c->name = benches[i].name;
        status = benches[i].run(c);
    }
    return status;
}
