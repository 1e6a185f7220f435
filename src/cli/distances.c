/* SPDX-License-Identifier: MIT */

#include "cli/distances.h"

#include "cli/words.h"
#include "wire/answer.h"

#include <stdlib.h>
#include <string.h>

static void say(text *t, const holos_distance_words *words, holos_value value)
{
    unsigned end = value.distance, conversion = value.conversion;
    if (end != HOLOS_NO_DISTANCE)
        text_printf(t, "%s %u %s (%s in %u %s)", words->end_title, end, end == 1 ? "ply" : "plies",
                    words->event, (end + 1) / 2, end > 2 ? "moves" : "move");
    if (end != HOLOS_NO_DISTANCE && conversion != HOLOS_NO_DISTANCE)
        text_string(t, ", ");
    if (conversion != HOLOS_NO_DISTANCE)
        text_printf(t, "%s %u %s", words->conversion_title, conversion, conversion == 1 ? "ply" : "plies");
}

static bool is_silent(holos_value value)
{
    return value.lo == 0 || (value.distance == HOLOS_NO_DISTANCE && value.conversion == HOLOS_NO_DISTANCE);
}

void distances_say(text *t, const holos_distance_words *words, holos_value value)
{
    if (is_silent(value) || value.source == HOLOS_SOURCE_RULES)
        return;
    text_string(t, "  ");
    say(t, words, value);
    text_char(t, '\n');
}

/* ---- Moves ------------------------------------------------------------------------------------- */

/* The winner's shortest first, the loser's longest; what is not known comes last. */
static int distance_compare(int32_t score, uint16_t a, uint16_t b)
{
    if (a == b)
        return 0;
    if (a == HOLOS_NO_DISTANCE || b == HOLOS_NO_DISTANCE)
        return a == HOLOS_NO_DISTANCE ? 1 : -1;
    return (a < b) == (score > 0) ? -1 : 1;
}

static int better(const void *a, const void *b)
{
    const holos_value x = ((const holos_move_value *)a)->value, y = ((const holos_move_value *)b)->value;
    bool x_known = holos_value_is_solved(x), y_known = holos_value_is_solved(y);
    if (x_known != y_known)
        return x_known ? -1 : 1;
    if (x.lo != y.lo || !x_known)
        return (x.lo < y.lo) - (x.lo > y.lo);
    int order = distance_compare(x.lo, x.distance, y.distance);
    return order != 0 ? order : distance_compare(x.lo, x.conversion, y.conversion);
}

static void move_say(text *t, const holos_variant *v, const holos_distance_words *words,
                     const holos_position *p, const holos_move_value *m)
{
    char name[64];
    holos_format_move(v, p, m->move, name, sizeof name);
    if (holos_value_is_solved(m->value) && !is_silent(m->value)) {
        text_printf(t, "    %-8s ", name);
        say(t, words, m->value);
    } else {
        text_printf(t, "    %s", name);
    }
    text_char(t, '\n');
}

static void group_say(text *t, const holos_variant *v, const holos_distance_words *words, holos_value value,
                      bool color)
{
    int32_t min, max;
    holos_score_range(v, &min, &max);
    output_style style = STYLE_PLAIN;
    if (holos_value_is_solved(value))
        style = value.lo == max ? STYLE_GOOD : value.lo < 0 ? STYLE_BAD : STYLE_PLAIN;
    text_string(t, "  ");
    text_style_begin(t, color, style);
    text_string(t, holos_value_is_solved(value) ? words->moves[value.lo - min] : "not in the tables");
    text_style_end(t, color, style);
    text_string(t, ":\n");
}

void distances_say_moves(text *t, const holos_variant *v, const holos_distance_words *words,
                         const holos_position *p, const holos_result *r, bool color)
{
    holos_move_value *moves = malloc((r->move_count + 1) * sizeof *moves);
    t->failed |= moves == NULL;
    if (moves == NULL || r->move_count == 0) {
        free(moves);
        return;
    }
    memcpy(moves, r->moves, r->move_count * sizeof *moves);
    qsort(moves, r->move_count, sizeof *moves, better);
    bool distances = false;
    for (size_t i = 0; i < r->move_count; i++) {
        bool known = holos_value_is_solved(moves[i].value);
        bool same = i > 0 && holos_value_is_solved(moves[i - 1].value) == known &&
                    (!known || moves[i - 1].value.lo == moves[i].value.lo);
        if (!same)
            group_say(t, v, words, moves[i].value, color);
        distances |= known && !is_silent(moves[i].value);
        move_say(t, v, words, p, &moves[i]);
    }
    if (distances)
        text_printf(t, "  %s\n", words->legend);
    free(moves);
}
