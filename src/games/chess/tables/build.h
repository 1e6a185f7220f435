/* SPDX-License-Identifier: MIT */

/* Inside the making of tables: what build.c, which makes them one after the other, and ranks.c, which shares them with other processes,
 * have in common. */

#ifndef HOLOS_CHESS_TABLES_BUILD_H
#define HOLOS_CHESS_TABLES_BUILD_H

#include "core/limits.h"
#include "core/pool.h"
#include "games/chess/tables/endings.h"
#include "games/chess/tables/generate.h"

#define TABLES_MOST 512

/* A build. Tables live as long as something that is still to be made depends on them. */
typedef struct endings_build {
    const endings_request *r;
    index_maps maps;
    tb_key keys[TABLES_MOST]; /* in order of dependency */
    bool finished[TABLES_MOST], needed[TABLES_MOST];
    tb_table tables[TABLES_MOST];
    tb_table readers[TABLES_MOST]; /* of tables that are read from their files */
    struct tablebase *files;       /* the folder, while one of them is needed */
    size_t count;
    struct limits limits;
    mem_budget budget;
    pool *workers;
} endings_build;

/* How many kinds of files a table has. */
unsigned ending_kinds(const endings_build *b, tb_key key);
bool ending_needs(tb_key key, tb_key other);
/* Whether those that depend on a table read it from its files. Otherwise it is made again, if need be, and kept. */
bool ending_is_read(const endings_build *b, size_t i);
/* Marks the tables whose files are needed to make table i: those that it reads, and all that these lead to, since whoever looks
 * into a file looks at captures, too. */
void ending_files_mark(const endings_build *b, size_t i, bool *files);
uint64_t ending_positions(const endings_build *b, size_t i);
/* What making table i takes, besides the tables in memory that it depends on. */
uint64_t ending_work(const endings_build *b, size_t i);
/* What must be computed, once it is known what is finished. */
void endings_needed_find(endings_build *b);

holos_status endings_interrupted(const endings_build *b, holos_error *err);
/* Fills table i in memory. All that it depends on is there. */
holos_status ending_fill(endings_build *b, size_t i, holos_error *err);
/* Counts table i, which is filled, and writes its files if they are missing. */
holos_status ending_keep(endings_build *b, size_t i, ending_report *out, holos_error *err);

/* ---- ranks.c ----------------------------------------------------------------------------------- */

/* The plan for a rank of a cluster. */
holos_status endings_plan_ranks(const endings_build *b, endings_plan *out, holos_error *err);
/* Makes the tables together with other processes; the report is the first one's. */
holos_status endings_share(endings_build *b, endings_report *report, holos_error *err);

#endif
