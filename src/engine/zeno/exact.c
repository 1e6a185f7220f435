/* SPDX-License-Identifier: MIT */

/* Endings by the game's own search. Who wins is enough: two questions at most. */

#include "engine/zeno/zeno.h"

holos_status zeno_exact_open(zeno_exact *e, const holos_variant *v, size_t memory, holos_error *err)
{
    *e = (zeno_exact){.v = v};
    mem_budget_init(&e->budget, 0);
    if (v->game->hot == NULL)
        return HOLOS_OK;
    holos_hot_setup setup = {.budget = &e->budget, .memory = memory, .threads = 1};
    return v->game->hot->open(v, &setup, &e->state, err);
}

void zeno_exact_close(zeno_exact *e)
{
    if (e->state != NULL)
        e->v->game->hot->close(e->state);
    *e = (zeno_exact){0};
}

bool zeno_exact_solve(zeno_exact *e, const holos_position *p, struct limits *limits, int32_t *lo, int32_t *hi)
{
    if (e == NULL || e->state == NULL)
        return false;
    int32_t banked = game_banked(e->v, p), found;
    *lo = e->v->score_min;
    *hi = e->v->score_max;
    for (int32_t beta = 1; beta >= 0; beta--) { /* a win? at least a draw? */
        found = e->v->game->hot->search(e->state, limits, p, beta - banked) + banked;
        if (!limits_go_on(limits))
            return false;
        if (found >= beta) {
            *lo = found;
            return true;
        }
        *hi = found;
        if (found < 0)
            return true;
    }
    return true;
}
