/* SPDX-License-Identifier: MIT */

#include "net/cache.h"

#include "core/hash.h"
#include "core/mem.h"

#include <string.h>

/* ---- Room -------------------------------------------------------------------------------------- */

holos_status net_cache_init(net_cache *c, const net_model *m, size_t memory, holos_error *err)
{
    *c = (net_cache){.logits = m->at.logits};
    size_t row = sizeof *c->keys + (1 + c->logits) * sizeof(float), rows = 1;
    while (2 * rows * row <= memory)
        rows *= 2;
    c->size = rows * row;
    c->keys = mem_alloc(NULL, c->size);
    if (c->keys == NULL)
        return mem_error(err, NULL, c->size, "what a network has said");
    c->values = (float *)(c->keys + rows);
    c->logits_of = c->values + rows;
    c->rows = rows;
    return HOLOS_OK;
}

void net_cache_free(net_cache *c)
{
    if (c->keys != NULL)
        mem_free(NULL, c->keys, c->size);
    *c = (net_cache){0};
}

/* ---- Answers ----------------------------------------------------------------------------------- */

static size_t row_of(const net_cache *c, holos_key key)
{
    return (size_t)key.lo & (c->rows - 1);
}

static bool cache_find(net_cache *c, holos_key key, float *logits, float *value)
{
    size_t row = row_of(c, key);
    c->asked++;
    if (!holos_key_equal(c->keys[row], key))
        return false;
    c->found++;
    memcpy(logits, c->logits_of + row * c->logits, c->logits * sizeof *logits);
    *value = c->values[row];
    return true;
}

static void cache_put(net_cache *c, holos_key key, const float *logits, float value)
{
    size_t row = row_of(c, key);
    c->keys[row] = key;
    c->values[row] = value;
    memcpy(c->logits_of + row * c->logits, logits, c->logits * sizeof *logits);
}

void net_cache_evaluate(net_cache *c, const net_model *m, net_room *r, size_t count, const float *planes,
                        float *logits, float *values)
{
    size_t board = (size_t)m->shape.height * m->shape.width * m->at.planes, from = 0;
    holos_key keys[NET_BLOCK]; /* of boards that the cache does not know, from `from` on */
    if (c == NULL)
        net_evaluate(m, r, count, planes, logits, values);
    for (size_t i = 0; c != NULL && i < count; i++) {
        holos_key key = hash_bytes(planes + i * board, board * sizeof *planes);
        bool known = cache_find(c, key, logits + i * c->logits, values + i);
        if (!known)
            keys[i - from] = key;
        size_t unknown = i - from + !known;
        if (!known && unknown < NET_BLOCK && i + 1 < count)
            continue;
        net_evaluate(m, r, unknown, planes + from * board, logits + from * c->logits, values + from);
        for (size_t k = 0; k < unknown; k++)
            cache_put(c, keys[k], logits + (from + k) * c->logits, values[from + k]);
        from = i + 1;
    }
}
