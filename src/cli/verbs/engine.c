/* SPDX-License-Identifier: MIT */

/* holos as an engine of other people's programs. */

#include "cli/interrupt.h"
#include "cli/known.h"
#include "cli/lines.h"
#include "cli/protocol.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct engine_settings {
    const char *store;
    bool no_book;
} engine_settings;

static const holos_option options[] = {
    KNOWN_OPTIONS(engine_settings),
    {0},
};

static const protocol *const protocols[] = {&protocol_gtp, &protocol_nboard};
enum { PROTOCOL_COUNT = sizeof protocols / sizeof *protocols };

/* ---- The game ---------------------------------------------------------------------------------- */

static holos_status player_open(session *s, holos_variant *v, holos_knowledge **known, holos_player **out,
                                holos_error *err)
{
    const shared_settings *shared = &s->c->shared;
    const engine_settings *settings = s->c->settings;
    bool with_book = !settings->no_book && shared->engine == NULL;
    holos_status status = known_open(settings->store, with_book, v, 0, known, err);
    if (status != HOLOS_OK)
        return status;
    holos_player_options wanted = {
        .engine = shared->engine,
        .limits = {.seconds = s->seconds > 0 ? s->seconds : shared->time,
                   .nodes = shared->nodes,
                   .memory = shared->mem,
                   .stop = interrupt_flag()},
        .boundary = holos_knowledge_boundary(*known),
        .seed = shared->seed,
        .settings = s->c->others,
    };
    return holos_player_open(v, &wanted, out, err);
}

static holos_status history_begin(const holos_variant *v, const char *position, history *out,
                                  holos_error *err)
{
    holos_position *p = holos_position_new(v);
    if (p == NULL)
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for the game");
    holos_status status = position != NULL ? holos_parse(v, position, p, err) : holos_start(v, p, err);
    if (status == HOLOS_OK && !history_init(out, v, p))
        status = error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for the game");
    holos_position_free(p);
    return status;
}

static void session_close(session *s)
{
    holos_player_close(s->player);
    holos_knowledge_close(s->known);
    history_free(&s->game);
    holos_close(s->v);
}

holos_status session_game(session *s, const char *game, holos_error *err)
{
    session next = {.c = s->c, .out = s->out, .seconds = s->seconds};
    holos_status status = holos_open(game, &next.v, err);
    if (status == HOLOS_OK && (holos_game_traits(holos_variant_game(next.v)) & HOLOS_TRAIT_SOLITAIRE) != 0)
        status = error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "%s is not a game for two", game);
    if (status == HOLOS_OK)
        status = history_begin(next.v, NULL, &next.game, err);
    if (status == HOLOS_OK)
        status = player_open(s, next.v, &next.known, &next.player, err);
    session_close(status == HOLOS_OK ? s : &next);
    if (status == HOLOS_OK)
        *s = next;
    return status;
}

holos_status session_begin(session *s, const char *position, holos_error *err)
{
    history game = {0};
    holos_status status = history_begin(s->v, position, &game, err);
    if (status == HOLOS_OK) {
        history_free(&s->game);
        s->game = game;
    } else {
        history_free(&game);
    }
    return status;
}

holos_status session_limit(session *s, double seconds, holos_error *err)
{
    holos_player *player = NULL;
    holos_knowledge *known = NULL;
    s->seconds = seconds;
    holos_status status = player_open(s, s->v, &known, &player, err);
    if (status != HOLOS_OK) {
        holos_knowledge_close(known);
        return status;
    }
    holos_player_close(s->player);
    holos_knowledge_close(s->known);
    s->player = player;
    s->known = known;
    return HOLOS_OK;
}

const holos_position *session_now(const session *s)
{
    return history_now(&s->game);
}

holos_status session_play(session *s, const char *string, holos_error *err)
{
    holos_move move, only;
    holos_status status = holos_parse_move(s->v, session_now(s), string, &move, err);
    if (status != HOLOS_OK && holos_moves(s->v, session_now(s), &only, 1) == 1 &&
        holos_parse_move(s->v, session_now(s), "pass", &move, NULL) == HOLOS_OK) {
        status = history_play(&s->game, move, err);
        if (status == HOLOS_OK)
            status = holos_parse_move(s->v, session_now(s), string, &move, err);
        if (status != HOLOS_OK)
            history_undo(&s->game);
    }
    return status == HOLOS_OK ? history_play(&s->game, move, err) : status;
}

char *word_take(char **rest)
{
    static const char blanks[] = " \t";
    char *word = *rest + strspn(*rest, blanks), *end = word + strcspn(word, blanks);
    *rest = end + strspn(end, blanks);
    *end = 0;
    return word;
}

/* ---- The conversation -------------------------------------------------------------------------- */

static cli_status converse(session *s, const protocol *p)
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
            p->obey(s, command);
        free(command);
        if (interrupted()) {
            status = HOLOS_INTERRUPTED;
            break;
        }
        if (!output_flush(s->c->out))
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

static cli_status run(cli *c)
{
    session s = {.c = c, .out = &c->out->text};
    holos_error err;
    for (size_t i = 0; i < PROTOCOL_COUNT; i++) {
        if (strcmp(c->operands[0], protocols[i]->name) != 0)
            continue;
        const char *game = c->operand_count > 1 ? c->operands[1] : usual_game(protocols[i]->name);
        cli_status exit = CLI_DONE;
        if (session_game(&s, game, &err) == HOLOS_OK)
            exit = converse(&s, protocols[i]);
        else
            exit = cli_fail(&err);
        session_close(&s);
        return exit;
    }
    cli_error("engine does not know the protocol \"%s\"; it knows gtp and nboard", c->operands[0]);
    return CLI_USAGE;
}

static const char *const defaults[] = {"time", "2s", NULL};

static const cli_example examples[] = {
    {"engine gtp --time 1s", "as a program that speaks GTP starts it"},
    {0},
};

const cli_verb verb_engine = {
    .name = "engine",
    .operands = "gtp|nboard [GAME[:VARIANT]]",
    .summary = "play as the engine of another program",
    .description = "Takes commands on standard input and answers on standard output, as the protocol says. "
                   "gtp is the Go Text "
                   "Protocol, version 2, for any game of two. nboard is what NBoard, a program for Othello, "
                   "speaks with its "
                   "engines. Without a game it is the one that the protocol is usually about. holos plays "
                   "perfectly wherever it "
                   "can solve the position in time, and guesses otherwise.",
    .operands_min = 1,
    .operands_max = 2,
    .complete = protocol_word,
    .shared =
        SHARED_TIME | SHARED_NODES | SHARED_MEM | SHARED_SEED | SHARED_ENGINE | SHARED_CONFIG | SHARED_LOG,
    .options = options,
    .uses = USE(PLAY),
    .settings_size = sizeof(engine_settings),
    .defaults = defaults,
    .examples = examples,
    .run = run,
};
