/* SPDX-License-Identifier: MIT */

/* Connect four's own search: the plan behind its bounds, its values on whole small boards and on published
 * positions, and that all its versions do the same. */

#include "core/cpu.h"
#include "core/rng.h"
#include "core/table.h"
#include "engine/alphabeta/ab.h"
#include "games/connect4/hot.h"
#include "games/connect4/strategy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Whole small boards ------------------------------------------------------------------------ */

/* All positions of a board with their values, by plain minimax. */
typedef struct truth {
    c4_shape shape;
    table values; /* packed board -> int8_t */
} truth;

static int truth_solve(truth *t, c4_board board)
{
    unsigned stones = c4_stones(board);
    if (board.both == t->shape.cells)
        return 0;
    holos_key key = {.lo = c4_pack(&t->shape, board)};
    const int64_t *known = table_find(&t->values, key);
    if (known != NULL)
        return (int)*known;
    int best = INT32_MIN;
    for (c4_word moves = c4_playable(&t->shape, board.both); moves != 0; moves &= moves - 1) {
        c4_board next = c4_play(board, moves & -moves);
        int value =
            c4_has_four(&t->shape, c4_theirs(next)) ? c4_win_score(&t->shape, stones) : -truth_solve(t, next);
        best = value > best ? value : best;
    }
    bool fresh;
    int64_t *value = table_insert(&t->values, key, &fresh);
    assert_non_null(value);
    *value = best;
    return best;
}

static void truth_open(truth *t, unsigned width, unsigned height)
{
    holos_error err;
    t->shape = c4_shape_make(width, height);
    assert_int_equal(table_init(&t->values, NULL, sizeof(int64_t), 1 << 16, &err), HOLOS_OK);
    truth_solve(t, (c4_board){0, 0});
}

/* Calls `check` with every position that is not the end of a game. */
static void truth_each(truth *t, void (*check)(truth *t, c4_board board, int value, void *context),
                       void *context)
{
    holos_key key;
    void *value;
    for (size_t i = 0; table_next(&t->values, &i, &key, &value);)
        check(t, c4_unpack(&t->shape, key.lo), (int)*(int64_t *)value, context);
    table_free(&t->values);
}

typedef struct tally {
    uint64_t bounded, tight;
} tally;

/* Where the side to move has neither a win nor a forced reply, no bound is below the true value. */
static void check_bound(truth *t, c4_board board, int value, void *context)
{
    const c4_shape *shape = &t->shape;
    tally *count = context;
    c4_node n = {
        .mine = board.mine,
        .theirs = c4_theirs(board),
        .my_wins = c4_wins(shape, board.mine, board.both),
        .their_wins = c4_wins(shape, c4_theirs(board), board.both),
        .stones = (int)c4_stones(board),
    };
    if (((n.my_wins | n.their_wins) & c4_playable(shape, board.both)) != 0)
        return;
    for (int beta = -4; beta <= 2; beta++) {
        int bound = c4_follow_up(shape, &n, beta);
        if (bound < value)
            fail_msg("%ux%u, mine %#llx, both %#llx: bound %d at beta %d, but the value is %d",
                     shape->size.width, shape->size.height, (unsigned long long)board.mine,
                     (unsigned long long)board.both, bound, beta, value);
        count->bounded += bound != C4_NO_BOUND;
        count->tight += bound == value;
    }
}

static void test_the_follow_up_plan_never_promises_too_much(void **state)
{
    (void)state;
    static const unsigned sizes[][2] = {{4, 4}, {4, 5}, {3, 6}, {6, 3}, {3, 7}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        truth t;
        tally count = {0, 0};
        truth_open(&t, sizes[i][0], sizes[i][1]);
        truth_each(&t, check_bound, &count);
        assert_true(count.bounded > 0 && count.tight > count.bounded / 4);
    }
}

/* A search opened on a variant, with limits that never come. */
typedef struct subject {
    holos_variant *v;
    const holos_hot *hot;
    void *search;
    struct limits limits;
    holos_position *p;
} subject;

static void subject_open(subject *s, const char *variant, const holos_hot *hot, size_t memory,
                         unsigned threads)
{
    holos_error err;
    holos_hot_setup setup = {.memory = memory, .threads = threads};
    *s = (subject){.hot = hot, .limits = limits_none()};
    assert_int_equal(holos_open(variant, &s->v, &err), HOLOS_OK);
    s->p = holos_position_new(s->v);
    assert_non_null(s->p);
    assert_int_equal(hot->open(s->v, &setup, &s->search, &err), HOLOS_OK);
}

