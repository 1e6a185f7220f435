/* SPDX-License-Identifier: MIT */

/* Properties of what is read and written. */

#include "conformance.h"

#include <stdlib.h>
#include <string.h>

/* A puzzle's text has no room for which cells are givens: everything in it reads back as one. What can
 * still be written into it is the same. */
static void check_same(const subject *s, const holos_position *p, const holos_position *read)
{
    if (s->v->game->puzzle == NULL)
        assert_true(subject_equal(s, p, read));
    else
        assert_true(holos_key_equal(s->v->game->key(s->v, p), s->v->game->key(s->v, read)));
}

void positions_read_back_as_written(void **state)
{
    subject *s = *state;
    holos_position *read = holos_position_new(s->v);
    for (size_t i = 0; i < s->count; i++) {
        char *written = subject_text(s, subject_at(s, i));
        holos_error err;
        memset(read, 0x5A, s->v->position_size);
        if (s->v->game->parse(s->v, written, read, &err) != HOLOS_OK)
            fail_msg("%s does not read back: %s", written, err.message);
        check_same(s, subject_at(s, i), read);
        char *again = subject_text(s, read);
        assert_string_equal(written, again);
        free(written);
        free(again);
    }
    holos_position_free(read);
}

void moves_read_back_as_written(void **state)
{
    subject *s = *state;
    for (size_t i = 0; i < s->count; i++) {
        const holos_position *p = subject_at(s, i);
        expand_into(s, p, &s->next);
        for (uint32_t k = 0; k < s->next.count; k++) {
            char written[64];
            holos_move move = s->next.edges[k].move, read = ~move;
            text out;
            text_init_fixed(&out, written, sizeof written);
            s->v->game->format_move(s->v, p, move, &out);
            assert_in_range(out.length, 1, sizeof written - 1);
            holos_error err;
            if (s->v->game->parse_move(s->v, p, written, &read, &err) != HOLOS_OK)
                fail_msg("%s does not read back in %s: %s", written, subject_text(s, p), err.message);
            assert_int_equal(read, move);
        }
    }
}

void drawings_are_whole_lines_of_text(void **state)
{
    subject *s = *state;
    for (size_t i = 0; i < s->count; i++) {
        text out;
        text_init(&out);
        s->v->game->draw(s->v, subject_at(s, i), &out);
        assert_true(out.length > 0 && out.data[out.length - 1] == '\n');
        for (size_t k = 0; k < out.length; k++)
            assert_true((unsigned char)out.data[k] >= ' ' || out.data[k] == '\n');
        assert_null(strstr(out.data, " \n")); /* no spaces at the end of a line */
        text_free(&out);
    }
}

void texts_fit_short_buffers(void **state)
{
    subject *s = *state;
    const holos_position *p = subject_at(s, 0);
    size_t length = holos_draw(s->v, p, NULL, 0);
    char *whole = malloc(length + 1), *part = malloc(length + 2);
    assert_true(whole != NULL && part != NULL);
    assert_int_equal(holos_draw(s->v, p, whole, length + 1), length);
    assert_int_equal(strlen(whole), length);
    for (size_t size = 1; size <= length; size++) {
        memset(part, 'Z', length + 2);
        assert_int_equal(holos_draw(s->v, p, part, size), length);
        assert_int_equal(part[size], 'Z');
        assert_true(strlen(part) < size);
        assert_memory_equal(part, whole, strlen(part));
    }
    free(whole);
    free(part);
}

/* ---- Garbage ----------------------------------------------------------------------------------- */

#define GARBAGE_LENGTH 200

