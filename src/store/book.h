/* SPDX-License-Identifier: MIT */

/* A book: what the positions are worth that can be reached in so many moves from the start, ply by ply,
 * symmetric positions once. A position is named by its key; a value is a byte as in game.h, of what is
 * still to come. */

#ifndef HOLOS_STORE_BOOK_H
#define HOLOS_STORE_BOOK_H

#include "core/mem.h"
#include "core/text.h"
#include "game/game.h"

typedef struct book_ply {
    uint64_t count;
    holos_key *keys; /* ascending */
    uint8_t *values; /* HOLOS_BYTE_UNKNOWN where it is not known yet */
} book_ply;

typedef struct book {
    mem_budget *budget; /* may be NULL */
    book_ply *plies;
    uint32_t count;
    size_t room;
} book;

void book_init(book *b, mem_budget *budget);
void book_free(book *b);
/* One more ply, its keys and values all 0. NULL: no memory. Valid until the next one is added. */
book_ply *book_add(book *b, uint64_t count);
/* HOLOS_BYTE_UNKNOWN if it is not in the book. */
uint8_t book_find(const book *b, holos_key key);
uint64_t book_positions(const book *b);

/* A ply as bytes: how many positions (8 bytes, little-endian), the differences of the keys from one to the
 * next, seven bits a byte, the lowest first, the highest bit set on all but the last; then the values. */
void book_ply_encode(const book_ply *ply, text *out);
/* Adds a ply that was encoded; trusts no byte. `name` is for messages. */
holos_status book_ply_decode(book *b, const uint8_t *bytes, size_t size, const char *name, holos_error *err);

#endif
