/* SPDX-License-Identifier: MIT */

#include "store/graph_file.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES (ROWS_BLOCK * sizeof(holos_row))

holos_status graph_file_open(graph_file *g, const char *path, uint64_t family, size_t room, holos_error *err)
{
    *g = (graph_file){0};
    holos_status status = file_view_open(&g->file, path, err);
    if (status != HOLOS_OK)
        return status;
    pthread_mutex_init(&g->lock, NULL);
    g->path = strdup(path);
    status = g->path == NULL ? error_system(err, "the graph")
                             : rows_view_open(&g->view, g->file.data, g->file.size, path, err);
    if (status == HOLOS_OK && g->view.family != family)
        status =
            error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s belongs to another game or other rules", path);
    if (status == HOLOS_OK) {
        if (!row_cache_init(&g->cache, g->view.block_count, room))
            status = error_system(err, "the graph");
    }
    if (status != HOLOS_OK)
        graph_file_close(g);
    return status;
}

void graph_file_close(graph_file *g)
{
    if (g->file.data == NULL)
        return;
    row_cache_free(&g->cache);
    free(g->path);
    file_view_close(&g->file);
    pthread_mutex_destroy(&g->lock);
    *g = (graph_file){0};
}

/* With the lock held. */
static holos_status block_get(graph_file *g, uint64_t block, const holos_row **out, holos_error *err)
{
    *out = row_cache_get(&g->cache, block);
    if (*out != NULL)
        return HOLOS_OK;
    holos_row *rows = row_cache_room(&g->cache);
    if (rows == NULL)
        return error_system(err, "a block of the graph");
    holos_status status = rows_block_read(&g->view, block, rows, g->path, err);
    if (status != HOLOS_OK) {
        row_cache_drop(&g->cache, rows);
        return status;
    }
    row_cache_keep(&g->cache, block, rows);
    *out = rows;
    return HOLOS_OK;
}

holos_status graph_file_find(graph_file *g, holos_key identity, holos_row *out, bool *found, holos_error *err)
{
    uint64_t block;
    const holos_row *rows;
    *found = false;
    if (!rows_block_of(&g->view, identity, &block))
        return HOLOS_OK;
    pthread_mutex_lock(&g->lock);
    holos_status status = block_get(g, block, &rows, err);
    if (status == HOLOS_OK) {
        const holos_row *row = rows_search(rows, rows_of_block(&g->view, block), identity);
        *found = row != NULL;
        if (*found)
            *out = *row;
    }
    pthread_mutex_unlock(&g->lock);
    return status;
}

holos_status graph_file_scan(graph_file *g, const store_range *range, store_row_visit *visit, void *context,
                             const holos_stop *stop, holos_error *err)
{
    uint64_t first = 0, last = 0;
    if (!rows_block_of(&g->view, range->last, &last))
        return HOLOS_OK; /* before the first row, or there is none */
    if (!rows_block_of(&g->view, range->first, &first))
        first = 0;
    holos_row *rows = malloc(BLOCK_BYTES); /* its own: what is visited may look others up */
    holos_status status = rows == NULL ? error_system(err, "a block of the graph") : HOLOS_OK;
    bool going = true;
    for (uint64_t block = first; status == HOLOS_OK && going && block <= last; block++) {
        status = rows_block_read(&g->view, block, rows, g->path, err);
        uint32_t count = status == HOLOS_OK && visit != NULL ? rows_of_block(&g->view, block) : 0;
        for (uint32_t i = 0; going && i < count; i++)
            going = !store_in_range(range, &rows[i]) || visit(context, &rows[i]);
        if (status == HOLOS_OK && holos_stop_asked(stop))
            status = error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
    }
    free(rows);
    return status;
}
