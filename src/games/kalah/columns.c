/* SPDX-License-Identifier: MIT */

#include "games/kalah/columns.h"

#include "core/assert.h"

#include <stdbool.h>
#include <string.h>

/* Strips of 32 have half as many cache lines to fetch, but more columns that nobody asks for: kalah:6,4 up to 24 seeds takes a tenth
 * more time with them. */
#define WIDTH COLUMNS_STRIP
#define SLOTS 1024 /* a power of two */
/* Bytes for the rows of strips. Up to 20 seeds, 260 MB are turned with 1 MiB, 250 MB with 2 MiB, and 210 MB if everything is kept; 580 MB are
 * asked for. */
#define ROOM  ((size_t)2 << 20)
#define LEAST 4  /* strips for which there is room, however long their rows are */
#define MOST  64 /* of the longest are enough: small databases do not take 2 MiB */

typedef struct slot {
    const uint8_t *strip; /* the last one that was asked for: where its first column begins */
    uint64_t place;       /* of its rows, one after the other; 0: it was asked for once */
} slot;

struct columns {
    slot slots[SLOTS];
    uint64_t next; /* place. Places go round and round: what was written a room before is gone */
    size_t room;
};

_Static_assert(sizeof(columns) % 8 == 0, "rows follow");

static size_t room_for(size_t longest)
{
    size_t strip = WIDTH * longest;
    return strip * LEAST > ROOM ? strip * LEAST : strip * MOST < ROOM ? strip * MOST : ROOM;
}

size_t columns_size(size_t longest)
{
    return sizeof(columns) + room_for(longest);
}

columns *columns_begin(void *memory, size_t longest)
{
    columns *c = memory;
    memset(c->slots, 0, sizeof c->slots);
    c->room = room_for(longest);
    c->next = c->room; /* no place is 0 */
    return c;
}

/* ---- Turning ----------------------------------------------------------------------------------- */

typedef uint8_t line __attribute__((vector_size(WIDTH)));

/* Rows become columns. Four times, the bytes of the upper rows are put between those of the lower ones. */
static inline void block_turn(line *rows)
{
    for (unsigned step = 0; step < 4; step++) {
        line next[WIDTH];
        for (unsigned i = 0; i < WIDTH / 2; i++) {
            line a = rows[i], b = rows[i + WIDTH / 2];
            next[2 * i] =
                __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
            next[2 * i + 1] =
                __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        }
        memcpy(rows, next, sizeof next);
    }
}

static void strip_turn(uint8_t *out, const uint8_t *from, size_t stride, size_t count)
{
    size_t whole = count / WIDTH * WIDTH;
    for (size_t i = 0; i < whole; i += WIDTH) {
        const uint8_t *next = from + (i + WIDTH < whole ? i + WIDTH : i) * stride;
        line rows[WIDTH];
        for (size_t k = 0; k < WIDTH; k++)
            __builtin_prefetch(next + k * stride);
        for (size_t k = 0; k < WIDTH; k++)
            memcpy(&rows[k], from + (i + k) * stride, WIDTH);
        block_turn(rows);
        for (size_t k = 0; k < WIDTH; k++)
            memcpy(out + k * count + i, &rows[k], WIDTH);
    }
    for (size_t i = whole; i < count; i++)
        for (size_t k = 0; k < WIDTH; k++)
            out[k * count + i] = from[i * stride + k];
}

void columns_write(uint8_t *table, size_t stride, size_t first, const uint8_t *rows, size_t count)
{
    size_t y = first;
    for (; count == WIDTH && y + WIDTH <= stride; y += WIDTH) {
        line block[WIDTH];
        for (size_t k = 0; k < WIDTH; k++)
            memcpy(&block[k], rows + k * stride + y, WIDTH);
        block_turn(block);
        for (size_t k = 0; k < WIDTH; k++)
            memcpy(table + (y + k) * stride, &block[k], WIDTH);
    }
    for (; y < stride; y++)
        for (size_t k = 0; k < count; k++)
            table[y * stride + k] = rows[k * stride + y];
}

/* ---- Asking ------------------------------------------------------------------------------------ */

static bool slot_is_kept(const columns *c, const slot *s)
{
    return s->place > 0 && c->next <= s->place + c->room;
}

/* So many bytes one after the other. */
static uint64_t place_take(columns *c, size_t size)
{
    assert(size <= c->room);
    if (c->next % c->room + size > c->room)
        c->next += c->room - c->next % c->room;
    uint64_t place = c->next;
    c->next += size;
    return place;
}

const uint8_t *columns_row(columns *c, const uint8_t *table, size_t stride, size_t width, size_t count,
                           size_t at)
{
    if (width < WIDTH)
        return NULL;
    size_t first = at / WIDTH * WIDTH;
    first = first < width - WIDTH ? first : width - WIDTH;
    const uint8_t *strip = table + first;
    slot *s = &c->slots[((uint64_t)(uintptr_t)strip * UINT64_C(0x9E3779B97F4A7C15) >> 40) % SLOTS];
    if (s->strip != strip) {
        *s = (slot){.strip = strip};
        return NULL;
    }
    uint8_t *rooms = (uint8_t *)(c + 1);
    if (!slot_is_kept(c, s)) {
        s->place = place_take(c, count * WIDTH);
        strip_turn(rooms + s->place % c->room, strip, stride, count);
    }
    return rooms + s->place % c->room + (at - first) * count;
}
