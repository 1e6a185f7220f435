/* SPDX-License-Identifier: MIT */

/* Positions to learn from: slots of a fixed size in a ring, the oldest of which makes room for the newest. */

#ifndef HOLOS_SESSION_REPLAY_H
#define HOLOS_SESSION_REPLAY_H

#include "core/text.h"
#include "engine/zeno/selfplay.h"
#include "net/train.h"

typedef struct replay {
    const holos_variant *v;
    size_t slot_size;
    size_t capacity; /* 0: a list that grows */
    size_t count, next, room;
    unsigned char *slots;
} replay;

/* `capacity` 0: a list that grows. False: no memory. */
bool replay_init(replay *r, const holos_variant *v, size_t capacity);
void replay_free(replay *r);
/* False: no memory. */
bool replay_add(replay *r, const zeno_sample *sample);
/* All of a list, in order. */
void replay_add_all(replay *r, const replay *from);

/* What a checkpoint keeps, slot by slot, so that the same draws find the same positions; and back, but for `next`. `at` moves on. False: damaged. */
void replay_write(const replay *r, text *out);
bool replay_read(replay *r, const unsigned char **at, const unsigned char *end);

/* A batch of positions drawn at random, each turned by a random symmetry, in room that the caller has: planes[count][pixel][plane],
 * policy[count][logit], both padded, and values[count]. */
void replay_draw(const replay *r, rng *random, size_t count, const net_layout *at, float *planes,
                 float *policy, float *values);

#endif
