/* SPDX-License-Identifier: MIT */

/* Kinds of positions on the command line: what lies around one, all its positions, some at random. */

#ifndef HOLOS_CLI_KINDS_H
#define HOLOS_CLI_KINDS_H

#include "cli/cli.h"
#include "game/kinds.h"

/* Whether a word names a kind of the game, such as KQvKR. */
bool kinds_find(const holos_variant *v, const char *word, holos_kind *out);

/* What it comes to, of that what a boundary (may be NULL) knows, and from what it comes. */
cli_status kinds_list(cli *c, const holos_variant *v, const holos_boundary *boundary, holos_kind kind);
/* Solves all positions of a kind, and of what lies between it and the boundary. */
cli_status kinds_explore(cli *c, const holos_variant *v, const holos_boundary *boundary, holos_kind kind);
/* Writes positions of a kind, at random. */
cli_status kinds_generate(cli *c, const holos_variant *v, const char *word, uint64_t count);

#endif
