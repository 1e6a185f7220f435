/* SPDX-License-Identifier: MIT */

/* holos bench: the verb lives with what it runs, because benchmarks measure what is inside the library. */

#include "bench.h"

#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/listing.h"

typedef struct bench_settings {
    bool list;
    bool quick;
    const char *plot;
} bench_settings;

static const holos_option options[] = {
    {OPTION(FLAG, bench_settings, list), .name = "list", .help = "list the benchmarks and run none"},
    {OPTION(FLAG, bench_settings, quick), .name = "quick",
     .help = "run at small sizes, and skip the cases that have none, to check that it works; the rates mean "
             "nothing"},
    {OPTION(FILE, bench_settings, plot), .name = "plot", .value = "FILE",
     .help = "also draw the times as an SVG chart, where the benchmark has one"},
    {0},
};

static const char *bench_word(size_t index)
{
    const bench *b = bench_at(index);
    return b != NULL ? b->name : NULL;
}

/* Benchmarks print to a stream; what they print joins the output of the run. */
static ssize_t write_output(void *context, const char *bytes, size_t size)
{
    output *out = context;
    text_bytes(&out->text, bytes, size);
    return output_flush(out) ? (ssize_t)size : 0;
}

static void list_benches(cli *c)
{
    const bench *b;
    for (size_t i = 0; (b = bench_at(i)) != NULL; i++)
        listing_entry(c, "bench", b->name, b->summary);
}

/* Whether something was asked for that the benchmark does not heed. */
static bool is_unheeded(const cli *c, const char *name)
{
    static const struct {
        unsigned bit;
        const char *names[2];
    } options_of[] = {{BENCH_SEED, {"seed"}},
                      {BENCH_THREADS, {"threads"}},
                      {BENCH_MEM, {"mem"}},
                      {BENCH_PLOT, {"plot"}},
                      {BENCH_CLUSTER, {"cluster"}}};
    const bench *b = bench_find(name);
    char what[64];
    snprintf(what, sizeof what, "the benchmark %s", name);
    for (size_t i = 0; b != NULL && i < sizeof options_of / sizeof *options_of; i++)
        if ((b->takes & options_of[i].bit) == 0 && cli_refuses(c, options_of[i].names, what))
            return true;
    return false;
}

static cli_status run(cli *c)
{
    const bench_settings *settings = c->settings;
    if (settings->list) {
        static const char *const of_runs[] = {"quick", "plot", "seed", "threads", "mem", "cluster", NULL};
        if (cli_refuses(c, of_runs, "--list"))
            return CLI_USAGE;
        list_benches(c);
        return CLI_DONE;
    }
    if (c->operand_count > 0 && is_unheeded(c, c->operands[0]))
        return CLI_USAGE;
    if (c->cluster != NULL && c->operand_count == 0) {
        cli_error("--cluster is for one benchmark: holos bench cluster --cluster");
        return CLI_USAGE;
    }
    bench_context context = {
        .out = fopencookie(c->out, "w", (cookie_io_functions_t){.write = write_output}),
        .json = c->shared.json,
        .quick = settings->quick,
        .threads = (unsigned)c->shared.threads,
        .mem = c->shared.mem,
        .seed = c->shared.seed,
        .stop = interrupt_flag(),
        .cluster = c->cluster,
        .plot = settings->plot,
    };
    if (context.out == NULL) {
        cli_error("no memory for a stream");
        return CLI_LIMIT;
    }
    holos_status status = bench_run(&context, c->operand_count > 0 ? c->operands[0] : NULL);
    fclose(context.out);
    if (status == HOLOS_OK || c->out->failed != 0) /* main tells what became of the output */
        return CLI_DONE;
    return cli_fail(&context.error);
}

static const cli_example examples[] = {
    {"bench", "run every benchmark"},
    {"bench --list", "list the benchmarks"},
    {"bench core --json", "run one and print a JSON object for each case"},
    {0},
};

const cli_verb verb_bench = {
    .name = "bench",
    .operands = "[NAME]",
    .summary = "how fast it is on this machine",
    .description =
        "Runs all benchmarks, or the named one, and prints a line for each case: how many things it did, how "
        "much CPU time they took, and the rate. Compare rates only within one run on one machine.",
    .operands_max = 1,
    .complete = bench_word,
    .shared = SHARED_THREADS | SHARED_MEM | SHARED_SEED | SHARED_JSON | SHARED_CONFIG | SHARED_CLUSTER,
    .options = options,
    .settings_size = sizeof(bench_settings),
    .examples = examples,
    .run = run,
};
