/* SPDX-License-Identifier: MIT */

/* What tests of a game's rules are written with: a position goes in as text, a move is played, and what
 * comes out is compared. Each call stands alone. */

#ifndef HOLOS_GAME_FIXTURE_H
#define HOLOS_GAME_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "game/game.h"

#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    holos_variant *v;
    holos_position *p;
    holos_error err;
} fixture;

static inline void fixture_parse(fixture *f, const char *position)
{
    if (holos_parse(f->v, position, f->p, &f->err) != HOLOS_OK)
        fail_msg("%s %s: %s", f->v->name, position, f->err.message);
}

static inline fixture fixture_open(const char *variant, const char *position)
{
    fixture f = {0};
    if (holos_open(variant, &f.v, &f.err) != HOLOS_OK)
        fail_msg("%s: %s", variant, f.err.message);
    f.p = holos_position_new(f.v);
    assert_non_null(f.p);
    if (position != NULL)
        fixture_parse(&f, position);
    return f;
}

static inline void fixture_close(fixture *f)
{
    holos_position_free(f->p);
    holos_close(f->v);
}

/* Plays a move and returns the edge. */
static inline holos_edge fixture_play(fixture *f, const char *move)
{
    holos_move m;
    if (holos_parse_move(f->v, f->p, move, &m, &f->err) != HOLOS_OK)
        fail_msg("%s: %s", move, f->err.message);
    return f->v->game->play(f->v, f->p, m, f->p);
}

/* `position` is what comes of it; its text need not be the one that format would choose. */
static inline holos_edge assert_plays(const char *variant, const char *from, const char *move, const char *to)
{
    fixture f = fixture_open(variant, from), expected = fixture_open(variant, to);
    holos_edge edge = fixture_play(&f, move);
    char got[512];
    holos_format(f.v, f.p, got, sizeof got);
    if (memcmp(f.p, expected.p, f.v->position_size) != 0)
        fail_msg("%s %s, %s: got %s instead of %s", variant, from, move, got, to);
    fixture_close(&f);
    fixture_close(&expected);
    return edge;
}

static inline void assert_error(const holos_error *err, int64_t at, const char *message)
{
    assert_string_equal(err->message, message);
    assert_int_equal(err->at, at);
}

static inline void assert_variant_refused(const char *variant, int64_t at, const char *message)
{
    fixture f = {0};
    assert_int_equal(holos_open(variant, &f.v, &f.err), HOLOS_BAD_VARIANT);
    assert_null(f.v);
    assert_error(&f.err, at, message);
}

static inline void assert_position_refused(const char *variant, const char *position, int64_t at,
                                           const char *message)
{
    fixture f = fixture_open(variant, NULL);
    assert_int_equal(holos_parse(f.v, position, f.p, &f.err), HOLOS_BAD_POSITION);
    assert_error(&f.err, at, message);
    fixture_close(&f);
}

static inline void assert_move_refused(const char *variant, const char *position, const char *move,
                                       int64_t at, const char *message)
{
    fixture f = fixture_open(variant, position);
    holos_move m;
    assert_int_equal(holos_parse_move(f.v, f.p, move, &m, &f.err), HOLOS_BAD_MOVE);
    assert_error(&f.err, at, message);
    fixture_close(&f);
}

/* The game is over, and the score for the side to move is this. */
static inline void assert_over(const char *variant, const char *position, int32_t score)
{
    fixture f = fixture_open(variant, position);
    holos_value value = {0};
    assert_true(holos_terminal(f.v, f.p, &value));
    assert_int_equal(value.lo, score);
    assert_int_equal(value.hi, score);
    assert_int_equal(value.distance, 0);
    assert_int_equal(value.source, HOLOS_SOURCE_RULES);
    fixture_close(&f);
}

static inline void assert_goes_on(const char *variant, const char *position)
{
    fixture f = fixture_open(variant, position);
    holos_value value;
    assert_false(holos_terminal(f.v, f.p, &value));
    fixture_close(&f);
}

/* What the game says about the value without search. */
static inline void assert_bounds(const char *variant, const char *position, int32_t lo, int32_t hi)
{
    fixture f = fixture_open(variant, position);
    int32_t got_lo = f.v->score_min, got_hi = f.v->score_max;
    f.v->game->search->bounds(f.v, f.p, &got_lo, &got_hi);
    assert_int_equal(got_lo, lo);
    assert_int_equal(got_hi, hi);
    fixture_close(&f);
}

static inline void assert_format(const char *variant, const char *position, const char *expected)
{
    fixture f = fixture_open(variant, position);
    char got[512];
    holos_format(f.v, f.p, got, sizeof got);
    assert_string_equal(got, expected);
    fixture_close(&f);
}

static inline void assert_drawing(const char *variant, const char *position, const char *expected)
{
    fixture f = fixture_open(variant, position);
    char got[4096];
    holos_draw(f.v, f.p, got, sizeof got);
    assert_string_equal(got, expected);
    fixture_close(&f);
}

static inline bool keys_equal(const char *variant, const char *a, const char *b)
{
    fixture f = fixture_open(variant, a), g = fixture_open(variant, b);
    bool equal = holos_key_equal(f.v->game->key(f.v, f.p), g.v->game->key(g.v, g.p));
    fixture_close(&f);
    fixture_close(&g);
    return equal;
}

/* The positions with a move to this one, as texts: the caller says whether one is among them. */
static inline bool is_predecessor(const char *variant, const char *before, const char *position,
                                  const char *move)
{
    fixture f = fixture_open(variant, position), expected = fixture_open(variant, before);
    const holos_variant *v = f.v;
    holos_edge *edges = malloc(v->max_predecessors * sizeof *edges);
    holos_position *found = aligned_alloc(16, v->max_predecessors * v->position_size);
    assert_true(edges != NULL && found != NULL);
    uint32_t count = v->game->back->predecessors(v, f.p, (holos_edges){.edges = edges, .positions = found});
    bool among = false;
    for (uint32_t i = 0; i < count; i++) {
        const holos_position *p = position_at(v, found, i);
        char written[64];
        holos_format_move(v, p, edges[i].move, written, sizeof written);
        among |= memcmp(p, expected.p, v->position_size) == 0 && strcmp(written, move) == 0;
    }
    free(edges);
    free(found);
    fixture_close(&f);
    fixture_close(&expected);
    return among;
}

/* How many positions have a move to this one. */
static inline uint32_t count_predecessors(const char *variant, const char *position)
{
    fixture f = fixture_open(variant, position);
    holos_edge *edges = malloc(f.v->max_predecessors * sizeof *edges);
    assert_non_null(edges);
    uint32_t count = f.v->game->back->predecessors(f.v, f.p, (holos_edges){.edges = edges});
    free(edges);
    fixture_close(&f);
    return count;
}

#endif
