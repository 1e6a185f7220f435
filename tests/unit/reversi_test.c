/* SPDX-License-Identifier: MIT */

/* The rules of reversi against published counts, its notations, its search against published endings and against itself. */

#include "unit.h"

#include "game_fixture.h"

#include "core/rng.h"
#include "core/table.h"
#include "games/reversi/learn.h"
#include "games/reversi/reversi.h"
#include "games/reversi/search.h"
#include "games/reversi/stable.h"

#define START "---------------------------OX------XO--------------------------- X"

static const uint64_t perft_counts[] = {1,     4,      12,      56,       244,       1396,      8200,
                                        55092, 390216, 3005288, 24571284, 212258800, 1939886636};

static bool is_long(void)
{
    return getenv("HOLOS_LONG_TESTS") != NULL;
}

static reversi_board start_board(void)
{
    return (reversi_board){.mine = UINT64_C(0x102) << 27, .theirs = UINT64_C(0x201) << 27};
}

/* ---- Rules ------------------------------------------------------------------------------------- */

static void test_perft_is_as_published(void **state)
{
    (void)state;
    reversi_rays rays;
    reversi_rays_init(&rays);
    for (unsigned depth = 0; depth <= (is_long() ? 12 : 10); depth++) {
        assert_int_equal(reversi_perft(start_board(), UINT64_MAX, depth), perft_counts[depth]);
        if (depth <= 9)
            assert_int_equal(reversi_perft_portable(&rays, start_board(), UINT64_MAX, depth),
                             perft_counts[depth]);
    }
}

/* Positions up to symmetry, by discs. */
static void test_unique_positions_are_as_published(void **state)
{
    (void)state;
    static const uint64_t counts[] = {1, 1, 3, 14, 60, 322, 1773, 10649, 67245};
    holos_variant *v = NULL;
    holos_error err;
    assert_ok(holos_open("reversi", &v, &err), err);
    holos_edge edges[64];
    holos_position *next = aligned_alloc(16, 64 * v->position_size), *p = holos_position_new(v);
    table layer;
    assert_int_equal(table_init(&layer, NULL, sizeof(int), 1024, NULL), HOLOS_OK);
    bool fresh;
    table_insert(&layer, v->game->key(v, p), &fresh);
    for (size_t depth = 0; depth < sizeof counts / sizeof *counts; depth++) {
        assert_int_equal(layer.count, counts[depth]);
        table after;
        assert_int_equal(table_init(&after, NULL, sizeof(int), 1024, NULL), HOLOS_OK);
        size_t index = 0;
        holos_key key;
        void *payload;
        while (table_next(&layer, &index, &key, &payload)) {
            v->game->from_key(v, key, p);
            uint32_t count = v->game->expand(v, p, (holos_edges){.edges = edges, .positions = next});
            for (uint32_t i = 0; i < count; i++)
                table_insert(&after, v->game->key(v, position_at(v, next, i)), &fresh);
        }
        table_free(&layer);
        layer = after;
    }
    table_free(&layer);
    holos_position_free(p);
    free(next);
    holos_close(v);
}

static reversi_board random_board(rng *r, unsigned empties)
{
    reversi_board b = start_board();
    while (reversi_count(~(b.mine | b.theirs)) > empties) {
        uint64_t moves = reversi_moves(b, UINT64_MAX);
        if (moves == 0) {
            b = reversi_pass(b);
            if (reversi_moves(b, UINT64_MAX) == 0)
                return random_board(r, empties);
            continue;
        }
        for (uint64_t skip = rng_below(r, reversi_count(moves)); skip > 0; skip--)
            moves &= moves - 1;
        unsigned cell = reversi_first(moves);
        b = reversi_after(b, cell, reversi_turned_portable(b, cell));
    }
    return b;
}

/* Along a line, disc by disc. */
static uint64_t turned_slowly(reversi_board b, unsigned cell)
{
    uint64_t turned = 0;
    for (int dx = -1; dx <= 1; dx++)
        for (int dy = -1; dy <= 1; dy++) {
            uint64_t run = 0;
            int x = (int)(cell % 8) + dx, y = (int)(cell / 8) + dy;
            for (; (dx != 0 || dy != 0) && x >= 0 && y >= 0 && x < 8 && y < 8; x += dx, y += dy) {
                uint64_t at = UINT64_C(1) << (8 * y + x);
                if ((b.mine & at) != 0)
                    turned |= run;
                if ((b.theirs & at) == 0)
                    break;
                run |= at;
            }
        }
    return turned;
}

