/* SPDX-License-Identifier: MIT */

/* Regions on several threads say what they say on one, position by position. Whether it is true is above_test's matter. */

#include "unit.h"

#include "core/clock.h"
#include "engine/region/region.h"

typedef struct solved {
    mem_budget budget;
    pool *workers;
    regions *regions;
} solved;

static void solved_open(solved *s, const holos_variant *v, const char *kind, unsigned threads)
{
    holos_error err;
    holos_kind parsed;
    mem_budget_init(&s->budget, 0);
    assert_ok(pool_open(threads, &s->workers, &err), err);
    regions_setup setup = {.v = v, .budget = &s->budget, .threads = s->workers};
    assert_ok(regions_open(&setup, &s->regions, &err), err);
    assert_ok(v->game->kinds->parse(v, kind, &parsed, &err), err);
    assert_ok(regions_solve(s->regions, parsed, NULL, &err), err);
}

static void solved_close(solved *s)
{
    regions_close(s->regions);
    pool_close(s->workers);
}

typedef struct comparison {
    const regions *other;
    uint64_t positions;
} comparison;

static bool compare(void *context, const holos_position *p, holos_value value)
{
    comparison *c = context;
    holos_value there;
    unsigned plies;
    assert_true(regions_find(c->other, p, &there, &plies));
    assert_true(value.lo == value.hi && there.lo == value.lo && there.hi == value.hi);
    c->positions++;
    return true;
}

static void test_values_do_not_depend_on_the_number_of_threads(void **state)
{
    (void)state;
    holos_error err;
    holos_variant *v;
    assert_ok(holos_open("chess", &v, &err), err);
    solved one, three;
    solved_open(&one, v, "KPvK", 1);
    solved_open(&three, v, "KPvK", 3);
    size_t kinds = 0;
    for (; regions_report(one.regions, kinds) != NULL; kinds++) {
        const region_report *a = regions_report(one.regions, kinds),
                            *b = regions_report(three.regions, kinds);
        comparison c = {.other = three.regions};
        assert_non_null(b);
        assert_true(a->kind == b->kind && a->wins == b->wins && a->draws == b->draws &&
                    a->losses == b->losses && a->plies == b->plies);
        assert_true(regions_each(one.regions, a->kind, compare, &c));
        assert_int_equal(c.positions, a->positions);
    }
    assert_true(kinds > 2); /* queens and rooks come before pawns */
    solved_close(&one);
    solved_close(&three);
    holos_close(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_do_not_depend_on_the_number_of_threads),
    };
    UNIT_MAIN(tests);
}
