/* SPDX-License-Identifier: MIT */

/* A position's key: 128 bits, a packing where one fits, otherwise a hash. */

#ifndef HOLOS_CORE_KEY_H
#define HOLOS_CORE_KEY_H

#include <stdbool.h>
#include <stdint.h>

typedef struct holos_key {
    uint64_t hi, lo;
} holos_key;

static inline bool holos_key_equal(holos_key a, holos_key b)
{
    return ((a.hi ^ b.hi) | (a.lo ^ b.lo)) == 0;
}

static inline bool holos_key_less(holos_key a, holos_key b)
{
    return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

#endif