static void test_turned_discs_are_those_between(void **state)
{
    (void)state;
    rng r;
    rng_init(&r, 7, 0);
    for (unsigned i = 0; i < 2000; i++) {
        reversi_board b = random_board(&r, (unsigned)rng_below(&r, 60));
        uint64_t moves = 0, empty = ~(b.mine | b.theirs);
        for (uint64_t left = empty; left != 0; left &= left - 1) {
            unsigned cell = reversi_first(left);
            uint64_t turned = turned_slowly(b, cell);
            assert_int_equal(reversi_turned_portable(b, cell), turned);
            moves |= turned != 0 ? UINT64_C(1) << cell : 0;
        }
        assert_int_equal(reversi_moves(b, UINT64_MAX), moves);
    }
}

static void test_games_end_and_what_is_empty_is_the_winners(void **state)
{
    (void)state;
    assert_over("reversi:4", "X--XXXXXXXXXX--X O", -16);
    assert_over("reversi", "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO X", 0);
    assert_goes_on("reversi", START);
    assert_plays("reversi", "", "f5", "---------------------------OX------XXX-------------------------- O");
    /* O has nothing to turn, X has. */
    assert_plays("reversi:4", "XXX-XXX-XXXOXXXX O", "pass", "XXX-XXX-XXXOXXXX X");
}

/* ---- Notation ---------------------------------------------------------------------------------- */

static void test_notations_are_read(void **state)
{
    (void)state;
    const char *board = "---------------------------OX------XXX-------------------------- O";
    assert_format("reversi", "f5", board);
    assert_format("reversi", " F5 ", board);
    assert_format("reversi", "--------/--------/--------/---OX---/---XXX--/--------/--------/--------/ O",
                  board);
    assert_format("reversi", "...........................ox......xxx.......................... o; d6:+0;",
                  board);
    assert_format("reversi",
                  "(;GM[Othello]PC[x]BO[8 ---------------------------O*------*O--------------------------- *]"
                  "B[f5//1.5];)",
                  board);
}

/* The message has these words in it. */
static void refuses(const char *variant, const char *position, const char *words)
{
    fixture f = fixture_open(variant, NULL);
    assert_fails(holos_parse(f.v, position, f.p, &f.err), f.err, HOLOS_BAD_POSITION, words);
    fixture_close(&f);
}

static void test_what_is_wrong_is_named(void **state)
{
    (void)state;
    refuses("reversi", "f5f5", "f5 is not a move of O here; legal are f4 d6 f6");
    refuses("reversi", "f9", "cells, a1 to h8");
    refuses("reversi:6", "g7", "cells, a1 to f6");
    refuses("reversi", "XO", "64 cells, but here are only 2");
    refuses("reversi:4", "-----OX--XO------ X", "16 cells, but here are more");
    refuses("reversi:4", "-----OX--XO----- ", "who moves");
    refuses("reversi:4", "-----OX--XO----- Q", "who moves is X or O");
    refuses("reversi:4", "-----OX--XO----Z X", "'Z' is not a cell");
    refuses("reversi:4", "---------------- X", "no disc");
    refuses("reversi:4", "X-----X--XO----- X", "b2 is empty");
    refuses("reversi:4", "-----OX--XO----- X x", "unexpected text");
    refuses("reversi", "(;GM[Othello]B[f5];)", "before the board");
    refuses("reversi", "(;GM[Othello];)", "BO[");
}

static void test_a_side_without_a_move_must_pass(void **state)
{
    (void)state;
    holos_move move;
    fixture f = fixture_open("reversi:4", "XXX-XXX-XXXOXXXX O");
    assert_fails(holos_parse_move(f.v, f.p, "d1", &move, &f.err), f.err, HOLOS_BAD_MOVE,
                 "O has no move here and must pass");
    fixture_close(&f);
    f = fixture_open("reversi:4", "start");
    assert_fails(holos_parse_move(f.v, f.p, "pass", &move, &f.err), f.err, HOLOS_BAD_MOVE, "legal are");
    fixture_close(&f);
}

/* ---- Stable discs ------------------------------------------------------------------------------ */

