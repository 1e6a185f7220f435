/* SPDX-License-Identifier: MIT */

/* What the kernel of kalah's databases does in its inner loops, worked out beforehand.
 *
 * The kernel fixes the arrangement of one side (the outer one) and walks through all arrangements of the
 * other (the inner one), with a given number of seeds. Whichever side moves, a move changes the inner
 * arrangement in a way that does not depend on the outer one: so lists of (arrangement, what it becomes)
 * are made once for each number of seeds, and serve every row of every database part. The lists of one
 * move are in ascending order on both sides, so the memory they lead through is read forwards. */

#ifndef HOLOS_KALAH_PASSES_H
#define HOLOS_KALAH_PASSES_H

#include "core/mem.h"
#include "games/kalah/arrange.h"

/* What picking up n seeds from pit k does, whatever lies elsewhere. */
typedef struct sowing {
    uint8_t own[ARRANGE_PITS]; /* seeds sown into each own pit; pit k was emptied first */
    uint8_t store;             /* into the own store */
    uint8_t across;            /* into the opponent's pits, from pit 0 on, round and round */
    uint8_t last;              /* where the last seed falls: an own pit, SOWING_STORE or SOWING_ACROSS */
} sowing;

#define SOWING_STORE  254
#define SOWING_ACROSS 255

void sowing_make(unsigned pits, unsigned k, unsigned seeds, sowing *out);

/* A list: pairs (from, to), or runs (from, to, length) where neighbours stay neighbours. */
typedef struct pass {
    const uint32_t *words;
    uint32_t count;
    bool runs;
} pass;

enum { PASS_SOW, PASS_AGAIN, PASS_CAPTURE };

/* Moves of the inner side that go alike: the same pit, the same number of seeds sown across. */
typedef struct inner_move {
    uint8_t kind;   /* the turn passes; the mover moves again; the last seed falls into an empty own pit */
    uint8_t across; /* seeds sown into the outer side */
    uint8_t store;  /* seeds sown into the store */
    uint8_t pit;    /* PASS_CAPTURE: where the last seed falls */
    pass moves;     /* what becomes of the inner side; after a capture, the last seed is gone, too */
    pass spared;    /* PASS_CAPTURE with nothing across: what becomes of it if nothing is captured */
} inner_move;

/* Everything about one number of seeds on the inner side. */
typedef struct inner_side {
    inner_move *moves; /* when the inner side moves */
    uint32_t move_count;
    uint32_t across_most;
    pass *sown; /* sown[u]: the outer side sowed u seeds across; u <= across_most */
    /* captured[(q * pits + o) * (seeds + 1) + c]: the outer side sowed q to every pit and took what lay
     * in pit o, which had held c before. */
    pass *captured;
    void *memory;
    size_t memory_size;
} inner_side;

/* `outer_most`: the most seeds that the outer side will have. */
holos_status inner_side_init(inner_side *side, const arrange *a, unsigned seeds, unsigned outer_most,
                             mem_budget *budget, holos_error *err);
void inner_side_free(inner_side *side, mem_budget *budget);
/* About as much memory as inner_side_init takes. */
size_t inner_side_estimate(const arrange *a, unsigned seeds);

#endif
