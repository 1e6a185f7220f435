/* SPDX-License-Identifier: MIT */

/* Our own random numbers (xoshiro256++, Blackman and Vigna), so that a seed gives the same results on
 * every machine. Work that is split into jobs takes one stream for each job, rng_init(seed, job): then
 * results do not depend on which thread does which job. */

#ifndef HOLOS_CORE_RNG_H
#define HOLOS_CORE_RNG_H

#include <stdint.h>

typedef struct rng {
    uint64_t state[4];
} rng;

void rng_init(rng *r, uint64_t seed, uint64_t stream);

static inline uint64_t rng_next(rng *r)
{
    uint64_t *s = r->state;
    uint64_t sum = s[0] + s[3];
    uint64_t result = ((sum << 23) | (sum >> 41)) + s[0];
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = (s[3] << 45) | (s[3] >> 19);
    return result;
}

/* Uniform in [0, n), without bias; n > 0. */
uint64_t rng_below(rng *r, uint64_t n);
/* Uniform in [0, 1). */
double rng_double(rng *r);

#endif
