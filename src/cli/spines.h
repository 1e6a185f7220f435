/* SPDX-License-Identifier: MIT */

/* Lines from solved positions of a hologram to the boundary. */

#ifndef HOLOS_CLI_SPINES_H
#define HOLOS_CLI_SPINES_H

#include "cli/batch.h"

/* Answers all questions of the source; `path` is that of a hologram. */
cli_status spines_answer(cli *c, const holos_variant *v, const char *path, batch_source source);

#endif
