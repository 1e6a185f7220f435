/* SPDX-License-Identifier: MIT */

/* The ways to write positions that a game knows, by the names that --format takes. */

#ifndef HOLOS_CLI_FORMATS_H
#define HOLOS_CLI_FORMATS_H

#include "game/game.h"

/* The notation of this name (NULL: `fallback`). HOLOS_USAGE with the names that there are. *out is NULL for a game that
 * has only one way. */
holos_status format_find(const holos_variant *v, const char *name, const char *fallback,
                         const holos_notation **out, holos_error *err);
/* The position in whole lines. */
void format_write(text *t, const holos_variant *v, const holos_position *p, const holos_notation *notation);

#endif
