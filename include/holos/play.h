/* SPDX-License-Identifier: MIT */

/* holos: players. A player always finds a move in time: the best one if it can prove it, otherwise one that
 * keeps the win or the draw, otherwise a guess. It says which. A thinker only looks ahead, and tells what it sees on the way. */

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

/* ---- Thinking ---------------------------------------------------------------------------------- */

/* A thinker looks ahead in a game of two, deeper and deeper, as chess programs do, and says what looks best so far. The ends of
 * games and what a boundary knows are exact; the rest is judged by the game's evaluation if it has one. A thought is a guess,
 * except where its score says that the game is decided. */
typedef struct holos_thinker holos_thinker;

#define HOLOS_THOUGHT_WIN                                                                                    \
    30000 /* the score of a win in n plies is this less n, and of a loss the same, negative */
#define HOLOS_THOUGHT_KNOWN 20000 /* likewise for n plies to a position that the boundary knows to be won */
#define HOLOS_NO_MOVE       UINT32_MAX

/* Zero is the default everywhere. */
typedef struct holos_thinker_options {
    size_t memory;    /* bytes to remember positions in; 0: 16 MiB */
    unsigned threads; /* 0 means 1. With several, the same question can have different answers */
    const holos_boundary *boundary; /* NULL, or known values; must outlive the thinker */
} holos_thinker_options;

/* What it found. The thinker owns the line, until its next call. */
typedef struct holos_thought {
    unsigned depth, deepest; /* plies: all lines, the longest line */
    int32_t score;           /* for the side to move, in hundredths of what players count in (a pawn) */
    const holos_move *line;  /* what both sides would play; at least one move */
    size_t line_length;
    uint64_t nodes, known; /* positions seen; positions that the boundary knew */
    double seconds;
} holos_thought;

typedef struct holos_think_options {
    holos_limits limits;    /* memory is the thinker's own */
    unsigned depth;         /* no deeper than this; 0: 100 */
    double enough;          /* begin no deeper look after so many seconds; 0: as the limits say */
    bool whole;             /* leave no line out, though it looks bad: slower, for the shortest win */
    const holos_move *only; /* choose from these moves; NULL: from all */
    size_t only_count;
    const holos_position
        *played; /* the positions of the game so far, one after the other: to come back to one is a draw */
    size_t played_count;
    void (*report)(void *context,
                   const holos_thought *thought); /* after each depth, and for a better move; may be NULL */
    void *context;
} holos_think_options;

/* `options` may be NULL. */
HOLOS_API holos_status holos_thinker_open(const holos_variant *v, const holos_thinker_options *options,
                                          holos_thinker **out, holos_error *err);
HOLOS_API void holos_thinker_close(holos_thinker *thinker); /* may be NULL */
/* Forgets all positions. */
HOLOS_API void holos_thinker_forget(holos_thinker *thinker);

/* Thinks until a limit is reached, or it has seen enough. There is a move whatever the limits are. The game must not be over.
 * `options` may be NULL. */
HOLOS_API holos_status holos_thinker_think(holos_thinker *thinker, const holos_position *position,
                                           const holos_think_options *options, holos_thought *out,
                                           holos_error *err);

#ifdef __cplusplus
}
#endif

#endif
