/* SPDX-License-Identifier: MIT */

/* Inside connect four: the searches that search.tpl.h is made into. hot.c picks one when a solver is opened. */

#ifndef HOLOS_CONNECT4_HOT_H
#define HOLOS_CONNECT4_HOT_H

#include "game/game.h"

extern const holos_hot c4_hot; /* for the contract: passes on to one of those below */

extern const holos_hot c4_hot_7x6;    /* the usual board, with all masks constants */
extern const holos_hot c4_hot_7x6_v3; /* the same for processors with AVX2, BMI2 and POPCNT */
extern const holos_hot c4_hot_narrow; /* boards of up to 64 bits */
extern const holos_hot c4_hot_wide;   /* boards of up to 128 bits */

#endif
