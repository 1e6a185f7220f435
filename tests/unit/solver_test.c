/* SPDX-License-Identifier: MIT */

/* The solver and its engines, against known answers and against a plain minimax over the contract. */

#include "core/rng.h"
#include "core/table.h"
#include "engine/engine.h"

#include <holos/holos.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Help -------------------------------------------------------------------------------------- */

typedef struct fixture {
    holos_variant *v;
    holos_position *p;
    holos_solver *solver;
    holos_result result;
    holos_error err;
} fixture;

static fixture fixture_open(const char *variant, const holos_solver_options *options)
{
    fixture f = {0};
    if (holos_open(variant, &f.v, &f.err) != HOLOS_OK)
        fail_msg("%s: %s", variant, f.err.message);
    f.p = holos_position_new(f.v);
    assert_non_null(f.p);
    if (holos_solver_open(f.v, options, &f.solver, &f.err) != HOLOS_OK)
        fail_msg("%s: %s", variant, f.err.message);
    return f;
}

static void fixture_close(fixture *f)
{
    holos_solver_close(f->solver);
    holos_position_free(f->p);
    holos_close(f->v);
}

static holos_status fixture_solve(fixture *f, const char *position)
{
    if (holos_parse(f->v, position, f->p, &f->err) != HOLOS_OK)
        fail_msg("%s: %s", position, f->err.message);
    return holos_solver_solve(f->solver, f->p, &f->result, &f->err);
}

static void assert_score(const char *variant, const char *position, int32_t score)
{
    fixture f = fixture_open(variant, NULL);
    assert_int_equal(fixture_solve(&f, position), HOLOS_OK);
    if (f.result.value.lo != score || f.result.value.hi != score)
        fail_msg("%s %s: [%d, %d], not %d", variant, position, f.result.value.lo, f.result.value.hi, score);
    fixture_close(&f);
}

/* What a position is worth by the definition of the contract alone: no bounds, no ordering, no windows. */
typedef struct truth {
    int32_t score;
    int32_t distance; /* the winner hurries, the loser delays; only for games without gains */
} truth;

typedef struct oracle {
    const holos_variant *v;
    table known;
} oracle;

static bool truth_better(truth a, truth b)
{
    if (a.score != b.score)
        return a.score > b.score;
    return a.score > 0 ? a.distance < b.distance : a.distance > b.distance;
}

static truth oracle_ask(oracle *o, const holos_position *p)
{
    holos_key key = o->v->game->key(o->v, p);
    truth *there = table_find(&o->known, key);
    if (there != NULL)
        return *there;
    truth best = {.score = INT32_MIN};
    int32_t score;
    if (o->v->game->terminal(o->v, p, &score)) {
        best.score = score;
    } else {
        holos_edge *edges = malloc(o->v->max_successors * sizeof *edges);
        holos_position *children = aligned_alloc(16, o->v->max_successors * o->v->position_size);
        uint32_t count = o->v->game->expand(o->v, p, (holos_edges){.edges = edges, .positions = children});
        for (uint32_t i = 0; i < count; i++) {
            truth child = oracle_ask(o, position_at(o->v, children, i));
            truth mine = {edge_score(edges[i], child.score), child.distance + 1};
            if (best.score == INT32_MIN || truth_better(mine, best))
                best = mine;
        }
        free(children);
        free(edges);
    }
    bool fresh;
    truth *slot = table_insert(&o->known, key, &fresh);
    assert_non_null(slot);
    return *slot = best;
}

static oracle oracle_open(const holos_variant *v)
{
    oracle o = {.v = v};
    holos_error err;
    assert_int_equal(table_init(&o.known, NULL, sizeof(truth), 1000, &err), HOLOS_OK);
    return o;
}

/* A random position of the game, `plies` from the start or as near as the game lasts. */
static void position_random(const holos_variant *v, rng *r, unsigned plies, holos_position *p)
{
    holos_move moves[64];
    assert_int_equal(holos_start(v, p, NULL), HOLOS_OK);
    for (unsigned i = 0; i < plies; i++) {
        size_t count = holos_moves(v, p, moves, 64);
        if (count == 0)
            return;
        assert_int_equal(holos_play(v, p, moves[rng_below(r, count)], p, NULL), HOLOS_OK);
    }
}

/* ---- Known answers ----------------------------------------------------------------------------- */

static void test_connect4_small_boards_have_their_known_values(void **state)
{
    (void)state;
    assert_score("connect4:4x4", "start", 0);
    assert_score("connect4:5x4", "start", 0);
    assert_score("connect4:6x4", "start", -1);
    assert_score("connect4:5x5", "start", 0);
}

