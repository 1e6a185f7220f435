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

void rating_put(json *j, const holos_variant *v, const holos_rating *rating)
{
    const holos_technique *technique;
    json_put_string(j, "level", holos_level_name(rating->level));
    json_put_double(j, "rating", rating->rating / 10.0);
    json_put_uint(j, "score", rating->score);
    if (rating->hardest != NULL)
        json_put_string(j, "hardest", rating->hardest->name);
    else
        json_put_null(j, "hardest");
    json_put_uint(j, "steps", rating->steps);
    json_open(j, "techniques", '{');
    for (size_t i = 0; (technique = holos_technique_at(holos_variant_game(v), i)) != NULL; i++)
        if (rating->counts[i] > 0)
            json_put_uint(j, technique->name, rating->counts[i]);
    json_close(j);
}

void rating_put_technique(text *t, const holos_technique *technique)
{
    json j = json_begin(t);
    json_open(&j, NULL, '{');
    json_put_string(&j, "technique", technique->name);
    json_put_string(&j, "title", technique->title);
    json_put_double(&j, "rating", technique->rating / 10.0);
    json_put_uint(&j, "score", technique->score);
    json_put_string(&j, "level", holos_level_name(technique->level));
    json_put_bool(&j, "by_uniqueness", technique->by_uniqueness);
    json_put_string(&j, "summary", technique->summary);
    json_close(&j);
    text_char(t, '\n');
}
