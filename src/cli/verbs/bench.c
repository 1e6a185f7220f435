/* SPDX-License-Identifier: MIT */

#include "bench.h"

#include "cli/cli.h"
#include "cli/interrupt.h"

typedef struct bench_settings {
    bool quick;
    const char *plot;
} bench_settings;

static const cli_option options[] = {
    {OPTION(FLAG, bench_settings, quick), .name = "quick",
     .help = "smaller sizes: to see that it runs, not how fast"},
    {OPTION(FILE, bench_settings, plot), .name = "plot", .value = "FILE",
     .help = "hidato: a picture of the times, too, as SVG"},
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

static cli_status run(cli *c)
{
    const bench_settings *settings = c->settings;
    bench_context context = {
        .out = fopencookie(c->out, "w", (cookie_io_functions_t){.write = write_output}),
        .json = c->shared.json,
        .quick = settings->quick,
        .threads = (unsigned)c->shared.threads,
        .mem = c->shared.mem,
        .seed = c->shared.seed,
        .stop = interrupt_flag(),
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
    {"bench", "everything"},
    {"bench core --json", "one benchmark, one JSON object for each case"},
    {"bench hidato --plot hidato.svg", "medians and worst of every set and mode, and a picture of them"},
    {0},
};

const cli_verb verb_bench = {
    .name = "bench",
    .operands = "[NAME]",
    .summary = "how fast it is on this machine",
    .description =
        "Runs the benchmarks, or the one that is named, and prints a line for each case: how many "
        "things were done, in how much CPU time, and their rate. Speeds are worth comparing within one "
        "run only.",
    .operands_max = 1,
    .complete = bench_word,
    .shared = SHARED_THREADS | SHARED_MEM | SHARED_SEED | SHARED_JSON | SHARED_CONFIG,
    .options = options,
    .settings_size = sizeof(bench_settings),
    .examples = examples,
    .run = run,
};
