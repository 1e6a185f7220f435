/* SPDX-License-Identifier: MIT */

#include "unit.h"

#include "core/mem.h"
#include "core/pool.h"
#include "core/rng.h"

#include <sys/mman.h>

#define MIB ((size_t)1 << 20)

static bool is_zero(const void *block, size_t size)
{
    const unsigned char *bytes = block;
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

/* ---- Blocks ------------------------------------------------------------------------------------ */

static void test_blocks_are_zeroed_and_aligned(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 8, 63, 64, 65, 4095, 4096, 4 * MIB - 1, 4 * MIB, 4 * MIB + 1, 9 * MIB};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int again = 0; again < 2; again++) { /* the second time in memory that was used */
            unsigned char *block = mem_alloc(NULL, sizes[i]);
            assert_non_null(block);
            assert_int_equal((uintptr_t)block % 64, 0);
            assert_true(is_zero(block, sizes[i]));
            memset(block, 0xA5, sizes[i]);
            mem_free(NULL, block, sizes[i]);
        }
}

static void test_large_blocks_start_at_a_huge_page(void **state)
{
    (void)state;
    void *block = mem_alloc(NULL, 5 * MIB);
    assert_int_equal((uintptr_t)block % (2 * MIB), 0);
    mem_free(NULL, block, 5 * MIB);
}

static void test_an_empty_block_is_a_block(void **state)
{
    (void)state;
    mem_budget b;
    mem_budget_init(&b, 10);
    void *block = mem_alloc(&b, 0);
    assert_non_null(block);
    assert_int_equal(b.used, 0);
    mem_free(&b, block, 0);
    mem_free(&b, NULL, 0);
}

static void test_the_system_may_refuse(void **state)
{
    (void)state;
    mem_budget b;
    mem_budget_init(&b, 0);
    assert_null(mem_alloc(&b, (size_t)1 << 60));
    assert_null(mem_alloc(&b, SIZE_MAX));
    assert_int_equal(b.used, 0);
}

/* ---- The budget -------------------------------------------------------------------------------- */

static void test_the_budget_holds_to_the_byte(void **state)
{
    (void)state;
    mem_budget b;
    mem_budget_init(&b, 1000);
    void *first = mem_alloc(&b, 600);
    assert_non_null(first);
    assert_int_equal(mem_available(&b), 400);
    assert_null(mem_alloc(&b, 401));
    void *second = mem_alloc(&b, 400);
    assert_non_null(second);
    assert_int_equal(mem_available(&b), 0);
    assert_null(mem_alloc(&b, 1));
    mem_free(&b, first, 600);
    mem_free(&b, second, 400);
    assert_int_equal(b.used, 0);
    assert_int_equal(b.peak, 1000);
    assert_null(mem_alloc(&b, SIZE_MAX)); /* no overflow */
}

static void test_no_limit_means_everything_is_available(void **state)
{
    (void)state;
    mem_budget b;
    mem_budget_init(&b, 0);
    void *block = mem_alloc(&b, 100);
    assert_int_equal(mem_available(&b), SIZE_MAX - 100);
    mem_free(&b, block, 100);
}

static void test_the_error_says_what_is_needed_and_what_the_limit_is(void **state)
{
    (void)state;
    mem_budget b;
    holos_error err;
    mem_budget_init(&b, 2048 * MIB);
    atomic_store(&b.used, 1024 * MIB);
    assert_fails(mem_error(&err, &b, 3174 * MIB, "the table"), err, HOLOS_NO_MEMORY,
                 "the table needs 3.1 GiB, the limit is 2.0 GiB (1.0 GiB in use)");
    assert_fails(mem_error(&err, &b, 10, "the table"), err, HOLOS_NO_MEMORY,
                 "the table needs 10 B, more than the system gives");
    assert_fails(mem_error(&err, NULL, 10, "it"), err, HOLOS_NO_MEMORY, "more than the system gives");
}

static void take_and_give_back(void *context, uint64_t index, unsigned worker)
{
    (void)worker;
    mem_budget *b = context;
    rng r;
    rng_init(&r, 1, index);
    void *blocks[8] = {0};
    size_t sizes[8] = {0};
    for (int i = 0; i < 200; i++) {
        unsigned k = (unsigned)rng_below(&r, 8);
        mem_free(b, blocks[k], sizes[k]);
        sizes[k] = rng_below(&r, 200);
        blocks[k] = mem_alloc(b, sizes[k]);
    }
    for (int k = 0; k < 8; k++)
        mem_free(b, blocks[k], sizes[k]);
}

