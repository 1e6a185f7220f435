/* SPDX-License-Identifier: MIT */

/* Lists that grow: a block of malloc, how many items are in it, and how many there is room for. Small things; what can be
 * large stands in a budget (core/mem.h). */

#ifndef HOLOS_CORE_LIST_H
#define HOLOS_CORE_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for at least `count` items of `size` bytes; *items is the block, NULL before the first one. */
bool list_grow(void *items, size_t *room, size_t count, size_t size);

/* Room for `count` items: `room` is a size_t. False: out of memory, and the list is as it was. */
#define LIST_RESERVE(items, room, count)                                                                     \
    ((count) <= (room) || list_grow(&(items), &(room), (count), sizeof *(items)))

#endif
