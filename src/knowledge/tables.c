/* SPDX-License-Identifier: MIT */

/* Knowledge in a game's own form. */

#include "knowledge/knowledge.h"

const holos_game *knowledge_recognise(const holos_game *first, const char *folder)
{
    if (first != NULL && first->knowledge != NULL && first->knowledge->recognise(folder))
        return first;
    for (size_t i = 0; holos_game_at(i) != NULL; i++) {
        const holos_game *game = holos_game_at(i);
        if (game != first && game->knowledge != NULL && game->knowledge->recognise(folder))
            return game;
    }
    return NULL;
}

static void tables_shut(holos_knowledge *k)
{
    k->game->close(k->state);
    holos_close(k->own);
}

static holos_status score_find(void *context, const holos_position *p, int32_t *score, bool *found,
                               holos_error *err)
{
    const holos_knowledge *k = context;
    return k->game->score(k->state, p, score, found, err);
}

static holos_status value_find(void *context, const holos_position *p, holos_value *out, holos_error *err)
{
    const holos_knowledge *k = context;
    return k->game->find(k->state, p, out, err);
}

static holos_status moves_find(void *context, const holos_position *p, holos_move_value *out, size_t *count,
                               holos_error *err)
{
    const holos_knowledge *k = context;
    return k->game->moves(k->state, p, out, count, err);
}

static holos_status tables_why(holos_knowledge *k, const holos_position *p, holos_error *err)
{
    return k->game->why(k->state, p, err);
}

holos_status knowledge_open_tables(holos_knowledge *k, const holos_game *game, const char *folder,
                                   holos_error *err)
{
    if (k->v != NULL && k->v->game != game)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "%s holds %s, which are of %s, not of %s",
                         folder, game->knowledge->what, game->name, k->v->name);
    holos_status status = k->v == NULL ? holos_open(game->name, &k->own, err) : HOLOS_OK;
    if (status != HOLOS_OK)
        return status;
    k->v = k->v != NULL ? k->v : k->own;
    k->game = game->knowledge;
    k->kind = k->game->what;
    k->close = tables_shut;
    k->why = tables_why;
    k->boundary =
        (holos_boundary){.context = k, .find = value_find, .score = score_find, .moves = moves_find};
    status = k->game->open(k->v, folder, &k->state, err);
    if (status != HOLOS_OK)
        holos_close(k->own);
    return status;
}
