/* SPDX-License-Identifier: MIT */

/* holos: games of your own. A program describes a game by a few functions, opens it, and solves and plays it with the engines
 * that work for any game.
 *
 *     holos_custom race = {.name = "race", .position_size = sizeof(board), .most_moves = 2, .score_min = -1, .score_max = 1,
 *                          .start = race_start, .moves = race_moves, .terminal = race_terminal, .side = race_side};
 *     holos_variant *v;  holos_error err;
 *     if (holos_custom_open(&race, &v, &err) != HOLOS_OK) ...err.message...
 *
 * The variant is used as any other: holos_solver_open, holos_wave_open, holos_player_open, holos_contestant_open. It keeps nothing: jobs
 * with a store and holograms need a built-in game, because whoever opens them has only its name. examples/own_game.c is a whole
 * program.
 *
 * Scores are seen from the side to move, as everywhere. A function of the game that returns anything but HOLOS_OK ends the work: from
 * then on, everything that is asked about the variant fails with that error, because what was found meanwhile may be wrong. Only
 * `start` and `parse` may fail without harm. `err` is never NULL there. The functions are called by the thread that works, and by
 * several at once only if the caller asks for several threads. */

#ifndef HOLOS_CUSTOM_H
#define HOLOS_CUSTOM_H

#include <holos/game.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HOLOS_CUSTOM_POSITION_MOST 4096  /* bytes of a position */
#define HOLOS_CUSTOM_MOVES_MOST    65536 /* moves of a position */
#define HOLOS_CUSTOM_TIERS_MOST    4096
#define HOLOS_CUSTOM_TEXT          4096 /* bytes of a position's text or drawing, with the final 0 */
#define HOLOS_CUSTOM_MOVE_TEXT     32   /* of a move's */

/* A legal move. */
typedef struct holos_custom_move {
    holos_move move; /* any number, different for different moves of a position */
    bool same_side;  /* the same side moves again (HOLOS_TRAIT_SAME_SIDE); set for you in a solitaire game */
    bool forcing;    /* what lightning follows: a threat, a capture */
    int16_t order;   /* a hint: the better a move looks, the higher */
} holos_custom_move;

/* Zero or NULL is "none" for what is not required. */
typedef struct holos_custom {
    const char *name;    /* required: lower case letters and digits, not the name of a built-in game */
    const char *variant; /* what follows the colon */
    const char *title, *summary, *position_help, *score_help;
    uint32_t traits;      /* HOLOS_TRAIT_SOLITAIRE, _CYCLIC, _SAME_SIDE */
    size_t position_size; /* required: a multiple of 16; equal positions are equal bytes, without pointers */
    uint32_t most_moves;  /* required: no position has more */
    uint32_t most_unmoves;
    int32_t score_min, score_max; /* required */
    void *context;                /* for the functions */

    /* The start. Without it, the game has none. */
    holos_status (*start)(void *context, void *out, holos_error *err);
    /* Required: all legal moves, at least one, of a position in which the game is not over, and the positions they lead to:
     * position i goes to the byte offset i * position_size. There is room for most_moves. */
    holos_status (*moves)(void *context, const void *position, holos_custom_move *out, void *positions,
                          uint32_t *count, holos_error *err);
    /* Required: whether the game is over, and then its score for the side to move. */
    holos_status (*terminal)(void *context, const void *position, bool *over, int32_t *score,
                             holos_error *err);
    /* Required: 0 or 1. */
    holos_status (*side)(void *context, const void *position, unsigned *side, holos_error *err);
    /* A position with the same future, the same one for all that are symmetric; without it, each stands for itself. `out` holds
     * the position itself before. */
    holos_status (*canonical)(void *context, const void *position, void *out, holos_error *err);
    /* All positions with a move to this one, for waves that run back and for retrograde analysis where positions can repeat. There is room
     * for most_unmoves. */
    holos_status (*unmoves)(void *context, const void *position, void *positions, uint32_t *count,
                            holos_error *err);

    /* Reads a position: HOLOS_BAD_POSITION, with the reason, if it is none. Whatever it accepts must be safe for the other functions.
     * Without it, only "start" can be read. */
    holos_status (*parse)(void *context, const char *text, void *out, holos_error *err);
    /* Each writes a text that ends in 0. Without them: the bytes of the position in hexadecimal digits, the number of the move,
     * and the text of the position. */
    holos_status (*format)(void *context, const void *position, char *out, size_t size, holos_error *err);
    holos_status (*format_move)(void *context, const void *position, holos_move move, char *out, size_t size,
                                holos_error *err);
    holos_status (*draw)(void *context, const void *position, char *out, size_t size, holos_error *err);

    /* Numbers for all positions, for retrograde analysis: a tier below `tiers`, and in it an index below tier_sizes[tier]. A move
     * leads to the same tier or a lower one. Scores lie in [-127, 127] then. All four or none. */
    uint32_t tiers;
    const uint64_t *tier_sizes; /* copied */
    holos_status (*rank)(void *context, const void *position, uint32_t *tier, uint64_t *index,
                         holos_error *err);
    holos_status (*unrank)(void *context, uint32_t tier, uint64_t index, void *out, holos_error *err);

    void (*close)(void *context); /* called by holos_close, last */
} holos_custom;

/* Opens a game of your own. Copies the struct; its strings and the context must outlive the variant, which the caller closes with
 * holos_close. HOLOS_USAGE, with the reason, if something that is required is missing; then `close` is not called. */
HOLOS_API holos_status holos_custom_open(const holos_custom *game, holos_variant **out, holos_error *err);

/* HOLOS_OK, or the error of the first function of the game that failed; then the variant is of no more use. Always HOLOS_OK for a
 * built-in game. */
HOLOS_API holos_status holos_custom_failure(const holos_variant *v, holos_error *err);

#ifdef __cplusplus
}
#endif

#endif
