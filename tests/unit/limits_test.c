/* SPDX-License-Identifier: MIT */

/* Limits: that everybody who counts keeps to them, and that engines say which one they reached. */

#include "unit.h"

#include "core/clock.h"
#include "core/limits.h"
#include "game/game.h"

#include <pthread.h>
#include <time.h>

/* ---- Counting ---------------------------------------------------------------------------------- */

static void test_the_node_limit_is_exact(void **state)
{
    (void)state;
    for (uint64_t most = 1; most < 3000; most = most * 3 + 1) {
        struct limits l;
        uint64_t done = 0;
        limits_begin(&l, &(holos_limits){.nodes = most}, NULL);
        while (limits_count(&l))
            done++;
        assert_int_equal(l.nodes, most);
        assert_int_equal(done, most - 1);
        assert_int_equal(l.status, HOLOS_LIMIT);
        assert_string_equal(l.reached, "the node limit");
        assert_false(limits_count(&l)); /* and so it stays */
    }
}

static void test_without_limits_nothing_ends(void **state)
{
    (void)state;
    struct limits l = limits_none();
    for (unsigned i = 0; i < 100000; i++)
        assert_true(limits_count(&l));
    assert_int_equal(l.nodes, 100000);
    assert_true(limits_nodes_left(&l) == LIMITS_NO_NODES);
}

static void sleep_for(double seconds)
{
    struct timespec t = {.tv_sec = 0, .tv_nsec = (long)(seconds * 1e9)};
    nanosleep(&t, NULL);
}

/* A node of 5 ms, after many that took next to nothing: the clock is looked at often enough for both. */
static void test_slow_nodes_are_few_between_two_looks(void **state)
{
    (void)state;
    struct limits l;
    holos_stop stop = {0};
    unsigned slow = 0;
    limits_begin(&l, &(holos_limits){.stop = &stop}, NULL);
    for (unsigned i = 0; i < 20; i++) {
        assert_true(limits_count(&l));
        sleep_for(0.005);
    }
    holos_stop_set(&stop);
    while (limits_count(&l))
        slow++;
    assert_true(slow <= 8);
    assert_int_equal(l.status, HOLOS_INTERRUPTED);
}

static void test_a_deadline_ends_the_work(void **state)
{
    (void)state;
    struct limits l;
    holos_error err;
    limits_begin(&l, &(holos_limits){.seconds = 0.02}, NULL);
    while (limits_count(&l))
        ;
    assert_true(clock_wall() >= l.deadline);
    assert_fails(limits_error(&l, "nodes", &err), err, HOLOS_LIMIT, "stopped at the time limit after");
}

static void test_a_share_counts_for_itself_and_is_joined(void **state)
{
    (void)state;
    struct limits l;
    limits_begin(&l, &(holos_limits){.nodes = 100}, NULL);
    for (unsigned i = 0; i < 10; i++)
        assert_true(limits_count(&l));
    struct limits share = limits_share(&l, 20);
    while (limits_count(&share))
        ;
    limits_join(&l, &share);
    assert_int_equal(l.nodes, 30);
    assert_true(limits_go_on(&l)); /* only the share was used up */
    assert_int_equal(limits_nodes_left(&l), 70);
    share = limits_share(&l, 70);
    limits_stop_memory(&share);
    limits_join(&l, &share);
    assert_int_equal(l.status, HOLOS_LIMIT);
    assert_string_equal(l.reached, "the memory limit");
}

typedef struct counter {
    pthread_t thread;
    struct limits limits;
} counter;

static void *count_all(void *context)
{
    counter *c = context;
    while (limits_count(&c->limits))
        ;
    return NULL;
}

