/* SPDX-License-Identifier: MIT */

/* Making hidatos: paths, shapes, puzzles that are what was asked for. */

#include "unit.h"

#include "core/clock.h"
#include "games/hidato/generate.h"
#include "games/hidato/hidato.h"
#include "games/hidato/options.h"
#include "games/hidato/solver.h"

enum { SYMMETRIES = 6 };

static const char *const kinds[] = {"hidato", "hidato:4", "hidato:hex"};

static uint64_t count_solutions(const hidato_board *b, hidato_kind kind)
{
    const hidato_request request = {.mode = hidato_mode_find(NULL), .solutions = 2};
    struct limits limits = limits_none();
    hidato_answer answer;
    assert_int_equal(hidato_solve(b, kind, &request, &limits, &answer), HOLOS_OK);
    return answer.solutions;
}

static hidato_board *make(hidato_kind kind, const holos_puzzle_request *request, uint64_t first, size_t count)
{
    holos_variant *v;
    holos_error err;
    assert_ok(holos_open(kinds[kind], &v, &err), err);
    hidato_board *boards = aligned_alloc(16, count * sizeof *boards);
    assert_non_null(boards);
    struct limits limits = limits_none();
    size_t made;
    assert_ok(hidato_generate(v, request, first, count, &limits, (holos_position *)boards, &made, &err), err);
    assert_int_equal(made, count);
    holos_close(v);
    return boards;
}

static unsigned shape_named(const char *name)
{
    unsigned i = 0;
    while (strcmp(hidato_shapes[i], name) != 0)
        i++;
    return i;
}

/* ---- Paths ---------------------------------------------------------------------------------------- */

static void assert_is_path(const hidato_board *b, hidato_kind kind)
{
    uint16_t where[HIDATO_PLACES + 1] = {0};
    hidato_grid g;
    hidato_grid_init(&g, b, kind);
    for (unsigned place = 0; place < (unsigned)b->rows * b->columns; place++) {
        if (b->numbers[place] == HIDATO_HOLE)
            continue;
        assert_in_range(b->numbers[place], 1, b->cells);
        assert_int_equal(where[b->numbers[place]], 0);
        where[b->numbers[place]] = (uint16_t)(place + 1);
    }
    for (unsigned number = 1; number < b->cells; number++)
        assert_true(hidato_are_neighbours(&g, hidato_site_of(&g, where[number] - 1u),
                                          hidato_site_of(&g, where[number + 1] - 1u)));
}

static void test_paths_visit_every_cell_of_every_shape(void **state)
{
    (void)state;
    rng random;
    rng_init(&random, 1, 1);
    for (hidato_kind kind = HIDATO_KING; kind <= HIDATO_HEX; kind++)
        for (unsigned shape = 0; hidato_shapes[shape] != NULL; shape++) {
            /* With rook steps most shapes need a hole or two to have a path at all. */
            holos_puzzle_request request = {
                .settings = &(hidato_board_settings){.size = "12x12", .shape = shape, .holes = 10}};
            hidato_plan plan;
            hidato_board b;
            holos_error err;
            bool found = false;
            assert_ok(hidato_plan_make(kind, &request, &plan, &err), err);
            for (unsigned i = 0; i < 200 && !found; i++)
                found = hidato_plan_draw(&plan, &random, &b) && hidato_draw_path(&b, kind, &random);
            if (!found)
                fail_msg("no path through a %s of %s", hidato_shapes[shape], kinds[kind]);
            assert_is_path(&b, kind);
        }
}

static void test_the_largest_board_has_a_path(void **state)
{
    (void)state;
    rng random;
    hidato_board b;
    rng_init(&random, 1, 2);
    assert_true(hidato_board_init(&b, 40, 40));
    hidato_board_count(&b);
    assert_true(hidato_draw_path(&b, HIDATO_ROOK, &random));
    assert_is_path(&b, HIDATO_ROOK);
}

/* ---- Puzzles -------------------------------------------------------------------------------------- */

static void test_minimal_puzzles_need_every_given(void **state)
{
    (void)state;
    enum { COUNT = 6 };
    for (hidato_kind kind = HIDATO_KING; kind <= HIDATO_HEX; kind++) {
        hidato_board *boards = make(kind, &(holos_puzzle_request){.seed = 3, .minimal = true}, 0, COUNT);
        for (unsigned i = 0; i < COUNT; i++) {
            assert_int_equal(boards[i].cells, 64);
            assert_int_equal(count_solutions(&boards[i], kind), 1);
            for (unsigned place = 0; place < 64; place++) {
                hidato_board less = boards[i];
                if (less.numbers[place] == 0)
                    continue;
                less.numbers[place] = 0;
                hidato_board_count(&less);
                assert_int_equal(count_solutions(&less, kind), 2);
            }
        }
        free(boards);
    }
}

