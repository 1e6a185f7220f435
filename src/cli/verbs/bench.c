/* SPDX-License-Identifier: MIT */

/* How fast it is on this machine. */

#include "bench.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "core/json.h"

#include <string.h>

typedef struct bench_settings {
    bool quick;
} bench_settings;

static const cli_option options[] = {
    {OPTION(FLAG, bench_settings, quick), .name = "quick", .letter = 'q',
     .help = "a small part of each case, none that takes long"},
    {0},
};

typedef struct table_writer {
    cli *c;
    const bench *bench;
    size_t rows;
} table_writer;

static void write_json(const table_writer *w, const bench_result *r)
{
    json j = json_begin(&w->c->out->text);
    json_open(&j, NULL, '{');
    json_put_string(&j, "bench", w->bench->name);
    json_put_string(&j, "case", r->name);
    json_put_uint(&j, "n", r->n);
    json_put_double(&j, "cpu_seconds", r->cpu_seconds);
    json_put_double(&j, "rate", r->rate);
    json_put_string(&j, "unit", r->unit);
    json_put_uint(&j, "nodes", r->nodes);
    json_close(&j);
    text_char(&w->c->out->text, '\n');
}

static void write_row(table_writer *w, const bench_result *r)
{
    text *t = &w->c->out->text;
    if (w->rows++ == 0)
        text_printf(t, "%-9s %-19s %6s %12s %14s %14s %9s\n", "bench", "case", "n", "ms each", "rate",
                    "nodes each", "M nodes/s");
    double n = (double)r->n, nodes = (double)r->nodes;
    text_printf(t, "%-9s %-19s %6llu %12.4f %14.1f %14.1f %9.2f  %s\n", w->bench->name, r->name,
                (unsigned long long)r->n, 1e3 * r->cpu_seconds / n, r->rate, nodes / n,
                nodes / r->cpu_seconds / 1e6, r->unit);
}

static void report(void *context, const bench_result *r)
{
    table_writer *w = context;
    if (w->c->shared.json)
        write_json(w, r);
    else
        write_row(w, r);
    output_flush(w->c->out);
}

static const bench *bench_find(const char *name)
{
    const bench *b;
    for (size_t i = 0; (b = bench_at(i)) != NULL; i++)
        if (strcmp(b->name, name) == 0)
            return b;
    return NULL;
}

static bool has_case(const bench *b, const char *name)
{
    for (const char *const *c = b->cases; *c != NULL; c++)
        if (strcmp(*c, name) == 0)
            return true;
    return false;
}

static void list_names(text *t, const bench *b)
{
    if (b == NULL)
        for (size_t i = 0; bench_at(i) != NULL; i++)
            text_printf(t, "%s%s", i > 0 ? ", " : "", bench_at(i)->name);
    else
        for (size_t i = 0; b->cases[i] != NULL; i++)
            text_printf(t, "%s%s", i > 0 ? ", " : "", b->cases[i]);
}

/* What is unknown, and what there is instead. */
static cli_status unknown(const char *what, const char *name, const bench *b)
{
    text known;
    text_init(&known);
    list_names(&known, b);
    cli_error("there is no %s \"%s\"; there is: %s", what, name, known.data);
    text_free(&known);
    return CLI_USAGE;
}

static cli_status bench_one(cli *c, table_writer *w, const char *only)
{
    const bench_settings *s = c->settings;
    holos_error err;
    bench_run run = {
        .quick = s->quick,
        .only = only,
        .memory = c->shared.mem,
        .threads = (unsigned)c->shared.threads,
        .stop = interrupt_flag(),
        .report = report,
        .context = w,
    };
    return w->bench->run(&run, &err) == HOLOS_OK ? CLI_DONE : cli_fail(&err);
}

static cli_status run(cli *c)
{
    table_writer w = {.c = c};
    cli_status status = CLI_DONE;
    if (c->operand_count > 0) {
        w.bench = bench_find(c->operands[0]);
        if (w.bench == NULL)
            return unknown("benchmark", c->operands[0], NULL);
        const char *only = c->operand_count > 1 ? c->operands[1] : NULL;
        if (only != NULL && !has_case(w.bench, only))
            return unknown("case", only, w.bench);
        return bench_one(c, &w, only);
    }
    for (size_t i = 0; bench_at(i) != NULL && status == CLI_DONE; i++) {
        w.bench = bench_at(i);
        status = bench_one(c, &w, NULL);
    }
    return status;
}

static const cli_example examples[] = {
    {"bench connect4 --quick", "a first impression, in about a second"},
    {"bench connect4 begin-hard-weak --json", "one case, for programs"},
    {0},
};

const cli_verb verb_bench = {
    .name = "bench",
    .operands = "[NAME [CASE]]",
    .summary = "how fast it is on this machine",
    .description =
        "Runs the benchmarks and prints a line for each case: how many positions, the processor time "
        "that one took, and the nodes that were searched. Every answer is checked.",
    .operands_min = 0,
    .operands_max = 2,
    .shared = SHARED_LIMITS | SHARED_THREADS | SHARED_JSON | SHARED_LOG,
    .options = options,
    .settings_size = sizeof(bench_settings),
    .examples = examples,
    .run = run,
};
