/* SPDX-License-Identifier: MIT */

/* Experiments, with their tables. */

#include "cli/labs/lab.h"
#include "cli/cli.h"
#include "core/file.h"

#include <string.h>

static const struct lab {
    const char *name, *summary;
    cli_status (*run)(cli *c);
} experiments[] = {
#define LAB(name, summary) {#name, summary, lab_##name},
#include "cli/labs/labs.def"
#undef LAB
};

enum { LABS = sizeof experiments / sizeof experiments[0] };

static const char *lab_word(size_t index)
{
    return index < LABS ? experiments[index].name : NULL;
}

static const cli_option options[] = {
    {OPTION(FILE, lab_settings, out), .name = "out", .value = "DIR",
     .help = "write the tables to this folder, as CSV"},
    {OPTION(FLAG, lab_settings, quick), .name = "quick", .help = "smaller tables"},
    {OPTION(FLAG, lab_settings, fail_on_mismatch), .name = "fail-on-mismatch",
     .help = "exit with status 1 if something differs from what it is compared with"},
    {OPTION(INT, lab_settings, modulus), .name = "modulus", .value = "M", .min = 2, .max = 4096,
     .fallback = "640", .help = "phase: the modulus of the ring"},
    {OPTION(INT, lab_settings, row), .name = "row", .value = "N", .min = 0, .max = 4095, .fallback = "67",
     .help = "phase: what a row adds to a phase"},
    {OPTION(INT, lab_settings, column), .name = "column", .value = "N", .min = 0, .max = 4095,
     .fallback = "7", .help = "phase: what a column adds to a phase"},
    {0},
};

cli_status lab_write(cli *c, const char *name, const text *table)
{
    const lab_settings *settings = c->settings;
    holos_error err;
    file_writer w;
    text path;
    if (settings->out == NULL)
        return CLI_DONE;
    text_init(&path);
    text_printf(&path, "%s/%s", settings->out, name);
    holos_status status = file_make_folder(settings->out, &err);
    if (status == HOLOS_OK)
        status = file_create(&w, path.data, &err);
    if (status == HOLOS_OK) {
        file_write(&w, table->data, table->length);
        status = file_commit(&w, &err);
    }
    text_free(&path);
    return status == HOLOS_OK ? CLI_DONE : cli_fail(&err);
}

static void list_labs(text *t)
{
    for (size_t i = 0; i < LABS; i++)
        text_printf(t, "%-10s %s\n", experiments[i].name, experiments[i].summary);
}

static cli_status run(cli *c)
{
    if (c->operand_count == 0) {
        list_labs(&c->out->text);
        return CLI_DONE;
    }
    for (size_t i = 0; i < LABS; i++)
        if (strcmp(experiments[i].name, c->operands[0]) == 0)
            return experiments[i].run(c);
    cli_error("there is no experiment \"%s\"; `holos lab` lists them", c->operands[0]);
    return CLI_USAGE;
}

static const cli_example examples[] = {
    {"lab", "the experiments that there are"},
    {"lab phase --out results", "chess pieces as shifts modulo 640, with the tables in a folder"},
    {"lab phase --modulus 64 --row 8 --column 1 --fail-on-mismatch", "a ring that is too small"},
    {0},
};

const cli_verb verb_lab = {
    .name = "lab",
    .operands = "[NAME]",
    .summary = "experiments, with their tables",
    .description =
        "Runs an experiment and prints what came of it; without a name, lists the experiments. Every "
        "number can be made again by the same command.",
    .operands_max = 1,
    .complete = lab_word,
    .shared = SHARED_JSON | SHARED_CONFIG,
    .options = options,
    .settings_size = sizeof(lab_settings),
    .examples = examples,
    .run = run,
};
