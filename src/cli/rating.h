/* SPDX-License-Identifier: MIT */

/* Ratings in words. */

#ifndef HOLOS_CLI_RATING_H
#define HOLOS_CLI_RATING_H

#include "wire/step.h"

#include <holos/holos.h>

/* "medium, 3.4 (hidden pair), score 512 in 54 steps", and a line of the techniques. */
void rating_say(text *t, const holos_variant *v, const holos_rating *rating);

#endif
