/* SPDX-License-Identifier: MIT */

/* What tables say of a position whose clock of the fifty-move rule runs already.
 *
 * Wins that the rule spoils, and losses that it saves, are draws whatever the clock says. Any other win or loss holds if
 * its distance to zeroing and the clock together are at most 100 plies. A distance from a file may be one ply short: where
 * that ply decides, the moves are searched down to where it no longer does. */

#ifndef HOLOS_CHESS_TABLES_CLOCK_H
#define HOLOS_CHESS_TABLES_CLOCK_H

#include "games/chess/tables/probe.h"

/* The score lies from lo to hi; they differ if a table of distances is missing, or if the search would take too long. */
typedef struct clock_verdict {
    int lo, hi;
    unsigned conversion; /* plies to zeroing or mate, of a win or loss; CLOCK_NO_DISTANCE if not known */
} clock_verdict;

#define CLOCK_NO_DISTANCE UINT16_MAX

/* TB_FOUND also if little is known. */
tb_answer clock_judge(tablebase *t, const chess_position *p, clock_verdict *out);

#endif
