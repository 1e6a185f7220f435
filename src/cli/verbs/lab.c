/* SPDX-License-Identifier: MIT */

/* Experiments, with their tables. */

#include "cli/interrupt.h"
#include "cli/listing.h"

#include <string.h>

typedef struct lab_settings {
    const char *out; /* a folder for tables, or NULL */
    bool quick;
    bool fail_on_mismatch;
} lab_settings;

static const char *lab_word(size_t index)
{
    return holos_experiment_name(holos_experiment_at(index));
}

static const holos_option options[] = {
    {OPTION(FILE, lab_settings, out), .name = "out", .value = "DIR",
     .help = "write the tables to this folder, as CSV"},
    {OPTION(FLAG, lab_settings, quick), .name = "quick",
     .help = "run at a small size, to check that it works"},
    {OPTION(FLAG, lab_settings, fail_on_mismatch), .name = "fail-on-mismatch",
     .help = "exit with status 1 if something differs from what it is compared with"},
    {0},
};

static cli_status list(cli *c)
{
    static const char *const of_runs[] = {"out", "quick", "fail-on-mismatch", NULL};
    const holos_experiment *e;
    if (cli_refuses(c, of_runs, "the list of experiments") ||
        cli_refuses_others(c, "the list of experiments"))
        return CLI_USAGE;
    for (size_t i = 0; (e = holos_experiment_at(i)) != NULL; i++)
        listing_entry(c, "lab", holos_experiment_name(e), holos_experiment_summary(e));
    return CLI_DONE;
}

static cli_status experiment(cli *c, const holos_experiment *e)
{
    const lab_settings *s = c->settings;
    holos_experiment_options wanted = {.settings = c->others,
                                       .folder = s->out,
                                       .limits = {.seconds = c->shared.time, .stop = interrupt_flag()},
                                       .quick = s->quick,
                                       .json = c->shared.json};
    holos_experiment_result result = {0};
    holos_error err;
    if (holos_experiment_run(e, &wanted, &result, &err) != HOLOS_OK) {
        holos_experiment_result_free(&result);
        return cli_fail(&err);
    }
    text_string(&c->out->text, result.text);
    holos_experiment_result_free(&result);
    if (result.mismatches == 0 || !s->fail_on_mismatch)
        return CLI_DONE;
    cli_error("%llu of %llu differ: see the tables of --out", (unsigned long long)result.mismatches,
              (unsigned long long)result.compared);
    return CLI_NO;
}

static cli_status run(cli *c)
{
    if (c->operand_count == 0)
        return list(c);
    const holos_experiment *e = holos_experiment_find(c->operands[0]);
    if (e != NULL)
        return experiment(c, e);
    cli_error("unknown experiment \"%s\"; 'holos lab' lists them", c->operands[0]);
    return CLI_USAGE;
}

static const cli_example examples[] = {
    {"lab", "list the experiments"},
    {0},
};

const cli_verb verb_lab = {
    .name = "lab",
    .operands = "[NAME]",
    .summary = "run an experiment",
    .description =
        "Runs an experiment and prints the result; without a name, lists the experiments. The same "
        "command gives the same numbers again.",
    .operands_max = 1,
    .complete = lab_word,
    .shared = SHARED_TIME | SHARED_JSON | SHARED_CONFIG,
    .options = options,
    .uses = USE(EXPERIMENT),
    .settings_size = sizeof(lab_settings),
    .examples = examples,
    .run = run,
};
