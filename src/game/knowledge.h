/* SPDX-License-Identifier: MIT */

/* Knowledge in a form of a game's own, such as the files that other programs of the game read, too (chess: Syzygy's tables).
 * A capability of a game: src/knowledge/ opens it like any store, and engines use it as their boundary.
 *
 * Values have distances where they are known: plies to the end, and plies to the next move that cannot be taken back. All
 * members are required. */

#ifndef HOLOS_GAME_KNOWLEDGE_H
#define HOLOS_GAME_KNOWLEDGE_H

#include "game/game.h"

#include <holos/knowledge.h>

typedef struct holos_game_knowledge {
    const char *what;   /* "Syzygy tables" */
    const char *folder; /* where it lies in a data folder: "syzygy" */
    holos_distance_words words;

    /* Whether a folder holds such knowledge. Several folders have colons between, here and below. */
    bool (*recognise)(const char *folder);
    /* Everything below may be called by several threads at once. What is damaged is HOLOS_BAD_FILE, with the name of the
     * file; what is not there is HOLOS_OK. */
    holos_status (*open)(const holos_variant *v, const char *folder, void **state, holos_error *err);
    void (*close)(void *state);
    /* As in holos_boundary. */
    holos_status (*score)(void *state, const holos_position *p, int32_t *score, bool *found,
                          holos_error *err);
    holos_status (*find)(void *state, const holos_position *p, holos_value *out, holos_error *err);
    holos_status (*moves)(void *state, const holos_position *p, holos_move_value *out, size_t *count,
                          holos_error *err);
    /* Reads every file and compares its checksum; *files says how many. NULL: nothing tells whether they are sound. */
    holos_status (*verify)(const char *folder, const holos_stop *stop, uint64_t *files, holos_error *err);
    /* As holos_knowledge_why. */
    holos_status (*why)(void *state, const holos_position *p, holos_error *err);
} holos_game_knowledge;

#endif
