/* SPDX-License-Identifier: MIT */

/* What a solver found, as the JSON of docs/json.md. The program prints it and the server sends it. */

#ifndef HOLOS_WIRE_ANSWER_H
#define HOLOS_WIRE_ANSWER_H

#include "core/json.h"

#include <holos/holos.h>

bool wire_is_puzzle(const holos_variant *v);
/* The outcome of all scores from lo to hi, or NULL if they differ. */
const char *wire_outcome(const holos_variant *v, holos_value value);
/* The field `error` of an object. */
void wire_error(json *j, const holos_error *err);

/* The words for what a piece of knowledge (may be NULL) tells; NULL if it tells no distances. */
const holos_distance_words *wire_distances_of(const holos_knowledge *k);
/* Whether a value comes from knowledge with distances. */
bool wire_distances_are_known(const holos_distance_words *words, holos_value value);
/* "dtz": …, "dtm": …; negative for a loss, 0 for a draw, null where one is not known. */
void wire_distances(json *j, const holos_distance_words *words, holos_value value);

/* The members lo, hi, outcome and distance. */
void wire_value(json *j, const holos_variant *v, holos_value value);
void wire_position(json *j, const char *name, const holos_variant *v, const holos_position *p);
/* A legal move. */
void wire_move(json *j, const char *name, const holos_variant *v, const holos_position *p, holos_move move);

typedef struct wire_answer {
    const holos_variant *v;
    const char *question; /* what the position was read from */
    const holos_position *position;
    const holos_result *r;
    bool solved, weak, moves, line;        /* as in holos_solver_options */
    const holos_distance_words *distances; /* NULL, or how to call the distances */
} wire_answer;

/* The members of an answer, up to what the work took. */
void wire_answer_put(json *j, const wire_answer *a);
/* engine, source, nodes, seconds. */
void wire_answer_put_work(json *j, const holos_result *r);

#endif
