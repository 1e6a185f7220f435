/* SPDX-License-Identifier: MIT */

#include "unit.h"

#include "core/list.h"

#include <stdlib.h>

static void test_a_list_keeps_what_is_in_it_while_it_grows(void **state)
{
    (void)state;
    uint32_t *items = NULL;
    size_t count = 0, room = 0, moves = 0;
    while (count < 100000) {
        size_t before = room;
        assert_true(LIST_RESERVE(items, room, count + 1));
        moves += room != before;
        items[count] = (uint32_t)count * 7;
        count++;
        assert_true(room >= count);
    }
    assert_true(moves < 20); /* the room doubles */
    for (size_t i = 0; i < count; i++)
        assert_int_equal(items[i], (uint32_t)i * 7);
    free(items);
}

static void test_room_for_many_at_once(void **state)
{
    (void)state;
    uint64_t *items = NULL;
    size_t room = 0, none = 0;
    assert_true(LIST_RESERVE(items, room, none));
    assert_null(items);
    assert_true(LIST_RESERVE(items, room, 1000));
    assert_int_equal(room, 1000);
    uint64_t *same = items;
    assert_true(LIST_RESERVE(items, room, 1000));
    assert_ptr_equal(items, same);
    free(items);
}

static void test_without_memory_the_list_is_as_it_was(void **state)
{
    (void)state;
    uint64_t *items = NULL;
    size_t room = 0;
    assert_true(LIST_RESERVE(items, room, 3));
    uint64_t *same = items;
    size_t before = room;
    items[2] = 5;
    assert_false(LIST_RESERVE(items, room, SIZE_MAX / 8 + 1)); /* more bytes than can be counted */
    assert_false(LIST_RESERVE(items, room, SIZE_MAX / 16));    /* more than there can be */
    assert_ptr_equal(items, same);
    assert_int_equal(room, before);
    assert_int_equal(items[2], 5);
    free(items);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_list_keeps_what_is_in_it_while_it_grows),
        cmocka_unit_test(test_room_for_many_at_once),
        cmocka_unit_test(test_without_memory_the_list_is_as_it_was),
    };
    UNIT_MAIN(tests);
}