static void subject_close(subject *s)
{
    s->hot->close(s->search);
    holos_position_free(s->p);
    holos_close(s->v);
}

/* The value of s->p, by asking from both sides of a guess. */
static int subject_value(subject *s, int guess)
{
    int32_t lo = s->v->score_min, hi = s->v->score_max;
    s->hot->known(s->search, s->p, &lo, &hi);
    while (lo < hi) {
        int32_t beta = guess > lo && guess <= hi ? guess : guess >= hi ? hi : lo + 1;
        int32_t answer = s->hot->search(s->search, &s->limits, s->p, beta);
        if (answer >= beta)
            lo = answer;
        else
            hi = answer;
    }
    assert_int_equal(lo, hi);
    return lo;
}

static void check_value(truth *t, c4_board board, int value, void *context)
{
    (void)t;
    subject *s = context;
    memcpy(s->p, &board, sizeof board);
    int found = subject_value(s, value);
    if (found != value)
        fail_msg("%s, mine %#llx, both %#llx: %d, not %d", s->v->name, (unsigned long long)board.mine,
                 (unsigned long long)board.both, found, value);
}

static void test_every_position_of_small_boards_has_its_value(void **state)
{
    (void)state;
    static const unsigned sizes[][2] = {{4, 4}, {3, 6}, {3, 5}, {5, 3}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        truth t;
        subject s;
        char variant[32];
        snprintf(variant, sizeof variant, "connect4:%ux%u", sizes[i][0], sizes[i][1]);
        truth_open(&t, sizes[i][0], sizes[i][1]);
        /* A table that holds a fraction of the board: entries are forgotten and found again. */
        subject_open(&s, variant, &c4_hot, 1 << 14, 1);
        truth_each(&t, check_value, &s);
        subject_close(&s);
    }
}

/* ---- Published positions ----------------------------------------------------------------------- */

/* Solves the first `count` positions of a set; returns the nodes that took. */
static uint64_t set_check(subject *s, const char *set, unsigned count)
{
    char path[512], line[256], moves[128];
    int score;
    holos_error err;
    snprintf(path, sizeof path, "%s/connect4/%s.txt", TEST_DATA, set);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail_msg("cannot open %s", path);
    s->limits.nodes = s->limits.next_check = 0;
    unsigned i = 0;
    for (; i < count && fgets(line, sizeof line, file) != NULL; i++) {
        assert_int_equal(sscanf(line, "%127s %d", moves, &score), 2);
        assert_int_equal(holos_parse(s->v, moves, s->p, &err), HOLOS_OK);
        int found = subject_value(s, 0);
        if (found != score)
            fail_msg("%s: %d, not %d", moves, found, score);
    }
    fclose(file);
    assert_int_equal(i, count);
    return s->limits.nodes;
}

static void test_published_scores(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        unsigned count;
    } sets[] = {{"end-easy", 1000},  {"middle-easy", 1000}, {"middle-medium", 200},
                {"begin-easy", 500}, {"begin-medium", 20},  {"begin-hard", 1}};
    subject s;
    subject_open(&s, "connect4", &c4_hot, (size_t)16 << 20, 1);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        set_check(&s, sets[i].set, sets[i].count);
    subject_close(&s);
}

static uint64_t version_nodes(const holos_hot *hot, unsigned threads)
{
    subject s;
    subject_open(&s, "connect4", hot, (size_t)1 << 20, threads);
    uint64_t nodes = set_check(&s, "middle-medium", 100);
    subject_close(&s);
    return nodes;
}

static void test_both_versions_for_7x6_visit_the_same_nodes(void **state)
{
    (void)state;
#ifdef __x86_64__
    cpu_features cpu = cpu_detect();
    if (!cpu.avx2 || !cpu.bmi1 || !cpu.bmi2 || !cpu.popcnt)
        skip();
    assert_int_equal(version_nodes(&c4_hot_7x6, 1), version_nodes(&c4_hot_7x6_v3, 1));
#else
    skip();
#endif
}

