/* SPDX-License-Identifier: MIT */

/* Checkpoints of a wave. Somebody who asks to stop waits at most about half a second for a last one; where it would take
 * longer, the one before it is kept. */

#ifndef HOLOS_SESSION_KEEPER_H
#define HOLOS_SESSION_KEEPER_H

#include "engine/wave/wave.h"

typedef struct wave_keeper {
    double save_seconds; /* of a position, in the last save; 0: there was none */
    double saved;        /* when; 0: not yet */
    bool behind;         /* what is saved is not the last that was found */
} wave_keeper;

/* HOLOS_INTERRUPTED: somebody waits, and what was saved before is kept; *err says nothing of that. From the deadline on
 * nobody does: the time of a run has room for its last save. */
holos_status keeper_save(wave_keeper *k, const holos_wave *w, const char *path, const holos_stop *stop,
                         double deadline, holos_error *err);

#endif
