/* SPDX-License-Identifier: MIT */

/* What the files of a native store have in common: 64 bytes with a magic number, whose last character is the version, and a checksum. */

#ifndef HOLOS_STORE_FRAMED_H
#define HOLOS_STORE_FRAMED_H

#include "core/bytes.h"
#include "core/error.h"
#include "core/hash.h"

#include <string.h>

/* The lower half of the XXH3-128. */
static inline uint64_t checksum(const void *bytes, size_t size)
{
    return hash_bytes(bytes, size).lo;
}

static inline holos_status framed_damaged(const char *name, const char *what, holos_error *err)
{
    return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is damaged: %s", name, what);
}

/* `least`: the size of the smallest such file; `what`: "the file of a graph". */
static inline holos_status framed_check(const unsigned char *h, size_t size, size_t least,
                                        const char magic[8], const char *what, const char *name,
                                        holos_error *err)
{
    if (size < least || memcmp(h, magic, 7) != 0)
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is not %s", name, what);
    if (h[7] != (unsigned char)magic[7])
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                         "%s has format version '%c'; this program reads version '%c'", name,
                         h[7] >= 32 && h[7] < 127 ? h[7] : '?', magic[7]);
    return get64(h + 56) == checksum(h, 56)
               ? HOLOS_OK
               : framed_damaged(name, "its header does not match its checksum", err);
}

#endif
