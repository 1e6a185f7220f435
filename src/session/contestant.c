/* SPDX-License-Identifier: MIT */

/* Contestants: what chooses moves in a match. Three kinds: chance, an engine of holos, another program. */

#include "core/option.h"
#include "core/rng.h"
#include "core/text.h"
#include "engine/player/ahead.h"
#include "game/game.h"
#include "session/gtp_program.h"

#include <holos/match.h>
#include <holos/play.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_NODES 200000 /* for a move of an engine without options: the same on every machine */
#define MOVES_MOST    4096   /* of a position, that chance chooses among */

typedef struct contestant_kind contestant_kind;

struct holos_contestant {
    const holos_variant *v;
    const contestant_kind *kind;
    const holos_stop *stop;
    holos_position *here;
    rng random;
    /* An engine. */
    holos_player *player;
    holos_solver *solver; /* for guesses, with a depth */
    unsigned depth;       /* 0: none */
    holos_settings *settings;
    /* A program. */
    gtp_program *program;
    text answer;
    bool has_moved; /* it knows its last move already */
};

struct contestant_kind {
    const char *name; /* what its text begins with; "": any engine */
    /* `rest` is what follows the colon, or NULL. */
    holos_status (*open)(holos_contestant *c, const char *name, const char *rest, holos_error *err);
    holos_status (*begin)(holos_contestant *c, holos_error *err); /* may be NULL */
    holos_status (*choose)(holos_contestant *c, holos_move *move, holos_error *err);
    holos_status (*play)(holos_contestant *c, holos_move move, holos_error *err); /* may be NULL */
};

/* ---- Chance ------------------------------------------------------------------------------------ */

static holos_status chance_open(holos_contestant *c, const char *name, const char *rest, holos_error *err)
{
    (void)c;
    return rest == NULL ? HOLOS_OK : error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s takes no options", name);
}

static holos_status chance_choose(holos_contestant *c, holos_move *move, holos_error *err)
{
    holos_move moves[MOVES_MOST];
    size_t count = holos_moves(c->v, c->here, moves, MOVES_MOST);
    count = count < MOVES_MOST ? count : MOVES_MOST;
    if (count == 0)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "the game is over: there is no move to choose");
    *move = moves[rng_below(&c->random, count)];
    return HOLOS_OK;
}

/* ---- Engines ----------------------------------------------------------------------------------- */

typedef struct engine_settings {
    double time;
    uint64_t nodes;
    int64_t depth;
} engine_settings;

static const holos_option engine_options[] = {
    {OPTION(DURATION, engine_settings, time), .name = "time", .value = "TIME", .help = "for each move"},
    {OPTION(COUNT, engine_settings, nodes), .name = "nodes", .value = "N", .help = "for each move"},
    {OPTION(INT, engine_settings, depth), .name = "depth", .value = "N", .min = 1, .max = 20,
     .help = "look so many plies ahead, and prove nothing"},
    {0},
};

/* "depth=4", or an option of the engine itself, "network=FILE". */
static holos_status setting_read(holos_contestant *c, char *words, engine_settings *out, holos_error *err)
{
    char *value = strchr(words, '=');
    if (value == NULL)
        return error_set(
            err, HOLOS_USAGE, HOLOS_NOWHERE,
            "\"%s\" is no option of a player: write time=TIME, nodes=N, depth=N, or one of the engine's own",
            words);
    const holos_option *option = option_find(engine_options, words, (size_t)(value - words));
    *value++ = 0;
    return option != NULL ? option_set(option, out, value, err)
                          : holos_settings_set(c->settings, words, value, err);
}

/* Where a setting ends: at a comma behind which there is another name, so that a value may have commas. */
static size_t setting_length(const char *rest)
{
    size_t length = strcspn(rest, ",");
    while (rest[length] == ',') {
        size_t more = strcspn(rest + length + 1, ",=");
        if (rest[length + 1 + more] == '=')
            break;
        length += 1 + strcspn(rest + length + 1, ",");
    }
    return length;
}

