/* SPDX-License-Identifier: MIT */

/* Inside the alphabeta engine: what its files share.
 *
 *     generic   the search over the contract, and what turns answers into values, distances and lines
 *     keep      checkpoints of a search: when they are due, and what they hold */

#ifndef HOLOS_ALPHABETA_ALPHABETA_H
#define HOLOS_ALPHABETA_ALPHABETA_H

#include "core/lock.h"
#include "core/progress.h"
#include "core/stack.h"
#include "core/table.h"
#include "engine/alphabeta/ab.h"

typedef struct frame {
    holos_edges successors;
    unsigned *
        order; /* of the first AB_SORT_MAX; not on the stack, of which a line of 10,000 plies needs the rest */
    uint32_t count;
} frame;

typedef struct alphabeta_settings {
    bool no_hot, resume, restart;
    const char *checkpoint;
    double checkpoint_every;
} alphabeta_settings;

typedef struct alphabeta {
    ab_search base;
    const holos_variant *v;
    holos_solver_options options;
    alphabeta_settings settings;
    boundary_guard *boundary; /* may be NULL */
    mem_budget *budget;
    table table;
    size_t table_bytes, table_limit; /* it grows from one to the other */
    double widen_seconds;            /* what that took the last time */
    bool widen_later;                /* there is no time for it in this search */
    const holos_hot *hot;            /* the game's own search, or NULL */
    void *hot_state;
    arena frames_arena;
    frame *frames; /* one a ply, made when the search first gets there */
    unsigned frame_capacity, frame_count;
    holos_position *scratch; /* two: the line's */
    holos_move_value *moves;
    holos_move *legal, *best, *line;
    size_t line_room;
    ab_entry known;     /* what the boundary says of a successor */
    holos_edges before; /* predecessors, where the boundary may know them */
    double next_pause;  /* when the next checkpoint is due */
    stack_bound stack;
    file_lock lock; /* on the checkpoint */
    progress *progress;
} alphabeta;

/* The entry of a key, which the caller fills. */
ab_entry *entry_make(alphabeta *s, holos_key key);

/* ---- keep.c ---- */

/* Takes the lock on the checkpoint, and what it holds. Without one it only checks the options. */
holos_status keep_begin(alphabeta *s, holos_error *err);
/* Has checkpoints written while these limits count. */
void keep_during(alphabeta *s, struct limits *l);
/* The checkpoint of a search that has ended; without one it does nothing. */
holos_status keep_end(alphabeta *s, holos_error *err);

#endif
