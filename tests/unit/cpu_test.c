/* SPDX-License-Identifier: MIT */

#include "unit.h"

#include "core/cpu.h"

static void check_names(cpu_features features, const char *expected)
{
    char names[128];
    text t;
    text_init_fixed(&t, names, sizeof names);
    cpu_format(features, &t);
    assert_string_equal(names, expected);
}

static cpu_features everything(void)
{
    cpu_features all = {0};
#define FEATURE(name, meaning) all.name = true;
    CPU_FEATURES(FEATURE)
#undef FEATURE
    return all;
}

static void test_portable_allows_nothing(void **state)
{
    (void)state;
    check_names(cpu_allow(everything(), "portable"), "portable");
}

static void test_nothing_said_allows_everything(void **state)
{
    (void)state;
    check_names(cpu_allow(everything(), NULL), "ssse3,sse41,popcnt,bmi1,bmi2,pext,fma,avx2,avx512");
    check_names(cpu_allow(everything(), ""), "ssse3,sse41,popcnt,bmi1,bmi2,pext,fma,avx2,avx512");
}

static void test_a_list_allows_what_it_names(void **state)
{
    (void)state;
    check_names(cpu_allow(everything(), "popcnt"), "popcnt");
    check_names(cpu_allow(everything(), "avx2,popcnt,nonsense,bmi2"), "popcnt,bmi2,avx2");
    check_names(cpu_allow(everything(), "avx"), "portable"); /* not the beginning of a name */
    check_names(cpu_allow(everything(), "avx25"), "portable");
}

static void test_what_the_processor_lacks_cannot_be_allowed(void **state)
{
    (void)state;
    cpu_features only_popcnt = {.popcnt = true};
    check_names(cpu_allow(only_popcnt, "popcnt,avx2"), "popcnt");
    check_names(cpu_allow(only_popcnt, NULL), "popcnt");
}

static void test_the_environment_decides(void **state)
{
    (void)state;
    setenv("HOLOS_CPU", "portable", 1);
    check_names(cpu_detect(), "portable");
    unsetenv("HOLOS_CPU");
    cpu_features has = cpu_detect();
#ifdef __x86_64__
    assert_true(!has.avx2 || has.ssse3); /* nobody makes one without the other */
    assert_true(!has.pext || has.bmi2);
    setenv("HOLOS_CPU", "popcnt", 1);
    assert_int_equal(cpu_detect().popcnt, has.popcnt);
    unsetenv("HOLOS_CPU");
#else
    check_names(has, "portable");
#endif
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_portable_allows_nothing),
        cmocka_unit_test(test_nothing_said_allows_everything),
        cmocka_unit_test(test_a_list_allows_what_it_names),
        cmocka_unit_test(test_what_the_processor_lacks_cannot_be_allowed),
        cmocka_unit_test(test_the_environment_decides),
    };
    UNIT_MAIN(tests);
}
