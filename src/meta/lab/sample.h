/* SPDX-License-Identifier: MIT */

/* Positions to try things on: found by playing at random. */

#ifndef HOLOS_META_LAB_SAMPLE_H
#define HOLOS_META_LAB_SAMPLE_H

#include "core/rng.h"
#include "meta/lab/lab.h"

typedef struct lab_sample {
    const holos_variant *v;
    holos_position *positions; /* `count` of them, of v->position_size bytes */
    unsigned *plies;           /* from the place to each */
    size_t count;
} lab_sample;

/* Draws `count` positions that games played at random from the place come to, one from each: after at most `plies` moves, or
 * with `ends` the last one. The caller frees the sample in any case. */
holos_status lab_sample_draw(lab_sample *s, const lab_place *place, rng *r, size_t count, unsigned plies,
                             bool ends, holos_error *err);
void lab_sample_free(lab_sample *s);
const holos_position *lab_sample_at(const lab_sample *s, size_t index);

#endif
