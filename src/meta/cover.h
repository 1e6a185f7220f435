/* SPDX-License-Identifier: MIT */

/* What a seed covers: the positions that a wave from it reaches, and those that reach it. Measured by really expanding. */

#ifndef HOLOS_META_COVER_H
#define HOLOS_META_COVER_H

#include "core/key.h"
#include "game/game.h"

#include <holos/meta.h>

/* Keys of positions, sorted, each once; in the order of `reached` they came. */
typedef struct cover {
    holos_key *keys;
    size_t count, room;
    holos_measure measure;
} cover;

typedef struct cover_task {
    const holos_variant *v;
    const holos_position *position;
    unsigned depth;
    holos_wave_mode mode;
    holos_tactic_direction direction;
    uint64_t nodes; /* positions that it may expand in either direction */
    size_t memory;
    const holos_boundary *boundary;
    const holos_stop *stop;
} cover_task;

/* The caller frees the cover in any case. HOLOS_INTERRUPTED: somebody asked to stop. */
holos_status cover_measure(const cover_task *task, cover *out, holos_error *err);
void cover_free(cover *c);
/* Keys that both have. */
uint64_t cover_common(const cover *a, const cover *b);

#endif
