/* SPDX-License-Identifier: MIT */

/* Experiments, with their tables. */

#include "cli/interrupt.h"
#include "cli/job.h"
#include "cli/listing.h"

#include <string.h>

typedef struct lab_settings {
    const char *out; /* a folder for tables, or NULL */
    const char *game, *position, *tables;
    bool quick;
    bool fail_on_mismatch;
} lab_settings;

static const char *lab_word(size_t index)
{
    return holos_experiment_name(holos_experiment_at(index));
}

static const holos_option options[] = {
    {OPTION(FILE, lab_settings, out), .name = "out", .value = "DIR",
     .help = "write the tables and plots to this folder, as CSV and SVG, with a record of the run"},
    {OPTION(FLAG, lab_settings, quick), .name = "quick",
     .help = "run at a small size, to check that it works"},
    {OPTION(FLAG, lab_settings, fail_on_mismatch), .name = "fail-on-mismatch",
     .help = "exit with status 1 if something differs from what it is compared with"},
    {OPTION(STRING, lab_settings, game), .name = "game", .value = "GAME",
     .help = "experiments over any game: run on this one instead of those that games suggest"},
    {OPTION(STRING, lab_settings, position), .name = "position", .value = "POSITION",
     .help = "with --game: run on this position; the start otherwise"},
    {OPTION(FILE, lab_settings, tables), .name = "tables", .value = "DIR",
     .help = "known values that are part of the boundary: a store, or a folder of tables"},
    {0},
};

static cli_status list(cli *c)
{
    static const char *const of_runs[] = {"out",  "quick", "fail-on-mismatch", "game", "position", "tables",
                                          "seed", NULL};
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
                                       .json = c->shared.json,
                                       .seed = c->shared.seed,
                                       .game = s->game,
                                       .position = s->position,
                                       .tables = s->tables,
                                       .progress = c->screen.mode != SCREEN_NONE ? screen_show : NULL,
                                       .progress_context = &c->screen};
    holos_experiment_result result = {0};
    holos_error err;
    text command;
    text_init(&command);
    command_words(c, &command);
    wanted.command = command.data;
    holos_status status = holos_experiment_run(e, &wanted, &result, &err);
    text_free(&command);
    if (status != HOLOS_OK) {
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
    return cli_usage("unknown experiment \"%s\"; 'holos lab' lists them", c->operands[0]);
}

static const cli_example examples[] = {
    {"lab", "list the experiments"},
    {"lab tactics --quick", "how efficient seeds are, on a position of each game"},
    {0},
};

const cli_verb verb_lab = {
    .name = "lab",
    .operands = "[NAME]",
    .summary = "run an experiment",
    .description =
        "Runs an experiment and prints the result; without a name, lists the experiments. The same "
        "command gives the same numbers again. Experiments over any game run on positions that games "
        "suggest, "
        "or on --game and --position. With --out, tables (CSV), plots (SVG) and a record are kept.",
    .operands_max = 1,
    .complete = lab_word,
    .shared = SHARED_TIME | SHARED_SEED | SHARED_JSON | SHARED_PROGRESS | SHARED_CONFIG,
    .options = options,
    .uses = USE(EXPERIMENT),
    .settings_size = sizeof(lab_settings),
    .examples = examples,
    .run = run,
};
