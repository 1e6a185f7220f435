/* SPDX-License-Identifier: MIT */

#include "meta/lab/sample.h"

#include <stdlib.h>

#define PLIES_MOST 4096

const holos_position *lab_sample_at(const lab_sample *s, size_t index)
{
    return position_in(s->v, s->positions, index);
}

void lab_sample_free(lab_sample *s)
{
    if (s->v != NULL)
        mem_free(NULL, s->positions, s->count * s->v->position_size);
    free(s->plies);
    *s = (lab_sample){0};
}

/* Plays at random; returns how many moves there were. */
static unsigned walk(const holos_variant *v, holos_position *p, rng *r, unsigned most, holos_edge *edges)
{
    unsigned plies = 0;
    int32_t score;
    while (plies < most && !v->game->terminal(v, p, &score)) {
        uint32_t count = v->game->expand(v, p, (holos_edges){.edges = edges});
        if (count == 0)
            break;
        v->game->play(v, p, edges[rng_below(r, count)].move, p);
        plies++;
    }
    return plies;
}

holos_status lab_sample_draw(lab_sample *s, const lab_place *place, rng *r, size_t count, unsigned plies,
                             bool ends, holos_error *err)
{
    const holos_variant *v = place->v;
    holos_edge *edges = malloc(v->max_successors * sizeof *edges);
    *s = (lab_sample){.v = v,
                      .positions = mem_alloc(NULL, count * v->position_size),
                      .plies = calloc(count + 1, sizeof *s->plies),
                      .count = count};
    bool made = edges != NULL && s->positions != NULL && s->plies != NULL;
    for (size_t i = 0; made && i < count; i++) {
        holos_position *p = position_at(v, s->positions, i);
        memcpy(p, place->position, v->position_size);
        unsigned most = ends ? PLIES_MOST : (unsigned)rng_below(r, plies + 1);
        s->plies[i] = walk(v, p, r, most, edges);
    }
    free(edges);
    return made ? HOLOS_OK : error_system(err, "a sample");
}
