/* SPDX-License-Identifier: MIT */

/* The layers that a rank has reached: in memory they count against its budget, on a disk they do not. How they survive a kill:
 * tests/cli/cluster_test.py. */

#include "unit.h"

#include "cluster/reached.h"

#define KEYS 20000 /* more than go to the file at once */

static const reached_label label = {.family = 1, .ranks = 1, .words = 1, .version = 1};

static void layer_fill(reached *r, uint64_t first, size_t count)
{
    holos_error err;
    for (size_t i = 0; i < count; i++)
        assert_ok(reached_add(r, (holos_key){.lo = first + i}, &err), err);
    assert_ok(reached_end(r, &err), err);
}

static void layer_check(const reached *r, size_t layer, uint64_t first, size_t count)
{
    uint64_t *words = calloc(count, sizeof *words);
    holos_error err;
    assert_non_null(words);
    assert_int_equal(r->layers[layer].count, count);
    assert_ok(reached_read(r, layer, 0, count, words, &err), err);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(words[i], first + i);
    free(words);
}

static void test_layers_in_memory_count_against_the_budget(void **state)
{
    (void)state;
    reached r;
    holos_error err;
    mem_budget budget;
    mem_budget_init(&budget, 0);
    assert_ok(reached_open(&r, NULL, NULL, &budget, false, &label, &err), err);
    size_t empty = budget.used;
    assert_int_equal(reached_growth(&r, KEYS), KEYS * sizeof(uint64_t));
    layer_fill(&r, 1, KEYS);
    size_t one = budget.used;
    assert_true(one >= empty + KEYS * sizeof(uint64_t) && one < empty + KEYS * sizeof(uint64_t) + 4096);
    layer_fill(&r, 7, 2 * KEYS);
    layer_check(&r, 0, 1, KEYS);
    layer_check(&r, 1, 7, 2 * KEYS);
    assert_ok(reached_cut(&r, 1, &err), err);
    assert_int_equal(budget.used, one);
    layer_check(&r, 0, 1, KEYS);
    assert_ok(reached_cut(&r, 0, &err), err);
    assert_int_equal(budget.used, empty);
    reached_close(&r, true);
    assert_int_equal(budget.used, 0);
}

static void test_layers_that_do_not_fit_into_the_budget_are_refused(void **state)
{
    (void)state;
    reached r;
    holos_error err;
    mem_budget budget;
    holos_status status = HOLOS_OK;
    mem_budget_init(&budget, KEYS * sizeof(uint64_t));
    assert_ok(reached_open(&r, NULL, NULL, &budget, false, &label, &err), err);
    layer_fill(&r, 1, KEYS / 2);
    for (size_t i = 0; status == HOLOS_OK && i < KEYS; i++)
        status = reached_add(&r, (holos_key){.lo = i}, &err);
    assert_fails(status, err, HOLOS_NO_MEMORY, "the list of positions needs");
    layer_check(&r, 0, 1, KEYS / 2);
    reached_close(&r, true);
    assert_int_equal(budget.used, 0);
}

static void test_layers_on_a_disk_need_no_memory(void **state)
{
    (void)state;
    char folder[64];
    reached r;
    holos_error err;
    mem_budget budget;
    unit_make_folder(folder);
    mem_budget_init(&budget, 1);
    assert_ok(reached_open(&r, NULL, folder, &budget, false, &label, &err), err);
    layer_fill(&r, 1, KEYS);
    assert_int_equal(reached_growth(&r, KEYS), 0);
    reached_close(&r, true);
    assert_ok(reached_open(&r, unit_path(folder, "layers"), NULL, &budget, false, &label, &err), err);
    layer_fill(&r, 3, KEYS);
    reached_close(&r, false);
    assert_ok(reached_open(&r, unit_path(folder, "layers"), NULL, &budget, true, &label, &err), err);
    layer_check(&r, 0, 3, KEYS);
    reached_close(&r, true);
    assert_int_equal(budget.peak, 0);
    assert_int_equal(unit_count_names(folder), 0);
    unit_remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layers_in_memory_count_against_the_budget),
        cmocka_unit_test(test_layers_that_do_not_fit_into_the_budget_are_refused),
        cmocka_unit_test(test_layers_on_a_disk_need_no_memory),
    };
    UNIT_MAIN(tests);
}
