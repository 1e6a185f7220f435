/* SPDX-License-Identifier: MIT */

#include "game/game.h"

#include <string.h>

/* A move that somebody typed is compared with every legal move; an error shows so many of them. */
#define MOVES_SHOWN 12
#define MOVE_LENGTH 32

static holos_status move_error(const holos_variant *v, const holos_position *p, const char *string,
                               const holos_edge *edges, uint32_t count, holos_error *err)
{
    char buffer[200];
    text legal;
    text_init_fixed(&legal, buffer, sizeof buffer);
    for (uint32_t i = 0; i < count && i < MOVES_SHOWN; i++) {
        text_string(&legal, i > 0 ? " " : "");
        v->game->format_move(v, p, edges[i].move, &legal);
    }
    if (count > MOVES_SHOWN)
        text_string(&legal, " …");
    return error_set(err, HOLOS_BAD_MOVE, 0, "'%.40s' is not a legal move; legal moves: %s", string, buffer);
}

holos_status game_parse_move(const holos_variant *v, const holos_position *p, const char *string,
                             holos_move *out, holos_error *err)
{
    holos_edge edges[GAME_MAX_SUCCESSORS];
    uint32_t count = game_edges(v, p, edges);
    if (count == 0)
        return error_set(err, HOLOS_BAD_MOVE, HOLOS_NOWHERE, "the game is over: there are no moves");
    for (uint32_t i = 0; i < count; i++) {
        char buffer[MOVE_LENGTH];
        text move;
        text_init_fixed(&move, buffer, sizeof buffer);
        v->game->format_move(v, p, edges[i].move, &move);
        if (strcmp(buffer, string) == 0) {
            *out = edges[i].move;
            return HOLOS_OK;
        }
    }
    return move_error(v, p, string, edges, count, err);
}
