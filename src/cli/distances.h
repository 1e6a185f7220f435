/* SPDX-License-Identifier: MIT */

/* Distances, in the words that the people of a game have for them (holos_distance_words). */

#ifndef HOLOS_CLI_DISTANCES_H
#define HOLOS_CLI_DISTANCES_H

#include "cli/output.h"

#include <holos/holos.h>

/* A line with the distances of a position, if it has any. */
void distances_say(text *t, const holos_distance_words *words, holos_value value);
/* The moves of a position by what they come to: wins, draws and losses, each with its distances. */
void distances_say_moves(text *t, const holos_variant *v, const holos_distance_words *words,
                         const holos_position *p, const holos_result *r, bool color);

#endif