static void test_kalah_openings_have_their_known_values(void **state)
{
    /* Pit by pit: the values of the opening moves under the standard rules. */
    static const struct {
        const char *variant;
        int32_t pits[3];
    } known[] = {
        {"kalah:2,1", {-2, 2}},    {"kalah:2,2", {-4, -2}},   {"kalah:2,3", {-2, -4}},
        {"kalah:3,1", {0, -4, 0}}, {"kalah:3,2", {-8, 4, 0}}, {"kalah:3,3", {2, 2, -4}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        fixture f = fixture_open(known[i].variant, &(holos_solver_options){.moves = true});
        assert_int_equal(fixture_solve(&f, "start"), HOLOS_OK);
        int32_t best = INT32_MIN;
        for (size_t m = 0; m < f.result.move_count; m++) {
            assert_int_equal(f.result.moves[m].value.lo, known[i].pits[m]);
            assert_int_equal(f.result.moves[m].value.hi, known[i].pits[m]);
            best = known[i].pits[m] > best ? known[i].pits[m] : best;
        }
        assert_int_equal(f.result.value.lo, best);
        fixture_close(&f);
    }
}

static void test_kalah_capture_of_nothing_changes_the_value_of_4_3(void **state)
{
    (void)state;
    assert_score("kalah:4,3", "start", 6);
    assert_score("kalah:4,3,empty-capture", "start", 8);
}

static void test_seeds_in_the_stores_count_towards_the_score(void **state)
{
    (void)state;
    /* The last seed goes home and ends the game; the other side keeps its one seed. */
    assert_score("kalah:2,1", "0,1,0/1,0,0 1", 1 - 1);
    assert_score("kalah:2,1", "0,1,7/1,0,2 1", 7 + 1 - 2 - 1);
}

/* ---- Against a plain minimax ------------------------------------------------------------------- */

static const char *const small_variants[] = {
    "connect4:4x4",        "connect4:3x5", "kalah:3,2",  "kalah:2,3", "kalah:3,2,empty-capture",
    "kalah:3,1,mover-end", "nim:3,4,5",    "nim:1,2,3,4"};

static void test_values_and_distances_equal_plain_minimax(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof small_variants / sizeof *small_variants; i++) {
        bool gains = strncmp(small_variants[i], "kalah", 5) == 0; /* which have no distances */
        fixture f = fixture_open(small_variants[i], &(holos_solver_options){.distance = !gains});
        oracle o = oracle_open(f.v);
        rng r;
        rng_init(&r, 1, i);
        for (int n = 0; n < 200; n++) {
            position_random(f.v, &r, (unsigned)rng_below(&r, 12), f.p);
            truth t = oracle_ask(&o, f.p);
            assert_int_equal(holos_solver_solve(f.solver, f.p, &f.result, &f.err), HOLOS_OK);
            int32_t score = t.score + game_banked(f.v, f.p);
            if (f.result.value.lo != score || f.result.value.hi != score) {
                char there[256];
                holos_format(f.v, f.p, there, sizeof there);
                fail_msg("%s %s: [%d, %d], not %d", small_variants[i], there, f.result.value.lo,
                         f.result.value.hi, score);
            }
            if (f.result.value.distance != HOLOS_NO_DISTANCE)
                assert_int_equal(f.result.value.distance, t.distance);
            else
                assert_true(t.score == 0 || (f.v->game->traits & HOLOS_TRAIT_GAINS) != 0);
        }
        table_free(&o.known);
        fixture_close(&f);
    }
}

static void test_every_move_has_its_value_and_the_best_ones_are_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof small_variants / sizeof *small_variants; i++) {
        fixture f = fixture_open(small_variants[i], &(holos_solver_options){.moves = true});
        holos_position *child = holos_position_new(f.v);
        oracle o = oracle_open(f.v);
        rng r;
        rng_init(&r, 2, i);
        for (int n = 0; n < 50; n++) {
            position_random(f.v, &r, (unsigned)rng_below(&r, 10), f.p);
            assert_int_equal(holos_solver_solve(f.solver, f.p, &f.result, &f.err), HOLOS_OK);
            size_t best = 0;
            for (size_t m = 0; m < f.result.move_count; m++) {
                holos_move_value mv = f.result.moves[m];
                holos_edge edge = f.v->game->play(f.v, f.p, mv.move, child);
                int32_t score = edge_score(edge, oracle_ask(&o, child).score) + game_banked(f.v, f.p);
                assert_int_equal(mv.value.lo, score);
                assert_int_equal(mv.value.hi, score);
                if (score == f.result.value.lo)
                    assert_int_equal(f.result.best[best++], mv.move);
            }
            assert_int_equal(f.result.best_count, best);
        }
        table_free(&o.known);
        holos_position_free(child);
        fixture_close(&f);
    }
}

