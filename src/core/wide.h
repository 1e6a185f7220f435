/* SPDX-License-Identifier: MIT */

/* 128-bit arithmetic, which both compilers have and ISO C does not. */

#ifndef HOLOS_CORE_WIDE_H
#define HOLOS_CORE_WIDE_H

#include "core/key.h"

__extension__ typedef unsigned __int128 u128;

/* The high half of a product: for a hash a, a number in [0, b) that grows with a. */
static inline uint64_t wide_scale(uint64_t a, uint64_t b)
{
    return (uint64_t)(((u128)a * b) >> 64);
}

/* Keys as numbers, in the same order. */
static inline u128 key_number(holos_key key)
{
    return (u128)key.hi << 64 | key.lo;
}

#endif
