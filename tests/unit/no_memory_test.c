/* SPDX-License-Identifier: MIT */

/* Every allocation fails in its turn: the first, then the second, and so on until the work gets through.
 * Each time it must say so, leave nothing behind, and work when it is tried again. The linker puts these
 * functions in the place of the C library's (--wrap). */

#include "unit.h"

#include "core/config.h"
#include "core/file.h"
#include "core/json.h"
#include "core/pool.h"
#include "core/table.h"

#include <errno.h>

static struct {
    long until_failure; /* calls that work before one fails; negative: all work */
    bool for_good;      /* after the one that fails, all fail */
    long live;          /* blocks that are not freed yet */
} heap = {.until_failure = -1};

static bool heap_fails(void)
{
    if (heap.until_failure < 0)
        return false;
    if (heap.until_failure > 0) {
        heap.until_failure--;
        return false;
    }
    if (!heap.for_good)
        heap.until_failure = -1;
    errno = ENOMEM;
    return true;
}

static void *heap_count(void *block)
{
    heap.live += block != NULL;
    return block;
}

/* NAME(ARGUMENTS): fails in its turn, and counts what it gives. */
#define WRAP(type, name, parameters, arguments)                                                              \
    type __real_##name parameters;                                                                           \
    type __wrap_##name parameters;                                                                           \
    type __wrap_##name parameters                                                                            \
    {                                                                                                        \
        return heap_fails() ? NULL : heap_count(__real_##name arguments);                                    \
    }

WRAP(void *, malloc, (size_t size), (size))
WRAP(void *, calloc, (size_t count, size_t size), (count, size))
WRAP(void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size))
WRAP(char *, strdup, (const char *s), (s))
WRAP(char *, strndup, (const char *s, size_t length), (s, length))
WRAP(char *, realpath, (const char *path, char *out), (path, out))

void *__real_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size)
{
    if (heap_fails())
        return NULL;
    void *grown = __real_realloc(block, size);
    heap.live += block == NULL && grown != NULL;
    return grown;
}

void __real_free(void *block);
void __wrap_free(void *block);
void __wrap_free(void *block)
{
    heap.live -= block != NULL;
    __real_free(block);
}

/* Runs `work` with every allocation failing in turn. Returns how many failures there were. */
static long fail_in_turn(holos_status (*work)(void *context, holos_error *err), void *context)
{
    for (long turn = 0;; turn++) {
        long before = heap.live;
        holos_error err = {0};
        heap.until_failure = turn;
        holos_status status = work(context, &err);
        heap.until_failure = -1;
        assert_int_equal(heap.live, before);
        if (status == HOLOS_OK)
            return turn;
        assert_int_equal(status, HOLOS_NO_MEMORY);
        assert_int_equal(err.code, HOLOS_NO_MEMORY);
        assert_true(strlen(err.message) > 0);
        assert_true(turn < 10000);
    }
}

/* ---- The work ---------------------------------------------------------------------------------- */

static holos_status work_text(void *context, holos_error *err)
{
    (void)context;
    text t;
    text_init(&t);
    for (int i = 0; i < 100; i++)
        text_printf(&t, "%d %s\n", i, "a line that needs some room");
    holos_status status = t.failed ? error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "text") : HOLOS_OK;
    assert_int_equal(strlen(t.data), t.length); /* valid either way */
    text_free(&t);
    return status;
}

static holos_status work_config(void *context, holos_error *err)
{
    config c;
    holos_status status = config_read_file(&c, context, err);
    if (status == HOLOS_OK) {
        assert_int_equal(c.count, 100);
        config_free(&c);
    }
    return status;
}

static holos_status work_file_write(void *context, holos_error *err)
{
    file_writer w;
    holos_status status = file_create(&w, context, err);
    if (status != HOLOS_OK)
        return status;
    file_write(&w, "new", 3);
    return file_commit(&w, err);
}

static holos_status work_file_read(void *context, holos_error *err)
{
    text t;
    text_init(&t);
    holos_status status = file_read(context, 0, &t, err);
    text_free(&t);
    return status;
}

