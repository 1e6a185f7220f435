/* SPDX-License-Identifier: MIT */

#include "unit.h"

#include "core/rng.h"
#include "core/table.h"

#define MIX_FACTOR UINT64_C(0x9E3779B97F4A7C15) /* as in table_mix */

/* ---- Families of keys, as games make them ------------------------------------------------------ */

static holos_key key_low(uint64_t n)
{
    return (holos_key){.lo = n};
}

static holos_key key_high(uint64_t n)
{
    return (holos_key){.hi = n};
}

static holos_key key_shifted(uint64_t n)
{
    return (holos_key){.hi = n << 44, .lo = n % 7};
}

static holos_key key_bits(uint64_t n) /* stones on a board: few bits, far apart */
{
    uint64_t lo = 0, hi = 0;
    for (int i = 0; i < 20; i++) {
        lo |= (n >> i & 1) << (3 * i);
        hi |= (~n >> i & 1) << (3 * i);
    }
    return (holos_key){.hi = hi, .lo = lo};
}

static holos_key key_random(uint64_t n)
{
    rng r;
    rng_init(&r, n, 5);
    uint64_t hi = rng_next(&r);
    return (holos_key){.hi = hi, .lo = rng_next(&r)};
}

/* The worst case: all keys want the last slot. Key 0 is the one that mixes to zero. */
static holos_key key_last_slot(uint64_t n)
{
    return (holos_key){.hi = -(n * MIX_FACTOR), .lo = n};
}

typedef holos_key (*key_family)(uint64_t n);
static const key_family families[] = {key_low, key_high, key_shifted, key_bits, key_random};
#define FAMILIES (sizeof families / sizeof *families)

/* ---- The map against a model ------------------------------------------------------------------- */

/* The model: for each number of a key, its value; 0 if it is not in the table. */
typedef struct model {
    uint64_t *values;
    size_t universe, count;
} model;

static void check_entry(const table *t, const model *m, key_family family, uint64_t n)
{
    uint64_t *payload = table_find(t, family(n));
    assert_int_equal(payload != NULL, m->values[n] != 0);
    if (payload != NULL)
        assert_int_equal(*payload, m->values[n]);
}

static void insert_entry(table *t, model *m, key_family family, uint64_t n, uint64_t value)
{
    bool fresh;
    uint64_t *payload = table_insert(t, family(n), &fresh);
    assert_non_null(payload);
    assert_int_equal(fresh, m->values[n] == 0);
    assert_int_equal(*payload, m->values[n]); /* zero if fresh */
    *payload = m->values[n] = value;
    m->count += fresh;
}

/* Every entry lies in its home or, pushed by those above it, as near behind it as can be. */
static void check_layout(const table *t)
{
    size_t next = 0;
    holos_key before = {UINT64_MAX, UINT64_MAX};
    for (size_t i = 0; i < t->room; i++) {
        holos_key mixed = *table_slot_key(t->slots + i * t->slot_size);
        if (table_key_is_zero(mixed))
            continue;
        size_t home = table_home(t, mixed);
        assert_int_equal(i, home > next ? home : next);
        assert_true(holos_key_less(mixed, before) || next == 0);
        before = mixed;
        next = i + 1;
    }
    assert_true(
        table_key_is_zero(*table_slot_key(t->slots + t->room * t->slot_size))); /* ends every search */
}

static void check_whole(const table *t, const model *m, key_family family)
{
    check_layout(t);
    assert_int_equal(t->count, m->count);
    for (uint64_t n = 0; n < m->universe; n++)
        check_entry(t, m, family, n);
    size_t seen = 0;
    holos_key key;
    void *payload;
    for (size_t i = 0; table_next(t, &i, &key, &payload); seen++)
        assert_ptr_equal(table_find(t, key), payload);
    assert_int_equal(seen, m->count);
}

static void run_against_model(key_family family, size_t universe, size_t operations, uint64_t seed)
{
    holos_error err;
    mem_budget budget;
    mem_budget_init(&budget, 0);
    table t;
    assert_ok(table_init(&t, &budget, sizeof(uint64_t), 0, &err), err);
    model m = {.values = calloc(universe, sizeof(uint64_t)), .universe = universe};
    rng r;
    rng_init(&r, seed, 0);
    for (size_t i = 1; i <= operations; i++) {
        uint64_t n = rng_below(&r, universe);
        if (rng_below(&r, 3) == 0)
            insert_entry(&t, &m, family, n, i);
        else
            check_entry(&t, &m, family, n);
        if (i == operations / 3) {
            check_whole(&t, &m, family);
            table_clear(&t);
            memset(m.values, 0, universe * sizeof(uint64_t));
            m.count = 0;
        }
    }
    check_whole(&t, &m, family);
    free(m.values);
    table_free(&t);
    assert_int_equal(budget.used, 0);
}

