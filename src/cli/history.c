/* SPDX-License-Identifier: MIT */

#include "cli/history.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for one more position. */
static bool grow(history *h)
{
    if (h->last + 2 < h->capacity)
        return true;
    size_t capacity = h->capacity > 0 ? 2 * h->capacity : 64;
    holos_position **positions = realloc(h->positions, capacity * sizeof *positions);
    if (positions == NULL)
        return false;
    h->positions = positions;
    holos_move *moves = realloc(h->moves, capacity * sizeof *moves);
    if (moves == NULL)
        return false;
    h->moves = moves;
    memset(h->positions + h->capacity, 0, (capacity - h->capacity) * sizeof *positions);
    h->capacity = capacity;
    return true;
}

/* The positions are allocated once and stay: redo and later moves write over them. */
static holos_position *position_for(history *h, size_t index)
{
    if (h->positions[index] == NULL)
        h->positions[index] = holos_position_new(h->v);
    return h->positions[index];
}

bool history_init(history *h, const holos_variant *v, const holos_position *start)
{
    *h = (history){.v = v};
    if (!grow(h) || position_for(h, 0) == NULL)
        return false;
    memcpy(h->positions[0], start, holos_position_size(v));
    return true;
}

void history_free(history *h)
{
    for (size_t i = 0; i < h->capacity; i++)
        holos_position_free(h->positions[i]);
    free(h->positions);
    free(h->moves);
}

const holos_position *history_now(const history *h)
{
    return h->positions[h->now];
}

holos_status history_play(history *h, holos_move move, holos_error *err)
{
    if (!grow(h) || position_for(h, h->now + 1) == NULL)
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for another move");
    holos_status status = holos_play(h->v, h->positions[h->now], move, h->positions[h->now + 1], err);
    if (status == HOLOS_OK) {
        h->moves[h->now++] = move;
        h->last = h->now;
    }
    return status;
}

bool history_undo(history *h)
{
    if (h->now == 0)
        return false;
    h->now--;
    return true;
}

bool history_redo(history *h)
{
    if (h->now == h->last)
        return false;
    h->now++;
    return true;
}

void history_restart(history *h)
{
    h->now = 0;
}
