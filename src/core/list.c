/* SPDX-License-Identifier: MIT */

#include "core/list.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_LEAST 16u

bool list_grow(void *items, size_t *room, size_t count, size_t size)
{
    size_t more = *room > SIZE_MAX / 2 ? SIZE_MAX : 2 * *room;
    void *block;
    memcpy(&block, items, sizeof block);
    if (more < ROOM_LEAST)
        more = ROOM_LEAST;
    if (more < count)
        more = count;
    block = more <= SIZE_MAX / size ? realloc(block, more * size) : NULL;
    if (block == NULL)
        return false;
    memcpy(items, &block, sizeof block);
    *room = more;
    return true;
}