static holos_status work_folder(void *context, holos_error *err)
{
    return file_make_folder(context, err);
}

static holos_status work_pool(void *context, holos_error *err)
{
    (void)context;
    pool *p;
    holos_status status = pool_open(1, &p, err);
    if (status == HOLOS_OK)
        pool_close(p);
    return status;
}

static holos_status work_table(void *context, holos_error *err)
{
    mem_budget *budget = context;
    table t;
    holos_status status = table_init(&t, budget, 8, 0, err);
    for (uint64_t n = 0; status == HOLOS_OK && n < 5000; n++) {
        bool fresh;
        uint64_t *payload = table_insert(&t, (holos_key){.lo = n}, &fresh);
        if (payload == NULL) {
            assert_int_equal(t.count, n);
            status = mem_error(err, budget, 1, "the table");
        } else {
            *payload = n;
        }
    }
    for (uint64_t n = 0; status == HOLOS_OK && n < 5000; n++)
        assert_int_equal(*(uint64_t *)table_find(&t, (holos_key){.lo = n}), n);
    table_free(&t);
    assert_int_equal(budget->used, 0);
    return status;
}

static holos_status work_arena(void *context, holos_error *err)
{
    mem_budget *budget = context;
    arena a;
    arena_init(&a, budget, 256);
    holos_status status = HOLOS_OK;
    for (size_t i = 0; i < 50 && status == HOLOS_OK; i++)
        if (arena_alloc(&a, i * 10) == NULL)
            status = mem_error(err, budget, i * 10, "an arena");
    arena_free(&a);
    assert_int_equal(budget->used, 0);
    return status;
}

/* ---- The tests --------------------------------------------------------------------------------- */

static void test_text(void **state)
{
    (void)state;
    assert_true(fail_in_turn(work_text, NULL) > 3);
}

static void test_tables_and_arenas(void **state)
{
    (void)state;
    mem_budget budget;
    mem_budget_init(&budget, 0);
    /* A table that cannot grow fills up further first, so a failure on the way may do no harm. */
    assert_true(fail_in_turn(work_table, &budget) >= 1);
    assert_true(fail_in_turn(work_arena, &budget) > 3);
    heap.for_good = true;
    assert_true(fail_in_turn(work_table, &budget) > 5);
    heap.for_good = false;
}

static void test_pool(void **state)
{
    (void)state;
    assert_int_equal(fail_in_turn(work_pool, NULL), 1);
}

static void test_files(void **state)
{
    (void)state;
    char folder[64];
    unit_make_folder(folder);
    const char *path = unit_path(folder, "a"), *link = unit_path(folder, "link");
    assert_true(fail_in_turn(work_file_write, (void *)(uintptr_t)path) >= 3);
    assert_int_equal(symlink("a", link), 0);
    assert_true(fail_in_turn(work_file_write, (void *)(uintptr_t)link) >= 3);
    assert_true(fail_in_turn(work_file_read, (void *)(uintptr_t)path) >= 2);
    assert_int_equal(fail_in_turn(work_folder, (void *)(uintptr_t)unit_path(folder, "b/c")), 1);
    assert_int_equal(unit_count_names(folder), 3); /* no temporary file is left */
    unit_remove_folder(folder);
}

static void test_config(void **state)
{
    (void)state;
    char folder[64];
    unit_make_folder(folder);
    const char *path = unit_path(folder, "a.yaml");
    text t;
    text_init(&t);
    for (int i = 0; i < 50; i++)
        text_printf(&t, "map-%d:\n  a-name-that-is-not-short: [1, \"%0100d\"]\n", i, i);
    unit_write_file(path, t.data, t.length);
    text_free(&t);
    assert_true(fail_in_turn(work_config, (void *)(uintptr_t)path) >= 8);
    unit_remove_folder(folder);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),   cmocka_unit_test(test_tables_and_arenas),
        cmocka_unit_test(test_pool),   cmocka_unit_test(test_files),
        cmocka_unit_test(test_config),
    };
    UNIT_MAIN(tests);
}