static void test_the_search_for_any_board_knows_7x6_too(void **state)
{
    (void)state;
    assert_true(version_nodes(&c4_hot_narrow, 1) > 0);
}

static void test_threads_that_share_a_table_find_the_same_values(void **state)
{
    (void)state;
    subject s;
    subject_open(&s, "connect4", &c4_hot, (size_t)16 << 20, 3);
    set_check(&s, "begin-medium", 12);
    subject_close(&s);
}

static uint64_t nodes_of(subject *s, const char *moves)
{
    holos_error err;
    assert_int_equal(holos_parse(s->v, moves, s->p, &err), HOLOS_OK);
    s->limits.nodes = s->limits.next_check = 0;
    subject_value(s, 0);
    return s->limits.nodes;
}

/* A table that easy questions have filled grows for a hard one all the same. */
static void test_what_came_before_does_not_make_a_position_harder(void **state)
{
    (void)state;
    const char *hard = "6555776177";
    subject s;
    subject_open(&s, "connect4", &c4_hot, (size_t)64 << 20, 1);
    uint64_t alone = nodes_of(&s, hard);
    subject_close(&s);
    subject_open(&s, "connect4", &c4_hot, (size_t)64 << 20, 1);
    set_check(&s, "begin-easy", 600);
    uint64_t later = nodes_of(&s, hard);
    subject_close(&s);
    if (later > alone + alone / 5)
        fail_msg("%llu nodes alone, %llu later", (unsigned long long)alone, (unsigned long long)later);
}

/* Late positions of a board of 72 bits, by random play, against the generic search. */
static void test_a_wide_board_has_the_values_that_the_generic_search_finds(void **state)
{
    (void)state;
    holos_error err;
    holos_result result;
    holos_solver *generic;
    subject s;
    rng random;
    unsigned compared = 0;
    subject_open(&s, "connect4:8x8", &c4_hot, (size_t)1 << 20, 1);
    holos_settings *settings = holos_settings_new();
    assert_int_equal(holos_settings_set(settings, "no-hot", NULL, &err), HOLOS_OK);
    assert_int_equal(holos_solver_open(s.v, &(holos_solver_options){.settings = settings}, &generic, &err),
                     HOLOS_OK);
    for (uint64_t game = 0; compared < 40; game++) {
        holos_move moves[8];
        size_t count = 0;
        rng_init(&random, 4, game);
        holos_start(s.v, s.p, &err);
        for (unsigned ply = 0; ply < 50 && (count = holos_moves(s.v, s.p, moves, 8)) > 0; ply++)
            holos_play(s.v, s.p, moves[rng_below(&random, count)], s.p, &err);
        if (holos_moves(s.v, s.p, moves, 8) == 0)
            continue;
        assert_int_equal(holos_solver_solve(generic, s.p, &result, &err), HOLOS_OK);
        assert_int_equal(subject_value(&s, 0), result.value.lo);
        compared++;
    }
    holos_solver_close(generic);
    holos_settings_free(settings);
    subject_close(&s);
}

/* ---- Limits ------------------------------------------------------------------------------------ */

static void test_a_search_keeps_to_its_nodes(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++) {
        subject s;
        holos_error err;
        subject_open(&s, "connect4", &c4_hot, (size_t)1 << 20, threads);
        assert_int_equal(holos_parse(s.v, "", s.p, &err), HOLOS_OK);
        s.limits.node_limit = 70001;
        s.hot->search(s.search, &s.limits, s.p, 1);
        assert_int_equal(s.limits.status, HOLOS_LIMIT);
        assert_true(s.limits.nodes <= 70001 && s.limits.nodes > 60000);
        subject_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_follow_up_plan_never_promises_too_much),
        cmocka_unit_test(test_every_position_of_small_boards_has_its_value),
        cmocka_unit_test(test_published_scores),
        cmocka_unit_test(test_both_versions_for_7x6_visit_the_same_nodes),
        cmocka_unit_test(test_the_search_for_any_board_knows_7x6_too),
        cmocka_unit_test(test_threads_that_share_a_table_find_the_same_values),
        cmocka_unit_test(test_what_came_before_does_not_make_a_position_harder),
        cmocka_unit_test(test_a_wide_board_has_the_values_that_the_generic_search_finds),
        cmocka_unit_test(test_a_search_keeps_to_its_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
