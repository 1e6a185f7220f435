/* SPDX-License-Identifier: MIT */

#include "game/game.h"

#include <stdlib.h>
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
    uint32_t count, i = 0;
    holos_edge *edges = game_edges_new(v, p, &count);
    if (edges == NULL)
        return error_system(err, "the moves of a position");
    for (; i < count; i++) {
        char buffer[MOVE_LENGTH];
        text move;
        text_init_fixed(&move, buffer, sizeof buffer);
        v->game->format_move(v, p, edges[i].move, &move);
        if (strcmp(buffer, string) == 0)
            break;
    }
    holos_status status = HOLOS_OK;
    if (i < count)
        *out = edges[i].move;
    else if (count == 0)
        status = error_set(err, HOLOS_BAD_MOVE, HOLOS_NOWHERE, "the game is over: there are no moves");
    else
        status = move_error(v, p, string, edges, count, err);
    free(edges);
    return status;
}

holos_edge *game_edges_new(const holos_variant *v, const holos_position *p, uint32_t *count)
{
    holos_edge *edges = calloc((size_t)v->max_successors + 1, sizeof *edges);
    *count = edges != NULL ? game_edges(v, p, edges) : 0;
    return edges;
}

bool game_is_legal(const holos_variant *v, const holos_position *p, holos_move move)
{
    uint32_t count, i = 0;
    holos_edge *edges = game_edges_new(v, p, &count);
    while (i < count && edges[i].move != move)
        i++;
    free(edges);
    return i < count;
}

const char *game_outcome(const holos_variant *v, int32_t score)
{
    if (v->game->outcome != NULL)
        return v->game->outcome(v, score);
    return score > 0 ? "win" : score < 0 ? "loss" : "draw";
}

const char *game_puzzle_outcome(const holos_variant *v, int32_t score)
{
    (void)v;
    return score > 0 ? "solvable" : "unsolvable";
}
