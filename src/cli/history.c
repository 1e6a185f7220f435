/* SPDX-License-Identifier: MIT */

#include "cli/history.h"

#include "core/error.h"
#include "core/list.h"

#include <stdlib.h>
#include <string.h>

static holos_position *history_at(const history *h, size_t index)
{
    return (holos_position *)(h->positions + index * holos_position_size(h->v));
}

/* Makes room for one more position after the current one. What malloc gives is aligned well enough. */
static bool grow(history *h)
{
    return h->now + 1 < h->room || list_grow(&h->positions, &h->room, h->now + 2, holos_position_size(h->v));
}

bool history_init(history *h, const holos_variant *v, const holos_position *start)
{
    *h = (history){.v = v};
    if (!grow(h))
        return false;
    memcpy(h->positions, start, holos_position_size(v));
    return true;
}

void history_free(history *h)
{
    free(h->positions);
}

const holos_position *history_now(const history *h)
{
    return history_at(h, h->now);
}

holos_status history_play(history *h, holos_move move, holos_error *err)
{
    if (!grow(h))
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for another move");
    holos_status status = holos_play(h->v, history_at(h, h->now), move, history_at(h, h->now + 1), err);
    if (status == HOLOS_OK)
        h->last = ++h->now;
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
