/* SPDX-License-Identifier: MIT */

/* The public functions about games, variants, positions and moves: a thin, checked layer over the
 * contract. */

#include "core/assert.h"
#include "game/game.h"

#include <stdlib.h>
#include <string.h>

/* ---- Sources of values ------------------------------------------------------------------------- */

static const char *const source_names[] = {
    [HOLOS_SOURCE_NONE] = "none",
    [HOLOS_SOURCE_RULES] = "rules",
    [HOLOS_SOURCE_TABLE] = "table",
    [HOLOS_SOURCE_SEARCH] = "search",
    [HOLOS_SOURCE_RETROGRADE] = "retrograde",
    [HOLOS_SOURCE_WAVE] = "wave",
    [HOLOS_SOURCE_LOGIC] = "logic",
    [HOLOS_SOURCE_CONJECTURE] = "conjecture",
    [HOLOS_SOURCE_NETWORK] = "network",
};

const char *holos_source_name(holos_source source)
{
    bool known = (size_t)source < sizeof source_names / sizeof source_names[0];
    return known ? source_names[source] : "unknown";
}

bool holos_source_is_proof(holos_source source)
{
    return source > HOLOS_SOURCE_NONE && source <= HOLOS_SOURCE_LOGIC;
}

/* ---- Games ------------------------------------------------------------------------------------- */

#define GAME(name) extern const holos_game name;
#include "game/games.def"
#undef GAME

static const holos_game *const games[] = {
#define GAME(name) &name,
#include "game/games.def"
#undef GAME
};

#define GAME_COUNT (sizeof games / sizeof games[0])

size_t holos_game_count(void)
{
    return GAME_COUNT;
}

const holos_game *holos_game_at(size_t index)
{
    return index < GAME_COUNT ? games[index] : NULL;
}

const holos_game *holos_game_find(const char *name, size_t length)
{
    for (size_t i = 0; name != NULL && i < GAME_COUNT; i++)
        if (strlen(games[i]->name) == length && memcmp(games[i]->name, name, length) == 0)
            return games[i];
    return NULL;
}

const char *holos_game_name(const holos_game *game)
{
    return game != NULL ? game->name : NULL;
}

const char *holos_game_title(const holos_game *game)
{
    return game != NULL ? game->title : NULL;
}

const char *holos_game_summary(const holos_game *game)
{
    return game != NULL ? game->summary : NULL;
}

const char *holos_game_variant_help(const holos_game *game)
{
    return game != NULL ? game->variant_help : NULL;
}

const char *holos_game_position_help(const holos_game *game)
{
    return game != NULL ? game->position_help : NULL;
}

const char *holos_game_score_help(const holos_game *game)
{
    return game != NULL ? game->score_help : NULL;
}

uint32_t holos_game_traits(const holos_game *game)
{
    return game != NULL ? game->traits : 0;
}

const char *holos_game_example(const holos_game *game, size_t index)
{
    if (game == NULL)
        return NULL;
    for (size_t i = 0; i < index; i++)
        if (game->examples[i] == NULL)
            return NULL;
    return game->examples[index];
}

const char *holos_game_protocol(const holos_game *game, size_t index)
{
    const char *const *names = game != NULL ? game->protocols : NULL;
    for (size_t i = 0; names != NULL && names[i] != NULL; i++)
        if (i == index)
            return names[i];
    return NULL;
}

bool holos_game_usage(const holos_game *game, size_t index, const char **command, const char **what)
{
    for (const holos_usage *u = game != NULL ? game->usages : NULL; u != NULL && u->command != NULL; u++) {
        if (index-- == 0 && command != NULL && what != NULL) {
            *command = u->command;
            *what = u->what;
            return true;
        }
    }
    return false;
}

/* ---- Variants ---------------------------------------------------------------------------------- */

static holos_status unknown_game(const char *name, size_t length, holos_error *err)
{
    char buffer[160];
    text known;
    text_init_fixed(&known, buffer, sizeof buffer);
    for (size_t i = 0; i < GAME_COUNT; i++)
        text_printf(&known, "%s%s", i > 0 ? ", " : "", games[i]->name);
    int shown = length < 40 ? (int)length : 40;
    return error_set(err, HOLOS_USAGE, 0, "unknown game \"%.*s\"; the games are %s", shown, name, buffer);
}

