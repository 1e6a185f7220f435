/* SPDX-License-Identifier: MIT */

#include "engine/wave/wave.h"

bool holos_wave_visit(const holos_wave *w, holos_wave_visitor *visit, void *context)
{
    holos_position *p = holos_position_new(w->v);
    bool going = p != NULL;
    for (unsigned depth = 0; going && depth < w->forward.depth; depth++) {
        const layer *at = w->forward.at[depth];
        for (unsigned shard = 0; going && shard < NODES_SHARDS; shard++) {
            const key_list *list = &at->lists[shard];
            for (size_t i = 0; going && i < list->count; i++) {
                wave_position(w, list_key(&w->forward, list, i), p);
                going = visit(context, p, depth);
            }
        }
    }
    holos_position_free(p);
    return going;
}
