/* SPDX-License-Identifier: MIT */

/* Syzygy's tables as answers. A tablebase is the tables of one or several folders; they are opened when they are first
 * needed, by whichever thread needs them.
 *
 * WDL is -2 loss, -1 a loss that the fifty-move rule saves ("blessed"), 0 draw, 1 a win that it spoils ("cursed"), 2 win.
 * DTZ counts plies to the next capture or pawn's move that keeps the result, or to mate, from a position where the
 * count of fifty moves is zero: positive for a win, 0 for a draw, negative for a loss; beyond 100 the rule spoils it; -1
 * is also a position that is mate. Files may give it one ply too little, by design, where that can do no harm. */

#ifndef HOLOS_CHESS_TABLES_PROBE_H
#define HOLOS_CHESS_TABLES_PROBE_H

#include "games/chess/tables/material.h"

typedef struct tablebase tablebase;

typedef enum tb_answer {
    TB_FOUND,
    TB_MISSING,  /* a table is not there: tablebase_missing names them */
    TB_CASTLING, /* castling rights are never in a table */
    TB_DAMAGED,  /* a table that is there cannot be read: tablebase_damage says why */
} tb_answer;

/* `path` is one folder or several with colons between. A folder that does not exist is an error; one without tables is
 * not. */
holos_status tablebase_open(const char *path, tablebase **out, holos_error *err);
void tablebase_close(tablebase *t); /* may be NULL */
/* Whether one of the folders has WDL tables, by the names of the files in it. */
bool tablebase_is_at(const char *path);

/* How many pieces the largest table has, kings among them; 0 if there is none. */
unsigned tablebase_pieces(const tablebase *t);
bool tablebase_has(const tablebase *t, tb_key key, bool dtz);
/* Whether all tables that play from this material may need are there. */
bool tablebase_has_closure(const tablebase *t, tb_key key, bool dtz);

tb_answer tablebase_wdl(tablebase *t, const chess_position *p, int *wdl);
/* Only what is stored, not resolved: what tests compare files by. */
tb_answer tablebase_wdl_stored(tablebase *t, const chess_position *p, int *wdl);
tb_answer tablebase_dtz(tablebase *t, const chess_position *p, int *dtz);
/* The same, and whether it is exact; if not, it may be one ply short. */
tb_answer tablebase_dtz_exact(tablebase *t, const chess_position *p, int *dtz, bool *exact);
/* The mate byte (layout.h) of a position, without the fifty-move rule. Only tables that holos made have it. */
tb_answer tablebase_dtm(tablebase *t, const chess_position *p, unsigned *mate);

/* The tables of the closure of a position's material that are missing, "KQvKR.rtbw, KRvK.rtbz"; nothing if none are, or if
 * more than 500 materials can come about. */
void tablebase_missing(const tablebase *t, tb_key key, bool dtz, text *out);
/* Why the table of a material cannot be read. */
void tablebase_damage(const tablebase *t, tb_key key, text *out);
/* The error for an answer that is not TB_FOUND. */
holos_status tablebase_error(const tablebase *t, const chess_position *p, tb_answer answer, bool dtz,
                             holos_error *err);

#endif
