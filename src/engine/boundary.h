/* SPDX-License-Identifier: MIT */

/* A holos_boundary as engines ask it, in their inner loops and from all their threads: known or not known. An error is
 * neither. The first one that is met is kept, and asks the work to stop; whoever began the work then gives the error as
 * its answer. So what is damaged never passes for unknown. */

#ifndef HOLOS_ENGINE_BOUNDARY_H
#define HOLOS_ENGINE_BOUNDARY_H

#include "game/game.h"

typedef struct boundary_guard {
    holos_boundary from;
    const holos_variant *v;
    holos_stop *stop;    /* what an error asks to stop; may be NULL */
    _Atomic bool failed; /* whoever sets it writes the error */
    holos_error error;
} boundary_guard;

/* `from` may be NULL: then so is what this returns, and otherwise `b`. */
boundary_guard *boundary_begin(boundary_guard *b, const holos_boundary *from, const holos_variant *v,
                               holos_stop *stop);
/* HOLOS_OK, or the error that was met since the last call, which then is forgotten. The threads that asked have ended.
 * `b` may be NULL. */
holos_status boundary_end(boundary_guard *b, holos_error *err);
/* Keeps an error; its message is empty if whoever failed did not say more. */
void boundary_fail(boundary_guard *b, holos_status status, const holos_error *err);

/* What is known of a position that is not over; the source is "none" if nothing is. */
static inline holos_value boundary_value(boundary_guard *b, const holos_position *p)
{
    holos_value value = game_value_unknown(b->v);
    holos_error err;
    err.message[0] = 0;
    holos_status status = b->from.find(b->from.context, p, &value, &err);
    if (status == HOLOS_OK)
        return value;
    boundary_fail(b, status, &err);
    return game_value_unknown(b->v);
}

/* True if the score is known. */
static inline bool boundary_score(boundary_guard *b, const holos_position *p, int32_t *score)
{
    holos_error err;
    bool found = false;
    if (b->from.score == NULL) {
        holos_value value = boundary_value(b, p);
        *score = value.lo;
        return value.lo == value.hi && holos_source_is_proof(value.source);
    }
    err.message[0] = 0;
    holos_status status = b->from.score(b->from.context, p, score, &found, &err);
    if (status == HOLOS_OK)
        return found;
    boundary_fail(b, status, &err);
    return false;
}

#endif
