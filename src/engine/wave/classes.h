/* SPDX-License-Identifier: MIT */

/* Equivalence by features: positions that look alike may be expected to be worth the same. A class counts the
 * proved values of its positions; as long as they agree, and there are enough of them, it has an opinion on the
 * others. An opinion is a conjecture. A node only notes that there is one, never what it says: that is the value of its
 * class, which never changes. When a proof comes later, it is scored: confirmed or refuted. */

#ifndef HOLOS_WAVE_CLASSES_H
#define HOLOS_WAVE_CLASSES_H

#include "core/hash.h"
#include "core/table.h"
#include "engine/wave/wave.h"

/* Proofs that agree before a class says anything. */
#define CLASS_QUORUM 8
/* A survey comes when there are so many times the positions of the last one. */
#define CLASSES_GROWTH 4

typedef struct class_record {
    uint32_t count; /* proofs, at most options.class_size */
    int16_t value;  /* of all of them, unless it is broken */
    uint8_t broken;
    uint8_t reserved;
} class_record;

struct wave_classes {
    table classes;     /* features -> class_record */
    uint64_t surveyed; /* positions that there were at the last survey */
};

/* Opens the classes if the game has features and the options want them. */
holos_status classes_open(holos_wave *w, holos_error *err);
void classes_close(holos_wave *w);
void classes_clear(wave_classes *c);

/* Counts a proof; *n is the node of the position, which is solved. Sets its flags. */
void classes_prove(holos_wave *w, const holos_position *p, wave_node *n);
/* The same for a class that these features name; *fresh: it is new. NULL: no memory. */
class_record *classes_count(holos_wave *w, holos_key features, wave_node *n, bool *fresh);
/* Which of so many processes a class belongs to. */
static inline unsigned classes_part_of(uint64_t features, unsigned parts)
{
    return parts > 1 ? nodes_part_of(hash_mix(features + 1), parts) : 0;
}

/* A class of a hologram. False: no memory. */
bool classes_load(holos_wave *w, uint64_t features, class_record r);
/* What the class of a position says of it; false: nothing. */
bool classes_opinion(const holos_wave *w, const holos_position *p, int16_t *value);
bool classes_opinion_of(const holos_wave *w, holos_key features, int16_t *value);
/* Counts all proofs that have not been counted, and then notes of which open positions classes say something. */
void classes_survey(holos_wave *w);
/* The same if there are several times as many positions as the last time: so that conjectures can be scored while a run
 * lasts. */
void classes_survey_if_grown(holos_wave *w);

#endif
