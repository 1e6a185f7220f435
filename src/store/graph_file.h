/* SPDX-License-Identifier: MIT */

/* A graph in a file store: the file of its rows (rows.h), and the blocks of it that have been unpacked. */

#ifndef HOLOS_STORE_GRAPH_FILE_H
#define HOLOS_STORE_GRAPH_FILE_H

#include "core/file.h"
#include "store/row_cache.h"
#include "store/store.h"

#include <pthread.h>

#define GRAPH_FILE_NAME "graph.rows"

typedef struct graph_file {
    char *path; /* NULL: not open */
    file_view file;
    rows_view view;
    pthread_mutex_t lock;
    row_cache cache;
} graph_file;

/* `room`: bytes for unpacked blocks; at least two are kept. On failure nothing stays open. */
holos_status graph_file_open(graph_file *g, const char *path, uint64_t family, size_t room, holos_error *err);
void graph_file_close(graph_file *g); /* does nothing if it is not open */

/* Safe from several threads at once. */
holos_status graph_file_find(graph_file *g, holos_key identity, holos_row *out, bool *found,
                             holos_error *err);
/* `visit` NULL: only reads every block, and compares the checksums. */
holos_status graph_file_scan(graph_file *g, const store_range *range, store_row_visit *visit, void *context,
                             const holos_stop *stop, holos_error *err);

#endif
