/* SPDX-License-Identifier: MIT */

/* Properties of keys, identities and symmetries. */

#include "conformance.h"

#include <stdlib.h>
#include <string.h>

static holos_key identity_of(const subject *s, const holos_position *p)
{
    return s->v->game->identity(s->v, p);
}

void identity_tells_positions_apart(void **state)
{
    subject *s = *state;
    for (size_t i = 0; i < s->count; i++) {
        holos_key identity = identity_of(s, subject_at(s, i));
        for (size_t k = 0; k < i; k++)
            assert_int_equal(subject_equal(s, subject_at(s, i), subject_at(s, k)),
                             holos_key_equal(identity, identity_of(s, subject_at(s, k))));
        expand_into(s, subject_at(s, i), &s->next);
        for (uint32_t k = 0; k < s->next.count; k++)
            assert_false(holos_key_equal(identity, identity_of(s, neighbour_at(s, &s->next, k))));
    }
}

void identity_can_be_undone(void **state)
{
    subject *s = *state;
    holos_position *p = holos_position_new(s->v);
    for (size_t i = 0; i < s->count; i++) {
        memset(p, 0x5A, s->v->position_size);
        s->v->game->from_identity(s->v, identity_of(s, subject_at(s, i)), p);
        assert_true(subject_equal(s, p, subject_at(s, i)));
    }
    holos_position_free(p);
}

void key_can_be_undone(void **state)
{
    subject *s = *state;
    holos_position *p = holos_position_new(s->v);
    for (size_t i = 0; i < s->count; i++) {
        holos_key key = s->v->game->key(s->v, subject_at(s, i));
        memset(p, 0x5A, s->v->position_size);
        s->v->game->from_key(s->v, key, p);
        assert_true(holos_key_equal(s->v->game->key(s->v, p), key));
        /* It is a position like any other, with the same future. */
        expand_into(s, subject_at(s, i), &s->next);
        expand_into(s, p, &s->further);
        assert_int_equal(s->next.count, s->further.count);
        char *written = subject_text(s, p);
        assert_int_equal(holos_parse(s->v, written, p, NULL), HOLOS_OK);
        free(written);
    }
    holos_position_free(p);
}

static bool fits(holos_key key, unsigned bits)
{
    return bits >= 128 || (bits >= 64 ? key.hi >> (bits - 64) == 0 : key.hi == 0 && key.lo >> bits == 0);
}

void keys_fit_into_their_bits(void **state)
{
    const subject *s = *state;
    unsigned bits = s->v->key_bits != 0 ? s->v->key_bits : 128;
    for (size_t i = 0; i < s->count; i++) {
        assert_true(fits(s->v->game->key(s->v, subject_at(s, i)), bits));
        assert_true(fits(identity_of(s, subject_at(s, i)), bits));
    }
}

static holos_position *images_new(const subject *s)
{
    holos_position *images = aligned_alloc(16, s->v->game->max_symmetries * s->v->position_size);
    assert_non_null(images);
    return images;
}

void symmetric_images_have_equal_keys(void **state)
{
    subject *s = *state;
    holos_position *images = images_new(s);
    for (size_t i = 0; i < s->count; i++) {
        uint32_t count = s->v->game->symmetries(s->v, subject_at(s, i), images);
        assert_in_range(count, 1, s->v->game->max_symmetries);
        assert_true(subject_equal(s, images, subject_at(s, i)));
        holos_key key = s->v->game->key(s->v, images);
        for (uint32_t k = 1; k < count; k++)
            assert_true(holos_key_equal(key, s->v->game->key(s->v, position_at(s->v, images, k))));
    }
    free(images);
}

static int key_compare(const void *a, const void *b)
{
    const holos_key *x = a, *y = b;
    return holos_key_equal(*x, *y) ? 0 : holos_key_less(*x, *y) ? -1 : 1;
}

static void sort_keys(neighbours *n)
{
    qsort(n->keys, n->count, sizeof *n->keys, key_compare);
}

void symmetric_images_have_equal_successors(void **state)
{
    subject *s = *state;
    holos_position *images = images_new(s);
    for (size_t i = 0; i < s->count; i++) {
        uint32_t count = s->v->game->symmetries(s->v, subject_at(s, i), images);
        int32_t score = 0, image_score = 0;
        bool over = s->v->game->terminal(s->v, subject_at(s, i), &score);
        expand_into(s, subject_at(s, i), &s->next);
        sort_keys(&s->next);
        for (uint32_t k = 1; k < count; k++) {
            const holos_position *image = position_at(s->v, images, k);
            expand_into(s, image, &s->further);
            sort_keys(&s->further);
            assert_int_equal(s->further.count, s->next.count);
            assert_memory_equal(s->further.keys, s->next.keys, s->next.count * sizeof *s->next.keys);
            assert_int_equal(s->v->game->terminal(s->v, image, &image_score), over);
            assert_int_equal(image_score, score);
            assert_int_equal(game_banked(s->v, image), game_banked(s->v, subject_at(s, i)));
        }
    }
    free(images);
}
