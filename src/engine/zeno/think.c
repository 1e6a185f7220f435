/* SPDX-License-Identifier: MIT */

/* A whole search by one thread, with virtual losses that spread its leaves. */

#include "engine/zeno/zeno.h"

#include <stdlib.h>

#define EXACT_MEMORY ((size_t)16 << 20) /* of the solver of endings */

holos_status zeno_net_shape(const holos_variant *v, const net_shape *wish, net_shape *out, holos_error *err)
{
    holos_net_shape view;
    if (v->game->net == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "%s has no networks: the game shows them no planes", v->game->name);
    v->game->net->shape(v, &view);
    *out = *wish;
    out->height = view.height;
    out->width = view.width;
    out->planes = view.planes;
    out->policy = view.policy;
    return net_shape_check(out, err);
}

holos_status zeno_thinker_init(zeno_thinker *t, const holos_variant *v, const zeno_options *o,
                               const net_model *model, uint64_t seed, uint64_t stream, holos_error *err)
{
    net_shape shape;
    *t = (zeno_thinker){.model = model};
    holos_status status = zeno_net_shape(v, &model->shape, &shape, err);
    if (status != HOLOS_OK)
        return status;
    if (memcmp(&shape, &model->shape, sizeof shape) != 0)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "the network is not one for %s", v->name);
    status = zeno_exact_open(&t->exact, v, EXACT_MEMORY, err);
    if (status == HOLOS_OK)
        status = zeno_search_init(&t->search, v, o, &t->exact, seed, stream, err);
    if (status == HOLOS_OK)
        status = net_room_init(&t->room, &model->shape, err);
    if (status != HOLOS_OK)
        return status;
    size_t pixels = (size_t)shape.height * shape.width;
    t->planes = calloc(ZENO_LEAVES * pixels * model->at.planes, sizeof *t->planes);
    t->logits = calloc(ZENO_LEAVES * model->at.logits, sizeof *t->logits);
    t->values = calloc(ZENO_LEAVES, sizeof *t->values);
    return t->planes != NULL && t->logits != NULL && t->values != NULL
               ? HOLOS_OK
               : error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for a search");
}

void zeno_thinker_free(zeno_thinker *t)
{
    if (t->search.v != NULL)
        zeno_search_free(&t->search);
    if (t->exact.v != NULL)
        zeno_exact_close(&t->exact);
    net_room_free(&t->room);
    free(t->planes);
    free(t->logits);
    free(t->values);
    *t = (zeno_thinker){0};
}

holos_status zeno_think(zeno_thinker *t, const holos_position *p, const zeno_request *r, zeno_result *out,
                        float *shares, holos_error *err)
{
    size_t board = (size_t)t->model->shape.height * t->model->shape.width * t->model->at.planes;
    zeno_step step = ZENO_BUSY;
    zeno_search_begin(&t->search, p, r);
    while (step != ZENO_DONE && step != ZENO_NO_MEMORY) {
        size_t count = 0;
        while ((step = zeno_search_next(&t->search, t->planes + count * board)) == ZENO_LEAF)
            count++;
        if (count == 0)
            continue;
        net_cache_evaluate(t->cache, t->model, &t->room, count, t->planes, t->logits, t->values);
        zeno_search_feed(&t->search, t->logits, t->values);
    }
    if (step == ZENO_DONE)
        *out = zeno_search_result(&t->search, shares);
    if (step == ZENO_NO_MEMORY || t->search.out_of_memory)
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for a search");
    return HOLOS_OK;
}
