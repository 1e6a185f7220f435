/* SPDX-License-Identifier: MIT */

/* Hashes. They are the same on every machine, so they may be written to files. */

#ifndef HOLOS_CORE_HASH_H
#define HOLOS_CORE_HASH_H

#include "core/key.h"

#include <stddef.h>

/* 128 bits (XXH3). Among n different inputs the chance of any collision is about n² / 2¹²⁹. */
holos_key hash_bytes(const void *bytes, size_t size);

/* A permutation of the 64-bit numbers whose every output bit depends on every input bit: the finalizer
 * of splitmix64 (Stafford's variant 13 of MurmurHash3's). 0 stays 0. */
static inline uint64_t hash_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

/* Adds one number to a hash; the order matters. */
static inline uint64_t hash_add(uint64_t hash, uint64_t x)
{
    return hash_mix((hash + UINT64_C(0x9E3779B97F4A7C15)) ^ hash_mix(x));
}

#endif
