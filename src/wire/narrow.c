/* SPDX-License-Identifier: MIT */

#include "wire/narrow.h"

#include <stdlib.h>
#include <string.h>

static void narrow(holos_value *known, holos_value found)
{
    bool solved = holos_value_is_solved(*known);
    int32_t lo = known->lo > found.lo ? known->lo : found.lo,
            hi = known->hi < found.hi ? known->hi : found.hi;
    if (!solved || found.distance != HOLOS_NO_DISTANCE)
        *known = found;
    known->lo = lo;
    known->hi = hi;
}

bool wire_narrow(wire_narrowing *n, holos_result *r)
{
    if (!n->begun) {
        n->moves = malloc((r->move_count + 1) * sizeof *n->moves);
        if (n->moves == NULL)
            return false;
        if (r->move_count > 0)
            memcpy(n->moves, r->moves, r->move_count * sizeof *n->moves);
        n->count = r->move_count;
        n->value = r->value;
        n->begun = true;
    } else {
        narrow(&n->value, r->value);
        for (size_t i = 0; i < n->count && i < r->move_count; i++)
            narrow(&n->moves[i].value, r->moves[i].value);
    }
    r->value = n->value;
    r->moves = n->moves;
    r->move_count = n->count;
    return true;
}