/* What is called stable stays, however the game goes on. */
static void test_stable_discs_are_never_turned(void **state)
{
    (void)state;
    rng r;
    rng_init(&r, 11, 0);
    uint64_t seen = 0;
    for (unsigned i = 0; i < 3000; i++) {
        reversi_board b = random_board(&r, (unsigned)rng_below(&r, 40));
        uint64_t stable[2] = {reversi_stable(b.mine, b.theirs), reversi_stable(b.theirs, b.mine)};
        seen += reversi_count(stable[0] | stable[1]);
        for (unsigned side = 0;; side ^= 1) {
            uint64_t moves = reversi_moves(b, UINT64_MAX);
            if (moves == 0 && reversi_is_over(b, UINT64_MAX))
                break;
            if (moves != 0) {
                for (uint64_t skip = rng_below(&r, reversi_count(moves)); skip > 0; skip--)
                    moves &= moves - 1;
                unsigned cell = reversi_first(moves);
                b = reversi_after(b, cell, reversi_turned_portable(b, cell));
            } else {
                b = reversi_pass(b);
            }
            assert_int_equal(stable[side] & ~b.theirs, 0);
            assert_int_equal(stable[side ^ 1] & ~b.mine, 0);
        }
    }
    assert_true(seen > 1000);
}

/* ---- Endings ----------------------------------------------------------------------------------- */

static int plain_value(reversi_board b)
{
    uint64_t moves = reversi_moves(b, UINT64_MAX);
    int best = -100;
    if (moves == 0)
        return reversi_is_over(b, UINT64_MAX) ? reversi_final(b, UINT64_MAX) : -plain_value(reversi_pass(b));
    for (; moves != 0; moves &= moves - 1) {
        unsigned cell = reversi_first(moves);
        int value = -plain_value(reversi_after(b, cell, turned_slowly(b, cell)));
        best = value > best ? value : best;
    }
    return best;
}

static int32_t solved(holos_solver *solver, const holos_position *p)
{
    holos_result result;
    holos_error err;
    assert_ok(holos_solver_solve(solver, p, &result, &err), err);
    assert_int_equal(result.value.lo, result.value.hi);
    return result.value.lo;
}

static void test_small_endings_against_plain_minimax(void **state)
{
    (void)state;
    rng r;
    holos_error err;
    holos_variant *v;
    rng_init(&r, 3, 0);
    assert_ok(holos_open("reversi", &v, &err), err);
    for (unsigned threads = 1; threads <= 2; threads++) {
        holos_solver *solver;
        holos_solver_options o = {.threads = threads, .engine = "alphabeta"};
        assert_ok(holos_solver_open(v, &o, &solver, &err), err);
        for (unsigned i = 0; i < 600; i++) {
            reversi_position p = {.board = random_board(&r, (unsigned)rng_below(&r, 9))};
            assert_int_equal(solved(solver, (const holos_position *)&p), plain_value(p.board));
        }
        holos_solver_close(solver);
    }
    holos_close(v);
}

/* With the search of its own, with that over the contract, and portably. */
static void test_searches_agree(void **state)
{
    (void)state;
    rng r;
    holos_error err;
    holos_variant *v;
    rng_init(&r, 5, 0);
    assert_ok(holos_open("reversi", &v, &err), err);
    holos_settings *settings = holos_settings_new();
    assert_ok(holos_settings_set(settings, "no-hot", NULL, &err), err);
    holos_solver *solvers[2];
    holos_solver_options plain = {.settings = settings, .engine = "alphabeta"};
    assert_ok(holos_solver_open(v, NULL, &solvers[0], &err), err);
    assert_ok(holos_solver_open(v, &plain, &solvers[1], &err), err);
    for (unsigned i = 0; i < 60; i++) {
        reversi_position p = {.board = random_board(&r, 8 + i % 5)};
        int32_t value = solved(solvers[0], (const holos_position *)&p);
        assert_int_equal(solved(solvers[1], (const holos_position *)&p), value);
    }
    holos_solver_close(solvers[0]);
    holos_solver_close(solvers[1]);
    holos_settings_free(settings);
    holos_close(v);
}

