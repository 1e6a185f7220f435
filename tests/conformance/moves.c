/* SPDX-License-Identifier: MIT */

/* Properties of moves and edges. */

#include "conformance.h"

#include <stdlib.h>
#include <string.h>

static bool edges_equal(const holos_edge *a, const holos_edge *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

void variant_is_well_formed(void **state)
{
    const subject *s = *state;
    const holos_game *game = s->v->game;
    assert_int_equal(s->v->position_size % 16, 0);
    assert_true(s->v->score_min <= s->v->score_max);
    assert_true(s->v->max_successors > 0);
    /* A variant may have no way back, the game itself has one if it says so. */
    bool is_default = strcmp(s->name, game->name) == 0;
    assert_true(game->back != NULL ? !is_default || s->v->max_predecessors > 0 : s->v->max_predecessors == 0);
    assert_int_equal((game->traits & HOLOS_TRAIT_GAINS) != 0, game->banked != NULL);
    assert_int_equal((game->traits & HOLOS_TRAIT_PUZZLE) != 0, game->puzzle != NULL);
    const char *words[] = {game->name,         game->title,         game->summary,
                           game->variant_help, game->position_help, game->score_help};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        assert_true(words[i] != NULL && words[i][0] != 0);
    /* The full name opens the same variant. */
    holos_variant *again;
    assert_int_equal(holos_open(s->v->name, &again, NULL), HOLOS_OK);
    assert_string_equal(again->name, s->v->name);
    holos_close(again);
}

void expand_agrees_with_play(void **state)
{
    subject *s = *state;
    holos_position *played = holos_position_new(s->v);
    for (size_t i = 0; i < s->count; i++) {
        const holos_position *p = subject_at(s, i);
        expand_into(s, p, &s->next);
        for (uint32_t k = 0; k < s->next.count; k++) {
            holos_edge edge = s->v->game->play(s->v, p, s->next.edges[k].move, played);
            assert_true(edges_equal(&edge, &s->next.edges[k]));
            assert_true(subject_equal(s, played, neighbour_at(s, &s->next, k)));
            assert_true(holos_key_equal(s->v->game->key(s->v, played), s->next.keys[k]));
            /* The result may take the place of the position. */
            memcpy(played, p, s->v->position_size);
            s->v->game->play(s->v, played, edge.move, played);
            assert_true(subject_equal(s, played, neighbour_at(s, &s->next, k)));
        }
    }
    holos_position_free(played);
}

void height_falls_with_every_move(void **state)
{
    subject *s = *state;
    const holos_game *game = s->v->game;
    for (size_t i = 0; i < s->count; i++) {
        const holos_position *p = subject_at(s, i);
        expand_into(s, p, &s->next);
        for (uint32_t k = 0; k < s->next.count; k++)
            assert_true(game->height(s->v, neighbour_at(s, &s->next, k)) < game->height(s->v, p));
    }
}

typedef uint32_t neighbours_function(const holos_variant *v, const holos_position *p, holos_edges out);

/* Each of the three arrays alone has what it has together with the others, and bare edges what they must have. */
static void check_alone(const subject *s, neighbours_function *f, const holos_position *p,
                        const neighbours *all, const neighbours *alone)
{
    uint32_t n = all->count;
    assert_int_equal(f(s->v, p, (holos_edges){.edges = alone->edges}), n);
    assert_memory_equal(alone->edges, all->edges, n * sizeof *all->edges);
    assert_int_equal(f(s->v, p, (holos_edges){.positions = alone->positions}), n);
    assert_memory_equal(alone->positions, all->positions, n * s->v->position_size);
    assert_int_equal(f(s->v, p, (holos_edges){.keys = alone->keys}), n);
    assert_memory_equal(alone->keys, all->keys, n * sizeof *all->keys);
    assert_int_equal(f(s->v, p, (holos_edges){0}), n);
    assert_int_equal(f(s->v, p, (holos_edges){.edges = alone->edges, .bare = true}), n);
    for (uint32_t i = 0; i < n; i++) {
        const holos_edge *bare = &alone->edges[i], *full = &all->edges[i];
        assert_int_equal(bare->move, full->move);
        assert_int_equal(bare->gain, full->gain);
        assert_int_equal(bare->flags & ~HOLOS_EDGE_FORCING, full->flags & ~HOLOS_EDGE_FORCING);
    }
}

void only_what_is_wanted_is_filled(void **state)
{
    subject *s = *state;
    const holos_game *game = s->v->game;
    for (size_t i = 0; i < s->count; i++) {
        const holos_position *p = subject_at(s, i);
        expand_into(s, p, &s->next);
        check_alone(s, game->expand, p, &s->next, &s->further);
        for (uint32_t k = 0; k < s->next.count; k++)
            for (uint32_t j = 0; j < k; j++)
                assert_int_not_equal(s->next.edges[j].move, s->next.edges[k].move);
        if (game->search != NULL && game->search->expand != NULL) {
            search_expand_into(s, p, &s->next);
            check_alone(s, game->search->expand, p, &s->next, &s->further);
        }
        if (game->back != NULL) {
            predecessors_into(s, p, &s->before);
            check_alone(s, game->back->predecessors, p, &s->before, &s->earlier);
        }
    }
}

void game_is_over_exactly_without_moves(void **state)
{
    subject *s = *state;
    size_t over = 0;
    for (size_t i = 0; i < s->count; i++) {
        int32_t score;
        expand_into(s, subject_at(s, i), &s->next);
        bool terminal = s->v->game->terminal(s->v, subject_at(s, i), &score);
        assert_int_equal(terminal, s->next.count == 0);
        over += terminal;
    }
    assert_true(over > 0 && over < s->count);
}

void side_follows_the_edges(void **state)
{
    subject *s = *state;
    uint32_t traits = s->v->game->traits;
    for (size_t i = 0; i < s->count; i++) {
        unsigned side = s->v->game->side(s->v, subject_at(s, i));
        assert_in_range(side, 0, 1);
        expand_into(s, subject_at(s, i), &s->next);
        for (uint32_t k = 0; k < s->next.count; k++) {
            bool same = (s->next.edges[k].flags & HOLOS_EDGE_SAME_SIDE) != 0;
            assert_int_equal(s->v->game->side(s->v, neighbour_at(s, &s->next, k)), same ? side : 1 - side);
            assert_true(!same || (traits & (HOLOS_TRAIT_SAME_SIDE | HOLOS_TRAIT_SOLITAIRE)) != 0);
            assert_true(same || (traits & HOLOS_TRAIT_SOLITAIRE) == 0);
            assert_int_equal(s->next.edges[k].reserved, 0);
        }
    }
}

void banked_points_follow_the_gains(void **state)
{
    subject *s = *state;
    for (size_t i = 0; i < s->count; i++) {
        int32_t banked = game_banked(s->v, subject_at(s, i));
        expand_into(s, subject_at(s, i), &s->next);
        for (uint32_t k = 0; k < s->next.count; k++) {
            holos_edge edge = s->next.edges[k];
            int32_t after = game_banked(s->v, neighbour_at(s, &s->next, k));
            assert_int_equal(banked + edge.gain, (edge.flags & HOLOS_EDGE_SAME_SIDE) != 0 ? after : -after);
            assert_true(s->v->game->banked != NULL || edge.gain == 0);
        }
    }
}

static bool is_among(const neighbours *n, holos_move move)
{
    for (uint32_t i = 0; i < n->count; i++)
        if (n->edges[i].move == move)
            return true;
    return false;
}

void illegal_moves_are_refused(void **state)
{
    subject *s = *state;
    holos_position *out = holos_position_new(s->v);
    for (size_t i = 0; i < s->count; i++) {
        const holos_position *p = subject_at(s, i);
        holos_move *moves = calloc(s->v->max_successors, sizeof *moves);
        assert_non_null(moves);
        expand_into(s, p, &s->next);
        assert_int_equal(holos_moves(s->v, p, moves, s->v->max_successors), s->next.count);
        for (uint32_t k = 0; k < s->next.count; k++)
            assert_int_equal(moves[k], s->next.edges[k].move);
        free(moves);
        for (int tries = 0; tries < 8; tries++) {
            holos_error err = {0};
            holos_move move = (holos_move)rng_below(&s->random, tries % 2 == 0 ? 1000 : UINT32_MAX);
            bool legal = is_among(&s->next, move);
            char buffer[64];
            assert_int_equal(holos_play(s->v, p, move, out, &err), legal ? HOLOS_OK : HOLOS_BAD_MOVE);
            assert_true(legal || err.message[0] != 0);
            holos_format_move(s->v, p, move, buffer, sizeof buffer);
            assert_int_equal(strcmp(buffer, "?") != 0, legal);
        }
    }
    holos_position_free(out);
}

/* ---- The way back ------------------------------------------------------------------------------ */

static bool has_predecessor(const subject *s, const neighbours *n, const holos_position *p,
                            const holos_edge *edge)
{
    for (uint32_t i = 0; i < n->count; i++)
        if (edges_equal(&n->edges[i], edge) && subject_equal(s, neighbour_at(s, n, i), p))
            return true;
    return false;
}

/* False of a variant that has none, in which case no position may have a predecessor. */
static bool has_way_back(subject *s)
{
    if (s->v->max_predecessors > 0)
        return true;
    for (size_t i = 0; i < s->count; i++) {
        predecessors_into(s, subject_at(s, i), &s->before);
        assert_int_equal(s->before.count, 0);
    }
    return false;
}

void successors_know_their_predecessor(void **state)
{
    subject *s = *state;
    if (!has_way_back(s))
        return;
    for (size_t i = 0; i < s->count; i++) {
        expand_into(s, subject_at(s, i), &s->next);
        uint32_t step = s->next.count / 16 + 1; /* of many successors, some */
        for (uint32_t k = 0; k < s->next.count; k += step) {
            predecessors_into(s, neighbour_at(s, &s->next, k), &s->before);
            if (!has_predecessor(s, &s->before, subject_at(s, i), &s->next.edges[k]))
                fail_msg("%s is missing among the predecessors of its successor %u",
                         subject_text(s, subject_at(s, i)), k);
        }
    }
}

static void check_distinct(const subject *s, const neighbours *n)
{
    for (uint32_t i = 0; i < n->count; i++)
        for (uint32_t k = 0; k < i; k++)
            assert_false(n->edges[i].move == n->edges[k].move &&
                         subject_equal(s, neighbour_at(s, n, i), neighbour_at(s, n, k)));
}

void predecessors_lead_here(void **state)
{
    subject *s = *state;
    if (!has_way_back(s))
        return;
    holos_position *out = holos_position_new(s->v);
    size_t seen = 0;
    for (size_t i = 0; i < s->count; i++) {
        predecessors_into(s, subject_at(s, i), &s->before);
        for (uint32_t k = 0; k < s->before.count; k++) {
            const holos_position *before = neighbour_at(s, &s->before, k);
            int32_t score;
            assert_false(s->v->game->terminal(s->v, before, &score));
            expand_into(s, before, &s->next);
            assert_true(is_among(&s->next, s->before.edges[k].move));
            holos_edge edge = s->v->game->play(s->v, before, s->before.edges[k].move, out);
            assert_true(edges_equal(&edge, &s->before.edges[k]));
            assert_true(subject_equal(s, out, subject_at(s, i)));
            assert_true(holos_key_equal(s->v->game->key(s->v, before), s->before.keys[k]));
        }
        check_distinct(s, &s->before);
        seen += s->before.count;
    }
    assert_true(seen > 0);
    holos_position_free(out);
}

void seeds_of_waves_are_over(void **state)
{
    enum { MOST = 16 };
    subject *s = *state;
    holos_position *seeds = aligned_alloc(16, MOST * s->v->position_size);
    assert_non_null(seeds);
    for (size_t i = 0; i < s->count; i++) {
        uint32_t count = s->v->game->back->seeds(s->v, subject_at(s, i), i, MOST, seeds);
        assert_true(count <= MOST);
        for (uint32_t k = 0; k < count; k++) {
            int32_t score;
            assert_true(s->v->game->terminal(s->v, position_at(s->v, seeds, k), &score));
        }
    }
    free(seeds);
}
