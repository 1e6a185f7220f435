/* SPDX-License-Identifier: MIT */

/* Solving hidatos: against published solutions (tests/data/README.md), against the definition on small boards, and
 * propagation against itself with the numbers counted backwards. */

#include "game_fixture.h"
#include "unit.h"

#include "core/clock.h"
#include "core/rng.h"
#include "games/hidato/cdcl.h"
#include "games/hidato/clauses.h"
#include "games/hidato/hidato.h"

/* ---- Puzzles with their solutions -------------------------------------------------------------------- */

typedef struct puzzle {
    char set[32];
    unsigned side; /* rows */
    bool minimal;
    hidato_kind kind;
    hidato_board board, solution;
} puzzle;

static holos_variant *variants[3]; /* by kind */

static int variants_open(void **state)
{
    holos_error err;
    (void)state;
    for (int kind = 0; kind < 3; kind++)
        assert_ok(holos_open(hidato_kind_name((hidato_kind)kind), &variants[kind], &err), err);
    return 0;
}

static int variants_close(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++)
        holos_close(variants[kind]);
    return 0;
}

static void puzzle_read(char *line, puzzle *out)
{
    holos_error err;
    char *set = strtok(line, "\t"), *board = strtok(NULL, "\t"), *solution = strtok(NULL, "\t\n");
    assert_non_null(solution);
    snprintf(out->set, sizeof out->set, "%s", set);
    out->side = (unsigned)atoi(set);
    out->minimal = strstr(set, "min") != NULL;
    out->kind = strstr(set, "-a4-") != NULL   ? HIDATO_ROOK
                : strstr(set, "-a6-") != NULL ? HIDATO_HEX
                                              : HIDATO_KING;
    assert_ok(holos_parse(variants[out->kind], board, (holos_position *)&out->board, &err), err);
    assert_ok(holos_parse(variants[out->kind], solution, (holos_position *)&out->solution, &err), err);
}

typedef void puzzle_check(const puzzle *p);

/* Calls `check` for the puzzles up to a side; all of them with HOLOS_LONG_TESTS=1. Returns how many there were. */
static size_t for_each_puzzle(unsigned side, puzzle_check *check)
{
    static char line[1 << 15];
    size_t count = 0;
    bool all = getenv("HOLOS_LONG_TESTS") != NULL;
    FILE *file = fopen(TEST_DATA "/hidato/puzzles.tsv", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        puzzle p;
        puzzle_read(line, &p);
        if (p.side > side && !all)
            continue;
        check(&p);
        count++;
    }
    fclose(file);
    return count;
}

static void solve_in(const hidato_board *b, hidato_kind kind, const char *mode, uint64_t limit,
                     hidato_answer *out)
{
    const hidato_request request = {.mode = hidato_mode_find(mode), .solutions = limit};
    struct limits limits;
    limits_begin(&limits, &(holos_limits){.seconds = 1000}, NULL);
    assert_int_equal(hidato_solve(b, kind, &request, &limits, out), HOLOS_OK);
}

static void assert_same_numbers(const puzzle *p, const hidato_board *got)
{
    if (memcmp(got->numbers, p->solution.numbers, sizeof got->numbers) != 0)
        fail_msg("%s: not the published solution", p->set);
}

static void check_v4(const puzzle *p)
{
    hidato_answer answer;
    solve_in(&p->board, p->kind, "v4", 2, &answer);
    assert_int_equal(answer.solutions, 1);
    assert_true(answer.complete);
    assert_same_numbers(p, &answer.first);
    assert_memory_equal(answer.first.given, p->board.given, sizeof p->board.given);
}

static void test_v4_finds_every_published_solution_and_no_other(void **state)
{
    (void)state;
    assert_true(for_each_puzzle(15, check_v4) > 400);
}

