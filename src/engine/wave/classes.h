/* SPDX-License-Identifier: MIT */

/* Equivalence by features: positions that look alike may be expected to be worth the same. A class counts the
 * proved values of its positions; as long as they agree, and there are enough of them, it has an opinion on the
 * others. An opinion is a conjecture. It is written down beside the node, never into it, and when a proof
 * comes later it is scored: confirmed or refuted. */

#ifndef HOLOS_WAVE_CLASSES_H
#define HOLOS_WAVE_CLASSES_H

#include "core/table.h"
#include "engine/wave/wave.h"

/* Proofs that agree before a class says anything. */
#define CLASS_QUORUM 8

typedef struct class_record {
    uint32_t count; /* proofs, at most options.class_size */
    int16_t value;  /* of all of them, unless it is broken */
    uint8_t broken;
    uint8_t reserved;
} class_record;

struct wave_classes {
    table classes;     /* features -> class_record */
    table conjectures; /* key of a position -> the value that its class expected */
};

/* Opens the classes if the game has features and the options want them. */
holos_status classes_open(holos_wave *w, holos_error *err);
void classes_close(holos_wave *w);
void classes_clear(wave_classes *c);

/* Counts a proof; *n is the node of the position, which is solved. Sets its flags. */
void classes_prove(holos_wave *w, const holos_position *p, holos_key key, wave_node *n);
/* What the class of a position says of it; false: nothing. */
bool classes_opinion(const holos_wave *w, const holos_position *p, int16_t *value);
/* Counts all proofs that have not been counted, and then writes down what classes say of positions that are not
 * solved. */
void classes_survey(holos_wave *w);

#endif
