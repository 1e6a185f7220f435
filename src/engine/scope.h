/* SPDX-License-Identifier: MIT */

/* Which kinds of positions (game/kinds.h) lie between some positions and a boundary: all that play from them may come to, but
 * for those that the boundary knows. */

#ifndef HOLOS_ENGINE_SCOPE_H
#define HOLOS_ENGINE_SCOPE_H

#include "engine/boundary.h"
#include "game/kinds.h"

/* Whether a boundary (may be NULL) knows a kind, by a few of its positions. `scratch` is a position to write to. */
bool scope_is_known(const holos_variant *v, boundary_guard *known, holos_kind kind, holos_position *scratch);

typedef struct scope {
    holos_kind *between; /* in ascending order */
    size_t between_count;
    holos_kind *known; /* of the boundary's: those that a move leads to from one of these */
    size_t known_count;
    bool limited; /* otherwise nothing is known, and any kind may lie between */
} scope;

/* Adds what lies below a kind. If there are too many kinds, the scope is not limited any more. HOLOS_NO_MEMORY: likewise. */
void scope_init(scope *s); /* empty, and limited */
void scope_add(scope *s, const holos_variant *v, boundary_guard *known, holos_kind kind,
               holos_position *scratch);
void scope_free(scope *s);
/* Whether a kind lies between. */
bool scope_has(const scope *s, holos_kind kind);

#endif
