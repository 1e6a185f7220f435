/* SPDX-License-Identifier: MIT */

/* The techniques of hidato: what any of them says is true of the solution, over hundreds of puzzles; what each says is
 * told in words that a person can follow. */

#include "unit.h"

#include "games/hidato/hidato.h"
#include "games/hidato/techniques/seeker.h"

extern const holos_game hidato_game;

typedef struct lesson {
    char set[48], puzzle[8192], solution[8192];
    const char *variant;
} lesson;

/* What takes too long for every day: wide boards with few givens, or without ends. */
static bool is_long(const char *set)
{
    unsigned side = (unsigned)atoi(set);
    bool few = strstr(set, "-min") != NULL || strstr(set, "noends") != NULL;
    return strstr(set, "-a4-") != NULL ? (side > 8 && few) || side > 10 || strstr(set, "noends") != NULL
                                       : side > 15;
}

static bool lesson_read(FILE *file, lesson *out)
{
    if (fscanf(file, "%47[^\t]\t%8191[^\t]\t%8191[^\n]\n", out->set, out->puzzle, out->solution) != 3)
        return false;
    out->variant = strstr(out->set, "-a4-") != NULL   ? "hidato:4"
                   : strstr(out->set, "-a6-") != NULL ? "hidato:hex"
                                                      : "hidato";
    return true;
}

typedef struct pupil {
    holos_variant *v;
    holos_position *puzzle, *solution;
    holos_logic *logic;
} pupil;

static pupil pupil_open(const char *variant, const char *puzzle, const char *solution)
{
    pupil p = {0};
    holos_error err;
    assert_ok(holos_open(variant, &p.v, &err), err);
    p.puzzle = holos_position_new(p.v);
    p.solution = holos_position_new(p.v);
    assert_ok(holos_parse(p.v, puzzle, p.puzzle, &err), err);
    if (solution != NULL)
        assert_ok(holos_parse(p.v, solution, p.solution, &err), err);
    assert_ok(holos_logic_open(p.v, p.puzzle, NULL, &p.logic, &err), err);
    return p;
}

static void pupil_close(pupil *p)
{
    holos_logic_close(p->logic);
    holos_position_free(p->puzzle);
    holos_position_free(p->solution);
    holos_close(p->v);
}

static unsigned number_in(const holos_position *solution, holos_candidate c)
{
    const hidato_board *b = hidato_board_of(solution);
    return b->numbers[c.cell / HIDATO_SIDE * b->columns + c.cell % HIDATO_SIDE];
}

static void assert_true_of(const lesson *l, const holos_position *solution, const holos_step *step)
{
    for (unsigned i = 0; i < step->placement_count; i++)
        if (number_in(solution, step->placements[i]) != step->placements[i].value)
            fail_msg("%s %s: %s is wrong: %s", l->variant, l->puzzle, step->technique->name,
                     step->explanation);
    for (unsigned i = 0; i < step->elimination_count; i++)
        if (number_in(solution, step->eliminations[i]) == step->eliminations[i].value)
            fail_msg("%s %s: %s rules out the solution: %s", l->variant, l->puzzle, step->technique->name,
                     step->explanation);
    assert_true(strlen(step->explanation) > 30);
    assert_true(step->rating >= step->technique->rating);
}

static void test_every_step_is_true_of_the_solution(void **state)
{
    (void)state;
    static lesson l;
    FILE *file = fopen(TEST_DATA "/hidato/puzzles.tsv", "r");
    unsigned used[HOLOS_TECHNIQUES_MOST] = {0}, puzzles = 0;
    assert_non_null(file);
    while (lesson_read(file, &l)) {
        if (is_long(l.set) && getenv("HOLOS_LONG_TESTS") == NULL)
            continue;
        puzzles++;
        pupil p = pupil_open(l.variant, l.puzzle, l.solution);
        holos_step step;
        while (holos_logic_find(p.logic, &step)) {
            assert_true_of(&l, p.solution, &step);
            used[step.technique - hidato_deduction.techniques]++;
            holos_logic_apply(p.logic, &step);
        }
        assert_true(holos_logic_is_done(p.logic));
        pupil_close(&p);
    }
    fclose(file);
    assert_true(puzzles > 250);
    for (size_t i = 0; i < hidato_deduction.technique_count; i++)
        if (used[i] == 0 && strcmp(hidato_deduction.techniques[i].name, "island") != 0 &&
            strcmp(hidato_deduction.techniques[i].name, "search") != 0)
            fail_msg("no puzzle takes the technique %s", hidato_deduction.techniques[i].name);
}

