/* SPDX-License-Identifier: MIT */

/* Inside knowledge: one opener for each kind of it. A kind fills the boundary that everybody asks, and says how to close
 * it. */

#ifndef HOLOS_KNOWLEDGE_KNOWLEDGE_H
#define HOLOS_KNOWLEDGE_KNOWLEDGE_H

#include "game/knowledge.h"

/* The file that waves leave in the folder of a store. */
#define HOLOGRAM_NAME "hologram"

struct holos_knowledge {
    const holos_variant *v; /* what it was opened for, or else made for */
    const char *kind;
    holos_boundary boundary; /* the context is the kind's own */
    void (*close)(holos_knowledge *k);
    holos_status (*why)(holos_knowledge *k, const holos_position *p,
                        holos_error *err); /* NULL: no more to say */

    /* The next positions, as holos_knowledge_walk gives them, without their values. NULL: they cannot be listed. */
    holos_status (*walk)(holos_knowledge *k, holos_cursor *cursor, holos_position *positions, size_t capacity,
                         size_t *count, holos_error *err);

    void *state; /* a store, a hologram, or a game's own */
    const holos_game_knowledge *game;
    holos_variant *own; /* NULL, or the variant that was opened for it */
};

/* Each opens into *k, whose v is what it must be good for, or NULL; it sets v then. On failure there is nothing to close. */
holos_status knowledge_open_store(holos_knowledge *k, const char *url, size_t memory, holos_error *err);
holos_status knowledge_open_hologram(holos_knowledge *k, const char *path, size_t memory, holos_error *err);
holos_status knowledge_open_tables(holos_knowledge *k, const holos_game *game, const char *folder,
                                   holos_error *err);

/* The game whose own kind of knowledge lies there, `first` (may be NULL) before the others; NULL: none's. */
const holos_game *knowledge_recognise(const holos_game *first, const char *folder);

#endif
