/* SPDX-License-Identifier: MIT */

/* Inside the proof engine: what its files share.
 *
 *     search.c   proof-number search: where a claim looks easiest to prove or to refute, deeper and deeper
 *     hold.c     closed regions: what a side can hold for ever
 *     engine.c   from claims to values, moves and lines
 *
 * What holds at any time: PROVEN means that there is a finite tree that shows the claim, REFUTED that the other side can
 * prevent it for ever. A repetition alone is neither. */

#ifndef HOLOS_PROOF_PROOF_H
#define HOLOS_PROOF_PROOF_H

#include "core/limits.h"
#include "core/table.h"
#include "engine/claim.h"

#define PROOF_DEPTH_MOST  400u /* plies of a line of the search */
#define PROOF_PATH_PLACES 4096

/* What the table knows of a claim about a position. */
typedef struct proof_entry {
    uint32_t proof, disproof; /* positions that still have to be settled, at least: for either verdict */
    uint32_t effort;          /* nodes that were spent below it */
    uint16_t height;          /* of a proof: plies, at most */
    uint8_t verdict;
    uint8_t unused;
} proof_entry;

/* A successor, and what is known of it. */
typedef struct proof_numbers {
    uint32_t proof, disproof;
    uint16_t height; /* of a proof */
    int16_t low;     /* of a refutation: the least depth that it depends on */
} proof_numbers;

typedef struct proof_child {
    holos_key key;
    claim claim;
    proof_numbers n;
} proof_child;

typedef struct proof_frame {
    holos_edges successors;
    proof_child *children;
    uint32_t count;
} proof_frame;

typedef struct proof_state {
    const holos_variant *v;
    holos_solver_options options;
    boundary_guard *known; /* may be NULL */
    mem_budget *budget;
    table table;
    arena memory;
    proof_frame *frames; /* one for each depth, made when the search first gets there */
    holos_key *path;     /* of the claims above the one in hand */
    uint8_t *on_path;    /* how many of them, by a few bits of their keys */
    size_t hold_bytes;   /* what a closed region may take */
    holos_edges hold_edges[2];
    bool *hold_tried;

    /* Of the question in progress. */
    struct limits limits;
    uint64_t turn_end; /* nodes at which the search in hand gives way to others */

    /* Of answers. */
    holos_position *here, *roots;
    holos_edge *root_edges;
    holos_value *values;
    holos_move_value *moves;
    holos_move *best, *line;
} proof_state;

/* Begins a turn of so many nodes. */
static inline void proof_turn(proof_state *s, uint64_t nodes)
{
    s->turn_end = nodes < UINT64_MAX - s->limits.nodes ? s->limits.nodes + nodes : UINT64_MAX;
}

/* Counts a node; false if a limit or the end of the turn has been reached. */
static inline bool proof_count(proof_state *s)
{
    return limits_count(&s->limits) && s->limits.nodes < s->turn_end;
}

static inline bool proof_is_over(const proof_state *s)
{
    return !limits_go_on(&s->limits) || s->limits.nodes >= s->turn_end;
}

/* What is known of a claim without search: by the rules, the boundary, the table. *height is that of a proof. */
verdict proof_known(const proof_state *s, const holos_position *p, claim c, unsigned *height);
/* Keeps a verdict. */
void proof_keep(proof_state *s, holos_key key, verdict found, unsigned height);

/* Searches until the claim is settled or `nodes` more nodes have been counted. *exhausted: more nodes would not help, since
 * all that is left are lines that are too long. */
verdict proof_search(proof_state *s, const holos_position *p, claim c, uint64_t nodes, bool *exhausted);

/* Looks for a closed region around p in which the other side prevents the claim for ever; the positions where the claimant
 * moves are counted as nodes. OPEN: a limit came first, or *exhausted: the memory is not enough. */
verdict proof_hold(proof_state *s, const holos_position *p, claim c, uint64_t nodes, bool *exhausted);

#endif