/* Random bytes, random bytes of the kind that texts are made of, or a good text with a few bytes wrong. */
static void make_garbage(subject *s, const char *good, char out[GARBAGE_LENGTH + 1])
{
    static const char likely[] = "0123456789,/. xorc=-+|ab12\n";
    size_t length = strlen(good) < GARBAGE_LENGTH ? strlen(good) : GARBAGE_LENGTH;
    uint64_t kind = rng_below(&s->random, 3);
    if (kind < 2) {
        length = rng_below(&s->random, kind == 0 ? 20 : GARBAGE_LENGTH);
        for (size_t i = 0; i < length; i++)
            out[i] = kind == 0 ? (char)(1 + rng_below(&s->random, 255))
                               : likely[rng_below(&s->random, sizeof likely - 1)];
    } else {
        memcpy(out, good, length);
        for (uint64_t n = 1 + rng_below(&s->random, 3); n > 0 && length > 0; n--)
            out[rng_below(&s->random, length)] = likely[rng_below(&s->random, sizeof likely - 1)];
        if (rng_below(&s->random, 4) == 0)
            length = rng_below(&s->random, length + 1);
    }
    out[length] = 0;
}

static void check_error(const holos_error *err, holos_status code, const char *string)
{
    assert_int_equal(err->code, code);
    assert_true(err->message[0] != 0);
    assert_true(err->at >= HOLOS_NOWHERE && err->at <= (int64_t)strlen(string));
}

/* Everything that a position may be used for. */
static void use_position(subject *s, const holos_position *p)
{
    int32_t score, lo = s->v->score_min, hi = s->v->score_max;
    char *written = subject_text(s, p);
    holos_position *read = holos_position_new(s->v);
    assert_int_equal(s->v->game->parse(s->v, written, read, NULL), HOLOS_OK);
    check_same(s, p, read);
    expand_into(s, p, &s->next);
    assert_int_equal(s->next.count == 0, s->v->game->terminal(s->v, p, &score));
    if (s->v->game->back != NULL)
        predecessors_into(s, p, &s->before);
    if (s->v->game->search != NULL && s->v->game->search->bounds != NULL)
        s->v->game->search->bounds(s->v, p, &lo, &hi);
    assert_true(holos_draw(s->v, p, NULL, 0) > 0);
    free(written);
    holos_position_free(read);
}

void garbage_positions_are_refused_or_safe(void **state)
{
    subject *s = *state;
    holos_position *p = holos_position_new(s->v);
    unsigned refused = 0;
    for (int i = 0; i < 3000; i++) {
        char garbage[GARBAGE_LENGTH + 1];
        char *good = subject_text(s, subject_at(s, rng_below(&s->random, s->count)));
        make_garbage(s, good, garbage);
        free(good);
        holos_error err = {0};
        holos_status status = holos_parse(s->v, garbage, p, &err);
        if (status == HOLOS_OK) {
            use_position(s, p);
            continue;
        }
        refused++;
        assert_int_equal(status, HOLOS_BAD_POSITION);
        check_error(&err, HOLOS_BAD_POSITION, garbage);
        assert_int_equal(holos_parse(s->v, garbage, p, NULL), HOLOS_BAD_POSITION);
    }
    assert_true(refused > 100);
    holos_position_free(p);
}

void garbage_moves_are_refused_or_legal(void **state)
{
    subject *s = *state;
    holos_position *out = holos_position_new(s->v);
    for (int i = 0; i < 3000; i++) {
        const holos_position *p = subject_at(s, rng_below(&s->random, s->count));
        char garbage[GARBAGE_LENGTH + 1], good[64] = "";
        expand_into(s, p, &s->next);
        if (s->next.count > 0)
            holos_format_move(s->v, p, s->next.edges[rng_below(&s->random, s->next.count)].move, good,
                              sizeof good);
        make_garbage(s, good, garbage);
        holos_error err = {0};
        holos_move move;
        if (holos_parse_move(s->v, p, garbage, &move, &err) == HOLOS_OK)
            assert_int_equal(holos_play(s->v, p, move, out, &err), HOLOS_OK);
        else
            check_error(&err, HOLOS_BAD_MOVE, garbage);
    }
    holos_position_free(out);
}
