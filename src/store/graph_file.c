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
        g->blocks = calloc(g->view.block_count + 1, sizeof *g->blocks);
        g->used = calloc(g->view.block_count + 1, sizeof *g->used);
        g->held_most = room / BLOCK_BYTES > 2 ? room / BLOCK_BYTES : 2;
        if (g->blocks == NULL || g->used == NULL)
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
    for (uint64_t i = 0; g->blocks != NULL && i < g->view.block_count; i++)
        free(g->blocks[i]);
    free(g->blocks);
    free(g->used);
    free(g->path);
    file_view_close(&g->file);
    pthread_mutex_destroy(&g->lock);
    *g = (graph_file){0};
}

/* Room for a block: new, or that of one which has not been used since the hand last passed. */
static holos_row *block_room(graph_file *g)
{
    if (g->held < g->held_most) {
        holos_row *rows = malloc(BLOCK_BYTES);
        g->held += rows != NULL;
        return rows;
    }
    for (;; g->hand = (g->hand + 1) % g->view.block_count) {
        holos_row *rows = g->blocks[g->hand];
        if (rows != NULL && !g->used[g->hand]) {
            g->blocks[g->hand] = NULL;
            return rows;
        }
        g->used[g->hand] = false;
    }
}

/* With the lock held. */
static holos_status block_get(graph_file *g, uint64_t block, const holos_row **out, holos_error *err)
{
    holos_status status = HOLOS_OK;
    if (g->blocks[block] == NULL) {
        holos_row *rows = block_room(g);
        if (rows == NULL)
            return error_system(err, "a block of the graph");
        status = rows_block_read(&g->view, block, rows, g->path, err);
        if (status != HOLOS_OK) {
            free(rows);
            g->held--;
            return status;
        }
        g->blocks[block] = rows;
    }
    g->used[block] = true;
    *out = g->blocks[block];
    return status;
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
        uint32_t count = rows_of_block(&g->view, block), low = 0, high = count;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (holos_key_less(rows[middle].identity, identity))
                low = middle + 1;
            else
                high = middle;
        }
        *found = low < count && holos_key_equal(rows[low].identity, identity);
        if (*found)
            *out = rows[low];
    }
    pthread_mutex_unlock(&g->lock);
    return status;
}

holos_status graph_file_each(graph_file *g, store_row_visit *visit, void *context, const holos_stop *stop,
                             holos_error *err)
{
    holos_row *rows = malloc(BLOCK_BYTES); /* its own: what is visited may look others up */
    holos_status status = rows == NULL ? error_system(err, "a block of the graph") : HOLOS_OK;
    bool going = true;
    for (uint64_t block = 0; status == HOLOS_OK && going && block < g->view.block_count; block++) {
        status = rows_block_read(&g->view, block, rows, g->path, err);
        uint32_t count = status == HOLOS_OK && visit != NULL ? rows_of_block(&g->view, block) : 0;
        for (uint32_t i = 0; going && i < count; i++)
            going = visit(context, &rows[i]);
        if (status == HOLOS_OK && holos_stop_asked(stop))
            status = error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
    }
    free(rows);
    return status;
}
