/* SPDX-License-Identifier: MIT */

#include "unit.h"

#include "core/rng.h"

/* What the authors' reference implementation (https://prng.di.unimi.it/xoshiro256plusplus.c) gives from
 * the state {1, 2, 3, 4}. */
static void test_it_is_xoshiro256plusplus(void **state)
{
    (void)state;
    static const uint64_t expected[] = {
        UINT64_C(41943041),
        UINT64_C(58720359),
        UINT64_C(3588806011781223),
        UINT64_C(3591011842654386),
        UINT64_C(9228616714210784205),
        UINT64_C(9973669472204895162),
        UINT64_C(14011001112246962877),
        UINT64_C(12406186145184390807),
        UINT64_C(15849039046786891736),
        UINT64_C(10450023813501588000),
    };
    rng r = {{1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(rng_next(&r), expected[i]);
}

/* Seeds travel: these numbers may never change. */
static void test_a_seed_gives_the_same_numbers_for_ever(void **state)
{
    (void)state;
    rng r;
    rng_init(&r, 1, 0);
    uint64_t first = rng_next(&r);
    rng_init(&r, 1, 1);
    uint64_t other_stream = rng_next(&r);
    rng_init(&r, 2, 0);
    uint64_t other_seed = rng_next(&r);
    assert_int_equal(first, UINT64_C(7265423520829586281));
    assert_int_equal(other_stream, UINT64_C(3910111202478140933));
    assert_int_equal(other_seed, UINT64_C(6409921033701291256));
}

static void test_streams_and_seeds_differ(void **state)
{
    (void)state;
    enum { N = 64 };
    uint64_t seen[N * N];
    for (uint64_t seed = 0; seed < N; seed++)
        for (uint64_t stream = 0; stream < N; stream++) {
            rng r;
            rng_init(&r, seed, stream);
            seen[seed * N + stream] = rng_next(&r);
            for (uint64_t i = 0; i < seed * N + stream; i++)
                assert_true(seen[i] != seen[seed * N + stream]);
        }
}

static void test_below_stays_below_and_reaches_everything(void **state)
{
    (void)state;
    rng r;
    rng_init(&r, 3, 0);
    for (uint64_t n = 1; n <= 40; n++) {
        uint64_t seen = 0;
        for (int i = 0; i < 2000; i++) {
            uint64_t x = rng_below(&r, n);
            assert_true(x < n);
            seen |= UINT64_C(1) << x;
        }
        assert_int_equal(seen, (UINT64_C(1) << n) - 1);
    }
    for (int i = 0; i < 1000; i++)
        assert_true(rng_below(&r, UINT64_MAX) < UINT64_MAX);
}

/* 3/4 of 2^64: a plain multiplication would give every second number twice as often. */
static void test_below_has_no_bias(void **state)
{
    (void)state;
    enum { TRIES = 300000 };
    uint64_t n = UINT64_C(3) << 62;
    rng r;
    rng_init(&r, 4, 0);
    int thirds[3] = {0}, multiples = 0;
    for (int i = 0; i < TRIES; i++) {
        uint64_t x = rng_below(&r, n);
        thirds[x >> 62]++;
        multiples += x % 3 == 0;
    }
    /* Five standard deviations of a binomial with p = 1/3 are 1291. */
    for (int i = 0; i < 3; i++)
        assert_in_range(thirds[i], TRIES / 3 - 1300, TRIES / 3 + 1300);
    assert_in_range(multiples, TRIES / 3 - 1300, TRIES / 3 + 1300);
}

static void test_double_is_uniform_in_its_interval(void **state)
{
    (void)state;
    rng r;
    rng_init(&r, 5, 0);
    double sum = 0;
    for (int i = 0; i < 100000; i++) {
        double x = rng_double(&r);
        assert_true(x >= 0 && x < 1);
        sum += x;
    }
    assert_true(sum > 49500 && sum < 50500); /* five standard deviations are 456 */
    /* The state whose output is 2^64 - 1: the sum is s0 = -1 rotated by 23, plus s0 = 0. */
    rng largest = {{0, 0, 0, UINT64_MAX}};
    rng copy = largest;
    assert_int_equal(rng_next(&copy), UINT64_MAX);
    assert_true(rng_double(&largest) < 1);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_is_xoshiro256plusplus),
        cmocka_unit_test(test_a_seed_gives_the_same_numbers_for_ever),
        cmocka_unit_test(test_streams_and_seeds_differ),
        cmocka_unit_test(test_below_stays_below_and_reaches_everything),
        cmocka_unit_test(test_below_has_no_bias),
        cmocka_unit_test(test_double_is_uniform_in_its_interval),
    };
    UNIT_MAIN(tests);
}
