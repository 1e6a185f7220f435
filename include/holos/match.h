/* SPDX-License-Identifier: MIT */

/* holos: matches. Two contestants play games against each other; what came of them is a score, and how much stronger one is than the
 * other follows from it, with an error.
 *
 * A whole match is a job (job.h) of the kind "match" with the two contestants as operands:
 *
 *     const char *players[] = {"alphabeta:depth=4", "random"};
 *     holos_job_options o = {.kind = "match", .operands = players, .operand_count = 2, .store = "file:match"};
 *
 * Contestants are also of use by themselves: one is told every move of a game, and chooses its own. */

#ifndef HOLOS_MATCH_H
#define HOLOS_MATCH_H

#include <holos/solve.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Contestants ------------------------------------------------------------------------------- */

typedef struct holos_contestant holos_contestant;

/* Opens a contestant by its name, for a game of two:
 *
 *     random                      any legal move
 *     ENGINE[:OPTION=VALUE,…]     an engine of holos: alphabeta:depth=4, alphabeta:nodes=1M, alphabeta:time=1s
 *     gtp:COMMAND                 another program that speaks the Go Text Protocol: gtp:gtp-rhino -l 1
 *
 * The command of a program is run by the shell. `stop` may be NULL. HOLOS_USAGE: there is no such contestant; HOLOS_IO: the
 * program does not start, or does not answer. */
HOLOS_API holos_status holos_contestant_open(const holos_variant *v, const char *name, const holos_stop *stop,
                                             holos_contestant **out, holos_error *err);
HOLOS_API void holos_contestant_close(holos_contestant *c); /* may be NULL */

/* A game begins, from the start. The seed is for what the contestant leaves to chance. */
HOLOS_API holos_status holos_contestant_begin(holos_contestant *c, uint64_t seed, holos_error *err);
/* Chooses a move for the side to move, which is then to be played. The game must not be over. HOLOS_BAD_MOVE: a program's
 * move is not legal. */
HOLOS_API holos_status holos_contestant_choose(holos_contestant *c, holos_move *move, holos_error *err);
/* A move is played, by whichever side. */
HOLOS_API holos_status holos_contestant_play(holos_contestant *c, holos_move move, holos_error *err);

/* ---- Scores ------------------------------------------------------------------------------------ */

/* What the first of two contestants reached. Games come in pairs with the same opening, once with each colour. */
typedef struct holos_score {
    uint64_t wins, draws, losses;
    uint64_t pairs[5]; /* pairs in which it got 0, ½, 1, 1½, 2 points */
} holos_score;

/* How much stronger it is, on the scale of Elo, and between which bounds that lies with 95 % confidence. Pairs count, not games: the
 * two games of a pair have their opening in common. A contestant that won or lost every game has no finite rating; then it is what a
 * quarter of a point less would give. All 0 without a pair. */
typedef struct holos_elo {
    double elo, low, high;
    double superiority; /* the probability that it is the stronger one */
} holos_elo;

HOLOS_API holos_elo holos_score_elo(const holos_score *score);

/* A sequential test of two hypotheses, that it is elo0 or elo1 stronger: the logarithm of how much more likely the score is under the
 * second. Above HOLOS_SPRT_BOUND the second is taken, below its negative the first, with an error of 5 % each. */
#define HOLOS_SPRT_BOUND 2.9444389791664403
HOLOS_API double holos_score_likelihood(const holos_score *score, double elo0, double elo1);

#ifdef __cplusplus
}
#endif

#endif