static void test_map_agrees_with_a_model(void **state)
{
    (void)state;
    for (size_t f = 0; f < FAMILIES; f++) {
        run_against_model(families[f], 1 << 20, 1500000, f);
        run_against_model(families[f], 1000, 20000, f);
        run_against_model(families[f], 3, 100, f);
    }
}

static void test_map_agrees_when_all_keys_want_one_slot(void **state)
{
    (void)state;
    run_against_model(key_last_slot, 5000, 30000, 1);
}

static void test_every_key_is_allowed(void **state)
{
    (void)state;
    static const holos_key keys[] = {{0, 0}, {0, UINT64_MAX}, {UINT64_MAX, 0}, {UINT64_MAX, UINT64_MAX},
                                     {0, 1}, {1, 0},          {-MIX_FACTOR, 1}};
    enum { KEYS = sizeof keys / sizeof *keys };
    holos_error err;
    table t;
    assert_ok(table_init(&t, NULL, 4, 0, &err), err);
    for (int i = 0; i < KEYS; i++) {
        assert_null(table_find(&t, keys[i]));
        bool fresh;
        uint32_t *payload = table_insert(&t, keys[i], &fresh);
        assert_true(fresh);
        *payload = (uint32_t)i + 1;
    }
    for (int i = 0; i < KEYS; i++)
        assert_int_equal(*(uint32_t *)table_find(&t, keys[i]), i + 1);
    bool seen[KEYS] = {false};
    holos_key key;
    void *payload;
    for (size_t i = 0; table_next(&t, &i, &key, &payload);) {
        uint32_t n = *(uint32_t *)payload - 1;
        assert_true(holos_key_equal(keys[n], key));
        seen[n] = true;
    }
    for (int i = 0; i < KEYS; i++)
        assert_true(seen[i]);
    table_clear(&t);
    for (int i = 0; i < KEYS; i++)
        assert_null(table_find(&t, keys[i]));
    table_free(&t);
}

static void test_payloads_of_any_size(void **state)
{
    (void)state;
    for (size_t size = 0; size <= 100; size++) {
        holos_error err;
        table t;
        assert_ok(table_init(&t, NULL, size, 0, &err), err);
        for (uint64_t n = 0; n < 200; n++) {
            bool fresh;
            unsigned char *payload = table_insert(&t, key_low(n), &fresh);
            assert_int_equal((uintptr_t)payload % 8, 0);
            for (size_t i = 0; i < size; i++)
                assert_int_equal(payload[i], 0);
            memset(payload, (int)n + 1, size);
        }
        for (uint64_t n = 0; n < 200; n++) {
            unsigned char *payload = table_find(&t, key_low(n));
            for (size_t i = 0; i < size; i++)
                assert_int_equal(payload[i], n + 1);
        }
        table_free(&t);
    }
}

static void test_the_order_depends_on_the_keys_alone(void **state)
{
    (void)state;
    enum { N = 20000 };
    holos_error err;
    table up, down;
    assert_ok(table_init(&up, NULL, 0, N, &err), err);
    assert_ok(table_init(&down, NULL, 0, N, &err), err);
    bool fresh;
    for (uint64_t n = 0; n < N; n++) {
        assert_non_null(table_insert(&up, key_low(n), &fresh));
        assert_non_null(table_insert(&down, key_low(N - 1 - n), &fresh));
    }
    size_t i = 0, k = 0;
    holos_key a, b;
    void *payload;
    while (table_next(&up, &i, &a, &payload)) {
        assert_true(table_next(&down, &k, &b, &payload));
        assert_true(holos_key_equal(a, b));
        assert_int_equal(i, k);
    }
    assert_false(table_next(&down, &k, &b, &payload));
    table_free(&up);
    table_free(&down);
}

static void test_what_was_expected_fits_without_growing(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 10, 11, 12, 13, 1000, 100000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        holos_error err;
        table t;
        assert_ok(table_init(&t, NULL, 8, sizes[s], &err), err);
        size_t capacity = t.capacity;
        bool fresh;
        for (uint64_t n = 0; n < sizes[s]; n++)
            assert_non_null(table_insert(&t, key_random(n), &fresh));
        assert_int_equal(t.capacity, capacity);
        table_free(&t);
    }
}