/* Within its budgets of 20,000 nodes and 50 guesses on top of each other; the time depends on the machine. */
static void check_v3(const puzzle *p)
{
    hidato_answer answer;
    if (p->kind != HIDATO_KING || p->side > 10)
        return;
    solve_in(&p->board, p->kind, "v3", 2, &answer);
    assert_null(answer.limit);
    assert_int_equal(answer.solutions, 1);
    assert_same_numbers(p, &answer.first);
    assert_true(answer.nodes <= 20000 && answer.depth <= 50);
}

static void test_v3_solves_all_up_to_10x10_within_its_budgets(void **state)
{
    (void)state;
    assert_true(for_each_puzzle(10, check_v3) > 300);
}

/* ---- Propagation --------------------------------------------------------------------------------------- */

static void check_sound(const puzzle *p)
{
    for (unsigned mode = 1; mode <= 4; mode++) {
        hidato_state s;
        assert_true(hidato_state_init(&s, &p->board, p->kind, mode));
        assert_true(hidato_propagate(&s));
        for (unsigned place = 0; place < (unsigned)p->board.rows * p->board.columns; place++) {
            unsigned number = p->solution.numbers[place];
            if (number != HIDATO_HOLE && !hidato_may(&s.d, number, hidato_site_of(&s.d.grid, place)))
                fail_msg("%s, v%u: %u was removed from place %u", p->set, mode, number, place);
        }
        hidato_state_free(&s);
    }
}

static void test_propagation_never_removes_the_solution(void **state)
{
    (void)state;
    assert_true(for_each_puzzle(30, check_sound) > 400);
}

static void board_mirror(const hidato_board *b, hidato_board *out)
{
    *out = *b;
    for (unsigned place = 0; place < (unsigned)b->rows * b->columns; place++)
        if (hidato_is_number(b->numbers[place]))
            out->numbers[place] = (uint16_t)(b->cells + 1 - b->numbers[place]);
}

/* A propagator that looks one way only stays sound and merely makes puzzles look hard: so this is how it shows. */
static void check_mirrored(const puzzle *p)
{
    hidato_board mirrored;
    board_mirror(&p->board, &mirrored);
    for (unsigned mode = 1; mode <= 4; mode++) {
        hidato_state a, b;
        assert_true(hidato_state_init(&a, &p->board, p->kind, mode));
        assert_true(hidato_state_init(&b, &mirrored, p->kind, mode));
        assert_true(hidato_propagate(&a) && hidato_propagate(&b));
        for (unsigned number = 1; number <= a.d.last; number++)
            if (memcmp(hidato_places(&a.d, number), hidato_places(&b.d, a.d.last + 1 - number),
                       a.d.grid.words * sizeof(uint64_t)) != 0)
                fail_msg("%s, v%u: %u has other places than its mirror image", p->set, mode, number);
        hidato_state_free(&a);
        hidato_state_free(&b);
    }
}

static void test_numbers_counted_backwards_have_the_same_places(void **state)
{
    (void)state;
    assert_true(for_each_puzzle(20, check_mirrored) > 400);
}

/* Both directions of the candidates say the same, also after changes were taken back. */
static void assert_consistent(const hidato_domains *d)
{
    unsigned open = 0;
    for (unsigned number = 1; number <= d->last; number++) {
        unsigned count = 0;
        SET_EACH (site, d->grid.mask, d->grid.words) {
            assert_int_equal(hidato_may(d, number, site), set_has(hidato_values(d, site), number));
            count += hidato_may(d, number, site);
        }
        assert_int_equal(count, d->place_count[number]);
        open += count > 1;
    }
    assert_int_equal(open, d->open);
}

static void check_undo(const puzzle *p)
{
    hidato_state s;
    if (!p->minimal || p->side > 8)
        return;
    assert_true(hidato_state_init(&s, &p->board, p->kind, 3));
    assert_true(hidato_propagate(&s));
    assert_consistent(&s.d);
    size_t size = (s.d.last + 2u) * s.d.grid.words * sizeof(uint64_t), mark = s.d.trail_length;
    uint64_t *before = malloc(size);
    assert_non_null(before);
    memcpy(before, s.d.places, size);
    for (unsigned number = 1; number <= s.d.last; number++) {
        if (s.d.place_count[number] == 1)
            continue;
        if (hidato_assign(&s.d, number, set_first(hidato_places(&s.d, number))))
            hidato_propagate(&s);
        hidato_undo(&s.d, mark);
        assert_memory_equal(before, s.d.places, size);
    }
    assert_consistent(&s.d);
    free(before);
    hidato_state_free(&s);
}