static holos_status settings_read(holos_contestant *c, const char *rest, engine_settings *out,
                                  holos_error *err)
{
    while (rest != NULL && *rest != 0) {
        size_t length = setting_length(rest);
        char *words = strndup(rest, length);
        holos_status status =
            words != NULL ? setting_read(c, words, out, err) : error_system(err, "a player");
        free(words);
        if (status != HOLOS_OK)
            return status;
        rest += length + (rest[length] == ',');
    }
    if (out->depth > 0 && (out->time > 0 || out->nodes > 0))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "a player has a depth, or time and nodes: leave one of them out");
    return HOLOS_OK;
}

static holos_status engine_open(holos_contestant *c, const char *name, const char *rest, holos_error *err)
{
    engine_settings s = {0};
    c->settings = holos_settings_new();
    holos_status status =
        c->settings != NULL ? settings_read(c, rest, &s, err) : error_system(err, "a player");
    if (status != HOLOS_OK)
        return status;
    c->depth = (unsigned)s.depth;
    holos_limits limits = {.seconds = s.time, .nodes = s.nodes, .stop = c->stop};
    if (s.time <= 0 && s.nodes == 0)
        limits.nodes = DEFAULT_NODES;
    if (c->depth > 0) {
        holos_solver_options o = {.engine = name, .limits = {.stop = c->stop}, .settings = c->settings};
        return holos_solver_open(c->v, &o, &c->solver, err);
    }
    holos_player_options o = {.engine = name, .limits = limits, .settings = c->settings};
    return holos_player_open(c->v, &o, &c->player, err);
}

static holos_status engine_choose(holos_contestant *c, holos_move *move, holos_error *err)
{
    if (c->depth > 0) {
        if (holos_solver_guess(c->solver, c->here, c->depth, move, NULL, NULL) == HOLOS_OK ||
            ahead_move(c->v, c->here, c->depth, &c->random, move))
            return HOLOS_OK;
        return error_system(err, "a move");
    }
    holos_choice choice;
    holos_status status = holos_player_choose(c->player, c->here, &choice, err);
    *move = choice.move;
    return status;
}

/* ---- Programs ---------------------------------------------------------------------------------- */

static const char *const colors[] = {"black", "white"};

static holos_status program_open(holos_contestant *c, const char *name, const char *rest, holos_error *err)
{
    if (rest == NULL || rest[strspn(rest, " ")] == 0)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s: which program? %s:COMMAND", name, name);
    holos_status status = gtp_open(rest, c->stop, &c->program, err);
    return status == HOLOS_OK ? gtp_ask(c->program, &c->answer, err, "protocol_version") : status;
}

/* The size of the board, if that is what the variant says. */
static holos_status program_begin(holos_contestant *c, holos_error *err)
{
    const char *size = strchr(holos_variant_name(c->v), ':');
    holos_status status = HOLOS_OK;
    c->has_moved = false;
    if (size != NULL && size[1] != 0 && size[1 + strspn(size + 1, "0123456789")] == 0)
        status = gtp_ask(c->program, &c->answer, err, "boardsize %s", size + 1);
    return status == HOLOS_OK ? gtp_ask(c->program, &c->answer, err, "clear_board") : status;
}

static holos_status program_choose(holos_contestant *c, holos_move *move, holos_error *err)
{
    holos_error why;
    holos_status status =
        gtp_ask(c->program, &c->answer, err, "genmove %s", colors[holos_side_to_move(c->v, c->here)]);
    if (status != HOLOS_OK)
        return status;
    char word[64];
    snprintf(word, sizeof word, "%s", c->answer.data);
    c->has_moved = true;
    if (holos_parse_move(c->v, c->here, word, move, &why) == HOLOS_OK)
        return HOLOS_OK;
    for (char *w = word; *w != 0; w++)
        *w = (char)tolower((unsigned char)*w);
    if (holos_parse_move(c->v, c->here, word, move, &why) == HOLOS_OK)
        return HOLOS_OK;
    return error_set(err, HOLOS_BAD_MOVE, HOLOS_NOWHERE, "a program's move: %s", why.message);
}

/* Some programs take cells in capitals alone, and a pass only without. */
static holos_status program_play(holos_contestant *c, holos_move move, holos_error *err)
{
    char word[64];
    if (c->has_moved) {
        c->has_moved = false;
        return HOLOS_OK;
    }
    holos_format_move(c->v, c->here, move, word, sizeof word);
    for (char *w = word; *w != 0 && strcmp(word, "pass") != 0; w++)
        *w = (char)toupper((unsigned char)*w);
    holos_status status =
        gtp_ask(c->program, &c->answer, err, "play %s %s", colors[holos_side_to_move(c->v, c->here)], word);
    /* Some take no passes, because they see themselves that a side has no other move. */
    return status == HOLOS_BAD_MOVE && strcmp(word, "pass") == 0 ? HOLOS_OK : status;
}

