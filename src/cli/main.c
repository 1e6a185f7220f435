/* SPDX-License-Identifier: MIT */

/* holos: finds the verb, reads its options, runs it, and reports what went wrong. */

#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/page.h"
#include "cli/words.h"
#include "wire/answer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The cluster that this process is part of. Verbs fail on the main thread only. */
static holos_cluster *company;

void cli_error(const char *format, ...)
{
    char message[1024];
    va_list args;
    if (holos_cluster_rank(company) > 0 && holos_cluster_agreed(company))
        return; /* rank 0 says it */
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (holos_cluster_rank(company) > 0)
        fprintf(stderr, "holos: rank %u: %s\n", holos_cluster_rank(company), message);
    else
        fprintf(stderr, "holos: %s\n", message);
}

cli_status cli_status_of(holos_status status)
{
    switch (status) {
    case HOLOS_OK:
        return CLI_DONE;
    case HOLOS_USAGE:
    case HOLOS_BAD_VARIANT:
    case HOLOS_UNSUPPORTED:
        return CLI_USAGE;
    case HOLOS_BAD_POSITION:
    case HOLOS_BAD_MOVE:
    case HOLOS_BAD_FILE:
        return CLI_INPUT;
    case HOLOS_NO_MEMORY:
    case HOLOS_LIMIT:
        return CLI_LIMIT;
    case HOLOS_INTERRUPTED:
        return CLI_INTERRUPTED;
    case HOLOS_IO:
        return CLI_SYSTEM;
    }
    return CLI_SYSTEM;
}

cli_status cli_worse(cli_status a, cli_status b)
{
    static const cli_status order[] = {CLI_DONE,  CLI_NO,     CLI_LIMIT,       CLI_INPUT,
                                       CLI_USAGE, CLI_SYSTEM, CLI_INTERRUPTED, CLI_CLOSED};
    size_t i = 0;
    while (order[i] != a && order[i] != b)
        i++;
    return order[i] == a ? b : a;
}

/* What a run failed for, as far as it is an error of the library. Verbs fail on the main thread only. */
static holos_error failure;

cli_status cli_fail(const holos_error *err)
{
    failure = *err;
    if (company != NULL)
        holos_cluster_agree(company, err->code, &failure);
    cli_error("%s", failure.message);
    return cli_status_of(failure.code);
}

cli_status cli_usage(const char *format, ...)
{
    holos_error err = {.code = HOLOS_USAGE, .at = HOLOS_NOWHERE};
    va_list args;
    va_start(args, format);
    vsnprintf(err.message, sizeof err.message, format, args);
    va_end(args);
    return cli_fail(&err);
}

/* A line would only be in the way of answers on the same screen. */
static screen_mode choose_progress(const cli *c)
{
    if (c->shared.progress == SHOW_JSON)
        return SCREEN_JSON;
    if ((c->verb->shared & SHARED_PROGRESS) == 0 || c->shared.progress == SHOW_NONE || c->shared.quiet)
        return SCREEN_NONE;
    bool terminal = isatty(STDERR_FILENO);
    if (c->shared.progress == SHOW_LOG || (c->cluster != NULL && !terminal))
        return SCREEN_LOG;
    return terminal && (c->verb->answers_once || !c->out->is_terminal) ? SCREEN_LINE : SCREEN_NONE;
}

static void remarks_begin(cli *c)
{
    screen_init(&c->screen, stderr, choose_progress(c));
    progress_init(&c->progress, c->screen.mode != SCREEN_NONE ? screen_show : NULL, &c->screen,
                  screen_interval(&c->screen));
    c->log = (logger){
        .level = c->shared.quiet     ? LOG_LEVEL_ERROR
                 : c->shared.verbose ? LOG_LEVEL_INFO
                                     : LOG_LEVEL_WARNING,
        .write = screen_log,
        .context = &c->screen,
    };
}

/* A program that reads objects gets one, whatever happens. */
static void failure_json(const cli *c)
{
    if (!c->shared.json || failure.code == HOLOS_OK || c->out->written || c->out->text.length > 0)
        return;
    json j = json_begin(&c->out->text);
    json_open(&j, NULL, '{');
    json_put_string(&j, "status", "error");
    wire_error(&j, &failure);
    json_close(&j);
    text_char(&c->out->text, '\n');
}

