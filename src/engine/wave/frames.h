/* SPDX-License-Identifier: MIT */

/* Frames: what the modes that look at one position at a time need for it. One for each step of a probe, made
 * when it is first needed. */

#ifndef HOLOS_WAVE_FRAMES_H
#define HOLOS_WAVE_FRAMES_H

#include "engine/wave/wave.h"

#define FRAMES_MOST 512

/* Who uses which frame; probes use as many as they are deep. */
enum {
    FRAME_STEP = 0,
    FRAME_BELOW,
    FRAME_ABOVE,
    FRAME_CERTAINTY,
    FRAME_LEARNED,
    FRAME_WANTED,
    FRAME_FLOW,
    FRAME_NAMED
};

struct wave_frame {
    holos_position *position;
    holos_edges successors, predecessors; /* with positions and keys; predecessors if waves run back */
    uint32_t *order;                      /* room for an order of either */
};

/* NULL: no memory, or too deep. */
wave_frame *frame_at(holos_wave *w, unsigned depth);

/* Positions to come back to. */
typedef struct wave_keys {
    holos_key *keys;
    size_t count, room;
} wave_keys;

bool wave_keys_add(holos_wave *w, wave_keys *list, holos_key key); /* false: no memory */
void wave_keys_free(holos_wave *w, wave_keys *list);

/* Fills the frame's position and its neighbours, with keys as this wave has them. Returns their number. */
uint32_t frame_expand(holos_wave *w, wave_frame *f, holos_key key);
uint32_t frame_retrace(holos_wave *w, wave_frame *f, holos_key key);

/* The neighbours that lightning follows, best first, into f->order: those that force; if none do, the one that
 * looks best. Returns their number. */
uint32_t frame_forcing(wave_frame *f, const holos_edge *edges, uint32_t count);

/* Makes sure that all that can be known of a node without its successors is: the rules, a table, the game's
 * bounds. The position is the frame's. */
wave_node frame_settle(holos_wave *w, wave_frame *f, node_at at);

#endif
