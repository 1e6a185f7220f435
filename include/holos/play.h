/* SPDX-License-Identifier: MIT */

/* holos: players. A player always finds a move in time: the best one if it can prove it, otherwise one that
 * keeps the win or the draw, otherwise a guess. It says which. */

#ifndef HOLOS_PLAY_H
#define HOLOS_PLAY_H

#include <holos/solve.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct holos_player holos_player;

typedef struct holos_player_options {
    const char *engine;             /* NULL: the best one for the game */
    holos_limits limits;            /* for each move */
    const holos_boundary *boundary; /* NULL, or known values; must outlive the player */
    uint64_t seed;                  /* chooses among equal moves */
    double slips; /* how often it plays any legal move instead, from 0 to 1: for a weaker opponent */
    /* NULL, or options of the engine (HOLOS_USE_PLAY). Must outlive the player. */
    const holos_settings *settings;
    /* As in holos_solver_options. */
    holos_gauges *gauges;
    void *gauges_context;
} holos_player_options;

typedef enum holos_grounds {
    HOLOS_GROUNDS_BEST = 0, /* no move is better */
    HOLOS_GROUNDS_OUTCOME,  /* it keeps the win or the draw; another move may score more */
    HOLOS_GROUNDS_GUESS,    /* nothing is proved */
} holos_grounds;

typedef struct holos_choice {
    holos_move move;
    holos_grounds grounds;
    holos_value value; /* what is known about the position */
    double seconds;
    holos_guess guess;  /* who will win, if the engine guesses that: 1, 0 or -1 for the side to move */
    double expectation; /* the same as a number from -1 to 1; 0 without a guess */
} holos_choice;

/* `options` may be NULL. */
HOLOS_API holos_status holos_player_open(const holos_variant *v, const holos_player_options *options,
                                         holos_player **out, holos_error *err);
HOLOS_API void holos_player_close(holos_player *player); /* may be NULL */

/* Chooses a move. The game must not be over. If limits.stop is set, it moves at once. */
HOLOS_API holos_status holos_player_choose(holos_player *player, const holos_position *position,
                                           holos_choice *out, holos_error *err);

/* What is known about a position and every move. Also HOLOS_OK if a limit was reached; the value is then an
 * interval, and perhaps no move is known to be best. The player owns the arrays in the result, until its
 * next call. */
HOLOS_API holos_status holos_player_judge(holos_player *player, const holos_position *position,
                                          holos_result *out, holos_error *err);
/* The same without the value of every move; faster. */
HOLOS_API holos_status holos_player_solve(holos_player *player, const holos_position *position,
                                          holos_result *out, holos_error *err);

#ifdef __cplusplus
}
#endif

#endif
