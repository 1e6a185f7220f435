/* SPDX-License-Identifier: MIT */

/* The page, on this machine. */

#include "serve/serve.h"
#include "cli/interrupt.h"
#include "cli/known.h"
#include "core/json.h"

#include <spawn.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

typedef struct serve_settings {
    int64_t port;
    const char *folder, *store;
    double idle;
    bool open, no_book;
} serve_settings;

static const holos_option options[] = {
    {OPTION(INT, serve_settings, port), .name = "port", .min = 0, .max = 65535, .value = "N",
     .fallback = "4650", .help = "listen on this port of 127.0.0.1; 0 means any free one"},
    {OPTION(FLAG, serve_settings, open), .name = "open", .letter = 'o',
     .help = "open the page in the browser"},
    {OPTION(FILE, serve_settings, folder), .name = "folder", .value = "DIR",
     .help = "where the page keeps what it builds; default: holos in the folder for data of your account"},
    {OPTION(DURATION, serve_settings, idle), .name = "idle", .value = "TIME",
     .help = "end after this long without a request or a job"},
    KNOWN_OPTIONS(serve_settings),
    {0},
};

static void say_address(cli *c, const serve *s)
{
    text *t = &c->out->text;
    const char *missing = serve_page_missing();
    if (c->shared.json) {
        json j = json_begin(t);
        json_open(&j, NULL, '{');
        json_put_string(&j, "url", serve_url(s));
        json_put_uint(&j, "port", serve_port(s));
        json_put_string(&j, "token", serve_token(s));
        json_put_bool(&j, "page", missing == NULL);
        json_close(&j);
        text_char(t, '\n');
    } else {
        text_printf(t, "The page is at  %s\nCtrl-C ends it.\n", serve_url(s));
    }
    output_flush(c->out);
    if (missing != NULL)
        log_write(&c->log, LOG_LEVEL_WARNING, "this build has no page: %s; programs can still ask", missing);
}

static void open_browser(cli *c, const char *url)
{
    char program[] = "xdg-open", *address = strdup(url);
    char *arguments[] = {program, address, NULL};
    pid_t child;
    if (address == NULL || posix_spawnp(&child, program, NULL, NULL, arguments, environ) != 0)
        log_write(&c->log, LOG_LEVEL_WARNING, "no browser was found (xdg-open): open the address yourself");
    free(address);
}

static cli_status run(cli *c)
{
    const serve_settings *settings = c->settings;
    const serve_options wanted = {.port = (unsigned)settings->port,
                                  .folder = settings->folder,
                                  .store = settings->store,
                                  .no_book = settings->no_book,
                                  .memory = c->shared.mem,
                                  .threads = (unsigned)c->shared.threads,
                                  .idle = settings->idle,
                                  .log = &c->log};
    serve *s;
    holos_error err;
    if (serve_open(&wanted, &s, &err) != HOLOS_OK)
        return cli_fail(&err);
    say_address(c, s);
    if (settings->open)
        open_browser(c, serve_url(s));
    serve_wait(s, interrupt_flag());
    serve_close(s);
    return CLI_DONE;
}

static const char *const defaults[] = {"threads", "0", NULL};

static const cli_example examples[] = {
    {"serve --open", "see what every move is worth, in a browser"},
    {"serve --port 0 --idle 1m", "on any free port, until nobody has asked for a minute"},
    {0},
};

const cli_verb verb_serve = {
    .name = "serve",
    .operands = "",
    .summary = "open the page in a browser: boards, puzzles, long work",
    .description = "Starts a server for this machine alone, and prints the address of the page. On the page, "
                   "you play and "
                   "analyse with the exact value of every move, solve puzzles with hints, look into endgame "
                   "tables, and start "
                   "and watch long work. Programs use the same interface (docs/http.md).\n\n"
                   "The address ends in a token. Whoever opens the page without it can look at everything, "
                   "but cannot start "
                   "work. Ctrl-C ends the server; jobs save a checkpoint first.",
    .shared = SHARED_MEM | SHARED_THREADS | SHARED_JSON | SHARED_CONFIG | SHARED_LOG,
    .options = options,
    .settings_size = sizeof(serve_settings),
    .defaults = defaults,
    .examples = examples,
    .run = run,
};
