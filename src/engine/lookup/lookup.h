/* SPDX-License-Identifier: MIT */

/* The lookup engine, as other engines and the solver use it. */

#ifndef HOLOS_LOOKUP_LOOKUP_H
#define HOLOS_LOOKUP_LOOKUP_H

#include "engine/engine.h"

extern const holos_engine lookup_engine;

/* Whether an answer that lookup_engine.solve gave has all that the options ask for, so that no search can add to it. */
bool lookup_is_whole(const void *state, const holos_result *result);
/* Adds the distances that the boundary knows to moves that another engine has valued. The array is the lookup's then. */
holos_status lookup_add_distances(void *state, const holos_position *p, holos_result *result,
                                  holos_error *err);

#endif
