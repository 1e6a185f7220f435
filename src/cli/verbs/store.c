/* SPDX-License-Identifier: MIT */

/* Looks after stores and holograms: what is in one, whether it is sound, a copy of it elsewhere, one made of
 * several, questions about it. */

#include "cli/interrupt.h"
#include "cli/job.h"
#include "cli/report.h"
#include "core/error.h"

#include <string.h>

typedef struct store_settings {
    uint64_t samples;
    bool all, resume, restart;
    const char *into;
} store_settings;

static const holos_option options[] = {
    {OPTION(COUNT, store_settings, samples), .name = "samples", .value = "N",
     .help =
         "verify: re-derive roughly this many positions from the rules; 0 means 100,000, or 100 of a book, "
         "which are searched"},
    {OPTION(FLAG, store_settings, all), .name = "all", .letter = 'a',
     .help = "verify: re-derive every position"},
    {OPTION(FLAG, store_settings, resume), .name = "resume", .help = "copy: continue an unfinished copy"},
    {OPTION(FLAG, store_settings, restart), .name = "restart", .help = "copy, merge: replace what is there"},
    {OPTION(STRING, store_settings, into), .name = "into", .value = "STORE", .help = "merge: where to"},
    {0},
};

/* ---- The commands ------------------------------------------------------------------------------ */

static holos_store_options wishes_of(cli *c, const char *command)
{
    const store_settings *s = c->settings;
    return (holos_store_options){
        .start = s->resume    ? HOLOS_JOB_RESUME
                 : s->restart ? HOLOS_JOB_RESTART
                              : HOLOS_JOB_NEW,
        .samples = s->samples,
        .all = s->all,
        .seed = c->shared.seed,
        .threads = (unsigned)c->shared.threads,
        .memory = c->shared.mem,
        .stop = interrupt_flag(),
        .command = command,
        .progress = c->screen.mode != SCREEN_NONE ? screen_show : NULL,
        .progress_context = &c->screen,
        .progress_seconds = screen_interval(&c->screen),
    };
}

static holos_status store_info(cli *c, const holos_store_options *o, holos_report **out, holos_error *err)
{
    (void)o;
    return holos_store_info(c->operands[1], out, err);
}

static holos_status store_verify(cli *c, const holos_store_options *o, holos_report **out, holos_error *err)
{
    return holos_store_verify(c->operands[1], o, out, err);
}

static holos_status store_copy(cli *c, const holos_store_options *o, holos_report **out, holos_error *err)
{
    return holos_store_copy(c->operands[1], c->operands[2], o, out, err);
}

static holos_status store_merge(cli *c, const holos_store_options *o, holos_report **out, holos_error *err)
{
    const store_settings *settings = c->settings;
    if (settings->into == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "store merge needs --into STORE: where to write the result");
    return holos_store_merge(c->operands + 1, c->operand_count - 1, settings->into, o, out, err);
}

static holos_status store_sql(cli *c, const holos_store_options *o, holos_report **out, holos_error *err)
{
    (void)o;
    return holos_store_sql(c->operands[1], c->operands[2], out, err);
}

/* ---- The verb ---------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    size_t least, most; /* stores */
    holos_status (*run)(cli *c, const holos_store_options *o, holos_report **out, holos_error *err);
    const char *refuses[9]; /* options that are another command's */
} commands[] = {
    {"info", 1, 1, store_info, {"samples", "all", "resume", "restart", "into", "threads", "seed"}},
    {"verify", 1, 1, store_verify, {"resume", "restart", "into"}},
    {"copy", 2, 2, store_copy, {"samples", "all", "into", "threads", "seed"}},
    {"merge", 2, SIZE_MAX - 1, store_merge, {"samples", "all", "resume", "threads", "seed"}},
    {"sql", 2, 2, store_sql, {"samples", "all", "resume", "restart", "into", "threads", "seed", "mem"}},
};

static const char *command_word(size_t index)
{
    return index < sizeof commands / sizeof *commands ? commands[index].name : NULL;
}

/* What is not sound is an answer, which has a report; what could not be done has none. */
static cli_status command_run(cli *c, size_t index)
{
    holos_error err;
    holos_report *report = NULL;
    text command;
    text_init(&command);
    command_words(c, &command);
    holos_store_options o = wishes_of(c, command.data);
    holos_status status = commands[index].run(c, &o, &report, &err);
    text_free(&command);
    if (report != NULL)
        report_print(c, report);
    cli_status exit = status == HOLOS_OK ? CLI_DONE : report != NULL ? CLI_NO : cli_fail(&err);
    holos_report_close(report);
    return exit;
}

static cli_status run(cli *c)
{
    const store_settings *settings = c->settings;
    if (settings->resume && settings->restart)
        return cli_usage("--resume and --restart contradict each other");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(c->operands[0], commands[i].name) != 0)
            continue;
        if (cli_refuses(c, commands[i].refuses, commands[i].name))
            return CLI_USAGE;
        if (c->operand_count > commands[i].least && c->operand_count <= commands[i].most + 1)
            return command_run(c, i);
        if (commands[i].run == store_sql)
            return cli_usage("store sql takes a store and a question");
        return cli_usage("store %s takes %zu %s%s", commands[i].name, commands[i].least,
                         commands[i].least == 1 ? "store" : "stores",
                         commands[i].most > commands[i].least ? " or more" : "");
    }
    return cli_usage("unknown action \"%s\"; store has info, verify, copy, merge and sql", c->operands[0]);
}

static const cli_example examples[] = {
    {"store sql parquet:k \"select depth, count(*) from graph group by 1\"", "query a Parquet store"},
    {"store merge file:waves file:more --into file:all", "combine two holograms, or two databases"},
    {0},
};

const cli_verb verb_store = {
    .name = "store",
    .operands = "info|verify|copy|merge|sql STORE [STORE…]",
    .summary = "look after databases",
    .description =
        "info says what a store holds. verify compares every checksum, and re-derives positions "
        "from the rules and the "
        "values of their successors: a sample, or with --all every one; the exit status is 1 if "
        "the store is not "
        "sound. copy writes a store into a new one, of the same type or another. merge "
        "combines several databases, finished or not, or several holograms; if two of "
        "them contradict each other, it names the position or the key. sql answers a question in SQL about "
        "a Parquet store.",
    .operands_min = 2,
    .operands_max = SIZE_MAX,
    .complete = command_word,
    .shared = SHARED_MEM | SHARED_THREADS | SHARED_SEED | SHARED_JSON | SHARED_PROGRESS | SHARED_CONFIG |
              SHARED_LOG,
    .options = options,
    .settings_size = sizeof(store_settings),
    .examples = examples,
    .run = run,
};