/* Plays the line from f->p: the score it ends with, for the side that was to move at first. */
static int32_t line_play(fixture *f)
{
    int32_t sign = 1, score, total = game_banked(f->v, f->p);
    for (size_t i = 0; i < f->result.line_length; i++) {
        holos_edge edge = f->v->game->play(f->v, f->p, f->result.line[i], f->p);
        total += sign * edge.gain;
        if ((edge.flags & HOLOS_EDGE_SAME_SIDE) == 0)
            sign = -sign;
    }
    assert_true(f->v->game->terminal(f->v, f->p, &score));
    return total + sign * score;
}

static void test_the_line_ends_the_game_with_the_value(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof small_variants / sizeof *small_variants; i++) {
        fixture f = fixture_open(small_variants[i], &(holos_solver_options){.line = true});
        rng r;
        rng_init(&r, 3, i);
        for (int n = 0; n < 50; n++) {
            position_random(f.v, &r, (unsigned)rng_below(&r, 8), f.p);
            assert_int_equal(holos_solver_solve(f.solver, f.p, &f.result, &f.err), HOLOS_OK);
            if (f.result.value.distance != HOLOS_NO_DISTANCE)
                assert_int_equal(f.result.line_length, f.result.value.distance);
            assert_int_equal(line_play(&f), f.result.value.lo);
        }
        fixture_close(&f);
    }
}

static void test_the_line_does_not_depend_on_what_was_solved_before(void **state)
{
    (void)state;
    holos_solver_options options = {.line = true};
    fixture fresh = fixture_open("connect4:5x4", &options), used = fixture_open("connect4:5x4", &options);
    holos_move line[64];
    fixture_solve(&fresh, "13");
    memcpy(line, fresh.result.line, fresh.result.line_length * sizeof *line);
    static const char *const others[] = {"start", "3", "33", "1224", "5"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        fixture_solve(&used, others[i]);
    fixture_solve(&used, "13");
    assert_int_equal(used.result.line_length, fresh.result.line_length);
    assert_memory_equal(used.result.line, line, used.result.line_length * sizeof *line);
    fixture_close(&fresh);
    fixture_close(&used);
}

static void test_weak_tells_the_outcome(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof small_variants / sizeof *small_variants; i++) {
        fixture f =
            fixture_open(small_variants[i], &(holos_solver_options){.weak = true, .moves = i % 2 == 0});
        oracle o = oracle_open(f.v);
        rng r;
        rng_init(&r, 4, i);
        for (int n = 0; n < 100; n++) {
            position_random(f.v, &r, (unsigned)rng_below(&r, 10), f.p);
            int32_t score = oracle_ask(&o, f.p).score + game_banked(f.v, f.p);
            assert_int_equal(holos_solver_solve(f.solver, f.p, &f.result, &f.err), HOLOS_OK);
            assert_in_range(score - f.result.value.lo + 1000, 1000, 3000);
            assert_in_range(f.result.value.hi - score + 1000, 1000, 3000);
            if (score > 0)
                assert_true(f.result.value.lo > 0);
            else if (score < 0)
                assert_true(f.result.value.hi < 0);
            else
                assert_true(f.result.value.lo == 0 && f.result.value.hi == 0);
        }
        table_free(&o.known);
        fixture_close(&f);
    }
}

/* ---- Limits ------------------------------------------------------------------------------------ */

static void test_a_limit_of_nodes_gives_an_interval_with_the_truth_in_it(void **state)
{
    (void)state;
    for (uint64_t nodes = 1; nodes < 40000; nodes += nodes / 2 + 1) {
        fixture f = fixture_open("connect4:6x4",
                                 &(holos_solver_options){.limits.nodes = nodes, .moves = nodes % 2 == 0});
        holos_status status = fixture_solve(&f, "start");
        assert_true(f.result.value.lo <= -1 && f.result.value.hi >= -1);
        assert_true(f.result.nodes <= nodes);
        if (status == HOLOS_LIMIT)
            assert_non_null(strstr(f.err.message, "the node limit"));
        else
            assert_int_equal(f.result.value.lo, f.result.value.hi);
        fixture_close(&f);
    }
}

static void test_a_limit_of_time_stops_a_hopeless_search(void **state)
{
    (void)state;
    fixture f = fixture_open("kalah:6,6", &(holos_solver_options){.limits.seconds = 0.05, .line = true});
    assert_int_equal(fixture_solve(&f, "start"), HOLOS_LIMIT);
    assert_true(f.result.value.lo < f.result.value.hi);
    assert_non_null(strstr(f.err.message, "the time limit"));
    fixture_close(&f);
}

