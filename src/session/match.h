/* SPDX-License-Identifier: MIT */

/* Inside a match: one game of it, and the table of all of them.
 *
 *     match_games   plays a game; writes and reads the table (games.csv) and the picture (match.svg)
 *     match_job     the job: pairs of games on several threads, the test, the report */

#ifndef HOLOS_SESSION_MATCH_H
#define HOLOS_SESSION_MATCH_H

#include "core/text.h"

#include <holos/match.h>

typedef struct match_setup {
    const holos_variant *v;
    const char *names[2];
    uint64_t seed;
    unsigned opening_plies;
    const holos_stop *stop;
} match_setup;

/* Game 2n and 2n + 1 are a pair: the first contestant begins in the even one. */
typedef struct match_game {
    unsigned points; /* of the first contestant: 0, 1 for a draw, 2 */
    int32_t score;   /* the same, as the game counts */
    unsigned plies;
    double seconds[2];     /* that each took */
    char *opening, *moves; /* lines, on the heap; moves are those after the opening */
} match_game;

void match_game_free(match_game *g);

/* Plays game `number`. Whoever makes an illegal move, or none, ends the match with an error. */
holos_status match_play(const match_setup *s, holos_contestant *const players[2], uint64_t number,
                        match_game *out, holos_error *err);

/* The table as CSV: a line of names, then one line for each game. */
void match_write_table(const match_setup *s, const match_game *games, uint64_t count, text *out);
/* Reads whole pairs of games from a table; only points, score, plies and seconds, and the two lines. HOLOS_BAD_FILE: it is
 * damaged; HOLOS_USAGE: it is of another match. *games is on the heap. */
holos_status match_read_table(const match_setup *s, const char *path, const text *table, match_game **games,
                              uint64_t *count, holos_error *err);

/* Counts whole pairs. */
void match_count(const match_game *games, uint64_t count, holos_score *out);

/* How the rating went from pair to pair, as SVG. */
void match_draw(const match_setup *s, const match_game *games, uint64_t count, text *out);

#endif
