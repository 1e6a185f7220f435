/* SPDX-License-Identifier: MIT */

/* Tables in memory, not compressed, for searches that probe all the time: a byte for each position, WDL with captures
 * already resolved. They are made, not read: that takes a second or so for most endings of four pieces.
 *
 * For searches above a boundary: memory_tables_value gives an interval, key_closure (material.h) what a material can come
 * to, memory_tables_each every position of a material. */

#ifndef HOLOS_CHESS_TABLES_MEMORY_H
#define HOLOS_CHESS_TABLES_MEMORY_H

#include "core/mem.h"
#include "core/pool.h"
#include "games/chess/tables/material.h"

typedef struct memory_tables memory_tables;

/* The tables of these materials and of all they depend on. `workers` and `budget` may be NULL; `budget` outlives them. */
holos_status memory_tables_open(const tb_key *keys, size_t count, pool *workers, mem_budget *budget,
                                memory_tables **out, holos_error *err);
void memory_tables_close(memory_tables *m); /* may be NULL */

/* WDL, -2 … 2. False if the material is not there, or a side may castle. Any thread may ask. */
bool memory_tables_wdl(const memory_tables *m, const chess_position *p, int *wdl);
/* The same for many positions at once, which lets their memory accesses overlap: values[i] is MEMORY_UNKNOWN where it is
 * not known. Positions with en passant are not answered here. */
#define MEMORY_UNKNOWN INT8_MIN
void memory_tables_wdl_many(const memory_tables *m, const chess_position *positions, size_t count,
                            int8_t *values);
/* As an interval, for engines. */
bool memory_tables_value(const memory_tables *m, const chess_position *p, holos_value *out);

/* Every position of a canonical material with its WDL, each symmetry class at least once; false from `visit` ends it. */
typedef bool memory_visitor(void *context, const chess_position *p, int wdl);
bool memory_tables_each(const memory_tables *m, tb_key key, memory_visitor *visit, void *context);

#endif
