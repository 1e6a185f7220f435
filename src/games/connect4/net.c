/* SPDX-License-Identifier: MIT */

/* Connect four as a network sees it: my stones, theirs, where a stone would fall, and who I am (1 for the first player, -1 for the
 * second), the lowest row first. Moves: the columns. */

#include "games/connect4/net.h"

#include "games/connect4/board.h"

#define PLANES 4

static void shape(const holos_variant *v, holos_net_shape *out)
{
    c4_size size = c4_variant_size(v);
    *out = (holos_net_shape){
        .height = size.height, .width = size.width, .planes = PLANES, .policy = size.width, .symmetries = 2};
}

static void planes(const holos_variant *v, const holos_position *p, float *pixels, size_t stride)
{
    (c4_is_wide(v) ? c4_wide_planes : c4_narrow_planes)(v, p, pixels, stride);
}

static uint32_t policy(const holos_variant *v, const holos_position *p, holos_move move)
{
    (void)v;
    (void)p;
    return (uint32_t)move;
}

static void image(const holos_variant *v, uint32_t symmetry, const holos_position *p, holos_position *out)
{
    _Alignas(16) unsigned char both[2 * 32];
    v->game->symmetries(v, p, (holos_position *)both);
    memcpy(out, both + symmetry * v->position_size, v->position_size);
}

static uint32_t image_policy(const holos_variant *v, uint32_t symmetry, uint32_t number)
{
    return symmetry == 0 ? number : c4_variant_size(v).width - 1 - number;
}

static unsigned stones(const holos_variant *v, const holos_position *p)
{
    return c4_is_wide(v) ? c4_wide_stones(v, p) : c4_narrow_stones(v, p);
}

static double density(const holos_variant *v, const holos_position *p)
{
    return (double)stones(v, p) / (double)c4_size_cells(c4_variant_size(v));
}

static holos_stage phase(const holos_variant *v, const holos_position *p)
{
    double full = density(v, p);
    return full < 0.25 ? HOLOS_STAGE_OPENING : full <= 0.75 ? HOLOS_STAGE_MIDDLE : HOLOS_STAGE_ENDING;
}

static uint32_t left(const holos_variant *v, const holos_position *p)
{
    return c4_size_cells(c4_variant_size(v)) - stones(v, p);
}

const holos_net c4_net = {
    .shape = shape,
    .planes = planes,
    .policy = policy,
    .image = image,
    .image_policy = image_policy,
    .phase = phase,
    .density = density,
    .left = left,
    .exact_tree = 16,
    .exact_root = 26,
};