static void test_what_is_taken_back_is_as_before(void **state)
{
    (void)state;
    for_each_puzzle(8, check_undo);
}

/* ---- Against the definition -------------------------------------------------------------------------------- */

typedef struct brute {
    const hidato_board *board;
    hidato_kind kind;
    uint16_t where[64]; /* place + 1 of each number given */
    bool used[64];
    uint64_t count, limit;
} brute;

static void brute_extend(brute *k, unsigned number, unsigned place)
{
    uint16_t near[HIDATO_DEGREE];
    if (k->where[number] != 0 ? k->where[number] != place + 1u : k->board->numbers[place] != 0)
        return;
    if (number == k->board->cells) {
        k->count++;
        return;
    }
    k->used[place] = true;
    unsigned degree = hidato_neighbours(k->board, k->kind, place, near);
    for (unsigned i = 0; i < degree && k->count < k->limit; i++)
        if (!k->used[near[i]])
            brute_extend(k, number + 1, near[i]);
    k->used[place] = false;
}

static uint64_t brute_count(const hidato_board *b, hidato_kind kind, uint64_t limit)
{
    brute k = {.board = b, .kind = kind, .limit = limit};
    for (unsigned place = 0; place < (unsigned)b->rows * b->columns; place++)
        if (hidato_is_number(b->numbers[place]))
            k.where[b->numbers[place]] = (uint16_t)(place + 1);
    for (unsigned place = 0; place < (unsigned)b->rows * b->columns && k.count < limit; place++)
        if (b->numbers[place] != HIDATO_HOLE)
            brute_extend(&k, 1, place);
    return k.count;
}

/* A board of up to 4 x 5 with a few holes and a few numbers anywhere: often without a solution. */
static bool board_random(rng *r, hidato_kind kind, hidato_board *out)
{
    char written[512];
    holos_error err;
    text t;
    hidato_board_init(out, 1 + (unsigned)rng_below(r, 4), 1 + (unsigned)rng_below(r, 5));
    unsigned places = (unsigned)out->rows * out->columns, number = 1;
    for (unsigned place = 0; place < places; place++)
        if (rng_below(r, 8) == 0)
            out->numbers[place] = HIDATO_HOLE;
    hidato_board_count(out);
    for (number = 1; number <= out->cells; number++) {
        unsigned place = (unsigned)rng_below(r, places);
        if (rng_below(r, 4) == 0 && out->numbers[place] == 0)
            out->numbers[place] = (uint16_t)number;
    }
    text_init_fixed(&t, written, sizeof written);
    hidato_format(variants[kind], (holos_position *)out, &t);
    return holos_parse(variants[kind], written, (holos_position *)out, &err) == HOLOS_OK;
}

static void compare_counts(const hidato_board *b, hidato_kind kind, uint64_t expected, uint64_t limit)
{
    static const char *const modes[] = {"v1", "v2", "v3", "v3-table", "v4"};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        const hidato_request request = {
            .mode = hidato_mode_find(modes[i]), .solutions = limit, .depth = 1000};
        struct limits limits;
        hidato_answer answer;
        limits_begin(&limits, &(holos_limits){.nodes = 1000000, .seconds = 1000}, NULL);
        assert_int_equal(hidato_solve(b, kind, &request, &limits, &answer), HOLOS_OK);
        if (i >= 2)
            assert_null(answer.limit);
        if (answer.limit != NULL)
            continue;
        if (answer.solutions != expected)
            fail_msg("%s, %s: %llu solutions instead of %llu", hidato_kind_name(kind), modes[i],
                     (unsigned long long)answer.solutions, (unsigned long long)expected);
        assert_true(answer.complete || answer.solutions == limit);
        assert_true(!answer.complete || expected < limit || brute_count(b, kind, limit + 1) == limit);
    }
}

