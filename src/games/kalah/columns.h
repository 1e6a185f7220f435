/* SPDX-License-Identifier: MIT */

/* Columns of tables, as rows.
 *
 * Where a move makes the outer side the one with more seeds, the sides change places, and what was a row is a column there: every byte
 * of it is in another cache line. Its neighbours in these lines are what the next outer arrangements ask for. So some columns
 * side by side (a strip) are turned into rows when they are asked for a second time, and kept for a while. */

#ifndef HOLOS_KALAH_COLUMNS_H
#define HOLOS_KALAH_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

typedef struct columns columns;

#define COLUMNS_STRIP 16

/* Bytes for columns of up to so many values each. */
size_t columns_size(size_t longest);
/* In that much memory, aligned for pointers; nothing is kept yet. */
columns *columns_begin(void *memory, size_t longest);

/* The values of column `at`, one after the other; NULL: they have to be read where they are. A table has `count` rows, one every `stride` bytes, of
 * which the first `width` are columns. Those of the strip must not change any more. */
const uint8_t *columns_row(columns *c, const uint8_t *table, size_t stride, size_t width, size_t count,
                           size_t at);

/* The other way round: up to COLUMNS_STRIP rows, `stride` values each, become columns of a table, one after the other, from its row `first` on. The
 * table has as many rows as these have values, and `stride` bytes in each. */
void columns_write(uint8_t *table, size_t stride, size_t first, const uint8_t *rows, size_t count);

#endif
