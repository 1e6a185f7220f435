/* SPDX-License-Identifier: MIT */

/* holos as an engine of other people's programs. */

#include "cli/interrupt.h"
#include "cli/known.h"
#include "cli/lines.h"
#include "cli/protocol.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const holos_option options[] = {
    KNOWN_OPTIONS(engine_settings),
    {0},
};

static const protocol *const protocols[] = {&protocol_gtp, &protocol_nboard, &protocol_uci, &protocol_jsonl};
enum { PROTOCOL_COUNT = sizeof protocols / sizeof *protocols };

/* ---- The conversation -------------------------------------------------------------------------- */

static cli_status converse(session *s)
{
    lines *in = malloc(sizeof *in);
    line l;
    holos_status status = HOLOS_OK;
    holos_error err;
    if (in == NULL)
        return CLI_SYSTEM;
    lines_init(in, STDIN_FILENO);
    while (!s->quit && lines_next(in, &l, &status, &err)) {
        char *command = strndup(l.text, l.length);
        if (command != NULL)
            s->p->obey(s, command);
        free(command);
        if (interrupted()) {
            status = HOLOS_INTERRUPTED;
            break;
        }
        pthread_mutex_lock(s->speaking);
        bool heard = output_flush(s->c->out);
        pthread_mutex_unlock(s->speaking);
        if (!heard)
            break;
    }
    free(in);
    return status == HOLOS_BAD_FILE ? cli_fail(&err) : cli_status_of(status);
}

static const char *protocol_word(size_t index)
{
    return index < PROTOCOL_COUNT ? protocols[index]->name : NULL;
}

/* The first game that the protocol is usually about. */
static const char *usual_game(const char *name)
{
    for (size_t i = 0; i < holos_game_count(); i++)
        for (size_t k = 0; holos_game_protocol(holos_game_at(i), k) != NULL; k++)
            if (strcmp(holos_game_protocol(holos_game_at(i), k), name) == 0)
                return holos_game_name(holos_game_at(i));
    return NULL;
}

static const protocol *protocol_find(const char *name)
{
    for (size_t i = 0; i < PROTOCOL_COUNT; i++)
        if (strcmp(name, protocols[i]->name) == 0)
            return protocols[i];
    return NULL;
}

static void unknown_say(const char *name)
{
    char names[128];
    text list;
    text_init_fixed(&list, names, sizeof names);
    for (size_t i = 0; i < PROTOCOL_COUNT; i++)
        text_printf(&list, "%s%s", i == 0 ? "" : i + 1 < PROTOCOL_COUNT ? ", " : " and ", protocols[i]->name);
    cli_usage("engine does not know the protocol \"%s\"; it knows %s", name, names);
}

/* Begins the game, if the protocol is about one. */
static holos_status begin(session *s, holos_error *err)
{
    const cli *c = s->c;
    if (s->p->plain)
        return c->operand_count == 1
                   ? HOLOS_OK
                   : error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                               "%s is not about one game: each question names its own", s->p->name);
    return session_game(s, c->operand_count > 1 ? c->operands[1] : usual_game(s->p->name), err);
}

static cli_status run(cli *c)
{
    pthread_mutex_t speaking = PTHREAD_MUTEX_INITIALIZER;
    session s = {.c = c, .p = protocol_find(c->operands[0]), .out = &c->out->text, .speaking = &speaking};
    holos_error err;
    if (s.p == NULL) {
        unknown_say(c->operands[0]);
        return CLI_USAGE;
    }
    if (cli_refuses(c, s.p->refuses, s.p->name) || (s.p->refuses_others && cli_refuses_others(c, s.p->name)))
        return CLI_USAGE;
    holos_status status = begin(&s, &err);
    if (status == HOLOS_OK && s.p->open != NULL)
        status = s.p->open(&s, &err);
    cli_status exit = status == HOLOS_OK ? converse(&s) : cli_fail(&err);
    if (status == HOLOS_OK && s.p->close != NULL)
        s.p->close(&s);
    session_close(&s);
    return exit;
}

static const char *const defaults[] = {"time", "2s", NULL};

static const cli_example examples[] = {
    {"engine gtp --time 1s", "as a program that speaks GTP starts it"},
    {"engine uci --tables tables", "as a board or a tournament starts it, with a folder of endgame tables"},
    {"engine jsonl --threads 4", "questions about any game, four at a time, one JSON object a line"},
    {0},
};

const cli_verb verb_engine = {
    .name = "engine",
    .operands = "gtp|nboard|uci|jsonl [GAME[:VARIANT]]",
    .summary = "play as the engine of another program",
    .description = "Takes commands on standard input and answers on standard output, as the protocol says. "
                   "gtp is the Go Text "
                   "Protocol, version 2, for any game of two. nboard is what NBoard, a program for Othello, "
                   "speaks with its "
                   "engines. uci is what most boards and tournament programs speak with theirs. jsonl takes "
                   "questions about any "
                   "game, one JSON object a line, and answers several at a time. Without a game it is the "
                   "one that the protocol "
                   "is usually about. holos plays perfectly wherever it can solve the position in time or "
                   "has tables, and "
                   "guesses otherwise.",
    .operands_min = 1,
    .operands_max = 2,
    .complete = protocol_word,
    .shared = SHARED_TIME | SHARED_NODES | SHARED_MEM | SHARED_THREADS | SHARED_SEED | SHARED_ENGINE |
              SHARED_CONFIG | SHARED_LOG,
    .options = options,
    .uses = USE(PLAY),
    .settings_size = sizeof(engine_settings),
    .defaults = defaults,
    .examples = examples,
    .run = run,
};
