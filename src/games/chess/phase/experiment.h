/* SPDX-License-Identifier: MIT */

/* The experiments on phase operators: whether they reach what pieces reach on an empty board, and in which rings phases
 * tell the board from its surroundings. */

#ifndef HOLOS_CHESS_PHASE_EXPERIMENT_H
#define HOLOS_CHESS_PHASE_EXPERIMENT_H

#include "core/limits.h"
#include "core/option.h"
#include "core/text.h"
#include "game/experiment.h"
#include "games/chess/phase/operators.h"

/* One piece on one square, alone on the board. Pawns only advance: what they could take is not there. */
typedef struct phase_row {
    phase_piece piece;
    unsigned row, column;
    uint64_t reached;   /* by the operator, clipped to the board */
    uint64_t geometric; /* by the bitboards */
} phase_row;

#define PHASE_ROWS 416 /* five pieces on 64 squares, two pawns on 48 */

/* Fills all rows, piece by piece; returns how many are equal. */
unsigned phase_compare(const phase_ring *ring, phase_row rows[PHASE_ROWS]);
/* The rows as a CSV with a header line. */
void phase_rows_csv(const phase_row rows[PHASE_ROWS], text *out);

/* The ring of the experiment, as its options have it. */
typedef struct phase_settings {
    int64_t modulus, row, column;
} phase_settings;

extern const holos_option phase_options[];
extern const holos_experiment chess_experiments[]; /* lab.c */

/* ---- Rings without aliases --------------------------------------------------------------------- */

/* A difference of a place that a piece can be shifted to and a square: where the phases agree although the places do not,
 * the ring has an alias. The differences of squares are among them. */
typedef struct phase_differences {
    int8_t rows[1024], columns[1024];
    unsigned count;
} phase_differences;

void phase_differences_find(phase_differences *out);
/* Whether no two places that must be told apart have the same phase. */
bool phase_is_free(const phase_differences *d, unsigned modulus, unsigned row, unsigned column);

/* What holds of a modulus. */
typedef struct phase_modulus {
    unsigned modulus;
    unsigned pairs;       /* generators (row, column) below it, neither 0 */
    unsigned free;        /* of these, without aliases */
    unsigned row, column; /* the first of them */
    bool usual;           /* 67 and 7 are among them */
} phase_modulus;

/* Ends early where the limits say so (NULL: none): then it means nothing. */
phase_modulus phase_modulus_survey(const phase_differences *d, unsigned modulus, const struct limits *limits);
/* The least modulus for which these generators have no alias, with all greater ones up to `most` counted in *free. */
unsigned phase_least_modulus(const phase_differences *d, unsigned row, unsigned column, unsigned most,
                             unsigned *free);

#endif
