/* SPDX-License-Identifier: MIT */

/* Values in words. */

#include "core/text.h"
#include "game/game.h"

#include <string.h>

static void score(text *t, int32_t value)
{
    text_printf(t, value == 0 ? "%d" : "%+d", value);
}

static void score_range(text *t, const holos_variant *v, holos_value value)
{
    if (value.lo == value.hi) {
        text_string(t, "score ");
        score(t, value.lo);
    } else if (value.hi >= v->score_max) {
        text_string(t, "score at least ");
        score(t, value.lo);
    } else if (value.lo <= v->score_min) {
        text_string(t, "score at most ");
        score(t, value.hi);
    } else {
        text_string(t, "score from ");
        score(t, value.lo);
        text_string(t, " to ");
        score(t, value.hi);
    }
}

static void value_words(text *t, const holos_variant *v, holos_value value)
{
    const char *lo = holos_outcome(v, value.lo), *hi = holos_outcome(v, value.hi);
    bool settled = strcmp(lo, hi) == 0;
    if (settled)
        text_string(t, lo);
    else
        text_printf(t, "between %s and %s", lo, hi);
    if (value.distance != HOLOS_NO_DISTANCE && value.distance > 0 && settled)
        text_printf(t, " in %u %s", value.distance, value.distance == 1 ? "ply" : "plies");
    if ((v->game->traits & HOLOS_TRAIT_PUZZLE) != 0)
        return;
    text_string(t, " (");
    score_range(t, v, value);
    text_char(t, ')');
}

size_t holos_format_value(const holos_variant *v, holos_value value, char *out, size_t size)
{
    text t;
    text_init_fixed(&t, out, size);
    if (v != NULL)
        value_words(&t, v, value);
    else if (size > 0)
        out[0] = 0;
    return t.length;
}
