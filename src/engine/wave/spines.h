/* SPDX-License-Identifier: MIT */

/* Spines: lines of moves from a position to the boundary. Only the moves are kept, with the key of every
 * position on the way as a checkpoint: so a move from any of them is found without replaying. A move is that of
 * the position which wave_position gives for the key before it. */

#ifndef HOLOS_WAVE_SPINES_H
#define HOLOS_WAVE_SPINES_H

#include "core/table.h"
#include "engine/wave/wave.h"

typedef struct wave_spine {
    size_t first;    /* of its keys and moves */
    uint32_t length; /* moves; there is one key more */
    int16_t lo, hi;  /* what was known of its end when it was found */
} wave_spine;

struct wave_spines {
    wave_spine *spines;
    size_t count, room;
    holos_key *keys;   /* of all spines */
    holos_move *moves; /* as many as keys: behind the last position of a spine there is none */
    size_t step_count, step_room;
    table index; /* key -> step, for the first spine through a position */
};

holos_status spines_open(holos_wave *w, holos_error *err);
void spines_close(holos_wave *w);
void spines_clear(wave_spines *s);
/* Adds a spine of `length` moves and `length` + 1 keys. False: it is there already, or no memory. */
bool spines_add(wave_spines *s, const holos_key *keys, const holos_move *moves, uint32_t length,
                wave_node end);
/* The step of a position that is on a spine and not at its end; SIZE_MAX: on none. */
size_t spines_step(const wave_spines *s, holos_key key);

#endif
