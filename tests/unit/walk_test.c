/* SPDX-License-Identifier: MIT */

/* Whatever knows values can be gone through: every position comes once, with the value that a question gives. */

#include "unit.h"

#include "game/game.h"

#include <stdlib.h>

static void made(const char *game, const char *kind, const char *operand, const char *store,
                 const holos_settings *settings)
{
    holos_error err;
    holos_variant *v;
    holos_job *job;
    assert_ok(holos_open(game, &v, &err), err);
    const char *operands[] = {operand};
    const holos_job_options o = {.kind = kind,
                                 .store = store,
                                 .operands = operands,
                                 .operand_count = operand != NULL ? 1 : 0,
                                 .settings = settings,
                                 .threads = 1};
    assert_ok(holos_job_open(v, &o, &job, &err), err);
    assert_ok(holos_job_run(job, &err), err);
    holos_job_close(job);
    holos_close(v);
}

static int keys_compare(const void *a, const void *b)
{
    const holos_key *x = a, *y = b;
    return holos_key_less(*x, *y) ? -1 : holos_key_less(*y, *x);
}

/* Goes through it in steps of `step`; returns how many positions there are. */
static uint64_t walked(const char *store, size_t step)
{
    holos_error err;
    holos_knowledge *k;
    holos_cursor cursor = {0};
    uint64_t all = 0;
    size_t count, room = 100000;
    assert_ok(holos_knowledge_open(store, NULL, NULL, &k, &err), err);
    const holos_variant *v = holos_knowledge_variant(k);
    holos_position *positions = aligned_alloc(16, step * v->position_size);
    holos_value *values = calloc(step, sizeof *values), again;
    holos_key *seen = calloc(room, sizeof *seen);
    assert_true(positions != NULL && values != NULL && seen != NULL);
    do {
        assert_ok(holos_knowledge_walk(k, &cursor, positions, values, step, &count, &err), err);
        assert_true(count <= step && all + count <= room);
        for (size_t i = 0; i < count; i++) {
            const holos_position *p = position_in(v, positions, i);
            assert_ok(holos_knowledge_find(k, p, &again, &err), err);
            assert_true(again.lo == values[i].lo && again.hi == values[i].hi);
            assert_int_not_equal(values[i].source, HOLOS_SOURCE_NONE);
            seen[all++] = v->game->identity(v, p);
        }
    } while (count > 0);
    qsort(seen, all, sizeof *seen, keys_compare);
    for (uint64_t i = 1; i < all; i++)
        assert_false(holos_key_equal(seen[i - 1], seen[i]));
    free(positions);
    free(values);
    free(seen);
    holos_knowledge_close(k);
    return all;
}

static void walk_compare(const char *store)
{
    holos_error err;
    holos_store_facts facts;
    assert_ok(holos_store_look(store, &facts, &err), err);
    assert_true(facts.positions > 0);
    assert_int_equal(walked(store, 1000), facts.positions);
    assert_int_equal(walked(store, 7), facts.positions);
}

static void test_every_kind_of_knowledge_can_be_gone_through(void **state)
{
    (void)state;
    holos_error err;
    char folder[] = "/tmp/holos-walk-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    made("kalah:2,2", "database", NULL, "file:database", NULL);
    made("nim:3,4,5", "graph", NULL, "file:graph", NULL);
    made("nim:3,4,5", "graph", NULL, "sqlite:graph.db", NULL);
    holos_settings *plies = holos_settings_new();
    assert_ok(holos_settings_set(plies, "book-depth", "3", &err), err);
    made("connect4:4x4", "book", NULL, "file:book", plies);
    holos_settings_free(plies);
    made("connect4:3x3", "wave", "start", "file:wave", NULL);
    walk_compare("file:database");
    walk_compare("file:graph");
    walk_compare("sqlite:graph.db");
    walk_compare("file:book");
    walk_compare("file:wave");
    snprintf(path, sizeof path, "rm -rf %s", folder);
    assert_int_equal(system(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_of_knowledge_can_be_gone_through),
    };
    UNIT_MAIN(tests);
}
