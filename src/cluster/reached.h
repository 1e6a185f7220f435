/* SPDX-License-Identifier: MIT */

/* The positions that a rank has reached, layer by layer, as a file of keys: what it reads its layers from, and the checkpoint of
 * a graph. A layer that has been ended stays, whatever happens later. Without a path the file has no name: it lies in a
 * folder, or in memory. */

#ifndef HOLOS_CLUSTER_REACHED_H
#define HOLOS_CLUSTER_REACHED_H

#include "core/error.h"
#include "core/key.h"
#include "core/mem.h"

#include <stddef.h>

typedef struct reached_layer {
    uint64_t count; /* keys */
    uint64_t at;    /* in the file: where they begin */
} reached_layer;

typedef struct reached {
    int fd; /* -1: not open */
    char *path;
    unsigned words; /* of a key */
    reached_layer *layers;
    size_t layer_count, layer_room;
    uint64_t size;      /* of the file */
    mem_budget *budget; /* NULL: the file is on a disk */
    uint64_t claimed;   /* of it */
    uint64_t *buffer;
    size_t buffered; /* keys */
    uint64_t count;  /* of the layer that is being written */
    uint64_t sum;    /* of its keys */
    double synced;
} reached;

/* What belongs together: the game, and how many ranks share it. */
typedef struct reached_label {
    uint64_t family;
    uint32_t ranks, rank, words, version;
} reached_label;

/* Begins a file, or goes on with the one that is there (`resume`): then it has as many layers as are whole in it; a file of another
 * game is begun anew, and one of another number of ranks is HOLOS_USAGE. `path` NULL: in `folder`, or if that is NULL, too, in
 * memory within `budget`. */
holos_status reached_open(reached *r, const char *path, const char *folder, mem_budget *budget, bool resume,
                          const reached_label *label, holos_error *err);
void reached_close(reached *r, bool forget);

/* Forgets the layers from this one on. */
holos_status reached_cut(reached *r, size_t layers, holos_error *err);
/* Bytes of memory that so many more keys take. */
size_t reached_growth(const reached *r, uint64_t keys);
/* Adds a key to the layer that is being written. */
holos_status reached_add(reached *r, holos_key key, holos_error *err);
/* The layer is whole. */
holos_status reached_end(reached *r, holos_error *err);
/* Reads so many keys of a layer. */
holos_status reached_read(const reached *r, size_t layer, uint64_t first, size_t count, uint64_t *words,
                          holos_error *err);

#endif
