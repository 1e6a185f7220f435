/* SPDX-License-Identifier: MIT */

/* What a network and the zeno engine see of a game: a capability. NULL: neither can take the game.
 *
 * A board of height x width pixels with some planes, always as the side to move sees it; a number for every move that can ever be
 * played; and the symmetries under which a position is worth the same. What a network says of it is a guess. */

#ifndef HOLOS_GAME_NET_H
#define HOLOS_GAME_NET_H

#include "game/types.h"

typedef struct holos_net_shape {
    uint32_t height, width, planes;
    uint32_t policy;     /* moves have numbers below this */
    uint32_t symmetries; /* at least 1; number 0 changes nothing */
} holos_net_shape;

typedef enum holos_stage { HOLOS_STAGE_OPENING = 0, HOLOS_STAGE_MIDDLE, HOLOS_STAGE_ENDING } holos_stage;

typedef struct holos_net {
    /* Of a variant. Required. */
    void (*shape)(const holos_variant *v, holos_net_shape *out);
    /* Writes the planes of a position, pixels[pixel * stride + plane], into room that is all zero. Required. */
    void (*planes)(const holos_variant *v, const holos_position *p, float *pixels, size_t stride);
    /* The number of a legal move. Required. */
    uint32_t (*policy)(const holos_variant *v, const holos_position *p, holos_move move);
    /* The image of a position under a symmetry, and of the number of a move. NULL: there is one symmetry. */
    void (*image)(const holos_variant *v, uint32_t symmetry, const holos_position *p, holos_position *out);
    uint32_t (*image_policy)(const holos_variant *v, uint32_t symmetry, uint32_t policy);

    /* What a player sees at a glance, in [-1, 1] for the side to move: a guess. NULL: 0. */
    float (*glance)(const holos_variant *v, const holos_position *p);
    /* Whether one of the legal moves is what a player makes without thinking: *move is it. NULL: never. */
    bool (*obvious)(const holos_variant *v, const holos_position *p, const holos_edge *edges, uint32_t count,
                    holos_move *move);
    /* How far the game is. NULL: always the middle. */
    holos_stage (*phase)(const holos_variant *v, const holos_position *p);
    /* How full the board is, from 0 to 1. Required. */
    double (*density)(const holos_variant *v, const holos_position *p);
    /* How many moves are left at most, so that whoever has a solver knows when to ask it. NULL: nobody knows, and it is not
     * asked. */
    uint32_t (*left)(const holos_variant *v, const holos_position *p);
    /* With so few left the game's own search (hot) takes no longer than a look at the network; or can be asked once a move. */
    uint32_t exact_tree, exact_root;
} holos_net;

#endif
