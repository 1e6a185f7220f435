/* SPDX-License-Identifier: MIT */

/* Tables that were made, as Syzygy's files. Values that no reader looks at are chosen to compress well: of positions that
 * cannot be; in WDL, of positions where a capture is as good as anything else (the stored value may be lower); in DTZ, of
 * draws and of positions where a zeroing move is best. */

#ifndef HOLOS_CHESS_TABLES_WRITE_H
#define HOLOS_CHESS_TABLES_WRITE_H

#include "games/chess/tables/generate.h"
#include "games/chess/tables/syzygy.h"

/* Bytes of memory that writing a table takes on top of the table. */
uint64_t write_memory(const tb_layout *l);

/* Writes FOLDER/NAME.rtbw, .rtbz or .hdtm; the file appears whole or not at all. *bytes is its size (may be NULL). */
holos_status syzygy_write(const tb_table *t, const index_maps *m, syzygy_kind kind, const char *folder,
                          mem_budget *budget, const struct limits *limits, uint64_t *bytes, holos_error *err);

#endif
