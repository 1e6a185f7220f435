/* SPDX-License-Identifier: MIT */

/* Whatever a file holds, reading it as a table of a chess ending does no harm. The first byte of the input chooses the
 * material and the kind of table. */

#include "games/chess/tables/syzygy.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = {"KQvK", "KPvK", "KQvKR", "KBBvK", "KPvKP"};

/* A position of the material, one of many. */
static chess_position position_make_up(tb_key key, unsigned number)
{
    chess_position p = {.side = number & 1};
    unsigned square = 9 + number % 5;
    for (unsigned side = 0; side < 2; side++) {
        position_put(&p, piece_make(side, CHESS_KING), square);
        square += 9;
        for (unsigned kind = CHESS_PAWN; kind <= CHESS_QUEEN; kind++)
            for (unsigned i = key_count(key, side, kind); i > 0; i--, square += 1 + number % 7)
                position_put(&p, piece_make(side, kind), square);
    }
    return p;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static index_maps maps; /* the same every time */
    tb_key key;
    syzygy s;
    if (size == 0)
        return 0;
    index_maps_init(&maps);
    syzygy_kind kind = (syzygy_kind)(data[0] / 8 % SYZYGY_KINDS);
    uint8_t *bytes = malloc(size); /* exact, so that sanitizers see every step beyond */
    if (bytes == NULL || key_parse(names[data[0] % 5], &key, NULL) != HOLOS_OK)
        abort();
    memcpy(bytes, data + 1, size - 1);
    if (syzygy_open_bytes(&s, &maps, key, kind, bytes, size - 1, "fuzz", NULL) == HOLOS_OK) {
        for (unsigned i = 0; i < 40; i++) {
            chess_position p = position_make_up(key, i);
            int value;
            syzygy_get(&s, &maps, &p, key, (int)(i % 5) - 2, &value);
        }
        syzygy_close(&s);
    }
    free(bytes);
    return 0;
}