/* "board side; A2:+38; …": the first move is a best one, and all that are listed are right. */
static void ending_check(const holos_variant *v, holos_solver *solver, const char *line, unsigned most)
{
    holos_error err;
    holos_result result;
    holos_position *p = holos_position_new(v), *next = holos_position_new(v);
    assert_ok(holos_parse(v, line, p, &err), err);
    reversi_board b = ((const reversi_position *)p)->board;
    const char *s = strchr(line, ';');
    if (reversi_count(~(b.mine | b.theirs)) <= most) {
        for (bool first = true; s != NULL; s = strchr(s + 1, ';')) {
            char move[3];
            int value;
            holos_move m;
            if (sscanf(s, "; %2s:%d", move, &value) != 2)
                break;
            if (first) {
                assert_ok(holos_solver_solve(solver, p, &result, &err), err);
                if (result.value.lo != value || result.value.hi != value)
                    fail_msg("%s: %d to %d", line, (int)result.value.lo, (int)result.value.hi);
            }
            first = false;
            assert_ok(holos_parse_move(v, p, move, &m, &err), err);
            assert_ok(holos_play(v, p, m, next, &err), err);
            assert_int_equal(-solved(solver, next), value);
        }
    }
    holos_position_free(p);
    holos_position_free(next);
}

static void test_published_endings(void **state)
{
    (void)state;
    holos_error err;
    holos_variant *v;
    holos_solver *solver;
    char line[1024];
    FILE *f = fopen(TEST_DATA "/reversi/fforum.obf", "r");
    assert_non_null(f);
    assert_ok(holos_open("reversi", &v, &err), err);
    assert_ok(holos_solver_open(v, NULL, &solver, &err), err);
    while (fgets(line, sizeof line, f) != NULL)
        if (strchr(line, ';') != NULL)
            ending_check(v, solver, line, is_long() ? 22 : 15);
    holos_solver_close(solver);
    holos_close(v);
    fclose(f);
}

static void test_the_smallest_board_is_lost_for_who_begins(void **state)
{
    (void)state;
    holos_error err;
    holos_variant *v;
    holos_solver *solver;
    assert_ok(holos_open("reversi:4", &v, &err), err);
    assert_ok(holos_solver_open(v, NULL, &solver, &err), err);
    holos_position *p = holos_position_new(v);
    assert_int_equal(solved(solver, p), -10);
    holos_position_free(p);
    holos_solver_close(solver);
    holos_close(v);
}

/* ---- Evaluations ------------------------------------------------------------------------------- */

/* All images of a position look the same, and what was learned is in the right direction. */
static void test_guesses_are_symmetric(void **state)
{
    (void)state;
    for (unsigned size = 6; size <= 8; size += 2) {
        rng r;
        holos_error err;
        reversi_evaluation *e;
        char path[512];
        rng_init(&r, 9, 0);
        snprintf(path, sizeof path, SHIPPED_DATA "/evaluations/reversi-%u", size);
        assert_ok(evaluation_read(path, size, &e, &err), err);
        for (unsigned i = 0; i < 500; i++) {
            reversi_board b = {.mine = rng_next(&r) & reversi_cells(size)};
            b.theirs = rng_next(&r) & reversi_cells(size) & ~b.mine;
            unsigned empties = reversi_count(reversi_cells(size) & ~(b.mine | b.theirs));
            int guess = evaluation_guess(e, b, empties, 5, 6);
            for (unsigned image = 1; image < REVERSI_SYMMETRIES; image++)
                assert_int_equal(evaluation_guess(e, reversi_image(b, image, size), empties, 5, 6), guess);
            unsigned which;
            reversi_board least = reversi_least_image(b, size, &which), same = reversi_image(b, which, size);
            assert_memory_equal(&least, &same, sizeof least);
        }
        evaluation_close(e);
    }
}

static void test_damaged_evaluations_are_refused(void **state)
{
    (void)state;
    holos_error err;
    reversi_evaluation *e, *again;
    char folder[64];
    unit_make_folder(folder);
    const char *path = unit_path(folder, "evaluation");
    assert_ok(evaluation_new(6, &e, &err), err);
    e->weights[2][5] = 7;
    for (uint32_t i = 0; i < e->weight_count; i++)
        e->weights[2][i] = e->weights[2][e->kin[i]];
    assert_ok(evaluation_write(e, path, &err), err);
    assert_ok(evaluation_read(path, 6, &again, &err), err);
    assert_memory_equal(again->weights[2], e->weights[2], e->weight_count);
    evaluation_close(again);
    evaluation_close(e);
    assert_fails(evaluation_read(path, 8, &e, &err), err, HOLOS_BAD_FILE, "6x6 cells, not 8x8");
    FILE *f = fopen(path, "r+");
    fseek(f, 100, SEEK_SET);
    fputc(1, f);
    fclose(f);
    assert_fails(evaluation_read(path, 6, &e, &err), err, HOLOS_BAD_FILE, "is damaged");
    unit_write_file(path, "holos", 5);
    assert_fails(evaluation_read(path, 6, &e, &err), err, HOLOS_BAD_FILE, "is not an evaluation");
    unit_write_file(path, "", 0);
    assert_fails(evaluation_read(path, 6, &e, &err), err, HOLOS_BAD_FILE, "is not an evaluation");
    unit_remove_folder(folder);
}

