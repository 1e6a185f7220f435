/* SPDX-License-Identifier: MIT */

#include "unit.h"

#include "core/hash.h"

/* Published vectors of XXH3's 128-bit variant: files that hold such hashes must stay readable. */
static void test_bytes_are_xxh3(void **state)
{
    (void)state;
    unsigned char all[256];
    for (int i = 0; i < 256; i++)
        all[i] = (unsigned char)i;
    holos_key none = hash_bytes("", 0), abc = hash_bytes("abc", 3), every = hash_bytes(all, sizeof all);
    assert_int_equal(none.hi, UINT64_C(0x99AA06D3014798D8));
    assert_int_equal(none.lo, UINT64_C(0x6001C324468D497F));
    assert_int_equal(abc.hi, UINT64_C(0x06B05AB6733A6185));
    assert_int_equal(abc.lo, UINT64_C(0x78AF5F94892F3950));
    assert_int_equal(every.hi, UINT64_C(0xF1F8A93F50849AC3));
    assert_int_equal(every.lo, UINT64_C(0x9408A4433B952D71));
}

/* The first outputs of splitmix64 from the seed 0, which are this function of multiples of a constant. */
static void test_mix_is_the_finalizer_of_splitmix64(void **state)
{
    (void)state;
    static const uint64_t expected[] = {UINT64_C(0xE220A8397B1DCDAF), UINT64_C(0x6E789E6AA1B965F4),
                                        UINT64_C(0x06C45D188009454F)};
    for (uint64_t i = 0; i < 3; i++)
        assert_int_equal(hash_mix((i + 1) * UINT64_C(0x9E3779B97F4A7C15)), expected[i]);
    assert_int_equal(hash_mix(0), 0);
}

static void test_mix_spreads_one_bit_over_all(void **state)
{
    (void)state;
    for (int bit = 0; bit < 64; bit++) {
        int changed = 0;
        for (uint64_t x = 1; x <= 1000; x++)
            changed += __builtin_popcountll(hash_mix(x) ^ hash_mix(x ^ UINT64_C(1) << bit));
        assert_in_range(changed, 30000, 34000); /* half of 64,000 */
    }
}

static void test_add_knows_the_order(void **state)
{
    (void)state;
    assert_true(hash_add(hash_add(0, 1), 2) != hash_add(hash_add(0, 2), 1));
    assert_true(hash_add(0, 0) != 0);
    assert_true(hash_add(hash_add(0, 0), 0) != hash_add(0, 0));
}

static void test_keys_compare_both_halves(void **state)
{
    (void)state;
    holos_key a = {1, 2}, b = {1, 3}, c = {2, 0};
    assert_true(holos_key_equal(a, a));
    assert_false(holos_key_equal(a, b));
    assert_false(holos_key_equal(a, (holos_key){2, 2}));
    assert_true(holos_key_less(a, b) && holos_key_less(b, c) && holos_key_less(a, c));
    assert_false(holos_key_less(a, a) || holos_key_less(c, b));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_are_xxh3),
        cmocka_unit_test(test_mix_is_the_finalizer_of_splitmix64),
        cmocka_unit_test(test_mix_spreads_one_bit_over_all),
        cmocka_unit_test(test_add_knows_the_order),
        cmocka_unit_test(test_keys_compare_both_halves),
    };
    UNIT_MAIN(tests);
}
