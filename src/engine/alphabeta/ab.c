/* SPDX-License-Identifier: MIT */

#include "engine/alphabeta/ab.h"

bool ab_check(ab_search *s)
{
    if (s->status != HOLOS_OK)
        return false;
    if (s->nodes >= s->node_limit) {
        s->status = HOLOS_LIMIT;
        s->limit = "the limit of nodes";
    } else if (stop_asked(s->stop)) {
        s->status = HOLOS_INTERRUPTED;
        s->limit = "the request to stop";
    } else if (deadline_passed(s->deadline)) {
        s->status = HOLOS_LIMIT;
        s->limit = "the limit of time";
    }
    if (s->pause != NULL && s->status == HOLOS_OK && clock_wall() >= s->next_pause)
        s->pause(s);
    /* Reading the clock every 512 nodes costs less than a thousandth of the search. */
    s->next_check = s->nodes + 512 < s->node_limit ? s->nodes + 512 : s->node_limit;
    return s->status == HOLOS_OK;
}