/* v4 without the guesses that it begins with: components and clauses alone. */
static uint64_t count_by_clauses(const hidato_board *b, hidato_kind kind, uint64_t limit, bool *complete)
{
    const hidato_request request = {.mode = hidato_mode_find("v4"), .solutions = limit};
    static hidato_answer answer;
    hidato_state s;
    memset(&answer, 0, sizeof answer);
    hidato_run run = {.request = &request,
                      .board = b,
                      .answer = &answer,
                      .limits = limits_none(),
                      .depth_limit = UINT32_MAX};
    assert_true(hidato_state_init(&s, b, kind, 4));
    *complete = !hidato_propagate(&s) || hidato_solve_components(&s, &run);
    hidato_state_free(&s);
    return answer.solutions;
}

static void test_clauses_count_what_the_definition_says(void **state)
{
    rng r;
    (void)state;
    rng_init(&r, 22, 0);
    for (unsigned i = 0; i < 1500; i++) {
        hidato_kind kind = (hidato_kind)rng_below(&r, 3);
        hidato_board b;
        bool complete;
        if (!board_random(&r, kind, &b))
            continue;
        uint64_t limit = 1 + rng_below(&r, 40), expected = brute_count(&b, kind, limit);
        assert_int_equal(count_by_clauses(&b, kind, limit, &complete), expected);
        assert_true(complete ? brute_count(&b, kind, limit + 1) == expected : expected == limit);
    }
}

static void check_clauses(const puzzle *p)
{
    bool complete;
    assert_int_equal(count_by_clauses(&p->board, p->kind, 2, &complete), 1);
    assert_true(complete);
}

static void test_clauses_alone_prove_every_solution_to_be_the_only_one(void **state)
{
    (void)state;
    for_each_puzzle(10, check_clauses);
}

static void test_all_modes_count_what_the_definition_says(void **state)
{
    rng r;
    unsigned solvable = 0, unique = 0, several = 0, none = 0;
    (void)state;
    rng_init(&r, 20, 0);
    for (unsigned i = 0; i < 3000; i++) {
        hidato_kind kind = (hidato_kind)rng_below(&r, 3);
        hidato_board b;
        if (!board_random(&r, kind, &b))
            continue;
        uint64_t limit = 1 + rng_below(&r, 40), expected = brute_count(&b, kind, limit);
        compare_counts(&b, kind, expected, limit);
        solvable += expected > 0;
        unique += expected == 1;
        several += expected > 1;
        none += expected == 0;
    }
    assert_true(unique > 50 && several > 100 && none > 100 && solvable > 150);
}

/* ---- Modes and limits ------------------------------------------------------------------------------------------ */

#define HARD                                                                                                 \
    "1 . . . . . . ./. . . . . . . ./. . . . . . . ./. . . . . . . ./. . . . . . . ./. . . . . . . ./. . . " \
    ". . . . ./. . . . . . . 64"

static hidato_board hard_board(void)
{
    hidato_board b;
    holos_error err;
    assert_ok(holos_parse(variants[HIDATO_KING], HARD, (holos_position *)&b, &err), err);
    return b;
}

static void test_v1_and_v2_stop_with_what_is_certain(void **state)
{
    hidato_answer answer;
    hidato_board b = hard_board();
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        solve_in(&b, HIDATO_KING, i == 0 ? "v1" : "v2", 2, &answer);
        assert_string_equal(answer.limit, "what the mode can conclude");
        assert_false(answer.complete);
        assert_true(answer.has_known);
        assert_int_equal(answer.nodes, 0);
        assert_int_equal(answer.known.filled, 2);
    }
}

