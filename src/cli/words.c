/* SPDX-License-Identifier: MIT */

#include "cli/words.h"

#include "wire/answer.h"

#include <stdlib.h>
#include <string.h>

enum { TABLE_WIDTH = 80 };

/* Appends what a function in the manner of snprintf writes. */
static void append(text *t, size_t (*format)(const holos_variant *, const holos_position *, char *, size_t),
                   const holos_variant *v, const holos_position *position)
{
    char small[512];
    size_t length = format(v, position, small, sizeof small);
    if (length < sizeof small) {
        text_bytes(t, small, length);
        return;
    }
    char *large = malloc(length + 1);
    if (large == NULL) {
        t->failed = true;
        return;
    }
    format(v, position, large, length + 1);
    text_bytes(t, large, length);
    free(large);
}

void words_position(text *t, const holos_variant *v, const holos_position *position)
{
    append(t, holos_format, v, position);
}

void words_drawing(text *t, const holos_variant *v, const holos_position *position)
{
    append(t, holos_draw, v, position);
    if (t->length > 0 && t->data[t->length - 1] != '\n')
        text_char(t, '\n');
}

void words_move(text *t, const holos_variant *v, const holos_position *position, holos_move move)
{
    char name[64];
    size_t length = holos_format_move(v, position, move, name, sizeof name);
    text_bytes(t, name, length < sizeof name ? length : sizeof name - 1);
}

void words_moves(text *t, const holos_variant *v, const holos_position *position, const holos_move *moves,
                 size_t count)
{
    for (size_t i = 0; i < count; i++) {
        text_string(t, i > 0 ? ", " : "");
        words_move(t, v, position, moves[i]);
    }
}

void words_play(text *t, const holos_variant *v, const holos_position *position, const holos_move *line,
                size_t length)
{
    size_t needed = holos_format_line(v, position, line, length, NULL, 0);
    char *words = malloc(needed + 1);
    if (words == NULL) {
        t->failed = true;
        return;
    }
    holos_format_line(v, position, line, length, words, needed + 1);
    text_string(t, words);
    free(words);
}

static void score(text *t, int32_t value)
{
    text_printf(t, value == 0 ? "%d" : "%+d", value);
}

void words_value(text *t, const holos_variant *v, holos_value value)
{
    char words[128];
    size_t length = holos_format_value(v, value, words, sizeof words);
    text_bytes(t, words, length < sizeof words ? length : sizeof words - 1);
}

void words_value_short(text *t, const holos_variant *v, holos_value value, bool weak)
{
    const char *outcome = wire_outcome(v, value);
    if (outcome != NULL && (weak || wire_is_puzzle(v))) {
        text_string(t, outcome);
    } else if (wire_is_puzzle(v)) {
        text_char(t, '?');
    } else {
        score(t, value.lo);
        if (value.lo != value.hi) {
            text_string(t, "..");
            score(t, value.hi);
        }
    }
}

/* Whether a move is among the best ones. */
static bool is_best(const holos_result *r, holos_move move)
{
    for (size_t i = 0; i < r->best_count; i++) {
        if (r->best[i] == move)
            return true;
    }
    return false;
}

static output_style style_of(const holos_variant *v, holos_value value)
{
    if (value.lo > 0)
        return STYLE_GOOD;
    return value.hi < 0 || (wire_is_puzzle(v) && value.hi == 0) ? STYLE_BAD : STYLE_PLAIN;
}

void words_move_table(text *t, const holos_variant *v, const holos_position *position, const holos_result *r,
                      bool weak, bool color)
{
    char name[64], value[64];
    size_t name_width = 0, value_width = 0;
    for (size_t i = 0; i < r->move_count; i++) {
        text s;
        size_t width = holos_format_move(v, position, r->moves[i].move, name, sizeof name);
        name_width = width > name_width ? width : name_width;
        text_init_fixed(&s, value, sizeof value);
        words_value_short(&s, v, r->moves[i].value, weak);
        value_width = s.length > value_width ? s.length : value_width;
    }
    size_t cell = name_width + value_width + 5; /* two spaces, "NAME VALUE*", one space */
    size_t columns = cell < TABLE_WIDTH ? TABLE_WIDTH / cell : 1;
    for (size_t i = 0; i < r->move_count; i++) {
        text s;
        holos_format_move(v, position, r->moves[i].move, name, sizeof name);
        text_init_fixed(&s, value, sizeof value);
        words_value_short(&s, v, r->moves[i].value, weak);
        output_style style = style_of(v, r->moves[i].value);
        text_printf(t, "  %*s ", (int)name_width, name);
        text_style_begin(t, color, style);
        text_printf(t, "%*s", (int)value_width, value);
        text_style_end(t, color, style);
        bool last = i + 1 == r->move_count || (i + 1) % columns == 0;
        text_string(t, is_best(r, r->moves[i].move) ? "*" : last ? "" : " ");
        text_string(t, last ? "\n" : " ");
    }
}