/* Weights that made up the worth of samples are found again. */
static void test_a_fit_finds_what_was_there(void **state)
{
    (void)state;
    rng r;
    holos_error err;
    reversi_evaluation *truth, *found;
    enum { COUNT = 4000 };
    learn_sample *samples = calloc(COUNT, sizeof *samples);
    rng_init(&r, 4, 0);
    assert_ok(evaluation_new(8, &truth, &err), err);
    assert_ok(evaluation_new(8, &found, &err), err);
    truth->numbers[1][0] = 24;
    truth->numbers[1][1] = -16;
    for (unsigned i = 0; i < COUNT; i++) {
        reversi_board b = random_board(&r, 15);
        unsigned mine = reversi_count(reversi_moves(b, UINT64_MAX));
        unsigned theirs = reversi_count(reversi_moves(reversi_pass(b), UINT64_MAX));
        samples[i] =
            (learn_sample){.board = b, .empties = 15, .worth = evaluation_guess(truth, b, 15, mine, theirs)};
    }
    double error;
    assert_true(learn_fit(found, 1, samples, COUNT, &error));
    assert_true(error < 0.5);
    assert_in_range(found->numbers[1][0], 20, 25);
    assert_in_range(-found->numbers[1][1], 12, 17);
    free(samples);
    evaluation_close(truth);
    evaluation_close(found);
}

/* With an evaluation and without one, values are the same; guesses are not values, but near. */
static void test_an_evaluation_changes_no_value(void **state)
{
    (void)state;
    rng r;
    holos_error err;
    holos_variant *v;
    holos_solver *solvers[2];
    rng_init(&r, 8, 0);
    holos_settings *settings = holos_settings_new();
    assert_ok(holos_settings_set(settings, "evaluation", "none", &err), err);
    holos_solver_options plain = {.settings = settings, .engine = "alphabeta"};
    assert_ok(holos_open("reversi", &v, &err), err);
    assert_ok(holos_solver_open(v, NULL, &solvers[0], &err), err);
    assert_ok(holos_solver_open(v, &plain, &solvers[1], &err), err);
    assert_null(holos_solver_lacks(solvers[0]));
    long off = 0;
    for (unsigned i = 0; i < 30; i++) {
        reversi_position p = {.board = random_board(&r, 13 + i % 3)};
        holos_move move;
        int32_t guess;
        holos_value over;
        if (holos_terminal(v, (const holos_position *)&p, &over))
            continue;
        int32_t value = solved(solvers[0], (const holos_position *)&p);
        assert_int_equal(solved(solvers[1], (const holos_position *)&p), value);
        assert_ok(holos_solver_guess(solvers[0], (const holos_position *)&p, 6, &move, &guess, &err), err);
        off += labs(guess - value);
        assert_int_equal(holos_solver_guess(solvers[1], (const holos_position *)&p, 6, &move, &guess, &err),
                         HOLOS_UNSUPPORTED);
    }
    assert_true(off < 30 * 12);
    for (int i = 0; i < 2; i++)
        holos_solver_close(solvers[i]);
    holos_settings_free(settings);
    holos_close(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_perft_is_as_published),
        cmocka_unit_test(test_unique_positions_are_as_published),
        cmocka_unit_test(test_turned_discs_are_those_between),
        cmocka_unit_test(test_games_end_and_what_is_empty_is_the_winners),
        cmocka_unit_test(test_notations_are_read),
        cmocka_unit_test(test_what_is_wrong_is_named),
        cmocka_unit_test(test_a_side_without_a_move_must_pass),
        cmocka_unit_test(test_stable_discs_are_never_turned),
        cmocka_unit_test(test_small_endings_against_plain_minimax),
        cmocka_unit_test(test_searches_agree),
        cmocka_unit_test(test_published_endings),
        cmocka_unit_test(test_the_smallest_board_is_lost_for_who_begins),
        cmocka_unit_test(test_guesses_are_symmetric),
        cmocka_unit_test(test_damaged_evaluations_are_refused),
        cmocka_unit_test(test_a_fit_finds_what_was_there),
        cmocka_unit_test(test_an_evaluation_changes_no_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
