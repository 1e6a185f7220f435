/* SPDX-License-Identifier: MIT */

/* Inside the library: the logic engine within the limits of somebody else's work. */

#ifndef HOLOS_LOGIC_LOGIC_H
#define HOLOS_LOGIC_LOGIC_H

#include "game/game.h"

/* As holos_logic_open. `within` outlives it: each puzzle has what is left of it, and a share of its own to count in. */
holos_status logic_open_within(const holos_variant *v, const holos_position *position,
                               const struct limits *within, holos_logic **out, holos_error *err);

#endif