/* ---- Words --------------------------------------------------------------------------------------- */

/* What one technique says of a position, whether or not there is a cheaper one. */
static void assert_says(const char *name, const char *variant, const char *puzzle, const char *words)
{
    pupil p = pupil_open(variant, puzzle, NULL);
    size_t technique = holos_technique_find(holos_variant_game(p.v), name);
    hidato_knowledge *state = aligned_alloc(16, sizeof *state);
    holos_step step = {0};
    text said;
    text_init(&said);
    assert_true(technique != SIZE_MAX);
    assert_true(hidato_deduction.begin(p.v, p.puzzle, state));
    struct limits limits = limits_none();
    if (!hidato_deduction.find(p.v, state, technique, &limits, &step, &said))
        fail_msg("%s finds nothing in %s", name, puzzle);
    assert_string_equal(said.data, words);
    hidato_deduction.end(p.v, state);
    text_free(&said);
    free(state);
    pupil_close(&p);
}

static void test_explanations_name_cells_and_numbers(void **state)
{
    (void)state;
    FILE *file = fopen(TEST_DATA "/hidato/steps.txt", "r");
    char name[32], variant[16], puzzle[512], words[1024];
    bool seen[HOLOS_TECHNIQUES_MOST] = {0};
    assert_non_null(file);
    while (fscanf(file, "%31[^|]|%15[^|]|%511[^|]|%1023[^\n]\n", name, variant, puzzle, words) == 4) {
        assert_says(name, variant, puzzle, words);
        seen[holos_technique_find(&hidato_game, name)] = true;
    }
    fclose(file);
    for (size_t i = 0; i < hidato_deduction.technique_count; i++)
        if (!seen[i])
            fail_msg("no example of %s", hidato_deduction.techniques[i].name);
}

/* ---- Limits -------------------------------------------------------------------------------------- */

static void test_several_solutions_are_never_contradicted(void **state)
{
    (void)state;
    pupil p = pupil_open("hidato", "1 . ./. . ./. . 9", NULL);
    holos_step step;
    unsigned steps = 0;
    assert_int_equal(holos_logic_solutions(p.logic), 2);
    for (; holos_logic_find(p.logic, &step); steps++)
        holos_logic_apply(p.logic, &step);
    assert_false(holos_logic_is_done(p.logic));
    pupil_close(&p);
}

static void test_a_board_of_1600_cells_gets_hints(void **state)
{
    (void)state;
    text t;
    text_init(&t);
    for (unsigned row = 0; row < 40; row++)
        for (unsigned i = 0; i < 40; i++) {
            unsigned number = row * 40 + (row % 2 == 0 ? i + 1 : 40 - i);
            text_string(&t, i > 0 ? " " : row > 0 ? "/" : "");
            if (number % 3 == 1 || number == 1600)
                text_uint(&t, number);
            else
                text_char(&t, '.');
        }
    pupil p = pupil_open("hidato:4", t.data, NULL);
    holos_step step;
    assert_true(holos_logic_find(p.logic, &step));
    assert_true(step.placement_count == 1);
    pupil_close(&p);
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_step_is_true_of_the_solution),
        cmocka_unit_test(test_explanations_name_cells_and_numbers),
        cmocka_unit_test(test_several_solutions_are_never_contradicted),
        cmocka_unit_test(test_a_board_of_1600_cells_gets_hints),
    };
    UNIT_MAIN(tests);
}
