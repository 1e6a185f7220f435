/* SPDX-License-Identifier: MIT */

/* What every header of the contract stands on: variants, edges, and where they are written. */

#ifndef HOLOS_GAME_TYPES_H
#define HOLOS_GAME_TYPES_H

#include "core/error.h"
#include "core/key.h"
#include "core/limits.h"
#include "core/text.h"

#include <holos/holos.h>

#include <string.h>

enum {
    HOLOS_EDGE_SAME_SIDE = 1 << 0, /* the side to move stays the same */
    HOLOS_EDGE_FORCING = 1 << 1,   /* what lightning follows: a threat, a capture, a single candidate */
};

typedef struct holos_edge {
    holos_move move;
    int32_t gain;  /* what the mover banks by it; 0 without HOLOS_TRAIT_GAINS */
    int16_t order; /* a hint: the better a move looks, the higher */
    uint8_t flags;
    uint8_t reserved; /* 0 */
} holos_edge;

/* Where `expand` and `predecessors` write. The caller owns the arrays; each has room for
 * v->max_successors (or v->max_predecessors) entries. Each of them may be NULL: then it is not wanted. */
typedef struct holos_edges {
    holos_edge *edges;
    holos_position *positions; /* entry i at byte offset i * v->position_size */
    holos_key *keys;
    bool
        bare; /* of edges only the move, the gain and whose turn it is are wanted: `order` and HOLOS_EDGE_FORCING may be
                  left out, where they take time */
} holos_edges;

struct holos_variant {
    const holos_game *game;    /* set by holos_open; the rest by the game's `open` */
    char name[64];             /* in full, "kalah:6,4,empty-capture"; equal names are equal rules */
    size_t position_size;      /* a multiple of 16 */
    uint32_t max_successors;   /* of any position that parse accepts */
    uint32_t max_predecessors; /* 0 without `back`, and where a variant has no way back */
    int32_t score_min, score_max;
    uint8_t key_bits; /* keys and identities are below 2^key_bits; 0 means 128 */
    void *rules;      /* the game's own; made by open, freed by close */
};

static inline holos_position *position_at(const holos_variant *v, holos_position *base, size_t index)
{
    return (holos_position *)((unsigned char *)base + index * v->position_size);
}

static inline const holos_position *position_in(const holos_variant *v, const holos_position *base,
                                                size_t index)
{
    return (const holos_position *)((const unsigned char *)base + index * v->position_size);
}

/* The value a child gives its parent's mover. */
static inline int32_t edge_score(holos_edge edge, int32_t child)
{
    return edge.gain + ((edge.flags & HOLOS_EDGE_SAME_SIDE) != 0 ? child : -child);
}

#endif
