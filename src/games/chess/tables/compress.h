/* SPDX-License-Identifier: MIT */

/* The other way of pairs.h: sequences of values become pairs of symbols, a canonical code and blocks. Runs are made symbols
 * at once, by doubling; then the most frequent pairs that do not overlap become symbols together, many in each pass. */

#ifndef HOLOS_CHESS_TABLES_COMPRESS_H
#define HOLOS_CHESS_TABLES_COMPRESS_H

#include "core/error.h"
#include "core/limits.h"

#define COMPRESS_ANY 0xFF /* a value that may be anything */

/* A compressed sequence: the parts that lie in different places of a file. */
typedef struct compressed {
    unsigned char *head, *sparse, *lengths, *blocks;
    size_t head_size, sparse_size, lengths_size, blocks_size;
} compressed;

/* How many runs a sequence of sets of values (bits) has at least. */
uint64_t sets_runs(const uint8_t *sets, uint64_t size);
/* Chooses a value from each set, so that runs are as few as can be. In place; where a limit is passed, not to the end. */
void sets_choose(uint8_t *sets, uint64_t size, const struct limits *limits);
/* The same where a value is given or COMPRESS_ANY. */
uint64_t gaps_runs(const uint8_t *values, uint64_t size);
void gaps_fill(uint8_t *values, uint64_t size, const struct limits *limits);

/* Compresses a sequence that is not empty. Blocks have at most 1 << block_most bytes; `flags` as in pairs.h. Keeps to the
 * limits (NULL: none): HOLOS_INTERRUPTED. */
holos_status compress(const uint8_t *values, uint64_t size, unsigned flags, unsigned block_most,
                      mem_budget *budget, const struct limits *limits, compressed *out, holos_error *err);
void compressed_free(compressed *c);

#endif
