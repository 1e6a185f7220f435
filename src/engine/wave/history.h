/* SPDX-License-Identifier: MIT */

/* What a session remembers in its hologram: its rounds with their seeds, how seeds turned out, and the seeds that come next. */

#ifndef HOLOS_WAVE_HISTORY_H
#define HOLOS_WAVE_HISTORY_H

#include "engine/wave/hologram_format.h"

typedef struct wave_history_round {
    hologram_round round; /* `first` means nothing here */
    hologram_seed *seeds;
} wave_history_round;

struct wave_history {
    wave_history_round *rounds;
    size_t round_count, round_room;
    hologram_outcome *outcomes; /* in the order of features and modes */
    size_t outcome_count, outcome_room;
    hologram_seed *pending;
    size_t pending_count, pending_room;
};

void wave_history_clear(wave_history *h);
/* Those that can fail return false: no memory. */
bool wave_history_add_round(wave_history *h, hologram_round round, const hologram_seed *seeds);
/* What is known of these features in this mode; NULL: nothing. */
const hologram_outcome *wave_history_outcome(const wave_history *h, uint64_t features, uint64_t mode);
/* Adds to what is known of these features in this mode. */
bool wave_history_add_outcome(wave_history *h, hologram_outcome more);
bool wave_history_add_pending(wave_history *h, hologram_seed seed);
/* Writes all, each once, in an order of their own. */
bool wave_history_write(wave_history *h, hologram_writer *out);
/* Takes in those of a hologram. Rounds and pending seeds are united; of two outcomes the one with more tries counts, since both may
 * have come from one file. */
bool wave_history_read(wave_history *h, const holos_hologram *from);

#endif
