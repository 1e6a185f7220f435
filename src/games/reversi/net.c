/* SPDX-License-Identifier: MIT */

/* Reversi as a network sees it, and what a player sees at a glance.
 *
 * Planes: my discs, theirs, where I may move, and who I am (1 for X, -1 for O). Moves: the cells, rank by rank, then the pass. */

#include "games/reversi/reversi.h"

enum { PLANE_MINE, PLANE_THEIRS, PLANE_MOVES, PLANE_SIDE, PLANES };

static void shape(const holos_variant *v, holos_net_shape *out)
{
    uint32_t size = reversi_rules_of(v)->size;
    *out = (holos_net_shape){.height = size,
                             .width = size,
                             .planes = PLANES,
                             .policy = size * size + 1,
                             .symmetries = REVERSI_SYMMETRIES};
}

/* Cells are numbered rank by rank; bits have eight to a rank. */
static uint32_t number_of(unsigned size, unsigned bit)
{
    return bit / 8 * size + bit % 8;
}

static unsigned bit_of(unsigned size, uint32_t number)
{
    return number / size * 8 + number % size;
}

static void planes(const holos_variant *v, const holos_position *position, float *pixels, size_t stride)
{
    const reversi_rules *rules = reversi_rules_of(v);
    const reversi_position *p = reversi_of(position);
    uint64_t moves = reversi_moves(p->board, rules->cells);
    for (unsigned i = 0; i < rules->size * rules->size; i++, pixels += stride) {
        unsigned bit = bit_of(rules->size, i);
        pixels[PLANE_MINE] = (float)(p->board.mine >> bit & 1);
        pixels[PLANE_THEIRS] = (float)(p->board.theirs >> bit & 1);
        pixels[PLANE_MOVES] = (float)(moves >> bit & 1);
        pixels[PLANE_SIDE] = p->side == 0 ? 1 : -1;
    }
}

static uint32_t policy(const holos_variant *v, const holos_position *p, holos_move move)
{
    (void)p;
    unsigned size = reversi_rules_of(v)->size;
    return move == REVERSI_PASS ? size * size : number_of(size, (unsigned)move);
}

static void image(const holos_variant *v, uint32_t symmetry, const holos_position *p, holos_position *out)
{
    reversi_position turned = *reversi_of(p);
    turned.board = reversi_image(turned.board, symmetry, reversi_rules_of(v)->size);
    memcpy(out, &turned, sizeof turned);
}

static uint32_t image_policy(const holos_variant *v, uint32_t symmetry, uint32_t number)
{
    unsigned size = reversi_rules_of(v)->size;
    if (number >= size * size)
        return number;
    reversi_board b = {.mine = UINT64_C(1) << bit_of(size, number)};
    return number_of(size, reversi_first(reversi_image(b, symmetry, size).mine));
}

/* ---- At a glance ------------------------------------------------------------------------------- */

/* A cell is worth this much by how far it is from the two nearest edges: corners are good, cells beside them bad. */
static const int8_t worth[4][4] = {
    {100, -20, 10, 5},
    {-20, -50, -2, -2},
    {10, -2, -1, -1},
    {5, -2, -1, -1},
};

static float positional(const reversi_rules *rules, reversi_board b)
{
    int sum = 0, most = 0;
    for (uint64_t left = b.mine | b.theirs; left != 0; left &= left - 1) {
        unsigned bit = reversi_first(left), last = rules->size - 1, x = bit % 8, y = bit / 8;
        int w = worth[y < last - y ? y : last - y][x < last - x ? x : last - x];
        sum += (b.mine >> bit & 1) != 0 ? w : -w;
        most += w < 0 ? -w : w;
    }
    return most > 0 ? (float)sum / (float)most : 0;
}

/* (mine - theirs) / (mine + theirs). */
static float ratio(uint64_t mine, uint64_t theirs)
{
    float a = (float)reversi_count(mine), b = (float)reversi_count(theirs);
    return a + b > 0 ? (a - b) / (a + b) : 0;
}

/* Edges and corners held, corners four times: about what cannot be turned. */
static float stability(const reversi_rules *rules, reversi_board b)
{
    unsigned last = rules->size - 1;
    uint64_t rank = (UINT64_C(1) << rules->size) - 1, file = 0;
    for (unsigned i = 0; i < rules->size; i++)
        file |= UINT64_C(1) << 8 * i;
    uint64_t edges = rank | rank << 8 * last | file | file << last;
    uint64_t corners = UINT64_C(1) | UINT64_C(1) << last | UINT64_C(1) << 8 * last | UINT64_C(1) << 9 * last;
    float mine = (float)reversi_count(b.mine & edges) + 3 * (float)reversi_count(b.mine & corners);
    float theirs = (float)reversi_count(b.theirs & edges) + 3 * (float)reversi_count(b.theirs & corners);
    return mine + theirs > 0 ? (mine - theirs) / (mine + theirs) : 0;
}

/* The weights of the four parts, before move 50 and from there on (of 60; the same share of smaller boards). */
static const struct {
    float positional, mobility, stability, parity;
} weights[2] = {{0.30F, 0.35F, 0.30F, 0.05F}, {0.10F, 0.10F, 0.30F, 0.50F}};

static unsigned discs(const holos_position *p)
{
    return reversi_count(reversi_of(p)->board.mine | reversi_of(p)->board.theirs);
}

/* n of the 64 cells of a full board, on this board. */
static unsigned scaled(const holos_variant *v, unsigned n)
{
    unsigned size = reversi_rules_of(v)->size;
    return n * size * size / 64;
}

static float glance(const holos_variant *v, const holos_position *position)
{
    const reversi_rules *rules = reversi_rules_of(v);
    reversi_board b = reversi_of(position)->board;
    unsigned late = discs(position) - 4 >= scaled(v, 50);
    float mobility = ratio(reversi_moves(b, rules->cells), reversi_moves(reversi_pass(b), rules->cells));
    return weights[late].positional * positional(rules, b) + weights[late].mobility * mobility +
           weights[late].stability * stability(rules, b) + weights[late].parity * ratio(b.mine, b.theirs);
}

/* A corner, or the only move. */
static bool obvious(const holos_variant *v, const holos_position *p, const holos_edge *edges, uint32_t count,
                    holos_move *move)
{
    (void)p;
    unsigned last = reversi_rules_of(v)->size - 1;
    for (uint32_t i = 0; i < count; i++) {
        unsigned x = edges[i].move % 8, y = edges[i].move / 8;
        if (edges[i].move == REVERSI_PASS || (x != 0 && x != last) || (y != 0 && y != last))
            continue;
        *move = edges[i].move;
        return true;
    }
    *move = edges[0].move;
    return count == 1;
}

static holos_stage phase(const holos_variant *v, const holos_position *p)
{
    unsigned count = discs(p);
    return count < scaled(v, 16) ? HOLOS_STAGE_OPENING
                                 : (count <= scaled(v, 48) ? HOLOS_STAGE_MIDDLE : HOLOS_STAGE_ENDING);
}

static double density(const holos_variant *v, const holos_position *p)
{
    return (double)discs(p) / (double)reversi_count(reversi_rules_of(v)->cells);
}

static uint32_t left(const holos_variant *v, const holos_position *p)
{
    return reversi_count(reversi_rules_of(v)->cells) - discs(p);
}

const holos_net reversi_net = {
    .shape = shape,
    .planes = planes,
    .policy = policy,
    .image = image,
    .image_policy = image_policy,
    .glance = glance,
    .obvious = obvious,
    .phase = phase,
    .density = density,
    .left = left,
    .exact_tree = 10,
    .exact_root = 18,
};
