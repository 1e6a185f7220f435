/* SPDX-License-Identifier: MIT */

/* Kalah as a network sees it: two rows of pits with the stores at their ends, mine below, and above it theirs, each pit over the one that
 * it lies opposite. Moves: my pits. */

#include "games/kalah/kalah.h"

enum {
    PLANE_SEEDS,
    PLANE_EMPTY,
    PLANE_ONE,
    PLANE_TWO,
    PLANE_ROUND,
    PLANE_AGAIN,
    PLANE_STORE,
    PLANE_MINE,
    PLANES
};

static void shape(const holos_variant *v, holos_net_shape *out)
{
    uint32_t pits = kalah_rules_of(v)->pits;
    *out =
        (holos_net_shape){.height = 2, .width = pits + 1, .planes = PLANES, .policy = pits, .symmetries = 1};
}

/* One pit; `steps` sowings lead from it to its owner's store. */
static void pit_planes(float *pixel, unsigned seeds, unsigned steps, unsigned pits, bool mine)
{
    pixel[PLANE_SEEDS] = (float)seeds / 8;
    pixel[PLANE_EMPTY] = seeds == 0;
    pixel[PLANE_ONE] = seeds == 1;
    pixel[PLANE_TWO] = seeds == 2;
    pixel[PLANE_ROUND] = seeds == 2 * pits + 1;
    pixel[PLANE_AGAIN] = seeds == steps;
    pixel[PLANE_MINE] = mine;
}

static void planes(const holos_variant *v, const holos_position *p, float *pixels, size_t stride)
{
    const uint8_t *board = kalah_board_of(p);
    unsigned pits = kalah_rules_of(v)->pits;
    float *theirs = pixels + (pits + 1) * stride;
    for (unsigned i = 0; i < pits; i++) {
        pit_planes(pixels + i * stride, board[i], pits - i, pits, true);
        pit_planes(theirs + i * stride, board[2 * pits - i], i + 1, pits, false);
    }
    pixels[pits * stride + PLANE_STORE] = (float)board[pits] / 16;
    pixels[pits * stride + PLANE_MINE] = 1;
    theirs[pits * stride + PLANE_STORE] = (float)board[2 * pits + 1] / 16;
}

static uint32_t policy(const holos_variant *v, const holos_position *p, holos_move move)
{
    (void)v;
    (void)p;
    return (uint32_t)move;
}

/* Seeds that are banked. */
static double density(const holos_variant *v, const holos_position *p)
{
    const kalah_rules *rules = kalah_rules_of(v);
    const uint8_t *board = kalah_board_of(p);
    double stored = board[rules->pits] + board[2 * rules->pits + 1];
    double all = stored + kalah_in_play(rules, board);
    return all > 0 ? stored / all : 1;
}

static holos_stage phase(const holos_variant *v, const holos_position *p)
{
    double banked = density(v, p);
    return banked < 0.2 ? HOLOS_STAGE_OPENING : banked <= 0.7 ? HOLOS_STAGE_MIDDLE : HOLOS_STAGE_ENDING;
}

/* What is banked, over what is needed to win. */
static float glance(const holos_variant *v, const holos_position *p)
{
    const kalah_rules *rules = kalah_rules_of(v);
    const uint8_t *board = kalah_board_of(p);
    int ahead = (int)board[rules->pits] - (int)board[2 * rules->pits + 1];
    int all = board[rules->pits] + board[2 * rules->pits + 1] + (int)kalah_in_play(rules, board);
    return all > 0 ? (float)ahead / (float)all : 0;
}

const holos_net kalah_net = {
    .shape = shape,
    .planes = planes,
    .policy = policy,
    .glance = glance,
    .phase = phase,
    .density = density,
};
