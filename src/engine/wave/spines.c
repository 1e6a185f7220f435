/* SPDX-License-Identifier: MIT */

#include "engine/wave/spines.h"

#include "core/list.h"

#include <stdlib.h>

holos_status spines_open(holos_wave *w, holos_error *err)
{
    wave_spines *s = calloc(1, sizeof *s);
    if (s == NULL)
        return error_system(err, "the spines of a wave");
    holos_status status = table_init(&s->index, w->budget, sizeof(uint64_t), 16, err);
    if (status != HOLOS_OK)
        free(s);
    else
        w->spines = s;
    return status;
}

void spines_close(holos_wave *w)
{
    wave_spines *s = w->spines;
    if (s == NULL)
        return;
    table_free(&s->index);
    free(s->spines);
    free(s->keys);
    free(s->moves);
    free(s);
    w->spines = NULL;
}

void spines_clear(wave_spines *s)
{
    table_clear(&s->index);
    s->count = s->step_count = 0;
}

static bool steps_reserve(wave_spines *s, size_t more)
{
    size_t key_room = s->step_room, count = s->step_count + more;
    return LIST_RESERVE(s->keys, key_room, count) && LIST_RESERVE(s->moves, s->step_room, count);
}

size_t spines_step(const wave_spines *s, holos_key key)
{
    const uint64_t *step = table_find(&s->index, key);
    return step != NULL ? (size_t)*step : SIZE_MAX;
}

/* True if a spine begins here and its moves begin like this one's: this one would say nothing new. */
static bool spine_is_known(const wave_spines *s, const holos_key *keys, const holos_move *moves,
                           uint32_t length)
{
    size_t step = spines_step(s, keys[0]);
    if (step == SIZE_MAX)
        return false;
    for (uint32_t i = 0; i < length; i++)
        if (step + i >= s->step_count || s->moves[step + i] != moves[i] ||
            !holos_key_equal(s->keys[step + i], keys[i]))
            return false;
    return true;
}

bool spines_add(wave_spines *s, const holos_key *keys, const holos_move *moves, uint32_t length,
                wave_node end)
{
    if (length == 0 || spine_is_known(s, keys, moves, length) ||
        !LIST_RESERVE(s->spines, s->room, s->count + 1) || !steps_reserve(s, length + 1))
        return false;
    for (uint32_t i = 0; i <= length; i++) {
        s->keys[s->step_count + i] = keys[i];
        s->moves[s->step_count + i] = i < length ? moves[i] : UINT32_MAX;
        bool fresh;
        uint64_t *step = i < length ? table_insert(&s->index, keys[i], &fresh) : NULL;
        if (step != NULL && fresh)
            *step = s->step_count + i;
    }
    s->spines[s->count++] =
        (wave_spine){.first = s->step_count, .length = length, .lo = end.lo, .hi = end.hi};
    s->step_count += length + 1;
    return true;
}
