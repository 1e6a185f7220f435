/* SPDX-License-Identifier: MIT */

/* Kinds of positions on the command line: what lies around one, some at random. */

#ifndef HOLOS_CLI_KINDS_H
#define HOLOS_CLI_KINDS_H

#include "cli/cli.h"

#include <holos/holos.h>

/* What a kind (KQvKR) comes to, of that what a boundary (may be NULL) knows, and from what it comes. */
cli_status kinds_list(cli *c, const holos_variant *v, const holos_boundary *boundary, const char *word);
/* Writes positions of a kind, at random. */
cli_status kinds_generate(cli *c, const holos_variant *v, const char *word, uint64_t count);

#endif
