/* SPDX-License-Identifier: MIT */

/* The public functions about how positions look, and about kinds of positions: a thin, checked layer over the
 * contract. */

#include "core/json.h"
#include "core/rng.h"
#include "game/game.h"
#include "game/kinds.h"

#include <stdlib.h>
#include <string.h>

/* ---- Moves -------------------------------------------------------------------------------------- */

size_t holos_format_legal(const holos_variant *v, const holos_position *position, holos_move move, char *out,
                          size_t size)
{
    text t;
    text_init_fixed(&t, out, size);
    if (v != NULL && position != NULL)
        v->game->format_move(v, position, move, &t);
    return t.length;
}

/* ---- Notations --------------------------------------------------------------------------------- */

static const holos_notation *notation_at(const holos_game *game, size_t index)
{
    const holos_notation *n = game != NULL ? game->notations : NULL;
    for (; n != NULL && n->name != NULL; n++)
        if (index-- == 0)
            return n;
    return NULL;
}

const char *holos_notation_name(const holos_game *game, size_t index)
{
    const holos_notation *n = notation_at(game, index);
    return n != NULL ? n->name : NULL;
}

const char *holos_notation_summary(const holos_game *game, size_t index)
{
    const holos_notation *n = notation_at(game, index);
    return n != NULL ? n->what : NULL;
}

size_t holos_notation_find(const holos_game *game, const char *name)
{
    const char *other;
    for (size_t i = 0; name != NULL && (other = holos_notation_name(game, i)) != NULL; i++)
        if (strcmp(other, name) == 0)
            return i;
    return SIZE_MAX;
}

size_t holos_format_as(const holos_variant *v, const holos_position *position, size_t notation, char *out,
                       size_t size)
{
    const holos_notation *n = v != NULL && position != NULL ? notation_at(v->game, notation) : NULL;
    text t;
    text_init_fixed(&t, out, size);
    if (n != NULL)
        n->write(v, position, &t);
    return t.length;
}

/* ---- Pictures ---------------------------------------------------------------------------------- */

bool holos_has_pictures(const holos_game *game)
{
    return game != NULL && game->picture != NULL;
}

size_t holos_picture(const holos_variant *v, const holos_position *position, const holos_step *step,
                     char *out, size_t size)
{
    text t;
    text_init_fixed(&t, out, size);
    if (v != NULL && position != NULL && v->game->picture != NULL)
        v->game->picture(v, position, step, &t);
    return t.length;
}

/* ---- Scenes ------------------------------------------------------------------------------------ */

bool holos_has_scenes(const holos_game *game)
{
    return game != NULL && game->view != NULL;
}

static void scene_move(json *j, const holos_variant *v, const holos_position *p, holos_move move)
{
    uint16_t cells[HOLOS_VIEW_CELLS];
    char name[64];
    text t;
    text_init_fixed(&t, name, sizeof name);
    v->game->format_move(v, p, move, &t);
    unsigned count = v->game->view->cells(v, p, move, cells);
    json_open(j, NULL, '{');
    json_put_string(j, "move", name);
    json_open(j, "cells", '[');
    for (unsigned i = 0; i < count; i++)
        json_put_uint(j, NULL, cells[i]);
    json_close(j);
    json_close(j);
}

static void scene_moves(json *j, const holos_variant *v, const holos_position *p)
{
    uint32_t count = 0;
    holos_edge *edges = game_edges_new(v, p, &count);
    json_open(j, "moves", '[');
    for (uint32_t i = 0; edges != NULL && i < count; i++)
        scene_move(j, v, p, edges[i].move);
    json_close(j);
    free(edges);
}

size_t holos_scene(const holos_variant *v, const holos_position *position, char *out, size_t size)
{
    text t;
    text_init_fixed(&t, out, size);
    if (v == NULL || position == NULL || v->game->view == NULL)
        return 0;
    json j = json_begin(&t);
    json_open(&j, NULL, '{');
    v->game->view->board(v, position, &j);
    if (v->game->view->cells != NULL)
        scene_moves(&j, v, position);
    json_close(&j);
    return t.length;
}

/* ---- Kinds ------------------------------------------------------------------------------------- */

const char *holos_kind_word(const holos_game *game)
{
    return game != NULL && game->kinds != NULL ? game->kinds->what : NULL;
}

static holos_status kinds_check(const holos_variant *v, const void *needed, holos_error *err)
{
    if (v == NULL || needed == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "a variant, a kind and a place to write to are needed");
    if (v->game->kinds == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "positions of %s have no kinds",
                         v->game->name);
    return HOLOS_OK;
}

holos_status holos_kind_parse(const holos_variant *v, const char *name, holos_kind *out, holos_error *err)
{
    holos_status status = kinds_check(v, name != NULL ? out : NULL, err);
    return status == HOLOS_OK ? v->game->kinds->parse(v, name, out, err) : status;
}

size_t holos_kind_format(const holos_variant *v, holos_kind kind, char *out, size_t size)
{
    text t;
    text_init_fixed(&t, out, size);
    if (v != NULL && v->game->kinds != NULL)
        v->game->kinds->format(v, kind, &t);
    return t.length;
}

holos_status holos_kind_of(const holos_variant *v, const holos_position *position, holos_kind *out,
                           holos_error *err)
{
    holos_status status = kinds_check(v, position != NULL ? out : NULL, err);
    if (status == HOLOS_OK)
        *out = v->game->kinds->of(v, position);
    return status;
}

holos_status holos_kind_position(const holos_variant *v, holos_kind kind, uint64_t seed, uint64_t number,
                                 holos_position *out, holos_error *err)
{
    holos_status status = kinds_check(v, out, err);
    rng r;
    if (status != HOLOS_OK)
        return status;
    rng_init(&r, seed, number);
    if (v->game->kinds->random(v, kind, &r, out))
        return HOLOS_OK;
    char name[64];
    holos_kind_format(v, kind, name, sizeof name);
    return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "no position of %s was found", name);
}
