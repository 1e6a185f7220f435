/* SPDX-License-Identifier: MIT */

/* Which of the searches a board gets. */

#include "games/connect4/hot.h"

#include "core/cpu.h"
#include "games/connect4/board.h"

#include <stdlib.h>

typedef struct chosen {
    const holos_hot *hot;
    void *state;
} chosen;

static const holos_hot *hot_choose(const holos_variant *v)
{
    c4_size size = c4_variant_size(v);
    if (c4_is_wide(v))
        return &c4_hot_wide;
    if (size.width != 7 || size.height != 6)
        return &c4_hot_narrow;
#ifdef __x86_64__
    cpu_features cpu = cpu_detect();
    if (cpu.avx2 && cpu.bmi1 && cpu.bmi2 && cpu.popcnt)
        return &c4_hot_7x6_v3;
#endif
    return &c4_hot_7x6;
}

static holos_status chosen_open(const holos_variant *v, const holos_hot_setup *setup, void **state,
                                holos_error *err)
{
    chosen *c = malloc(sizeof *c);
    if (c == NULL)
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "out of memory");
    c->hot = hot_choose(v);
    holos_status status = c->hot->open(v, setup, &c->state, err);
    if (status != HOLOS_OK) {
        free(c);
        return status;
    }
    *state = c;
    return HOLOS_OK;
}

static void chosen_close(void *state)
{
    chosen *c = state;
    c->hot->close(c->state);
    free(c);
}

static void chosen_known(void *state, const holos_position *p, int32_t *lo, int32_t *hi)
{
    chosen *c = state;
    c->hot->known(c->state, p, lo, hi);
}

static int32_t chosen_search(void *state, struct limits *limits, const holos_position *p, int32_t beta)
{
    chosen *c = state;
    return c->hot->search(c->state, limits, p, beta);
}

const holos_hot c4_hot = {
    .open = chosen_open,
    .close = chosen_close,
    .known = chosen_known,
    .search = chosen_search,
};
