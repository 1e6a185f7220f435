/* SPDX-License-Identifier: MIT */

/* Seeds from a file: one a line, as holos_seed_parse reads them. */

#ifndef HOLOS_CLI_SEEDS_H
#define HOLOS_CLI_SEEDS_H

#include "cli/cli.h"

/* Words for a job: those of the command line, then the lines of a file. */
typedef struct seed_words {
    const char **words;
    size_t count, room;
    size_t given; /* how many of them are the command line's */
} seed_words;

/* Reads the lines of a file ("-": standard input), which must be seeds of the variant; `path` may be NULL. An error says which line is
 * wrong. The caller frees them in any case. */
holos_status seed_words_read(seed_words *s, const cli *c, const holos_variant *v, const char *path,
                             holos_error *err);
void seed_words_free(seed_words *s);

#endif