/* ---- Contestants ------------------------------------------------------------------------------- */

static const contestant_kind kinds[] = {
    {.name = "random", .open = chance_open, .choose = chance_choose},
    {.name = "gtp",
     .open = program_open,
     .begin = program_begin,
     .choose = program_choose,
     .play = program_play},
    {.name = "", .open = engine_open, .choose = engine_choose},
};

static holos_status name_open(holos_contestant *c, const char *text_, holos_error *err)
{
    char name[32];
    const char *colon = strchr(text_, ':');
    size_t length = colon != NULL ? (size_t)(colon - text_) : strlen(text_);
    snprintf(name, sizeof name, "%.*s", (int)length, text_);
    c->kind = kinds;
    while (c->kind->name[0] != 0 && strcmp(c->kind->name, name) != 0)
        c->kind++;
    if (c->kind->name[0] == 0 && holos_engine_find(name) == NULL) {
        const holos_engine *e;
        text list;
        text_init(&list);
        for (size_t i = 0; (e = holos_engine_at(i)) != NULL; i++)
            if (holos_engine_supports(e, c->v, NULL) == HOLOS_OK)
                text_printf(&list, ", %s", holos_engine_name(e));
        holos_status status =
            error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                      "unknown player \"%s\"; there are random, gtp:COMMAND%s", name, list.data);
        text_free(&list);
        return status;
    }
    return c->kind->open(c, name, colon != NULL ? colon + 1 : NULL, err);
}

holos_status holos_contestant_open(const holos_variant *v, const char *name, const holos_stop *stop,
                                   holos_contestant **out, holos_error *err)
{
    if (v == NULL || name == NULL || out == NULL)
        return error_null(err, __func__);
    *out = NULL;
    if ((holos_game_traits(holos_variant_game(v)) & (HOLOS_TRAIT_SOLITAIRE | HOLOS_TRAIT_PUZZLE)) != 0)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "%s is not a game for two",
                         holos_variant_name(v));
    holos_contestant *c = calloc(1, sizeof *c);
    if (c == NULL)
        return error_system(err, "a player");
    c->v = v;
    c->stop = stop;
    c->kind = kinds;
    text_init(&c->answer);
    c->here = holos_position_new(v);
    holos_status status = c->here != NULL ? name_open(c, name, err) : error_system(err, "a player");
    if (status == HOLOS_OK)
        *out = c;
    else
        holos_contestant_close(c);
    return status;
}

void holos_contestant_close(holos_contestant *c)
{
    if (c == NULL)
        return;
    gtp_close(c->program);
    holos_player_close(c->player);
    holos_solver_close(c->solver);
    holos_settings_free(c->settings);
    holos_position_free(c->here);
    text_free(&c->answer);
    free(c);
}

holos_status holos_contestant_begin(holos_contestant *c, uint64_t seed, holos_error *err)
{
    if (c == NULL)
        return error_null(err, __func__);
    rng_init(&c->random, seed, 0);
    holos_status status = holos_start(c->v, c->here, err);
    return status == HOLOS_OK && c->kind->begin != NULL ? c->kind->begin(c, err) : status;
}

holos_status holos_contestant_choose(holos_contestant *c, holos_move *move, holos_error *err)
{
    holos_value over;
    if (c == NULL || move == NULL)
        return error_null(err, __func__);
    bool ended = holos_terminal(c->v, c->here, &over);
    holos_status status =
        ended ? error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "the game is over: there is no move to choose")
              : c->kind->choose(c, move, err);
    holos_status failure = game_failed(c->v, err);
    return failure != HOLOS_OK ? failure : status;
}

holos_status holos_contestant_play(holos_contestant *c, holos_move move, holos_error *err)
{
    if (c == NULL)
        return error_null(err, __func__);
    holos_status status = c->kind->play != NULL ? c->kind->play(c, move, err) : HOLOS_OK;
    return status == HOLOS_OK ? holos_play(c->v, c->here, move, c->here, err) : status;
}