/* Inserts until the budget is used up; checks that nothing was lost and that little was wasted. */
static void fill_budget(size_t limit, key_family family)
{
    holos_error err;
    mem_budget budget;
    mem_budget_init(&budget, limit);
    table t;
    assert_ok(table_init(&t, &budget, 8, 0, &err), err);
    uint64_t n = 0;
    bool fresh;
    for (uint64_t *payload; (payload = table_insert(&t, family(n), &fresh)) != NULL; n++)
        *payload = n;
    assert_int_equal(t.count, n);
    assert_null(table_insert(&t, family(n), &fresh)); /* still no */
    assert_null(table_find(&t, family(n)));
    for (uint64_t i = 0; i < n; i++) {
        assert_int_equal(*(uint64_t *)table_find(&t, family(i)), i);
        assert_non_null(table_insert(&t, family(i), &fresh)); /* what is there needs no memory */
        assert_false(fresh);
    }
    check_layout(&t);
    assert_true(budget.peak <= limit);
    if (limit > (size_t)16 << 20 && family != key_last_slot)
        assert_true(n * t.slot_size > limit / 100 * 80);
    table_free(&t);
}

static void test_without_memory_nothing_is_lost(void **state)
{
    (void)state;
    fill_budget(2000, key_low);
    fill_budget((size_t)1 << 20, key_random);
    fill_budget((size_t)30 << 20, key_low); /* grows by moving pages: nearly all of it is used */
    for (size_t limit = 20000; limit < 400000; limit += 7777) /* fails in the middle of growing, too */
        fill_budget(limit, key_last_slot);
}

static void test_init_over_the_budget_says_what_it_needs(void **state)
{
    (void)state;
    holos_error err;
    mem_budget budget;
    mem_budget_init(&budget, 1 << 20);
    table t;
    assert_fails(table_init(&t, &budget, 8, 1000000, &err), err, HOLOS_NO_MEMORY, "the limit is 1.0 MiB");
    table_free(&t); /* nothing to free, no harm */
    assert_fails(table_init(&t, &budget, 8, SIZE_MAX / 2, &err), err, HOLOS_NO_MEMORY, "the limit is");
    assert_fails(table_init_cache(&t, &budget, 8, 2 << 20, &err), err, HOLOS_NO_MEMORY, "the limit is");
    assert_int_equal(budget.used, 0);
}

static void test_prefetch_is_harmless(void **state)
{
    (void)state;
    holos_error err;
    table t;
    assert_ok(table_init(&t, NULL, 8, 100, &err), err);
    for (uint64_t n = 0; n < 1000; n++)
        table_prefetch(&t, key_random(n));
    assert_int_equal(t.count, 0);
    table_free(&t);
}

/* Keys of a plain packing must spread like random ones: a search that walks far is a bad mix. */
static void test_plain_keys_spread_like_random_ones(void **state)
{
    (void)state;
    enum { N = 700000 };
    for (size_t f = 0; f < FAMILIES; f++) {
        holos_error err;
        table t;
        assert_ok(table_init(&t, NULL, 0, N, &err), err);
        bool fresh;
        for (uint64_t n = 0; n < N; n++)
            assert_non_null(table_insert(&t, families[f](n), &fresh));
        double load = (double)t.count / (double)t.capacity, walk = 0;
        for (uint64_t n = 1; n < N; n++) {
            unsigned char *slot = (unsigned char *)table_find(&t, families[f](n)) - TABLE_KEY_SIZE;
            size_t index = (size_t)(slot - t.slots) / t.slot_size;
            walk += (double)(index - table_home(&t, table_mix(families[f](n))));
        }
        double expected = load / (1 - load) / 2; /* Knuth, volume 3, section 6.4 */
        if (walk / N > 1.1 * expected)
            fail_msg("family %zu: %.3f slots from home, %.3f would be right", f, walk / N, expected);
        table_free(&t);
    }
}

/* ---- The cache --------------------------------------------------------------------------------- */

typedef struct cached {
    uint64_t number;
    uint32_t worth, check;
} cached;

static uint32_t cached_worth(const void *payload)
{
    return ((const cached *)payload)->worth;
}

static void test_cache_never_answers_wrongly(void **state)
{
    (void)state;
    enum { N = 300000 };
    for (size_t f = 0; f < FAMILIES; f++) {
        holos_error err;
        table t;
        assert_ok(table_init_cache(&t, NULL, sizeof(cached), (size_t)1 << 20, &err), err);
        for (uint64_t n = 0; n < N; n++) {
            cached *c = table_replace(&t, families[f](n), cached_worth);
            assert_true(c->number == 0 && c->check == 0); /* zeroed: these keys are all different */
            *c = (cached){.number = n, .worth = 1, .check = ~(uint32_t)n};
            assert_ptr_equal(table_find(&t, families[f](n)), c);
        }
        size_t found = 0;
        for (uint64_t n = 0; n < N; n++) {
            const cached *c = table_find(&t, families[f](n));
            found += c != NULL;
            if (c != NULL)
                assert_true(c->number == n && c->check == ~(uint32_t)n);
        }
        assert_int_equal(found, t.count);
        assert_in_range(found, t.room * 99 / 100, t.room + 1);
        table_free(&t);
    }
}