/* Joins the others. Rank 0 speaks for all. */
static holos_status cluster_join(cli *c, holos_error *err)
{
    holos_status status = holos_cluster_join(&c->cluster, err);
    if (status != HOLOS_OK)
        return status;
    company = c->cluster;
    /* mpirun gives a rank a terminal, wherever the output goes. */
    c->out->is_terminal = c->out->color = false;
    if (holos_cluster_rank(c->cluster) == 0)
        return HOLOS_OK;
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    c->out->fd = nowhere >= 0 ? nowhere : c->out->fd;
    c->shared.quiet = true;
    c->shared.verbose = false;
    c->shared.progress = SHOW_NONE;
    return HOLOS_OK;
}

static cli_status cluster_begin(cli *c)
{
    holos_error err;
    return !c->shared.cluster || cluster_join(c, &err) == HOLOS_OK ? CLI_DONE : cli_fail(&err);
}

static void cluster_end(cli *c, cli_status status)
{
    output_flush(c->out); /* leaving may end the process */
    company = NULL;
    holos_cluster_leave(c->cluster, (int)status);
}

/* Whether an option is among the words, also behind the one that could not be read. */
static bool is_among_words(const cli *c, const char *option)
{
    for (size_t i = 0; i < c->word_count && strcmp(c->words[i], "--") != 0; i++)
        if (strcmp(c->words[i], option) == 0)
            return true;
    return false;
}

/* Says what cannot be read in the way that was asked for: as an object, too, and once, though all processes of a cluster have the same words. */
static cli_status unread_fail(cli *c, const holos_error *err)
{
    bool has_objects = (c->verb->shared & SHARED_JSON) != 0;
    c->shared.json |= has_objects && (is_among_words(c, "--json") || is_among_words(c, "-j"));
    if (c->shared.cluster || is_among_words(c, "--cluster"))
        (void)cluster_join(c, NULL);
    cli_status status = cli_fail(err);
    failure_json(c);
    cluster_end(c, status);
    return status == CLI_SYSTEM ? CLI_INPUT : status; /* a configuration file that cannot be read */
}

static cli_status verb_run(const cli_verb *verb, int argc, char **argv, output *out)
{
    holos_error err;
    cli c = {.verb = verb, .out = out, .words = argv, .word_count = (size_t)argc};
    cli_status status;
    if (cli_parse(&c, argc, argv, &err) != HOLOS_OK) {
        status = unread_fail(&c, &err);
    } else if (c.shared.help) {
        page_verb(verb, out);
        status = CLI_DONE;
    } else {
        status = cluster_begin(&c);
        remarks_begin(&c);
        if (status == CLI_DONE)
            status = verb->run(&c);
        failure_json(&c);
        cluster_end(&c, status);
        progress_free(&c.progress);
        screen_free(&c.screen);
    }
    cli_parse_free(&c);
    return status;
}

static cli_status run(int argc, char **argv, output *out)
{
    if (argc < 2) {
        output err;
        output_init(&err, STDERR_FILENO);
        page_overview(&err);
        output_flush(&err);
        output_free(&err);
        return CLI_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    else if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
        name = "version";
    const cli_verb *verb = verb_find(name);
    return verb != NULL ? verb_run(verb, argc - 2, argv + 2, out) : verb_unknown(name);
}

/* The status of the run, given that of the verb and what became of its output. */
static cli_status output_status(output *out, cli_status status)
{
    if (output_flush(out))
        return status;
    if (out->failed == EPIPE)
        return CLI_CLOSED;
    cli_error("cannot write the output: %s", strerror(out->failed));
    return CLI_SYSTEM;
}

/* A standard stream that the caller closed would give its number to the next file that is opened, a store for example. What takes
 * its place refuses what the stream is for, so that a verb that needs it says so. */
static bool streams_open(void)
{
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) != -1 || errno != EBADF)
            continue;
        if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    output out;
    if (!streams_open())
        return CLI_SYSTEM;
    interrupt_init();
    output_init(&out, STDOUT_FILENO);
    cli_status status = output_status(&out, run(argc, argv, &out));
    output_free(&out);
    return (int)status;
}
