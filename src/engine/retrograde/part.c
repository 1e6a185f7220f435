/* SPDX-License-Identifier: MIT */

/* One part of a game that cannot repeat a position, position by position. */

#include "core/assert.h"
#include "core/list.h"
#include "engine/retrograde/retrograde.h"

#include <stdlib.h>

bool retro_push(retro_worker *w, size_t *depth, uint64_t index)
{
    if (!LIST_RESERVE(w->stack, w->stack_room, *depth + 1))
        return false;
    w->stack[(*depth)++] = index;
    return true;
}

/* The byte of a position from those of its successors. If one of them is not known yet, it must be in
 * the same part: then HOLOS_BYTE_UNKNOWN, and *missing is its index. */
static uint8_t position_solve(retro_worker *w, holos_place place, uint64_t *missing)
{
    const holos_game *game = w->v->game;
    int32_t best = INT32_MIN, over;
    game->index->unrank(w->v, place, w->here);
    if (game->terminal(w->v, w->here, &over))
        return (uint8_t)(HOLOS_BYTE_ZERO + over);
    uint32_t count = game->expand(w->v, w->here, w->successors);
    for (uint32_t i = 0; i < count; i++) {
        holos_place child;
        bool known = game->index->rank(w->v, position_at(w->v, w->successors.positions, i), &child);
        assert(known);
        uint8_t byte = *tables_at(w->tables, child);
        if (byte == HOLOS_BYTE_UNKNOWN) {
            assert(child.tier == place.tier && child.part == place.part);
            *missing = child.index;
            return HOLOS_BYTE_UNKNOWN;
        }
        int32_t score = edge_score(w->successors.edges[i], byte - HOLOS_BYTE_ZERO);
        best = score > best ? score : best;
    }
    return (uint8_t)(HOLOS_BYTE_ZERO + best);
}

/* Where the order of the index is an order in which the game can be solved, every position is looked at
 * once; elsewhere what is missing is solved first. */
holos_status retro_solve_acyclic(retro_worker *w, uint32_t tier, uint32_t part, holos_error *err)
{
    uint8_t *bytes = w->tables->parts[tier][part];
    uint64_t size = w->v->game->index->size(w->v, tier, part);
    for (uint64_t index = 0; index < size; index++) {
        size_t depth = 0;
        uint64_t next = index;
        while (bytes[index] == HOLOS_BYTE_UNKNOWN) {
            holos_place place = {.tier = tier, .part = part, .index = next};
            uint64_t missing = 0;
            if (!limits_count(&w->limits))
                return w->limits.status;
            bytes[next] = position_solve(w, place, &missing);
            if (bytes[next] != HOLOS_BYTE_UNKNOWN) {
                if (depth > 0)
                    next = w->stack[--depth];
            } else if (retro_push(w, &depth, next)) {
                next = missing;
            } else {
                return error_system(err, "the stack of the retrograde engine");
            }
        }
    }
    return HOLOS_OK;
}
