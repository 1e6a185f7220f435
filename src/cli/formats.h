/* SPDX-License-Identifier: MIT */

/* The ways to write positions that a game knows, by the names that --format takes. */

#ifndef HOLOS_CLI_FORMATS_H
#define HOLOS_CLI_FORMATS_H

#include "core/error.h"
#include "core/text.h"

#include <holos/holos.h>

/* The notation of this name (NULL: `fallback`), or SIZE_MAX for a game that has only one. HOLOS_USAGE with the
 * names that it has. */
holos_status format_find(const holos_variant *v, const char *name, const char *fallback, size_t *out,
                         holos_error *err);
/* The position in whole lines. */
void format_write(text *t, const holos_variant *v, const holos_position *p, size_t notation);

#endif
