/* SPDX-License-Identifier: MIT */

/* Configuration files: YAML whose names are those of the flags.
 *
 *     threads: 4                  --threads 4
 *     store: file:out             --store file:out
 *     zeno:                       a map's name is put before those in it:
 *       games: 100                --zeno-games 100
 *     feature: [chains, rings]    a list repeats its flag: --feature chains --feature rings
 *
 * A file becomes a flat list of names and values, in the order of the file, each with its place, so
 * that whoever knows what a value should be can point at one that is not. Values stay text: "true", "4".
 * What could be meant in two ways is an error: a name without a value, one given twice, lists in lists,
 * anchors, tags, a second document. */

#ifndef HOLOS_CORE_CONFIG_H
#define HOLOS_CORE_CONFIG_H

#include "core/error.h"
#include "core/mem.h"

typedef struct config_entry {
    const char *name;
    const char *value;
    unsigned line, column; /* of the value, from 1 */
} config_entry;

typedef struct config {
    const char *source; /* what messages call the file */
    config_entry *entries;
    size_t count, room;
    arena memory;
} config;

/* On failure there is nothing to free. err->message begins with "SOURCE, line 3, column 5: ", and
 * err->at is the byte offset in the file. */
holos_status config_read(config *c, const char *bytes, size_t size, const char *source, holos_error *err);
holos_status config_read_file(config *c, const char *path, holos_error *err);
void config_free(config *c);

/* An error about a value, for whoever finds that it is not what it should be: begins with its place. */
__attribute__((format(printf, 4, 5))) holos_status config_error(const config *c, const config_entry *entry,
                                                                holos_error *err, const char *format, ...);

#endif
