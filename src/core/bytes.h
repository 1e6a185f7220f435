/* SPDX-License-Identifier: MIT */

/* Numbers as bytes, the lowest first: what files are made of, on every machine. */

#ifndef HOLOS_CORE_BYTES_H
#define HOLOS_CORE_BYTES_H

#include <stdint.h>

static inline void put64(unsigned char *at, uint64_t x)
{
    for (int i = 0; i < 8; i++)
        at[i] = (unsigned char)(x >> 8 * i);
}

static inline uint64_t get64(const unsigned char *at)
{
    uint64_t x = 0;
    for (int i = 0; i < 8; i++)
        x |= (uint64_t)at[i] << 8 * i;
    return x;
}

#endif
