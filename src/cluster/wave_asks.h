/* SPDX-License-Identifier: MIT */

/* What positions are worth by their successors, whoever has these: successors get slots, their owners are asked what is known of
 * them, and told[slot] is the answer. All ranks ask together, as often as the one with the most questions:
 *
 *     asks_clear(a)
 *     asks_put(a, position)      for some positions, while asks_have_room
 *     asks_share(a)              all ranks; false: some rank has failed, and nobody knows anything
 *
 * A question is a key and an answer an interval: answers come in the order of the questions, so neither says which slot it is about. */

#ifndef HOLOS_CLUSTER_WAVE_ASKS_H
#define HOLOS_CLUSTER_WAVE_ASKS_H

#include "cluster/wave_inside.h"

/* The slots of a position's successors. */
typedef struct asker {
    uint32_t first, count;
} asker;

/* The slots that a rank was asked about and has not answered, in their order. */
typedef struct asked_rank {
    uint32_t first, last;
} asked_rank;

#define NO_SLOT UINT32_MAX

typedef struct wave_asks {
    cluster_wave *g;
    exchange asks, answers;
    asked_rank *asked; /* of each rank */
    uint32_t *next;    /* of each slot: the one that the same rank was asked about next */
    holos_edge *edges; /* of each slot */
    wave_told *told;   /* likewise: of the successor */
    holos_key *keys;   /* of each slot whose successor is this rank's own */
    uint32_t *own;     /* these slots */
    uint32_t slots, used, own_count;
} wave_asks;

/* The caller closes it in any case. */
holos_status asks_open(wave_asks *a, cluster_wave *g, holos_error *err);
void asks_close(wave_asks *a);

void asks_clear(wave_asks *a);

/* For so many positions more. */
static inline bool asks_have_room(const wave_asks *a, uint32_t positions)
{
    return a->used + positions * a->g->w->v->max_successors <= a->slots;
}

asker asks_put(wave_asks *a, const holos_position *p);
bool asks_share(wave_asks *a);

#endif
