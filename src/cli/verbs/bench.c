/* SPDX-License-Identifier: MIT */

/* How fast it is on this machine: the benchmarks of bench/. */

#include "bench.h"
#include "cli/cli.h"
#include "cli/interrupt.h"

typedef struct bench_settings {
    bool quick;
} bench_settings;

static const cli_option options[] = {
    {OPTION(FLAG, bench_settings, quick), .name = "quick", .letter = 'q',
     .help = "a small part of each case, none that takes long"},
    {0},
};

static cli_status run(cli *c)
{
    const bench_settings *s = c->settings;
    bench_context context = {
        .out = stdout,
        .json = c->shared.json,
        .quick = s->quick,
        .threads = (unsigned)c->shared.threads,
        .mem = c->shared.mem,
        .seed = c->shared.seed,
        .stop = interrupt_flag(),
    };
    const char *name = c->operand_count > 0 ? c->operands[0] : NULL;
    return bench_run(&context, name) == HOLOS_OK ? CLI_DONE : cli_fail(&context.error);
}

static const cli_example examples[] = {
    {"bench connect4 --quick", "a first impression, in about a second"},
    {"bench --json", "everything, for programs"},
    {0},
};

const cli_verb verb_bench = {
    .name = "bench",
    .operands = "[NAME]",
    .summary = "how fast it is on this machine",
    .description =
        "Runs the benchmark of that name, or all of them, and prints a line for each case: how many "
        "things were done, in which processor time, and the nodes that were searched.",
    .operands_min = 0,
    .operands_max = 1,
    .shared = SHARED_MEM | SHARED_THREADS | SHARED_SEED | SHARED_JSON | SHARED_LOG,
    .options = options,
    .settings_size = sizeof(bench_settings),
    .examples = examples,
    .run = run,
};
