/* SPDX-License-Identifier: MIT */

/* Whole databases: a capability. NULL: no retrograde analysis, and no databases. Positions are numbered: a tier (such as the pieces in play), in it a part (how they are
 * split between the sides), in that an index below the part's size. Every successor of a position lies in
 * a lower tier or in the same part; so the parts of a tier are independent of each other: the unit of
 * checkpoints and of files, and of parallel work unless a kernel can split them. With HOLOS_TRAIT_GAINS the values are those of what is
 * still to come, and positions that differ only in what is banked have the same place.
 *
 * A value is kept in one byte, HOLOS_BYTE_ZERO + value; HOLOS_BYTE_UNKNOWN is not a value. So the values
 * of what is indexed lie in [-127, 127]. */

#ifndef HOLOS_GAME_INDEX_H
#define HOLOS_GAME_INDEX_H

#include "game/types.h"

#define HOLOS_BYTE_ZERO    128
#define HOLOS_BYTE_UNKNOWN 0

typedef struct holos_place {
    uint32_t tier, part;
    uint64_t index;
} holos_place;

/* The parts that are known so far: parts[tier][part] is an array of bytes. */
typedef struct holos_tables {
    uint8_t *const *const *parts;
} holos_tables;

/* A game's own way to solve a whole part at once, faster than position by position. */
typedef struct holos_kernel {
    /* Bytes that `open` will take, about; and bytes of scratch space that each thread needs. Required. */
    size_t (*memory)(const holos_variant *v, uint32_t top);
    size_t (*scratch)(const holos_variant *v, uint32_t top);
    /* Makes what is needed for all tiers up to `top`. `budget` outlives the state. Required. */
    holos_status (*open)(const holos_variant *v, uint32_t top, mem_budget *budget, void **state,
                         holos_error *err);
    /* Required. */
    void (*close)(void *state);
    /* Fills one part, which is all HOLOS_BYTE_UNKNOWN before, from complete lower tiers. Several threads
     * may do so at once, for different parts. Adds the positions to `limits` and keeps to them: at one, its status is
     * returned, and the part means nothing. Required. */
    holos_status (*solve)(const void *state, const holos_tables *tables, uint32_t tier, uint32_t part,
                          struct limits *limits, void *scratch);
    /* The same with several threads in one part. It has so many steps, one after the other; 0: it cannot be split. Each has pieces
     * that do not depend on each other. NULL: no part can be split; otherwise all three are required. */
    uint32_t (*steps)(const void *state, uint32_t tier, uint32_t part);
    uint32_t (*pieces)(const void *state, uint32_t tier, uint32_t part, uint32_t step);
    holos_status (*solve_pieces)(const void *state, const holos_tables *tables, uint32_t tier, uint32_t part,
                                 uint32_t step, uint32_t first, uint32_t count, struct limits *limits,
                                 void *scratch);
} holos_kernel;

typedef struct holos_index {
    const char *tier_unit; /* what a tier counts: "seeds". Required. */
    /* HOLOS_UNSUPPORTED, and why, if a variant's rules do not allow it. NULL: all do. */
    holos_status (*supports)(const holos_variant *v, holos_error *err);
    /* Variants of one family have the same databases. Required. */
    void (*family)(const holos_variant *v, text *out);
    /* 0 … tiers - 1: those that can be numbered. Required, as are the next two. */
    uint32_t (*tiers)(const holos_variant *v);
    uint32_t (*parts)(const holos_variant *v, uint32_t tier);
    uint64_t (*size)(const holos_variant *v, uint32_t tier, uint32_t part);
    /* Where a position is; false if it lies beyond what can be numbered. Required. */
    bool (*rank)(const holos_variant *v, const holos_position *p, holos_place *out);
    /* A position with this place, as good as any other. Required. */
    void (*unrank)(const holos_variant *v, holos_place place, holos_position *out);
    const holos_kernel *kernel; /* NULL: parts are solved position by position */
} holos_index;

#endif
