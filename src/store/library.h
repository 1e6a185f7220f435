/* SPDX-License-Identifier: MIT */

/* Shared libraries that are loaded when a store needs them. Linked to the program, gRPC and libpq would cost every start of it
 * 12 ms, ten times what it takes without them. A table of functions is made from the names alone:
 *
 *     #define FUNCTIONS(X) X(PQexec) X(PQclear)
 *     typedef struct table { FUNCTIONS(LIBRARY_MEMBER) } table;
 *     #define ENTRY(name) {#name, offsetof(table, name)},
 *     static const library_entry entries[] = {FUNCTIONS(ENTRY)}; */

#ifndef HOLOS_STORE_LIBRARY_H
#define HOLOS_STORE_LIBRARY_H

#include "core/error.h"

#include <stddef.h>

typedef struct library_entry {
    const char *name;
    size_t at; /* in the table */
} library_entry;

#define LIBRARY_MEMBER(name) __typeof__(name) *name;

/* The first of the files that is there; it stays in memory. NULL: none is. */
void *library_open(const char *const *files, size_t count);
/* Fills the table. Returns the name of a function that is missing; NULL: none is. */
const char *library_fill(void *library, const library_entry *entries, size_t count, void *table);

#endif
