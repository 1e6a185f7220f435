/* SPDX-License-Identifier: MIT */

/* Keys as they travel: one word or two. */

#ifndef HOLOS_CLUSTER_KEYS_H
#define HOLOS_CLUSTER_KEYS_H

#include "core/key.h"

#include <string.h>

static inline holos_key words_key(const uint64_t *words, unsigned count)
{
    return (holos_key){.hi = count == 2 ? words[1] : 0, .lo = words[0]};
}

static inline void key_record(holos_key key, unsigned words, uint32_t *record)
{
    memcpy(record, &key.lo, sizeof key.lo);
    if (words == 2)
        memcpy(record + 2, &key.hi, sizeof key.hi);
}

static inline holos_key record_key(const uint32_t *record, unsigned words)
{
    holos_key key = {0};
    memcpy(&key.lo, record, sizeof key.lo);
    if (words == 2)
        memcpy(&key.hi, record + 2, sizeof key.hi);
    return key;
}

#endif