static void test_the_stop_flag_stops(void **state)
{
    (void)state;
    holos_stop stop = {.asked = 1};
    fixture f = fixture_open("kalah:6,4", &(holos_solver_options){.limits.stop = &stop});
    assert_int_equal(fixture_solve(&f, "start"), HOLOS_INTERRUPTED);
    assert_true(f.result.value.lo < f.result.value.hi);
    fixture_close(&f);
}

static void test_a_solver_goes_on_after_a_limit(void **state)
{
    (void)state;
    fixture f = fixture_open("connect4:6x4", &(holos_solver_options){.limits.nodes = 2000});
    unsigned tries = 1;
    while (fixture_solve(&f, "start") == HOLOS_LIMIT)
        tries++;
    /* What it learned is kept: it gets there in the end. */
    assert_true(tries > 1);
    assert_int_equal(f.result.value.lo, -1);
    fixture_close(&f);
}

static void test_too_little_memory_is_an_error_in_words(void **state)
{
    (void)state;
    holos_variant *v;
    holos_solver *solver;
    holos_error err;
    assert_int_equal(holos_open("connect4", &v, &err), HOLOS_OK);
    holos_solver_options options = {.limits.memory = 1000};
    assert_int_equal(holos_solver_open(v, &options, &solver, &err), HOLOS_NO_MEMORY);
    assert_non_null(strstr(err.message, "needs"));
    assert_null(solver);
    holos_close(v);
}

static void test_a_small_table_gives_the_same_value(void **state)
{
    (void)state;
    fixture f = fixture_open("connect4:6x4", &(holos_solver_options){.limits.memory = 4 << 20});
    assert_int_equal(fixture_solve(&f, "start"), HOLOS_OK);
    assert_int_equal(f.result.value.lo, -1);
    fixture_close(&f);
}

/* ---- Choice of the engine ---------------------------------------------------------------------- */

static void test_an_unknown_engine_is_named_beside_those_that_exist(void **state)
{
    (void)state;
    holos_variant *v;
    holos_solver *solver;
    holos_error err;
    assert_int_equal(holos_open("nim", &v, &err), HOLOS_OK);
    holos_solver_options options = {.engine = "oracle"};
    assert_int_equal(holos_solver_open(v, &options, &solver, &err), HOLOS_USAGE);
    assert_non_null(strstr(err.message, "\"oracle\""));
    assert_non_null(strstr(err.message, "alphabeta"));
    options.engine = "puzzle";
    assert_int_equal(holos_solver_open(v, &options, &solver, &err), HOLOS_UNSUPPORTED);
    holos_close(v);
}

static void test_a_finished_game_is_known_by_the_rules(void **state)
{
    (void)state;
    fixture f = fixture_open("connect4", &(holos_solver_options){.moves = true, .line = true});
    assert_int_equal(fixture_solve(&f, "1212121"), HOLOS_OK);
    assert_int_equal(f.result.value.source, HOLOS_SOURCE_RULES);
    assert_int_equal(f.result.value.distance, 0);
    assert_int_equal(f.result.move_count, 0);
    assert_int_equal(f.result.line_length, 0);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_connect4_small_boards_have_their_known_values),
        cmocka_unit_test(test_kalah_openings_have_their_known_values),
        cmocka_unit_test(test_kalah_capture_of_nothing_changes_the_value_of_4_3),
        cmocka_unit_test(test_seeds_in_the_stores_count_towards_the_score),
        cmocka_unit_test(test_values_and_distances_equal_plain_minimax),
        cmocka_unit_test(test_every_move_has_its_value_and_the_best_ones_are_named),
        cmocka_unit_test(test_the_line_ends_the_game_with_the_value),
        cmocka_unit_test(test_the_line_does_not_depend_on_what_was_solved_before),
        cmocka_unit_test(test_weak_tells_the_outcome),
        cmocka_unit_test(test_a_limit_of_nodes_gives_an_interval_with_the_truth_in_it),
        cmocka_unit_test(test_a_limit_of_time_stops_a_hopeless_search),
        cmocka_unit_test(test_the_stop_flag_stops),
        cmocka_unit_test(test_a_solver_goes_on_after_a_limit),
        cmocka_unit_test(test_too_little_memory_is_an_error_in_words),
        cmocka_unit_test(test_a_small_table_gives_the_same_value),
        cmocka_unit_test(test_an_unknown_engine_is_named_beside_those_that_exist),
        cmocka_unit_test(test_a_finished_game_is_known_by_the_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