static void test_limits_end_a_search_and_are_named(void **state)
{
    static const holos_stop stop = {.asked = 1};
    hidato_board b = hard_board();
    const struct {
        const char *limit;
        holos_limits limits;
        unsigned depth;
    } cases[] = {
        {"the node limit", {.nodes = 10}, 0},
        {"the depth limit", {.nodes = 0}, 3},
        {"the time limit", {.seconds = 1e-9}, 0},
        {"the request to stop", {.stop = &stop}, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned k = 0; k < 2; k++) {
            const hidato_request request = {.mode = hidato_mode_find(k == 0 ? "v3" : "v4"),
                                            .solutions = UINT64_MAX,
                                            .depth = cases[i].depth};
            struct limits limits;
            hidato_answer answer;
            if (k == 1 && request.depth != 0)
                continue; /* the learner's guesses are not nested */
            limits_begin(&limits, &cases[i].limits, NULL);
            assert_int_equal(hidato_solve(&b, HIDATO_KING, &request, &limits, &answer), HOLOS_OK);
            assert_non_null(answer.limit);
            assert_string_equal(answer.limit, cases[i].limit);
            assert_false(answer.complete);
        }
}

static void test_v3_has_budgets_of_its_own(void **state)
{
    const hidato_mode *mode = hidato_mode_find("v3");
    (void)state;
    assert_int_equal(mode->nodes, 20000);
    assert_int_equal(mode->depth, 50);
    assert_true(mode->seconds == 0.5);
    assert_string_equal(hidato_mode_find(NULL)->name, "v4");
    assert_null(hidato_mode_find("v5"));
}

static void check_deterministic(const puzzle *p)
{
    static const char *const modes[] = {"v1", "v2", "v3", "v3-table", "v4"};
    if (!p->minimal || p->side != 10)
        return;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        static hidato_answer a, b;
        memset(&a, 0, sizeof a);
        memset(&b, 0, sizeof b);
        solve_in(&p->board, p->kind, modes[i], 2, &a);
        solve_in(&p->board, p->kind, modes[i], 2, &b);
        assert_memory_equal(&a, &b, sizeof a);
    }
}

static void test_the_same_puzzle_takes_the_same_steps(void **state)
{
    (void)state;
    for_each_puzzle(10, check_deterministic);
}

static void test_telemetry_counts_what_each_propagator_did(void **state)
{
    hidato_board b = hard_board();
    const hidato_request request = {.mode = hidato_mode_find("v4"), .solutions = 1, .clock = true};
    struct limits limits = limits_none();
    hidato_answer answer;
    (void)state;
    assert_int_equal(hidato_solve(&b, HIDATO_KING, &request, &limits, &answer), HOLOS_OK);
    assert_true(answer.work[HIDATO_BY_SWEEP].calls > 0);
    assert_true(answer.work[HIDATO_BY_SWEEP].seconds > 0);
    assert_true(answer.work[HIDATO_BY_MATCHING].calls > 0);
    assert_true(answer.work[HIDATO_BY_EDGE].calls > 0);
}

static void test_largest_board_is_solved(void **state)
{
    hidato_board b, solution;
    hidato_answer answer;
    (void)state;
    assert_true(hidato_board_init(&b, 40, 40));
    for (unsigned place = 0; place < 1600; place++) {
        unsigned row = place / 40, column = place % 40,
                 number = row * 40 + (row % 2 == 0 ? column : 39 - column) + 1;
        solution.numbers[place] = (uint16_t)number;
        b.numbers[place] = (uint16_t)(place % 3 == 0 || row % 2 == 0 ? number : 0);
    }
    hidato_board_count(&b);
    solve_in(&b, HIDATO_ROOK, "v4", 2, &answer);
    assert_int_equal(answer.solutions, 1);
    assert_true(answer.complete);
    assert_memory_equal(answer.first.numbers, solution.numbers, sizeof solution.numbers);
}

/* ---- The clause learner ------------------------------------------------------------------------------------------ */

static bool always(void *context, const cdcl_statistics *so_far)
{
    (void)context;
    (void)so_far;
    return true;
}

