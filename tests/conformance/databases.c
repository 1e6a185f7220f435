/* SPDX-License-Identifier: MIT */

/* Properties of databases: the values that the retrograde engine finds are those of the definition, with the
 * game's kernel and without; and rows tell positions apart. */

#include "conformance.h"

#include "engine/retrograde/retrograde.h"

#include <stdlib.h>
#include <string.h>

/* Databases of at most this many positions are built. */
#define LARGEST 300000

static bool is_indexed(const subject *s)
{
    const holos_index *index = s->v->game->index;
    return index->supports == NULL || index->supports(s->v, NULL) == HOLOS_OK;
}

static uint32_t top_to_build(const subject *s)
{
    const holos_index *index = s->v->game->index;
    uint64_t positions = 0;
    uint32_t tier = 0;
    for (; tier < index->tiers(s->v); tier++) {
        for (uint32_t part = 0; part < index->parts(s->v, tier); part++)
            positions += index->size(s->v, tier, part);
        if (positions > LARGEST)
            break;
    }
    return tier - 1;
}

void databases_have_the_values_of_the_definition(void **state)
{
    subject *s = *state;
    if (!is_indexed(s))
        return;
    size_t compared = 0;
    for (int plain = 0; plain < 2; plain++) {
        mem_budget budget;
        holos_error err;
        retro *tables;
        mem_budget_init(&budget, 0);
        retro_options o = {.top = top_to_build(s), .threads = 2, .no_hot = plain == 1, .budget = &budget};
        if (retro_build(s->v, &o, &tables, &err) != HOLOS_OK)
            fail_msg("%s", err.message);
        for (size_t i = 0; i < s->count; i++) {
            int32_t value, found;
            if (!retro_probe(tables, subject_at(s, i), &found) || !minimax_sample_value(s, i, &value))
                continue;
            if (value != found)
                fail_msg("%s is worth %d, the database says %d", subject_text(s, subject_at(s, i)),
                         (int)value, (int)found);
            compared++;
        }
        retro_close(tables);
    }
    assert_true(compared >= 10);
}

void columns_tell_positions_apart(void **state)
{
    subject *s = *state;
    const holos_columns *columns = s->v->game->columns;
    uint32_t count = columns->count(s->v);
    int64_t *a = calloc(count, sizeof *a), *b = calloc(count, sizeof *b);
    assert_true(a != NULL && b != NULL);
    for (size_t i = 0; i + 1 < s->count; i++) {
        const holos_position *p = subject_at(s, i), *q = subject_at(s, i + 1);
        columns->values(s->v, p, a);
        columns->values(s->v, q, b);
        bool alike =
            memcmp(a, b, count * sizeof *a) == 0 && s->v->game->side(s->v, p) == s->v->game->side(s->v, q);
        assert_int_equal(alike, subject_equal(s, p, q));
    }
    free(a);
    free(b);
}
