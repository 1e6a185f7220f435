/* SPDX-License-Identifier: MIT */

/* Distances, in the words that the people of a game have for them (holos_distance_words). */

#ifndef HOLOS_CLI_DISTANCES_H
#define HOLOS_CLI_DISTANCES_H

#include "cli/output.h"
#include "core/json.h"

#include <holos/holos.h>

/* The words for what a piece of knowledge (may be NULL) tells; NULL if it tells no distances. */
const holos_distance_words *distances_of(const holos_knowledge *k);
/* Whether a value comes from knowledge with distances. */
bool distances_are_known(const holos_distance_words *words, holos_value value);

/* "dtz": …, "dtm": …; negative for a loss, 0 for a draw, null where one is not known. */
void distances_put(json *j, const holos_distance_words *words, holos_value value);
/* A line with the distances of a position, if it has any. */
void distances_say(text *t, const holos_distance_words *words, holos_value value);
/* The moves of a position by what they come to: wins, draws and losses, each with its distances. */
void distances_say_moves(text *t, const holos_variant *v, const holos_distance_words *words,
                         const holos_position *p, const holos_result *r, bool color);

#endif
