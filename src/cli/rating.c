/* SPDX-License-Identifier: MIT */

#include "cli/rating.h"

#include "cli/output.h"

enum { RATING_WIDTH = 100 };

void rating_say(text *t, const holos_variant *v, const holos_rating *rating)
{
    const holos_technique *technique;
    text_string(t, holos_level_name(rating->level));
    if (rating->hardest != NULL)
        text_printf(t, "; rating %u.%u (%s)", rating->rating / 10, rating->rating % 10,
                    rating->hardest->title);
    text_printf(t, "; score %u in %u %s\n", rating->score, rating->steps,
                rating->steps == 1 ? "step" : "steps");
    text list;
    text_init(&list);
    for (size_t i = 0; (technique = holos_technique_at(holos_variant_game(v), i)) != NULL; i++)
        if (rating->counts[i] > 0)
            text_printf(&list, "%s%s %u", list.length > 0 ? ", " : "", technique->name, rating->counts[i]);
    if (list.length > 0) {
        text_string(t, "  ");
        output_wrap(t, 2, 2, RATING_WIDTH, list.data);
    }
    t->failed = t->failed || list.failed;
    text_free(&list);
}