holos_status holos_open(const char *name, holos_variant **out, holos_error *err)
{
    if (name == NULL || out == NULL)
        return error_null(err, __func__);
    *out = NULL;
    size_t length = strcspn(name, ":");
    const holos_game *game = holos_game_find(name, length);
    if (game == NULL)
        return unknown_game(name, length, err);
    if (strcmp(name + length, ":") == 0)
        return error_set(err, HOLOS_BAD_VARIANT, (int64_t)length + 1,
                         "nothing follows the colon: name a variant, or write %s alone", game->name);
    holos_variant *v = calloc(1, sizeof *v);
    if (v == NULL)
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "out of memory");
    v->game = game;
    holos_error inner = {0};
    holos_status status = game->open(name + length + (name[length] == ':'), v, &inner);
    if (status != HOLOS_OK) {
        free(v);
        /* The game sees what follows the colon; the caller gave the whole name. */
        int64_t at = inner.at < 0 ? inner.at : inner.at + (int64_t)length + 1;
        return error_set(err, status, at, "%s", inner.message);
    }
    assert(v->position_size % 16 == 0 && v->position_size > 0);
    *out = v;
    return HOLOS_OK;
}

void holos_close(holos_variant *v)
{
    if (v == NULL)
        return;
    if (v->game->close != NULL)
        v->game->close(v);
    free(v);
}

const holos_game *holos_variant_game(const holos_variant *v)
{
    return v != NULL ? v->game : NULL;
}

const char *holos_variant_name(const holos_variant *v)
{
    return v != NULL ? v->name : NULL;
}

void holos_score_range(const holos_variant *v, int32_t *min, int32_t *max)
{
    if (min != NULL)
        *min = v != NULL ? v->score_min : 0;
    if (max != NULL)
        *max = v != NULL ? v->score_max : 0;
}

const char *holos_outcome(const holos_variant *v, int32_t score)
{
    if (v == NULL)
        return NULL;
    score = score < v->score_min ? v->score_min : score > v->score_max ? v->score_max : score;
    return game_outcome(v, score);
}

/* ---- Positions --------------------------------------------------------------------------------- */

size_t holos_position_size(const holos_variant *v)
{
    return v != NULL ? v->position_size : 0;
}

holos_position *holos_position_new(const holos_variant *v)
{
    if (v == NULL)
        return NULL;
    holos_position *p = aligned_alloc(16, v->position_size);
    if (p == NULL)
        return NULL;
    memset(p, 0, v->position_size);
    if (v->game->start != NULL)
        v->game->start(v, p);
    return p;
}

void holos_position_free(holos_position *position)
{
    free(position);
}

holos_status holos_start(const holos_variant *v, holos_position *out, holos_error *err)
{
    if (v == NULL || out == NULL)
        return error_null(err, __func__);
    if (v->game->start == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "%s has no start position: give it a puzzle",
                         v->game->name);
    v->game->start(v, out);
    return game_failed(v, err);
}

holos_status holos_parse(const holos_variant *v, const char *string, holos_position *out, holos_error *err)
{
    if (v == NULL || string == NULL || out == NULL)
        return error_null(err, __func__);
    size_t mark = text_mark(string, strlen(string));
    if (strcmp(string + mark, "start") == 0)
        return holos_start(v, out, err);
    holos_status status = v->game->parse(v, string + mark, out, err);
    if (status != HOLOS_OK && err != NULL && err->at >= 0)
        err->at += (int64_t)mark;
    return status;
}

size_t holos_format(const holos_variant *v, const holos_position *position, char *out, size_t size)
{
    text t;
    text_init_fixed(&t, out, out != NULL ? size : 0);
    if (v != NULL && position != NULL)
        v->game->format(v, position, &t);
    return t.length;
}

size_t holos_draw(const holos_variant *v, const holos_position *position, char *out, size_t size)
{
    text t;
    text_init_fixed(&t, out, out != NULL ? size : 0);
    if (v != NULL && position != NULL)
        v->game->draw(v, position, &t);
    return t.length;
}

