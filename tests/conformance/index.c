/* SPDX-License-Identifier: MIT */

/* Properties of the index: places and positions belong together, moves lead downwards, and the values that
 * the retrograde engine finds there are those of the definition, with the game's kernel and without. */

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

void places_belong_to_positions(void **state)
{
    subject *s = *state;
    const holos_index *index = s->v->game->index;
    holos_position *back = holos_position_new(s->v);
    for (size_t i = 0; is_indexed(s) && i < s->count; i++) {
        holos_place place, again;
        if (!index->rank(s->v, subject_at(s, i), &place))
            continue;
        assert_true(place.tier < index->tiers(s->v) && place.part < index->parts(s->v, place.tier));
        assert_true(place.index < index->size(s->v, place.tier, place.part));
        index->unrank(s->v, place, back);
        assert_true(index->rank(s->v, back, &again));
        assert_memory_equal(&place, &again, sizeof place);
        /* The same future. */
        assert_true(holos_key_equal(s->v->game->key(s->v, back), s->v->game->key(s->v, subject_at(s, i))));
    }
    holos_position_free(back);
}

void places_follow_the_keys(void **state)
{
    const subject *s = *state;
    const holos_index *index = s->v->game->index;
    for (size_t i = 0; is_indexed(s) && i < s->count; i++) {
        holos_place place, other;
        if (!index->rank(s->v, subject_at(s, i), &place))
            continue;
        holos_key key = s->v->game->key(s->v, subject_at(s, i));
        for (size_t k = 0; k < i; k++)
            if (index->rank(s->v, subject_at(s, k), &other))
                assert_int_equal(memcmp(&place, &other, sizeof place) == 0,
                                 holos_key_equal(key, s->v->game->key(s->v, subject_at(s, k))));
    }
}

void moves_lead_to_lower_tiers_or_stay_in_the_part(void **state)
{
    subject *s = *state;
    const holos_index *index = s->v->game->index;
    for (size_t i = 0; is_indexed(s) && i < s->count; i++) {
        holos_place here, there;
        if (!index->rank(s->v, subject_at(s, i), &here))
            continue;
        expand_into(s, subject_at(s, i), &s->next);
        for (uint32_t k = 0; k < s->next.count; k++) {
            assert_true(index->rank(s->v, neighbour_at(s, &s->next, k), &there));
            assert_true(there.tier < here.tier || (there.tier == here.tier && there.part == here.part));
        }
    }
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
