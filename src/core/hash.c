/* SPDX-License-Identifier: MIT */

#include "core/hash.h"

#include <xxhash.h>

holos_key hash_bytes(const void *bytes, size_t size)
{
    XXH128_hash_t h = XXH3_128bits(bytes, size);
    return (holos_key){.hi = h.high64, .lo = h.low64};
}
