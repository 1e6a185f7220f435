/* SPDX-License-Identifier: MIT */

/* FEN, tags, movetext in SAN or UCI: whatever is accepted can be written down and read again, and the line that was
 * played is the line that is written. */

#include "core/assert.h"
#include "games/chess/fen.h"
#include "games/chess/notation.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_INPUT 2000

typedef struct line {
    chess_position first;
    chess_move moves[MAX_INPUT];
    size_t count;
} line;

static void hear_move(void *context, const chess_position *before, chess_move move)
{
    line *l = context;
    if (l->count == 0)
        l->first = *before;
    assert(l->count < MAX_INPUT);
    l->moves[l->count++] = move;
}

static void check_text(const chess_position *p)
{
    chess_position again;
    text out;
    text_init(&out);
    fen_format(p, &out);
    assert(position_fault(p) == NULL);
    if (p->clock <= 150 && p->number <= 9999) {
        assert(fen_parse(out.data, &again, NULL) == HOLOS_OK);
        assert(memcmp(&again, p, sizeof again) == 0);
    }
    text_free(&out);
}

static void check_line(const line *l, const chess_position *last)
{
    chess_position here = l->first;
    const char *s;
    text out;
    text_init(&out);
    pgn_format(&l->first, l->moves, l->count, &out);
    s = out.data;
    assert(pgn_read(out.data, &s, &here, NULL, NULL, NULL) == HOLOS_OK && *s == 0);
    assert(memcmp(&here, last, sizeof here) == 0);
    text_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char input[MAX_INPUT + 1];
    chess_position p;
    holos_error err;
    if (size > MAX_INPUT)
        return 0;
    memcpy(input, data, size);
    input[size] = 0;
    line *l = calloc(1, sizeof *l);
    assert(l != NULL);
    if (position_read(input, &p, hear_move, l, &err) == HOLOS_OK) {
        check_text(&p);
        if (l->count > 0)
            check_line(l, &p);
    } else {
        assert(err.code == HOLOS_BAD_POSITION && err.message[0] != 0);
        assert(err.at >= 0 && err.at <= (int64_t)strlen(input));
    }
    free(l);
    return 0;
}
