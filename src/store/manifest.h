/* SPDX-License-Identifier: MIT */

/* What stands in a store's manifest: DIR/manifest.json of a file store, a row of a SQLite one. */

#ifndef HOLOS_STORE_MANIFEST_H
#define HOLOS_STORE_MANIFEST_H

#include "store/store.h"

#define MANIFEST_VERSION 1

typedef struct manifest_part {
    uint32_t tier, part;
    uint64_t positions, bytes;
    holos_key digest;
} manifest_part;

typedef struct manifest {
    store_facts facts;
    manifest_part *parts; /* of a complete database, in order; may be NULL */
    size_t part_count;
} manifest;

/* Says that this program writes it. */
void manifest_sign(manifest *m);
void manifest_write(const manifest *m, const holos_variant *v, text *out);
/* `name` is for messages. The caller frees it. */
holos_status manifest_read(manifest *m, const char *bytes, size_t size, const char *name, holos_error *err);
void manifest_free(manifest *m);

/* "0123…": 32 digits. */
void digest_format(holos_key digest, char out[33]);
bool digest_parse(const char *s, holos_key *out);

#endif
