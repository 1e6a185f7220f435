/* SPDX-License-Identifier: MIT */

/* Ratings in words and as JSON. */

#ifndef HOLOS_CLI_RATING_H
#define HOLOS_CLI_RATING_H

#include "core/json.h"

#include <holos/holos.h>

/* "medium, 3.4 (hidden pair), score 512 in 54 steps", and a line of the techniques. */
void rating_say(text *t, const holos_variant *v, const holos_rating *rating);
/* The members of a rating. */
void rating_put(json *j, const holos_variant *v, const holos_rating *rating);
/* A technique as a line of JSON. */
void rating_put_technique(text *t, const holos_technique *technique);

#endif