static void test_threads_share_a_budget(void **state)
{
    (void)state;
    mem_budget b;
    mem_budget_init(&b, 2000);
    pool *p;
    holos_error err;
    assert_ok(pool_open(4, &p, &err), err);
    pool_run(p, 200, take_and_give_back, &b);
    pool_close(p);
    assert_int_equal(b.used, 0);
    assert_in_range(b.peak, 1000, 2000);
}

/* ---- Resizing ---------------------------------------------------------------------------------- */

static void check_resize(size_t from, size_t to)
{
    mem_budget b;
    mem_budget_init(&b, 0);
    unsigned char *block = mem_alloc(&b, from);
    for (size_t i = 0; i < from; i++)
        block[i] = (unsigned char)(i % 251 + 1);
    size_t cost = mem_resize_cost(from, to);
    block = mem_resize(&b, block, from, to);
    assert_non_null(block);
    size_t kept = from < to ? from : to;
    for (size_t i = 0; i < kept; i++)
        assert_int_equal(block[i], i % 251 + 1);
    assert_true(is_zero(block + kept, to - kept));
    assert_int_equal(b.used, to);
    assert_int_equal(b.peak, from + cost);
    mem_free(&b, block, to);
    assert_int_equal(b.used, 0);
}

static void test_resize_keeps_the_old_and_zeroes_the_new(void **state)
{
    (void)state;
    check_resize(100, 1000);
    check_resize(1000, 100);
    check_resize(100, MIB / 2);     /* becomes mapped */
    check_resize(MIB / 2, 100);     /* and back */
    check_resize(MIB / 2, MIB);     /* stays mapped */
    check_resize(MIB / 2, 5 * MIB); /* becomes mapped on huge pages */
    check_resize(5 * MIB, MIB / 2);
    check_resize(100, 5 * MIB);
    check_resize(5 * MIB, 100);
    check_resize(5 * MIB, 8 * MIB);
    check_resize(5 * MIB + 100, 5 * MIB + 300);
    check_resize(8 * MIB, 5 * MIB + 1);
}

static void test_a_page_that_was_cut_and_grown_again_is_zero(void **state)
{
    (void)state;
    unsigned char *block = mem_alloc(NULL, 5 * MIB + 4096);
    memset(block, 1, 5 * MIB + 4096);
    block = mem_resize(NULL, block, 5 * MIB + 4096, 5 * MIB + 10);
    block = mem_resize(NULL, block, 5 * MIB + 10, 6 * MIB);
    assert_true(is_zero(block + 5 * MIB + 10, MIB - 10));
    mem_free(NULL, block, 6 * MIB);
}

static void test_mapped_blocks_move_and_need_only_the_difference(void **state)
{
    (void)state;
    mem_budget b;
#ifdef __SANITIZE_THREAD__
    mem_budget_init(&b, 20 * MIB); /* blocks are not moved there but copied, and both count for a while */
#else
    mem_budget_init(&b, 12 * MIB);
#endif
    unsigned char *block = mem_alloc(&b, 8 * MIB);
    memset(block, 7, 8 * MIB);
    /* Somebody sits right behind it, so it cannot grow where it is. */
    void *wall = mmap(block + 8 * MIB, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned char *moved = mem_resize(&b, block, 8 * MIB, 12 * MIB);
    assert_non_null(moved);
    assert_int_equal((uintptr_t)moved % (2 * MIB), 0);
    assert_int_equal(moved[8 * MIB - 1], 7);
    assert_true(is_zero(moved + 8 * MIB, 4 * MIB));
    munmap(wall, 4096);
    mem_free(&b, moved, 12 * MIB);
}

static void test_a_resize_over_the_budget_changes_nothing(void **state)
{
    (void)state;
    mem_budget b;
    mem_budget_init(&b, 9 * MIB);
    unsigned char *block = mem_alloc(&b, 8 * MIB);
    block[5] = 5;
    assert_null(mem_resize(&b, block, 8 * MIB, 10 * MIB));
    assert_null(mem_resize(&b, block, 8 * MIB, SIZE_MAX / 2));
    assert_int_equal(block[5], 5);
    assert_int_equal(b.used, 8 * MIB);
    mem_free(&b, block, 8 * MIB);
    block = mem_alloc(&b, MIB / 8); /* not mapped: both are needed for a moment */
    assert_null(mem_resize(&b, block, MIB / 8, 9 * MIB));
    assert_int_equal(b.used, MIB / 8);
    mem_free(&b, block, MIB / 8);
}

/* ---- Arenas ------------------------------------------------------------------------------------ */

static void test_arena_pieces_are_aligned_and_do_not_overlap(void **state)
{
    (void)state;
    mem_budget b;
    mem_budget_init(&b, 0);
    arena a;
    arena_init(&a, &b, 1024);
    enum { PIECES = 500 };
    unsigned char *pieces[PIECES];
    for (size_t i = 0; i < PIECES; i++) {
        size_t size = i * 7 % 1500; /* some larger than a block */
        pieces[i] = arena_alloc(&a, size);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % 16, 0);
        memset(pieces[i], (int)(i % 256), size);
    }
    for (size_t i = 0; i < PIECES; i++)
        for (size_t k = 0; k < i * 7 % 1500; k++)
            assert_int_equal(pieces[i][k], i % 256);
    arena_free(&a);
    assert_int_equal(b.used, 0);
}

