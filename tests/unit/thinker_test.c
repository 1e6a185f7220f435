/* SPDX-License-Identifier: MIT */

/* Looking ahead: to the end of small games it agrees with the solver; what is certain counts as certain; it always has a legal move. */

#include "unit.h"

#include "core/rng.h"
#include "game/game.h"

typedef struct subject {
    holos_variant *v;
    holos_position *p;
    holos_thinker *t;
} subject;

static subject subject_open(const char *game, const char *position, const holos_thinker_options *options)
{
    subject s;
    holos_error err;
    assert_ok(holos_open(game, &s.v, &err), err);
    s.p = holos_position_new(s.v);
    assert_non_null(s.p);
    assert_ok(holos_parse(s.v, position, s.p, &err), err);
    assert_ok(holos_thinker_open(s.v, options, &s.t, &err), err);
    return s;
}

static void subject_close(subject *s)
{
    holos_thinker_close(s->t);
    holos_position_free(s->p);
    holos_close(s->v);
}

static holos_thought think(subject *s, const holos_think_options *options)
{
    holos_thought thought;
    holos_error err;
    assert_ok(holos_thinker_think(s->t, s->p, options, &thought, &err), err);
    assert_true(thought.line_length > 0);
    assert_true(game_is_legal(s->v, s->p, thought.line[0]));
    return thought;
}

static int sign(int32_t x)
{
    return (x > 0) - (x < 0);
}

/* The score says who wins, and in how many plies; a draw is 0. */
static void test_agrees_with_the_solver_at_the_end_of_the_game(void **state)
{
    (void)state;
    static const char *const games[][2] = {{"connect4:4x4", "12"},
                                           {"connect4:5x4", "3344"},
                                           {"nim", "start"},
                                           {"nim:1,2,3", "start"},
                                           {"kalah:3,2", "start"}};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        subject s = subject_open(games[i][0], games[i][1], NULL);
        holos_solver *solver;
        holos_result r;
        holos_error err;
        assert_ok(holos_solver_open(s.v, NULL, &solver, &err), err);
        assert_ok(holos_solver_solve(solver, s.p, &r, &err), err);
        holos_think_options all = {.depth = 40, .whole = true};
        holos_thought thought = think(&s, &all);
        assert_int_equal(sign(thought.score), sign(r.value.lo));
        if (r.value.lo > 0 && strncmp(games[i][0], "connect4", 8) == 0)
            assert_int_equal(HOLOS_THOUGHT_WIN - thought.score, r.value.distance);
        holos_solver_close(solver);
        subject_close(&s);
    }
}

static void test_finds_mates(void **state)
{
    (void)state;
    const holos_thinker_options threads = {.threads = 3, .memory = 1 << 20};
    subject s = subject_open("chess", "kbK5/pp6/1P6/8/8/8/8/R7 w - -", &threads);
    holos_think_options options = {.depth = 5};
    holos_thought thought = think(&s, &options);
    assert_int_equal(thought.score, HOLOS_THOUGHT_WIN - 3);
    char move[16];
    holos_spell_move(s.v, s.p, thought.line[0], move, sizeof move);
    assert_string_equal(move, "a1a6");
    subject_close(&s);
}

/* In positions as they come, whatever the limits: also if there is no time at all. */
static void test_has_a_legal_move_whatever_the_limits(void **state)
{
    (void)state;
    rng r;
    rng_init(&r, 7, 0);
    holos_stop stop = {.asked = 1};
    const holos_think_options some[] = {{.limits = {.nodes = 1}},
                                        {.limits = {.nodes = 700}},
                                        {.limits = {.stop = &stop}},
                                        {.limits = {.seconds = 1e-9}},
                                        {.depth = 2}};
    static const char *const games[] = {"chess", "chess:50", "reversi:6", "kalah", "connect4", "nim"};
    for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
        subject s = subject_open(games[g], "start", NULL);
        holos_value over;
        for (int ply = 0; ply < 120 && !holos_terminal(s.v, s.p, &over); ply++) {
            holos_move moves[256], move;
            size_t count = holos_moves(s.v, s.p, moves, 256);
            holos_thought thought = think(&s, &some[rng_below(&r, sizeof some / sizeof *some)]);
            move = ply % 2 == 0 ? thought.line[0] : moves[rng_below(&r, count)];
            assert_int_equal(holos_play(s.v, s.p, move, s.p, NULL), HOLOS_OK);
        }
        subject_close(&s);
    }
}

typedef struct reports {
    unsigned depth;
    int count;
} reports;

static void count_report(void *context, const holos_thought *thought)
{
    reports *r = context;
    assert_true(thought->depth >= r->depth);
    r->depth = thought->depth;
    r->count++;
}

static void test_reports_every_depth(void **state)
{
    (void)state;
    subject s = subject_open("chess", "start", NULL);
    reports r = {0};
    holos_think_options options = {.depth = 4, .report = count_report, .context = &r};
    holos_thought thought = think(&s, &options);
    assert_int_equal(r.depth, 4);
    assert_int_equal(r.count, 4);
    assert_int_equal(thought.depth, 4);
    subject_close(&s);
}

static void test_refuses_what_makes_no_sense(void **state)
{
    (void)state;
    holos_error err;
    holos_variant *v;
    holos_thinker *t;
    assert_ok(holos_open("sudoku", &v, &err), err);
    assert_int_equal(holos_thinker_open(v, NULL, &t, &err), HOLOS_UNSUPPORTED);
    holos_close(v);
    subject s = subject_open("chess", "1. f3 e5 2. g4 Qh4#", NULL);
    holos_thought thought;
    assert_int_equal(holos_thinker_think(s.t, s.p, NULL, &thought, &err), HOLOS_USAGE);
    assert_ok(holos_parse(s.v, "start", s.p, &err), err);
    holos_move wrong = 0;
    holos_think_options only = {.only = &wrong, .only_count = 1, .depth = 1};
    assert_int_equal(holos_thinker_think(s.t, s.p, &only, &thought, &err), HOLOS_BAD_MOVE);
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agrees_with_the_solver_at_the_end_of_the_game),
        cmocka_unit_test(test_finds_mates),
        cmocka_unit_test(test_has_a_legal_move_whatever_the_limits),
        cmocka_unit_test(test_reports_every_depth),
        cmocka_unit_test(test_refuses_what_makes_no_sense),
    };
    UNIT_MAIN(tests);
}
