/* SPDX-License-Identifier: MIT */

/* Frontiers that are known by their seeds (mappings.c). */

#ifndef HOLOS_WAVE_MAPPINGS_H
#define HOLOS_WAVE_MAPPINGS_H

#include "engine/wave/hologram_format.h"

typedef struct wave_mapped {
    hologram_mapping mapping; /* `first` means nothing here */
    hologram_seed *seeds;
} wave_mapped;

struct wave_mappings {
    wave_mapped *list;
    size_t count, room;
};

void wave_mappings_clear(wave_mappings *m);
/* False: no memory. */
bool wave_mappings_add(wave_mappings *m, hologram_mapping mapping, const hologram_seed *seeds);
/* Writes all, each once, in an order of their own. False: no memory. */
bool wave_mappings_write(wave_mappings *m, hologram_writer *out);
/* Adds those of a hologram. False: no memory. */
bool wave_mappings_read(wave_mappings *m, const holos_hologram *h);

/* What the keys of a layer add up to, whatever their order. */
uint64_t hologram_layer_digest(const layers *l, const layer *at);
hologram_seed hologram_seed_of(const wave_seed *seed);

#endif