unsigned holos_side_to_move(const holos_variant *v, const holos_position *position)
{
    return v != NULL && position != NULL ? v->game->side(v, position) : 0;
}

bool holos_terminal(const holos_variant *v, const holos_position *position, holos_value *out)
{
    int32_t score;
    if (v == NULL || position == NULL || !v->game->terminal(v, position, &score))
        return false;
    score += game_banked(v, position);
    if (out != NULL)
        *out = (holos_value){.lo = score, .hi = score, .distance = 0, .source = HOLOS_SOURCE_RULES};
    return true;
}

/* ---- Moves ------------------------------------------------------------------------------------- */

size_t holos_moves(const holos_variant *v, const holos_position *position, holos_move *out, size_t capacity)
{
    if (v == NULL || position == NULL)
        return 0;
    uint32_t count;
    holos_edge *edges = game_edges_new(v, position, &count);
    for (uint32_t i = 0; out != NULL && i < count && i < capacity; i++)
        out[i] = edges[i].move;
    free(edges);
    return count;
}

holos_status holos_parse_move(const holos_variant *v, const holos_position *position, const char *string,
                              holos_move *out, holos_error *err)
{
    if (v == NULL || position == NULL || string == NULL || out == NULL)
        return error_null(err, __func__);
    holos_status status = v->game->parse_move(v, position, string, out, err);
    holos_status failure = game_failed(v, err);
    return failure != HOLOS_OK ? failure : status;
}

size_t holos_format_move(const holos_variant *v, const holos_position *position, holos_move move, char *out,
                         size_t size)
{
    text t;
    text_init_fixed(&t, out, out != NULL ? size : 0);
    if (v == NULL || position == NULL)
        return 0;
    if (game_is_legal(v, position, move))
        v->game->format_move(v, position, move, &t);
    else
        text_char(&t, '?');
    return t.length;
}

static void line_write(const holos_variant *v, holos_position *here, const holos_move *line, size_t length,
                       text *t)
{
    for (size_t i = 0; i < length; i++) {
        text_string(t, i > 0 ? " " : "");
        v->game->format_move(v, here, line[i], t);
        v->game->play(v, here, line[i], here);
    }
}

/* How many moves of a line are legal, one after the other. */
static size_t line_legal(const holos_variant *v, holos_position *here, const holos_move *line, size_t length)
{
    size_t legal = 0;
    while (legal < length && game_is_legal(v, here, line[legal]))
        v->game->play(v, here, line[legal++], here);
    return legal;
}

size_t holos_spell_move(const holos_variant *v, const holos_position *position, holos_move move, char *out,
                        size_t size)
{
    text t;
    text_init_fixed(&t, out, out != NULL ? size : 0);
    if (v == NULL || position == NULL)
        return 0;
    if (v->game->spell_move != NULL)
        v->game->spell_move(v, position, move, &t);
    else
        v->game->format_move(v, position, move, &t);
    return t.length;
}

size_t holos_format_line(const holos_variant *v, const holos_position *position, const holos_move *line,
                         size_t length, char *out, size_t size)
{
    text t;
    text_init_fixed(&t, out, out != NULL ? size : 0);
    holos_position *here = position != NULL && line != NULL ? holos_position_new(v) : NULL;
    if (here == NULL)
        return 0;
    memcpy(here, position, v->position_size);
    length = line_legal(v, here, line, length);
    memcpy(here, position, v->position_size);
    if (v->game->format_line != NULL)
        v->game->format_line(v, position, line, length, &t);
    else
        line_write(v, here, line, length, &t);
    holos_position_free(here);
    return t.length;
}

holos_status holos_play(const holos_variant *v, const holos_position *position, holos_move move,
                        holos_position *out, holos_error *err)
{
    if (v == NULL || position == NULL || out == NULL)
        return error_null(err, __func__);
    bool legal = game_is_legal(v, position, move);
    if (legal)
        v->game->play(v, position, move, out);
    holos_status failure = game_failed(v, err);
    if (failure == HOLOS_OK && !legal)
        return error_set(err, HOLOS_BAD_MOVE, HOLOS_NOWHERE, "move %u is not legal here", (unsigned)move);
    return failure;
}