static void test_symmetries_hold_for_holes_and_givens(void **state)
{
    (void)state;
    enum { COUNT = 3 };
    for (unsigned symmetry = 0; symmetry < SYMMETRIES; symmetry++) {
        holos_puzzle_request request = {
            .seed = 5,
            .settings = &(hidato_board_settings){.size = "8x8", .symmetry = symmetry, .holes = 15}};
        request.minimal = symmetry == 1;
        hidato_board *boards = make(HIDATO_KING, &request, 0, COUNT);
        for (unsigned i = 0; i < COUNT; i++) {
            const hidato_board *b = &boards[i];
            assert_in_range(b->cells, 40, 55);
            assert_int_equal(count_solutions(b, HIDATO_KING), 1);
            for (unsigned place = 0; place < 64; place++) {
                unsigned other = hidato_carry(symmetry, b, place), held = b->numbers[place],
                         there = b->numbers[other];
                assert_int_equal(held == HIDATO_HOLE, there == HIDATO_HOLE);
                assert_int_equal(held == 0, there == 0);
            }
        }
        free(boards);
    }
}

static void test_a_puzzle_depends_on_its_number_alone(void **state)
{
    (void)state;
    const holos_puzzle_request request = {.seed = 7,
                                          .settings = &(hidato_board_settings){.size = "9x6", .holes = 10}};
    hidato_board *all = make(HIDATO_KING, &request, 10, 5), *one = make(HIDATO_KING, &request, 13, 1);
    assert_memory_equal(&all[3], one, sizeof *one);
    assert_memory_not_equal(&all[2], one, sizeof *one);
    assert_int_equal(one->rows, 6);
    assert_int_equal(one->columns, 9);
    free(all);
    free(one);
}

/* ---- What there is not ------------------------------------------------------------------------------ */

static void assert_refused(hidato_kind kind, hidato_board_settings settings, const char *words)
{
    holos_puzzle_request request = {.settings = &settings};
    hidato_plan plan;
    holos_error err;
    assert_fails(hidato_plan_make(kind, &request, &plan, &err), err, HOLOS_USAGE, words);
}

static void test_impossible_boards_are_refused_with_the_reason(void **state)
{
    (void)state;
    assert_refused(HIDATO_KING, (hidato_board_settings){.size = "41x41"}, "too large");
    assert_refused(HIDATO_KING, (hidato_board_settings){.size = "65x2"}, "too large");
    assert_refused(HIDATO_KING, (hidato_board_settings){.size = "1x1"}, "too small");
    assert_refused(HIDATO_KING, (hidato_board_settings){.holes = 51}, "too many");
    assert_refused(HIDATO_KING, (hidato_board_settings){.size = "9x8", .symmetry = 2}, "needs a square");
    assert_refused(HIDATO_HEX, (hidato_board_settings){.symmetry = 3}, "boards of hexagons");
    assert_refused(HIDATO_KING, (hidato_board_settings){.shape = shape_named("heart"), .symmetry = 1},
                   "does not have the symmetry rotate180");
    assert_refused(HIDATO_ROOK, (hidato_board_settings){.size = "9x9", .shape = shape_named("diamond")},
                   "no path of this kind visits all cells");
}

/* ---- Options ---------------------------------------------------------------------------------------- */

static void assert_words(const char *name, const char *const *words)
{
    const holos_option *o = option_find(hidato_options[1].options, name, strlen(name));
    size_t count = 0, length;
    assert_non_null(o);
    for (; words[count] != NULL; count++) {
        const char *word = option_choice(o, count, &length);
        assert_int_equal(length, strlen(words[count]));
        assert_memory_equal(word, words[count], length);
    }
    assert_int_equal(option_choice_count(o), count);
}

static void test_options_name_every_shape_and_symmetry(void **state)
{
    (void)state;
    assert_words("shape", hidato_shapes);
    assert_words("symmetry", hidato_symmetries);
}

static void test_options_name_every_mode(void **state)
{
    (void)state;
    const holos_option *o = option_find(hidato_options[0].options, "mode", 4);
    size_t length, count = option_choice_count(o);
    for (size_t i = 0; i < count; i++) {
        const char *word = option_choice(o, i, &length);
        assert_int_equal(length, strlen(hidato_modes[i].name));
        assert_memory_equal(word, hidato_modes[i].name, length);
    }
    assert_null(hidato_modes[count].name);
    assert_string_equal(o->fallback, hidato_mode_find(NULL)->name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths_visit_every_cell_of_every_shape),
        cmocka_unit_test(test_the_largest_board_has_a_path),
        cmocka_unit_test(test_minimal_puzzles_need_every_given),
        cmocka_unit_test(test_symmetries_hold_for_holes_and_givens),
        cmocka_unit_test(test_a_puzzle_depends_on_its_number_alone),
        cmocka_unit_test(test_impossible_boards_are_refused_with_the_reason),
        cmocka_unit_test(test_options_name_every_shape_and_symmetry),
        cmocka_unit_test(test_options_name_every_mode),
    };
    UNIT_MAIN(tests);
}
