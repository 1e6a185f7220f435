/* SPDX-License-Identifier: MIT */

#include "cluster/heights.h"

#include "core/assert.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* How many positions have each height; then where the next one goes. */
typedef struct places {
    uint64_t *at;
    size_t room;
} places;

static uint32_t key_height(cluster_graph *g, holos_key key)
{
    wave_position(g->w, key, g->here);
    return g->q.v->game->height(g->q.v, g->here);
}

static bool place_count(places *p, uint32_t height)
{
    size_t before = p->room;
    if (height >= p->room) {
        if (!LIST_RESERVE(p->at, p->room, (size_t)height + 1))
            return false;
        memset(p->at + before, 0, (p->room - before) * sizeof *p->at);
    }
    p->at[height]++;
    return true;
}

/* All keys once: counted, or put into their places. */
static bool keys_walk(cluster_graph *g, places *p, uint64_t *out)
{
    for (size_t depth = 0; depth < g->layer_count; depth++) {
        for (uint64_t first = 0; first < g->reached.layers[depth].count; first += SLICE) {
            size_t count = slice_read(g, depth, first, SLICE);
            for (size_t i = 0; i < count; i++) {
                holos_key key = words_key(g->slice + i * g->words, g->words);
                uint32_t height = key_height(g, key);
                if (out == NULL && !place_count(p, height))
                    return false;
                if (out == NULL)
                    continue;
                assert(p->at != NULL && height < p->room); /* it was counted */
                key_record(key, g->words, (uint32_t *)(out + g->words * p->at[height]++));
            }
            if (g->skip)
                return false;
        }
    }
    return true;
}

static void places_add_up(places *p)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < p->room; i++) {
        uint64_t count = p->at[i];
        p->at[i] = sum;
        sum += count;
    }
}

/* A file without a name, which goes with its mapping. */
static void *file_map(const char *folder, size_t bytes)
{
    assert(folder != NULL);
    int fd = open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
    if (fd < 0)
        return NULL;
    void *words = MAP_FAILED;
    if (posix_fallocate(fd, 0, (off_t)bytes) == 0) /* or a write to a full disk would be a signal */
        words = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return words != MAP_FAILED ? words : NULL;
}

bool heights_sort(cluster_graph *g, heights *out)
{
    places p = {0};
    *out = (heights){.in_file = g->q.spill != NULL};
    if (g->q.v->game->height == NULL)
        return false;
    for (size_t depth = 0; depth < g->layer_count; depth++)
        out->count += g->reached.layers[depth].count;
    out->bytes = (out->count + 1) * g->words * sizeof *out->words; /* a rank may have none */
    bool counted = keys_walk(g, &p, NULL);
    if (counted)
        out->words = out->in_file ? file_map(g->q.spill, out->bytes) : mem_alloc(g->q.budget, out->bytes);
    if (out->words != NULL) {
        places_add_up(&p);
        keys_walk(g, &p, out->words);
    }
    free(p.at);
    return out->words != NULL;
}

void heights_free(heights *h, cluster_graph *g)
{
    if (h->words != NULL && h->in_file)
        munmap(h->words, h->bytes);
    else if (h->words != NULL)
        mem_free(g->q.budget, h->words, h->bytes);
    *h = (heights){0};
}