enum { VARIABLES = 10 };

typedef struct formula {
    uint32_t clauses[60][3], group[4];
    unsigned count;
} formula;

static bool formula_holds(const formula *f, unsigned values)
{
    unsigned in_group = 0;
    for (unsigned i = 0; i < 4; i++)
        in_group += values >> f->group[i] & 1;
    if (in_group > 1)
        return false;
    for (unsigned i = 0; i < f->count; i++) {
        bool holds = false;
        for (unsigned k = 0; k < 3; k++)
            holds |= (values >> f->clauses[i][k] / 2 & 1) != f->clauses[i][k] % 2;
        if (!holds)
            return false;
    }
    return true;
}

static void formula_random(rng *r, formula *f)
{
    f->count = 20 + (unsigned)rng_below(r, 40);
    for (unsigned i = 0; i < f->count; i++)
        for (unsigned k = 0; k < 3; k++)
            f->clauses[i][k] = (uint32_t)(2 * ((k * 3 + rng_below(r, 3) + (k == 2 ? rng_below(r, 2) : 0))) +
                                          rng_below(r, 2));
    for (unsigned i = 0; i < 4; i++)
        f->group[i] = 2 * i + (uint32_t)rng_below(r, 2);
}

/* All models, each ruled out once it is found. */
static unsigned count_models(const formula *f)
{
    unsigned models = 0;
    cdcl *c = cdcl_open(VARIABLES);
    assert_non_null(c);
    cdcl_add_group(c, f->group, 4);
    for (unsigned i = 0; i < f->count; i++)
        cdcl_add_clause(c, f->clauses[i], 3);
    while (cdcl_solve(c, always, NULL) == CDCL_SATISFIED) {
        uint32_t block[VARIABLES];
        unsigned values = 0;
        for (uint32_t i = 0; i < VARIABLES; i++) {
            block[i] = 2 * i + cdcl_is_true(c, i);
            values |= (unsigned)cdcl_is_true(c, i) << i;
        }
        assert_true(formula_holds(f, values));
        cdcl_add_clause(c, block, VARIABLES);
        models++;
    }
    cdcl_close(c);
    return models;
}

static void test_learner_finds_every_model(void **state)
{
    rng r;
    unsigned without = 0, with = 0;
    (void)state;
    rng_init(&r, 21, 0);
    for (unsigned i = 0; i < 1000; i++) {
        formula f;
        unsigned expected = 0;
        formula_random(&r, &f);
        for (unsigned values = 0; values < 1u << VARIABLES; values++)
            expected += formula_holds(&f, values);
        assert_int_equal(count_models(&f), expected);
        without += expected == 0;
        with += expected > 0;
    }
    assert_true(without > 50 && with > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_v4_finds_every_published_solution_and_no_other),
        cmocka_unit_test(test_v3_solves_all_up_to_10x10_within_its_budgets),
        cmocka_unit_test(test_propagation_never_removes_the_solution),
        cmocka_unit_test(test_numbers_counted_backwards_have_the_same_places),
        cmocka_unit_test(test_what_is_taken_back_is_as_before),
        cmocka_unit_test(test_all_modes_count_what_the_definition_says),
        cmocka_unit_test(test_clauses_count_what_the_definition_says),
        cmocka_unit_test(test_clauses_alone_prove_every_solution_to_be_the_only_one),
        cmocka_unit_test(test_v1_and_v2_stop_with_what_is_certain),
        cmocka_unit_test(test_limits_end_a_search_and_are_named),
        cmocka_unit_test(test_v3_has_budgets_of_its_own),
        cmocka_unit_test(test_the_same_puzzle_takes_the_same_steps),
        cmocka_unit_test(test_telemetry_counts_what_each_propagator_did),
        cmocka_unit_test(test_largest_board_is_solved),
        cmocka_unit_test(test_learner_finds_every_model),
    };
    return cmocka_run_group_tests(tests, variants_open, variants_close);
}
