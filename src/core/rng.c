/* SPDX-License-Identifier: MIT */

#include "core/rng.h"

#include "core/hash.h"
#include "core/wide.h"

/* The generator that the authors of xoshiro recommend for filling its state. */
static uint64_t splitmix_next(uint64_t *state)
{
    return hash_mix(*state += UINT64_C(0x9E3779B97F4A7C15));
}

void rng_init(rng *r, uint64_t seed, uint64_t stream)
{
    uint64_t a = seed, b = ~stream;
    for (int i = 0; i < 4; i++) {
        uint64_t x = splitmix_next(&a);
        uint64_t y = splitmix_next(&b);
        r->state[i] = x + ((y << 32) | (y >> 32));
    }
    if ((r->state[0] | r->state[1] | r->state[2] | r->state[3]) == 0)
        r->state[0] = 1; /* the one state that never changes */
}

/* Lemire, "Fast random integer generation in an interval" (2019): the high half of a product is
 * uniform once the few low halves that would be hit too often are thrown away. */
uint64_t rng_below(rng *r, uint64_t n)
{
    u128 product = (u128)rng_next(r) * n;
    if ((uint64_t)product < n) {
        uint64_t threshold = -n % n;
        while ((uint64_t)product < threshold)
            product = (u128)rng_next(r) * n;
    }
    return (uint64_t)(product >> 64);
}

double rng_double(rng *r)
{
    return (double)(rng_next(r) >> 11) * 0x1p-53;
}