static void test_threads_together_keep_to_the_nodes(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    counter counters[THREADS];
    struct limits l;
    limits_pot pot;
    limits_begin(&l, &(holos_limits){.nodes = 100003}, NULL);
    limits_fill(&l, &pot);
    for (unsigned i = 0; i < THREADS; i++) {
        counters[i].limits = limits_share_pot(&l, &pot);
        assert_int_equal(pthread_create(&counters[i].thread, NULL, count_all, &counters[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(counters[i].thread, NULL);
        limits_join(&l, &counters[i].limits);
    }
    assert_int_equal(l.nodes, 100003);
    assert_false(limits_check(&l));
    assert_string_equal(l.reached, "the node limit");
}

static void note_pause(struct limits *l, void *context)
{
    ++*(unsigned *)context;
    l->next_pause = clock_wall() + 1000;
}

static void test_a_pause_comes_when_it_is_due(void **state)
{
    (void)state;
    struct limits l;
    unsigned pauses = 0;
    limits_begin(&l, NULL, NULL);
    l.pause = note_pause;
    l.pause_context = &pauses;
    l.next_pause = clock_wall();
    for (unsigned i = 0; i < 1000; i++)
        assert_true(limits_count(&l));
    assert_int_equal(pauses, 1);
}

/* ---- Engines ----------------------------------------------------------------------------------- */

/* Questions that take all engines far longer than any of the limits here. */
static const struct {
    const char *engine, *variant, *position;
    bool no_hot, modest; /* modest: it counts positions of what it builds, in steps */
} questions[] = {
    {"alphabeta", "kalah:6,6", "start", false, false},
    {"alphabeta", "connect4:9x9", "start", false, false},
    {"proof", "kalah:6,6", "start", false, false},
    {"proof", "chess", "start", false, false},
    {"deepening", "chess", "start", false, false},
    {"wave", "kalah:6,6", "start", false, true},
    {"wave", "chess", "start", false, true},
    {"region", "chess", "8/8/8/3k4/8/8/1r6/KN5R b - -", false, false},
    {"retrograde", "kalah:4,5", "start", true, false},
    {"retrograde", "kalah:4,5", "start", false, true},
    {"puzzle", "sudoku:16x16", NULL, false, true},
};

enum { QUESTIONS = sizeof questions / sizeof questions[0] };

typedef struct asked {
    holos_variant *v;
    holos_position *p;
    holos_solver *solver;
    holos_settings *settings;
} asked;

static asked question_open(size_t i, holos_limits limits)
{
    asked a;
    holos_error err;
    limits.memory = (size_t)3 << 29;
    assert_ok(holos_open(questions[i].variant, &a.v, &err), err);
    a.p = holos_position_new(a.v);
    assert_non_null(a.p);
    if (questions[i].position != NULL)
        assert_ok(holos_parse(a.v, questions[i].position, a.p, &err), err);
    a.settings = holos_settings_new();
    if (questions[i].no_hot)
        assert_ok(holos_settings_set(a.settings, "no-hot", "yes", &err), err);
    if ((holos_game_traits(holos_variant_game(a.v)) & HOLOS_TRAIT_PUZZLE) != 0)
        assert_ok(holos_settings_set(a.settings, "solutions", "1000G", &err), err);
    const holos_solver_options options = {
        .engine = questions[i].engine, .limits = limits, .settings = a.settings};
    assert_ok(holos_solver_open(a.v, &options, &a.solver, &err), err);
    return a;
}

static void question_close(asked *a)
{
    holos_solver_close(a->solver);
    holos_settings_free(a->settings);
    holos_position_free(a->p);
    holos_close(a->v);
}

/* What is said at a limit is true: nothing beyond the range, and no value. */
static void assert_open(const asked *a, size_t i, holos_status status, holos_status expected,
                        const holos_result *r, const holos_error *err)
{
    int32_t lo, hi;
    holos_score_range(a->v, &lo, &hi);
    if (status != expected)
        fail_msg("%s, %s: status %d instead of %d: %s", questions[i].engine, questions[i].variant, status,
                 expected, err->message);
    assert_true(r->value.lo >= lo && r->value.hi <= hi);
    if (r->solutions == 0)
        assert_true(r->value.lo < r->value.hi);
}

static void test_every_engine_keeps_to_the_nodes(void **state)
{
    (void)state;
    const uint64_t most = 20000;
    for (size_t i = 0; i < QUESTIONS; i++) {
        holos_result r;
        holos_error err = {0};
        asked a = question_open(i, (holos_limits){.nodes = most});
        holos_status status = holos_solver_solve(a.solver, a.p, &r, &err);
        assert_open(&a, i, status, HOLOS_LIMIT, &r, &err);
        if (r.nodes > most + (questions[i].modest ? most / 10 : 0))
            fail_msg("%s, %s: %llu nodes", questions[i].engine, questions[i].variant,
                     (unsigned long long)r.nodes);
        if (strstr(err.message, "the node limit") == NULL)
            fail_msg("%s: \"%s\"", questions[i].engine, err.message);
        question_close(&a);
    }
}

/* Ten times the limit is far more than any engine needs. Processor time, as the machine may be busy with other things. */
static void test_every_engine_keeps_to_the_time(void **state)
{
    (void)state;
    const double seconds = 0.3;
    for (size_t i = 0; i < QUESTIONS; i++) {
        holos_result r;
        holos_error err = {0};
        asked a = question_open(i, (holos_limits){.seconds = seconds});
        double began = clock_cpu();
        holos_status status = holos_solver_solve(a.solver, a.p, &r, &err);
        double spent = clock_cpu() - began;
        assert_open(&a, i, status, HOLOS_LIMIT, &r, &err);
        if (spent > 10 * seconds)
            fail_msg("%s, %s: %.2f s", questions[i].engine, questions[i].variant, spent);
        if (strstr(err.message, "the time limit") == NULL)
            fail_msg("%s: \"%s\"", questions[i].engine, err.message);
        question_close(&a);
    }
}

static void *stop_soon(void *context)
{
    sleep_for(0.05);
    holos_stop_set(context);
    return NULL;
}

static void test_every_engine_can_be_stopped(void **state)
{
    (void)state;
    for (size_t i = 0; i < QUESTIONS; i++) {
        holos_result r;
        holos_error err = {0};
        holos_stop stop = {0};
        pthread_t stopper;
        asked a = question_open(i, (holos_limits){.stop = &stop});
        assert_int_equal(pthread_create(&stopper, NULL, stop_soon, &stop), 0);
        holos_status status = holos_solver_solve(a.solver, a.p, &r, &err);
        pthread_join(stopper, NULL);
        assert_open(&a, i, status, HOLOS_INTERRUPTED, &r, &err);
        if (strstr(err.message, "interrupted") == NULL)
            fail_msg("%s: \"%s\"", questions[i].engine, err.message);
        question_close(&a);
    }
}

/* ---- Depth ------------------------------------------------------------------------------------- */

/* A game as deep as one likes: a counter that either side takes one from. */
typedef struct chain {
    uint64_t left, unused;
} chain;

static uint64_t chain_left(const holos_position *p)
{
    return ((const chain *)(const void *)p)->left;
}

static holos_edge chain_play(const holos_variant *v, const holos_position *p, holos_move move,
                             holos_position *out)
{
    (void)v;
    chain next = {.left = chain_left(p) - 1};
    memcpy(out, &next, sizeof next);
    return (holos_edge){.move = move};
}

static uint32_t chain_expand(const holos_variant *v, const holos_position *p, holos_edges out)
{
    _Alignas(16) chain next;
    if (chain_left(p) == 0)
        return 0;
    holos_edge edge = chain_play(v, p, 0, (holos_position *)&next);
    edges_put(v, out, 0, edge, (const holos_position *)&next);
    return 1;
}

static bool chain_terminal(const holos_variant *v, const holos_position *p, int32_t *score)
{
    (void)v;
    *score = -1;
    return chain_left(p) == 0;
}

static holos_key chain_key(const holos_variant *v, const holos_position *p)
{
    (void)v;
    return (holos_key){.lo = chain_left(p)};
}

static const holos_game chain_game = {.name = "chain",
                                      .expand = chain_expand,
                                      .play = chain_play,
                                      .terminal = chain_terminal,
                                      .key = chain_key,
                                      .identity = chain_key};
static const holos_variant chain_variant = {.game = &chain_game,
                                            .name = "chain",
                                            .position_size = sizeof(chain),
                                            .max_successors = 1,
                                            .score_min = -1,
                                            .score_max = 1};

typedef struct chain_question {
    uint64_t length;
    holos_status status;
    holos_result result;
    holos_error err;
} chain_question;

static void *chain_solve(void *context)
{
    chain_question *q = context;
    _Alignas(16) chain p = {.left = q->length};
    holos_solver *solver;
    const holos_solver_options options = {.engine = "alphabeta", .value_only = true};
    q->status = holos_solver_open(&chain_variant, &options, &solver, &q->err);
    if (q->status != HOLOS_OK)
        return NULL;
    q->status = holos_solver_solve(solver, (const holos_position *)&p, &q->result, &q->err);
    holos_solver_close(solver);
    return NULL;
}

/* On a stack of so many bytes. */
static chain_question chain_ask(uint64_t length, size_t stack)
{
    chain_question q = {.length = length};
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, stack), 0);
    assert_int_equal(pthread_create(&thread, &attributes, chain_solve, &q), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    return q;
}

static void test_a_line_deeper_than_the_stack_is_a_limit(void **state)
{
    (void)state;
    chain_question q = chain_ask(200, (size_t)512 << 10);
    assert_int_equal(q.status, HOLOS_OK);
    assert_int_equal(q.result.value.lo, -1);
    q = chain_ask(9000, (size_t)512 << 10);
    assert_fails(q.status, q.err, HOLOS_LIMIT, "the greatest depth");
    q = chain_ask(9001, (size_t)64 << 20);
    assert_int_equal(q.status, HOLOS_OK);
    assert_int_equal(q.result.value.lo, 1);
    q = chain_ask(100000, (size_t)64 << 20); /* and frames have an end, too */
    assert_fails(q.status, q.err, HOLOS_LIMIT, "the greatest depth");
}

/* ---- Puzzles ----------------------------------------------------------------------------------- */

/* A board of neighbours by sides with two givens: it has more solutions than anybody can count, and next to nothing
 * follows. */
static holos_position *sparse_board(holos_variant **v)
{
    enum { SIDE = 20 };
    holos_error err;
    text board;
    text_init(&board);
    for (unsigned i = 0; i < SIDE * SIDE; i++) {
        text_string(&board, i == 0 ? "1" : i == SIDE * (SIDE - 1) ? "400" : ".");
        text_string(&board, i % SIDE < SIDE - 1 ? " " : i + 1 < SIDE * SIDE ? "/" : "");
    }
    assert_ok(holos_open("hidato:4", v, &err), err);
    holos_position *p = holos_position_new(*v);
    assert_ok(holos_parse(*v, board.data, p, &err), err);
    text_free(&board);
    return p;
}

static void test_steps_and_ratings_keep_to_the_limits(void **state)
{
    (void)state;
    holos_variant *v;
    holos_position *p = sparse_board(&v);
    holos_logic *l;
    holos_rating rating;
    holos_error err = {0};
    holos_stop stop = {0};
    assert_ok(holos_logic_open(v, p, &(holos_limits){.stop = &stop}, &l, &err), err);
    holos_stop_set(&stop);
    assert_int_equal(holos_logic_rate(l, &rating), HOLOS_INTERRUPTED);
    assert_false(rating.solved);
    assert_fails(holos_logic_status(l, &err), err, HOLOS_INTERRUPTED, "interrupted");
    holos_logic_close(l);
    assert_fails(holos_logic_open(v, p, &(holos_limits){.seconds = 0.01}, &l, &err), err, HOLOS_LIMIT,
                 "the time limit");
    holos_position_free(p);
    holos_close(v);
}

static void test_a_generator_hands_out_what_is_finished(void **state)
{
    (void)state;
    holos_variant *v;
    holos_generator *g;
    holos_error err = {0};
    unsigned made = 0;
    assert_ok(holos_open("hidato", &v, &err), err);
    holos_position *p = holos_position_new(v);
    const holos_generator_options options = {
        .seed = 1, .minimal = true, .expected = 1000000, .limits = {.nodes = 4000}};
    assert_ok(holos_generator_open(v, &options, &g, &err), err);
    holos_status status;
    while ((status = holos_generator_next(g, p, NULL, &err)) == HOLOS_OK)
        made++;
    assert_int_equal(status, HOLOS_LIMIT);
    assert_true(made > 0 && made < 256); /* fewer than are made at once */
    holos_generator_close(g);
    holos_position_free(p);
    holos_close(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_node_limit_is_exact),
        cmocka_unit_test(test_without_limits_nothing_ends),
        cmocka_unit_test(test_slow_nodes_are_few_between_two_looks),
        cmocka_unit_test(test_a_deadline_ends_the_work),
        cmocka_unit_test(test_a_share_counts_for_itself_and_is_joined),
        cmocka_unit_test(test_threads_together_keep_to_the_nodes),
        cmocka_unit_test(test_a_pause_comes_when_it_is_due),
        cmocka_unit_test(test_every_engine_keeps_to_the_nodes),
        cmocka_unit_test(test_every_engine_keeps_to_the_time),
        cmocka_unit_test(test_every_engine_can_be_stopped),
        cmocka_unit_test(test_a_line_deeper_than_the_stack_is_a_limit),
        cmocka_unit_test(test_steps_and_ratings_keep_to_the_limits),
        cmocka_unit_test(test_a_generator_hands_out_what_is_finished),
    };
    UNIT_MAIN(tests);
}
