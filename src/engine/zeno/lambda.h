/* SPDX-License-Identifier: MIT */

/* The learned lambda: a small network in the place of the formula of layer 4, fitted to logs of moves (layer 8).
 *
 * The source document leaves open what the best lambda of a move was. Here a move of a game that was won says that its lambda was right, one
 * of a game that was lost that the opposite, 1 - lambda, would have been; drawn games say nothing. The network is the least-squares
 * answer to that, so it can only learn from logs in which lambda varies where the sensors read the same. */

#ifndef HOLOS_ZENO_LAMBDA_H
#define HOLOS_ZENO_LAMBDA_H

#include "core/text.h"
#include "engine/zeno/zeno.h"

/* A logged move that was searched. */
typedef struct lambda_row {
    zeno_shape shape;
    float lambda;
    int outcome; /* of the game, for its mover: 1, 0 or -1 */
} lambda_row;

typedef struct lambda_lesson {
    size_t rows; /* that say something */
    double error,
        formula; /* mean square on rows that the fit did not see: of the network, and of the formula */
    double least, mean, most; /* what it says of all rows */
} lambda_lesson;

/* Reads a log: the columns of layer 8, in any order. HOLOS_BAD_FILE with the line. The caller frees *out. */
holos_status lambda_log_read(const char *path, lambda_row **out, size_t *count, holos_error *err);
/* HOLOS_USAGE if there is nothing to learn from; HOLOS_INTERRUPTED. The same rows and seed give the same network. */
holos_status lambda_fit(const lambda_row *rows, size_t count, uint64_t seed, const holos_stop *stop,
                        zeno_lambda *out, lambda_lesson *lesson, holos_error *err);

void lambda_write(const zeno_lambda *l, text *out); /* JSON */
holos_status lambda_load(zeno_lambda *l, const char *path, holos_error *err);

#endif
