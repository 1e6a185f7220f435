/* SPDX-License-Identifier: MIT */

/* A game as it is played: the positions so far, with undo and redo. */

#ifndef HOLOS_CLI_HISTORY_H
#define HOLOS_CLI_HISTORY_H

#include <holos/holos.h>

typedef struct history {
    const holos_variant *v;
    unsigned char *positions; /* one after the other; the first is where the game began */
    size_t now, last;         /* the current position, and the last one that redo can reach */
    size_t room;
} history;

/* False: no memory. */
bool history_init(history *h, const holos_variant *v, const holos_position *start);
void history_free(history *h);

const holos_position *history_now(const history *h);
/* Plays a legal move and forgets what could have been redone. */
holos_status history_play(history *h, holos_move move, holos_error *err);
bool history_undo(history *h); /* false: there is nothing to undo */
bool history_redo(history *h);
void history_restart(history *h); /* back to the beginning; redo still works */

#endif
