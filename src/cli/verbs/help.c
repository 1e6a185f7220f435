/* SPDX-License-Identifier: MIT */

#include "cli/page.h"

typedef struct help_settings {
    bool man;
} help_settings;

static const holos_option options[] = {
    {OPTION(FLAG, help_settings, man), .name = "man", .help = "print the man page, for man or groff -man"},
    {0},
};

static cli_status run(cli *c)
{
    const help_settings *settings = c->settings;
    const cli_verb *verb = c->operand_count > 0 ? verb_find(c->operands[0]) : NULL;
    if (settings->man && (c->operand_count > 0 || c->shared.json))
        return cli_usage(
            "--man: the man page covers all verbs and is for people; leave out the verb and --json");
    if (c->operand_count > 0 && verb == NULL)
        return verb_unknown(c->operands[0]);
    if (settings->man)
        page_man(&c->out->text);
    else if (c->shared.json)
        page_json(verb, &c->out->text);
    else if (verb != NULL)
        page_verb(verb, c->out);
    else
        page_overview(c->out);
    return CLI_DONE;
}

const cli_verb verb_help = {
    .name = "help",
    .operands = "[VERB]",
    .summary = "print help, in general or for one verb",
    .description =
        "Without a verb, prints what holos can do. With one, prints what it does, its options and "
        "examples. With --json, prints the same as data, one object per verb: every option with its "
        "type, range, default and owner.",
    .operands_max = 1,
    .complete = verb_word,
    .shared = SHARED_JSON,
    .options = options,
    .settings_size = sizeof(help_settings),
    .run = run,
};
