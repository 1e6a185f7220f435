/* SPDX-License-Identifier: MIT */

#include "cli/page.h"

typedef struct help_settings {
    bool man;
} help_settings;

static const cli_option options[] = {
    {OPTION(FLAG, help_settings, man), .name = "man", .help = "print the man page, for man or groff -man"},
    {0},
};

static cli_status run(cli *c)
{
    const help_settings *settings = c->settings;
    if (settings->man) {
        page_man(&c->out->text);
        return CLI_DONE;
    }
    if (c->operand_count == 0) {
        page_overview(c->out);
        return CLI_DONE;
    }
    const cli_verb *verb = verb_find(c->operands[0]);
    if (verb == NULL)
        return verb_unknown(c->operands[0]);
    page_verb(verb, c->out);
    return CLI_DONE;
}

const cli_verb verb_help = {
    .name = "help",
    .operands = "[VERB]",
    .summary = "this help, or that of a verb",
    .description = "Without a verb: what holos can do. With one: what it does, its options, examples.",
    .operands_max = 1,
    .complete = verb_word,
    .options = options,
    .settings_size = sizeof(help_settings),
    .run = run,
};
