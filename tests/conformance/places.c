/* SPDX-License-Identifier: MIT */

/* Properties of the places that positions have in databases. */

#include "conformance.h"

/* False if the variant, or this position, has no place. */
static bool place_of(const subject *s, const holos_position *p, holos_place *out)
{
    const holos_index *index = s->v->game->index;
    if (index->supports != NULL && index->supports(s->v, NULL) != HOLOS_OK)
        return false;
    if (!index->rank(s->v, p, out))
        return false;
    assert_true(out->tier < index->tiers(s->v));
    assert_true(out->part < index->parts(s->v, out->tier));
    assert_true(out->index < index->size(s->v, out->tier, out->part));
    return true;
}

static bool places_equal(holos_place a, holos_place b)
{
    return a.tier == b.tier && a.part == b.part && a.index == b.index;
}

void places_can_be_undone(void **state)
{
    const subject *s = *state;
    holos_position *p = holos_position_new(s->v);
    for (size_t i = 0; i < s->count; i++) {
        holos_place place, again;
        if (!place_of(s, subject_at(s, i), &place))
            continue;
        s->v->game->index->unrank(s->v, place, p);
        assert_true(place_of(s, p, &again));
        assert_true(places_equal(place, again));
        assert_true(holos_key_equal(s->v->game->key(s->v, p), s->v->game->key(s->v, subject_at(s, i))));
    }
    holos_position_free(p);
}

void places_follow_the_keys(void **state)
{
    const subject *s = *state;
    for (size_t i = 0; i < s->count; i++) {
        holos_place place, other;
        if (!place_of(s, subject_at(s, i), &place))
            continue;
        holos_key key = s->v->game->key(s->v, subject_at(s, i));
        for (size_t k = 0; k < i; k++)
            if (place_of(s, subject_at(s, k), &other))
                assert_int_equal(places_equal(place, other),
                                 holos_key_equal(key, s->v->game->key(s->v, subject_at(s, k))));
    }
}

void successors_lie_below_or_in_the_same_part(void **state)
{
    subject *s = *state;
    for (size_t i = 0; i < s->count; i++) {
        holos_place place, next;
        if (!place_of(s, subject_at(s, i), &place))
            continue;
        expand_into(s, subject_at(s, i), &s->next);
        for (uint32_t k = 0; k < s->next.count; k++) {
            assert_true(place_of(s, neighbour_at(s, &s->next, k), &next));
            assert_true(next.tier < place.tier || (next.tier == place.tier && next.part == place.part));
        }
    }
}