static void test_cache_gives_a_key_its_own_payload(void **state)
{
    (void)state;
    holos_error err;
    table t;
    assert_ok(table_init_cache(&t, NULL, sizeof(cached), 1 << 16, &err), err);
    for (uint64_t n = 0; n < 3; n++) { /* key 0 has a place of its own */
        *(cached *)table_replace(&t, key_low(n), cached_worth) = (cached){.number = n + 1};
        assert_int_equal(((cached *)table_replace(&t, key_low(n), cached_worth))->number, n + 1);
    }
    assert_int_equal(t.count, 3);
    table_clear(&t);
    assert_int_equal(t.count, 0);
    for (uint64_t n = 0; n < 3; n++)
        assert_null(table_find(&t, key_low(n)));
    assert_int_equal(((cached *)table_replace(&t, key_low(0), cached_worth))->number, 0);
    table_free(&t);
}

static void test_cache_forgets_what_is_worth_least(void **state)
{
    (void)state;
    holos_error err;
    table t;
    assert_ok(table_init_cache(&t, NULL, sizeof(cached), 0, &err), err); /* one bucket */
    size_t slots = t.room;
    assert_in_range(slots, 2, 8);
    for (uint64_t n = 1; n <= slots; n++)
        *(cached *)table_replace(&t, key_low(n), cached_worth) =
            (cached){.number = n, .worth = (uint32_t)n + 10};
    for (uint64_t n = 100; n < 200; n++) { /* worth 1: each takes the place of the one before */
        *(cached *)table_replace(&t, key_low(n), cached_worth) = (cached){.number = n, .worth = 1};
        for (uint64_t kept = 2; kept <= slots; kept++)
            assert_int_equal(((cached *)table_find(&t, key_low(kept)))->number, kept);
    }
    assert_null(table_find(&t, key_low(1)));
    assert_null(table_find(&t, key_low(198)));
    assert_non_null(table_find(&t, key_low(199)));
    assert_int_equal(t.count, slots);
    table_free(&t);
}

static void test_cache_uses_the_bytes_it_was_given(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 8, 16, 24, 48, 200};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        holos_error err;
        mem_budget budget;
        mem_budget_init(&budget, (size_t)1 << 20);
        table t;
        assert_ok(table_init_cache(&t, &budget, sizes[i], (size_t)1 << 20, &err), err);
        assert_true(budget.used <= (size_t)1 << 20);
        assert_true(t.room * t.slot_size > ((size_t)1 << 20) * 7 / 10);
        table_free(&t);
        assert_int_equal(budget.used, 0);
    }
}

static void test_cache_visits_every_entry(void **state)
{
    (void)state;
    holos_error err;
    table t;
    assert_ok(table_init_cache(&t, NULL, sizeof(cached), 1 << 16, &err), err);
    for (uint64_t n = 0; n < 10000; n++)
        ((cached *)table_replace(&t, key_bits(n), cached_worth))->number = n;
    size_t seen = 0;
    holos_key key;
    void *payload;
    for (size_t i = 0; table_next(&t, &i, &key, &payload); seen++)
        assert_true(holos_key_equal(key, key_bits(((cached *)payload)->number)));
    assert_int_equal(seen, t.count);
    table_free(&t);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map_agrees_with_a_model),
        cmocka_unit_test(test_map_agrees_when_all_keys_want_one_slot),
        cmocka_unit_test(test_every_key_is_allowed),
        cmocka_unit_test(test_payloads_of_any_size),
        cmocka_unit_test(test_the_order_depends_on_the_keys_alone),
        cmocka_unit_test(test_what_was_expected_fits_without_growing),
        cmocka_unit_test(test_without_memory_nothing_is_lost),
        cmocka_unit_test(test_init_over_the_budget_says_what_it_needs),
        cmocka_unit_test(test_prefetch_is_harmless),
        cmocka_unit_test(test_plain_keys_spread_like_random_ones),
        cmocka_unit_test(test_cache_never_answers_wrongly),
        cmocka_unit_test(test_cache_gives_a_key_its_own_payload),
        cmocka_unit_test(test_cache_forgets_what_is_worth_least),
        cmocka_unit_test(test_cache_uses_the_bytes_it_was_given),
        cmocka_unit_test(test_cache_visits_every_entry),
    };
    UNIT_MAIN(tests);
}
