/* SPDX-License-Identifier: MIT */

/* Checkpoints: what a search has proved, as a file, so that a search that was stopped or killed goes on. An entry
 * of the table is true of its position whatever was searched before and after it, and whichever database was the
 * boundary; so a file may hold any part of the table, and it holds the entries that took the most work.
 *
 * The file: "HOLOSAB1"; the variant's name, filled up to 64 bytes with zeros; the number of entries (8); then blocks of up
 * to 4,096 entries of 32 bytes (key.hi, key.lo, lo, hi, move, work; little-endian as in memory), each followed by
 * the lower half of its XXH3-128. The header has one, too. */

#ifndef HOLOS_ALPHABETA_CHECKPOINT_H
#define HOLOS_ALPHABETA_CHECKPOINT_H

#include "engine/alphabeta/ab.h"

/* The entries one after the other, from *index 0 on; false past the end. */
typedef bool checkpoint_next(void *context, size_t *index, holos_key *key, ab_entry *out);
/* The file appears whole or not at all. */
holos_status checkpoint_write(const char *path, const holos_variant *v, checkpoint_next *next, void *context,
                              holos_error *err);

/* Whether a file is a checkpoint, of whatever game and version, by its first bytes. */
bool checkpoint_is_at(const char *path);

typedef void checkpoint_put(void *context, holos_key key, const ab_entry *entry);
/* Calls `put` for each entry; that there is no file is no error. HOLOS_BAD_FILE: it is damaged, or of another
 * game; then some entries may have been put, and they are true if the file is of this game. */
holos_status checkpoint_read(const char *path, const holos_variant *v, checkpoint_put *put, void *context,
                             holos_error *err);

#endif