static void test_arena_keeps_using_its_block_beside_large_pieces(void **state)
{
    (void)state;
    mem_budget b;
    mem_budget_init(&b, 0);
    arena a;
    arena_init(&a, &b, 4096);
    unsigned char *first = arena_alloc(&a, 16);
    arena_alloc(&a, 100000);
    unsigned char *second = arena_alloc(&a, 16);
    assert_ptr_equal(second, first + 16);
    arena_free(&a);
}

static void test_arena_clear_keeps_one_block(void **state)
{
    (void)state;
    mem_budget b;
    mem_budget_init(&b, 0);
    arena a;
    arena_init(&a, &b, 1024);
    arena_clear(&a); /* of nothing */
    for (int i = 0; i < 100; i++)
        arena_alloc(&a, 100);
    assert_true(b.used > 9 * 1024);
    arena_clear(&a);
    assert_int_equal(b.used, 1024);
    assert_non_null(arena_alloc(&a, 900));
    assert_int_equal(b.used, 1024); /* no new block was needed */
    arena_free(&a);
    assert_int_equal(b.used, 0);
}

static void test_arena_string_copies(void **state)
{
    (void)state;
    arena a;
    arena_init(&a, NULL, 64);
    char words[] = "four words of text";
    char *copy = arena_string(&a, words);
    words[0] = '#';
    assert_string_equal(copy, "four words of text");
    assert_string_equal(arena_string(&a, ""), "");
    arena_free(&a);
}

static void test_arena_over_the_budget_says_so_and_goes_on(void **state)
{
    (void)state;
    mem_budget b;
    mem_budget_init(&b, 1500);
    char words[1401];
    memset(words, 'x', sizeof words - 1);
    words[1400] = '\0';
    arena a;
    arena_init(&a, &b, 1024);
    assert_non_null(arena_alloc(&a, 100));
    assert_null(arena_alloc(&a, 1400));
    assert_null(arena_alloc(&a, SIZE_MAX));
    assert_null(arena_string(&a, words));
    assert_non_null(arena_alloc(&a, 100));
    arena_free(&a);
    assert_int_equal(b.used, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_are_zeroed_and_aligned),
        cmocka_unit_test(test_large_blocks_start_at_a_huge_page),
        cmocka_unit_test(test_an_empty_block_is_a_block),
        cmocka_unit_test(test_the_system_may_refuse),
        cmocka_unit_test(test_the_budget_holds_to_the_byte),
        cmocka_unit_test(test_no_limit_means_everything_is_available),
        cmocka_unit_test(test_the_error_says_what_is_needed_and_what_the_limit_is),
        cmocka_unit_test(test_threads_share_a_budget),
        cmocka_unit_test(test_resize_keeps_the_old_and_zeroes_the_new),
        cmocka_unit_test(test_a_page_that_was_cut_and_grown_again_is_zero),
        cmocka_unit_test(test_mapped_blocks_move_and_need_only_the_difference),
        cmocka_unit_test(test_a_resize_over_the_budget_changes_nothing),
        cmocka_unit_test(test_arena_pieces_are_aligned_and_do_not_overlap),
        cmocka_unit_test(test_arena_keeps_using_its_block_beside_large_pieces),
        cmocka_unit_test(test_arena_clear_keeps_one_block),
        cmocka_unit_test(test_arena_string_copies),
        cmocka_unit_test(test_arena_over_the_budget_says_so_and_goes_on),
    };
    UNIT_MAIN(tests);
}
