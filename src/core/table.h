/* SPDX-License-Identifier: MIT */

/* The hash table: 128-bit keys, a payload of a fixed size, open addressing. Everybody uses this one.
 *
 * As a map (table_init) it grows and loses nothing. As a cache (table_init_cache) it has a fixed size
 * and forgets what looks least valuable: a search's transposition table. One thread writes at a time;
 * engines that share work give each thread a shard of its own.
 *
 * Keys are mixed here, so that games may use plain packings. The key {0, 0} is allowed. */

#ifndef HOLOS_CORE_TABLE_H
#define HOLOS_CORE_TABLE_H

#include "core/key.h"
#include "core/mem.h"

typedef struct table {
    unsigned char *slots; /* slot: key, then payload */
    mem_budget *budget;
    size_t slot_size, payload_size;
    size_t capacity; /* slots; not always a power of two */
    size_t count;
    bool cache;
} table;

/* A payload is `payload_size` bytes, aligned to 8. `expected` entries fit without growing. */
holos_status table_init(table *t, mem_budget *budget, size_t payload_size, size_t expected, holos_error *err);
/* As many slots as fit into `bytes`. */
holos_status table_init_cache(table *t, mem_budget *budget, size_t payload_size, size_t bytes,
                              holos_error *err);
void table_free(table *t);
void table_clear(table *t);

/* The payload, or NULL. Valid until the next insertion. */
void *table_find(const table *t, holos_key key);
/* Brings the slot nearer; call it a few lookups ahead. */
void table_prefetch(const table *t, holos_key key);
/* Map: the payload of the entry, made and zeroed if there was none (*fresh tells). NULL: no memory, and
 * the table is unchanged. */
void *table_insert(table *t, holos_key key, bool *fresh);
/* Cache: the payload to write to: the key's own, or an empty one, or the one of least `worth` among
 * those it may take the place of (the caller's worth of a payload; higher is kept), zeroed. */
void *table_replace(table *t, holos_key key, uint32_t (*worth)(const void *payload));

/* Visits every entry, in an order that depends on nothing but the keys and the capacity:
 * for (size_t i = 0; table_next(&t, &i, &key, &payload);) */
bool table_next(const table *t, size_t *index, holos_key *key, void **payload);

#endif
