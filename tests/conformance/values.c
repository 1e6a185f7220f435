/* SPDX-License-Identifier: MIT */

/* Properties of values, held against a minimax that knows nothing but the definition. It takes only the
 * positions of the sample that it can finish; there have to be some. */

#include "conformance.h"

#include "core/clock.h"

#include <stdlib.h>
#include <string.h>

typedef void check_function(subject *s, const holos_position *p, int32_t value);

static void for_each_value(subject *s, check_function *check)
{
    size_t known = 0;
    for (size_t i = 0; i < s->count; i++) {
        int32_t value;
        if (!minimax_sample_value(s, i, &value))
            continue;
        check(s, subject_at(s, i), value);
        known++;
    }
    assert_true(known >= 10);
}

static void check_range(subject *s, const holos_position *p, int32_t value)
{
    int32_t score = value + game_banked(s->v, p);
    assert_true(score >= s->v->score_min && score <= s->v->score_max);
}

void scores_stay_in_range(void **state)
{
    for_each_value(*state, check_range);
}

/* The minimax asserts it for every position it meets; here it meets the images, too. */
static void check_images(subject *s, const holos_position *p, int32_t value)
{
    if (s->v->game->symmetries == NULL)
        return;
    holos_position *images = aligned_alloc(16, s->v->game->max_symmetries * s->v->position_size);
    assert_non_null(images);
    uint32_t count = s->v->game->symmetries(s->v, p, images);
    for (uint32_t i = 1; i < count; i++) {
        int32_t image_value;
        if (minimax_value(s, position_at(s->v, images, i), &image_value))
            assert_int_equal(image_value, value);
    }
    free(images);
}

void equal_keys_have_equal_values(void **state)
{
    for_each_value(*state, check_images);
}

static void check_bounds(subject *s, const holos_position *p, int32_t value)
{
    int32_t lo = INT32_MIN / 2, hi = INT32_MAX / 2;
    s->v->game->search->bounds(s->v, p, &lo, &hi);
    if (value < lo || value > hi)
        fail_msg("%s is worth %d, but its bounds are [%d, %d]", subject_text(s, p), (int)value, (int)lo,
                 (int)hi);
    /* What is known already is not widened. */
    lo = hi = value;
    s->v->game->search->bounds(s->v, p, &lo, &hi);
    assert_int_equal(lo, value);
    assert_int_equal(hi, value);
}

void bounds_contain_the_value(void **state)
{
    for_each_value(*state, check_bounds);
}

/* The edge of `n` that has the move. */
static uint32_t find_move(const neighbours *n, holos_move move)
{
    for (uint32_t i = 0; i < n->count; i++)
        if (n->edges[i].move == move)
            return i;
    fail_msg("search.expand has a move that expand has not");
    return 0;
}

static void check_search_expand(subject *s, const holos_position *p, int32_t value)
{
    int32_t score, best = INT32_MIN;
    if (s->v->game->terminal(s->v, p, &score))
        return;
    expand_into(s, p, &s->next);
    search_expand_into(s, p, &s->further);
    assert_true(s->further.count > 0);
    for (uint32_t i = 0; i < s->further.count; i++) {
        uint32_t same = find_move(&s->next, s->further.edges[i].move);
        assert_memory_equal(&s->further.edges[i], &s->next.edges[same], sizeof(holos_edge));
        assert_true(subject_equal(s, neighbour_at(s, &s->further, i), neighbour_at(s, &s->next, same)));
        assert_true(holos_key_equal(s->further.keys[i], s->next.keys[same]));
        int32_t child;
        assert_true(minimax_value(s, neighbour_at(s, &s->further, i), &child));
        if (edge_score(s->further.edges[i], child) > best)
            best = edge_score(s->further.edges[i], child);
    }
    assert_int_equal(best, value);
}

void search_expand_keeps_the_value(void **state)
{
    for_each_value(*state, check_search_expand);
}

static void check_distance(subject *s, const holos_position *p, int32_t value)
{
    const holos_search *search = s->v->game->search;
    int32_t score;
    uint16_t distance = search->distance(s->v, p, value);
    if (distance == HOLOS_NO_DISTANCE)
        return;
    if (s->v->game->terminal(s->v, p, &score)) {
        assert_int_equal(distance, 0);
        return;
    }
    expand_into(s, p, &s->next);
    for (uint32_t i = 0; i < s->next.count; i++) {
        int32_t child;
        assert_true(minimax_value(s, neighbour_at(s, &s->next, i), &child));
        if (edge_score(s->next.edges[i], child) == value)
            assert_int_equal(search->distance(s->v, neighbour_at(s, &s->next, i), child) + 1, distance);
    }
}

void distance_falls_by_one_along_best_play(void **state)
{
    for_each_value(*state, check_distance);
}

/* ---- Puzzles ----------------------------------------------------------------------------------- */

/* The solver's verdict is the value, and its solution is one: full, and reached from the position. */
static void check_count(subject *s, const holos_position *p, int32_t value)
{
    holos_position *first = holos_position_new(s->v);
    holos_puzzle_answer answer = game_count_solutions(s->v, p, 1000, first);
    assert_true(answer.complete);
    assert_int_equal(answer.solutions > 0, value);
    if (answer.solutions > 0) {
        int32_t score;
        assert_true(s->v->game->terminal(s->v, first, &score));
        assert_int_equal(score, 1);
    }
    holos_position_free(first);
}

void solutions_are_counted_right(void **state)
{
    for_each_value(*state, check_count);
}

static void check_toward(subject *s, const holos_position *from, int32_t value)
{
    const holos_puzzle *puzzle = s->v->game->puzzle;
    holos_position *p = holos_position_new(s->v), *solution = holos_position_new(s->v);
    int32_t score = 0;
    game_count_solutions(s->v, from, 1, solution);
    memcpy(p, from, s->v->position_size);
    while (value > 0 && !s->v->game->terminal(s->v, p, &score))
        assert_int_equal(holos_play(s->v, p, puzzle->toward(s->v, p, solution), p, NULL), HOLOS_OK);
    assert_true(value == 0 || subject_equal(s, p, solution));
    holos_position_free(p);
    holos_position_free(solution);
}

void steps_toward_a_solution_arrive(void **state)
{
    for_each_value(*state, check_toward);
}
