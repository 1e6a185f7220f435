/* SPDX-License-Identifier: MIT */

/* A question that is worked on in slices: what all of them have proved. Bounds only narrow. */

#ifndef HOLOS_WIRE_NARROW_H
#define HOLOS_WIRE_NARROW_H

#include <holos/holos.h>

/* Begins as zero. Whoever has one frees `moves`. */
typedef struct wire_narrowing {
    holos_value value;
    holos_move_value *moves;
    size_t count;
    bool begun;
} wire_narrowing;

/* Adds what a slice found, and puts what is known into its result. False: out of memory. */
bool wire_narrow(wire_narrowing *n, holos_result *r);

#endif
